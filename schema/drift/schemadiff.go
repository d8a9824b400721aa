package drift

// This file judges one schema of a tool: its arguments or its results. The walk finds differences; package
// compat decides their effect.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/compat"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// Limits for one schema, in addition to the check of the schema as a whole.
const (
	maxParts         = 24     // places judged individually
	maxProofs        = 24     // findings that get their own witness
	stepsOfCompiling = 100    // for one validator
	partSteps        = 10_000 // for each check of a place and each search for a witness
)

// schemaDiff is one schema before and after.
type schemaDiff struct {
	*scope
	part          Part
	root          string // pointer to the schema in the definition
	before, after *jsonschema.Document
	eased         *jsonschema.Document // after without the bounds of JavaScript's integers; nil if equal to after
	findings      []*finding
	parts, proofs int
	left          int                                     // remaining steps for places and witnesses
	compiled      map[*jsonschema.Schema]*validate.Schema // nil if compilation failed

	rawBefore, rawAfter json.RawMessage

	separations int // findings with schemas of their own
	searched    bool
	rest        *jsonschema.Document // see withoutGuilty
}

// pair is two schemas of the same place.
type pair struct {
	before, after *jsonschema.Schema
	parent        *pair
	step          step // how to get from a value of the parent to this place
	verdict       *compat.Verdict
}

// finding is one difference of a pair.
type finding struct {
	note
	pair      *pair
	effect    effect            // on the schema's values
	member    string            // the member concerned, if any
	tries     []json.RawMessage // values of the place that may be witnesses
	why       string
	safe      bool // a bound of JavaScript's integers, which only deliberate code exceeds
	guilty    bool // makes its place incompatible by itself, see withoutGuilty
	separated bool
	alone     *jsonschema.Document // see schemaDiff.alone
	without   *jsonschema.Document // see schemaDiff.without
}

// outputs compares the schemas of results.
func (s *scope) outputs(before, after json.RawMessage) {
	b, a := jsontext.Present(members(before)["outputSchema"]), jsontext.Present(members(after)["outputSchema"])
	switch {
	case b == nil && a == nil:
	case b == nil:
		s.add(note{rule: outputSchemaAdded, path: "/outputSchema", message: "results have a schema", after: a})
		s.firstSchema(Results, a)
	case a == nil:
		s.add(note{rule: outputSchemaRemoved, path: "/outputSchema",
			message: "results no longer have a schema: they may be anything", before: b})
	default:
		s.schemas(Results, b, a, false)
	}
}

// newSchemaDiff parses both schemas. If one cannot be judged, it notes a change and returns nil.
func (s *scope) newSchemaDiff(part Part, before, after json.RawMessage) *schemaDiff {
	d := &schemaDiff{scope: s, part: part, root: "/" + string(part) + "Schema",
		rawBefore: before, rawAfter: after,
		left: s.opts.steps(), compiled: map[*jsonschema.Schema]*validate.Schema{}}
	was, errBefore := parse(before)
	now, errAfter := parse(after)
	if err := cmp.Or(errAfter, errBefore); err != nil {
		s.add(note{rule: schemaTooComplex, part: part, path: d.root,
			message: "the schema cannot be judged: " + clean(err.Error()), before: before, after: after})
		return nil
	}
	d.before, d.after = was, now
	if part == Arguments {
		d.before, d.after = ofObjects(was), ofObjects(now)
	}
	return d
}

// ofObjects adds the protocol's rule that arguments are an object to a schema. A schema that allows no objects
// stays as it is.
func ofObjects(doc *jsonschema.Document) *jsonschema.Document {
	root := *doc.Root
	if root.IsBool(false) || len(root.Types) > 0 && !slices.Contains(root.Types, "object") {
		return doc
	}
	root.Bool, root.Types, root.Nullable = nil, []string{"object"}, false
	root.Keywords = maps.Clone(root.Keywords)
	if root.Keywords == nil {
		root.Keywords = map[string]json.RawMessage{}
	}
	root.Keywords["type"] = json.RawMessage(`"object"`)
	typed := *doc
	typed.Root = &root
	return &typed
}

// parse parses a schema; a missing schema allows everything.
func parse(raw json.RawMessage) (*jsonschema.Document, error) {
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	return jsonschema.Parse(raw)
}

// schemas compares two schemas. With docs, they are known to be equivalent except for documentation.
func (s *scope) schemas(part Part, before, after json.RawMessage, docs bool) {
	if equalJSON(before, after) {
		return
	}
	d := s.newSchemaDiff(part, before, after)
	if d == nil {
		return
	}
	if docs || equalContract(before, after) {
		d.walk()
		d.documentation()
		return
	}
	d.validity(before, after)
	d.walk()
	d.decide()
}

