package jsontext

// This file names places in a value.

import (
	"errors"
	"fmt"
	"strings"
)

// pointerError is an error at one place of a value.
type pointerError struct {
	pointer string // JSON pointer; "" is the whole value
	err     error
}

func (e *pointerError) Error() string { return fmt.Sprintf("at %q: %v", e.pointer, e.err) }

func (e *pointerError) Unwrap() error { return e.err }

// At puts one token of a JSON pointer before that of err. It is called on the way
// up, once per level, so that decoding what is right costs nothing.
func At(token string, err error) error {
	token = "/" + EscapePointer(token)
	if inner, ok := err.(*pointerError); ok {
		return &pointerError{pointer: token + inner.pointer, err: inner.err}
	}
	return &pointerError{pointer: token, err: err}
}

// PointerOf returns the JSON pointer that err begins with, or "".
func PointerOf(err error) string {
	if e, ok := errors.AsType[*pointerError](err); ok {
		return e.pointer
	}
	return ""
}

// EscapePointer writes one token of a JSON pointer.
func EscapePointer(s string) string {
	if !strings.ContainsAny(s, "~/") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

// UnescapePointer reads one token of a JSON pointer.
func UnescapePointer(s string) string {
	if !strings.Contains(s, "~") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
}

// LastName returns the name that a pointer ends in; "" for the whole.
func LastName(pointer string) string {
	return UnescapePointer(pointer[strings.LastIndexByte(pointer, '/')+1:])
}
