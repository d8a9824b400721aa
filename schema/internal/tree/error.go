package tree

import (
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// Error is one thing that is wrong with a definition, a snapshot or a lock.
type Error struct {
	Line, Column int    // 1-based, in bytes; 0 where the text is not a file
	Pointer      string // JSON pointer to the place; "" is the whole
	Reason       string // what is wrong; in files also what to do next
	Duplicate    bool   // a member name occurs twice

	Offset int
}

// Error gives the place first, then the reason.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Line > 0 {
		fmt.Fprintf(&b, "%d:%d: ", e.Line, e.Column)
	}
	if e.Pointer != "" {
		fmt.Fprintf(&b, "at %s: ", Quote(e.Pointer))
	}
	b.WriteString(e.Reason)
	return b.String()
}

// in puts one token before the pointer, on the way up from the place.
func (e *Error) in(token string) *Error {
	e.Pointer = "/" + jsontext.EscapePointer(token) + e.Pointer
	return e
}

// Quote makes a server's text fit for one line of a message: quoted, without
// control or invisible characters, and not longer than 200 bytes.
func Quote(s string) string { return safetext.Quote(s, 200) }