// documentation reports only the changes of text for people.
func (d *schemaDiff) documentation() {
	for _, f := range d.findings {
		if f.rule == docsChanged {
			d.report(f, "")
		}
	}
}

// equalContract compares the contracts of two schemas by wrapping each into a tool.
func equalContract(before, after json.RawMessage) bool {
	return contractOf(wrapped(before)) == contractOf(wrapped(after))
}

// wrapped returns a tool with the given input schema.
func wrapped(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	return append(append(json.RawMessage(`{"name":"t","inputSchema":`), raw...), '}')
}

// firstSchema examines a schema without a predecessor.
func (s *scope) firstSchema(part Part, raw json.RawMessage) {
	if raw == nil {
		return
	}
	d := s.newSchemaDiff(part, raw, raw)
	if d == nil {
		return
	}
	d.before, _ = parse(json.RawMessage("{}")) // {} can always be parsed
	d.references()
	d.headers(d.after.Root)
	for _, f := range d.findings {
		d.report(f, f.severity)
	}
}

// lens returns the lens of the profile for this part.
func (d *schemaDiff) lens() compat.Lens {
	switch {
	case d.profile == Strict || d.profile == Pin:
		return compat.Strict
	case d.part == Arguments:
		return compat.CallerInput
	}
	return compat.CallerOutput
}

// ordered returns first the schema whose values must fit, then the schema that must accept them.
func ordered[T any](d *schemaDiff, before, after T) (from, to T) {
	if d.part == Arguments {
		return before, after
	}
	return after, before
}

// spend uses up steps for places and witnesses. It reports false if no steps are left or the context is done.
func (d *schemaDiff) spend(steps int) bool {
	d.left -= steps
	d.gaveUp = d.gaveUp || d.left < 0
	return d.left >= 0 && !d.ended()
}

// check runs compat on two places of the documents with the given number of steps.
func (d *schemaDiff) check(before, after *jsonschema.Schema, steps int) compat.Verdict {
	b, a := *d.before, *d.after
	b.Root, a.Root = before, after
	if d.eased != nil {
		a = *d.eased
		if s := d.eased.Lookup(after.Pointer); after != d.after.Root && s != nil {
			a.Root = s
		}
	}
	from, to := ordered(d, &b, &a)
	o := compat.Options{Lens: d.lens(), Arguments: d.part == Arguments && before == d.before.Root, MaxSteps: steps}
	return compat.Check(d.ctx, from, to, &o)
}

// place checks a pair once and caches the verdict.
func (d *schemaDiff) place(p *pair) compat.Verdict {
	if p.verdict == nil {
		v := compat.Verdict{Answer: compat.Unknown, Reason: "too many places differ"}
		if d.parts < maxParts && d.spend(0) {
			d.parts++
			v = d.check(p.before, p.after, partSteps)
			d.spend(v.Steps)
		}
		p.verdict = &v
	}
	return *p.verdict
}

// severity returns the rule's severity of a finding. If the walk found another effect than the rule's, a
// narrowing finding is breaking.
func (d *schemaDiff) severity(f *finding) Severity {
	switch {
	case f.severity != "":
		return f.severity
	case f.effect != f.rule.effect && d.effect(f) == narrows:
		return Breaking
	}
	return f.rule.about(d.part).Severity(Caller)
}

// effect returns the effect on the values that must fit: narrows is bad.
func (d *schemaDiff) effect(f *finding) effect {
	if d.part == Results {
		return f.effect.mirrored()
	}
	return f.effect
}

// decide gives every finding its severity.
func (d *schemaDiff) decide() {
	d.nothing()
	d.ease()
	root := &pair{before: d.before.Root, after: d.after.Root}
	whole := d.check(root.before, root.after, d.opts.steps())
	d.gaveUp = d.gaveUp || whole.GaveUp
	whole.Witness = d.plainer(whole.Witness)
	root.verdict = &whole
	for _, f := range d.findings {
		if f.pair.parent == nil {
			f.pair.verdict = &whole
		}
	}
	worst := Off
	for _, f := range d.findings {
		severity := d.judge(f, whole)
		switch {
		case f.safe && d.eased != nil:
			d.try(f)
		case severity == Breaking && f.effect != neutral && !f.lifted && f.witness == nil:
			d.prove(f, whole)
		}
		if !f.lifted && (f.effect != neutral || f.rule == noValueFits) && severity.rank() > worst.rank() {
			worst = severity
		}
		d.report(f, severity)
	}
	d.summary(whole, worst)
}

