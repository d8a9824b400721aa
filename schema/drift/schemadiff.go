package drift

// This file judges the schema of one side of a tool: its arguments, or its
// results. The walk finds what differs, package compat decides what that means.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/schema/compat"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// What one schema may cost beside the question about it as a whole.
const (
	maxParts         = 24     // places that are judged by themselves
	maxProofs        = 24     // findings that get a witness of their own
	stepsOfCompiling = 100    // of a validator
	partSteps        = 10_000 // of each question about a place, and of each about a witness
)

// schemaDiff is one schema before and after.
type schemaDiff struct {
	*scope
	part          Part
	root          string // pointer to the schema in the definition
	before, after *jsonschema.Document
	eased         *jsonschema.Document // after, without the bounds of JavaScript's integers; nil: the same
	findings      []*finding
	parts, proofs int
	left          int                                     // steps for places and witnesses
	compiled      map[*jsonschema.Schema]*validate.Schema // nil: cannot be compiled

	rawBefore, rawAfter json.RawMessage
}

// pair is two schemas that stand for the same place.
type pair struct {
	before, after *jsonschema.Schema
	parent        *pair
	step          step // how a value of the parent leads here
	verdict       *compat.Verdict
}

// finding is one difference of a pair.
type finding struct {
	pair          *pair
	rule          *row
	effect        effect // on the schema's values
	path, message string
	aside         string // how it was found out
	member        string // that the rule is about, if it is about one
	before, after json.RawMessage
	nominal       Severity          // "" is the rule's
	tries         []json.RawMessage // values of the place that may be witnesses
	witness       json.RawMessage
	why           string
	lifted        bool // breaking for the profile alone
	possible      bool // see Change
	safe          bool // a bound beyond which only a line that means it sends a value
}

// inputs compares the schemas of arguments.
func (s *scope) inputs(before, after json.RawMessage) {
	b, a := members(before)["inputSchema"], members(after)["inputSchema"]
	s.schemas(Arguments, b, a, false)
}

// outputs compares the schemas of results.
func (s *scope) outputs(before, after json.RawMessage) {
	b, a := present(members(before)["outputSchema"]), present(members(after)["outputSchema"])
	switch {
	case b == nil && a == nil:
	case b == nil:
		s.add(note{rule: outputSchemaAdded, path: "/outputSchema", message: "results have a schema", after: a})
		s.firstSchema(Results, a)
	case a == nil:
		s.add(note{rule: outputSchemaRemoved, path: "/outputSchema", message: "results have no schema any more: they may be anything", before: b})
	default:
		s.schemas(Results, b, a, false)
	}
}

// present takes null for nothing.
func present(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// newSchemaDiff parses both schemas; nil if one cannot be judged, which is a change.
func (s *scope) newSchemaDiff(part Part, before, after json.RawMessage) *schemaDiff {
	d := &schemaDiff{scope: s, part: part, root: "/" + string(part) + "Schema", rawBefore: before, rawAfter: after, left: s.opts.steps(), compiled: map[*jsonschema.Schema]*validate.Schema{}}
	was, errBefore := parse(before)
	now, errAfter := parse(after)
	if err := cmp.Or(errAfter, errBefore); err != nil {
		s.add(note{rule: schemaTooComplex, part: part, path: d.root, message: "the schema cannot be judged: " + clean(err.Error()), before: before, after: after})
		return nil
	}
	d.before, d.after = was, now
	if part == Arguments {
		d.before, d.after = ofObjects(was), ofObjects(now)
	}
	return d
}

// ofObjects says of a schema what the protocol says of all arguments: they are an
// object. A schema that has no room for one stays.
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

// parse reads a schema; what is missing allows everything.
func parse(raw json.RawMessage) (*jsonschema.Document, error) {
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	return jsonschema.Parse(raw)
}

// schemas compares two schemas; docs says that they are known to mean the same.
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

// documentation keeps what is for people.
func (d *schemaDiff) documentation() {
	for _, f := range d.findings {
		if f.rule == docsChanged {
			d.report(f, "")
		}
	}
}

// equalContract compares the contracts of two schemas, as those of tools that
// have nothing else.
func equalContract(before, after json.RawMessage) bool {
	return contractOf(wrapped(before)) == contractOf(wrapped(after))
}

// wrapped makes a tool of a schema.
func wrapped(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	return append(append(json.RawMessage(`{"name":"t","inputSchema":`), raw...), '}')
}

// firstSchema looks at a schema that was not there before.
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
		d.report(f, f.nominal)
	}
}

// lens is how the profile looks at this side.
func (d *schemaDiff) lens() compat.Lens {
	switch {
	case d.profile == Strict || d.profile == Pin:
		return compat.Strict
	case d.part == Arguments:
		return compat.CallerInput
	}
	return compat.CallerOutput
}

