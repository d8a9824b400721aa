package drift

// This file defines rules. The catalogue_ files list them.

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/internal/ruleid"
)

// Profile is the point of view from which changes are judged.
type Profile string

// The profiles.
const (
	Caller Profile = "caller" // what a generated client can send and read; the default
	Strict Profile = "strict" // inclusion of the schemas as written
	Source Profile = "source" // also whether Go code compiles and means the same
	Model  Profile = "model"  // also anything that a model reads
	Pin    Profile = "pin"    // any value; white space and member order are ignored
)

// Profiles returns all profiles.
func Profiles() []Profile { return []Profile{Caller, Strict, Source, Model, Pin} }

// Part is the part of an item that a rule is about.
type Part string

// The parts.
const (
	Item      Part = "" // the item as a whole, or the server
	Arguments Part = "input"
	Results   Part = "output"
)

// Rule is one rule of the catalogue. Rules are comparable; the zero value is no rule, and its methods return
// zero values. Text and JSON represent a rule by its id; an unknown id decodes as the zero value.
type Rule struct {
	row  *row
	part Part
}

// known returns the row of a rule, or an empty row for the zero rule.
func (r Rule) known() *row { return cmp.Or(r.row, &row{}) }

// row is one rule, or the pair of rules about arguments and results.
type row struct {
	id     string // for schema rules without the part
	part   Part   // for rules that are not about schemas
	class  Class
	caller [2]Severity // for arguments and everything else; for results
	effect effect      // effect of a schema rule on the schema's values
	marks  string      // see catalogue_schema.go
	touch  ruleid.Touch
	remedy remedy
	doc    string
	schema bool
}

// Schema rules that allow fewer values, more, others, or the same.
func narrowing(id, marks, doc string) *row {
	return unmoving(id, Breaking, Info, marks, doc).moving(narrows)
}
func widening(id, marks, doc string) *row {
	return unmoving(id, Info, Breaking, marks, doc).moving(widens)
}
func altering(id string, caller Severity, marks, doc string) *row {
	return unmoving(id, caller, caller, marks, doc).moving(alters)
}
func unmoving(id string, arguments, results Severity, marks, doc string) *row {
	return &row{id: id, caller: [2]Severity{arguments, results}, marks: marks, doc: doc,
		touch: ruleid.TouchValue, schema: true}
}

func wireRule(id string, caller Severity, marks, doc string) *row {
	return &row{id: id, class: ClassWire, caller: [2]Severity{caller, caller}, marks: marks, doc: doc}
}
func modelRule(id string, caller Severity, marks, doc string) *row {
	return wireRule(id, caller, marks, doc).of(ClassModel)
}

func sourceRule(id string, caller Severity, marks, doc string) *row {
	return wireRule(id, caller, marks, doc).of(ClassSource)
}

func securityRule(id string, caller Severity, marks, doc string) *row {
	return wireRule(id, caller, marks, doc).of(ClassSecurity)
}

func (r *row) of(class Class) *row          { r.class = class; return r }
func (r *row) moving(effect effect) *row    { r.effect = effect; return r }
func (r *row) in(part Part) *row            { r.part = part; return r }
func (r *row) code(touch ruleid.Touch) *row { r.touch = touch; return r }
func (r *row) way(remedy remedy) *row       { r.remedy = remedy; return r }

func (r *row) marked(mark string) bool { return strings.Contains(r.marks, mark) }

// about returns the rule of a row for a part; rows that are not about schemas have their own part.
func (r *row) about(part Part) Rule { return Rule{r, max(part, r.part)} }

// remedy is the result of [Change.Remedy] for arguments and everything else, and for results.
type remedy [2]string

func always(clause string) remedy { return remedy{clause, clause} }

// The remedies that rules share.
var (
	giveValue     = remedy{"give {member} a value in every call", ""}
	leaveOut      = remedy{"leave {member} out", "do not read {member}"}
	mayBeMissing  = remedy{"pass {member} as new(value)", "handle a missing value"}
	mayBeNull     = remedy{"pass {member} as runtime.Some(value), or as new(value) if it is required", "handle null"}
	otherName     = remedy{"run mcpgen update, then mcpgen fix, which writes {to}", "run mcpgen update, then mcpgen fix, which reads {to}"}
	otherValue    = remedy{"send another value of the enumeration", "handle unknown values"}
	listedValue   = remedy{"send one of {values}", "handle unknown values"}
	listedConst   = remedy{"send one of {values}", ""}
	unknownValues = remedy{"", "handle unknown values"}
	reliedOn      = remedy{"send the value that your code needs, instead of relying on the default", ""}
	otherType     = remedy{"send a value of a type that is still allowed", "handle values of the new type"}
	moreTypes     = remedy{"convert the value to its new Go type: it is still allowed", "handle values of the new type"}
	allowedType   = remedy{"send a value of a type that is still allowed", ""}
	checkFirst    = remedy{"check the value before the call", ""}
	removeCall    = always("remove the call, or keep the old version of the server")
	callOther     = always("mcpgen update, then mcpgen fix, to call {to}")
)

