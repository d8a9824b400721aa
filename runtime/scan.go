package runtime

// This file reads the outline of JSON: where each member of one object, or each
// element of one array, begins and ends. encoding/json can not say that without
// decoding, and it folds the case of names. Everything that is passed over is
// checked against the grammar, so that a value which was found here can be
// handed to any decoder.

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"unicode/utf8"
)

// maxDepth bounds the nesting of what is decoded. A type with its own
// UnmarshalJSON is passed over once per level before it is decoded, so the
// bound also keeps the work for hostile input linear in its size. It leaves room
// for whatever a snapshot may hold.
const maxDepth = 1000

var errDepth = fmt.Errorf("nested deeper than %d levels", maxDepth)

func errSyntax(offset int) error { return fmt.Errorf("not valid JSON at byte %d", offset) }

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skipValue returns the end of the value that begins at b[i].
func skipValue(b []byte, i, depth int) (int, error) {
	if i >= len(b) {
		return i, errSyntax(i)
	}
	switch c := b[i]; {
	case c == '"':
		end, _, err := skipString(b, i)
		return end, err
	case c == '{':
		return skipObject(b, i, depth+1)
	case c == '[':
		return skipArray(b, i, depth+1)
	case c == '-' || isDigit(c):
		return skipNumber(b, i)
	case c == 't':
		return skipWord(b, i, "true")
	case c == 'f':
		return skipWord(b, i, "false")
	case c == 'n':
		return skipWord(b, i, "null")
	}
	return i, errSyntax(i)
}

func skipWord(b []byte, i int, word string) (int, error) {
	if end := i + len(word); end <= len(b) && string(b[i:end]) == word {
		return end, nil
	}
	return i, errSyntax(i)
}

// skipString also reports whether the text between the quotes is the string
// itself: ASCII without escapes.
func skipString(b []byte, i int) (end int, plain bool, err error) {
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

// ordinary returns how many bytes at the start of b mean themselves in a string:
// ASCII, but no quote, backslash or control character. It may stop early only
// at the end of b. Most bytes of a result are such, so they are judged eight at
// a time: the high bit of each byte is set where one of the four tests hits
// (a borrow may set it in a higher byte too, never in a lower one).
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

// skipEscape returns the place of the last byte of the escape at b[i].
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

func skipNumber(b []byte, i int) (int, error) {
	if b[i] == '-' {
		i++
	}
	first := i
	i = skipDigits(b, i)
	if i == first || (b[first] == '0' && i > first+1) {
		return first, errSyntax(first)
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

func skipObject(b []byte, i, depth int) (int, error) {
	m := members{data: b, pos: i, depth: depth}
	for m.next() {
	}
	return m.pos, m.err
}

func skipArray(b []byte, i, depth int) (int, error) {
	e := elements{data: b, pos: i, depth: depth}
	for e.next() {
	}
	return e.pos, e.err
}

// members iterates over the members of the object at data[pos]:
//
//	for m := (members{data: b}); m.next(); { … m.key(), m.value … }
//
// After the last one pos is the end of the object, and err is nil or says what
// is wrong.
type members struct {
	data  []byte
	pos   int
	depth int
	err   error

	rawKey  []byte // with its quotes
	plain   bool   // rawKey holds no escape and no byte beyond ASCII
	value   []byte // one whole, valid value without white space around it
	started bool
}

// next moves to the next member. It is false at the end and after an error.
func (m *members) next() bool {
	i, ok := begin(m.data, m.pos, m.depth, '{', '}', &m.started, &m.err)
	if !ok {
		m.pos = i
		return false
	}
	end, plain, err := skipString(m.data, i)
	if err != nil {
		return m.fail(end, err)
	}
	m.rawKey, m.plain = m.data[i:end], plain
	i = skipSpace(m.data, end)
	if i >= len(m.data) || m.data[i] != ':' {
		return m.fail(i, errSyntax(i))
	}
	i = skipSpace(m.data, i+1)
	if end, err = skipValue(m.data, i, m.depth); err != nil {
		return m.fail(end, err)
	}
	m.value, m.pos = m.data[i:end:end], end
	return true
}

func (m *members) fail(pos int, err error) bool {
	m.pos, m.err = pos, err
	return false
}

// key returns the member's name. It may share memory with the data.
func (m *members) key() []byte {
	if m.plain {
		return m.rawKey[1 : len(m.rawKey)-1]
	}
	s, _ := unquote(m.rawKey)
	return []byte(s)
}

// elements iterates over the elements of the array at data[pos], as [members]
// does over an object.
type elements struct {
	data  []byte
	pos   int
	depth int
	err   error

	value   []byte
	started bool
}

func (e *elements) next() bool {
	i, ok := begin(e.data, e.pos, e.depth, '[', ']', &e.started, &e.err)
	if !ok {
		e.pos = i
		return false
	}
	end, err := skipValue(e.data, i, e.depth)
	e.pos = end
	if err != nil {
		e.err = err
		return false
	}
	e.value = e.data[i:end:end]
	return true
}

// begin moves from the start of a container, or from the end of an item, to the
// start of the next item. It is false, with the place behind the container, if
// there is none.
func begin(b []byte, i, depth int, open, end byte, started *bool, err *error) (int, bool) {
	if *err != nil {
		return i, false
	}
	i = skipSpace(b, i)
	first := !*started
	if first {
		*started = true
		if i >= len(b) || b[i] != open {
			*err = errSyntax(i)
			return i, false
		}
		if depth > maxDepth {
			*err = errDepth
			return i, false
		}
		i = skipSpace(b, i+1)
	}
	switch {
	case i < len(b) && b[i] == end:
		return i + 1, false
	case first:
		return i, true
	case i < len(b) && b[i] == ',':
		return skipSpace(b, i+1), true
	}
	*err = errSyntax(i)
	return i, false
}

// whole returns the one value that data holds, without white space around it.
func whole(data []byte) ([]byte, error) {
	start := skipSpace(data, 0)
	if start == len(data) {
		return nil, errors.New("empty, where JSON is wanted")
	}
	end, err := skipValue(data, start, 0)
	if err != nil {
		return nil, err
	}
	if rest := skipSpace(data, end); rest != len(data) {
		return nil, errSyntax(rest)
	}
	return data[start:end:end], nil
}

// unquote returns the string that raw spells, if it is one. Raw is valid JSON.
// What is not UTF-8 becomes U+FFFD, as in encoding/json.
func unquote(raw []byte) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	text := raw[1 : len(raw)-1]
	if bytes.IndexByte(text, '\\') < 0 && utf8.Valid(text) {
		return string(text), true
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}

func isNull(raw []byte) bool { return string(raw) == "null" }

// kindOf names the JSON type of a valid value, for errors.
func kindOf(raw []byte) string {
	switch raw[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
