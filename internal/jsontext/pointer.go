package jsontext

// This file handles JSON pointers.

import "strings"

// EscapePointer escapes one token of a JSON pointer.
func EscapePointer(s string) string {
	if !strings.ContainsAny(s, "~/") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

// UnescapePointer unescapes one token of a JSON pointer.
func UnescapePointer(s string) string {
	if !strings.Contains(s, "~") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
}

// LastName returns the last token of a pointer; "" for the whole.
func LastName(pointer string) string {
	return UnescapePointer(pointer[strings.LastIndexByte(pointer, '/')+1:])
}