// side returns the index of values that differ between arguments and results.
func (r Rule) side() int {
	if r.part == Results {
		return 1
	}
	return 0
}

// String returns the id, such as "tool-removed", or "" for the zero rule.
func (r Rule) String() string {
	if r.known().schema {
		return string(r.part) + "-" + r.row.id
	}
	return r.known().id
}

// MarshalText returns the id. The error is always nil.
func (r Rule) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads an id. The error is always nil.
func (r *Rule) UnmarshalText(id []byte) error {
	*r, _ = LookupRule(string(id))
	return nil
}

// Class returns the audience of the rule's changes, unless the profile decides otherwise.
func (r Rule) Class() Class {
	switch caller := r.Severity(Caller); {
	case !r.known().schema:
		return r.known().class
	case r.row.marked("!"):
		return ClassSecurity
	case caller.rank() <= Info.rank() && r.row.effect == neutral && r.row.marked("m"):
		return ClassModel
	}
	return ClassWire
}

// Severity returns the default severity in a profile. For rules with [Rule.Decides], it applies if
// compatibility is undecided.
func (r Rule) Severity(p Profile) Severity {
	gates := map[Profile]string{Pin: "", Strict: "*", Source: "s", Model: "m"}
	if mark, ok := gates[p]; ok && r.known().marked(mark) {
		return Breaking
	}
	return r.known().caller[r.side()]
}

// Decides reports whether package compat overrides the severity: a change proven safe is at most info, or
// warning if that is the rule's severity; a refuted change is breaking.
func (r Rule) Decides() bool { return r.known().effect != neutral }

// Remedy returns one clause on what to do about a change, or "" if the change is self-explanatory.
// Placeholders: {member} is the member at the path (without a member there is no remedy), {to} the new name,
// {values} the values now allowed, {rename} the rename.
func (c *Change) Remedy() string {
	if c.Possible {
		return "if it is, mcpgen update, then mcpgen fix --rename {rename}"
	}
	if c.Rule == propertyRemoved.about(Arguments) && c.After != nil {
		return "send {member} among the undeclared members"
	}
	return c.Rule.known().remedy[c.Rule.side()]
}

// Doc describes in one line what the rule finds.
func (r Rule) Doc() string {
	switch {
	case !r.known().schema:
		return r.known().doc
	case r.part == Results:
		return "results: " + r.known().doc
	}
	return "arguments: " + r.known().doc
}

// Part returns the part of an item that the rule is about.
func (r Rule) Part() Part { return r.part }

// Touch returns the effect of the rule's changes on Go code.
func (r Rule) Touch() ruleid.Touch { return r.known().touch }

// Renames reports whether the rule is about a rename; After of a change is then the new name.
func (r Rule) Renames() bool { return r.known().marked("r") }

// Above returns how many trailing segments of a change's path lie below the schema that changed, such as the
// segments of an enumeration value.
func (r Rule) Above() int { return strings.Count(r.known().marks, "^") }

// Rules returns the catalogue, sorted by id. The caller may change the slice.
func Rules() []Rule { return slices.Clone(catalogue()) }

// LookupRule returns the rule with the given id.
func LookupRule(id string) (Rule, bool) {
	byID := func(r Rule, id string) int { return strings.Compare(r.String(), id) }
	i, ok := slices.BinarySearchFunc(catalogue(), id, byID)
	if !ok {
		return Rule{}, false
	}
	return catalogue()[i], true
}

// catalogue returns the sorted rules; callers must not change them.
var catalogue = sync.OnceValue(func() []Rule {
	var all []Rule
	for _, r := range schemaRules() {
		all = append(all, r.about(Arguments), r.about(Results))
	}
	for _, r := range itemRules() {
		all = append(all, r.about(Item))
	}
	slices.SortFunc(all, func(x, y Rule) int { return strings.Compare(x.String(), y.String()) })
	return all
})
