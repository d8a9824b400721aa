package drift

// This file finds out what one finding does, apart from all others: its change alone is made in the old schema,
// or undone in the new one.

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/compat"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// causes reports whether a finding is a reason why a value is refused: its change alone refuses the value, the value
// is accepted without the change, or no other change alone refuses it. A finding whose change cannot be separated
// counts as a reason.
func (d *schemaDiff) causes(f *finding, value json.RawMessage) bool {
	refutes := func() bool { return d.refutes(value) }
	alone := func(g *finding) bool { doc := d.alone(g); return doc != nil && d.as(doc, refutes) }
	without := d.without(f)
	return without == nil || alone(f) || !d.as(without, refutes) ||
		!slices.ContainsFunc(d.findings, func(g *finding) bool { return g != f && g.effect != neutral && alone(g) })
}

// checkAlone judges a finding's place as if there were no other finding.
func (d *schemaDiff) checkAlone(f *finding) (v compat.Verdict) {
	if alone := d.alone(f); alone != nil && d.spend(0) {
		d.as(alone, func() bool {
			v = d.check(f.pair.before, placeIn(alone, f.pair.before), partSteps)
			return d.spend(v.Steps)
		})
	}
	return v
}

// innocent reports whether other findings explain why a finding's place is incompatible: each of them makes its own
// place incompatible by itself, and without them this place is compatible.
func (d *schemaDiff) innocent(f *finding) bool {
	rest := d.withoutGuilty()
	if rest == nil || f.guilty {
		return false
	}
	place := placeIn(rest, f.pair.after)
	return place != nil && d.as(rest, func() bool {
		v := d.check(f.pair.before, place, partSteps)
		return d.spend(v.Steps) && v.Answer == compat.Contained
	})
}

// withoutGuilty returns the new schema without the changes that make their places incompatible by themselves; nil if
// there are none.
func (d *schemaDiff) withoutGuilty() *jsonschema.Document {
	if d.searched {
		return d.rest
	}
	d.searched = true
	rest := d.rawAfter
	for _, f := range d.findings {
		if f.effect == neutral || d.place(f.pair).Answer != compat.NotContained ||
			d.checkAlone(f).Answer != compat.NotContained {
			continue
		}
		f.guilty = true
		if without := d.undone(rest, f); without != nil {
			rest = without
		}
	}
	if !equalJSON(rest, d.rawAfter) {
		d.rest = d.document(rest)
	}
	return d.rest
}

// placeIn returns the schema of a document at the pointer of another one; nil if there is none.
func placeIn(doc *jsonschema.Document, s *jsonschema.Schema) *jsonschema.Schema {
	if s.Pointer == "" {
		return doc.Root
	}
	return doc.Lookup(s.Pointer)
}

// as calls do while after takes the place of the new schema, and returns the result.
func (d *schemaDiff) as(after *jsonschema.Document, do func() bool) bool {
	was, eased := d.after, d.eased
	defer func() { d.after, d.eased = was, eased }()
	d.after, d.eased = after, nil
	d.ease()
	return do()
}

// alone returns the old schema with the change of one finding; nil if the change cannot be separated.
func (d *schemaDiff) alone(f *finding) *jsonschema.Document {
	d.separate(f)
	return f.alone
}

// without returns the new schema without the change of one finding; nil if the change cannot be separated.
func (d *schemaDiff) without(f *finding) *jsonschema.Document {
	d.separate(f)
	return f.without
}

// separate makes both schemas of a finding once.
func (d *schemaDiff) separate(f *finding) {
	if f.separated || d.separations >= maxParts {
		return
	}
	f.separated = true
	if suffix, ok := d.keyword(f); ok {
		d.separations++
		f.alone = d.document(edited(d.rawBefore, f.pair.before.Pointer+suffix, f.after))
		f.without = d.document(d.undone(d.rawAfter, f))
	}
}

// undone returns a copy of a new schema without the change of one finding; nil if the change cannot be separated.
func (d *schemaDiff) undone(after json.RawMessage, f *finding) json.RawMessage {
	if suffix, ok := d.keyword(f); ok {
		return edited(after, f.pair.after.Pointer+suffix, f.before)
	}
	return nil
}

// keyword returns the pointer of the keyword or the member that a finding is about, relative to its pair. It reports
// false if the finding is about something else or about required, too, or if its schemas refer to others.
func (d *schemaDiff) keyword(f *finding) (string, bool) {
	if equalJSON(f.before, f.after) || f.pair.before.IsRequired(f.member) != f.pair.after.IsRequired(f.member) {
		return "", false
	}
	for _, s := range []*jsonschema.Schema{f.pair.after, f.pair.before} {
		suffix, ok := strings.CutPrefix(f.path, d.root+s.Pointer)
		if ok && suffix != "" &&
			equalJSON(valueAt(d.rawBefore, f.pair.before.Pointer+suffix), f.before) &&
			equalJSON(valueAt(d.rawAfter, f.pair.after.Pointer+suffix), f.after) {
			return suffix, !bytes.Contains(f.before, []byte(`"$`)) && !bytes.Contains(f.after, []byte(`"$`))
		}
	}
	return "", false
}

// document parses an edited schema; nil without one.
func (d *schemaDiff) document(raw json.RawMessage) *jsonschema.Document {
	if raw == nil || !d.spend(stepsOfCompiling) {
		return nil
	}
	doc, err := parse(raw)
	if err != nil {
		return nil
	}
	if d.part == Arguments {
		doc = ofObjects(doc)
	}
	return doc
}

// valueAt returns the value at a JSON pointer; nil if there is none.
func valueAt(raw json.RawMessage, pointer string) json.RawMessage {
	for pointer != "" && raw != nil {
		var at step
		at, pointer = nextStep(raw, pointer)
		raw = inner(raw, at)
	}
	return raw
}

// edited returns a copy with another value of the object's member at a JSON pointer, or without the member. It
// returns nil if that is not the member of an object.
func edited(raw json.RawMessage, pointer string, value json.RawMessage) json.RawMessage {
	if raw == nil {
		raw = json.RawMessage("{}") // such as the keyword properties
	}
	at, rest := nextStep(raw, pointer)
	switch {
	case rest != "":
		value = edited(inner(raw, at), rest, value)
	case at.kind != memberOf:
		return nil
	case value == nil:
		m := members(raw)
		if m == nil {
			return nil
		}
		delete(m, at.name)
		out, _ := json.Marshal(m) // the members are JSON
		return out
	}
	if value == nil {
		return nil
	}
	out, ok := replace(raw, at, value)
	if !ok {
		return nil
	}
	return out
}

// nextStep splits a JSON pointer into the step into a value and the rest.
func nextStep(raw json.RawMessage, pointer string) (step, string) {
	segment, rest, more := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if more {
		rest = "/" + rest
	}
	if i, err := strconv.Atoi(segment); err == nil && jsontext.First(raw) == '[' {
		return step{kind: elementOf, at: i}, rest
	}
	return step{kind: memberOf, name: jsontext.UnescapePointer(segment)}, rest
}

// inner returns the value at a step; nil if there is none.
func inner(raw json.RawMessage, at step) json.RawMessage {
	if at.kind == memberOf {
		return members(raw)[at.name]
	}
	if list, ok := jsontext.Elements(raw); ok && 0 <= at.at && at.at < len(list) {
		return list[at.at]
	}
	return nil
}
