// Package hint adds next steps to errors. In a log the steps are at the end of the error's line; the
// console of the command prints them on separate lines below it. Steps are found by the types of errors,
// so a server cannot inject a step through its text.
package hint

import (
	"errors"
	"slices"
	"strings"
)

// Stepper is an error with its own next steps. They end its text, joined by [Join], after a colon or a
// semicolon.
type Stepper interface {
	error
	NextSteps() []string
}

// Quoter is an error whose text quotes lines of another program on one line.
type Quoter interface {
	error
	Quoted() (inText string, lines []string)
}

// withSteps adds next steps to an error.
type withSteps struct {
	error
	steps []string
}

// Error returns the error and the steps on one line.
func (e *withSteps) Error() string { return Text(e.error.Error(), e.steps) }

// Unwrap returns the error without these steps.
func (e *withSteps) Unwrap() error { return e.error }

// NextSteps implements [Stepper].
func (e *withSteps) NextSteps() []string { return e.steps }

// With returns err with its next steps, which are alternatives. Empty steps are ignored. Without steps,
// or if err is nil, it returns err itself.
func With(err error, steps ...string) error {
	steps = slices.DeleteFunc(slices.Clone(steps), func(s string) bool { return s == "" })
	if err == nil || len(steps) == 0 {
		return err
	}
	return &withSteps{err, steps}
}

// New is [With] for an error with the given text.
func New(text string, steps ...string) error { return With(errors.New(text), steps...) }

// Text returns the text followed by the steps, on one line; without steps it is the text itself.
func Text(text string, steps []string) string {
	if len(steps) == 0 {
		return text
	}
	return text + ": " + Join(steps)
}

// Join joins steps on one line.
func Join(steps []string) string {
	return strings.ReplaceAll(strings.Join(steps, ", or "), "?, or ", "? ")
}
