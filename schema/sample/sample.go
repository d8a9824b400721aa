// Package sample generates values of a JSON Schema: for tests, fakes, examples in documentation, and as
// witnesses of what a schema allows.
//
// The values are chosen, not random: each distinction that a schema makes is tried, one at a time, in turn
// across all members and alternatives. So even a few values cover everything: every alternative of a union,
// every member of an enum, null, absence, zero values, the bounds and their neighbours, recursion, undeclared
// members, integers beyond 2^53. The same schema always gives the same values.
//
// Package schema/validate checks every value before it is returned. If no value is found, for instance for a
// pattern that cannot be satisfied by trying, an optional member is omitted; an object with such a required
// member has no values.
package sample

import (
	"cmp"
	"encoding/json"
	"iter"
	"regexp"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// Options configure the generated values. The zero value suits most tests.
type Options struct {
	// Max bounds the number of values; 0 is 256.
	Max int
	// MaxBytes bounds the size of each value; 0 is 64 KiB.
	MaxBytes int
	// Undeclared adds an undeclared member to objects whose additionalProperties is implicit.
	Undeclared bool
	// Hints is another schema. Its bounds and lengths with their neighbours, its constants and its member names
	// are tried wherever they fit, so that the values distinguish the two schemas. Nil adds none.
	Hints *jsonschema.Document
	// Spend is called with the work done, in steps of about a microsecond. If it returns false, generation stops
	// after the values found so far. A nil Spend limits the work to some hundred thousand steps.
	Spend func(steps int) bool
}

const (
	defaultMax      = 256
	defaultMaxBytes = 64 << 10
	recursions      = 2        // how often a schema may be nested in itself
	maxWork         = 64 << 20 // bytes of all values generated for one schema, or equivalent work
)

// Values yields values of schema s in doc; a nil s is the root. Nil opts are the zero value. The first value is
// as small as the schema allows, or an example of the server; the second has all members.
//
// Values yields nothing if no value exists or is found, or if [validate.Of] cannot compile the schema.
func Values(doc *jsonschema.Document, s *jsonschema.Schema, opts *Options) iter.Seq[json.RawMessage] {
	if s == nil {
		s = doc.Root
	}
	if bound := doc.Bound(); bound != doc {
		doc, s = bound, cmp.Or(bound.Lookup(s.Pointer), s)
	}
	return func(yield func(json.RawMessage) bool) {
		g, err := newGenerator(doc, s, opts)
		if err != nil {
			return
		}
		for _, text := range g.values(conjunction{s}, recursions, g.max) {
			value := json.RawMessage(text)
			if g.fits(s, text) && !yield(value) {
				return
			}
		}
	}
}

// Example returns one small and plausible value of a schema. It uses the server's examples, defaults and
// constants, and the required members, or a few others if none is required. It reports false if there is no
// value, or if [validate.New] rejects raw.
func Example(raw json.RawMessage) (json.RawMessage, bool) {
	doc, err := jsonschema.Parse(raw)
	if err != nil {
		return nil, false
	}
	doc = doc.Bound()
	g, err := newGenerator(doc, doc.Root, &Options{Max: 16})
	if err != nil {
		return nil, false
	}
	g.plain = true
	for _, text := range g.values(conjunction{doc.Root}, recursions, g.max) {
		if g.fits(doc.Root, text) {
			return json.RawMessage(text), true
		}
	}
	return nil, false
}

// newGenerator fails if the schema cannot be compiled.
func newGenerator(doc *jsonschema.Document, s *jsonschema.Schema, opts *Options) (*generator, error) {
	compiled, err := validate.Of(doc, s)
	if err != nil {
		return nil, err
	}
	if opts == nil {
		opts = &Options{}
	}
	m := &meter{left: maxWork, spend: opts.Spend}
	g := &generator{
		doc:        doc,
		max:        cmp.Or(max(opts.Max, 0), defaultMax),
		maxBytes:   cmp.Or(max(opts.MaxBytes, 0), defaultMaxBytes),
		undeclared: opts.Undeclared,
		meter:      m,
		splitter:   splitter{m, doc, map[*jsonschema.Schema]bool{}},
		patterns:   &patterns{m, map[string]*regexp.Regexp{}, map[string][]string{}},
		checks:     map[*jsonschema.Schema]*validate.Schema{s: compiled},
		memo:       map[string][]string{},
	}
	if opts.Hints != nil {
		g.hints.matching = g.patterns.matching
		g.hints.add(opts.Hints.Root)
	}
	return g, nil
}
