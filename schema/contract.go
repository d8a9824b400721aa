package schema

// This file says what of an item is its contract. contract_schema.go does the
// same for a schema.
//
// A contract is a text. Two definitions with the same text mean the same to
// every caller; the reverse is aimed at, not promised: a difference that the
// text keeps though it means nothing costs a look, one that it loses costs a
// wrong call. So every rule here has to be sound, and what is not understood is
// kept as it was sent.

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// ContractRevision is the revision of the rules that [ContractHash] follows. A
// change that gives any definition another hash raises it, so that a lock of an
// older version can be distinguished from one that was edited.
const ContractRevision = 1

// ContractHash returns "sha256:" and the hexadecimal SHA-256 of what a
// definition means. It stays the same when only texts for people change
// (titles, descriptions, icons, examples, comments, _meta), when sets are
// written in another order, when a default of the protocol is written out, and
// when a schema is spelled in an equivalent way; local references count as
// what they refer to. Names, constants and defaults are never touched: keywords
// are recognised by their position, so a property called "description" stays.
//
// The errors are those of [Canonical]. A kind that is no item is hashed as it
// is.
func ContractHash(kind Kind, raw json.RawMessage) (string, error) {
	v, err := tree.Parse(raw)
	if err != nil {
		return "", err
	}
	return hashBytes(contract(kind, v)), nil
}

// contract returns the contract of a definition. It sorts v in place.
func contract(kind Kind, v *tree.Value) []byte {
	v.Sort(tree.CompareUTF16)
	if v.Kind != tree.Object {
		return tree.AppendCanonical(nil, v)
	}
	var rule func(m *tree.Member) (string, bool)
	switch kind {
	case KindTool:
		rule = toolMember
	case KindPrompt:
		rule = promptMember
	case KindResource, KindTemplate:
		rule = resourceMember
	case KindSkill:
		rule = skillMember
	default:
		return tree.AppendCanonical(nil, v)
	}
	var o textObject
	for i := range v.Kids {
		if text, ok := rule(&v.Kids[i]); ok {
			o.add(v.Kids[i].Name, text)
		}
	}
	if kind == KindTool {
		o.add("annotations", hintsContract(v.Get("annotations")))
	}
	return []byte(o.text())
}

// toolMember returns the contract of one member of a tool; false if it has no
// part in it.
func toolMember(m *tree.Member) (string, bool) {
	switch m.Name {
	case "title", "description", "icons", "_meta", "annotations":
		return "", false
	case "inputSchema":
		return schemaContract(&m.Value), true
	case "outputSchema":
		return schemaContract(&m.Value), m.Kind != tree.Null
	case "execution":
		return executionContract(&m.Value)
	}
	return canonicalOf(&m.Value), true
}

// skillMember returns the contract of one member of a skill: all that it says, with
// its files in no order.
func skillMember(m *tree.Member) (string, bool) {
	if m.Name == "_meta" {
		return "", false
	}
	if m.Name != "resources" || m.Kind != tree.Array {
		return canonicalOf(&m.Value), true
	}
	files := make([]string, len(m.Kids))
	for i := range m.Kids {
		files[i] = canonicalOf(&m.Kids[i].Value)
	}
	slices.Sort(files)
	return "[" + strings.Join(files, ",") + "]", true
}

// executionContract leaves out the default, which is that a tool is not called
// as a task.
func executionContract(v *tree.Value) (string, bool) {
	if v.Kind != tree.Object {
		return canonicalOf(v), v.Kind != tree.Null
	}
	var o textObject
	for i := range v.Kids {
		m := &v.Kids[i]
		if m.Name != "taskSupport" || m.Kind != tree.String || m.Text != "forbidden" {
			o.add(m.Name, canonicalOf(&m.Value))
		}
	}
	return o.text(), len(o.members) > 0
}

// hintsContract returns the annotations of a tool with the protocol's defaults
// written out. Two hints mean nothing while the tool is read-only.
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

// promptMember returns the contract of one member of a prompt: its arguments
// are a set, identified by name.
func promptMember(m *tree.Member) (string, bool) {
	switch m.Name {
	case "title", "description", "icons", "_meta":
		return "", false
	case "arguments":
		if m.Kind == tree.Null || m.Kind == tree.Array && len(m.Kids) == 0 {
			return "", false
		}
		if m.Kind == tree.Array {
			return argumentsContract(&m.Value), true
		}
	}
	return canonicalOf(&m.Value), true
}

func argumentsContract(v *tree.Value) string {
	texts := make([]string, len(v.Kids))
	for i := range v.Kids {
		arg := &v.Kids[i].Value
		if arg.Kind != tree.Object {
			texts[i] = canonicalOf(arg)
			continue
		}
		var o textObject
		for j := range arg.Kids {
			m := &arg.Kids[j]
			optional := m.Name == "required" && (m.Kind == tree.False || m.Kind == tree.Null)
			if m.Name != "title" && m.Name != "description" && !optional {
				o.add(m.Name, canonicalOf(&m.Value))
			}
		}
		texts[i] = o.text()
	}
	slices.Sort(texts)
	return "[" + strings.Join(texts, ",") + "]"
}

// resourceMember returns the contract of one member of a resource or template:
// size and annotations are hints for display.
func resourceMember(m *tree.Member) (string, bool) {
	switch m.Name {
	case "title", "description", "icons", "_meta", "size", "annotations":
		return "", false
	}
	return canonicalOf(&m.Value), true
}

// canonicalOf returns a sorted value in canonical form.
func canonicalOf(v *tree.Value) string { return string(tree.AppendCanonical(nil, v)) }

// textObject is an object whose values are texts already.
type textObject struct{ members []textMember }

type textMember struct{ name, text string }

func (o *textObject) add(name, text string) {
	o.members = append(o.members, textMember{name, text})
}

// text writes the object with its members sorted.
func (o *textObject) text() string {
	slices.SortFunc(o.members, func(a, b textMember) int { return strings.Compare(a.name, b.name) })
	b := []byte{'{'}
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
