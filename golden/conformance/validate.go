package main

// Validation: every invalid value has to be refused and no valid one, in
// agreement with a second validator.

import (
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/mcpgen/mcpgen/schema/validate"
)

// verdicts counts what the two validators say.
type verdicts struct {
	refused  count // invalid values that are refused
	accepted count // valid values that are accepted
	agreed   count // values that both judge alike
	unasked  int   // values of schemas that the second one does not take
}

// judgeValidation validates all values of the corpus.
func judgeValidation(subjects []*subject, r *report) {
	r.heading("Validation")
	r.list("validation")
	r.list("validation-agreement")
	for _, set := range []string{setReal, setHard} {
		var v verdicts
		for _, s := range subjects {
			if s.set != set {
				continue
			}
			for _, t := range s.schemas {
				v.judge(t, r)
			}
		}
		if v.accepted.all+v.refused.all == 0 {
			continue
		}
		r.share(set+": invalid values refused", v.refused.good, v.refused.all, 999)
		r.share(set+": valid values accepted", v.accepted.good, v.accepted.all, 1000)
		r.share(set+": the second validator says the same", v.agreed.good, v.agreed.all, 0)
		if v.unasked > 0 {
			r.note(set+": values of schemas that it refuses", "%d", v.unasked)
		}
	}
}

func (v *verdicts) judge(t *toolSchema, r *report) {
	own, err := validate.New(t.raw)
	if err != nil {
		r.fail("validation", "%s: the schema is refused: %v", t, err)
	}
	second := secondOpinion(t.raw)
	for _, value := range t.valid {
		err := check(own, value)
		v.accepted.add(own != nil && err == nil)
		if err != nil {
			r.fail("validation", "%s %s: valid, but: %v (of %s)", t, value.class, err, cut(value.raw))
		}
		v.compare(t, second, value, err == nil, r)
	}
	for _, value := range t.invalid {
		err := check(own, value)
		v.refused.add(err != nil)
		if err == nil {
			r.fail("validation", "%s %s: invalid, and accepted: %s", t, value.class, cut(value.raw))
		}
		v.compare(t, second, value, err == nil, r)
	}
}

// check validates; a schema that does not compile refuses nothing.
func check(own *validate.Schema, v value) error {
	if own == nil {
		return nil
	}
	return own.Validate(v.raw)
}

func (v *verdicts) compare(t *toolSchema, second *jsonschema.Resolved, value value, accepted bool, r *report) {
	if second == nil {
		v.unasked++
		return
	}
	other := accepts(second, value.raw)
	v.agreed.add(other == accepted)
	if other != accepted {
		r.fail("validation-agreement", "%s %s: accepted: %v, by the second validator: %v: %s", t, value.class, accepted, other, cut(value.raw))
	}
}

func cut(raw []byte) string {
	if len(raw) > 160 {
		return string(raw[:160]) + "…"
	}
	return string(raw)
}
