// Package view writes one JSON Schema in the forms that programs and model
// providers take: with its references resolved, as the parameters of a function,
// in OpenAI's strict form. The bytes of the server remain what
// is hashed and pinned; a view is made for whoever cannot read them.
//
// A view never refuses an argument that the schema allows, except where it says
// so, and it may allow more: the server checks what it is sent all the same. What
// a view leaves out is in its Lost. Each view is a function of the schema's bytes
// alone, and the same for each byte: prompt caches depend on that.
package view

import (
	"encoding/json"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// View is a schema in another form.
type View struct {
	Schema json.RawMessage // without spaces; properties in the server's order
	// Lost are the keywords of the schema that Schema does not say, in its order;
	// nil if it says everything.
	Lost []Loss
	// AsSent reports, of what [Inline] returns, that it differs from the schema that was
	// sent in its references alone.
	AsSent bool

	root  *tree.Value
	loose *tree.Value // what a strict schema was made of; nil for the other views
}

// Loss is one keyword that a view leaves out.
type Loss struct {
	// Pointer is the JSON pointer of the schema that has the keyword. It leads into
	// what [Inline] returns, and for Inline itself into the schema as it was sent.
	Pointer string
	Keyword string
}

// annotations are keywords that no value is refused for.
var annotations = [...]string{"title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "$comment"}

func isAnnotation(keyword string) bool { return slices.Contains(annotations[:], keyword) }

// newView is the View of a tree.
func newView(root *tree.Value, lost []Loss) View {
	return View{Schema: tree.AppendCanonical(nil, root), Lost: lost, root: root}
}

func object(members ...tree.Member) tree.Value { return tree.Value{Kind: tree.Object, Kids: members} }

func array(kids ...tree.Member) tree.Value { return tree.Value{Kind: tree.Array, Kids: kids} }

func text(s string) tree.Value { return tree.Value{Kind: tree.String, Text: s} }

func member(name string, v tree.Value) tree.Member { return tree.Member{Name: name, Value: v} }

func element(v tree.Value) tree.Member { return tree.Member{Value: v} }

// set replaces the member of an object, or appends it.
func set(v *tree.Value, name string, value tree.Value) {
	if m := v.Get(name); m != nil {
		*m = value
		return
	}
	v.Kids = append(v.Kids, member(name, value))
}

// types returns the types that a schema names; nil if it names none.
func types(v *tree.Value) []string {
	if t := v.Get("type"); t == nil || t.Kind != tree.String {
		return texts(t)
	}
	return []string{v.Get("type").Text}
}

// texts returns the texts of a list; nil without one.
func texts(list *tree.Value) []string {
	var out []string
	if list != nil {
		for i := range list.Kids {
			out = append(out, list.Kids[i].Text)
		}
	}
	return out
}

// refused is the error for a schema that has no such view.
func refused(pointer, reason string) error { return &schema.Error{Pointer: pointer, Reason: reason} }
