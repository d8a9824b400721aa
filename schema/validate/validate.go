// Package validate answers whether a JSON value fits a JSON Schema. It is a thin
// door to santhosh-tekuri/jsonschema, made safe for schemas and values that come
// from elsewhere.
//
// A schema is read by the tolerant model of package schema, the same that
// generated types are made of, and handed on in one form: 2020-12, with local
// references only. So every draft from 04 to 2020-12 and OpenAPI's spellings
// mean here what they mean there. What is broken in a schema makes it looser,
// never stricter, and is listed by [Schema.Problems]. The root's $schema names
// the draft, 2020-12 if there is none; keywords that the draft does not have
// count for nothing, as the drafts say. As an exception to them, nullable: true
// allows null.
//
// Nothing is ever fetched. Patterns are matched by RE2; what it cannot do is
// not checked. Numbers are exact. Format and the content keywords are
// annotations and not checked.
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

// The bounds. A schema beyond its own is an error of [New]; a value beyond them
// gives [ErrUnchecked].
const (
	MaxSubschemas = 5_000   // schemas that can be reached from the root
	MaxInPlace    = 256     // schemas that apply to one value, one by reference or combination within the other
	MaxDepth      = 1000    // arrays and objects within each other in a value
	MaxValues     = 200_000 // values within a value
	MaxNumber     = 4096    // digits of a number, and its exponent
	MaxErrors     = 20      // errors that are reported of one value
)

// The bounds of the work of one Validate; a step is from half a microsecond to three. A
// schema that leads from each value to all of its parts once takes a step for each of its
// schemas and each value. One whose branches lead back to itself takes a number that is
// exponential in the depth of the value, which the size of the value does not pay for.
const (
	maxSteps     = 500_000 // of any value
	leastSteps   = 40_000  // that any value is granted
	stepsPerPair = 64      // and for each of its values, by each of the schemas
)

// steps is how many steps are granted to a value that holds so many values.
func (s *Schema) steps(values int) int {
	return min(maxSteps, leastSteps+stepsPerPair*len(s.plan.order)*values)
}

// ErrUnchecked says that it is not known whether a value fits: checking it would
// go beyond a bound. Use [errors.Is].
var ErrUnchecked = errors.New("not checked")

// Schema is a compiled schema. It is safe for concurrent use.
type Schema struct {
	plan     *plan
	document map[string]any // what is compiled; not written to

	mu   sync.Mutex
	idle []*engine
}

// New compiles a schema. The bytes are not retained.
//
// It fails, with a [*schema.Error], where [jsonschema.Parse] fails, beyond
// [MaxSubschemas] and [MaxInPlace], and if a reference leads to another
// document. Everything else that is wrong with a schema is in
// [Schema.Problems].
func New(raw json.RawMessage) (*Schema, error) {
	doc, err := jsonschema.Parse(slices.Clone(raw))
	if err != nil {
		return nil, err
	}
	return Of(doc, doc.Root)
}

// Of compiles a schema that stands in doc, nil for the root. The errors are
// those of [New]; parts of doc that s does not refer to cause none. Doc and s
// must not be changed afterwards.
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

// Problems returns what is not checked, and why, in the order of the schema. The
// caller must not change it.
func (s *Schema) Problems() []schema.Problem { return s.plan.problems }

// Validate reports whether the value fits the schema. It returns nil if it does,
// [Errors] if it does not, and an error that wraps [ErrUnchecked] if that would
// go beyond a bound. A value that is not JSON does not fit. Where a member name
// occurs twice, the last one counts.
func (s *Schema) Validate(value json.RawMessage) error {
	_, err := s.Measure(value)
	return err
}

// grain is what steps are rounded down to.
const grain = 10_000

// Measure does what [Schema.Validate] does, and returns how many steps it took,
// in whole ten thousands: 0 for all but the largest values and the most entangled
// schemas. (A smaller number would depend on the order of the members of objects,
// which is another one each time.)
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

// engine returns an engine that nobody else uses.
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