// ordered returns the schema whose values have to fit, and the one they have to
// fit into.
func ordered[T any](d *schemaDiff, before, after T) (from, to T) {
	if d.part == Arguments {
		return before, after
	}
	return after, before
}

// spend uses up steps of those for places and witnesses. It reports false if there
// are none left, or nobody waits for the answer.
func (d *schemaDiff) spend(steps int) bool {
	d.left -= steps
	d.gaveUp = d.gaveUp || d.left < 0
	return d.left >= 0 && !d.ended()
}

// check asks compat about two places of the documents, within so many steps.
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

// place judges one place, once.
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

// severity is what a rule says of a finding on this side. A finding whose effect
// the walk knows better than the rule is breaking where it narrows.
func (d *schemaDiff) severity(f *finding) Severity {
	switch {
	case f.nominal != "":
		return f.nominal
	case f.effect != f.rule.effect && d.effect(f) == narrows:
		return Breaking
	}
	return f.rule.about(d.part).Severity(Caller)
}

// effect is the effect on what has to fit: narrows is bad.
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

// ease leaves bounds out that say no more than which integers JavaScript tells from the
// next one: a caller sends no others, unless a line means to. Plain inclusion knows no
// callers.
func (d *schemaDiff) ease() {
	if d.part != Arguments || d.lens() == compat.Strict || !slices.ContainsFunc(d.findings, func(f *finding) bool { return f.safe }) {
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
		safe = Warning // nothing is refused, and the old name is not listened to any more
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
			return Breaking // a value of its own decides, whatever else is not known
		}
		return Unknown
	case v.Answer == compat.NotContained && (guess.AtLeast(Unknown) || !d.blamed(f.pair)):
		return Breaking
	}
	return d.raised(f, safe)
}

// raised applies the profile to a finding that is safe on the wire.
func (d *schemaDiff) raised(f *finding, severity Severity) Severity {
	if d.profile != Caller && d.profile != Strict && f.rule.about(d.part).Severity(d.profile) == Breaking && severity != Breaking {
		f.lifted = true
		return Breaking
	}
	return severity
}

// blamed reports whether a finding at a place or below it accounts for what does
// not fit there.
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

// report records a finding; "" is the rule's own severity.
func (d *schemaDiff) report(f *finding, severity Severity) {
	aside := f.aside
	switch {
	case severity == Breaking && f.effect != neutral && !f.lifted && f.witness == nil:
		aside += fmt.Sprintf(" (no witness: %s)", clean(f.why))
	case severity == Unknown && f.why != "":
		aside += fmt.Sprintf(" (undecided: %s)", clean(f.why))
	}
	d.add(note{
		rule: f.rule, part: d.part, path: f.path, message: f.message, aside: aside, severity: severity, lifted: f.lifted,
		before: f.before, after: f.after, witness: f.witness, possible: f.possible,
	})
}

// summary adds a finding about the schema as a whole where no single one says
// what compat found out.
func (d *schemaDiff) summary(whole compat.Verdict, worst Severity) {
	n := note{part: d.part, path: d.root, before: d.rawBefore, after: d.rawAfter}
	switch {
	case whole.Answer == compat.NotContained && worst != Breaking:
		n.rule, n.severity, n.witness = schemaChanged, Breaking, whole.Witness
		n.message = "the schema as a whole does not fit any more: " + clean(whole.Reason)
		if n.witness == nil {
			n.message += " (no witness could be made)"
		}
	case whole.Answer == compat.Unknown && !worst.AtLeast(Unknown):
		n.rule, n.severity = schemaUndecided, Unknown
		n.message = "it is not known whether the schema as a whole still fits: " + clean(whole.Reason)
	case whole.Answer == compat.Contained && worst == Off && d.silent() && d.moved():
		n.rule, n.severity = schemaChanged, Info
		n.message = "the schema is written in another way, and everything still fits: " + clean(whole.Reason)
	default:
		return
	}
	d.add(n)
}

// silent reports whether the walk found nothing but texts.
func (d *schemaDiff) silent() bool {
	return !slices.ContainsFunc(d.findings, func(f *finding) bool { return f.rule != docsChanged })
}

// moved reports whether two schemas, the one of which contains the other, are not
// known to allow the same values.
func (d *schemaDiff) moved() bool {
	from, to := ordered(d, d.before, d.after)
	o := compat.Options{Lens: compat.Strict, MaxSteps: partSteps}
	return compat.Check(d.ctx, to, from, &o).Answer != compat.Contained || compat.Check(d.ctx, from, to, &o).Answer != compat.Contained
}
