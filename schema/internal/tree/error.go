package tree

import (
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// Error is one defect of a definition, a snapshot or a lock.
type Error struct {
	Line, Column int    // 1-based, in bytes; 0 where the text is not a file
	Pointer      string // JSON pointer to the place; "" is the whole document
	Reason       string // what is wrong; in files also the next step
	Duplicate    bool   // a member name occurs twice

	Offset int
}

// Error returns the place, then the reason.
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

// in prepends one token to the pointer, on the way up from the place.
func (e *Error) in(token string) *Error {
	e.Pointer = "/" + jsontext.EscapePointer(token) + e.Pointer
	return e
}

// Quote quotes a server's text for one line of a message: without control or invisible characters, and at most
// 200 bytes long.
func Quote(s string) string { return safetext.Quote(s, 200) }
