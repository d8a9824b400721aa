package lockfile

// This file writes the form that a lock has on disk.

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/schema"
)

// Encode returns the lock's file: JSON with a newline at the end, servers and
// items sorted by name. Equal locks give equal bytes. Raw messages that are not
// JSON are written as they are, so that [ParseLock] refuses the result.
//
// Every item is a group of lines of its own that opens and closes with lines
// that do not depend on its hashes ("names" is always the last member), so that
// git merges two branches that update different items.
func (l *Lock) Encode() []byte {
	w := lockWriter{buf: []byte("{\n  \"mcpgen\": " + strconv.Itoa(FormatVersion) +
		",\n  \"contracts\": " + strconv.Itoa(l.Revision) + ",\n  \"servers\": ")}
	w.open()
	for _, name := range slices.Sorted(maps.Keys(l.Servers)) {
		if s := l.Servers[name]; s != nil {
			w.name(name)
			w.server(s)
		}
	}
	w.close()
	return append(w.buf, "\n}\n"...)
}

// lockWriter writes nested objects, one member per line.
type lockWriter struct {
	buf    []byte
	indent int
	empty  bool // the object that is open has no member yet
}

func (w *lockWriter) open() {
	w.buf = append(w.buf, '{')
	w.indent, w.empty = w.indent+1, true
}

func (w *lockWriter) close() {
	if !w.empty {
		w.buf = appendLine(w.buf, w.indent)
	}
	w.buf = append(w.buf, '}')
	w.indent, w.empty = w.indent-1, false
}

func (w *lockWriter) name(name string) {
	if !w.empty {
		w.buf = append(w.buf, ',')
	}
	w.empty = false
	w.buf = appendLine(w.buf, w.indent+1)
	w.buf = appendVisible(w.buf, name)
	w.buf = append(w.buf, ": "...)
}

func (w *lockWriter) text(name, text string) {
	if text != "" {
		w.name(name)
		w.buf = appendVisible(w.buf, text)
	}
}

func (w *lockWriter) raw(name string, raw json.RawMessage) {
	if raw != nil {
		w.name(name)
		w.buf = appendPrettyRaw(w.buf, raw, w.indent+1)
	}
}

func (w *lockWriter) server(s *LockedServer) {
	w.open()
	w.raw("identity", s.Identity)
	w.text("protocol", s.Protocol)
	w.raw("capabilities", s.Capabilities)
	w.raw("clientCapabilities", s.ClientCapabilities)
	w.launch(s.Launch)
	w.artifact(s.Artifact)
	w.text("instructions", s.Instructions)
	w.text("package", s.Package)
	for _, l := range lists() {
		items := s.Items(l.kind)
		if len(items) == 0 && l.kind != schema.KindTool {
			continue
		}
		w.name(l.member)
		w.open()
		for _, name := range slices.Sorted(maps.Keys(items)) {
			w.name(name)
			w.item(items[name])
		}
		w.close()
	}
	w.close()
}

func (w *lockWriter) launch(l Launch) {
	if l.Hash != "" {
		w.name("launch")
		w.launchValue(l)
	}
}

// launchValue writes a launch: each argument and each variable on a line of its
// own, and a hash without more as a text.
func (w *lockWriter) launchValue(l Launch) {
	if l.HashOnly() {
		if l.Hash != "" {
			w.buf = appendVisible(w.buf, l.Hash)
		}
		return
	}
	w.open()
	w.text("transport", l.Transport)
	w.text("command", l.Command)
	w.texts("args", l.Args)
	w.text("envFile", l.EnvFile)
	w.texts("inheritEnv", l.Inherit)
	w.pairs("env", l.Env)
	w.text("url", l.URL)
	w.pairs("headers", l.Headers)
	w.text("hash", l.Hash)
	w.close()
}

// texts writes a list; nothing if it is empty.
func (w *lockWriter) texts(name string, texts []string) {
	if len(texts) == 0 {
		return
	}
	w.name(name)
	w.buf = append(w.buf, '[')
	for i, text := range texts {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		w.buf = appendVisible(appendLine(w.buf, w.indent+2), text)
	}
	w.buf = append(appendLine(w.buf, w.indent+1), ']')
}

// pairs writes an object of texts, sorted by name; nothing if it is empty.
func (w *lockWriter) pairs(name string, pairs map[string]string) {
	if len(pairs) == 0 {
		return
	}
	w.name(name)
	w.open()
	for _, key := range slices.Sorted(maps.Keys(pairs)) {
		w.name(key)
		w.buf = appendVisible(w.buf, pairs[key])
	}
	w.close()
}

func (w *lockWriter) item(it LockedItem) {
	w.open()
	w.text("contract", it.Contract)
	w.text("full", it.Full)
	w.text("key", it.Key)
	if it.Result != (LockedResult{}) {
		w.name("result")
		w.open()
		w.text("source", string(it.Result.Source))
		w.text("hash", it.Result.Hash)
		w.close()
	}
	w.pairs("was", it.Was)
	w.text("suffix", it.Suffix)
	w.name("names")
	w.open()
	for _, pointer := range slices.Sorted(maps.Keys(it.Names)) {
		w.name(pointer)
		w.buf = appendVisible(w.buf, it.Names[pointer])
	}
	w.close()
	w.close()
}
