package schema

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error is one thing that is wrong with a definition, a snapshot or a lock.
type Error struct {
	Line, Column int    // 1-based, in bytes; 0 where the text is not a file
	Pointer      string // JSON pointer to the place; "" is the whole
	Reason       string // what is wrong; in files also what to do next

	offset int
}

// Error gives the place first, then the reason.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Line > 0 {
		fmt.Fprintf(&b, "%d:%d: ", e.Line, e.Column)
	}
	if e.Pointer != "" {
		fmt.Fprintf(&b, "at %s: ", quote(e.Pointer))
	}
	b.WriteString(e.Reason)
	return b.String()
}

// locate fills in line and column from the offset into data.
func (e *Error) locate(data []byte) *Error {
	before := data[:min(max(e.offset, 0), len(data))]
	e.Line = bytes.Count(before, []byte{'\n'}) + 1
	e.Column = len(before) - bytes.LastIndexByte(before, '\n')
	return e
}

// Problem is something that a server got wrong and that was passed over: the
// member is ignored, the rest is used.
type Problem struct {
	Kind    Kind
	Name    string // of the item
	Pointer string // JSON pointer into the definition
	Reason  string
}

// String gives kind, name and place first, then the reason.
func (p Problem) String() string {
	place := string(p.Kind)
	if p.Name != "" {
		place = strings.TrimSpace(place + " " + quote(p.Name))
	}
	if p.Pointer != "" {
		place = strings.TrimSpace(place + " at " + quote(p.Pointer))
	}
	if place == "" {
		return p.Reason
	}
	return place + ": " + p.Reason
}

// quote makes a server's text fit for one line of a message: quoted, without
// control or invisible characters, and not longer than 200 bytes.
func quote(s string) string {
	const limit = 200
	if len(s) <= limit {
		return strconv.Quote(s)
	}
	n := limit
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strconv.Quote(s[:n]) + "…"
}

// escapePointer writes one segment of a JSON pointer.
func escapePointer(s string) string {
	if !strings.ContainsAny(s, "~/") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

// unescapePointer reads one segment of a JSON pointer.
func unescapePointer(s string) string {
	if !strings.Contains(s, "~") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
}
