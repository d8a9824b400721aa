package contract

// This file finds what references lead to, and which dialect a schema needs.

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// follow returns what a $ref leads to, nil if that is not in this document.
func (n *normalizer) follow(m *tree.Member) *tree.Value {
	if m.Kind != tree.String || !strings.HasPrefix(m.Text, "#") {
		return nil
	}
	fragment, err := url.PathUnescape(m.Text[1:])
	if err != nil || utf8.ValidString(m.Text) && !utf8.ValidString(fragment) {
		return nil
	}
	if fragment != "" && fragment[0] != '/' {
		return n.anchors[fragment]
	}
	v := n.root
	if fragment != "" {
		for part := range strings.SplitSeq(fragment[1:], "/") {
			if v = step(v, jsontext.UnescapePointer(part)); v == nil {
				return nil
			}
		}
	}
	if v.Kind != tree.Object && v.Kind != tree.True && v.Kind != tree.False {
		return nil
	}
	return v
}

// step goes one segment of a JSON pointer down a sorted value.
func step(v *tree.Value, part string) *tree.Value {
	if v.Kind == tree.Object {
		i, ok := slices.BinarySearchFunc(v.Kids, part, func(m tree.Member, name string) int { return tree.CompareUTF16(m.Name, name) })
		if !ok {
			return nil
		}
		return &v.Kids[i].Value
	}
	return v.At(part)
}

// features are what a schema document uses. They are recognised by names alone, so a
// property of such a name counts too: that keeps a difference at worst.
type features struct {
	schema      string // the root's $schema
	ownScopes   bool   // references may mean something else in parts of it
	depends     bool   // draft 07, 2019-09 and 2020-12 read it differently
	unevaluated bool   // unevaluatedItems is used
	siblings    bool   // constraints stand beside a reference
	deepRefs    bool   // a reference goes past the definitions
	unknown     bool   // the dialect is not one of those whose keywords are folded
	anchors     map[string]*tree.Value
}

func scanFeatures(root *tree.Value) *features {
	f := &features{anchors: map[string]*tree.Value{}}
	f.scan(root, true, true)
	if s := root.Get("$schema"); s != nil {
		f.schema = "no text"
		if s.Kind == tree.String {
			f.schema = s.Text
		}
	}
	switch f.plainDialect() {
	case "", defaultDialect, draft2019, draft07:
	default:
		f.unknown, f.ownScopes = true, true
	}
	return f
}

// scan looks into what are values by their keyword, too: they could be schemas by their
// place, since a property may be called default. They name no anchors.
func (f *features) scan(v *tree.Value, root, anchors bool) {
	for i := range v.Kids {
		m := &v.Kids[i]
		below := anchors
		if v.Kind == tree.Object {
			f.member(v, m, root, anchors)
			below = anchors && m.Name != "const" && m.Name != "enum" && m.Name != "default" && m.Name != "examples"
		}
		f.scan(&m.Value, false, below)
	}
}

func (f *features) member(v *tree.Value, m *tree.Member, root, anchors bool) {
	switch m.Name {
	case "$id":
		f.ownScopes = f.ownScopes || !root
	case "$dynamicRef", "$recursiveRef", "$dynamicAnchor", "$recursiveAnchor":
		f.ownScopes = true
	case "$anchor":
		if m.Kind == tree.String {
			f.depends = true
			if _, twice := f.anchors[m.Text]; twice {
				v = nil
			}
			if anchors {
				f.anchors[m.Text] = v
			}
		}
	case "$ref":
		f.siblings = f.siblings || !onlyDocs(v)
		f.depends = f.depends || f.siblings
		f.deepRefs = f.deepRefs || !namesDefinition(m)
	case "items":
		f.depends = f.depends || m.Kind == tree.Array
	case "format", "contentEncoding", "contentMediaType":
		f.depends = f.depends || m.Kind == tree.String
	case "unevaluatedItems":
		f.depends, f.unevaluated = true, true
	case "additionalItems", "dependencies", "prefixItems", "unevaluatedProperties",
		"dependentRequired", "dependentSchemas", "minContains", "maxContains", "contentSchema":
		f.depends = true
	}
}

// namesDefinition reports whether a $ref leads to a whole document, to a name,
// or to a definition at the root of a document.
func namesDefinition(m *tree.Member) bool {
	_, fragment, _ := strings.Cut(m.Text, "#")
	if fragment == "" || fragment[0] != '/' && fragment[0] != '%' {
		return true
	}
	name, ok := strings.CutPrefix(fragment, "/$defs/")
	if !ok {
		name, ok = strings.CutPrefix(fragment, "/definitions/")
	}
	return ok && !strings.ContainsAny(name, "/%")
}

// onlyDocs reports whether nothing stands beside a $ref that draft 07 ignores
// and later drafts do not.
func onlyDocs(v *tree.Value) bool {
	for i := range v.Kids {
		switch v.Kids[i].Name {
		case "$ref", "title", "description", "$comment", "examples", "deprecated", "$schema", "$defs", "definitions":
		default:
			return false
		}
	}
	return true
}

// The dialects that are known, without scheme and empty fragment.
const (
	defaultDialect = "json-schema.org/draft/2020-12/schema"
	draft2019      = "json-schema.org/draft/2019-09/schema"
	draft07        = "json-schema.org/draft-07/schema"
)

// plainDialect returns $schema without the parts that make no difference.
func (f *features) plainDialect() string {
	s := strings.TrimSuffix(f.schema, "#")
	s = strings.TrimPrefix(s, "https://")
	return strings.TrimPrefix(s, "http://")
}

// dialect returns what of $schema belongs to the contract: "" for the
// protocol's default, and for other drafts where they say the same.
func (f *features) dialect() string {
	plain := f.plainDialect()
	if plain == "" || plain == defaultDialect || !f.unknown && !f.depends {
		return ""
	}
	return string(tree.AppendString(nil, plain))
}
