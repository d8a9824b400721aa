package codec

// This file adds JSON pointers to errors.

import (
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// pointerError is an error at one place in a value.
type pointerError struct {
	pointer string // JSON pointer; "" is the whole value
	err     error
}

func (e *pointerError) Error() string { return fmt.Sprintf("at %q: %v", e.pointer, e.err) }

func (e *pointerError) Unwrap() error { return e.err }

// Pointer returns the JSON pointer for [runtime.Result.Decode].
func (e *pointerError) Pointer() string { return e.pointer }

// within prepends one token to the JSON pointer of err. It is called once per level on the way up, so
// decoding without errors costs nothing.
func within(token string, err error) error {
	token = "/" + jsontext.EscapePointer(token)
	if inner, ok := err.(*pointerError); ok {
		return &pointerError{pointer: token + inner.pointer, err: inner.err}
	}
	return &pointerError{pointer: token, err: err}
}

// apart returns the JSON pointer of err, or "", and what is wrong there.
func apart(err error) (pointer string, wrong error) {
	if e, ok := errors.AsType[*pointerError](err); ok {
		return e.pointer, e.err
	}
	return "", err
}
