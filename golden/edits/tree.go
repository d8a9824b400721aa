package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// node is a JSON value whose members keep their order.
type node struct {
	object bool
	array  bool
	raw    json.RawMessage // of a scalar
	keys   []string        // of an object
	values []*node         // of an object or an array
}

func parse(raw []byte) *node {
	n := &node{raw: bytes.Clone(bytes.TrimSpace(raw))}
	switch jsontext.TypeOf(n.raw) {
	case "object":
		n.object = true
		members := jsontext.NewItems(n.raw)
		for members.Next() {
			n.keys = append(n.keys, string(members.Key()))
			n.values = append(n.values, parse(members.Value))
		}
	case "array":
		n.array = true
		elements, _ := jsontext.Elements(n.raw)
		for _, e := range elements {
			n.values = append(n.values, parse(e))
		}
	}
	return n
}

// bytes writes the value.
func (n *node) bytes() []byte {
	var out []byte
	switch {
	case n.object:
		out = append(out, '{')
		for i, v := range n.values {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(append(jsontext.AppendString(out, n.keys[i]), ':'), v.bytes()...)
		}
		return append(out, '}')
	case n.array:
		out = append(out, '[')
		for i, v := range n.values {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, v.bytes()...)
		}
		return append(out, ']')
	}
	return n.raw
}

// member is a member of an object; nil if there is none.
func (n *node) member(name string) *node {
	if n == nil || !n.object {
		return nil
	}
	if i := slices.Index(n.keys, name); i >= 0 {
		return n.values[i]
	}
	return nil
}

// set gives an object a member.
func (n *node) set(name string, v *node) {
	if i := slices.Index(n.keys, name); i >= 0 {
		n.values[i] = v
		return
	}
	n.keys, n.values = append(n.keys, name), append(n.values, v)
}

// at returns the value at a JSON pointer, nil if there is none.
func (n *node) at(pointer string) *node {
	for key := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if i, err := strconv.Atoi(key); err == nil && n != nil && n.array && i < len(n.values) {
			n = n.values[i]
			continue
		}
		n = n.member(jsontext.UnescapePointer(key))
	}
	return n
}

// dangling counts the references of a schema that lead nowhere.
func (n *node) dangling() int {
	count := 0
	n.schemas(func(s *node) {
		if pointer, ok := strings.CutPrefix(s.member("$ref").text(), "#/"); ok && n.at(pointer) == nil {
			count++
		}
	})
	return count
}

// drop takes a member or an element away.
func (n *node) drop(i int) {
	if n.object {
		n.keys = slices.Delete(n.keys, i, i+1)
	}
	n.values = slices.Delete(n.values, i, i+1)
}

// text is the text of a scalar; "" if it is none.
func (n *node) text() string {
	if n == nil || n.object || n.array {
		return ""
	}
	return jsontext.Text(n.raw)
}

func textNode(s string) *node { return &node{raw: jsontext.AppendString(nil, s)} }

// schemas calls f for each schema inside one, itself too.
func (n *node) schemas(f func(*node)) {
	if n == nil || !n.object {
		return
	}
	f(n)
	for i, v := range n.values {
		switch n.keys[i] {
		case "properties", "$defs", "definitions", "patternProperties":
			for _, s := range v.values {
				s.schemas(f)
			}
		case "anyOf", "oneOf", "allOf", "prefixItems":
			for _, s := range v.values {
				s.schemas(f)
			}
		case "items", "additionalProperties", "not", "if", "then", "else":
			v.schemas(f)
		}
	}
}
