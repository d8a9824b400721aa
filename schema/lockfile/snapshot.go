package lockfile

// This file reads and writes the file format of a snapshot.

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
)

// EncodeSnapshot returns the file of a snapshot: pretty-printed JSON with a trailing newline. Items are sorted
// by name; members below the top level keep the server's order, and numbers its digits; invisible characters
// are escaped. Equal snapshots give equal bytes. Absent members are omitted, except "tools".
//
// Raw messages that are not JSON are written unchanged, so that [ParseSnapshot] rejects the result; items of
// [schema.ParseItem] are always valid.
func EncodeSnapshot(s *schema.Snapshot) []byte {
	_, file := AsFile(s, nil)
	return file
}

// AsFile returns s as [ParseSnapshot] would read it, and its file, with which the raw messages share memory.
// Old is the previous file; if nothing changed, its memory is used.
func AsFile(s *schema.Snapshot, old []byte) (*schema.Snapshot, []byte) {
	out := *s
	size := 1024 // approximate minimum
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

// ParseSnapshot reads the file of [EncodeSnapshot]. It checks the format: version first, members in order and
// known, items sorted by name without duplicates. Members within a definition may have any order, because the
// hashes do not depend on it.
//
// The errors are of type [*schema.Error], joined if there are several, each with line and column.
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
