package mcptest

// This file changes the texts in a JSON value and keeps every other byte.

import (
	"bytes"
	"encoding/json"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// rewriter holds the functions that change the parts of a value.
type rewriter struct {
	// text changes a string. Name is the name of its member. Secret reports whether this name, or that of an
	// enclosing member, is secret.
	text   func(name, text string, secret bool) string
	name   func(name string) string         // changes a member's name; nil keeps it
	number func(name, digits string) string // nil keeps it
}

// maxNested bounds how deep JSON inside strings is followed.
const maxNested = 4

// rewrite returns raw, which must be valid JSON, with its parts changed. A string that is itself a JSON
// object or array is changed part by part. It returns false if raw is nested deeper than
// [jsontext.MaxDepth].
func rewrite(raw json.RawMessage, r rewriter) (json.RawMessage, bool) {
	whole, err := jsontext.Whole(raw)
	if err != nil {
		return nil, false
	}
	before, after, _ := bytes.Cut(raw, whole)
	return append(r.value(bytes.Clone(before), whole, "", false, 0), after...), true
}

// value appends a value with its parts changed. Nested counts the enclosing strings of JSON.
func (r rewriter) value(dst, raw []byte, name string, secret bool, nested int) []byte {
	switch jsontext.First(raw) {
	case '{':
		return r.object(dst, raw, secret, nested)
	case '[':
		end := 0
		for items := jsontext.NewItems(raw); items.Next(); end = items.Offset() + len(items.Value) {
			dst = r.value(append(dst, raw[end:items.Offset()]...), items.Value, name, secret, nested)
		}
		return append(dst, raw[end:]...)
	case '"':
		text, ok := jsontext.Unquote(raw)
		if changed := r.within(name, text, secret, nested); ok && changed != text {
			return jsontext.AppendString(dst, changed)
		}
	case 't', 'f', 'n':
	default:
		if r.number != nil {
			return append(dst, r.number(name, string(raw))...)
		}
	}
	return append(dst, raw...)
}

// object appends an object. In {"name": "Authorization", "value": "…"} one member names the content of
// the other.
func (r rewriter) object(dst, raw []byte, secret bool, nested int) []byte {
	named := namesSecret(raw)
	end := 0
	for members := jsontext.NewItems(raw); members.Next(); end = members.Offset() + len(members.Value) {
		name, before := string(members.Key()), raw[end:members.Offset()]
		if written := r.rename(name); written != name {
			dst = append(dst, before[:bytes.IndexByte(before, '"')]...)
			dst = jsontext.AppendString(dst, written)
			before = before[bytes.LastIndexByte(before, '"')+1:]
		}
		dst = append(dst, before...)
		dst = r.value(dst, members.Value, name, secret || isSecretName(name) || named && (name == "value" || name == "values"), nested)
	}
	return append(dst, raw[end:]...)
}

// namesSecret reports whether a member of the object says that its value member is a secret.
func namesSecret(raw []byte) bool {
	for members := jsontext.NewItems(raw); members.Next(); {
		switch string(members.Key()) {
		case "name", "key", "header":
			if isSecretName(jsontext.Text(members.Value)) {
				return true
			}
		}
	}
	return false
}

func (r rewriter) rename(name string) string {
	if r.name == nil {
		return name
	}
	return r.name(name)
}

// within changes a text, as a JSON value if it is one.
func (r rewriter) within(name, text string, secret bool, nested int) string {
	if first := jsontext.First([]byte(text)); !secret && nested < maxNested && (first == '{' || first == '[') {
		if _, err := jsontext.Whole([]byte(text)); err == nil {
			return string(r.value(nil, []byte(text), name, false, nested+1))
		}
	}
	return r.text(name, text, secret)
}
