package main

// What a caller of the generated code can say. Arguments have no room for
// members that a schema neither declares nor asks for, and an optional member
// whose default is its type's zero value is left out when it is zero: both by
// design, and neither is a loss to a caller. Arguments are judged without them, and the
// values that have some are counted. There is no such exception for results.

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// The exceptions.
const (
	notDeclared = "undeclared members"
	isDefault   = "an optional zero that is the default"
)

// sayable returns arguments without what a caller cannot say, or says by leaving
// it out, and which of the exceptions that took. Got has what was left out.
func (s *toolSchema) sayable(sent, got json.RawMessage) (json.RawMessage, map[string]bool) {
	doc, err := jsonschema.Parse(s.raw)
	if err != nil {
		return sent, nil
	}
	value, err := decodeExact(sent)
	if err != nil {
		return sent, nil
	}
	back, err := decodeExact(got)
	if err != nil {
		return sent, nil
	}
	doc = doc.Bound()
	w := sayer{doc: doc, took: map[string]bool{}}
	w.walk(w.parts(doc.Root), value, back, true)
	text, err := json.Marshal(value)
	if err != nil {
		return sent, nil
	}
	return text, w.took
}

// sayer walks a value beside all schemas that may speak of it.
type sayer struct {
	doc  *jsonschema.Document
	took map[string]bool // exceptions
}

// parts are s and everything that it refers to or is composed of.
func (w *sayer) parts(all ...*jsonschema.Schema) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	var add func(s *jsonschema.Schema)
	add = func(s *jsonschema.Schema) {
		if s == nil || slices.Contains(out, s) || len(out) > 500 {
			return
		}
		out = append(out, s)
		if s.Ref != "" {
			if target, err := w.doc.Resolve(s); err == nil {
				add(target)
			}
		}
		for _, branches := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, {s.If, s.Then, s.Else}} {
			for _, b := range branches {
				add(b)
			}
		}
	}
	for _, s := range all {
		add(s)
	}
	return out
}

func (w *sayer) walk(parts []*jsonschema.Schema, sent, got any, root bool) {
	switch sent := sent.(type) {
	case map[string]any:
		back, _ := got.(map[string]any)
		w.object(parts, sent, back, root)
	case []any:
		back, _ := got.([]any)
		for i, item := range sent {
			var below []*jsonschema.Schema
			for _, p := range parts {
				if i < len(p.PrefixItems) {
					below = append(below, p.PrefixItems[i])
				} else {
					below = append(below, p.Items)
				}
			}
			var b any
			if i < len(back) {
				b = back[i]
			}
			w.walk(w.parts(below...), item, b, false)
		}
	}
}

func (w *sayer) object(parts []*jsonschema.Schema, sent, got map[string]any, root bool) {
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		below, declared := members(parts, name)
		_, kept := got[name]
		all := w.parts(below...)
		switch {
		case kept:
		case !declared && closed(parts, root):
			delete(sent, name)
			w.took[notDeclared] = true
			continue
		case declared && zeroDefault(all, sent[name]):
			delete(sent, name)
			w.took[isDefault] = true
			continue
		}
		w.walk(all, sent[name], got[name], false)
	}
}

// members returns the schemas of a member, and whether any part speaks of it by
// its name or by a pattern.
func members(parts []*jsonschema.Schema, name string) (below []*jsonschema.Schema, declared bool) {
	for _, p := range parts {
		known := false
		for _, m := range p.Properties {
			if m.Name == name {
				below, known = append(below, m.Schema), true
			}
		}
		for _, m := range p.PatternProperties {
			if re, err := regexp.Compile(m.Name); err != nil || re.MatchString(name) {
				below, known = append(below, m.Schema), true
			}
		}
		if !known {
			below = append(below, p.AdditionalProperties)
		}
		declared = declared || known || slices.Contains(p.Required, name)
	}
	return below, declared
}

// closed reports whether an object has room for what it declares alone: no part
// opens it, and it is not a map.
func closed(parts []*jsonschema.Schema, root bool) bool {
	declares := root
	for _, p := range parts {
		declares = declares || len(p.Properties) > 0 || len(p.Required) > 0
		if more := p.AdditionalProperties; more != nil && (more.Bool == nil || *more.Bool) || len(p.PatternProperties) > 0 {
			return false
		}
	}
	return declares
}

// zeroDefault reports whether v is 0, "" or false, and a part's default too.
func zeroDefault(parts []*jsonschema.Schema, v any) bool {
	switch v := v.(type) {
	case bool:
		if v {
			return false
		}
	case string:
		if v != "" {
			return false
		}
	case json.Number:
		if decimal(string(v)) != decimal("0") {
			return false
		}
	default:
		return false
	}
	return slices.ContainsFunc(parts, func(p *jsonschema.Schema) bool {
		if p.Default == nil {
			return false
		}
		d, err := decodeExact(p.Default)
		return err == nil && differ("", v, d) == ""
	})
}
