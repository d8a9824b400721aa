package drift

// This file finds defects of a schema that are new.

import (
	"encoding/json"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/compat"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// validity notes a schema that is no longer valid, and newly broken parts.
func (d *schemaDiff) validity(before, after json.RawMessage) {
	if m := members(after); m == nil && members(before) != nil && string(after) != "true" {
		f := d.plain(schemaInvalid, d.root, "the schema is not an object")
		f.before, f.after, f.severity = before, after, Breaking
		if jsontext.Present(after) == nil {
			f.severity = Warning // null or absent: any arguments are accepted
		}
		return
	}
	known := map[string]bool{}
	for _, p := range d.before.Problems {
		known[p.Pointer+p.Reason] = true
	}
	for _, p := range d.after.Problems {
		if !known[p.Pointer+p.Reason] {
			d.plain(schemaInvalid, d.root+p.Pointer, "a part of the schema is broken: "+clean(p.Reason)).severity = Breaking
		}
	}
}

// plain adds a finding about the schema as a whole that does not change the allowed values.
func (d *schemaDiff) plain(rule *row, path, message string) *finding {
	f := &finding{
		note: note{rule: rule, path: path, message: message},
		pair: &pair{before: d.before.Root, after: d.after.Root}, effect: neutral,
	}
	d.findings = append(d.findings, f)
	return f
}

// references notes references that are newly unresolved or lead out of the document.
func (d *schemaDiff) references() {
	old := map[string]bool{}
	dangling(d.before, func(s *jsonschema.Schema) { old[s.Ref] = true })
	dangling(d.after, func(s *jsonschema.Schema) {
		if old[s.Ref] {
			return
		}
		old[s.Ref] = true
		rule, message := schemaRefBroken, "the reference "+quote(s.Ref)+" leads to nothing"
		if !strings.HasPrefix(s.Ref, "#") {
			rule = schemaRefExternal
			message = "the reference " + quote(s.Ref) + " points outside the document; mcpgen never follows it"
		}
		d.plain(rule, d.root+s.Pointer+"/$ref", message).after = text(s.Ref)
	})
}

// dangling yields the schemas of a document whose references cannot be resolved.
func dangling(doc *jsonschema.Document, yield func(*jsonschema.Schema)) {
	for s := range doc.Root.All {
		if _, err := doc.Follow(s); err != nil {
			yield(s)
		}
	}
}

// headers notes which arguments a new schema sends as HTTP headers. The severity is info: a protocol feature,
// and no caller sent these arguments without a header before.
func (d *schemaDiff) headers(of *jsonschema.Schema) {
	for s := range of.All {
		if raw := s.Keywords["x-mcp-header"]; raw != nil {
			f := d.plain(xMcpHeaderAdded, d.root+s.Pointer+"/x-mcp-header",
				"the argument must be sent as the HTTP header "+quoteJSON(raw))
			f.after, f.severity = raw, Info
		}
	}
}

// nothing notes places where no value fits any more although some did before.
func (d *schemaDiff) nothing() {
	o := compat.Options{Lens: d.lens(), Arguments: d.part == Arguments, MaxSteps: partSteps}
	for _, pointer := range compat.Nothing(d.ctx, d.after, d.before, &o) {
		f := d.plain(noValueFits, d.root+pointer,
			"no value matches the schema any longer, because the schema contradicts itself here")
		if s := d.before.Lookup(pointer); s != nil {
			f.before = rawOf(s)
		}
		f.after = rawOf(d.after.Lookup(pointer))
	}
}
