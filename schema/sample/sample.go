// Package sample makes values of a JSON Schema: for tests, for fakes, for
// examples in documentation, and as witnesses of what a schema allows.
//
// The values are chosen, not drawn: what a schema makes a difference of is
// tried, one thing at a time, in turn across all members and alternatives. So
// however few values are taken, they come from everywhere: every alternative of
// a union, every member of an enum, null, absence, zero values, the bounds and
// their neighbours, recursion, undeclared members, integers beyond 2^53. The
// same schema always gives the same values.
//
// Every value is checked by package schema/validate before it is handed out.
// Where no value is found (a pattern that cannot be satisfied by trying, for
// instance), an optional member is left out; if a required one has none, its
// object has none.
package sample

import (
	"cmp"
	"encoding/json"
	"iter"
	"regexp"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// Options say which values are made. The zero value is what most tests want.
type Options struct {
	// Max bounds the number of values; 0 is 256.
	Max int
	// MaxBytes bounds the size of each value; 0 is 64 KiB.
	MaxBytes int
	// Undeclared adds a member that the schema does not name to objects whose
	// additionalProperties is merely implicit.
	Undeclared bool
	// Hints is another schema. Its bounds and lengths, each with its
	// neighbours, its constants and its members' names are tried wherever they
	// fit, so that the values tell the two schemas apart. Nil adds none.
	Hints *jsonschema.Document
	// Spend is called with the work, in steps of about a microsecond, as it is done.
	// False ends it: the values that were found by then are the last. Nil bounds
	// the work at some hundred thousand steps.
	Spend func(steps int) bool
}

const (
	defaultMax      = 256
	defaultMaxBytes = 64 << 10
	recursions      = 2        // how often a schema may stand within itself
	maxWork         = 64 << 20 // bytes of all values that are put together for one schema, or as long
)

// Values yields values of a schema that stands in doc, nil for the root. A nil
// opts is the zero value. The first one is as small as the schema allows, or an
// example of the server's, the second one has all members.
//
// It yields nothing if the schema has no value, if none is found, and if the
// schema cannot be compiled by [validate.Of].
func Values(doc *jsonschema.Document, s *jsonschema.Schema, opts *Options) iter.Seq[json.RawMessage] {
	if s == nil {
		s = doc.Root
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

// Example returns one small and plausible value of a schema: the server's own
// examples, defaults and constants where there are some, the required members,
// and a few others where none is required. It reports false if there is none,
// or if raw is not a schema that [validate.New] takes.
func Example(raw json.RawMessage) (json.RawMessage, bool) {
	doc, err := jsonschema.Parse(raw)
	if err != nil {
		return nil, false
	}
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
	g := &generator{
		doc:        doc,
		max:        cmp.Or(max(opts.Max, 0), defaultMax),
		maxBytes:   cmp.Or(max(opts.MaxBytes, 0), defaultMaxBytes),
		undeclared: opts.Undeclared,
		spend:      opts.Spend,
		left:       maxWork,
		checks:     map[*jsonschema.Schema]*validate.Schema{s: compiled},
		memo:       map[string][]string{},
		recursive:  map[*jsonschema.Schema]bool{},
		patterns:   map[string]*regexp.Regexp{},
		texts:      map[string][]string{},
	}
	if opts.Hints != nil {
		g.hints.matching = g.matching
		g.hints.add(opts.Hints.Root)
	}
	return g, nil
}
