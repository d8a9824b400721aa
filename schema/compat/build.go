package compat

// This file builds values of the left side that may be witnesses. Each is validated with schema/validate before
// it counts, so a wrongly built value does no harm.

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

const maxBuildDepth = 12

// maxBuilt bounds the size of one built value in bytes: a schema of a few lines can require a value that
// exceeds memory.
const maxBuilt = 256 << 10

// bytesOfStep is how many bytes of a value are built in one step.
const bytesOfStep = 512

// builder builds values for the comparisons of a checker.
type builder struct {
	*checker
	depth int // nesting depth of the value
	built map[string][]json.RawMessage
}

// some returns at most n values that fit all schemas of a list.
func (c *builder) some(of all, n int) []json.RawMessage {
	key := strconv.Itoa(n) + "|" + of.key()
	if known, ok := c.built[key]; ok {
		return known
	}
	if c.depth++; c.depth > maxBuildDepth || !c.spend(1) {
		c.depth--
		return nil
	}
	defer func() { c.depth-- }()
	shapes, _ := c.shapes(of)
	var lists [][]json.RawMessage
	for _, s := range shapes {
		if list := c.examples(s, s.kinds); len(list) > 0 {
			lists = append(lists, list)
		}
		if len(lists) >= max(n, 4) {
			break
		}
	}
	values := inTurn(lists, n)
	if c.depth == 1 || len(values) > 0 {
		c.built[key] = values
	}
	return values
}

// inTurn returns at most n elements: the first of each list, then the second of each, and so on.
func inTurn[T any](lists [][]T, n int) []T {
	var out []T
	for i, more := 0, true; more && len(out) < n; i++ {
		more = false
		for _, list := range lists {
			if i < len(list) && len(out) < n {
				more = true
				out = append(out, list[i])
			}
		}
	}
	return out
}

// examples returns a few values of a shape, of the given kinds.
func (c *builder) examples(s *shape, of kinds) []json.RawMessage {
	if c.over {
		return nil
	}
	var lists [][]json.RawMessage
	if s.fixed {
		var list []json.RawMessage
		for _, v := range s.values {
			if v.kind&of != 0 && len(list) < maxHints {
				list = append(list, v.raw)
			}
		}
		return list
	}
	order := []kinds{text, integer, boolean, fraction, null, array, object}
	for _, k := range order {
		if s.kinds&of&k == 0 {
			continue
		}
		lists = append(lists, c.ofKind(s, k))
	}
	return inTurn(lists, maxHints)
}

func (c *builder) ofKind(s *shape, k kinds) []json.RawMessage {
	switch k {
	case null:
		return []json.RawMessage{json.RawMessage("null")}
	case boolean:
		return []json.RawMessage{json.RawMessage("true"), json.RawMessage("false")}
	case integer, fraction:
		p := &comparison{c: c.checker, s: s}
		return p.near(k, nil)
	case text:
		return c.words(s)
	case array:
		lo, hi := c.lengths(s, 1)
		if lo == 0 && hi != 0 {
			return given(c.arrayOf(s, lo, nil), c.arrayOf(s, 1, nil))
		}
		return given(c.arrayOf(s, lo, nil))
	}
	return given(c.build(s, nil, "", 0), c.full(s))
}

// given returns the values that are not nil.
func given(values ...json.RawMessage) []json.RawMessage {
	return slices.DeleteFunc(values, func(v json.RawMessage) bool { return v == nil })
}

// words returns texts of a shape.
func (c *builder) words(s *shape) []json.RawMessage {
	var out []json.RawMessage
	for _, lo := range []int{max(s.lo, 1), s.lo} {
		if s.hi >= 0 && lo > s.hi {
			continue
		}
		texts := s.language()
		texts.lo = lo
		found, some, decided := c.find(texts)
		if raw := quoteJSON(found); decided && some && !slices.ContainsFunc(out, func(o json.RawMessage) bool { return bytes.Equal(o, raw) }) {
			out = append(out, raw)
		}
	}
	return out
}

