package workspace

// Security findings are accepted one by one. This file determines the accepted ones: by patterns, by a
// reviewed report, or by answers of the user.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/internal/glob"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// accepts holds the acceptances of a run.
type accepts struct {
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

// newAccepts reads the acceptances from the options.
func newAccepts(o UpdateOptions) accepts {
	a := accepts{given: o.Accept, used: map[string]bool{}, file: o.ReviewedFile}
	if o.Reviewed == nil {
		return a
	}
	a.reviewed = map[reviewed]bool{}
	for _, s := range o.Reviewed.Servers {
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
		return hint.With(fmt.Errorf("%q would accept everything: it names no server, tool or rule", pattern), "name a server, tool or rule", "give the report that you have reviewed: --accept-from FILE")
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

// has reports whether a finding is accepted.
func (a *accepts) has(server string, c *drift.Change) bool {
	found := a.reviewed[reviewOf(server, c, c.Hash)]
	for _, pattern := range a.given {
		if matchAccept(pattern, server, c) {
			a.used[pattern] = true
			found = true
		}
	}
	return found
}

// check returns an error if an --accept has accepted nothing, unless its server could not be compared.
func (a *accepts) check(withheld []Withheld, unknown []string) error {
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
func (a *accepts) further(found *drift.Report) error {
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

// ErrQuit is the error of [UpdateOptions.Ask] if the user accepts nothing at all. It ends an update
// without changes.
var ErrQuit = exit.Fail(exit.Finding, errors.New("nothing was accepted"))

// asking asks about each item once, even if an update starts again.
type asking struct {
	ask   func(server string, changes []report.Change) (yes, rest bool, err error)
	known map[string]bool // by item and hash
	rest  bool            // the user has answered for all remaining items
}

// answers asks about the items of a server, and returns the changes that are withheld. If ask is nil, it
// returns the given ones.
func (a *asking) answers(s *drift.ServerReport, withheld []Withheld) ([]Withheld, error) {
	if a.ask == nil {
		return withheld, nil
	}
	var out []Withheld
	one := report.Of(&drift.Report{Servers: []drift.ServerReport{{Server: s.Server, Changes: s.All()}}}).Servers[0]
	for from := 0; from < len(one.Changes); {
		first := &one.Changes[from]
		to := from
		of := func(c *report.Change) bool {
			return c.Kind == first.Kind && c.Name == first.Name && (c.Rule == drift.LaunchChanged) == (first.Rule == drift.LaunchChanged)
		}
		for to < len(one.Changes) && of(&one.Changes[to]) {
			to++
		}
		changes := one.Changes[from:to]
		from = to
		secure := slices.ContainsFunc(changes, func(c report.Change) bool { return gated(&c.Change) })
		instructed := slices.ContainsFunc(changes, func(c report.Change) bool { return ofInstructions(&c.Change) })
		if first.Kind == drift.KindServer && !secure && !instructed {
			continue // other statements of a server about itself cannot be withheld
		}
		yes, err := a.yes(s.Server, changes, secure)
		if err != nil {
			return nil, err
		}
		for i := range changes {
			if c := changes[i].Change; !yes && (c.Kind != drift.KindServer || gated(&c) || ofInstructions(&c)) {
				out = append(out, Withheld{Server: s.Server, Change: c, Declined: true})
			}
		}
	}
	return out, nil
}

// yes returns the answer about one item.
func (a *asking) yes(server string, changes []report.Change, secure bool) (bool, error) {
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
