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
)

// ContractRevision is the revision of the rules that [ContractHash] follows. A
// change that gives any definition another hash raises it, so that a lock of an
// older version can be told from one that was edited.
const ContractRevision = 1

// ContractHash returns "sha256:" and the hexadecimal SHA-256 of what a
// definition means. It stays the same when only texts for people change
// (titles, descriptions, icons, examples, comments, _meta), when sets are
// written in another order, when a default of the protocol is written out, and
// when a schema is spelled in an equivalent way; local references count as
// what they refer to. Names, constants and defaults are never touched: keywords
// are told by their position, so a property called "description" stays.
//
// The errors are those of [Canonical]. A kind that is no item is hashed as it
// is.
func ContractHash(kind Kind, raw json.RawMessage) (string, error) {
	v, err := parseJSON(raw)
	if err != nil {
		return "", err
	}
	return hashBytes(contract(kind, v)), nil
}

// contract returns the contract of a definition. It sorts v in place.
func contract(kind Kind, v *value) []byte {
	v.sort(compareUTF16)
	if v.kind != objectValue {
		return appendCanonical(nil, v)
	}
	var rule func(m *member) (string, bool)
	switch kind {
	case KindTool:
		rule = toolMember
	case KindPrompt:
		rule = promptMember
	case KindResource, KindTemplate:
		rule = resourceMember
	default:
		return appendCanonical(nil, v)
	}
	var o textObject
	for i := range v.kids {
		if text, ok := rule(&v.kids[i]); ok {
			o.add(v.kids[i].name, text)
		}
	}
	if kind == KindTool {
		o.add("annotations", hintsContract(v.get("annotations")))
	}
	return []byte(o.text())
}

// toolMember returns the contract of one member of a tool; false if it has no
// part in it.
func toolMember(m *member) (string, bool) {
	switch m.name {
	case "title", "description", "icons", "_meta", "annotations":
		return "", false
	case "inputSchema":
		return schemaContract(&m.value), true
	case "outputSchema":
		return schemaContract(&m.value), m.kind != nullValue
	case "execution":
		return executionContract(&m.value)
	}
	return canonicalOf(&m.value), true
}

// executionContract leaves out the default, which is that a tool is not called
// as a task.
func executionContract(v *value) (string, bool) {
	if v.kind != objectValue {
		return canonicalOf(v), v.kind != nullValue
	}
	var o textObject
	for i := range v.kids {
		m := &v.kids[i]
		if m.name != "taskSupport" || m.kind != stringValue || m.text != "forbidden" {
			o.add(m.name, canonicalOf(&m.value))
		}
	}
	return o.text(), len(o.members) > 0
}

// hintsContract returns the annotations of a tool with the protocol's defaults
// written out. Two hints mean nothing while the tool is read-only.
func hintsContract(v *value) string {
	switch {
	case v == nil, v.kind == nullValue, v.kind == arrayValue && len(v.kids) == 0:
		v = &value{kind: objectValue} // PHP writes an empty object as []
	case v.kind != objectValue:
		return canonicalOf(v)
	}
	hints := map[string]string{
		"readOnlyHint":    "false",
		"destructiveHint": "true",
		"idempotentHint":  "false",
		"openWorldHint":   "true",
	}
	for i := range v.kids {
		m := &v.kids[i]
		if _, ok := hints[m.name]; m.name != "title" && !(ok && m.kind == nullValue) {
			hints[m.name] = canonicalOf(&m.value)
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
// are a set, told by name.
func promptMember(m *member) (string, bool) {
	switch m.name {
	case "title", "description", "icons", "_meta":
		return "", false
	case "arguments":
		if m.kind == nullValue || m.kind == arrayValue && len(m.kids) == 0 {
			return "", false
		}
		if m.kind == arrayValue {
			return argumentsContract(&m.value), true
		}
	}
	return canonicalOf(&m.value), true
}

func argumentsContract(v *value) string {
	texts := make([]string, len(v.kids))
	for i := range v.kids {
		arg := &v.kids[i].value
		if arg.kind != objectValue {
			texts[i] = canonicalOf(arg)
			continue
		}
		var o textObject
		for j := range arg.kids {
			m := &arg.kids[j]
			optional := m.name == "required" && (m.kind == falseValue || m.kind == nullValue)
			if m.name != "title" && m.name != "description" && !optional {
				o.add(m.name, canonicalOf(&m.value))
			}
		}
		texts[i] = o.text()
	}
	slices.Sort(texts)
	return "[" + strings.Join(texts, ",") + "]"
}

// resourceMember returns the contract of one member of a resource or template:
// size and annotations are hints for display.
func resourceMember(m *member) (string, bool) {
	switch m.name {
	case "title", "description", "icons", "_meta", "size", "annotations":
		return "", false
	}
	return canonicalOf(&m.value), true
}

// canonicalOf returns a sorted value in canonical form.
func canonicalOf(v *value) string { return string(appendCanonical(nil, v)) }

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
		b = appendString(b, m.name)
		b = append(b, ':')
		b = append(b, m.text...)
	}
	return string(append(b, '}'))
}
