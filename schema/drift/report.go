package drift

// This file defines the result of Compare. The member names are those of the published JSON report.

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"

	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// Severity is the effect of a change on a check.
type Severity string

// The severities, worst first. Off is never reported.
const (
	Breaking Severity = "breaking" // something stops working, or a person has to review it
	Unknown  Severity = "unknown"  // neither proven safe nor proven breaking; counts as breaking
	Warning  Severity = "warning"  // works, but perhaps differently
	Info     Severity = "info"     // safe
	Off      Severity = "off"
)

// rank orders severities: higher is worse. An unknown severity ranks as Off.
func (s Severity) rank() int {
	return max(slices.Index([]Severity{Off, Info, Warning, Unknown, Breaking}, s), 0)
}

// AtLeast reports whether s is as bad as other, or worse.
func (s Severity) AtLeast(other Severity) bool { return s.rank() >= other.rank() }

// Class is the audience of a change.
type Class string

// The classes.
const (
	ClassWire     Class = "wire"     // what is sent and received
	ClassSource   Class = "source"   // Go code that uses the generated package
	ClassModel    Class = "model"    // what a model reads
	ClassSecurity Class = "security" // for a person to review, even if compatible
)

// KindServer is the kind of a change to the server itself.
const KindServer schema.Kind = "server"

func rankOf(k schema.Kind) int {
	return slices.Index(append([]schema.Kind{KindServer}, schema.Kinds()...), k)
}

// Verdict summarizes changes: the worst severity, or one of the verdicts below.
type Verdict string

// The verdicts other than severities.
const (
	Unchanged Verdict = "unchanged" // no change counts under the profile and the overrides
	Unchecked Verdict = "unchecked" // could not be checked: nothing is known
)

// rank orders verdicts: Unchecked is worse than every severity.
func (v Verdict) rank() int {
	if v == Unchecked {
		return 5
	}
	return Severity(v).rank()
}

// Report is the result of [Compare].
type Report struct {
	Verdict Verdict        `json:"verdict"` // the worst verdict of the servers
	Servers []ServerReport `json:"servers"`
	// GaveUp reports that [Options.MaxSteps] did not suffice: with more steps, some unknown changes might be
	// decided.
	GaveUp bool `json:"-"`
}

// ServerReport is the report of one server.
type ServerReport struct {
	Server  string  `json:"server"`
	Verdict Verdict `json:"verdict"`
	// State is "new" if there was no earlier snapshot, "checked", or the caller's reason why the server was not
	// checked.
	State string `json:"state"`
	Error string `json:"error,omitempty"` // why it could not be checked; set by the caller
	// Changes are sorted: the server's own first, then tools, prompts, resources and templates by name; within
	// each, the worst first.
	Changes []Change `json:"changes"`
	// Off are the changes that do not count, in the same order: their rule is off, or an [Accept] covers them. If
	// Changes and Off are empty, nothing differs.
	Off []Change `json:"off,omitempty"`
}

// Change is one difference found by a rule.
type Change struct {
	Rule     Rule        `json:"rule"`
	Severity Severity    `json:"severity"`
	Class    Class       `json:"class"`
	Kind     schema.Kind `json:"kind"`
	Name     string      `json:"name"` // wire name, URI or URI template; "" for the server
	// Path is a JSON pointer into the definition before the change, or after it for additions. "" is the whole
	// definition. For a server, it points into an object with the members identity, capabilities, instructions,
	// protocol, launch and artifact.
	Path    string `json:"path"`
	Message string `json:"message"` // one printable sentence
	// Before and After are the values at Path, or nil if absent. For a renamed item they are its names.
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
	// Witness is a value that was valid and no longer is: arguments for an input, a structured result for an
	// output. It is nil if none was found; for a breaking change, Message then gives the reason.
	Witness   json.RawMessage `json:"witness,omitempty"`
	CallSites []CallSite      `json:"callSites,omitempty"` // set by package impact

	// Effect is the effect of the change on a Go module; set by package impact.
	Effect Effect `json:"-"`
	// Read reports that models read the text through the module, or may read it; set by package impact.
	Read bool `json:"-"`

	// Aside is the end of Message that explains the finding, such as why there is no witness; it may be empty.
	Aside string `json:"-"`
	// Possible marks a rename that is only possible: the new item or member may be unrelated.
	Possible bool `json:"-"`

	// Go is the Go name that a change of the generated API concerns, such as "ListPRsArgs.Repo"; "" for other
	// changes.
	Go string `json:"-"`
	// Accept is the entry that an accept-… change concerns; nil for other changes.
	Accept *Accept `json:"-"`

	// Hash is the full hash of the definition after the change, as an [Accept] must name it. For removed items it
	// is the hash of null.
	Hash string `json:"-"`
}

