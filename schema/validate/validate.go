// Package validate decides whether a JSON value fits a JSON Schema. It wraps santhosh-tekuri/jsonschema and
// makes it safe for untrusted schemas and values.
//
// Schemas are read by the tolerant model of package jsonschema, which generated types use too, and passed on in
// one form: 2020-12 with local references only. Every draft from 04 to 2020-12 and OpenAPI's spellings
// therefore mean the same in both places. A defect of a schema makes it looser, never stricter, and is listed
// by [Schema.Problems]. The root's $schema selects the draft, 2020-12 by default; keywords that the draft lacks
// are ignored, as the drafts require. As an exception, nullable: true allows null in every draft.
//
// Nothing is fetched. RE2 matches patterns; a pattern that it does not support is not checked. Numbers are
// exact. Format and the content keywords are annotations and not checked.
package validate

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// The limits. [New] fails for a schema beyond its limits; a value beyond its limits gives [ErrUnchecked].
const (
	maxSubschemas = 5_000   // schemas reachable from the root
	maxInPlace    = 256     // nesting of schemas that apply to one value, by reference or combination
	maxDepth      = 1000    // nesting of arrays and objects in a value
	maxValues     = 200_000 // values in a value
	maxNumber     = 4096    // digits of a number, and its exponent
	maxErrors     = 20      // reported errors of one value
)

// The limits on the steps of one Validate; a step takes 0.5 to 3 µs. A schema that visits each part of a value
// once takes at most one step per schema and value. A schema with branching recursion takes a number of steps
// that is exponential in the depth of the value, which no limit by size covers.
const (
	maxSteps     = 500_000 // for any value
	leastSteps   = 40_000  // granted to every value
	stepsPerPair = 64      // granted in addition for each pair of a value and a schema
)

// steps returns the limit for a value that contains the given number of values.
func (s *Schema) steps(values int) int {
	return min(maxSteps, leastSteps+stepsPerPair*len(s.plan.order)*values)
}

// ErrUnchecked reports that the check of a value would exceed a limit, so the result is unknown. Use
// [errors.Is].
var ErrUnchecked = errors.New("not checked")

// Schema is a compiled schema. It is safe for concurrent use.
type Schema struct {
	plan     *plan
	document map[string]any // the input of the compiler; read-only

	mu   sync.Mutex
	idle []*engine
}

// New compiles a schema. The bytes are not retained.
//
// It fails with a [*schema.Error] if [jsonschema.Parse] fails, beyond its limits, and if
// a reference leads to another document. [Schema.Problems] lists all other defects.
func New(raw json.RawMessage) (*Schema, error) {
	doc, err := jsonschema.Parse(slices.Clone(raw))
	if err != nil {
		return nil, err
	}
	return Of(doc, doc.Root)
}

// Of compiles schema s in doc; a nil s is the root. Its errors are those of [New]; parts of doc that s does not
// refer to cause none. Doc and s must not be changed afterwards.
func Of(doc *jsonschema.Document, s *jsonschema.Schema) (*Schema, error) {
	if s == nil {
		s = doc.Root
	}
	p, err := newPlan(doc, s)
	if err != nil {
		return nil, err
	}
	compiled := &Schema{plan: p, document: p.emit()}
	e, err := compiled.compile()
	if err != nil {
		return nil, &schema.Error{Pointer: s.Pointer, Reason: fmt.Sprintf("the schema cannot be compiled: %s", clean(err.Error()))}
	}
	compiled.idle = append(compiled.idle, e)
	return compiled, nil
}

// Problems returns the unchecked parts with reasons, in schema order. The caller must not change the result.
func (s *Schema) Problems() []schema.Problem { return s.plan.problems }

// Validate checks whether the value fits the schema. It returns nil if the value fits, [Errors] if it does not,
// and an error that wraps [ErrUnchecked] if the check would exceed a limit. A value that is not JSON does not
// fit. The last of several members with the same name counts.
func (s *Schema) Validate(value json.RawMessage) error {
	_, err := s.Measure(value)
	return err
}

// grain is the unit to which steps are rounded down.
const grain = 10_000

// Measure does the same as [Schema.Validate] and also returns the number of steps, rounded down to ten
// thousands: 0 for all but the largest values and the most complex schemas. A finer number would depend on the
// iteration order of maps.
func (s *Schema) Measure(value json.RawMessage) (steps int, err error) {
	v, values, err := decode(value)
	if err != nil {
		return 0, err
	}
	e, err := s.engine()
	if err != nil {
		return 0, fmt.Errorf("%w: %s", ErrUnchecked, clean(err.Error()))
	}
	defer s.release(e)
	granted := s.steps(values)
	e.left = granted
	err = e.root.Validate(v)
	switch {
	case e.left < 0:
		return granted, fmt.Errorf("%w: the schema takes too long to check for this value", ErrUnchecked)
	case err != nil:
		err = report(err)
	}
	return (granted - e.left) / grain * grain, err
}

// engine returns an engine that no other caller uses.
func (s *Schema) engine() (*engine, error) {
	s.mu.Lock()
	if n := len(s.idle); n > 0 {
		e := s.idle[n-1]
		s.idle = s.idle[:n-1]
		s.mu.Unlock()
		return e, nil
	}
	s.mu.Unlock()
	return s.compile()
}

func (s *Schema) release(e *engine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.idle) < maxIdle {
		s.idle = append(s.idle, e)
	}
}
