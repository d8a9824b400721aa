package workspace

// This file withholds what must not be locked unasked: findings of class security. An
// item with such a finding stays as it was locked, and a new one is left out.

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// Withheld is a change that was not accepted.
type Withheld struct {
	Server   string
	Change   drift.Change
	Declined bool // a person was asked, and said no
}

// Selector is what --accept has to be given.
func (h Withheld) Selector() string { return report.Selector(h.Server, &h.Change) }

// Reasons says why changes of one item were not accepted, and the command that accepts
// them. Both are "" if a person declined all of them.
func Reasons(held []Withheld) (why, update string) {
	var reasons, selectors []string
	for _, h := range held {
		if h.Declined {
			continue
		}
		selectors = append(selectors, " --accept "+report.ShellWord(h.Selector()))
		if !slices.Contains(reasons, h.Change.Message) { // the same at several places
			reasons = append(reasons, h.Change.Message)
		}
	}
	if len(reasons) == 0 {
		return "", ""
	}
	slices.Sort(selectors)
	return strings.Join(reasons, "; "), "mcpgen update" + strings.Join(slices.Compact(selectors), "")
}

// gated reports whether a finding has to be accepted by name. A changed launch,
// and what it ran, is what update itself was run to accept.
func gated(c *drift.Change) bool {
	return c.Class == drift.ClassSecurity && c.Severity.AtLeast(drift.Unknown) && c.Rule != "server-launch-changed" && c.Rule != "launch-artifact-changed"
}

// withhold finds the security findings of a server that were not accepted.
func (a *accepts) withhold(s *drift.ServerReport) []Withheld {
	var held []Withheld
	for i := range s.Changes {
		c := &s.Changes[i]
		if gated(c) && !a.has(s.Server, c) {
			held = append(held, Withheld{Server: s.Server, Change: *c})
		}
	}
	return held
}

// keepBack is the capture in which every item with a withheld finding has its locked
// definition, and without such items that are new.
func (c *Capture) keepBack(before *schema.Snapshot, held []Withheld, changes []drift.Change) *Capture {
	before = cmp.Or(before, &schema.Snapshot{})
	kept, s := *c, *c.Snapshot
	for i := range held {
		h := &held[i].Change
		switch {
		case held[i].Server != c.Server.Name:
		case h.Kind == drift.KindServer && strings.HasPrefix(h.Path, "/instructions"):
			s.Instructions = before.Instructions
		case h.Kind == drift.KindServer:
			s.Identity = before.Identity
		default:
			list := s.List(h.Kind)
			*list = revert(*list, *before.List(h.Kind), h.Name, renamedTo(h, changes))
		}
	}
	kept.Snapshot = &s
	return &kept
}

// renamedTo is the new name of an item that a rename was recognised for, or "".
func renamedTo(h *drift.Change, changes []drift.Change) string {
	for _, c := range changes {
		if c.Kind == h.Kind && c.Name == h.Name && strings.HasSuffix(c.Rule, "-renamed") {
			return jsontext.Text(c.After)
		}
	}
	return ""
}

// revert returns items with the locked definition of one, and without that which
// took its place. Items stay sorted by name.
func revert(items, old []schema.Item, name, renamed string) []schema.Item {
	out := slices.DeleteFunc(slices.Clone(items), func(it schema.Item) bool { return it.Name == name || renamed != "" && it.Name == renamed })
	if i := slices.IndexFunc(old, func(it schema.Item) bool { return it.Name == name }); i >= 0 {
		out = append(out, old[i])
	}
	slices.SortStableFunc(out, func(a, b schema.Item) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// firstLook withholds the items with security findings of a server that is locked for
// the first time: all its text is new.
func (w *Workspace) firstLook(ctx context.Context, c *Capture) error {
	s, err := w.judge(ctx, comparison{name: c.Server.Name, after: c.Snapshot}, w.judgement(Judging{}))
	if err != nil {
		return err
	}
	c.Held = new(accepts).withhold(&s)
	c.Snapshot = c.keepBack(nil, c.Held, s.Changes).Snapshot
	return nil
}
