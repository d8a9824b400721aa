package compat

// This file searches for a witness among the values built during the proof and the values of schema/sample, and
// forms the verdict.

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/sample"
	"github.com/mcpgen/mcpgen/schema/validate"
)

const (
	maxSamples       = 200
	stepsOfCheck     = 5   // for one value that validates quickly
	stepsOfCompiling = 100 // for one validator
)

// conclude returns the verdict for a result that is not yes.
func conclude(c *checker, r result) Verdict {
	c.limit, c.over = c.spent+c.limit/2, false
	unknown := Verdict{Pointer: r.why.pointer, Reason: r.why.reason}
	j, err := newJudge(c)
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
	switch {
	case c.ctx.Err() != nil:
		unknown.Reason = "the comparison stopped before it had an answer: " + unknown.Reason
	case c.gaveUp:
		unknown.Reason = "it would take too many steps: " + unknown.Reason
	default:
		unknown.Reason += ", and no witness was found"
	}
	return unknown
}

// judge decides whether a value is a witness.
type judge struct {
	c    *checker
	a, b *validate.Schema
}

func newJudge(c *checker) (*judge, error) {
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
	for _, p := range a.Problems() { // a value that fits the validator, which ignores a keyword, need not fit the schema
		if p.Pointer != "/$schema" && !slices.Contains(c.a.doc.Problems, p) {
			return nil, fmt.Errorf("mcpgen cannot judge values with certainty at %q: %s", p.Pointer, p.Reason)
		}
	}
	return &judge{c, a, b}, nil
}

// proves reports whether a value fits a, under the lens, and does not fit b.
func (j *judge) proves(raw json.RawMessage) bool {
	if raw == nil {
		return false
	}
	if err := j.c.validate(j.b, raw); err == nil || errors.Is(err, validate.ErrUnchecked) {
		return false
	}
	return j.c.validate(j.a, raw) == nil && j.c.inLens(raw)
}
