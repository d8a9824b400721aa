// Package hint has errors carry the next steps of whoever reads them. A program that
// logs such an error gets them at the end of its line, and the console
// of the command shows them on lines of their own below it. They are found by the types of
// errors, so no text of a server can be one.
package hint

import (
	"errors"
	"slices"
	"strings"
)

// Stepper is an error that has next steps of its own, which end its text as [Join]
// writes them, behind a colon or a semicolon.
type Stepper interface {
	error
	NextSteps() []string
}

// Quoter is an error whose text quotes lines that another program wrote, in one line.
type Quoter interface {
	error
	Quoted() (inText string, lines []string)
}

// withSteps adds next steps to an error.
type withSteps struct {
	error
	steps []string
}

// Error gives the error and, on the same line, the steps.
func (e *withSteps) Error() string { return Text(e.error.Error(), e.steps) }

// Unwrap returns the error without these steps.
func (e *withSteps) Unwrap() error { return e.error }

// NextSteps implements [Stepper].
func (e *withSteps) NextSteps() []string { return e.steps }

// With returns err with what can be done about it: alternatives, each of which stands
// alone. Empty ones are ignored. Without a step, and of nil, it is err itself.
func With(err error, steps ...string) error {
	steps = slices.DeleteFunc(slices.Clone(steps), func(s string) bool { return s == "" })
	if err == nil || len(steps) == 0 {
		return err
	}
	return &withSteps{err, steps}
}

// New is [With] for an error that is a text.
func New(text string, steps ...string) error { return With(errors.New(text), steps...) }

// Text gives a text with steps behind it, on one line; without a step it is text itself.
func Text(text string, steps []string) string {
	if len(steps) == 0 {
		return text
	}
	return text + ": " + Join(steps)
}

// Join writes steps on one line.
func Join(steps []string) string {
	return strings.ReplaceAll(strings.Join(steps, ", or "), "?, or ", "? ")
}
