// Package view writes a JSON Schema in the forms that programs and model providers accept: with references
// resolved, as the parameters of a function, by a provider's rules, and in OpenAI's strict form. Hashes and pins still cover the
// server's bytes; a view serves readers that cannot use these bytes.
//
// A view accepts every argument that the schema allows, unless documented otherwise. It may accept more,
// because the server validates arguments anyway. Lost lists the keywords that a view drops. A view depends only
// on the schema's bytes and is always byte-identical, because prompt caches rely on that.
package view

import (
	"encoding/json"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// View is a schema in another form.
type View struct {
	Schema json.RawMessage // without whitespace; properties in the server's order
	// Lost are the schema's keywords that Schema drops, in schema order; nil if there are none.
	Lost []Loss
	// Note is the text of keywords that [Fit] drops at the root, for the description of the tool; may be "".
	Note string

	asSent  bool              // of inline: only the references differ from the schema as sent
	renamed map[string]string // names of arguments in Schema → the server's, where they differ
	root    *tree.Value
	loose   *tree.Value // the schema that a strict schema was made from; nil for other views
}

// Loss is one keyword that a view drops.
type Loss struct {
	// Pointer is the JSON pointer of the schema with the keyword: into the schema whose references are replaced by
	// their targets, or, for a keyword that this drops, into the schema as sent.
	Pointer string
	Keyword string
}

// annotations are the keywords that never reject a value.
var annotations = [...]string{"title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "$comment"}

func isAnnotation(keyword string) bool { return slices.Contains(annotations[:], keyword) }

// newView returns the View of a tree.
func newView(root *tree.Value, lost []Loss) View {
	return View{Schema: tree.AppendCanonical(nil, root), Lost: lost, root: root}
}

func object(members ...tree.Member) tree.Value { return tree.Value{Kind: tree.Object, Kids: members} }

func array(kids ...tree.Member) tree.Value { return tree.Value{Kind: tree.Array, Kids: kids} }

func text(s string) tree.Value { return tree.Value{Kind: tree.String, Text: s} }

func member(name string, v tree.Value) tree.Member { return tree.Member{Name: name, Value: v} }

func element(v tree.Value) tree.Member { return tree.Member{Value: v} }

// set replaces a member of an object, or appends it.
func set(v *tree.Value, name string, value tree.Value) {
	if m := v.Get(name); m != nil {
		*m = value
		return
	}
	v.Kids = append(v.Kids, member(name, value))
}

// types returns the types in a schema's type keyword, or nil if it is absent.
func types(v *tree.Value) []string {
	if t := v.Get("type"); t == nil || t.Kind != tree.String {
		return texts(t)
	}
	return []string{v.Get("type").Text}
}

// texts returns the texts in a list, or nil for a nil list.
func texts(list *tree.Value) []string {
	var out []string
	if list != nil {
		for i := range list.Kids {
			out = append(out, list.Kids[i].Text)
		}
	}
	return out
}

// refused returns the error for a schema that has no such view.
func refused(pointer, reason string) error { return &schema.Error{Pointer: pointer, Reason: reason} }
