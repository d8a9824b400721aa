package drift

// This file is what Compare returns. The member names are those of the published
// JSON report.

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// Severity says what a change does to a check.
type Severity string

// The severities, worst first. Off is never reported.
const (
	Breaking Severity = "breaking" // somebody or something stops working, or a person has to look first
	Unknown  Severity = "unknown"  // neither shown to be safe nor to be breaking; counts as breaking
	Warning  Severity = "warning"  // works, and perhaps not as before
	Info     Severity = "info"     // safe
	Off      Severity = "off"
)

// rank orders severities: higher is worse. What is not a severity ranks as Off.
func (s Severity) rank() int {
	return max(slices.Index([]Severity{Off, Info, Warning, Unknown, Breaking}, s), 0)
}

// AtLeast reports whether s is as bad as other or worse.
func (s Severity) AtLeast(other Severity) bool { return s.rank() >= other.rank() }

// Class says whom a change concerns.
type Class string

// The classes.
const (
	ClassWire     Class = "wire"     // what is sent and received
	ClassSource   Class = "source"   // Go code that was written against the generated package
	ClassModel    Class = "model"    // what a model reads
	ClassSecurity Class = "security" // what a person has to look at, however compatible it is
)

// Kind says what a change is about.
type Kind = schema.Kind

// The kinds: the server itself, or an item of it.
const (
	KindServer   Kind = "server"
	KindTool          = schema.KindTool
	KindPrompt        = schema.KindPrompt
	KindResource      = schema.KindResource
	KindTemplate      = schema.KindTemplate
	KindSkill         = schema.KindSkill
	KindApp           = schema.KindApp
)

func rankOf(k Kind) int { return slices.Index(append([]Kind{KindServer}, schema.Kinds()...), k) }

// Verdict sums up changes: the worst severity, or one of the words below.
type Verdict string

// The verdicts beside the severities.
const (
	Unchanged Verdict = "unchanged" // no change that a profile or an override lets through
	Unchecked Verdict = "unchecked" // could not be checked: nothing is known
)

// rank orders verdicts: what is not known is worse than anything that is.
func (v Verdict) rank() int {
	if v == Unchecked {
		return 5
	}
	return Severity(v).rank()
}

// Report is what changed.
type Report struct {
	Verdict Verdict        `json:"verdict"` // the worst of the servers'
	Servers []ServerReport `json:"servers"`
	// GaveUp says that [Options.MaxSteps] were not enough for everything: with more
	// of them, something that is unknown might be decided.
	GaveUp bool `json:"-"`
}

// ServerReport is what changed in one server.
type ServerReport struct {
	Server  string  `json:"server"`
	Verdict Verdict `json:"verdict"`
	// State is "new" if there was nothing to compare with, "checked", or the
	// caller's word for why it was not.
	State string `json:"state"`
	Error string `json:"error,omitempty"` // why it could not be checked; set by the caller
	// Changes are sorted: the server's own first, then tools, prompts, resources
	// and templates by name, and the worst first within each.
	Changes []Change `json:"changes"`
	// Off are the changes that do not count, sorted as those are: their rule is off, or an
	// [Accept] is about them. Nothing differs if there are none of either.
	Off []Change `json:"off,omitempty"`
}

// Change is one difference that a rule is about.
type Change struct {
	Rule     Rule     `json:"rule"`
	Severity Severity `json:"severity"`
	Class    Class    `json:"class"`
	Kind     Kind     `json:"kind"`
	Name     string   `json:"name"` // wire name, URI or URI template; "" for the server
	// Path is a JSON pointer into the definition before the change, or, for what
	// was not there, after it. "" is the definition as a whole. For a server:
	// into an object with the members identity, capabilities, instructions,
	// protocol, launch and artifact.
	Path    string `json:"path"`
	Message string `json:"message"` // one printable sentence
	// Before and After are what stands at Path; nil if there is nothing. A
	// renamed item has its names here.
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
	// Witness is a value that worked and does not any more: arguments for an
	// input, a structured result for an output. Nil if there is none; Message
	// says why if the change is breaking.
	Witness   json.RawMessage `json:"witness,omitempty"`
	CallSites []CallSite      `json:"callSites,omitempty"` // left to package impact

	// Effect is what the change does to a Go module; left to package impact.
	Effect Effect `json:"-"`
	// Read says that models read the text by way of the module, or may; left to package impact.
	Read bool `json:"-"`

	// Aside is the end of Message that says how something was found out, such as why
	// there is no witness; "" if it says nothing of that.
	Aside string `json:"-"`
	// Possible says that a rename is no more than that: another item or member may have come.
	Possible bool `json:"-"`

	// Go is the Go name that a change of the generated API is about, such as
	// "ListPRsArgs.Repo"; "" for others.
	Go string `json:"-"`
	// Accept is the entry that an accept-… change is about; nil for others.
	Accept *Accept `json:"-"`

	// Hash is the full hash of the definition after the change: what an
	// [Accept] has to name. Of something that is gone it is the hash of null.
	Hash string `json:"-"`
}

