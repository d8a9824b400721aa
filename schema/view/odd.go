package view

// This file finds keywords that model providers reject: a single such keyword fails every request that includes
// the tool, and so disables all tools of an agent.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// odd reports whether JSON Schema does not allow the form of a keyword of s.
func odd(s *jsonschema.Schema, m *tree.Member) bool {
	pointer := s.Pointer + "/" + jsontext.EscapePointer(tree.ValidText(m.Name))
	for _, p := range s.Problems {
		if rest, ok := strings.CutPrefix(p.Pointer, pointer); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	for keyword := range s.Invalid {
		if keyword == m.Name {
			return true
		}
	}
	switch m.Name {
	case "type", "enum", "prefixItems":
		return m.Kind == tree.Array && len(m.Kids) == 0
	}
	n, err := strconv.ParseFloat(m.Text, 64) // as providers read numbers
	is := func(k jsonschema.Number) bool { return k.Keyword == m.Name }
	bounds, counts := s.Bounds(), s.Counts()
	return m.Kind == tree.Number && err != nil && slices.ContainsFunc(bounds[:], is) || n > 1<<53 && slices.ContainsFunc(counts[:], is)
}

// modern rewrites older spellings for the current draft and removes duplicates from required. It reports
// whether it changed anything.
func modern(v *tree.Value) bool {
	changed := exclusive(v, "exclusiveMinimum", "minimum")
	changed = exclusive(v, "exclusiveMaximum", "maximum") || changed
	if names := v.Get("required"); names != nil && names.Kind == tree.Array {
		var once []tree.Member
		for _, name := range names.Kids {
			if !slices.ContainsFunc(once, func(m tree.Member) bool { return m.Text == name.Text }) {
				once = append(once, name)
			}
		}
		changed, names.Kids = changed || len(once) < len(names.Kids), once
	}
	items := v.Get("items")
	if items == nil || items.Kind != tree.Array {
		return changed
	}
	// Drafts with lists of items use additionalItems for the items after the list.
	rest := v.Get("additionalItems")
	out := make([]tree.Member, 0, len(v.Kids))
	for _, m := range v.Kids {
		switch {
		case m.Name == "additionalItems", m.Name == "items" && v.Get("prefixItems") != nil:
			continue
		case m.Name == "items" && len(items.Kids) > 0:
			m.Name = "prefixItems"
		case m.Name == "items":
			continue
		}
		out = append(out, m)
	}
	if rest != nil {
		out = append(out, member("items", *rest))
	}
	v.Kids = out
	return true
}
