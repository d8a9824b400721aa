package runtime

// This file says where something is wrong, and keeps what it quotes printable.

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
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

// place names a server and one of its tools, prompts or resources. The names may
// be the server's own, so they are made printable.
func place(server, name string) string {
	switch {
	case server == "":
		return printable(name)
	case name == "":
		return printable(server)
	}
	return printable(server + "/" + name)
}

// printable makes a text from a server fit for errors, which end on terminals
// and in logs: cut at 500 bytes, and without anything that moves a cursor,
// turns the direction of writing or hides. Lines stay lines.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, clip(s, 500))
}

// clip cuts s at n bytes, never inside a rune, and marks the cut.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
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
