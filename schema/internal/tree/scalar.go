package tree

// This file reads the scalars of JSON: numbers, and strings with their escapes.

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// number checks the grammar of a number and leaves its digits alone.
func (p *parser) number() *Error {
	p.byte('-')
	if !p.byte('0') && !p.digits() {
		return p.unexpected("in a number")
	}
	if p.byte('.') && !p.digits() {
		return p.unexpected("in a number")
	}
	if p.byte('e') || p.byte('E') {
		if !p.byte('+') {
			p.byte('-')
		}
		if !p.digits() {
			return p.unexpected("in a number")
		}
	}
	return nil
}

func (p *parser) byte(c byte) bool {
	if p.i < len(p.src) && p.src[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *parser) digits() bool {
	start := p.i
	for p.i < len(p.src) && '0' <= p.src[p.i] && p.src[p.i] <= '9' {
		p.i++
	}
	return p.i > start
}

// string reads a string, the opening quote being at p.i.
func (p *parser) string() (string, *Error) {
	start := p.i + 1
	ascii := true
	for i := start; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '"':
			s := p.src[start:i]
			if !ascii && !utf8.ValidString(s) {
				return "", p.fail(start, "a string is not valid UTF-8")
			}
			p.i = i + 1
			return s, nil
		case c == '\\':
			p.i = i
			return p.escaped(start)
		case c < 0x20:
			p.i = i
			return "", p.unexpected("in a string: control characters must be escaped")
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	p.i = len(p.src)
	return "", p.unexpected("inside a string")
}

// escaped reads a string that has escapes; p.i is at the first of them.
func (p *parser) escaped(start int) (string, *Error) {
	buf := append(make([]byte, 0, 2*(p.i-start)+32), p.src[start:p.i]...)
	if !utf8.Valid(buf) {
		return "", p.fail(start, "a string is not valid UTF-8")
	}
	for p.i < len(p.src) {
		switch c := p.src[p.i]; {
		case c == '"':
			p.i++
			return string(buf), nil
		case c == '\\':
			var ok bool
			if buf, ok = p.escape(buf); !ok {
				return "", p.unexpected("in an escape")
			}
		case c < 0x20:
			return "", p.unexpected("in a string: control characters must be escaped")
		default:
			r, n := utf8.DecodeRuneInString(p.src[p.i:])
			if r == utf8.RuneError && n == 1 {
				return "", p.fail(p.i, "a string is not valid UTF-8")
			}
			buf = append(buf, p.src[p.i:p.i+n]...)
			p.i += n
		}
	}
	return "", p.unexpected("inside a string")
}

// escape appends what the escape at p.i stands for.
func (p *parser) escape(buf []byte) ([]byte, bool) {
	p.i++
	if p.i >= len(p.src) {
		return buf, false
	}
	c := p.src[p.i]
	if j := strings.IndexByte(`"\/bfnrt`, c); j >= 0 {
		p.i++
		return append(buf, "\"\\/\b\f\n\r\t"[j]), true
	}
	if c != 'u' {
		return buf, false
	}
	r, ok := p.hex(p.i + 1)
	if !ok {
		return buf, false
	}
	p.i += 5
	if utf16.IsSurrogate(r) {
		if strings.HasPrefix(p.src[p.i:], `\u`) {
			if low, ok := p.hex(p.i + 2); ok {
				if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
					p.i += 6
					return utf8.AppendRune(buf, both), true
				}
			}
		}
		return append(buf, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F), true
	}
	return utf8.AppendRune(buf, r), true
}

func (p *parser) hex(i int) (rune, bool) {
	if i+4 > len(p.src) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(p.src[i : i+4]) {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
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