// Effect is the effect of a change on lines of a Go module, in addition to its effect on the wire. "" means no
// known effect.
type Effect string

// The effects.
const (
	Breaks   Effect = "breaks"    // a line does not compile once the change is accepted
	MayBreak Effect = "may break" // the Go API changes, and only part of the module was searched
)

// IsText reports whether the change concerns text that models and people read. A changed default counts if it
// contains text.
func (c *Change) IsText() bool {
	return c.Rule.known().marked("t") &&
		(c.Rule.Touch() != ruleid.TouchDefault || bytes.IndexByte(slices.Concat(c.Before, c.After), '"') >= 0)
}

// SafeBound reports whether a change bounds arguments at ±(2^53-1), the range of exact integers in JavaScript.
// Such a change is info, unless a line sends a larger value. Its call sites are these lines; with any,
// [Report.Weigh] makes the change breaking.
func (c *Change) SafeBound() bool {
	bounds := map[Rule]int{maximum.tightened.about(Arguments): maxSafe, minimum.tightened.about(Arguments): -maxSafe}
	limit := bounds[c.Rule]
	after := jsonschema.Rational(json.Number(c.After))
	return limit != 0 && after != nil && after.Cmp(big.NewRat(int64(limit), 1)) == 0
}

// SiteKind is the effect of a change on a line of the user's code.
type SiteKind string

// The kinds, in alphabetical order, which is also worst first.
const (
	SiteBreaks SiteKind = "breaks" // the line uses the changed part, or does not compile
	SiteCalls  SiteKind = "calls"  // the line calls the item; whether it uses the changed part is unknown
)

// CallSite is a place in the user's code that a change affects.
type CallSite struct {
	File   string   `json:"file"`
	Line   int      `json:"line"`
	Symbol string   `json:"symbol"`
	Kind   SiteKind `json:"kind,omitempty"`
	Source string   `json:"source,omitempty"` // the line itself, printable and trimmed
	// Error is the compiler's error for the line; "" if the line compiles.
	Error string `json:"error,omitempty"`
	// Step is the next step for this line; "" if the remedy of the change has it.
	Step string `json:"-"`
}

// Join merges reports into one. Servers keep their order; nil reports are ignored.
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

// Read marks all changed texts as read by models.
func (r *Report) Read() {
	for i := range r.Servers {
		for j := range r.Servers[i].Changes {
			c := &r.Servers[i].Changes[j]
			c.Read = c.IsText()
		}
	}
}

// HasTexts reports whether a text has changed.
func (r *Report) HasTexts() bool {
	return slices.ContainsFunc(r.Servers, func(s ServerReport) bool {
		return slices.ContainsFunc(s.Changes, func(c Change) bool { return c.IsText() })
	})
}

// All returns all changes in report order, including those that do not count.
func (s *ServerReport) All() []Change { return sorted(slices.Concat(s.Changes, s.Off)) }

// Drop removes changes from a server's report and updates its verdict.
func (s *ServerReport) Drop(drop func(*Change) bool) {
	gone := func(c Change) bool { return drop(&c) }
	s.Changes, s.Off = slices.DeleteFunc(s.Changes, gone), slices.DeleteFunc(s.Off, gone)
	if s.Verdict != Unchecked {
		s.Verdict = verdict(s.Changes)
	}
}

// verdict summarizes changes.
func verdict(changes []Change) Verdict {
	worst := Unchanged
	for _, c := range changes {
		if v := Verdict(c.Severity); v.rank() > worst.rank() {
			worst = v
		}
	}
	return worst
}
