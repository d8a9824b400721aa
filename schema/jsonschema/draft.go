package jsonschema

// This file lists the keywords of each draft. An older draft ignores keywords introduced later.

import (
	"encoding/json"
	"slices"
	"strings"
)

// Draft is a version of JSON Schema: 4, 6, 7, 2019 or 2020.
type Draft int

// Draft returns the draft named by $schema. If the name is unknown, it returns 2020-12 and false.
func (d *Document) Draft() (Draft, bool) {
	if draft, _ := metaschema(d.Dialect); draft != 0 {
		return draft, true
	}
	return 2020, d.Dialect == ""
}

// metaschema returns the draft with the given address and the canonical address of its metaschema; 0 and "" if
// the address is unknown.
func metaschema(address string) (Draft, string) {
	_, rest, _ := strings.Cut(strings.TrimRight(address, "#"), "://")
	switch rest {
	case "json-schema.org/draft-04/schema":
		return 4, "http://" + rest
	case "json-schema.org/draft-06/schema":
		return 6, "http://" + rest
	case "json-schema.org/draft-07/schema":
		return 7, "http://" + rest
	case "json-schema.org/draft/2019-09/schema":
		return 2019, "https://" + rest
	case "json-schema.org/draft/2020-12/schema", "json-schema.org/schema":
		return 2020, "https://json-schema.org/draft/2020-12/schema"
	}
	return 0, ""
}

// metaschemas adds one schema for each referenced metaschema, unless the document has a schema with that $id.
// Metaschemas are constants, so nothing is fetched.
func (p *schemaParser) metaschemas() {
	for _, s := range p.refs {
		address, _ := resolveURI(s.base, s.Ref)
		_, canonical := metaschema(address)
		if _, known := p.doc.ids[address]; known || canonical == "" {
			continue
		}
		quoted, _ := json.Marshal(canonical) // strings can always be marshalled
		stands := &Schema{
			Pointer: canonical, Metaschema: canonical, Types: []string{"object", "boolean"},
			Keywords: map[string]json.RawMessage{"$metaschema": quoted},
		}
		if first := p.doc.pointers[canonical]; first != nil { // referenced by another of its addresses
			stands = first
		}
		p.doc.ids[address], p.doc.pointers[canonical] = stands, stands
	}
}

// Effective returns a copy of s without contentSchema, which is an annotation, and without keywords that the
// draft lacks.
func (d Draft) Effective(s *Schema) *Schema {
	if d < 2019 && s.Ref != "" { // siblings of a reference are ignored
		return &Schema{Pointer: s.Pointer, Ref: s.Ref, base: s.base}
	}
	c := *s
	c.ContentSchema = nil
	if d < 6 {
		c.Const, c.Contains, c.PropertyNames = nil, nil, nil
	}
	if d < 7 {
		c.If = nil
	}
	if d < 2019 {
		c.MinContains, c.MaxContains = "", ""
		c.UnevaluatedItems, c.UnevaluatedProperties = nil, nil
		c.onlyDependencies()
	}
	if d < 2020 && c.Keywords["prefixItems"] != nil {
		c.PrefixItems = nil
		if isArray(c.Keywords["items"]) {
			c.Items = nil // items is additionalItems, which starts after the tuple
		}
	}
	if c.If == nil {
		c.Then, c.Else = nil, nil
	}
	if c.Contains == nil {
		c.MinContains, c.MaxContains = "", ""
	}
	return &c
}

// onlyDependencies keeps the effect of the keyword dependencies and drops that of the two keywords that
// replaced it.
func (s *Schema) onlyDependencies() {
	var old map[string]json.RawMessage
	if json.Unmarshal(s.Keywords["dependencies"], &old) != nil {
		old = nil
	}
	if s.Keywords["dependentRequired"] != nil {
		kept := map[string][]string{}
		for name, names := range s.DependentRequired {
			if isArray(old[name]) {
				kept[name] = names
			}
		}
		s.DependentRequired = kept
	}
	s.DependentSchemas = slices.DeleteFunc(slices.Clone(s.DependentSchemas), func(p Property) bool {
		return !strings.HasPrefix(p.Schema.Pointer, s.Pointer+"/dependencies/")
	})
}

func isArray(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '[' }
