package validate

// This file writes a plan as a schema for the validation library.

import (
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// emit returns the root schema, with the targets of references in $defs.
func (p *plan) emit() map[string]any {
	defs := map[string]any{}
	for _, n := range p.order {
		if n.target > 0 {
			defs[strconv.Itoa(n.target)] = p.body(n)
		}
	}
	root := p.use(p.root)
	top, ok := root.(map[string]any)
	if !ok { // a boolean
		top = map[string]any{"allOf": []any{root}}
	}
	top["$defs"] = defs
	return top
}

// use returns the schema of n, or a reference to it.
func (p *plan) use(n *node) any {
	if n.target > 0 {
		return map[string]any{"$ref": "#/$defs/" + strconv.Itoa(n.target)}
	}
	return p.body(n)
}

// child returns a subschema of n.
func (p *plan) child(n *node, s *jsonschema.Schema) any {
	child := p.nodes[s]
	if n.cut[child] {
		return true
	}
	return p.use(child)
}

func (p *plan) body(n *node) any {
	if n.Bool != nil {
		return *n.Bool
	}
	if n.Metaschema != "" {
		return map[string]any{"$ref": n.Metaschema} // the library has the metaschemas
	}
	out := map[string]any{}
	p.writeReferences(n, out)
	p.writeScalars(n, out)
	for h := range n.Holders {
		switch {
		case h.Schema != nil:
			out[h.Keyword] = p.child(n, h.Schema)
		case h.List != nil:
			var all []any
			for _, s := range h.List {
				all = append(all, p.child(n, s))
			}
			out[h.Keyword] = all
		default:
			all := make(map[string]any, len(h.Named))
			for _, property := range h.Named {
				all[property.Name] = p.child(n, property.Schema)
			}
			out[h.Keyword] = all
		}
	}
	if len(out) == 0 {
		return true
	}
	out["format"] = p.meter(n)
	if n.Nullable {
		return map[string]any{"anyOf": []any{map[string]any{"type": "null"}, out}}
	}
	return out
}

// writeReferences writes the reference of n. A reference that was cut allows everything.
func (p *plan) writeReferences(n *node, out map[string]any) {
	if n.ref != nil && !n.cut[n.ref] {
		out["$ref"] = p.use(n.ref).(map[string]any)["$ref"]
	}
}

// writeScalars writes the keywords without subschemas.
func (p *plan) writeScalars(n *node, out map[string]any) {
	if n.Types != nil {
		out["type"] = texts(n.Types)
	}
	if n.hasConst {
		out["const"] = n.constant
	}
	if n.Enum != nil {
		out["enum"] = n.members
	}
	bounds, counts := n.Bounds(), n.Counts()
	for _, b := range slices.Concat(bounds[:], counts[:]) {
		if *b.Value != "" {
			out[b.Keyword] = *b.Value
		}
	}
	if n.Pattern != "" {
		out["pattern"] = n.Pattern
	}
	if n.UniqueItems {
		out["uniqueItems"] = true
	}
	if len(n.Required) > 0 {
		out["required"] = texts(n.Required)
	}
	if len(n.DependentRequired) > 0 {
		all := make(map[string]any, len(n.DependentRequired))
		for name, names := range n.DependentRequired {
			all[name] = texts(names)
		}
		out["dependentRequired"] = all
	}
}

// meter returns the format that counts a visit of the node, weighted by its cost.
func (p *plan) meter(n *node) string {
	work := len(n.Enum) + len(n.Required) + len(n.PatternProperties)
	for _, names := range n.DependentRequired {
		work += len(names)
	}
	for _, s := range n.Children(false) {
		work += 1 + len(s.Enum)
	}
	weight := 1 + work/16
	p.weights[weight] = true
	return meterName(weight)
}

func texts(names []string) []any {
	all := make([]any, len(names))
	for i, name := range names {
		all[i] = name
	}
	return all
}
