package codec

// This file has errors at places of a value.

import (
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// pointerError is an error at one place of a value.
type pointerError struct {
	pointer string // JSON pointer; "" is the whole value
	err     error
}

func (e *pointerError) Error() string { return fmt.Sprintf("at %q: %v", e.pointer, e.err) }

func (e *pointerError) Unwrap() error { return e.err }

// Pointer is what [runtime.Result.Decode] asks for.
func (e *pointerError) Pointer() string { return e.pointer }

// within puts one token of a JSON pointer before that of err. It is called on the way
// up, once per level, so that decoding what is right costs nothing.
func within(token string, err error) error {
	token = "/" + jsontext.EscapePointer(token)
	if inner, ok := err.(*pointerError); ok {
		return &pointerError{pointer: token + inner.pointer, err: inner.err}
	}
	return &pointerError{pointer: token, err: err}
}

// pointerOf returns the JSON pointer that err begins with, or "".
func pointerOf(err error) string {
	if e, ok := errors.AsType[*pointerError](err); ok {
		return e.pointer
	}
	return ""
}
