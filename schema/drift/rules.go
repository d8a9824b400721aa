package drift

// This file says what a rule is. The catalogue_ files have all of them.

import (
	"cmp"
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

// Part is the part of an item that a rule is about.
type Part string

// The parts.
const (
	Item      Part = "" // the item as a whole, or the server
	Arguments Part = "input"
	Results   Part = "output"
)

// Touch is what changes of a rule mean for Go code that uses the item.
type Touch byte

// What changes mean for Go code. What an item of a list has is a member, too, if it is an
// argument of a prompt.
const (
	TouchNothing        Touch = iota
	TouchItemAdded            // there is more to use
	TouchItemGone             // nothing of the item can be used
	TouchNames                // its Go names are gone, or mean something else
	TouchCalls                // calls of it
	TouchResultTyped          // what calls return has a type
	TouchResultUntyped        // what calls return has none any more
	TouchValue                // the values of one place
	TouchValueGone            // code that has one certain value
	TouchDefault              // code that leaves a member out
	TouchMemberAdded          // structs that lack a member
	TouchMemberOptional       // structs as a whole: there is a member that they need not have
	TouchMemberRequired       // structs that leave a member out
	TouchMemberGone           // code that names a member
	TouchNeeds                // structs that have one member and not another
	TouchWhole                // structs as a whole
	TouchParts                // the members that a part of a schema has
	TouchVariantGone          // code that names an alternative
)

// Rule is one rule of the catalogue. Rules can be compared; the zero value is none, of
// which all is zero. As text and in JSON a rule is its id; an id that no rule has is read
// as none.
type Rule struct {
	row  *row
	part Part
}

// known is the row of a rule, and one of zeros for none.
func (r Rule) known() *row { return cmp.Or(r.row, &row{}) }

// row is a rule, or the two about arguments and results.
type row struct {
	id     string // of those about schemas without the part
	part   Part   // of what is no schema
	class  Class
	caller [2]Severity // of arguments and all else, of results
	effect effect      // of a rule about a schema, on the schema's values
	marks  string      // see catalogue_schema.go
	touch  Touch
	remedy remedy
	doc    string
	schema bool
}

// Rules about schemas that allow fewer values, more, others, and the same.
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
	return &row{id: id, caller: [2]Severity{arguments, results}, marks: marks, doc: doc, touch: TouchValue, schema: true}
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

func (r *row) of(class Class) *row       { r.class = class; return r }
func (r *row) moving(effect effect) *row { r.effect = effect; return r }
func (r *row) in(part Part) *row         { r.part = part; return r }
func (r *row) code(touch Touch) *row     { r.touch = touch; return r }
func (r *row) way(remedy remedy) *row    { r.remedy = remedy; return r }

func (r *row) marked(mark string) bool { return strings.Contains(r.marks, mark) }

// about is the rule of a row about a part; of what is no schema the row knows it.
func (r *row) about(part Part) Rule { return Rule{r, max(part, r.part)} }

// remedy is [Change.Remedy] of arguments and all else, and of results.
type remedy [2]string

func always(clause string) remedy { return remedy{clause, clause} }

// The remedies that rules share.
var (
	giveValue     = remedy{"give {member} a value in every call", ""}
	leaveOut      = remedy{"leave {member} out", "do not read {member}"}
	mayBeMissing  = remedy{"pass {member} as new(value)", "handle that it may be missing"}
	mayBeNull     = remedy{"", "handle that it may be missing"}
	otherName     = remedy{"mcpgen update, then mcpgen fix: it writes {to}", "mcpgen update, then mcpgen fix: it reads {to}"}
	otherValue    = remedy{"send another value of the enumeration", "handle values that are not known yet"}
	listedValue   = remedy{"send one of {values}", "handle values that are not known yet"}
	listedConst   = remedy{"send one of {values}", ""}
	unknownValues = remedy{"", "handle values that are not known yet"}
	reliedOn      = remedy{"send the value that the code relies on", ""}
	otherType     = remedy{"send a value of a type that is still allowed", "handle values of the new type"}
	allowedType   = remedy{"send a value of a type that is still allowed", ""}
	checkFirst    = remedy{"check the value before the call", ""}
	removeCall    = always("remove the call, or stay with the version of the server that has it")
	callOther     = always("mcpgen update, then mcpgen fix: it calls {to}")
)

// side is the index of what differs between arguments and results.
func (r Rule) side() int {
	if r.part == Results {
		return 1
	}
	return 0
}

// String is the id, such as "tool-removed"; "" of none.
func (r Rule) String() string {
	if r.known().schema {
		return string(r.part) + "-" + r.row.id
	}
	return r.known().id
}

// MarshalText gives the id. There is no error.
func (r Rule) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads an id. There is no error.
func (r *Rule) UnmarshalText(id []byte) error {
	*r, _ = LookupRule(string(id))
	return nil
}

// Class says whom changes of the rule concern where the profile does not say more.
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

// Severity is the default in a profile. Of rules that [Rule.Decides] is true of it is the
// guess where compatibility is not decided.
func (r Rule) Severity(p Profile) Severity {
	gates := map[Profile]string{Pin: "", Strict: "*", Source: "s", Model: "m"}
	if mark, ok := gates[p]; ok && r.known().marked(mark) {
		return Breaking
	}
	return r.known().caller[r.side()]
}

// Decides says that package compat has the last word: a change that it proves safe is at
// most info, or a warning where the rule is one; one that it refutes is breaking.
func (r Rule) Decides() bool { return r.known().effect != neutral }

// Remedy is what to do about a change: one clause, or "" if the change says enough. In it
// {member} is the member at the path, without which there is no remedy; {to} is the name
// after the change, {values} is what is allowed after it, and {rename} names the rename.
func (c *Change) Remedy() string {
	if c.Possible {
		return "if it is, mcpgen update, then mcpgen fix --rename {rename}"
	}
	if c.Rule == propertyRemoved.about(Arguments) && c.After != nil {
		return "send {member} among the members that are not declared"
	}
	return c.Rule.known().remedy[c.Rule.side()]
}

// Doc says in one line what the rule finds.
func (r Rule) Doc() string {
	switch {
	case !r.known().schema:
		return r.known().doc
	case r.part == Results:
		return "results: " + r.known().doc
	}
	return "arguments: " + r.known().doc
}

// Part is what the rule is about.
func (r Rule) Part() Part { return r.part }

// Touch is what changes of the rule mean for Go code.
func (r Rule) Touch() Touch { return r.known().touch }

// Renames reports whether something has another name: that of a change's After.
func (r Rule) Renames() bool { return r.known().marked("r") }

// Above is how many segments of a change's path lead from the schema that the change is
// about into it, such as to a value of an enumeration.
func (r Rule) Above() int { return strings.Count(r.known().marks, "^") }

// Rules returns the catalogue, sorted by id. The caller may change the slice.
func Rules() []Rule { return slices.Clone(catalogue()) }

// LookupRule returns the rule of that id.
func LookupRule(id string) (Rule, bool) {
	i, ok := slices.BinarySearchFunc(catalogue(), id, func(r Rule, id string) int { return strings.Compare(r.String(), id) })
	if !ok {
		return Rule{}, false
	}
	return catalogue()[i], true
}

// catalogue sorts the rules once; nobody changes them.
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
