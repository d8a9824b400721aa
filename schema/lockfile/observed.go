package lockfile

// This file reads and writes observed.json, the file of observed result schemas next to the snapshot of a
// server.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Observed holds the shapes of results that the tools of a server returned. They type the results of tools that
// declare no schema.
type Observed struct {
	Server string
	Tools  map[string]json.RawMessage // schema by wire name; see package observe
}

// observedSteps returns the next steps for errors about an observed.json.
func observedSteps() []string {
	return []string{"restore the file with git checkout", "remove it, run mcpgen update, and observe again"}
}

// Encode returns the file: pretty-printed JSON with a trailing newline, tools sorted by name. Equal shapes give
// equal bytes. Every tool is a separate group of lines, so that git merges two branches that observed different
// tools. Raw messages that are not JSON are written unchanged, so that [ParseObserved] rejects the result.
func (o *Observed) Encode() []byte {
	w := newFileWriter(snapshotForm, 0)
	w.name("server")
	w.buf = appendVisible(w.buf, o.Server)
	w.name("tools")
	w.open()
	for _, name := range slices.Sorted(maps.Keys(o.Tools)) {
		w.name(name)
		w.open()
		w.raw("schema", o.Tools[name])
		w.close()
	}
	w.close()
	return w.file()
}

// ParseObserved reads the file of [Observed.Encode]. It is as strict as [ParseLock] and has errors of the same
// kind; package observe validates the schemas.
func ParseObserved(data []byte) (*Observed, error) {
	v, err := parseFile(data, "file of observed shapes", observedSteps(), snapshotForm)
	if err != nil {
		return nil, err
	}
	r := fileReader{data: data, steps: observedSteps()}
	r.order(v, []string{"mcpgen", "server", "tools"}, "")
	out := &Observed{Server: r.text(v, "server", ""), Tools: map[string]json.RawMessage{}}
	if out.Server == "" {
		r.fail(v.Pos, "/server", "missing")
	}
	r.each(v.Get("tools"), "/tools", v.Pos, func(m *tree.Member, pointer string) {
		if m.Get("schema") == nil {
			r.fail(m.NamePos, pointer, fmt.Sprintf("must be an object with a schema, is %v", m.Kind))
			return
		}
		r.order(&m.Value, []string{"schema"}, pointer)
		out.Tools[m.Name] = r.raw(&m.Value, "schema")
	})
	if err := joinErrors(r.errs); err != nil {
		return nil, err
	}
	return out, nil
}