// Effect says what a change does to lines of a Go module, beside what it does on the
// wire. "" is nothing that is known.
type Effect string

// The effects.
const (
	Breaks   Effect = "breaks"    // a line does not compile once the change is accepted
	MayBreak Effect = "may break" // the Go API changes, and not all of the module was searched
)

// IsText reports whether models and people read what changed. A changed default counts if it
// contains a text.
func (c *Change) IsText() bool {
	return c.Rule.known().marked("t") && (c.Rule.Touch() != TouchDefault || bytes.IndexByte(slices.Concat(c.Before, c.After), '"') >= 0)
}

// SafeBound reports whether a change is a bound of arguments at ±(2^53-1), by which
// JavaScript tells integers apart: information, unless a line sends more. Its call sites are such
// lines, and [Report.Weigh] makes it breaking then.
func (c *Change) SafeBound() bool {
	limit := map[Rule]int{maximum.tightened.about(Arguments): maxSafe, minimum.tightened.about(Arguments): -maxSafe}[c.Rule]
	after := jsonschema.Rational(json.Number(c.After))
	return limit != 0 && after != nil && after.Cmp(big.NewRat(int64(limit), 1)) == 0
}

// SiteKind says what a change does to a line of the user's code.
type SiteKind string

// The kinds, the worse one first in order of text.
const (
	SiteBreaks SiteKind = "breaks" // the line sends or reads what changed, or does not compile
	SiteCalls  SiteKind = "calls"  // the line calls the item, and whether it sends or reads what changed is not known
)

// CallSite is a place in the user's code that a change touches.
type CallSite struct {
	File   string   `json:"file"`
	Line   int      `json:"line"`
	Symbol string   `json:"symbol"`
	Kind   SiteKind `json:"kind,omitempty"`
	Source string   `json:"source,omitempty"` // the line itself, printable and without the space around it
	// Error is what the compiler will say of the line; "" if it compiles.
	Error string `json:"error,omitempty"`
}

// Join makes one report of several. Servers keep their order. Nil reports count
// for nothing.
func Join(reports ...*Report) *Report {
	joined := &Report{Servers: []ServerReport{}}
	for _, r := range reports {
		if r != nil {
			joined.Servers = append(joined.Servers, r.Servers...)
		}
	}
	joined.Verdict = Unchanged
	for _, s := range joined.Servers {
		if s.Verdict.rank() > joined.Verdict.rank() {
			joined.Verdict = s.Verdict
		}
	}
	return joined
}

// Read says of all changed texts that models read them by way of a module, or may.
func (r *Report) Read() {
	for i := range r.Servers {
		for j := range r.Servers[i].Changes {
			c := &r.Servers[i].Changes[j]
			c.Read = c.IsText()
		}
	}
}

// HasTexts reports whether texts have changed.
func (r *Report) HasTexts() bool {
	return slices.ContainsFunc(r.Servers, func(s ServerReport) bool {
		return slices.ContainsFunc(s.Changes, func(c Change) bool { return c.IsText() })
	})
}

// All returns all changes in one order, also those that do not count.
func (s *ServerReport) All() []Change { return sorted(slices.Concat(s.Changes, s.Off)) }

// Drop takes changes out of what was found of a server, and sums up the others.
func (s *ServerReport) Drop(drop func(*Change) bool) {
	gone := func(c Change) bool { return drop(&c) }
	s.Changes, s.Off = slices.DeleteFunc(s.Changes, gone), slices.DeleteFunc(s.Off, gone)
	if s.Verdict != Unchecked {
		s.Verdict = verdict(s.Changes)
	}
}

// verdict sums up changes.
func verdict(changes []Change) Verdict {
	worst := Unchanged
	for _, c := range changes {
		if v := Verdict(c.Severity); v.rank() > worst.rank() {
			worst = v
		}
	}
	return worst
}
