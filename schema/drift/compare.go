package drift

// This file compares two snapshots, list by list.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/internal/jsontext"
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
	c.home = sync.OnceValue(func() *languages { return languagesIn(cmp.Or(before, c.after)) })
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
	return a.Kind == b.Kind && a.Name == b.Name && a.Rule == b.Rule &&
		a.Path == b.Path && a.Message == b.Message && slices.Equal(a.CallSites, b.CallSites)
}

type comparer struct {
	ctx           context.Context // the context of Compare
	opts          *Options
	profile       Profile
	first         bool
	state         string
	before, after *schema.Snapshot
	foreign       map[string]foreign // names of other servers and their tools, by lower-case name
	home          func() *languages  // of the known text: of before, or of after on a first look
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
	path                   string
	message                string // "" is what the rule finds, in general
	aside                  string // the end of the message
	before, after, witness json.RawMessage
	severity               Severity // "" is the rule's
	lifted                 bool     // breaking only because of the profile
	possible               bool     // see Change
}

// add records changes.
func (s *scope) add(notes ...note) {
	for _, n := range notes {
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
			Message: cmp.Or(n.message, n.rule.doc) + n.aside, Aside: n.aside, Possible: n.possible,
			Before: n.before, After: n.after, Witness: n.witness, Hash: s.hash,
		})
	}
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

// pairs returns the items that both sides have, including likely renames. Possible renames are noted, and
// compared by says: whoever confirms one moves code to the new item.
func (c *comparer) pairs(kind schema.Kind, rule *row, before, after []schema.Item,
	weigh func(gone, added []*schema.Item) func(b, a *schema.Item) rename,
	says func(s *scope, b, a *schema.Item)) [][2]*schema.Item {
	both, gone, added := split(before, after)
	for _, b := range slices.Clone(gone) {
		if i := slices.IndexFunc(added, func(a *schema.Item) bool { return a.Name == c.opts.Renamed[kind][b.Name] }); i >= 0 {
			both = append(both, [2]*schema.Item{b, added[i]})
			gone, added = drop(gone, b), drop(added, added[i])
		}
	}
	for _, r := range matchNames(gone, added, weigh(gone, added)) {
		c.renamed(kind, rule, r)
		gone, added = drop(gone, r.before), drop(added, r.after)
		if r.score >= likely {
			both = append(both, [2]*schema.Item{r.before, r.after})
			continue
		}
		c.scope(kind, r.after.Name, hashOf(r.after.Raw)).texts(nil, stringsOf(r.after.Raw))
		if s := c.scope(kind, r.before.Name, hashOf(r.after.Raw)); s.readable(r.before.Raw, r.after.Raw) {
			says(s, r.before, r.after)
		}
	}
	c.listed(kind, gone, added)
	return both
}

// listed notes the items that were added to or removed from a list.
func (c *comparer) listed(kind schema.Kind, gone, added []*schema.Item) {
	for _, b := range gone {
		n := note{rule: departures[kind], message: "the " + string(kind) + " is gone", before: valid(b.Raw)}
		c.scope(kind, b.Name, nothing()).add(n)
	}
	for _, a := range added {
		if c.ended() {
			return
		}
		s := c.scope(kind, a.Name, hashOf(a.Raw))
		if !c.first {
			s.add(note{rule: arrivals[kind], message: "a new " + string(kind), after: valid(a.Raw)})
		}
		if !s.readable(nil, a.Raw) {
			continue
		}
		s.texts(nil, stringsOf(a.Raw))
		if now, _, err := schema.ParseTool(a.Raw); kind == schema.KindTool && err == nil {
			s.firstSchema(Arguments, now.InputSchema)
			s.firstSchema(Results, now.OutputSchema)
		}
	}
}

// renamed notes a renamed item.
func (c *comparer) renamed(kind schema.Kind, rule *row, r rename) {
	n := note{rule: rule, path: "/name", message: "renamed to " + quote(r.after.Name),
		before: text(r.before.Name), after: text(r.after.Name)}
	if n.possible = r.score < likely; n.possible {
		n.message = "perhaps " + n.message + ": " + r.evidence
	} else {
		n.aside = " (" + r.confidence() + ")"
	}
	c.scope(kind, r.before.Name, hashOf(r.after.Raw)).add(n)
}

// changed compares the items that both sides have. Changes are listed under the old name, which callers use.
func (c *comparer) changed(kind schema.Kind, both [][2]*schema.Item,
	compare func(s *scope, before, after *schema.Item)) {
	for _, pair := range both {
		b, a := pair[0], pair[1]
		s := c.scope(kind, b.Name, hashOf(a.Raw))
		if c.ended() || !s.readable(b.Raw, a.Raw) || s.hash == hashOf(b.Raw) {
			continue
		}
		start := len(c.changes)
		compare(s, b, a)
		s.texts(stringsOf(b.Raw), stringsOf(a.Raw))
		if len(c.changes) == start && b.Name == a.Name {
			s.unexplained("", b.Raw, a.Raw)
		}
	}
}

// member adds a note if two values differ.
func (s *scope) member(rule *row, path, message string, before, after json.RawMessage) bool {
	if equalJSON(before, after) {
		return false
	}
	s.add(note{rule: rule, path: path, message: message, before: before, after: after})
	return true
}

// docMembers compares members that are written for people.
func (s *scope) docMembers(rule *row, before, after json.RawMessage, names ...string) {
	b, a := members(before), members(after)
	for _, name := range names {
		s.member(rule, "/"+name, name+" differs", b[name], a[name])
	}
}

const unknownMember = "the member %s differs, and the protocol does not know it"

// others compares the unknown members of two objects.
func (s *scope) others(rule *row, path, message string, before, after json.RawMessage, known ...string) {
	b, a := members(before), members(after)
	for _, name := range union(b, a) {
		if !slices.Contains(known, name) {
			s.member(rule, path+jsontext.EscapePointer(name), fmt.Sprintf(message, quote(name)), b[name], a[name])
		}
	}
}

// unexplained notes the differences between two values that no other rule covers.
func (s *scope) unexplained(path string, before, after json.RawMessage) {
	b, a := members(before), members(after)
	if b == nil || a == nil {
		s.member(definitionChanged, path, "", before, after)
		return
	}
	for _, name := range union(b, a) {
		s.unexplained(path+"/"+jsontext.EscapePointer(name), b[name], a[name])
	}
}

// union returns the names of two objects, sorted.
func union(a, b map[string]json.RawMessage) []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(names)
	return slices.Compact(names)
}
