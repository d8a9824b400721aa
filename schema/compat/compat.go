// Package compat answers whether every value of schema A is a value of schema B.
//
// The answer has three values, and two of them are proven. Contained is shown
// keyword by keyword; without that proof the answer is not
// Contained. NotContained comes with a witness, a value that schema/validate
// takes under A and refuses under B. Everything else is Unknown, with the reason
// and the place: what is not decided here, what would take too long, and a place
// where no value fits A and some fit B: whoever sends something there has to do with
// neither schema. (A member that may not be there, because its schema is false or
// says {"not":{}}, and is not required, is no such place; nor are elements of false.)
//
// Schemas mean what they mean in package validate: a keyword that the draft does
// not have, or that is broken, counts for nothing; formats and contents are
// annotations; numbers are exact; patterns are RE2's.
//
// Not decided, and so Unknown unless both schemas say the same there or a
// witness is found: unions that only cover a value together (unless values,
// kinds, bounds, or the presence or the few values of a member tell their parts
// apart), whether negated schemas overlap in depth, counting with contains,
// unevaluatedProperties beside anything but references and allOf,
// unevaluatedItems beside other schemas, $dynamicRef, patterns that RE2 does not
// take, and keywords that are not known.
package compat

import (
	"cmp"
	"context"
	"encoding/json"
	"regexp"
	"slices"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// Answer is what Check found out. The zero value is Unknown.
type Answer int

// The answers.
const (
	Unknown      Answer = iota // neither could be shown
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

// Lens says which values of a and b are looked at.
type Lens int

// The lenses.
const (
	// Strict takes both schemas as they are.
	Strict Lens = iota
	// CallerInput leaves those values of a out that no generated client can
	// send: where an object declares members and its additionalProperties is
	// merely implicit, it has no others. What then, else and dependentSchemas
	// declare counts as declared beside each other, as it is in generated code.
	CallerInput
	// CallerOutput opens b: undeclared members that it forbids are allowed, because
	// a generated decoder does not mind them. And a member that only b declares is
	// not taken to be among those that a implicitly allows: what is no longer
	// declared is no longer sent.
	//
	// With both lenses of callers more than one schema of a oneOf may fit, in a and
	// in b: generated code sends and reads such values, and servers whose
	// alternatives overlap do, too. What fits only one in a has to fit only one in b
	// if it is sent.
	CallerOutput
)

// Options say what is asked, and bound it. The zero value is what most callers
// want.
type Options struct {
	Lens    Lens
	Objects bool // only objects are looked at, as of arguments and structured results
	// Arguments says that a is what a tool takes. Generated code has a struct for
	// that even if no members are declared, so that CallerInput leaves undeclared
	// ones out there, too, where additionalProperties is merely implicit. That one
	// struct has the members of all alternatives.
	Arguments bool
	// MaxSteps bounds the proof; looking for a witness may take half as many again.
	// A step is about a microsecond of work, and is counted, not measured: the
	// answer is the same on every machine. 0 is DefaultSteps.
	MaxSteps int
}

// DefaultSteps is what a Check may take if [Options] says nothing else: ten times
// what the largest of several hundred real changes takes, and about a tenth of a
// second.
const DefaultSteps = 100_000

// Verdict is the answer of a Check.
type Verdict struct {
	Answer Answer
	// Reason is the proof, why not, or why it is unknown: one sentence, which
	// quotes parts of the schemas as JSON.
	Reason string
	// Pointer leads to the place in a's schema where it was decided: the
	// innermost schema of a that speaks of it.
	Pointer string
	// Witness is a value of a, under the lens, that is not a value of b; never nil if
	// Answer is NotContained, nil otherwise.
	Witness json.RawMessage
	// Steps is what it took. GaveUp says that more would have been needed.
	Steps  int
	GaveUp bool
}

// Check answers whether every value of a is a value of b. Nil opts are the zero
// value; a nil document, or one without a root, gives Unknown, and so does a ctx
// that ends: soon after that it returns. It is bounded by its options, does not
// change the documents, and may be called concurrently for the same ones.
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

// checkInput asks it of what a client sends, which may fit more than one schema of a
// oneOf: the new schemas have to take it as the old ones did, and what fitted only one
// has to do so still.
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

// check answers it. Some says that values of a are looked for wherever b has some.
func (c *checker) check(opts *Options, some bool) Verdict {
	v := c.answer(opts, some)
	v.Steps, v.GaveUp = c.spent, c.gaveUp
	return v
}

func (c *checker) answer(opts *Options, some bool) Verdict {
	left, root := c.left(opts), c.b.of(c.b.doc.Root)
	if r := c.sub(left, root, ""); !r.yes {
		return c.conclude(r, opts)
	}
	if c.equal(left[0], root) {
		return Verdict{Answer: Contained, Reason: "both schemas say the same"}
	}
	if some {
		h := &hollows{checker: c, seen: map[string]bool{}}
		h.look(left, all{root}, "")
		if len(h.found)+len(h.doubtful) > 0 {
			f := slices.Concat(h.found, h.doubtful)[0]
			return Verdict{Reason: f.reason, Pointer: f.pointer}
		}
	}
	return Verdict{Answer: Contained, Reason: "each keyword of the second schema follows from the first one"}
}

// left returns what the values of a fit that are looked at.
func (c *checker) left(opts *Options) all {
	left := all{c.a.of(c.a.doc.Root)}
	if opts.Arguments {
		c.fields = left[0]
	}
	if opts.Objects {
		left = append(left, c.a.make("object", &jsonschema.Schema{Types: []string{"object"}}))
	}
	return left
}

func newChecker(ctx context.Context, a, b *jsonschema.Document, opts *Options) *checker {
	c := &checker{
		lens:     opts.Lens,
		ctx:      ctx,
		limit:    opts.limit(),
		oldest:   unassumed,
		patterns: map[string]*regexp.Regexp{},
		machines: map[string]*machine{},
		shaped:   map[string]shaped{},
		empties:  map[string]bool{},
		looses:   map[*node]bool{},
		same:     map[[2]*node]bool{},
		done:     map[string]result{},
		open:     map[string]frame{},
		built:    map[string][]json.RawMessage{},
		besides:  map[*node]*node{},
	}
	c.a, c.b = newDocument(c, a), newDocument(c, b)
	return c
}
