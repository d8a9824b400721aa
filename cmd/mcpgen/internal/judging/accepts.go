package judging

// Security findings are accepted one by one. This file determines the accepted ones: by patterns, by a
// reviewed report, or by answers of the user.

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/internal/glob"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/provenance"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Accepts holds the acceptances of a run.
type Accepts struct {
	given    []string // patterns, see [CheckAccept]
	used     map[string]bool
	reviewed map[reviewed]bool // changes of the reviewed report; nil if there is none
	file     string            // the file with the report
}

// reviewed identifies a change of a report.
type reviewed struct {
	server, name, rule, path, hash string
	kind                           schema.Kind
}

func reviewOf(server string, c *drift.Change, hash string) reviewed {
	return reviewed{server, c.Name, c.Rule.String(), c.Path, hash, c.Kind}
}

// NewAccepts returns the acceptances by patterns, and by a reviewed report with its file. The report may be nil.
func NewAccepts(patterns []string, review *report.Report, file string) Accepts {
	a := Accepts{given: patterns, used: map[string]bool{}, file: file}
	if review == nil {
		return a
	}
	a.reviewed = map[reviewed]bool{}
	for _, s := range review.Servers {
		for _, c := range slices.Concat(s.Changes, s.Off) {
			a.reviewed[reviewOf(s.Server, &c.Change, c.AfterHash)] = true
		}
	}
	return a
}

// CheckAccept returns an error for an invalid pattern of --accept. A pattern is server/item/rule, or
// server/rule for the server itself. In each part * matches any text and ? any character; an item may
// contain slashes. A pattern that matches everything is refused: it would accept findings that nobody
// reviewed.
func CheckAccept(pattern string) error {
	if !strings.Contains(pattern, "/") {
		return fmt.Errorf("want SERVER/TOOL/RULE or SERVER/RULE, got %q", pattern)
	}
	if strings.Trim(pattern, "*?/") == "" {
		return hint.With(fmt.Errorf("%q would accept everything: it names no server, tool or rule", pattern),
			"name a server, tool or rule", "give the report that you have reviewed: --accept-from FILE")
	}
	return nil
}

// matchAccept reports whether a pattern matches a finding.
func matchAccept(pattern, server string, c *drift.Change) bool {
	if pattern == report.Selector(server, c) || pattern == server+"/"+c.Name+"/"+c.Rule.String() {
		return true
	}
	parts, whole := strings.Split(pattern, "/"), []string{server, c.Name, c.Rule.String()}
	switch {
	case c.Kind == drift.KindServer:
		whole = []string{server, c.Rule.String()}
	case len(parts) > 3:
		parts = []string{parts[0], strings.Join(parts[1:len(parts)-1], "/"), parts[len(parts)-1]}
	}
	return slices.EqualFunc(parts, whole, wild)
}

