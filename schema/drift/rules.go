package drift

// This file makes rules of the catalogue's tables.

import (
	"slices"
	"strings"
	"sync"
)

// Profile says whose point of view decides.
type Profile string

// The profiles.
const (
	Caller Profile = "caller" // what a generated client can send and read; the default
	Strict Profile = "strict" // plain inclusion of schemas
	Source Profile = "source" // also whether Go code compiles and means the same
	Model  Profile = "model"  // also anything that a model reads
	Pin    Profile = "pin"    // any byte
)

// Profiles returns all profiles.
func Profiles() []Profile { return []Profile{Caller, Strict, Source, Model, Pin} }

// Rule is one entry of the catalogue.
type Rule struct {
	ID    string
	Class Class
	Kinds []Kind // what it is about
	// Severity is the default by profile. Of rules with Decides it is the guess
	// where compatibility is not decided.
	Severity map[Profile]Severity
	// Decides says that package compat has the last word: a change that it
	// proves safe is at most info, or a warning where the rule is one; one that
	// it refutes is breaking.
	Decides bool
	Doc     string // one line

	effect effect // of a rule about a schema, on the schema's values
}

// Rules returns the catalogue, sorted by id. The caller may change the slice,
// but not what its elements refer to.
func Rules() []Rule { return slices.Clone(catalogue()) }

// LookupRule returns the rule of that id.
func LookupRule(id string) (Rule, bool) {
	r := catalogue().rule(id)
	if r == nil {
		return Rule{}, false
	}
	return *r, true
}

type book []Rule // sorted by id

func (b book) rule(id string) *Rule {
	i, ok := slices.BinarySearchFunc(b, id, func(r Rule, id string) int { return strings.Compare(r.ID, id) })
	if !ok {
		return nil
	}
	return &b[i]
}

// catalogue builds the rules once; nobody changes them.
var catalogue = sync.OnceValue(func() book {
	var b book
	for _, r := range slices.Concat(objectRows(), valueRows(), boundRows(), arrayRows(), combinationRows(), documentRows()) {
		b = append(b, r.rule("input", "arguments: ", r.in), r.rule("output", "results: ", r.out))
	}
	for _, r := range slices.Concat(toolRows(), textRows(), serverRows(), promptRows()) {
		b = append(b, r.rule())
	}
	slices.SortFunc(b, func(x, y Rule) int { return strings.Compare(x.ID, y.ID) })
	return b
})

// severities spreads a caller's severity over the profiles. The marks say what beside
// the wire a change touches, and which profiles gate it for that: s is Go code, m what a
// model reads, * plain inclusion.
func severities(marks string, caller Severity) map[Profile]Severity {
	out := map[Profile]Severity{Caller: caller, Strict: caller, Source: caller, Model: caller, Pin: Breaking}
	for mark, profile := range map[string]Profile{"*": Strict, "s": Source, "m": Model} {
		if strings.Contains(marks, mark) {
			out[profile] = Breaking
		}
	}
	return out
}

// schemaRow is a rule about a schema: one for inputs, one for outputs.
type schemaRow struct {
	suffix  string
	effect  effect   // on the values that the schema allows
	in, out Severity // for a caller
	marks   string
	doc     string
}

func (r schemaRow) rule(side, intro string, caller Severity) Rule {
	class := ClassWire
	switch {
	case strings.Contains(r.marks, "!"):
		class = ClassSecurity
	case caller.rank() <= Info.rank() && r.effect == neutral && strings.Contains(r.marks, "m"):
		class = ClassModel
	}
	return Rule{
		ID:       side + "-" + r.suffix,
		Class:    class,
		Kinds:    []Kind{KindTool},
		Severity: severities(r.marks, caller),
		Decides:  r.effect != neutral,
		Doc:      intro + r.doc,
		effect:   r.effect,
	}
}

// itemRow is any other rule.
type itemRow struct {
	id     string
	class  Class
	kinds  []Kind
	caller Severity
	marks  string
	doc    string
}

func (r itemRow) rule() Rule {
	return Rule{
		ID:       r.id,
		Class:    r.class,
		Kinds:    r.kinds,
		Severity: severities(r.marks, r.caller),
		Doc:      r.doc,
	}
}
