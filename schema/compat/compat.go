// Package compat decides whether every value of schema A is a value of schema B.
//
// There are three answers, and two of them are proven. Contained is proven keyword by keyword. NotContained
// comes with a witness: a value that schema/validate accepts under A and rejects under B. Otherwise the answer
// is Unknown, with the reason and the place. It is also Unknown if the check would take too long, and where no
// value fits A although some fit B: a sender of such values uses neither schema. Members and elements that A
// forbids on purpose, with false or {"not":{}}, do not count as such places.
//
// Schemas have the meaning of package validate: keywords that are broken or missing from the draft are ignored;
// formats and contents are annotations; numbers are exact; patterns are RE2's.
//
// The following is not decided, and Unknown unless both schemas are the same there or a witness is found:
// unions that cover a value only together (unless values, kinds, bounds, or the presence or the few values of a
// member distinguish their parts), whether negated schemas overlap in depth, counting with contains,
// unevaluatedProperties with anything but references and allOf, unevaluatedItems with other schemas,
// $dynamicRef, patterns that RE2 does not support, and unknown keywords.
package compat

import (
	"cmp"
	"context"
	"encoding/json"
	"regexp"
	"slices"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// Answer is the result of Check. The zero value is Unknown.
type Answer int

// The answers.
const (
	Unknown      Answer = iota // neither is proven
	Contained                  // every value of a is a value of b
	NotContained               // some value of a is not a value of b
)

// String returns "unknown", "contained" or "not contained".
func (a Answer) String() string {
	switch a {
	case Contained:
		return "contained"
	case NotContained:
		return "not contained"
	default:
		return "unknown"
	}
}

// Lens selects the values of a and b that are compared.
type Lens int

// The lenses.
const (
	// Strict compares all values of both schemas.
	Strict Lens = iota
	// CallerInput ignores values of a that no generated client can send: an object that declares members and whose
	// additionalProperties is implicit has no undeclared members. The members declared by then, else and
	// dependentSchemas may occur together, as in generated code.
	CallerInput
	// CallerOutput allows undeclared members in b even if b forbids them, because generated decoders ignore them.
	// A member that only b declares is not among the undeclared members that a implicitly allows: a member that is
	// no longer declared is no longer sent.
	//
	// CallerInput and CallerOutput also allow values that fit more than one schema of a oneOf, in a and in b:
	// generated code sends and reads such values, as do servers whose alternatives overlap. A sent value that fits
	// only one alternative in a must still fit only one in b.
	CallerOutput
)

// Options select what Check compares and limit its work. Most callers use the zero value.
type Options struct {
	Lens Lens
	// Arguments states that a is a tool's input. Generated code has one struct for the input, with the members of
	// all alternatives, even if a declares no members. CallerInput therefore ignores undeclared members of the
	// input where additionalProperties is implicit.
	Arguments bool
	// MaxSteps bounds the proof; the search for a witness may take half as many steps again. A step is about a
	// microsecond of work. Steps are counted, not timed, so the answer is the same on every machine. 0 is
	// DefaultSteps.
	MaxSteps int
}

// DefaultSteps is the limit if [Options] sets none: ten times the steps of the largest of several hundred real
// changes, and about a tenth of a second.
const DefaultSteps = 100_000

// Verdict is the answer of a Check.
type Verdict struct {
	Answer Answer
	// Reason is the proof, or why the answer is NotContained or Unknown: one sentence, which quotes parts of the
	// schemas as JSON.
	Reason string
	// Pointer is the place in a's schema where the answer was found: the innermost schema of a that covers it.
	Pointer string
	// Witness is a value of a, under the lens, that is not a value of b; never nil if
	// Answer is NotContained, nil otherwise.
	Witness json.RawMessage
	// Steps is the number of steps taken. GaveUp reports that they did not suffice.
	Steps  int
	GaveUp bool
}

// Check decides whether every value of a is a value of b. Nil opts are the zero value. A nil document, or one
// without a root, gives Unknown; so does a ctx that ends, soon after its end. Check is bounded by its options,
// does not change the documents, and may be called concurrently with the same documents.
func Check(ctx context.Context, a, b *jsonschema.Document, opts *Options) Verdict {
	if opts == nil {
		opts = &Options{}
	}
	if a == nil || b == nil || a.Root == nil || b.Root == nil {
		return Verdict{Reason: "there is no schema to compare"}
	}
	switch opts.Lens {
	case CallerOutput:
		return newChecker(ctx, open(a, false), open(b, true), opts).check(opts, true)
	case CallerInput:
		return checkInput(ctx, a, b, opts)
	}
	return newChecker(ctx, a, b, opts).check(opts, true)
}

// checkInput compares tool inputs, which may fit more than one schema of a oneOf: the new schemas must accept
// what the old ones accepted, and a value that fitted exactly one must still fit exactly one.
func checkInput(ctx context.Context, a, b *jsonschema.Document, opts *Options) Verdict {
	openA, openB := open(a, false), open(b, false)
	v := newChecker(ctx, openA, openB, opts).check(opts, true)
	if openA == a && openB == b || v.Answer == NotContained {
		return v
	}
	rest := *opts
	rest.MaxSteps = max(opts.limit()-v.Steps, 1)
	exact := newChecker(ctx, a, b, &rest).check(&rest, false)
	exact.Steps, exact.GaveUp = exact.Steps+v.Steps, exact.GaveUp || v.GaveUp
	if exact.Answer == Contained {
		v.Steps, v.GaveUp = exact.Steps, exact.GaveUp
		return v
	}
	return exact
}

func (o *Options) limit() int { return cmp.Or(max(o.MaxSteps, 0), DefaultSteps) }

// check returns the verdict. With some, it also searches for places where no value fits a although some fit b.
func (c *checker) check(opts *Options, some bool) (v Verdict) {
	defer func() { v.Steps, v.GaveUp = c.spent, c.gaveUp }()
	left, root := c.left(opts), c.b.of(c.b.doc.Root)
	if r := c.sub(left, root, ""); !r.yes {
		return conclude(c, r)
	}
	if c.equal(left[0], root) {
		return Verdict{Answer: Contained, Reason: "both schemas say the same"}
	}
	if some {
		h := &hollows{checker: c, seen: map[string]bool{}}
		h.place(alternatives{left}, alternatives{{root}}, "")
		if len(h.found)+len(h.doubtful) > 0 {
			f := slices.Concat(h.found, h.doubtful)[0]
			return Verdict{Reason: f.reason, Pointer: f.pointer}
		}
	}
	return Verdict{Answer: Contained, Reason: "each keyword of the second schema follows from the first one"}
}

// left returns the schemas of the compared values of a.
func (c *checker) left(opts *Options) all {
	root := c.a.of(c.a.doc.Root)
	if opts.Arguments {
		c.fields = root
	}
	return all{root}
}

func newChecker(ctx context.Context, a, b *jsonschema.Document, opts *Options) *checker {
	steps := &budget{ctx: ctx, limit: opts.limit()}
	c := &checker{
		budget:   steps,
		equality: equality{steps, map[[2]*node]bool{}},
		shaper: shaper{
			budget: steps,
			lensed: lensed{patterns: patterns{steps, map[string]*regexp.Regexp{}, map[string]*machine{}}, lens: opts.Lens, besides: map[*node]*node{}},
			shaped: map[string]shaped{},
			looses: map[*node]bool{},
		},
		empties: map[string]bool{},
		done:    map[string]result{},
		open:    map[string]frame{},
		oldest:  unassumed,
	}
	c.values = &builder{checker: c, built: map[string][]json.RawMessage{}}
	c.a, c.b = newDocument(c, a), newDocument(c, b)
	return c
}
