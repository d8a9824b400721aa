package drift

// This file searches for a value that proves a breaking finding: it fitted before and does not fit now. For
// results: it may be sent now and was not allowed before.

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/schema/compat"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/sample"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// maxTries bounds the number of values tried for one finding.
const maxTries = 16

// prove gives a finding a witness. The only bad finding takes the witness of the whole schema; a finding never
// takes the witness of another finding.
func (d *schemaDiff) prove(f *finding, whole compat.Verdict) {
	only := d.only(f)
	if only && whole.Witness != nil && !d.causes(f, whole.Witness) {
		only = false
	}
	if only && f.pair.parent == nil && whole.Witness != nil {
		f.witness, f.why = whole.Witness, whole.Reason
		return
	}
	if d.try(f) {
		return
	}
	f.why = "no example value was found"
	if only {
		f.witness, f.why = whole.Witness, whole.Reason
	}
}

// plainer returns a witness that fits the schema without the profile's lens. It returns the given witness if
// that already fits, or if no other is found.
func (d *schemaDiff) plainer(witness json.RawMessage) json.RawMessage {
	from, _ := ordered(d, d.before, d.after)
	fits := d.compile(from, from.Root)
	if witness == nil || fits == nil || fits.Validate(witness) == nil {
		return witness
	}
	for value := range sample.Values(from, from.Root, &sample.Options{Max: 2 * maxTries, Spend: d.spend}) {
		if d.refutes(value) {
			return value
		}
	}
	return witness
}

// try searches for a witness of one finding.
func (d *schemaDiff) try(f *finding) bool {
	if d.proofs++; d.proofs > maxProofs {
		return false
	}
	for _, try := range d.tries(f) {
		if !d.spend(0) {
			break
		}
		if value, ok := d.embed(f.pair, try); ok && d.refutes(value) && d.causes(f, value) {
			f.witness = value
			return true
		}
	}
	return false
}

// only reports whether the finding is the only bad finding of its schema.
func (d *schemaDiff) only(f *finding) bool {
	for _, g := range d.findings {
		if g != f && g.effect != neutral && d.severity(g).AtLeast(Unknown) {
			return false
		}
	}
	return true
}

// tries returns candidate values for the finding's place.
func (d *schemaDiff) tries(f *finding) []json.RawMessage {
	tries := slices.Clone(f.tries)
	from, _ := ordered(d, f.pair.before, f.pair.after)
	doc, _ := ordered(d, d.before, d.after)
	if f.rule.marked("-") || d.part == Results && f.rule.marked("+") {
		for value := range sample.Values(doc, from, &sample.Options{Max: 4, Spend: d.spend}) {
			if m := members(value); m != nil {
				delete(m, f.member)
				if raw, err := json.Marshal(m); err == nil {
					tries = append(tries, raw)
				}
			}
		}
	}
	if d.part == Arguments && f.rule.marked("+") {
		for value := range sample.Values(doc, from, &sample.Options{Max: 8, Spend: d.spend}) {
			if members(value)[f.member] != nil {
				tries = append(tries, value)
			}
		}
	}
	if v := d.checkAlone(f); v.Witness != nil {
		tries = append(tries, v.Witness)
	}
	if v := d.place(f.pair); v.Witness != nil {
		tries = append(tries, v.Witness)
	}
	return tries[:min(len(tries), maxTries)]
}

// embed puts a value of a place into a value of the whole schema.
func (d *schemaDiff) embed(p *pair, value json.RawMessage) (json.RawMessage, bool) {
	for ; p.parent != nil; p = p.parent {
		if p.step.kind == sameValue {
			continue
		}
		holder, _ := ordered(d, p.parent.before, p.parent.after)
		var ok bool
		if value, ok = d.insert(holder, p.step, value); !ok {
			return nil, false
		}
	}
	return value, true
}

// insert puts a value into the first sample of a schema that fits with it.
func (d *schemaDiff) insert(holder *jsonschema.Schema, at step, value json.RawMessage) (json.RawMessage, bool) {
	doc, _ := ordered(d, d.before, d.after)
	fits := d.compile(doc, holder)
	if fits == nil {
		return nil, false
	}
	for base := range sample.Values(doc, holder, &sample.Options{Max: 6, Spend: d.spend}) {
		if filled, ok := replace(base, at, value); ok && fits.Validate(filled) == nil {
			return filled, true
		}
	}
	return nil, false
}

// compile compiles a schema of one document once, and returns nil if that fails.
func (d *schemaDiff) compile(doc *jsonschema.Document, s *jsonschema.Schema) *validate.Schema {
	compiled, ok := d.compiled[s]
	if !ok {
		if d.spend(stepsOfCompiling) {
			compiled, _ = validate.Of(doc, s) // nil on error
		}
		d.compiled[s] = compiled
	}
	return compiled
}

// replace puts a value into one place of another value.
func replace(base json.RawMessage, at step, value json.RawMessage) (json.RawMessage, bool) {
	switch at.kind {
	case memberOf, anyMember:
		m := members(base)
		if m == nil {
			return nil, false
		}
		name := at.name
		if at.kind == anyMember {
			name = "x"
		}
		m[name] = value
		raw, err := json.Marshal(m)
		return raw, err == nil
	case elementOf, anyElement:
		var list []json.RawMessage
		if json.Unmarshal(base, &list) != nil || len(list) < at.at || list == nil {
			return nil, false
		}
		if len(list) == at.at {
			list = append(list, value)
		}
		list[at.at] = value
		raw, err := json.Marshal(list)
		return raw, err == nil
	}
	return nil, false
}

// refutes reports whether a whole value fits the one schema and not the other. The other schema is checked with
// compat, so that the profile's lens applies.
func (d *schemaDiff) refutes(value json.RawMessage) bool {
	from, to := ordered(d, d.before, d.after)
	fits := d.compile(from, from.Root)
	if fits == nil || fits.Validate(value) != nil {
		return false
	}
	if o := d.lens(); o == compat.CallerInput && !d.declared(from.Root, from, value, 0) {
		return false
	}
	single, err := jsonschema.Parse(json.RawMessage(fmt.Sprintf(`{"const":%s}`, value)))
	if err != nil {
		return false
	}
	options := compat.Options{Lens: d.lens(), MaxSteps: partSteps}
	if options.Lens == compat.CallerInput {
		options.Lens = compat.Strict // all members of the value are declared
	}
	v := compat.Check(d.ctx, single, to, &options)
	d.spend(v.Steps)
	return v.Answer == compat.NotContained
}

// declared reports whether a generated client can send the members of a value: declared members, or members
// that the schema allows explicitly.
func (d *schemaDiff) declared(s *jsonschema.Schema, doc *jsonschema.Document, value json.RawMessage, depth int) bool {
	s = resolved(doc, s)
	m := members(value)
	if m == nil || depth > 64 || len(s.Properties) == 0 && depth > 0 || s.AdditionalProperties != nil ||
		len(s.AnyOf)+len(s.OneOf)+len(s.AllOf)+len(s.PatternProperties) > 0 {
		return true
	}
	for name, v := range m {
		sub := s.Property(name)
		if sub == nil || !d.declared(sub, doc, v, depth+1) {
			return false
		}
	}
	return true
}
