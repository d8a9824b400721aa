// Package jsontext reads the text of JSON without decoding it: where each member of an object, or each
// element of an array, begins and ends, and the exact digits of a number. encoding/json cannot report
// these, and it folds the case of names. All skipped text is checked against the grammar, so any decoder
// accepts a value that was found here.
package jsontext

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"unicode/utf8"
)

// MaxDepth is the maximum nesting depth of a value. It leaves room for everything in a snapshot.
const MaxDepth = 1000

// Decoding is also bounded by work. A type with its own UnmarshalJSON is skipped once on each level
// before it is decoded. In a small value that costs nothing, but a large array at the end of a long chain
// of objects would be read a thousand times. So the sum of the lengths of all containers, the work in the
// worst case, may only exceed freeWork if the bytes of the value are nested at most maxMeanDepth levels
// deep on average.
const (
	freeWork     = 64 << 20
	maxMeanDepth = 16
)

var (
	// ErrDepth is the error for a value that is nested deeper than [MaxDepth].
	ErrDepth = fmt.Errorf("nested deeper than %d levels", MaxDepth)
	// ErrEmpty is the error for text without any value.
	ErrEmpty = errors.New("empty, but JSON is required")

	errWork = errors.New("too large to be nested this deep")
)

func errSyntax(offset int) error { return fmt.Errorf("not valid JSON at byte %d", offset) }

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skipper skips values.
type skipper struct {
	data []byte
	// unchecked makes it step over values by their brackets: see outline.
	unchecked bool
	work      int // sum of the lengths of the skipped containers
}

// skipValue returns the end of the value at data[i], which is nested depth levels deep.
func (s *skipper) skipValue(i, depth int) (int, error) {
	b := s.data
	switch {
	case i >= len(b):
		return i, errSyntax(i)
	case s.unchecked:
		end, ok := stepValue(b, i)
		if !ok {
			return i, errSyntax(i)
		}
		return end, nil
	}
	switch c := b[i]; {
	case c == '"':
		end, _, err := SkipString(b, i)
		return end, err
	case c == '{' || c == '[':
		return s.skipContainer(i, depth+1)
	case c == '-' || isDigit(c):
		return SkipNumber(b, i)
	case c == 't':
		return skipWord(b, i, "true")
	case c == 'f':
		return skipWord(b, i, "false")
	case c == 'n':
		return skipWord(b, i, "null")
	}
	return i, errSyntax(i)
}

// skipContainer returns the end of the object or array at data[i].
func (s *skipper) skipContainer(i, depth int) (int, error) {
	start, object := i, s.data[i] == '{'
	i, more, err := s.enter(i, depth)
	for more && err == nil {
		if object {
			if i, _, err = s.skipKey(i); err != nil {
				return i, err
			}
		}
		if i, err = s.skipValue(i, depth); err != nil {
			return i, err
		}
		i, more, err = s.separator(i, object)
	}
	if s.work += i - start; s.work > freeWork && s.work > maxMeanDepth*len(s.data) && err == nil {
		err = errWork
	}
	return i, err
}

// enter enters the container at data[i]. It returns the offset of its first item, or the end of the
// container if there is none.
func (s *skipper) enter(i, depth int) (next int, more bool, err error) {
	if depth > MaxDepth {
		return i, false, ErrDepth
	}
	closing := s.data[i] + 2 // for both '{' and '['
	i = skipSpace(s.data, i+1)
	if i < len(s.data) && s.data[i] == closing {
		return i + 1, false, nil
	}
	return i, true, nil
}

// skipKey skips the name of a member and the colon after it.
func (s *skipper) skipKey(i int) (next int, plain bool, err error) {
	i, plain, err = SkipString(s.data, i)
	if err != nil {
		return i, plain, err
	}
	i = skipSpace(s.data, i)
	if i >= len(s.data) || s.data[i] != ':' {
		return i, plain, errSyntax(i)
	}
	return skipSpace(s.data, i+1), plain, nil
}

// separator moves from the end of an item to the start of the next one, or to the end of the container if
// there is none.
func (s *skipper) separator(i int, object bool) (next int, more bool, err error) {
	i = skipSpace(s.data, i)
	switch {
	case i >= len(s.data):
	case s.data[i] == ',':
		return skipSpace(s.data, i+1), true, nil
	case s.data[i] == '}' && object, s.data[i] == ']' && !object:
		return i + 1, false, nil
	}
	return i, false, errSyntax(i)
}

func skipWord(b []byte, i int, word string) (int, error) {
	if end := i + len(word); end <= len(b) && string(b[i:end]) == word {
		return end, nil
	}
	return i, errSyntax(i)
}

// SkipString returns the end of the string at b[i]. Plain reports whether the text between the quotes is
// the string itself: ASCII without escapes. With an error, end is the offset of the problem; for an
// escape it is that of the backslash.
func SkipString(b []byte, i int) (end int, plain bool, err error) {
	if i >= len(b) || b[i] != '"' {
		return i, false, errSyntax(i)
	}
	plain = true
	for i++; i < len(b); i++ {
		i += ordinary(b[i:])
		if i == len(b) {
			break
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, plain, nil
		case c == '\\':
			plain = false
			if i, err = skipEscape(b, i); err != nil {
				return i, false, err
			}
		case c < ' ':
			return i, false, errSyntax(i)
		case c >= utf8.RuneSelf:
			plain = false
		}
	}
	return i, false, errSyntax(i)
}

// ordinary returns the number of bytes at the start of b that represent themselves in a string: ASCII,
// but no quote, backslash or control character. It may only stop early at the end of b. Most bytes of a
// result are ordinary, so eight are tested at a time: the high bit of each byte is set if one of the four
// tests hits (a borrow may set it in a higher byte too, never in a lower one).
func ordinary(b []byte) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	n := 0
	for ; n+8 <= len(b); n += 8 {
		x := binary.LittleEndian.Uint64(b[n:])
		hit := (x | (x - ' '*ones) | ((x ^ '"'*ones) - ones) | ((x ^ '\\'*ones) - ones)) & highs
		if hit != 0 {
			return n + bits.TrailingZeros64(hit)/8
		}
	}
	return n
}

// skipEscape returns the offset of the last byte of the escape at b[i].
func skipEscape(b []byte, i int) (int, error) {
	if i+1 >= len(b) {
		return i, errSyntax(i)
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1, nil
	case 'u':
		if i+5 < len(b) && isHex(b[i+2]) && isHex(b[i+3]) && isHex(b[i+4]) && isHex(b[i+5]) {
			return i + 5, nil
		}
	}
	return i, errSyntax(i)
}

// SkipNumber returns the end of the number at b[i]. With an error, it returns the offset of the problem.
func SkipNumber(b []byte, i int) (int, error) {
	if b[i] == '-' {
		i++
	}
	first := i
	i = skipDigits(b, i)
	if i == first {
		return i, errSyntax(i)
	}
	if b[first] == '0' {
		i = first + 1 // nothing that may follow a number begins with a digit
	}
	if i < len(b) && b[i] == '.' {
		fraction := i + 1
		if i = skipDigits(b, fraction); i == fraction {
			return i, errSyntax(i)
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		exponent := i
		if i = skipDigits(b, i); i == exponent {
			return i, errSyntax(i)
		}
	}
	return i, nil
}

func skipDigits(b []byte, i int) int {
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool {
	return isDigit(c) || ('a' <= c && c <= 'f') || ('A' <= c && c <= 'F')
}
