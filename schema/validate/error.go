package validate

// This file says what is wrong with a value. Names and values in it come from
// schemas, so they are cut and made printable; values that were judged are
// never quoted, they may be secret.

import (
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// Error is one thing that is wrong with a value.
type Error struct {
	Pointer string // JSON pointer into the value; "" is the whole
	Reason  string // printable
}

// Error gives the place first, then the reason.
func (e *Error) Error() string {
	if e.Pointer == "" {
		return e.Reason
	}
	return fmt.Sprintf("at %s: %s", quote(e.Pointer), e.Reason)
}

// Errors is what is wrong with a value: at least one and at most [MaxErrors],
// sorted by pointer, none twice.
type Errors []*Error

// Error gives one error a line.
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

// quote makes a foreign text fit for one line of a message.
func quote(s string) string { return safetext.Quote(s, maxText) }

// clean makes a foreign text printable without quoting it.
func clean(s string) string { return safetext.Line(safetext.Clip(s, 3*maxText)) }
