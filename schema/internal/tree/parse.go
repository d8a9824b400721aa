package tree

// This file reads JSON into a tree that keeps what encoding/json discards: the order of members, the digits of
// numbers, duplicate names, lone surrogates and positions.

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// maxDepth bounds the nesting of JSON.
const maxDepth = 512

// maxInput bounds the input so that offsets fit 32 bits.
const maxInput = 1 << 30

// The maximum number of values in a text; each takes about a hundred bytes of memory.
const (
	MaxValues     = 1 << 19 // in one definition
	maxFileValues = 1 << 24 // in a snapshot or lock
)

// Kind is the type of a value.
type Kind byte

// The kinds of values.
const (
	Null Kind = iota
	False
	True
	Number
	String
	Array
	Object
)

// String returns the kind as it appears in messages.
func (k Kind) String() string {
	return [...]string{"null", "false", "true", "a number", "a string", "an array", "an object"}[k]
}

// Value is one JSON value. Strings are held as WTF-8: UTF-8 in which a lone
// surrogate (legal in JSON as an escape) is encoded like any other code point.
type Value struct {
	Kind     Kind
	NamePos  int32    // of the name, for members
	Pos, end int32    // of the source bytes
	Text     string   // numbers as sent; strings decoded
	Kids     []Member // elements of arrays (without names) and members of objects, in the sender's order
}

// Member is a member of an object, or an element of an array, which has no name.
type Member struct {
	Name string
	Value
}

// Get returns a member of an object, or nil if there is none.
func (v *Value) Get(name string) *Value {
	if v == nil || v.Kind != Object {
		return nil
	}
	for i := range v.Kids {
		if v.Kids[i].Name == name {
			return &v.Kids[i].Value
		}
	}
	return nil
}

// At returns a member of an object or an element of an array, or nil if there is none.
func (v *Value) At(part string) *Value {
	if v.Kind != Array {
		return v.Get(part)
	}
	i, err := strconv.Atoi(part)
	if err != nil || i < 0 || i >= len(v.Kids) || strconv.Itoa(i) != part {
		return nil
	}
	return &v.Kids[i].Value
}

// Lookup returns the value at a JSON pointer in v, or nil if there is none.
func (v *Value) Lookup(pointer string) *Value {
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if pointer != "" && v != nil {
			v = v.At(jsontext.UnescapePointer(part))
		}
	}
	return v
}

// Raw returns the bytes that v was read from.
func (v *Value) Raw(data []byte) []byte { return data[v.Pos:v.end:v.end] }

// Parser reads one definition after another into the same memory: reading a definition invalidates the previous
// tree. The zero value is ready to use.
type Parser struct {
	data   []byte
	src    string // data as a string, of which the texts are substrings
	i      int
	depth  int
	left   int      // remaining values
	memory []Member // backs slab and then stack
	stack  []Member // members of the open containers
	slab   []Member // receives finished containers
}

// Parse reads one definition. It accepts RFC 8259 JSON in valid UTF-8, without duplicate member names, nested
// at most 512 deep, with at most [MaxValues] values.
func Parse(data []byte) (*Value, *Error) { return new(Parser).Parse(data) }

// Parse works like the function [Parse].
func (p *Parser) Parse(data []byte) (*Value, *Error) { return p.parse(data, MaxValues) }

// ParseFile is [Parse] for the text of a whole snapshot or lock.
func ParseFile(data []byte) (*Value, *Error) { return new(Parser).parse(data, maxFileValues) }

func (p *Parser) parse(data []byte, values int) (*Value, *Error) {
	if len(data) > maxInput {
		return nil, &Error{Reason: fmt.Sprintf("more than %d bytes of JSON", maxInput)}
	}
	members := min(maxMembers(data), 4096)
	stack := min(members, 16)
	if need := members + stack; need > cap(p.memory) {
		p.memory = make([]Member, need)
	}
	*p = Parser{
		data:   data,
		src:    string(data),
		left:   values,
		memory: p.memory,
		slab:   p.memory[:members],
		stack:  p.memory[members:members],
	}
	p.space()
	if p.i == len(p.src) {
		return nil, p.fail("no JSON value: the text is empty")
	}
	v := new(Value)
	if err := p.value(v); err != nil {
		return nil, err
	}
	p.space()
	if p.i < len(p.src) {
		return nil, p.unexpected("after the value")
	}
	return v, nil
}

// maxMembers returns an upper bound on the members and elements in data: a comma precedes each but the first of
// a container.
func maxMembers(data []byte) int {
	return bytes.Count(data, []byte{','}) + bytes.Count(data, []byte{'{'}) + bytes.Count(data, []byte{'['})
}

