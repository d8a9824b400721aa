package compat

// This file searches for a witness among the values built during the proof and the values of schema/sample, and
// forms the verdict.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/sample"
	"github.com/mcpgen/mcpgen/schema/validate"
)

const (
	maxSamples       = 200
	stepsOfCheck     = 5   // for one value that validates quickly
	stepsOfCompiling = 100 // for one validator
)

// conclude returns the verdict for a result that is not yes.
func (c *checker) conclude(r result, opts *Options) Verdict {
	c.limit, c.over = c.spent+c.limit/2, false
	unknown := Verdict{Pointer: r.why.pointer, Reason: r.why.reason}
	j, err := c.judge(opts)
	if err != nil {
		unknown.Reason += "; no witness was looked for: " + err.Error()
		return unknown
	}
	for _, h := range r.hints {
		if j.proves(h.raw) {
			return Verdict{Answer: NotContained, Reason: h.why.reason, Pointer: h.why.pointer, Witness: jsontext.Compact(h.raw)}
		}
	}
	options := sample.Options{Max: maxSamples, Hints: c.b.doc, Undeclared: c.lens != CallerInput, Spend: c.spend}
	for v := range sample.Values(c.a.doc, nil, &options) {
		if j.proves(v) {
			return Verdict{Answer: NotContained, Reason: r.why.reason, Pointer: r.why.pointer, Witness: jsontext.Compact(v)}
		}
	}
	return unknown.because(c)
}

// because prefixes the reason of an Unknown verdict with its cause.
func (v Verdict) because(c *checker) Verdict {
	switch {
	case c.ctx.Err() != nil:
		v.Reason = "the comparison stopped before it had an answer: " + v.Reason
	case c.gaveUp:
		v.Reason = "it would take too many steps: " + v.Reason
	default:
		v.Reason += ", and no witness was found"
	}
	return v
}

// judge decides whether a value is a witness.
type judge struct {
	c       *checker
	a, b    *validate.Schema
	objects bool
}

func (c *checker) judge(opts *Options) (*judge, error) {
	if !c.spend(2 * stepsOfCompiling) {
		return nil, errors.New("the limit of steps is reached")
	}
	a, err := validate.Of(c.a.doc, nil)
	if err != nil {
		return nil, err
	}
	b, err := validate.Of(c.b.doc, nil)
	if err != nil {
		return nil, err
	}
	if p := unchecked(c.a.doc, a); p != nil {
		return nil, fmt.Errorf("mcpgen cannot judge values with certainty at %q: %s", p.Pointer, p.Reason)
	}
	return &judge{c: c, a: a, b: b, objects: opts.Objects}, nil
}

// unchecked returns a keyword that the validator ignores although the schema has it. A value that fits the
// validator need not fit the schema.
func unchecked(doc *jsonschema.Document, v *validate.Schema) *schema.Problem {
	for _, p := range v.Problems() {
		if p.Pointer != "/$schema" && !slices.Contains(doc.Problems, p) {
			return &p
		}
	}
	return nil
}

// proves reports whether a value fits a, under the lens, and does not fit b.
func (j *judge) proves(raw json.RawMessage) bool {
	if raw == nil || j.objects && !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return false
	}
	if err := j.c.validate(j.b, raw); err == nil || errors.Is(err, validate.ErrUnchecked) {
		return false
	}
	return j.c.validate(j.a, raw) == nil && j.c.inLens(raw)
}

// validate validates a value and charges the steps.
func (c *checker) validate(s *validate.Schema, raw json.RawMessage) error {
	if !c.spend(stepsOfCheck) {
		return validate.ErrUnchecked
	}
	steps, err := s.Measure(raw)
	c.spend(steps)
	return err
}
