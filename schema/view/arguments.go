package view

// This file removes from arguments what a strict schema made a model add.

import (
	"encoding/json"
	"slices"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Arguments converts arguments that a model wrote for this view to the original schema: it removes the nulls
// that only [Strict] allows, and writes the names of the server in place of those of [Fit]. For other views, and if
// there is nothing to do, it returns args unchanged, byte for byte. The error reports args that are not JSON.
func (v View) Arguments(args json.RawMessage) (json.RawMessage, error) {
	if v.loose == nil && v.renamed == nil {
		return args, nil
	}
	sent, problem := tree.Parse(args)
	if problem != nil {
		return nil, problem
	}
	if v.renamed != nil {
		return named(args, sent, v.renamed), nil
	}
	p := pruner{root: v.loose}
	p.prune(sent, v.loose)
	if !p.pruned {
		return args, nil
	}
	return tree.AppendCanonical(nil, sent), nil
}

// named returns arguments with the names of the server. Arguments with both names of one member are unchanged: the
// server then reports the name that it does not know.
func named(args json.RawMessage, sent *tree.Value, renamed map[string]string) json.RawMessage {
	isRenamed := false
	for i := range sent.Kids {
		name, ok := renamed[sent.Kids[i].Name]
		if !ok || sent.Kind != tree.Object {
			continue
		}
		if sent.Get(name) != nil {
			return args
		}
		sent.Kids[i].Name, isRenamed = name, true
	}
	if !isRenamed {
		return args
	}
	return tree.AppendCanonical(nil, sent)
}

// pruner removes nulls from a value. Root is the schema before [Strict].
type pruner struct {
	root   *tree.Value
	pruned bool
}

// prune removes the nulls that s does not allow from v.
func (p *pruner) prune(v, s *tree.Value) {
	if s = p.choose(v, s, 0); s == nil {
		return
	}
	switch v.Kind {
	case tree.Array:
		if items := s.Get("items"); items != nil {
			for i := range v.Kids {
				p.prune(&v.Kids[i].Value, items)
			}
		}
	case tree.Object:
		properties := s.Get("properties")
		if properties == nil {
			return
		}
		v.Kids = slices.DeleteFunc(v.Kids, func(m tree.Member) bool {
			property := properties.Get(m.Name)
			drop := m.Kind == tree.Null && property != nil && !slices.Contains(required(s), m.Name) && !p.null(property, 0)
			p.pruned = p.pruned || drop
			return drop
		})
		for i := range v.Kids {
			if property := properties.Get(v.Kids[i].Name); property != nil {
				p.prune(&v.Kids[i].Value, property)
			}
		}
	}
}

// resolve follows references.
func (p *pruner) resolve(s *tree.Value) *tree.Value {
	for range strict.depth {
		ref := s.Get("$ref")
		if ref == nil {
			return s
		}
		if ref.Text == "#" {
			return p.root
		}
		if s = definition(p.root, ref); s == nil {
			return nil
		}
	}
	return nil
}

// choose returns the alternative of s that v was written for, or nil. A strict object has all of its properties
// and no others, so its member names identify the alternative; constants decide between alternatives with the
// same names.
func (p *pruner) choose(v, s *tree.Value, depth int) *tree.Value {
	if s = p.resolve(s); s == nil || depth > strict.depth {
		return nil
	}
	choices := alternatives(s)
	if choices == nil {
		return s
	}
	for i := range choices {
		if c := p.choose(v, &choices[i].Value, depth+1); c != nil && p.fits(v, c) {
			return c
		}
	}
	return nil
}

// alternatives returns the branches of anyOf or oneOf.
func alternatives(s *tree.Value) []tree.Member {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if list := s.Get(keyword); list != nil {
			return list.Kids
		}
	}
	return nil
}

// fits reports whether v matches the type, member names and constants of s.
func (p *pruner) fits(v, s *tree.Value) bool {
	switch v.Kind {
	case tree.Array:
		return slices.Contains(types(s), "array")
	case tree.Object:
		properties := s.Get("properties")
		if properties == nil || len(properties.Kids) != len(v.Kids) {
			return false
		}
		return !slices.ContainsFunc(v.Kids, func(m tree.Member) bool {
			property := properties.Get(m.Name)
			return property == nil || !takes(property, &m.Value)
		})
	}
	return false
}

// takes reports whether the const or enum of s, if any, allows v. Null means absence here.
func takes(s, v *tree.Value) bool {
	if v.Kind == tree.Null {
		return true
	}
	same := func(m *tree.Value) bool {
		return string(tree.AppendCanonical(nil, m)) == string(tree.AppendCanonical(nil, v))
	}
	if c := s.Get("const"); c != nil {
		return same(c)
	}
	if enum := s.Get("enum"); enum != nil {
		return slices.ContainsFunc(enum.Kids, func(m tree.Member) bool { return same(&m.Value) })
	}
	return true
}

// null reports whether s allows null.
func (p *pruner) null(s *tree.Value, depth int) bool {
	if s = p.resolve(s); s == nil || depth > strict.depth {
		return true
	}
	if choices := alternatives(s); choices != nil {
		return slices.ContainsFunc(choices, func(m tree.Member) bool { return p.null(&m.Value, depth+1) })
	}
	if c := s.Get("const"); c != nil {
		return c.Kind == tree.Null
	}
	return allowsNull(s)
}
