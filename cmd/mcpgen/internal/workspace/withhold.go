package workspace

// This file withholds security findings until they are accepted. An item with such a finding stays as
// locked, and a new one is left out.

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Withheld is a change that was not accepted.
type Withheld struct {
	Server   string
	Change   drift.Change
	Declined bool // a person was asked and declined
	Folded   bool // the report does not show it in full
}

// Selector returns the value for --accept.
func (h Withheld) Selector() string { return report.Selector(h.Server, &h.Change) }

// New reports whether the item is not locked yet, so that it is left out.
func (w *Workspace) New(h *Withheld) bool {
	locked := w.Lock.Servers[h.Server]
	switch {
	case h.Change.Rule == drift.LaunchChanged:
		return false
	case locked == nil:
		return true
	case h.Change.Kind == drift.KindServer && ofInstructions(&h.Change):
		return locked.Instructions == ""
	case h.Change.Kind == drift.KindServer:
		return locked.Identity == nil
	}
	_, ok := locked.Items(h.Change.Kind)[h.Change.Name]
	return !ok
}

// ofInstructions reports whether a change is about the instructions of a server.
func ofInstructions(c *drift.Change) bool { return strings.HasPrefix(c.Path, "/instructions") }

// Reasons returns why changes of one item were not accepted, and the command that accepts them. Both are
// "" if a person declined all of them.
func Reasons(withheld []Withheld) (why, update string) {
	var reasons, selectors []string
	for _, h := range withheld {
		if h.Declined {
			continue
		}
		selectors = append(selectors, " --accept "+hint.Word(h.Selector()))
		if !slices.Contains(reasons, h.Change.Message) { // the same message may occur at several places
			reasons = append(reasons, h.Change.Message)
		}
	}
	if len(reasons) == 0 {
		return "", ""
	}
	slices.Sort(selectors)
	return strings.Join(reasons, "; "), "mcpgen update" + strings.Join(slices.Compact(selectors), "")
}

// gated reports whether a finding must be accepted by name. A changed artifact, such as a newer release
// of a package, is what the user runs update for, and is not gated.
func gated(c *drift.Change) bool {
	return c.Class == drift.ClassSecurity && c.Severity.AtLeast(drift.Unknown) && c.Rule != drift.ArtifactChanged
}

// withhold returns the security findings of a server that were not accepted. Changed texts, and changes
// that do not count, may also be accepted by name: see [updating.unfold].
func (a *accepts) withhold(s *drift.ServerReport) []Withheld {
	var withheld []Withheld
	for _, c := range s.All() {
		named := gated(&c) || c.IsText() || c.Severity == drift.Off
		if named && !a.has(s.Server, &c) && gated(&c) {
			withheld = append(withheld, Withheld{Server: s.Server, Change: c})
		}
	}
	return withheld
}

// excluded removes findings of new tools that tools.exclude names from a report, and separates them from
// other withheld findings: these tools are left out of the lock silently. Only exact names count, since a
// pattern does not show that a person has looked at the tool.
func excluded(project *config.Project, s *drift.ServerReport, before *schema.Snapshot, withheld []Withheld) (silent, rest []Withheld) {
	names := project.Build[s.Server].Exclude
	out := map[string]bool{}
	for _, h := range withheld {
		if h.Change.Kind == schema.KindTool && isNew(&h.Change, before) && slices.Contains(names, h.Change.Name) {
			out[h.Change.Name] = true
			silent = append(silent, h)
		} else {
			rest = append(rest, h)
		}
	}
	s.Drop(func(c *drift.Change) bool { return c.Kind == schema.KindTool && out[c.Name] })
	return silent, rest
}

// leftOut reduces the changes of each item that the lock leaves out to its findings, and adds that it is
// left out. That the item and its text are new is not a separate finding.
func leftOut(s *drift.ServerReport, before *schema.Snapshot, withheld []Withheld) {
	type item struct {
		kind schema.Kind
		name string
	}
	out := map[item]bool{}
	for _, h := range withheld {
		if before != nil && gated(&h.Change) && isNew(&h.Change, before) {
			out[item{h.Change.Kind, h.Change.Name}] = true
		}
	}
	s.Drop(func(c *drift.Change) bool {
		return out[item{c.Kind, c.Name}] && (c.Rule.Touch() == ruleid.TouchItemAdded || c.IsText())
	})
	for i := range s.Changes {
		if c := &s.Changes[i]; out[item{c.Kind, c.Name}] && gated(c) {
			c.Message = "left out of " + LockName + ": " + c.Message
		}
	}
}

// isNew reports whether a change is about a new item.
func isNew(c *drift.Change, before *schema.Snapshot) bool {
	switch {
	case before == nil:
		return true
	case c.Kind == drift.KindServer && ofInstructions(c):
		return before.Instructions == ""
	case c.Kind == drift.KindServer:
		return before.Identity == nil
	}
	return !slices.ContainsFunc(*before.List(c.Kind), func(it schema.Item) bool { return it.Name == c.Name })
}

// Without returns the step that excludes the left-out tools in mcpgen.yaml; "" if there are none.
func (w *Workspace) Without(withheld []Withheld) string {
	tools, out := map[string][]string{}, []string(nil)
	for _, h := range withheld {
		if name := strconv.Quote(h.Change.Name); h.Change.Kind == schema.KindTool && w.New(&h) && !slices.Contains(tools[h.Server], name) {
			tools[h.Server] = append(tools[h.Server], name)
		}
	}
	for _, server := range slices.Sorted(maps.Keys(tools)) {
		out = append(out, fmt.Sprintf("servers.%s.tools: {exclude: [%s]}", server, strings.Join(tools[server], ", ")))
	}
	if out == nil {
		return ""
	}
	return "to exclude the tools that were left out, write in " + filepath.Base(cmp.Or(w.Project.Path, "mcpgen.yaml")) + ": " + strings.Join(out, ", ")
}

