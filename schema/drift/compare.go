package drift

// This file compares two snapshots, list by list.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema"
)

// Compare returns the changes from one snapshot to the next. A nil before is a first look: all text counts as
// new, and there are no other changes. A nil after is a server that offers nothing. A nil opts is the zero
// value.
//
// Raw messages need not be valid JSON: an unreadable definition is a change of its own. The same input gives
// the same report. The only error is that of ctx: if ctx ends, Compare returns soon, without a report.
func Compare(ctx context.Context, before, after *schema.Snapshot, opts *Options) (*Report, error) {
	if opts == nil {
		opts = &Options{}
	}
	c := &comparer{ctx: ctx, opts: opts, profile: opts.profile(), first: before == nil}
	c.before, c.after = orEmpty(before), orEmpty(after)
	var own []string
	for _, item := range slices.Concat(c.after.Tools, c.before.Tools) {
		own = append(own, item.Name)
	}
	c.foreign = foreignNames(opts.Others, own)
	c.state = "checked"
	name := c.before.Server
	if c.first {
		c.state, name = "new", c.after.Server
	}
	c.server()
	c.tools()
	c.silentRelease()
	c.prompts()
	c.resources()
	c.skills()
	c.apps()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := ServerReport{Server: name, State: c.state}
	s.settle(c.changes, opts, func(rule Rule) bool { return !ofAPI(rule) && !ofBudget(rule) })
	return &Report{Verdict: s.Verdict, GaveUp: c.gaveUp, Servers: []ServerReport{s}}, nil
}

// ended reports whether the context is done.
func (c *comparer) ended() bool { return c.ctx.Err() != nil }

func orEmpty(s *schema.Snapshot) *schema.Snapshot {
	if s == nil {
		return &schema.Snapshot{}
	}
	return s
}

// order sorts the server's own changes first, then items by name, and each item's changes by severity, worst
// first.
func order(a, b Change) int {
	return cmp.Or(
		cmp.Compare(rankOf(a.Kind), rankOf(b.Kind)),
		strings.Compare(a.Name, b.Name),
		cmp.Compare(b.Severity.rank(), a.Severity.rank()),
		strings.Compare(a.Rule.String(), b.Rule.String()),
		strings.Compare(a.Path, b.Path),
		strings.Compare(a.Message, b.Message),
	)
}

func same(a, b Change) bool {
	return a.Kind == b.Kind && a.Name == b.Name && a.Rule == b.Rule && a.Path == b.Path && a.Message == b.Message && slices.Equal(a.CallSites, b.CallSites)
}

type comparer struct {
	ctx           context.Context // the context of Compare
	opts          *Options
	profile       Profile
	first         bool
	state         string
	before, after *schema.Snapshot
	foreign       map[string]foreign // names of other servers and their tools, by lower-case name
	spoken        *languages         // see home
	changes       []Change
	gaveUp        bool // see Report
}

// scope is the item, or the server, whose changes are being found.
type scope struct {
	*comparer
	kind schema.Kind
	name string
	hash string // full hash after the change
}

func (c *comparer) scope(kind schema.Kind, name, hash string) *scope {
	return &scope{comparer: c, kind: kind, name: name, hash: hash}
}

// note is a change as found by a rule.
type note struct {
	rule                   *row
	part                   Part // for changes of a schema
	path, message, aside   string
	before, after, witness json.RawMessage
	severity               Severity // "" is the rule's
	lifted                 bool     // breaking only because of the profile
	possible               bool     // see Change
}

// add records a change.
func (s *scope) add(n note) {
	rule := n.rule.about(n.part)
	severity, class := n.severity, rule.Class()
	if severity == "" {
		severity = rule.Severity(s.profile)
		n.lifted = severity != rule.Severity(Caller)
	}
	if n.lifted && class != ClassSecurity {
		switch s.profile {
		case Source:
			class = ClassSource
		case Model:
			class = ClassModel
		}
	}
	s.changes = append(s.changes, Change{
		Rule: rule, Severity: severity, Class: class, Kind: s.kind, Name: s.name, Path: n.path,
		Message: n.message + n.aside, Aside: n.aside, Possible: n.possible, Before: n.before, After: n.after, Witness: n.witness, Hash: s.hash,
	})
}

// nothing returns the hash of an absent value.
func nothing() string {
	hash, _ := schema.FullHash(json.RawMessage("null")) // null has a canonical form
	return hash
}

// hashOf returns the full hash of raw, the hash of an absent value for nil, and "" for unreadable JSON.
func hashOf(raw json.RawMessage) string {
	if raw == nil {
		return nothing()
	}
	hash, err := schema.FullHash(raw)
	if err != nil {
		return ""
	}
	return hash
}

// byName indexes items by name; the first of several items with the same name wins.
func byName(items []schema.Item) map[string]*schema.Item {
	m := make(map[string]*schema.Item, len(items))
	for i := range items {
		if m[items[i].Name] == nil {
			m[items[i].Name] = &items[i]
		}
	}
	return m
}

// split sorts items by name into those on both sides, those removed and those added.
func split(before, after []schema.Item) (both [][2]*schema.Item, gone, added []*schema.Item) {
	was, is := byName(before), byName(after)
	for name, b := range was {
		if a := is[name]; a != nil {
			both = append(both, [2]*schema.Item{b, a})
		} else {
			gone = append(gone, b)
		}
	}
	for name, a := range is {
		if was[name] == nil {
			added = append(added, a)
		}
	}
	names := func(a, b *schema.Item) int { return strings.Compare(a.Name, b.Name) }
	slices.SortFunc(both, func(a, b [2]*schema.Item) int { return names(a[0], b[0]) })
	slices.SortFunc(gone, names)
	slices.SortFunc(added, names)
	return both, gone, added
}

// readable reports whether a definition can be read, and notes the error otherwise.
func (s *scope) readable(before, raw json.RawMessage) bool {
	_, err := schema.Canonical(raw)
	if err == nil {
		return true
	}
	what, _ := errors.AsType[*schema.Error](err)
	n := note{rule: definitionInvalid, message: "the definition cannot be read: " + clean(err.Error()), after: valid(raw)}
	if what != nil && what.Duplicate {
		n.rule = definitionDuplicateMember
	}
	if before == nil || string(before) != string(raw) {
		s.add(n)
	}
	return false
}
