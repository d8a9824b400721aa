package decide

import (
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// share counts properties and those with a Go type that says something.
type share struct{ all, typed int }

func (s share) percent() float64 { return 100 * float64(s.typed) / float64(max(s.all, 1)) }

// isUntyped reports whether a type says nothing at some level.
func isUntyped(r *ir.Ref) bool {
	switch r.Kind {
	case ir.Any, ir.Raw:
		return true
	case ir.Named:
		return r.Decl.Kind == ir.Alias && isUntyped(r.Decl.Of.Elem)
	case ir.Basic, ir.Text, ir.Number:
		return false
	}
	return isUntyped(r.Elem)
}

// countFields looks at what was decided: fields whose schema names a type.
func countFields(b *side, s *share) {
	for _, d := range b.decls {
		for _, m := range d.members {
			if !saysType(m.schema) {
				continue
			}
			s.all++
			if !isUntyped(m.f.Type) {
				s.typed++
			}
		}
	}
}

// saysType reports whether a schema says what Go could show: not just any value,
// or any object.
func saysType(s *jsonschema.Schema) bool {
	if types := nonNull(s.Types); len(types) == 1 && types[0] == "object" {
		return len(s.Properties) > 0 || s.AdditionalProperties != nil && s.AdditionalProperties.Bool == nil
	}
	return len(s.Types) > 0 || s.Ref != "" || s.AllOf != nil || s.AnyOf != nil || s.OneOf != nil || s.Values() != nil
}

// countProperties looks at the schema: every property that a value can reach, and
// whether a field was made of it.
func countProperties(b *side, s *share) {
	made := map[*jsonschema.Schema]bool{}
	for _, d := range b.decls {
		for _, m := range d.members {
			made[m.schema] = !isUntyped(m.f.Type)
		}
	}
	seen := map[*jsonschema.Schema]bool{}
	var walk func(*jsonschema.Schema)
	walk = func(x *jsonschema.Schema) {
		if x == nil || seen[x] {
			return
		}
		seen[x] = true
		if target, err := b.views.doc.Resolve(x); err == nil {
			walk(target)
		}
		for _, p := range x.Properties {
			if saysType(p.Schema) {
				s.all++
				if made[p.Schema] {
					s.typed++
				}
			}
		}
		for _, child := range x.Children(false) {
			walk(child)
		}
	}
	walk(b.views.doc.Root)
}

// TestTypedShare keeps the promise that real servers come out typed, and prints
// how much of each one does. What does not is a union, and has a warning.
func TestTypedShare(t *testing.T) {
	var all share
	for _, s := range corpusServers(t) {
		in := Input{Server: Server{Name: s.Server, Snapshot: s}}
		w := newWarner(s.Server, "")
		var fields, properties share
		tools, err := readTools(t.Context(), in, w)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range tools {
			tool.buildTypes(t.Context(), w)
			for _, b := range tool.sides {
				countFields(b, &fields)
				countProperties(b, &properties)
			}
		}
		t.Logf("%-12s fields %3d/%3d %5.1f %%   properties, those inside unions too %3d/%3d %5.1f %%   warnings %d", s.Server,
			fields.typed, fields.all, fields.percent(), properties.typed, properties.all, properties.percent(), len(w.list))
		all.all += fields.all
		all.typed += fields.typed
		if untyped := fields.all - fields.typed; untyped > len(w.list) {
			t.Errorf("%s: %d fields are not typed, but there are %d warnings", s.Server, untyped, len(w.list))
		}
	}
	if all.percent() < 95 {
		t.Errorf("%.1f %% of the fields are typed, want 95", all.percent())
	}
	t.Logf("all          fields %d/%d %.1f %%", all.typed, all.all, all.percent())
}