// ease removes bounds that only state the range of JavaScript's exact integers: callers send larger values only
// on purpose. Strict comparison keeps these bounds.
func (d *schemaDiff) ease() {
	if d.part != Arguments || d.lens() == compat.Strict ||
		!slices.ContainsFunc(d.findings, func(f *finding) bool { return f.safe }) {
		return
	}
	d.eased = d.after.Edited(func(_, s *jsonschema.Schema) {
		if safeBound(s, s.Maximum, false) {
			s.Maximum = ""
		}
		if safeBound(s, s.Minimum, true) {
			s.Minimum = ""
		}
	})
}

// judge gives one finding its severity.
func (d *schemaDiff) judge(f *finding, whole compat.Verdict) Severity {
	guess := d.severity(f)
	if f.effect == neutral || f.rule == schemaKeywordUnknownChanged {
		return d.raised(f, guess)
	}
	if f.safe && d.eased != nil {
		return d.raised(f, Info)
	}
	safe := guess
	switch {
	case f.rule == propertyRenamed:
		safe = Warning // accepted, but the old name has no effect
	case guess.AtLeast(Unknown):
		safe = Info
	}
	if whole.Answer == compat.Contained {
		f.why = whole.Reason
		return d.raised(f, safe)
	}
	switch v := d.place(f.pair); {
	case v.Answer == compat.Contained:
		f.why = v.Reason
		return d.raised(f, safe)
	case v.Answer == compat.Unknown && guess.AtLeast(Unknown):
		f.why = v.Reason
		if guess == Breaking && (whole.Answer == compat.NotContained || d.try(f)) {
			return Breaking // the finding has its own witness, whatever else is undecided
		}
		return Unknown
	case v.Answer == compat.NotContained && (guess.AtLeast(Unknown) || !d.blamed(f.pair) && !d.innocent(f)):
		return Breaking
	}
	return d.raised(f, safe)
}

// raised applies the profile to a finding that is safe on the wire.
func (d *schemaDiff) raised(f *finding, severity Severity) Severity {
	if d.profile != Caller && d.profile != Strict &&
		f.rule.about(d.part).Severity(d.profile) == Breaking && severity != Breaking {
		f.lifted = true
		return Breaking
	}
	return severity
}

// blamed reports whether a finding at a place or below it explains the incompatibility there.
func (d *schemaDiff) blamed(p *pair) bool {
	for _, f := range d.findings {
		if f.effect == neutral || !d.severity(f).AtLeast(Unknown) {
			continue
		}
		for q := f.pair; q != nil; q = q.parent {
			if q == p {
				return true
			}
		}
	}
	return false
}

// report records a finding; severity "" means the rule's own.
func (d *schemaDiff) report(f *finding, severity Severity) {
	n := f.note
	n.part, n.severity = d.part, severity
	switch {
	case severity == Breaking && f.effect != neutral && !f.lifted && f.witness == nil:
		n.aside = fmt.Sprintf(" (no witness: %s)", clean(f.why))
	case severity == Unknown && f.why != "":
		n.aside = fmt.Sprintf(" (undecided: %s)", clean(f.why))
	}
	d.add(n)
}

// summary adds a finding about the schema as a whole if no single finding covers compat's verdict.
func (d *schemaDiff) summary(whole compat.Verdict, worst Severity) {
	n := note{part: d.part, path: d.root, before: d.rawBefore, after: d.rawAfter}
	switch {
	case whole.Answer == compat.NotContained && worst != Breaking:
		n.rule, n.severity, n.witness = schemaChanged, Breaking, whole.Witness
		n.message = "the schema as a whole is no longer compatible: " + clean(whole.Reason)
		if n.witness == nil {
			n.message += " (no example value was found)"
		}
	case whole.Answer == compat.Unknown && !worst.AtLeast(Unknown):
		n.rule, n.severity = schemaUndecided, Unknown
		n.message = "mcpgen cannot decide whether the schema as a whole is still compatible: " + clean(whole.Reason)
	case whole.Answer == compat.Contained && worst == Off && d.silent() && d.moved():
		n.rule, n.severity = schemaChanged, Info
		n.message = "the schema is written in another way, and is still compatible: " + clean(whole.Reason)
	default:
		return
	}
	d.add(n)
}

// silent reports whether the walk found only text changes.
func (d *schemaDiff) silent() bool {
	return !slices.ContainsFunc(d.findings, func(f *finding) bool { return f.rule != docsChanged })
}

// moved reports whether two schemas, one of which contains the other, may allow different values.
func (d *schemaDiff) moved() bool {
	from, to := ordered(d, d.before, d.after)
	o := compat.Options{Lens: compat.Strict, MaxSteps: partSteps}
	return compat.Check(d.ctx, to, from, &o).Answer != compat.Contained ||
		compat.Check(d.ctx, from, to, &o).Answer != compat.Contained
}
