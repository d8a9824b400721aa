package decide

// Dynamic references: $dynamicRef and $recursiveRef. jsonschema's Bound turns them into $ref
// where they lead to a schema. The others are ignored, and the comment of the type says so.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// dynamic returns the keyword of s that refers dynamically, "" if it has none.
func dynamic(s *jsonschema.Schema) string {
	for _, keyword := range []string{"$dynamicRef", "$recursiveRef"} {
		if s.Keywords[keyword] != nil {
			return keyword
		}
	}
	return ""
}

// keepDynamic lets m, which is a copy, have the dynamic reference of p.
func keepDynamic(m, p *jsonschema.Schema) {
	keyword := dynamic(p)
	if keyword == "" || dynamic(m) != "" {
		return
	}
	if m.Keywords = maps.Clone(m.Keywords); m.Keywords == nil {
		m.Keywords = map[string]json.RawMessage{}
	}
	m.Keywords[keyword] = p.Keywords[keyword]
}

// widerType ends a warning where only the local part of a schema is typed.
const widerType = ": the type is wider"

// unfollowed says of the type of v that it is wider than v, if a reference of v that is
// dynamic, or leads nowhere, says more.
func (mk *maker) unfollowed(v *jsonschema.Schema, e expr) expr {
	why := mk.views.lost[v.Pointer]
	if keyword := dynamic(v); keyword != "" {
		why = fmt.Sprintf("its %s is not followed", keyword)
	}
	if why == "" {
		return e
	}
	if e.ref.Kind == mk.untyped().Kind {
		return mk.wide(v, why)
	}
	mk.warn(v.Pointer, why+widerType)
	note := "The type is wider than the schema: " + why + "."
	if last := len(mk.decls) - 1; e.ref.Kind == ir.Named && last >= 0 && mk.decls[last].t == e.ref.Decl {
		mk.decls[last].notes = append(mk.decls[last].notes, note)
		return e
	}
	e.notes = append(slices.Clip(e.notes), note)
	return e
}
