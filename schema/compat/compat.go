// Package compat answers whether every value of schema A is a value of schema B.
package compat

import (
	"encoding/json"
	"time"

	"github.com/mcpgen/mcpgen/schema"
)

// Answer is what Check found out. The zero value is Unknown.
type Answer int

// The answers.
const (
	Unknown      Answer = iota // neither could be shown
	Contained                  // every value of a is a value of b
	NotContained               // some value of a is none of b
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
	// send: with members that a does not declare, where its
	// additionalProperties is merely implicit.
	CallerInput
	// CallerOutput opens b: undeclared members that it forbids are allowed,
	// because a generated decoder passes over them.
	CallerOutput
)

// Options bound a Check. The zero value is what most callers want.
type Options struct {
	Lens     Lens
	MaxSteps int           // 0 is DefaultSteps
	Timeout  time.Duration // 0 is DefaultTimeout
}

// The defaults of Options.
const (
	DefaultSteps   = 100_000
	DefaultTimeout = 250 * time.Millisecond
)

// Verdict is the answer of a Check.
type Verdict struct {
	Answer Answer
	// Reason is the proof, why not, or why it is unknown: one sentence.
	Reason string
	// Pointer leads to the place in a's schema where it was decided.
	Pointer string
	// Witness is a value of a that is none of b, checked by schema/validate;
	// nil if Answer is another one, or if none could be made: Reason says why.
	Witness json.RawMessage
}

// Check answers whether every value of a is a value of b. A nil opts is the
// zero value.
func Check(a, b *schema.Document, opts *Options) Verdict {
	return Verdict{Reason: "not decided"}
}
