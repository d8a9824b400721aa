package compat

// This file finds schemas that are equal regardless of their names and of how their documents are organised.
// Most of a large schema that changed in one place is decided by equality.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// equality holds which schemas are equal.
type equality struct {
	*budget
	same map[[2]*node]bool
}

// equal reports whether two schemas have the same meaning. Recursive schemas are equal if no difference is
// found.
func (c *equality) equal(a, b *node) bool {
	if a == b {
		return true
	}
	if a.fingerprint() != b.fingerprint() || !c.spend(1) {
		return false
	}
	pair := [2]*node{a, b}
	if known, ok := c.same[pair]; ok {
		return known
	}
	if c.over {
		return false
	}
	c.same[pair] = true
	if c.equalWithin(a, b) {
		return true
	}
	// Results found on the way may depend on the assumption that this pair is equal.
	for p, same := range c.same {
		if same {
			delete(c.same, p)
		}
	}
	c.same[pair] = false
	return false
}

func (c *equality) equalWithin(a, b *node) bool {
	if (a.ref == nil) != (b.ref == nil) || a.ref != nil && !c.equal(a.ref, b.ref) {
		return false
	}
	x, y := a.within(), b.within()
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i].name != y[i].name || !c.equal(x[i].node, y[i].node) {
			return false
		}
	}
	return true
}

// equalLists reports whether two lists have the same schemas, in any order.
func (c *equality) equalLists(a, b *node, x, y []*jsonschema.Schema) bool {
	if len(x) != len(y) {
		return false
	}
	left := b.document.all(y)
	for _, n := range a.document.all(x) {
		at := slices.IndexFunc(left, func(m *node) bool { return c.equal(n, m) })
		if at < 0 {
			return false
		}
		left = slices.Delete(left, at, at+1)
	}
	return true
}

// equalKeyword reports whether an unknown keyword has the same value in both schemas and contains no references
// except $ref itself.
func equalKeyword(a, b *node, keyword string) bool {
	x, y := a.Keywords[keyword], b.Keywords[keyword]
	if x == nil || y == nil || keyword != "$ref" && (strings.HasPrefix(keyword, "$") || strings.Contains(string(y), `"$`)) {
		return false
	}
	v, ok := readValue(x)
	w, also := readValue(y)
	return ok && also && v.key == w.key
}

// fingerprint encodes n's own keywords, without nested schemas.
func (n *node) fingerprint() string {
	if n.print != "" {
		return n.print
	}
	var b strings.Builder
	add := func(parts ...string) {
		for _, part := range parts {
			b.WriteString(strconv.Quote(part))
		}
		b.WriteByte(';')
	}
	if n.Bool != nil {
		add(strconv.FormatBool(*n.Bool))
	}
	add(kindsOf(n.Types).String(), strconv.FormatBool(n.Nullable), strconv.FormatBool(n.UniqueItems), n.Pattern)
	add(sorted(n.Required)...)
	bounds, counts := n.Bounds(), n.Counts()
	for _, x := range slices.Concat(bounds[:], counts[:]) {
		if r := jsonschema.Rational(*x.Value); r != nil {
			add(r.RatString())
		} else {
			add(string(*x.Value))
		}
	}
	for _, p := range n.Problems { // an ignored part
		add("problem", p.Reason)
	}
	n.printConstants(add)
	for _, name := range inOrder(n.DependentRequired) {
		add(append([]string{name}, sorted(n.DependentRequired[name])...)...)
	}
	n.printStrange(add)
	n.print = b.String()
	return n.print
}

func (n *node) printConstants(add func(...string)) {
	values, fixed, known := constants(n.Schema)
	switch {
	case !known:
		add("constants", string(n.Const))
		for _, raw := range n.Enum {
			add(string(raw))
		}
	case fixed:
		var keys []string
		for _, v := range values {
			keys = append(keys, v.key)
		}
		add(append([]string{"constants"}, sorted(keys)...)...)
	}
}

// printStrange adds unknown keywords. A keyword that may refer to something else is equal only to itself;
// unresolved references are equal if their text is.
func (n *node) printStrange(add func(...string)) {
	if n.unknown == "" {
		return
	}
	for _, name := range inOrder(n.Keywords) {
		if !strange(name) && name != "$ref" {
			continue
		}
		raw := string(n.Keywords[name])
		if name != "$ref" && strings.HasPrefix(name, "$") || strings.Contains(raw, `"$`) {
			raw += strconv.Itoa(n.id)
		}
		add("unknown", name, raw)
	}
}

func sorted(list []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(list)))
}
