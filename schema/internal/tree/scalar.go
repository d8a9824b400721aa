package tree

// This file reads the scalars of JSON: numbers, and strings with their escapes.

import (
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// number checks the grammar of a number and skips it.
func (p *Parser) number() (err *Error) {
	var wrong error
	if p.i, wrong = jsontext.SkipNumber(p.data, p.i); wrong != nil {
		err = p.unexpected("in a number")
	}
	return err
}

// string reads a string whose opening quote is at p.i.
func (p *Parser) string() (string, *Error) {
	start := p.i + 1
	end, plain, wrong := jsontext.SkipString(p.data, p.i)
	if wrong != nil {
		p.i = end
		switch {
		case end == len(p.src):
			return "", p.unexpected("inside a string")
		case p.src[end] == '\\':
			p.i++
			return "", p.unexpected("in an escape")
		}
		return "", p.unexpected("in a string: control characters must be escaped")
	}
	text := p.src[start : end-1]
	if !plain {
		if !utf8.ValidString(text) {
			p.i = start
			return "", p.fail("a string is not valid UTF-8")
		}
		if strings.Contains(text, `\`) {
			text, _ = jsontext.Unescape(p.data[start : end-1]) // the escapes have been checked
		}
	}
	p.i = end
	return text, nil
}

// ValidText returns a decoded string as valid UTF-8: lone surrogates become U+FFFD.
func ValidText(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// HasSurrogate reports whether a decoded string contains a lone surrogate and so is not valid UTF-8.
func HasSurrogate(s string) bool { return !utf8.ValidString(s) }

// IsTypeName reports whether s is a JSON Schema type name.
func IsTypeName(s string) bool {
	switch s {
	case "null", "boolean", "object", "array", "number", "string", "integer":
		return true
	}
	return false
}