// arrayOf returns an array of n items that begins with the given items, or nil if none could be built.
func (c *builder) arrayOf(s *shape, n int, begin []json.RawMessage) json.RawMessage {
	if n > maxBuilt/2 {
		return nil
	}
	unique := slices.ContainsFunc(s.parts, func(n *node) bool { return n.UniqueItems })
	if unique && n > 2000 {
		return nil
	}
	var items [][]byte
	size := 0
	for _, item := range begin {
		items = append(items, item)
		size += len(item) + 1
	}
	repeats := tuple(s.parts) // the index from which all items may be equal
	for _, part := range s.parts {
		if part.Contains != nil {
			repeats = max(repeats, jsonschema.Count(part.MinContains, 1))
		}
	}
	for i := len(items); i < n && size <= maxBuilt; i++ {
		if i > max(repeats, len(begin)) && !unique {
			items = append(items, items[i-1])
		} else if next := c.nextItem(s, i, items, unique); next != nil {
			items = append(items, next)
		} else {
			return nil
		}
		size += len(items[i]) + 1
	}
	if size > maxBuilt || !c.spend(size/bytesOfStep) {
		return nil
	}
	return slices.Concat([]byte{'['}, bytes.Join(items, []byte{','}), []byte{']'})
}

// nextItem returns a value for the item at index i, or nil if there is none. If unique is true, the value
// differs from others.
func (c *builder) nextItem(s *shape, i int, others [][]byte, unique bool) json.RawMessage {
	of := s.item(i)
	for _, part := range s.parts {
		if part.Contains != nil && i < jsonschema.Count(part.MinContains, 1) {
			of = append(of, part.document.of(part.Contains))
		}
	}
	limit := 1
	if unique {
		limit = maxHints
	}
	for _, v := range c.some(of, limit) {
		if !unique || !slices.ContainsFunc(others, func(o []byte) bool { return bytes.Equal(o, v) }) {
			return v
		}
	}
	return nil
}

// items returns the first n items of an array, or nil if a value for one of them is unknown.
func (c *builder) items(s *shape, n int) []json.RawMessage {
	var out []json.RawMessage
	for i := range n {
		values := c.some(s.item(i), 1)
		if len(values) == 0 {
			return nil
		}
		out = append(out, values[0])
	}
	return out
}

// build returns an object with as few members as possible but at least least. It lacks the member without and
// has the given members. The result is nil if there is no such object.
func (c *builder) build(s *shape, given map[string]json.RawMessage, without string, least int) json.RawMessage {
	members := map[string]json.RawMessage{}
	maps.Copy(members, given)
	with := *s
	for _, name := range inOrder(given) {
		with.parts = append(slices.Clip(with.parts), c.b.requiring(name))
	}
	for _, name := range inOrder(with.required()) {
		if members[name] == nil && name != without {
			v := c.valueOf(s, name)
			if v == nil {
				return nil
			}
			members[name] = v
		}
	}
	for _, n := range s.parts {
		least = max(least, jsonschema.Count(n.MinProperties, 0))
	}
	c.fill(s, members, least, without)
	return c.encode(members)
}

// fill adds members until the object has n.
func (c *builder) fill(s *shape, members map[string]json.RawMessage, n int, without string) {
	names := s.declared()
	for i := 1; i <= min(n, 200); i++ {
		names = append(names, "extra"+strconv.Itoa(i))
	}
	for _, name := range names {
		if len(members) >= n {
			return
		}
		if members[name] == nil && name != without {
			if v := c.valueOf(s, name); v != nil {
				members[name] = v
			}
		}
	}
}

// inOrder returns the sorted names of a set: the step count, and so the answer, must not depend on map order.
func inOrder[T any](set map[string]T) []string { return slices.Sorted(maps.Keys(set)) }

// full returns an object with every declared member that can be present, or nil if there is none.
func (c *builder) full(s *shape) json.RawMessage {
	members := map[string]json.RawMessage{}
	for _, name := range s.declared() {
		if v := c.valueOf(s, name); v != nil {
			members[name] = v
		}
	}
	if len(members) == 0 {
		return nil
	}
	return c.encode(members)
}

// valueOf returns a value for a member, or nil if there is none.
func (c *builder) valueOf(s *shape, name string) json.RawMessage {
	of, ok := c.member(s, name, 0)
	if !ok {
		return nil
	}
	if values := c.some(of, 1); len(values) > 0 {
		return values[0]
	}
	return nil
}

// encode writes an object with members sorted by name, or returns nil if it exceeds maxBuilt.
func (c *builder) encode(members map[string]json.RawMessage) json.RawMessage {
	names := inOrder(members)
	size := 2
	for _, name := range names {
		size += len(name) + len(members[name]) + 4
	}
	if size > maxBuilt || !c.spend(size/bytesOfStep) {
		return nil
	}
	written := make([][]byte, len(names))
	for i, name := range names {
		written[i] = slices.Concat(quoteJSON(name), []byte{':'}, members[name])
	}
	return slices.Concat([]byte{'{'}, bytes.Join(written, []byte{','}), []byte{'}'})
}
