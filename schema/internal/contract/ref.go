package contract

// This file resolves references and determines the dialect of a schema.

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// follow returns the target of a $ref, or nil if it is not in this document.
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

// step follows one segment of a JSON pointer in a sorted value.
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

// features are the features that a schema document uses. They are recognised by name alone, so a property with
// such a name counts too; at worst, that keeps a difference.
type features struct {
	schema      string // the root's $schema
	ownScopes   bool   // references may have other meanings in parts of the document
	depends     bool   // uses keywords that draft 07, 2019-09 and 2020-12 interpret differently
	unevaluated bool   // unevaluatedItems is used
	siblings    bool   // a reference has sibling constraints
	deepRefs    bool   // a reference points into something other than a definition
	unknown     bool   // the dialect is unknown, so its keywords are not folded
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

// scan also visits values of const, enum and the like: they might be schemas, because a property may be called
// default. Anchors in them are ignored.
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

// namesDefinition reports whether a $ref refers to a whole document, an anchor, or a definition at the root of
// a document.
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

// onlyDocs reports whether a $ref has no siblings that draft 07 ignores and later drafts apply.
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

// The known dialects, without scheme and empty fragment.
const (
	defaultDialect = "json-schema.org/draft/2020-12/schema"
	draft2019      = "json-schema.org/draft/2019-09/schema"
	draft07        = "json-schema.org/draft-07/schema"
)

// plainDialect returns $schema without its scheme and empty fragment.
func (f *features) plainDialect() string {
	s := strings.TrimSuffix(f.schema, "#")
	s = strings.TrimPrefix(s, "https://")
	return strings.TrimPrefix(s, "http://")
}

// dialect returns the part of $schema that belongs to the contract: "" for the protocol's default, and for
// other drafts where they have the same effect.
func (f *features) dialect() string {
	plain := f.plainDialect()
	if plain == "" || plain == defaultDialect || !f.unknown && !f.depends {
		return ""
	}
	return string(tree.AppendString(nil, plain))
}
