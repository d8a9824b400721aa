package validate

// This file writes a plan as a schema for the library.

import (
	"encoding/json"
	"strconv"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// emit returns the schema: the root, and in $defs what is referred to.
func (p *plan) emit() map[string]any {
	defs := map[string]any{}
	for _, n := range p.order {
		if n.target > 0 {
			defs[strconv.Itoa(n.target)] = p.body(n)
		}
	}
	root := p.use(p.root)
	top, ok := root.(map[string]any)
	if !ok { // true or false
		top = map[string]any{"allOf": []any{root}}
	}
	top["$defs"] = defs
	return top
}

// use returns n where it applies: itself, or a reference to it.
func (p *plan) use(n *node) any {
	if n.target > 0 {
		return map[string]any{"$ref": "#/$defs/" + strconv.Itoa(n.target)}
	}
	return p.body(n)
}

// child returns a schema that stands in n.
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
	w := &writer{plan: p, node: n, out: map[string]any{}}
	w.references()
	w.scalar()
	w.object()
	w.array()
	w.combined()
	if len(w.out) == 0 {
		return true
	}
	w.meter()
	if n.Nullable {
		return map[string]any{"anyOf": []any{map[string]any{"type": "null"}, w.out}}
	}
	return w.out
}

// writer writes the keywords of one node.
type writer struct {
	plan *plan
	node *node
	out  map[string]any
}

// references writes what n refers to. A reference that is cut allows
// everything.
func (w *writer) references() {
	n := w.node
	if n.ref != nil && !n.cut[n.ref] {
		w.out["$ref"] = w.plan.use(n.ref).(map[string]any)["$ref"]
	}
	if n.dynamicRef != nil && !n.cut[n.dynamicRef] {
		w.out["allOf"] = []any{w.plan.use(n.dynamicRef)}
	}
}

func (w *writer) scalar() {
	n := w.node
	if n.Types != nil {
		types := make([]any, len(n.Types))
		for i, t := range n.Types {
			types[i] = t
		}
		w.out["type"] = types
	}
	if n.hasConst {
		w.out["const"] = n.constant
	}
	if n.Enum != nil {
		w.out["enum"] = n.members
	}
	w.number("minimum", n.Minimum)
	w.number("maximum", n.Maximum)
	w.number("exclusiveMinimum", n.ExclusiveMinimum)
	w.number("exclusiveMaximum", n.ExclusiveMaximum)
	w.number("multipleOf", n.MultipleOf)
	w.number("minLength", n.MinLength)
	w.number("maxLength", n.MaxLength)
	if n.Pattern != "" {
		w.out["pattern"] = n.Pattern
	}
}

func (w *writer) object() {
	n := w.node
	w.properties("properties", n.Properties)
	w.properties("patternProperties", n.PatternProperties)
	w.properties("dependentSchemas", n.DependentSchemas)
	w.schema("additionalProperties", n.AdditionalProperties)
	w.schema("unevaluatedProperties", n.UnevaluatedProperties)
	w.schema("propertyNames", n.PropertyNames)
	w.number("minProperties", n.MinProperties)
	w.number("maxProperties", n.MaxProperties)
	if len(n.Required) > 0 {
		w.out["required"] = texts(n.Required)
	}
	if len(n.DependentRequired) > 0 {
		all := make(map[string]any, len(n.DependentRequired))
		for name, names := range n.DependentRequired {
			all[name] = texts(names)
		}
		w.out["dependentRequired"] = all
	}
}

func (w *writer) array() {
	n := w.node
	w.list("prefixItems", n.PrefixItems)
	w.schema("items", n.Items)
	w.schema("unevaluatedItems", n.UnevaluatedItems)
	w.schema("contains", n.Contains)
	w.number("minContains", n.MinContains)
	w.number("maxContains", n.MaxContains)
	w.number("minItems", n.MinItems)
	w.number("maxItems", n.MaxItems)
	if n.UniqueItems {
		w.out["uniqueItems"] = true
	}
}

func (w *writer) combined() {
	n := w.node
	w.list("allOf", n.AllOf)
	w.list("anyOf", n.AnyOf)
	w.list("oneOf", n.OneOf)
	w.schema("not", n.Not)
	w.schema("if", n.If)
	w.schema("then", n.Then)
	w.schema("else", n.Else)
}

func (w *writer) number(keyword string, value json.Number) {
	if value != "" {
		w.out[keyword] = value
	}
}

func (w *writer) schema(keyword string, s *jsonschema.Schema) {
	if s != nil {
		w.out[keyword] = w.plan.child(w.node, s)
	}
}

// list appends, because references may have written an allOf before.
func (w *writer) list(keyword string, list []*jsonschema.Schema) {
	if len(list) == 0 {
		return
	}
	all, _ := w.out[keyword].([]any)
	for _, s := range list {
		all = append(all, w.plan.child(w.node, s))
	}
	w.out[keyword] = all
}

func (w *writer) properties(keyword string, list []jsonschema.Property) {
	if len(list) == 0 {
		return
	}
	all := make(map[string]any, len(list))
	for _, property := range list {
		all[property.Name] = w.plan.child(w.node, property.Schema)
	}
	w.out[keyword] = all
}

// meter makes a visit of the node count, the more so the longer it takes.
func (w *writer) meter() {
	n := w.node
	work := len(n.Enum) + len(n.Required) + len(n.PatternProperties)
	for _, names := range n.DependentRequired {
		work += len(names)
	}
	for _, s := range n.Children(false) {
		work += 1 + len(s.Enum)
	}
	weight := 1 + work/16
	w.plan.weights[weight] = true
	w.out["format"] = meterName(weight)
}

func texts(names []string) []any {
	all := make([]any, len(names))
	for i, name := range names {
		all[i] = name
	}
	return all
}