// wild matches * and ?; other characters match themselves.
func wild(pattern, text string) bool {
	return glob.Match(strings.NewReplacer(`[`, `\[`, `\`, `\\`).Replace(pattern), text)
}

// Has reports whether a finding is accepted.
func (a *Accepts) Has(server string, c *drift.Change) bool {
	found := a.reviewed[reviewOf(server, c, c.Hash)]
	for _, pattern := range a.given {
		if matchAccept(pattern, server, c) {
			a.used[pattern] = true
			found = true
		}
	}
	return found
}

// Check returns an error if a change is not in the reviewed report, or if an --accept has accepted nothing
// although its server could be compared.
func (a *Accepts) Check(found *drift.Report, withheld []Withheld, unknown []string) error {
	return errors.Join(a.unused(withheld, unknown), a.further(found))
}

func (a *Accepts) unused(withheld []Withheld, unknown []string) error {
	var unused []string
	for _, text := range a.given {
		of := func(server string) bool { return strings.HasPrefix(text, server+"/") }
		if !a.used[text] && !slices.ContainsFunc(unknown, of) {
			unused = append(unused, fmt.Sprintf("%q", text))
		}
	}
	if len(unused) == 0 {
		return nil
	}
	var known []string
	for _, h := range withheld {
		if selector := h.Selector(); !slices.Contains(known, selector) {
			known = append(known, selector)
		}
	}
	there := "nothing has to be accepted"
	if len(known) > 0 {
		there = "findings to accept: " + strings.Join(known, ", ")
	}
	return fmt.Errorf("--accept %s: there is no such finding; %s", strings.Join(unused, ", "), there)
}

// maxFurther bounds the changes that an error names.
const maxFurther = 10

// further returns an error if there are changes that the reviewed report does not have.
func (a *Accepts) further(found *drift.Report) error {
	if a.reviewed == nil {
		return nil
	}
	var more []string
	review := "mcpgen check --format json"
	for _, s := range found.Servers {
		if s.State == report.StateNew {
			more = append(more, s.Server+": it was not locked")
		}
		for _, c := range s.All() {
			if c.Rule == drift.LaunchChanged { // check only starts locked launches
				review = "mcpgen update --dry-run --format json --accept " + hint.Word(report.Selector(s.Server, &c))
			}
			if !a.reviewed[reviewOf(s.Server, &c, c.Hash)] {
				more = append(more, report.Selector(s.Server, &c)+": "+c.Message)
			}
		}
	}
	if len(more) == 0 {
		return nil
	}
	text := fmt.Sprintf("--accept-from %s: nothing was accepted, because the report lacks some changes", a.file)
	for i, m := range more {
		if i == maxFurther {
			text += fmt.Sprintf("\nand %d more", len(more)-i)
			break
		}
		text += "\n" + m
	}
	return exit.Fail(exit.Finding, hint.New(text, "review a new report: "+review))
}

// ErrQuit is the error of [NewAsking] if the user accepts nothing at all. It ends an update
// without changes.
var ErrQuit = exit.Fail(exit.Finding, errors.New("nothing was accepted"))

// Asking asks about each item once, even if an update starts again.
type Asking struct {
	ask   func(server string, changes []report.Change) (yes, rest bool, err error)
	known map[string]bool // by item and hash
	rest  bool            // the user has answered for all remaining items
}

// NewAsking returns questions that are put to a function; nil puts none.
func NewAsking(ask func(server string, changes []report.Change) (yes, rest bool, err error)) *Asking {
	if ask == nil {
		return nil
	}
	return &Asking{ask: ask, known: map[string]bool{}}
}

// Answers asks about the items of a server, and returns the changes that stay withheld. A nil Asking asks no
// question and returns the given changes.
func (a *Asking) Answers(s *drift.ServerReport, withheld []Withheld) ([]Withheld, error) {
	if a == nil {
		return withheld, nil
	}
	var out []Withheld
	one := report.Of(&drift.Report{Servers: []drift.ServerReport{{Server: s.Server, Changes: s.All()}}}).Servers[0]
	for from := 0; from < len(one.Changes); {
		first := &one.Changes[from]
		to := from
		of := func(c *report.Change) bool {
			return c.Kind == first.Kind && c.Name == first.Name &&
				(c.Rule == drift.LaunchChanged) == (first.Rule == drift.LaunchChanged)
		}
		for to < len(one.Changes) && of(&one.Changes[to]) {
			to++
		}
		changes := one.Changes[from:to]
		from = to
		secure := slices.ContainsFunc(changes, func(c report.Change) bool { return Gated(&c.Change) })
		if !slices.ContainsFunc(changes, func(c report.Change) bool { return MayWithhold(&c.Change) }) {
			continue
		}
		yes, err := a.yes(s.Server, changes, secure)
		if err != nil {
			return nil, err
		}
		for i := range changes {
			if c := changes[i].Change; !yes && MayWithhold(&c) {
				out = append(out, Withheld{Server: s.Server, Change: c, Declined: true})
			}
		}
	}
	return out, nil
}

// yes returns the answer about one item.
func (a *Asking) yes(server string, changes []report.Change, secure bool) (bool, error) {
	c := &changes[0]
	key := fmt.Sprintf("%q %q %q %s", server, c.Kind, c.Name, c.AfterHash)
	if yes, ok := a.known[key]; ok {
		return yes, nil
	}
	if a.rest && !secure {
		return true, nil
	}
	yes, rest, err := a.ask(server, changes)
	a.rest, a.known[key] = a.rest || rest, yes
	return yes, err
}

// KeepAccepted stores the acceptances of an update in a server's new lock entry: every security finding that
// had to be accepted and is not withheld, and what a launch ran.
func KeepAccepted(server string, before, now *lockfile.LockedServer, changes []drift.Change, withheld []Withheld) {
	for _, c := range changes {
		left := func(h Withheld) bool {
			return h.Server == server && h.Change.Kind == c.Kind && h.Change.Name == c.Name &&
				h.Change.Rule == c.Rule && h.Change.Path == c.Path
		}
		if !Gated(&c) && c.Rule != drift.ArtifactChanged || slices.ContainsFunc(withheld, left) {
			continue
		}
		if c.Kind == drift.KindServer {
			a := lockfile.Acceptance{Rule: c.Rule.String(), Before: serverHash(before, &c), After: serverHash(now, &c)}
			now.Accepted = lockfile.Accept(now.Accepted, a)
			continue
		}
		name := cmp.Or(RenamedTo(&c, changes), c.Name)
		if item, ok := now.Items(c.Kind)[name]; ok {
			a := lockfile.Acceptance{Rule: c.Rule.String(), Before: before.Items(c.Kind)[c.Name].Full, After: item.Full}
			item.Accepted = lockfile.Accept(item.Accepted, a)
			now.Items(c.Kind)[name] = item
		}
	}
}

// serverHash returns the hash of the part of a server that a change is about; "" for a nil server.
func serverHash(l *lockfile.LockedServer, c *drift.Change) string {
	switch {
	case l == nil:
		return ""
	case c.Rule == drift.LaunchChanged:
		return l.Launch.Hash
	case c.Rule == drift.ArtifactChanged, c.Rule == drift.BytesChanged:
		text, err := json.Marshal(l.Artifact)
		if err != nil {
			return ""
		}
		return lockfile.TextHash(string(text))
	case ofInstructions(c):
		return l.Instructions
	}
	text, err := schema.Canonical(l.Identity)
	if err != nil {
		return ""
	}
	return lockfile.TextHash(string(text))
}

// AddedAcceptances returns the acceptances of a lock that another lacks, for some servers.
func AddedAcceptances(lock, other *lockfile.Lock, counts func(server string) bool) []report.Accepted {
	var out []report.Accepted
	names := slices.Collect(maps.Keys(lock.Servers))
	had := provenance.Findings(other, names...)
	for _, f := range provenance.Findings(lock, names...) {
		if counts(f.Server) && !slices.Contains(had, f) {
			f.Kind = cmp.Or(f.Kind, drift.KindServer)
			out = append(out, report.Accepted(f))
		}
	}
	return out
}

// IsAccepted reports whether a lock entry has an acceptance of a change: an added one, or one for the current
// definition.
func IsAccepted(then, now *lockfile.LockedServer, c *drift.Change) bool {
	then = cmp.Or(then, &lockfile.LockedServer{})
	accepted, before, hash := now.Accepted, then.Accepted, serverHash(now, c)
	if c.Kind != drift.KindServer {
		accepted, before, hash = nil, nil, ""
		for _, name := range []string{c.Name, RenamedTo(c, []drift.Change{*c})} {
			item := now.Items(c.Kind)[name]
			accepted, before = append(accepted, item.Accepted...), append(before, then.Items(c.Kind)[name].Accepted...)
			hash = cmp.Or(item.Full, hash)
		}
	}
	return slices.ContainsFunc(accepted, func(a lockfile.Acceptance) bool {
		return a.Rule == c.Rule.String() && (a.After == hash || !slices.Contains(before, a))
	})
}