// fail returns an error at the parser's position. Callers complete the pointer: see [Error.in].
func (p *Parser) fail(reason string) *Error { return &Error{Reason: reason, Offset: p.i} }

func (p *Parser) unexpected(where string) *Error {
	if p.i >= len(p.src) {
		return p.fail("the JSON ends " + where)
	}
	r, _ := utf8.DecodeRuneInString(p.src[p.i:])
	return p.fail(fmt.Sprintf("unexpected %q %s", r, where))
}

func (p *Parser) space() {
	for p.i < len(p.src) {
		switch p.src[p.i] {
		case ' ', '\t', '\n', '\r':
			p.i++
		default:
			return
		}
	}
}

// value reads one value into v.
func (p *Parser) value(v *Value) *Error {
	if p.i >= len(p.src) {
		return p.unexpected("where a value was expected")
	}
	if p.left--; p.left < 0 {
		return p.fail("too many values for one definition or file")
	}
	v.Pos = int32(p.i)
	var err *Error
	switch c := p.src[p.i]; {
	case c == '"':
		v.Kind = String
		v.Text, err = p.string()
	case c == '{':
		v.Kind = Object
		err = p.container(v, '}')
	case c == '[':
		v.Kind = Array
		err = p.container(v, ']')
	case c == '-' || '0' <= c && c <= '9':
		v.Kind = Number
		err = p.number()
		v.Text = p.src[v.Pos:p.i]
	case p.word("null"):
		v.Kind = Null
	case p.word("true"):
		v.Kind = True
	case p.word("false"):
		v.Kind = False
	default:
		err = p.unexpected("where a value was expected")
	}
	v.end = int32(p.i)
	return err
}

func (p *Parser) word(w string) bool {
	if !strings.HasPrefix(p.src[p.i:], w) {
		return false
	}
	p.i += len(w)
	return true
}

// container reads the members or elements of v up to close.
func (p *Parser) container(v *Value, close byte) *Error {
	if p.depth++; p.depth > maxDepth {
		return p.fail(fmt.Sprintf("nested more than %d deep", maxDepth))
	}
	p.i++
	p.space()
	mark := len(p.stack)
	for !p.byte(close) {
		if len(p.stack) > mark {
			if !p.byte(',') {
				return p.unexpected("where , or " + string(close) + " was expected")
			}
			p.space()
			if p.i < len(p.src) && p.src[p.i] == close {
				return p.unexpected("after a comma")
			}
		}
		if err := p.element(close == '}', len(p.stack)-mark); err != nil {
			return err
		}
		p.space()
	}
	p.depth--
	v.Kids = p.take(mark)
	if close == '}' {
		return duplicates(v)
	}
	return nil
}

func (p *Parser) byte(c byte) bool {
	if p.i < len(p.src) && p.src[p.i] == c {
		p.i++
		return true
	}
	return false
}

// element reads one member or element and pushes it.
func (p *Parser) element(named bool, index int) *Error {
	var m Member
	if !named {
		if err := p.value(&m.Value); err != nil {
			return err.in(strconv.Itoa(index))
		}
		p.stack = append(p.stack, m)
		return nil
	}
	if p.i >= len(p.src) || p.src[p.i] != '"' {
		return p.unexpected("where a member name was expected")
	}
	var err *Error
	m.NamePos = int32(p.i)
	if m.Name, err = p.string(); err != nil {
		return err
	}
	p.space()
	if !p.byte(':') {
		return p.unexpected("where : was expected").in(m.Name)
	}
	p.space()
	if err := p.value(&m.Value); err != nil {
		return err.in(m.Name)
	}
	p.stack = append(p.stack, m)
	return nil
}

// take moves the members pushed since mark into their own slice.
func (p *Parser) take(mark int) []Member {
	n := len(p.stack) - mark
	if n == 0 {
		return nil
	}
	if len(p.slab) < n {
		p.slab = make([]Member, max(n, 64))
	}
	out := p.slab[:n:n]
	p.slab = p.slab[n:]
	copy(out, p.stack[mark:])
	p.stack = p.stack[:mark]
	return out
}

// duplicates rejects a duplicate member name: two readers could disagree on its value.
func duplicates(v *Value) *Error {
	var seen map[string]bool // for large objects
	if len(v.Kids) > 16 {
		seen = make(map[string]bool, len(v.Kids))
	}
	for i := range v.Kids {
		name := v.Kids[i].Name
		twice := seen[name]
		if seen != nil {
			seen[name] = true
		} else {
			twice = slices.ContainsFunc(v.Kids[:i], func(m Member) bool { return m.Name == name })
		}
		if twice {
			return (&Error{Reason: "duplicate member name", Offset: int(v.Kids[i].NamePos), Duplicate: true}).in(name)
		}
	}
	return nil
}
