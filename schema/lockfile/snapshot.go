package lockfile

// This file is the form that a snapshot has on disk.

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// snapshotMembers returns the members of a snapshot, in their order. "mcpgen"
// opens the file, so that a reader knows what it reads; the lists come last.
func snapshotMembers() []string {
	return []string{
		"mcpgen", "server", "protocolVersion", "identity", "capabilities", "instructions",
		"tools", "prompts", "resources", "resourceTemplates", "skills", "apps",
	}
}

// EncodeSnapshot returns the file of a snapshot: pretty-printed JSON with a newline at the
// end. Items are sorted by name, members below the top level by [schema.Canonical]'s
// order; numbers keep the server's digits; characters that a reader cannot see
// are escaped. Equal snapshots give equal bytes. What is absent is left out,
// except "tools".
//
// Raw messages that are not JSON are written as they are, so that
// [ParseSnapshot] refuses the result: take items from [schema.ParseItem].
func EncodeSnapshot(s *schema.Snapshot) []byte {
	sorted := *s
	size := 1024 // at least, about
	for _, l := range lists() {
		items := sorted.List(l.kind)
		*items = slices.Clone(*items)
		for _, it := range *items {
			size += len(it.Raw) + 8
		}
	}
	sorted.Sort()
	w := fileWriter{buf: append(make([]byte, 0, size), "{\n  \"mcpgen\": "+strconv.Itoa(FormatVersion)...)}
	w.text("server", s.Server)
	w.text("protocolVersion", s.ProtocolVersion)
	w.raw("identity", s.Identity)
	w.raw("capabilities", s.Capabilities)
	w.text("instructions", s.Instructions)
	for _, l := range lists() {
		if items := *sorted.List(l.kind); len(items) > 0 || l.kind == schema.KindTool {
			w.items(l.member, items)
		}
	}
	return append(w.buf, "\n}\n"...)
}

// fileWriter writes the members of the top level.
type fileWriter struct{ buf []byte }

func (w *fileWriter) name(name string) {
	w.buf = append(w.buf, ',')
	w.buf = appendLine(w.buf, 1)
	w.buf = tree.AppendString(w.buf, name)
	w.buf = append(w.buf, ": "...)
}

func (w *fileWriter) text(name, text string) {
	if text != "" {
		w.name(name)
		w.buf = appendVisible(w.buf, text)
	}
}

func (w *fileWriter) raw(name string, raw json.RawMessage) {
	if raw != nil {
		w.name(name)
		w.buf = appendPrettyRaw(w.buf, raw, 1)
	}
}

func (w *fileWriter) items(name string, items []schema.Item) {
	w.name(name)
	w.buf = append(w.buf, '[')
	for i, it := range items {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		w.buf = appendLine(w.buf, 2)
		w.buf = appendPrettyRaw(w.buf, it.Raw, 2)
	}
	if len(items) > 0 {
		w.buf = appendLine(w.buf, 1)
	}
	w.buf = append(w.buf, ']')
}

// appendPrettyRaw writes raw with sorted members; what is not JSON as it is.
func appendPrettyRaw(dst []byte, raw json.RawMessage, indent int) []byte {
	v, err := tree.Parse(raw)
	if err != nil {
		return append(dst, raw...)
	}
	v.Sort(tree.CompareUTF16)
	return appendPretty(dst, v, indent)
}

// ParseSnapshot reads what [EncodeSnapshot] wrote. It checks the format: the
// version first, members in their order and none unknown, items sorted by name
// and none twice. Members within a definition may stand in any order: the
// hashes do not depend on it.
//
// The errors are of type [*schema.Error], joined if there are several, each with line
// and column.
func ParseSnapshot(data []byte) (*schema.Snapshot, error) {
	v, err := parseFile(data, "snapshot", restoreHint)
	if err != nil {
		return nil, err
	}
	r := fileReader{data: data, hint: restoreHint}
	r.order(v, snapshotMembers(), "")
	s := &schema.Snapshot{
		Server:          r.text(v, "server", ""),
		ProtocolVersion: r.text(v, "protocolVersion", ""),
		Identity:        r.raw(v, "identity"),
		Capabilities:    r.raw(v, "capabilities"),
		Instructions:    r.text(v, "instructions", ""),
	}
	for _, l := range lists() {
		*s.List(l.kind) = r.items(v, l)
	}
	if err := joinErrors(r.errs); err != nil {
		return nil, err
	}
	return s, nil
}
