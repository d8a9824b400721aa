package lockfile

// This file writes the common parts of snapshots, locks and observed shapes.

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// fileWriter writes nested objects, one member per line.
type fileWriter struct {
	buf    []byte
	indent int  // of the members of the open object
	empty  bool // the open object has no members yet
	parser tree.Parser
}

// newFileWriter begins a file of the given form and about size bytes.
func newFileWriter(form, size int) *fileWriter {
	w := &fileWriter{buf: make([]byte, 0, size)}
	w.open()
	w.number("mcpgen", form)
	return w
}

// file ends the file and returns it.
func (w *fileWriter) file() []byte {
	w.close()
	return append(w.buf, '\n')
}

func (w *fileWriter) open() {
	w.buf = append(w.buf, '{')
	w.indent, w.empty = w.indent+1, true
}

func (w *fileWriter) close() {
	w.indent--
	if !w.empty {
		w.buf = appendLine(w.buf, w.indent)
	}
	w.buf = append(w.buf, '}')
	w.empty = false
}

func (w *fileWriter) name(name string) {
	if !w.empty {
		w.buf = append(w.buf, ',')
	}
	w.empty = false
	w.buf = appendLine(w.buf, w.indent)
	w.buf = appendVisible(w.buf, name)
	w.buf = append(w.buf, ": "...)
}

func (w *fileWriter) number(name string, n int) {
	w.name(name)
	w.buf = strconv.AppendInt(w.buf, int64(n), 10)
}

// text writes a text, or nothing if it is empty.
func (w *fileWriter) text(name, text string) {
	if text != "" {
		w.name(name)
		w.buf = appendVisible(w.buf, text)
	}
}

// raw writes JSON as [fileWriter.value] does, or nothing if it is nil.
func (w *fileWriter) raw(name string, raw json.RawMessage) {
	if raw != nil {
		w.name(name)
		w.value(raw, w.indent)
	}
}

// list writes a list of n elements, each on separate lines.
func (w *fileWriter) list(name string, n int, element func(i int)) {
	w.name(name)
	w.buf = append(w.buf, '[')
	for i := range n {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		w.buf = appendLine(w.buf, w.indent+1)
		element(i)
	}
	if n > 0 {
		w.buf = appendLine(w.buf, w.indent)
	}
	w.buf = append(w.buf, ']')
}

// texts writes a list of texts, or nothing if it is empty.
func (w *fileWriter) texts(name string, texts []string) {
	if len(texts) > 0 {
		w.list(name, len(texts), func(i int) { w.buf = appendVisible(w.buf, texts[i]) })
	}
}

// pairs writes an object of texts, sorted by name, or nothing if it is empty.
func (w *fileWriter) pairs(name string, pairs map[string]string) {
	if len(pairs) > 0 {
		w.name(name)
		w.open()
		for _, key := range slices.Sorted(maps.Keys(pairs)) {
			w.name(key)
			w.buf = appendVisible(w.buf, pairs[key])
		}
		w.close()
	}
}

// value writes raw with its members in order; invalid JSON is written unchanged.
func (w *fileWriter) value(raw json.RawMessage, indent int) {
	v, err := w.parser.Parse(raw)
	if err != nil {
		w.buf = append(w.buf, raw...)
		return
	}
	w.buf = appendPretty(w.buf, v, indent)
}
