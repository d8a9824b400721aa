package tree

// This file reads the scalars of JSON: numbers, and strings with their escapes.

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// number checks the grammar of a number and leaves its digits alone.
func (p *parser) number() (err *Error) {
	var wrong error
	if p.i, wrong = jsontext.SkipNumber(p.data, p.i); wrong != nil {
		err = p.unexpected("in a number")
	}
	return err
}

// string reads a string, the opening quote being at p.i.
func (p *parser) string() (string, *Error) {
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
		text = unescape(text)
	}
	p.i = end
	return text, nil
}

// unescape returns the string that valid text between quotes spells.
func unescape(text string) string {
	before, escape, found := strings.Cut(text, `\`)
	if !found {
		return text
	}
	b := make([]byte, 0, len(text))
	for ; found; before, escape, found = strings.Cut(escape, `\`) {
		b = append(b, before...)
		if i := strings.IndexByte(`"\/bfnrt`, escape[0]); i >= 0 {
			b, escape = append(b, "\"\\/\b\f\n\r\t"[i]), escape[1:]
			continue
		}
		r := unit(escape)
		escape = escape[5:]
		if utf16.IsSurrogate(r) {
			if low, ok := strings.CutPrefix(escape, `\`); ok && low[0] == 'u' {
				if both := utf16.DecodeRune(r, unit(low)); both != utf8.RuneError {
					b, escape = utf8.AppendRune(b, both), low[5:]
					continue
				}
			}
			b = append(b, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
			continue
		}
		b = utf8.AppendRune(b, r)
	}
	return string(append(b, before...))
}

// unit returns the UTF-16 code unit that uXXXX at the start of an escape says.
func unit(escape string) rune {
	n, _ := strconv.ParseUint(escape[1:5], 16, 16) // the digits have been checked
	return rune(n)
}

// ValidText makes a decoded string valid UTF-8: lone surrogates become U+FFFD.
func ValidText(s string) string {
	if !HasSurrogate(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// HasSurrogate reports whether a decoded string holds a lone surrogate, so that
// it is not valid UTF-8.
func HasSurrogate(s string) bool {
	for i := range len(s) {
		if s[i] == 0xED && surrogate(s[i:]) != 0 {
			return true
		}
	}
	return false
}

// IsTypeName reports whether s is the name of a type in JSON Schema.
func IsTypeName(s string) bool {
	switch s {
	case "null", "boolean", "object", "array", "number", "string", "integer":
		return true
	}
	return false
}
