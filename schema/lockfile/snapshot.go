package lockfile

// This file is the form that a snapshot has on disk.

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
)

// EncodeSnapshot returns the file of a snapshot: pretty-printed JSON with a newline at the
// end. Items are sorted by name; members below the top level keep the server's order, and
// numbers its digits; characters that a reader cannot see are escaped. Equal snapshots give equal bytes. What is absent is left out,
// except "tools".
//
// Raw messages that are not JSON are written as they are, so that
// [ParseSnapshot] refuses the result: take items from [schema.ParseItem].
func EncodeSnapshot(s *schema.Snapshot) []byte {
	_, file := AsFile(s, nil)
	return file
}

// AsFile returns s as [ParseSnapshot] reads it from its file, and the file, with which
// the raw messages share memory. Old is the file that there was: it is the memory that
// is shared if nothing has changed.
func AsFile(s *schema.Snapshot, old []byte) (*schema.Snapshot, []byte) {
	out := *s
	size := 1024 // at least, about
	for _, l := range lists() {
		items := out.List(l.kind)
		*items = slices.Clone(*items)
		for _, it := range *items {
			size += len(it.Raw) + 8
		}
	}
	out.Sort()
	w := newFileWriter(snapshotForm, size)
	type span struct {
		of       *json.RawMessage
		from, to int
	}
	var raws []span
	raw := func(of *json.RawMessage, indent int) {
		from := len(w.buf)
		w.value(*of, indent)
		raws = append(raws, span{of, from, len(w.buf)})
	}
	w.text("server", s.Server)
	w.text("protocolVersion", s.ProtocolVersion)
	for _, m := range []struct {
		name string
		of   *json.RawMessage
	}{{"identity", &out.Identity}, {"capabilities", &out.Capabilities}, {"clientCapabilities", &out.ClientCapabilities}} {
		if *m.of != nil {
			w.name(m.name)
			raw(m.of, w.indent)
		}
	}
	w.text("instructions", s.Instructions)
	for _, l := range lists() {
		if items := *out.List(l.kind); len(items) > 0 || l.kind == schema.KindTool {
			w.list(l.member, len(items), func(i int) { raw(&items[i].Raw, w.indent+1) })
		}
	}
	file := w.file()
	if bytes.Equal(file, old) {
		file = old
	}
	for _, r := range raws {
		*r.of = file[r.from:r.to:r.to]
	}
	return &out, file
}

// ParseSnapshot reads what [EncodeSnapshot] wrote. It checks the format: the
// version first, members in their order and none unknown, items sorted by name
// and none twice. Members within a definition may stand in any order: the
// hashes do not depend on it.
//
// The errors are of type [*schema.Error], joined if there are several, each with line
// and column.
func ParseSnapshot(data []byte) (*schema.Snapshot, error) {
	v, err := parseFile(data, "snapshot", restoreSteps(), snapshotForm)
	if err != nil {
		return nil, err
	}
	r := fileReader{data: data, steps: restoreSteps()}
	r.order(v, []string{
		"mcpgen", "server", "protocolVersion", "identity", "capabilities", "clientCapabilities", "instructions",
		"tools", "prompts", "resources", "resourceTemplates", "skills", "apps",
	}, "")
	s := &schema.Snapshot{
		Server:          r.text(v, "server", ""),
		ProtocolVersion: r.text(v, "protocolVersion", ""),
		Identity:        r.raw(v, "identity"),
		Capabilities:    r.raw(v, "capabilities"),
		Instructions:    r.text(v, "instructions", ""),

		ClientCapabilities: r.raw(v, "clientCapabilities"),
	}
	for _, l := range lists() {
		*s.List(l.kind) = r.items(v, l)
	}
	if err := joinErrors(r.errs); err != nil {
		return nil, err
	}
	return s, nil
}
