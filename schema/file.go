package schema

// This file reads what snapshot and lock have in common as files: version,
// conflict markers, members in order, positions.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// restoreHint ends every error about a snapshot that is damaged: update writes it
// afresh. Nothing reads past a damaged lock, update neither, so lockHint says else.
const (
	restoreHint = "restore the file with git checkout, or run mcpgen update"
	lockHint    = "restore the file with git checkout, or remove it and run mcpgen generate"
)

// parseFile reads the JSON of a file and checks its version. Errors end with the
// hint.
func parseFile(data []byte, what, hint string) (*value, error) {
	if line := conflictLine(data); line > 0 {
		return nil, &Error{Line: line, Column: 1, Reason: "git conflict markers: take either side of the " + what +
			" (git checkout --ours or --theirs), then run mcpgen update"}
	}
	v, err := parseText(data, maxFileValues)
	if err == nil && v.kind != objectValue {
		err = &Error{Reason: fmt.Sprintf("the %s is %v, not an object", what, v.kind), offset: int(v.pos)}
	}
	if err == nil && (len(v.kids) == 0 || v.kids[0].name != "mcpgen") {
		err = &Error{Reason: fmt.Sprintf("not a %s of mcpgen: the first member must be \"mcpgen\"", what), offset: int(v.pos)}
	}
	if err != nil {
		err.Reason += "; " + hint
		return nil, err.locate(data)
	}
	if first := &v.kids[0]; first.kind != numberValue || first.text != strconv.Itoa(FormatVersion) {
		return nil, (&Error{Pointer: "/mcpgen", Reason: fmt.Sprintf(
			"this version of mcpgen reads format %d: use the version of mcpgen that wrote the %s; %s",
			FormatVersion, what, hint), offset: int(first.pos)}).locate(data)
	}
	return v, nil
}

// conflictLine returns the 1-based line of the first git conflict marker, or 0.
// No line of a file of ours starts like one: all are indented or braces.
func conflictLine(data []byte) int {
	for _, mark := range []string{"<<<<<<< ", ">>>>>>> ", "||||||| "} {
		if bytes.HasPrefix(data, []byte(mark)) {
			return 1
		}
		if i := bytes.Index(data, []byte("\n"+mark)); i >= 0 {
			return bytes.Count(data[:i+1], []byte{'\n'}) + 1
		}
	}
	return 0
}

// fileReader takes members out of a file and collects what is wrong.
type fileReader struct {
	data []byte
	hint string // ends every error
	errs []error
}

func (r *fileReader) fail(pos int32, pointer, reason string) {
	e := &Error{Pointer: pointer, Reason: reason + "; " + r.hint, offset: int(pos)}
	r.errs = append(r.errs, e.locate(r.data))
}

// order refuses unknown members and members out of their order.
func (r *fileReader) order(v *value, known []string, pointer string) {
	next := 0
	for i := range v.kids {
		m := &v.kids[i]
		at := slices.Index(known, m.name)
		switch {
		case at < 0:
			r.fail(m.pos, pointer+"/"+escapePointer(m.name), "unknown member")
		case at < next:
			r.fail(m.pos, pointer+"/"+m.name, fmt.Sprintf("must stand before %q", known[next-1]))
		default:
			next = at + 1
		}
	}
}

func (r *fileReader) text(v *value, name, pointer string) string {
	m := v.get(name)
	if m == nil {
		return ""
	}
	return r.asText(m, pointer+"/"+name)
}

func (r *fileReader) asText(v *value, pointer string) string {
	if v.kind != stringValue || hasSurrogate(v.text) {
		r.fail(v.pos, pointer, "must be a text")
		return ""
	}
	return strings.Clone(v.text) // else it would keep the whole file in memory
}

// raw returns the bytes of a member, nil if it is absent.
func (r *fileReader) raw(v *value, name string) json.RawMessage {
	m := v.get(name)
	if m == nil {
		return nil
	}
	return m.raw(r.data)
}

// items reads one list.
func (r *fileReader) items(v *value, l list) []Item {
	m := v.get(l.member)
	if m == nil {
		return nil
	}
	if m.kind != arrayValue {
		r.fail(m.pos, "/"+l.member, "must be an array")
		return nil
	}
	items := make([]Item, 0, len(m.kids))
	for i := range m.kids {
		def := &m.kids[i].value
		pointer := "/" + l.member + "/" + strconv.Itoa(i)
		name, err := itemName(l.kind, def)
		if err != nil {
			r.fail(int32(err.offset), pointer+err.Pointer, err.Reason)
			continue
		}
		if n := len(items); n > 0 && items[n-1].Name >= name {
			if items[n-1].Name == name {
				r.fail(def.pos, pointer, fmt.Sprintf("second %s named %s", l.kind, quote(name)))
			} else {
				r.fail(def.pos, pointer, fmt.Sprintf("%s must stand before %s: items are sorted by name", quote(name), quote(items[n-1].Name)))
			}
			continue
		}
		items = append(items, Item{Kind: l.kind, Name: name, Raw: def.raw(r.data)})
	}
	if len(items) == 0 {
		return nil
	}
	return items
}
