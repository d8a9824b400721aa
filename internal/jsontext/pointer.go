package jsontext

// This file says where in a value something is wrong.

import (
	"errors"
	"fmt"
	"strings"
)

// placeError is an error at one place of a value.
type placeError struct {
	pointer string // JSON pointer; "" is the whole value
	err     error
}

func (e *placeError) Error() string { return fmt.Sprintf("at %q: %v", e.pointer, e.err) }

func (e *placeError) Unwrap() error { return e.err }

// At puts one token of a JSON pointer before that of err. It is called on the way
// up, once per level, so that decoding what is right costs nothing.
func At(token string, err error) error {
	token = "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
	if inner, ok := err.(*placeError); ok {
		return &placeError{pointer: token + inner.pointer, err: inner.err}
	}
	return &placeError{pointer: token, err: err}
}

// PointerOf returns the JSON pointer that err begins with, or "".
func PointerOf(err error) string {
	if e, ok := errors.AsType[*placeError](err); ok {
		return e.pointer
	}
	return ""
}
