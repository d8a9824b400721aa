// Package contract computes the contract of an item: contract.go that of a definition, the other files that of
// a schema.
//
// A contract is a text. Two definitions with the same text mean the same to every caller. The reverse is
// intended but not guaranteed: a difference that the text needlessly keeps costs a review, a difference that it
// loses costs a wrong call. So every rule must be sound, and anything unknown is kept as sent.
package contract

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Of returns the contract of a definition of a kind. For a kind that is not an item, the contract is the
// canonical definition. Of sorts v in place. If shortened is not nil, it is called with each text that the
// contract, or such a text, contains as a hash, and possibly with other texts.
func Of(kind string, v *tree.Value, shortened func(text string)) []byte {
	v.Sort(tree.CompareUTF16)
	switch {
	case v.Kind != tree.Object:
		return tree.AppendCanonical(nil, v)
	case kind != "tool" && kind != "prompt" && kind != "resource" && kind != "template" && kind != "skill":
		return tree.AppendCanonical(nil, v)
	}
	o := objectOf(v, func(m *tree.Member) (string, bool) { return memberContract(kind, m, shortened) })
	if kind == "tool" {
		o.add("annotations", hintsContract(v.Get("annotations")))
	}
	return []byte(o.text())
}

// memberContract returns the contract of one member of a definition; false if the contract omits it.
func memberContract(kind string, m *tree.Member, shortened func(text string)) (string, bool) {
	switch m.Name {
	case "_meta":
		return "", false
	case "title", "description", "icons":
		if kind != "skill" {
			return "", false
		}
	}
	switch kind + " " + m.Name {
	case "tool annotations", // see hintsContract
		"resource annotations", "template annotations", "resource size", "template size": // hints for display
		return "", false
	case "tool inputSchema":
		return schemaContract(&m.Value, shortened), true
	case "tool outputSchema":
		return schemaContract(&m.Value, shortened), m.Kind != tree.Null
	case "tool execution":
		return executionContract(&m.Value)
	case "prompt arguments": // identified by name
		if m.Kind == tree.Null || m.Kind == tree.Array && len(m.Kids) == 0 {
			return "", false
		}
		return setOf(&m.Value, argumentContract), true
	case "skill resources": // files
		return setOf(&m.Value, canonicalOf), true
	}
	return canonicalOf(&m.Value), true
}

// setOf returns an array as a set: the texts of its elements, sorted. Other values are returned unchanged.
func setOf(v *tree.Value, text func(*tree.Value) string) string {
	if v.Kind != tree.Array {
		return canonicalOf(v)
	}
	texts := textsOf(v, text)
	slices.Sort(texts)
	return list(texts)
}

// textsOf returns the texts of the elements of an array.
func textsOf(v *tree.Value, text func(*tree.Value) string) []string {
	texts := make([]string, len(v.Kids))
	for i := range v.Kids {
		texts[i] = text(&v.Kids[i].Value)
	}
	return texts
}

// list returns an array of texts.
func list(texts []string) string { return "[" + strings.Join(texts, ",") + "]" }

// executionContract omits the default: taskSupport "forbidden".
func executionContract(v *tree.Value) (string, bool) {
	if v.Kind != tree.Object {
		return canonicalOf(v), v.Kind != tree.Null
	}
	o := objectOf(v, func(m *tree.Member) (string, bool) {
		return canonicalOf(&m.Value), m.Name != "taskSupport" || m.Kind != tree.String || m.Text != "forbidden"
	})
	return o.text(), len(o.members) > 0
}

// argumentContract omits texts for people and the default, required: false, of a prompt's argument.
func argumentContract(v *tree.Value) string {
	if v.Kind != tree.Object {
		return canonicalOf(v)
	}
	o := objectOf(v, func(m *tree.Member) (string, bool) {
		optional := m.Name == "required" && (m.Kind == tree.False || m.Kind == tree.Null)
		return canonicalOf(&m.Value), m.Name != "title" && m.Name != "description" && !optional
	})
	return o.text()
}

// hintsContract returns the annotations of a tool with the protocol's defaults written out. Two hints have no
// effect while the tool is read-only.
func hintsContract(v *tree.Value) string {
	switch {
	case v == nil, v.Kind == tree.Null, v.Kind == tree.Array && len(v.Kids) == 0:
		v = &tree.Value{Kind: tree.Object} // PHP writes an empty object as []
	case v.Kind != tree.Object:
		return canonicalOf(v)
	}
	hints := map[string]string{
		"readOnlyHint":    "false",
		"destructiveHint": "true",
		"idempotentHint":  "false",
		"openWorldHint":   "true",
	}
	for i := range v.Kids {
		m := &v.Kids[i]
		if _, ok := hints[m.Name]; m.Name != "title" && !(ok && m.Kind == tree.Null) {
			hints[m.Name] = canonicalOf(&m.Value)
		}
	}
	if hints["readOnlyHint"] == "true" {
		delete(hints, "destructiveHint")
		delete(hints, "idempotentHint")
	}
	var o textObject
	for name, text := range hints {
		o.add(name, text)
	}
	return o.text()
}

// canonicalOf returns a sorted value in canonical form.
func canonicalOf(v *tree.Value) string { return string(tree.AppendCanonical(nil, v)) }

// textObject is an object whose values are JSON texts.
type textObject struct{ members []textMember }

type textMember struct{ name, text string }

// objectOf returns an object of the members for which text reports true.
func objectOf(v *tree.Value, text func(m *tree.Member) (string, bool)) (o textObject) {
	o.members = make([]textMember, 0, len(v.Kids)+1) // Of adds one
	for i := range v.Kids {
		if text, ok := text(&v.Kids[i]); ok {
			o.add(v.Kids[i].Name, text)
		}
	}
	return o
}

func (o *textObject) add(name, text string) {
	o.members = append(o.members, textMember{name, text})
}

// text returns the object with sorted members; members with equal names keep their order.
func (o *textObject) text() string {
	slices.SortStableFunc(o.members, func(a, b textMember) int { return strings.Compare(a.name, b.name) })
	size := 2
	for _, m := range o.members {
		size += len(m.name) + len(m.text) + len(`"":,`)
	}
	b := append(make([]byte, 0, size), '{')
	for i, m := range o.members {
		if i > 0 {
			b = append(b, ',')
		}
		b = tree.AppendString(b, m.name)
		b = append(b, ':')
		b = append(b, m.text...)
	}
	return string(append(b, '}'))
}