// keepBack returns the capture with locked definitions for all items with a withheld finding, and without
// new items that have one.
func (c *Capture) keepBack(before *schema.Snapshot, withheld []Withheld, changes []drift.Change) *Capture {
	before = cmp.Or(before, &schema.Snapshot{})
	kept, s := *c, *c.Snapshot
	for i := range withheld {
		h := &withheld[i].Change
		switch {
		case withheld[i].Server != c.Server.Name:
			continue
		case h.Kind == drift.KindServer && ofInstructions(h):
			s.Instructions = before.Instructions
		case h.Kind == drift.KindServer:
			s.Identity = before.Identity
		default:
			list := s.List(h.Kind)
			*list = revert(*list, *before.List(h.Kind), h.Name, renamedTo(h, changes))
		}
		kept.Store = "" // of the whole surface
	}
	kept.Snapshot = &s
	return &kept
}

// renamedTo returns the new name of an item with a detected rename, or "".
func renamedTo(h *drift.Change, changes []drift.Change) string {
	for _, c := range changes {
		if c.Kind == h.Kind && c.Name == h.Name && c.Rule.Renames() && c.Rule.Part() == drift.Item {
			return jsontext.Text(c.After)
		}
	}
	return ""
}

// revert returns items with the locked definition of one, in place of the item that replaced it. The
// others keep their order.
func revert(items, old []schema.Item, name, renamed string) []schema.Item {
	is := func(it schema.Item) bool { return it.Name == name || renamed != "" && it.Name == renamed }
	at := slices.IndexFunc(items, is)
	out := slices.DeleteFunc(slices.Clone(items), is)
	if i := slices.IndexFunc(old, func(it schema.Item) bool { return it.Name == name }); i >= 0 {
		if at < 0 {
			at = len(out)
		}
		out = slices.Insert(out, at, old[i])
	}
	return out
}

// leftOut counts the tools that a first lock omits.
func (c *Capture) leftOut() int {
	names := map[string]bool{}
	for _, name := range c.Unusable {
		names[name] = true
	}
	for _, h := range c.Withheld {
		if h.Change.Kind == schema.KindTool {
			names[h.Change.Name] = true
		}
	}
	return len(names)
}

// firstLook withholds the items with security findings of a newly locked server: all its text is new.
func firstLook(ctx context.Context, project *config.Project, lock *lockfile.Lock, c *Capture) error {
	s, err := judge(ctx, lock, comparison{name: c.Server.Name, after: c.Snapshot}, judgement(project, Judging{}))
	if err != nil {
		return err
	}
	changes := slices.Clone(s.Changes)
	silent, withheld := excluded(project, &s, nil, new(accepts).withhold(&s))
	c.Withheld = withheld
	for _, p := range c.Problems {
		taken := slices.ContainsFunc(c.Snapshot.Tools, func(it schema.Item) bool { return it.Name == p.Name })
		name := cmp.Or(p.Name, p.Pointer) // a broken definition has no name
		if p.Kind == schema.KindTool && !taken && !slices.Contains(c.Unusable, name) {
			c.Unusable = append(c.Unusable, name)
		}
	}
	kept := c.keepBack(nil, slices.Concat(silent, withheld), changes)
	c.Snapshot, c.Store = kept.Snapshot, kept.Store
	return nil
}

// MayCall returns an error, with the reason, for a tool of a locked server that is missing in the lock, or that
// has an unaccepted security finding. Now is what the server lists. It warns about a tool with another change that
// programs do not call: the call that a report suggests shows the server's answer.
func (w *Workspace) MayCall(ctx context.Context, p naming.Pair, now *schema.Snapshot) error {
	_, isLocked := w.Lock.Servers[p.Server].Items(schema.KindTool)[p.Tool]
	s, err := judge(ctx, w.Lock, comparison{name: p.Server, before: w.oldSnapshot(p.Server), after: now}, judgement(w.Project, Judging{}))
	if err != nil {
		return err
	}
	all := s.All()
	s.Drop(func(c *drift.Change) bool {
		return c.Kind != schema.KindTool || c.Name != p.Tool && renamedTo(c, all) != p.Tool
	})
	why, update := Reasons(new(accepts).withhold(&s))
	switch {
	case why != "" && isLocked:
		err = hint.With(fmt.Errorf("the tool has changed, and nobody has accepted the change: %s", why), "review the change, then run "+update)
	case why != "":
		err = hint.With(fmt.Errorf("mcpgen.lock does not have this tool, because nobody has accepted the tool: %s", why), "review the change, then run "+update)
	case !isLocked:
		err = hint.New("mcpgen.lock does not have this tool, because the tool is new on the server", "lock the tool: mcpgen update "+hint.Word(p.Server))
	case len(s.Changes) > 0 && s.Changes[0].Severity.AtLeast(drift.Unknown):
		w.Options.Console.Warn("%v", hint.With(fmt.Errorf("%s/%s differs from %s, so programs do not call it: %s", p.Server, p.Tool, LockName, s.Changes[0].Message), "see the changes: mcpgen check"))
		return nil
	default:
		return nil
	}
	return exit.Fail(exit.Finding, fmt.Errorf("%s/%s: %w", p.Server, p.Tool, err))
}
