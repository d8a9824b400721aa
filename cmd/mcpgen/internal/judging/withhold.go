package judging

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

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/runtime/config"
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

// New reports whether the lock does not have the item yet, so that it is left out.
func (h *Withheld) New(lock *lockfile.Lock) bool {
	locked := lock.Servers[h.Server]
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

// Gated reports whether a finding must be accepted by name. A changed artifact, such as a newer release
// of a package, is what the user runs update for, and is not gated.
func Gated(c *drift.Change) bool {
	return c.Class == drift.ClassSecurity && c.Severity.AtLeast(drift.Unknown) && c.Rule != drift.ArtifactChanged
}

// MayWithhold reports whether a change can be left out of the lock: other statements of a server about itself
// cannot.
func MayWithhold(c *drift.Change) bool {
	return c.Kind != drift.KindServer || Gated(c) || ofInstructions(c)
}

// Withhold returns the security findings of a server that were not accepted. Changed texts, changes with
// new texts and changes that do not count may also be accepted by name: see the update.
func (a *Accepts) Withhold(s *drift.ServerReport) []Withheld {
	var withheld []Withheld
	for _, c := range s.All() {
		named := Gated(&c) || c.IsText() || c.Severity == drift.Off || c.NewTexts() != nil
		if named && !a.Has(s.Server, &c) && Gated(&c) {
			withheld = append(withheld, Withheld{Server: s.Server, Change: c})
		}
	}
	return withheld
}

// Excluded removes findings of new tools that tools.exclude names from a report, and separates them from
// other withheld findings: these tools are left out of the lock silently. Only exact names count, since a
// pattern does not show that a person has looked at the tool.
func Excluded(project *config.Project, s *drift.ServerReport, before *schema.Snapshot, withheld []Withheld) (
	silent, rest []Withheld,
) {
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

// TellLeftOut reduces the changes of each item that the lock leaves out to its findings, and adds that it is
// left out. That the item and its text are new is not a separate finding.
func TellLeftOut(s *drift.ServerReport, before *schema.Snapshot, withheld []Withheld) {
	out := map[Marked]bool{}
	for _, h := range withheld {
		if before != nil && Gated(&h.Change) && isNew(&h.Change, before) {
			out[Marked{h.Change.Kind, h.Change.Name}] = true
		}
	}
	s.Drop(func(c *drift.Change) bool {
		return out[Marked{c.Kind, c.Name}] && (c.Rule.Touch() == ruleid.TouchItemAdded || c.IsText())
	})
	for i := range s.Changes {
		if c := &s.Changes[i]; out[Marked{c.Kind, c.Name}] && Gated(c) {
			c.Message = "left out of " + locks.Name + ": " + c.Message
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
func Without(project *config.Project, lock *lockfile.Lock, withheld []Withheld) string {
	tools, out := map[string][]string{}, []string(nil)
	for _, h := range withheld {
		name := strconv.Quote(h.Change.Name)
		if h.Change.Kind == schema.KindTool && h.New(lock) && !slices.Contains(tools[h.Server], name) {
			tools[h.Server] = append(tools[h.Server], name)
		}
	}
	for _, server := range slices.Sorted(maps.Keys(tools)) {
		out = append(out, fmt.Sprintf("servers.%s.tools: {exclude: [%s]}", server, strings.Join(tools[server], ", ")))
	}
	if out == nil {
		return ""
	}
	file := filepath.Base(cmp.Or(project.Path, "mcpgen.yaml"))
	return "to exclude the tools that were left out, write in " + file + ": " + strings.Join(out, ", ")
}

// RenamedTo returns the new name of an item with a detected rename, or "".
func RenamedTo(h *drift.Change, changes []drift.Change) string {
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

// KeepBack returns a surface with locked definitions for all items with a withheld finding, and without
// new items that have one. Without a withheld finding it is the same.
func KeepBack(now, before *schema.Snapshot, withheld []Withheld, changes []drift.Change) *schema.Snapshot {
	before = cmp.Or(before, &schema.Snapshot{})
	s, kept := *now, now
	for i := range withheld {
		h := &withheld[i].Change
		switch {
		case withheld[i].Server != now.Server:
			continue
		case h.Kind == drift.KindServer && ofInstructions(h):
			s.Instructions = before.Instructions
		case h.Kind == drift.KindServer:
			s.Identity = before.Identity
		default:
			list := s.List(h.Kind)
			*list = revert(*list, *before.List(h.Kind), h.Name, RenamedTo(h, changes))
		}
		kept = &s
	}
	return kept
}

// FirstLook withholds the items with security findings of a server that is not locked: all its text is new.
func (j Judge) FirstLook(ctx context.Context, project *config.Project, now *schema.Snapshot) (
	kept *schema.Snapshot, withheld []Withheld, err error,
) {
	s, err := j.Compare(ctx, Comparison{Name: now.Server, After: now})
	if err != nil {
		return nil, nil, err
	}
	changes := slices.Clone(s.Changes)
	silent, withheld := Excluded(project, &s, nil, new(Accepts).Withhold(&s))
	return KeepBack(now, nil, slices.Concat(silent, withheld), changes), withheld, nil
}

// Marked is an item of one server; the zero value is the server itself.
type Marked struct {
	Kind schema.Kind
	Name string
}

// Marks are the security findings of items as if all text were new, each a rule with its message. They
// are for information only.
type Marks map[Marked][]string

// MarksOf checks all text of a server. The error is that of ctx.
func MarksOf(ctx context.Context, j Judge, s *schema.Snapshot) (Marks, error) {
	found, err := j.Compare(ctx, Comparison{Name: s.Server, After: s})
	if err != nil {
		return nil, err
	}
	out := Marks{}
	for _, c := range found.Changes {
		at := Marked{c.Kind, c.Name}
		if c.Kind == drift.KindServer {
			at = Marked{}
		}
		if text := c.Rule.String() + ": " + c.Message; Gated(&c) && !slices.Contains(out[at], text) {
			out[at] = append(out[at], text)
		}
	}
	return out, nil
}

// Line returns the line of a listing with the marks of an item; "" if it has none.
func (m Marks) Line(kind schema.Kind, name string) string {
	found := m[Marked{kind, name}]
	if len(found) == 0 {
		return ""
	}
	return "! " + console.Cut(strings.Join(found, "; "), 160)
}
