package codec

// This file makes URIs from templates (RFC 6570, all four levels).

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
)

// ExpandURI makes a URI from a template of RFC 6570, level 4.
//
// Vars holds the variables: it is encoded with encoding/json and has to become
// an object, such as a struct or a map. Texts, numbers and booleans are values,
// an array of them is a list, an object of them an associative array in the
// order of its members. What is absent, null or empty of items is undefined, and
// an expression leaves it out; nil defines nothing. The names of variables may
// hold hyphens, which the RFC does not know.
//
// The error says what is wrong with the template and where, or is
// [runtime.ErrInvalidArgs]. The URI is then still there: what could not be expanded
// stands in it as in the template.
func ExpandURI(template string, vars any) (string, error) {
	object, err := encodeArgs(vars)
	if err != nil {
		return template, err
	}
	if kind := jsontext.First(object); kind != '{' && kind != 'n' && kind != 0 {
		return template, &runtime.InvalidArgsError{Reason: "want an object, got " + jsontext.KindOf(object)}
	}
	out := make([]byte, 0, len(template)+32)
	var errs []error
	for rest := template; rest != ""; {
		var part templatePart
		part, rest, err = nextPart(rest, len(template)-len(rest))
		if err != nil {
			errs = append(errs, fmt.Errorf("the URI template %s: %w", strconv.Quote(safetext.Cut(template, 200)), err))
			out = append(out, part.text...)
			continue
		}
		mark := len(out)
		if out, err = part.expand(out, object); err != nil {
			errs = append(errs, err)
			out = append(out[:mark], part.text...)
		}
	}
	return string(out), errors.Join(errs...)
}

// TemplateURI is [ExpandURI] for generated code, whose templates and variables
// were checked when it was generated: they have no errors.
func TemplateURI(template string, vars any) string {
	uri, _ := ExpandURI(template, vars)
	return uri
}

// expand appends a part with the variables that are the members of object.
func (p *templatePart) expand(out []byte, object []byte) ([]byte, error) {
	if len(p.vars) == 0 {
		return appendURI(out, p.text, true), nil
	}
	sep := p.op.first
	for _, v := range p.vars {
		value, err := readVar(v.name, jsontext.Member(object, v.name))
		if err != nil {
			return out, err
		}
		if v.prefix > 0 && value.composite {
			return out, &runtime.InvalidArgsError{Pointer: pointerTo(v.name), Reason: "the template takes the beginning of it, so it has to be one text"}
		}
		if len(value.texts) == 0 {
			continue // undefined, and so is a list that holds nothing
		}
		out = append(out, sep...)
		out = p.op.value(out, v, value)
		sep = p.op.sep
	}
	return out, nil
}

// value appends the value of a variable.
func (op templateOp) value(out []byte, v templateVar, value varValue) []byte {
	if v.explode && value.composite {
		return op.exploded(out, v, value)
	}
	if op.named {
		out = appendURI(out, v.name, true)
		if !value.composite && value.texts[0] == "" {
			return append(out, op.empty...)
		}
		out = append(out, '=')
	}
	for i, text := range value.texts {
		if i > 0 {
			out = append(out, ',')
		}
		if value.keys != nil {
			out = append(appendURI(out, value.keys[i], op.reserved), ',')
		}
		out = appendURI(out, beginning(text, v.prefix, op.reserved), op.reserved)
	}
	return out
}

// exploded appends each item of a list or an associative array by itself.
func (op templateOp) exploded(out []byte, v templateVar, value varValue) []byte {
	for i, text := range value.texts {
		if i > 0 {
			out = append(out, op.sep...)
		}
		switch {
		case value.keys != nil:
			out = appendURI(out, value.keys[i], op.reserved)
		case op.named:
			out = appendURI(out, v.name, true)
		}
		if value.keys != nil || op.named {
			if text == "" && op.named {
				out = append(out, op.empty...)
				continue
			}
			out = append(out, '=')
		}
		out = appendURI(out, text, op.reserved)
	}
	return out
}

// varValue is the value of a variable.
type varValue struct {
	texts     []string // none: it is undefined
	keys      []string // of an associative array: beside texts
	composite bool     // a list or an associative array
}

// readVar reads the value of a variable; raw is nil if it is absent.
func readVar(name string, raw []byte) (v varValue, err error) {
	if len(raw) == 0 || jsontext.IsNull(raw) {
		return v, nil
	}
	if raw[0] != '[' && raw[0] != '{' {
		v.texts = []string{scalarText(raw)}
		return v, nil
	}
	v.composite = true
	m := jsontext.NewItems(raw)
	for m.Next() {
		switch {
		case jsontext.IsNull(m.Value):
			continue
		case m.Value[0] == '[' || m.Value[0] == '{':
			return v, &runtime.InvalidArgsError{Pointer: pointerTo(name), Reason: "holds " + jsontext.KindOf(m.Value) + ", and a URI template knows no such item"}
		case raw[0] == '{':
			v.keys = append(v.keys, string(m.Key()))
		}
		v.texts = append(v.texts, scalarText(m.Value))
	}
	return v, m.Err
}

// scalarText is a text, or the spelling of a number or a boolean.
func scalarText(raw []byte) string {
	if s, ok := jsontext.Unquote(raw); ok {
		return s
	}
	return string(raw)
}

// pointerTo is the JSON pointer of a variable.
func pointerTo(name string) string { return jsontext.PointerOf(jsontext.At(name, nil)) }

// beginning returns the first n characters of text; all of it if n is 0. Where
// percent-encoded bytes stay as they are, each counts as one character.
func beginning(text string, n int, reserved bool) string {
	if n == 0 {
		return text
	}
	end := 0
	for ; n > 0 && end < len(text); n-- {
		width := 3
		if !reserved || !isTriplet(text[end:]) {
			_, width = utf8.DecodeRuneInString(text[end:])
		}
		end += width
	}
	return text[:end]
}

// appendURI appends text with everything percent-encoded that may not stand in a
// URI, or that means something there unless reserved is set.
func appendURI(out []byte, text string, reserved bool) []byte {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(text); i++ {
		c := text[i]
		if isAlphanumeric(c) || isMark(c) || reserved && (isReserved(c) || isTriplet(text[i:])) {
			out = append(out, c)
			continue
		}
		out = append(out, '%', hex[c>>4], hex[c&15])
	}
	return out
}

// isMark reports whether c is one of the unreserved marks of RFC 3986.
func isMark(c byte) bool { return c == '-' || c == '.' || c == '_' || c == '~' }

// isReserved reports whether c is a reserved character of RFC 3986.
func isReserved(c byte) bool {
	switch c {
	case ':', '/', '?', '#', '[', ']', '@', '!', '$', '&', '\'', '(', ')', '*', '+', ',', ';', '=':
		return true
	}
	return false
}
