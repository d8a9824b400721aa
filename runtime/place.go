package runtime

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// placeError is an error at one place of a value.
type placeError struct {
	pointer string // JSON pointer; "" is the whole value
	err     error
}

func (e *placeError) Error() string { return fmt.Sprintf("at %q: %v", e.pointer, e.err) }

func (e *placeError) Unwrap() error { return e.err }

// at puts one token before the pointer of err. It is called on the way up, once
// per level, so that decoding what is right costs nothing.
func at(token string, err error) error {
	token = "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
	if inner, ok := err.(*placeError); ok {
		return &placeError{pointer: token + inner.pointer, err: inner.err}
	}
	return &placeError{pointer: token, err: err}
}

// pointerOf returns the JSON pointer that err begins with, or "".
func pointerOf(err error) string {
	if e, ok := errors.AsType[*placeError](err); ok {
		return e.pointer
	}
	return ""
}

// errWant says which JSON type v takes, and which one raw is. It never quotes
// raw: the value may be secret, or long.
func errWant(v reflect.Value, raw []byte) error {
	want := "a value of the Go type " + v.Type().String()
	switch {
	case v.Kind() == reflect.String:
		want = "a string"
	case v.Kind() == reflect.Bool:
		want = "a boolean"
	case v.CanInt() || v.CanUint():
		want = "an integer"
	case v.CanFloat():
		want = "a number"
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		want = "an array"
	case v.Kind() == reflect.Map || v.Kind() == reflect.Struct:
		want = "an object"
	}
	return fmt.Errorf("want %s, got %s", want, kindOf(raw))
}
