package validate

// This file describes why a value does not fit. Names and values from schemas are shortened and made printable;
// validated values are never quoted, because they may be secret.

import (
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// Error is one reason why a value does not fit.
type Error struct {
	Pointer string // JSON pointer into the value; "" is the whole value
	Reason  string // printable
}

// Error returns the place, then the reason.
func (e *Error) Error() string {
	if e.Pointer == "" {
		return e.Reason
	}
	return fmt.Sprintf("at %s: %s", quote(e.Pointer), e.Reason)
}

// Errors are the reasons why a value does not fit: at least one and at most 20, sorted by pointer,
// without duplicates.
type Errors []*Error

// Error returns one line per error.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i := range e {
		lines[i] = e[i].Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors, so that [errors.As] finds the first one.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i := range e {
		all[i] = e[i]
	}
	return all
}

// maxText bounds a text from a schema within a reason, in bytes.
const maxText = 120

// quote quotes a foreign text for one line of a message.
func quote(s string) string { return safetext.Quote(s, maxText) }

// clean makes a foreign text printable without quoting it.
func clean(s string) string { return safetext.Line(safetext.Clip(s, 3*maxText)) }
