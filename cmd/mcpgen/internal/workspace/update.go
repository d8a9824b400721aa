package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// UpdateOptions are the flags of update.
type UpdateOptions struct {
	Judging
	Servers []string // empty: all selected
	Accept  []string // security findings that are accepted: server/item/rule, or server/rule
	DryRun  bool     // show, write nothing
	Strict  bool
	Impact  bool // look for the lines of the module that a change touches
}

// UpdateReport says what an update accepted.
type UpdateReport struct {
	*report.Report
	Fails func(drift.Severity) bool // what check would have called a finding
	Held  []Held                    // security findings that were not accepted
	Files *generator.Report         // nil under DryRun
}

// Update takes the surfaces of the named servers afresh, says what changed since
// they were locked, and accepts it: snapshot, lock and code, all or nothing. Other
// servers are not touched. An item with a security finding that Accept does not
// name stays as it was locked.
func (w *Workspace) Update(ctx context.Context, o UpdateOptions) (*UpdateReport, error) {
	targets, err := w.targets(o.Servers)
	if err != nil {
		return nil, fail(ExitUsage, err)
	}
	lock, _ := w.keptLock()
	snapshots, err := w.snapshots(others(lock, targets))
	if err != nil {
		return nil, err
	}
	if err := w.settleOthers(ctx, lock, snapshots); err != nil {
		return nil, err
	}
	w.tellLaunch(targets)
	captures, err := w.capture(ctx, targets)
	if err := errors.Join(err, failures(captures), w.problems(captures, o.Strict)); err != nil {
		return nil, err
	}
	u := &updating{w: w, judgement: w.judgement(o.Judging), accepts: accepts{o.Accept, map[string]bool{}}}
	found, err := u.compare(ctx, captures)
	if err != nil {
		return nil, err
	}
	out := &UpdateReport{Fails: u.judgement.Fails, Held: u.held}
	if err := u.accepts.check(u.held); err != nil {
		return nil, err
	}
	unseen, err := w.inCode(ctx, found, captures, u.judgement, o.Impact)
	if err != nil {
		return nil, err
	}
	out.Report = report.Of(found)
	out.Unseen = unseen
	w.place(out.Report)
	if err := errors.Join(u.keepBack(captures, found), w.accept(ctx, lock, snapshots, captures)); err != nil {
		return out, err
	}
	files, err := w.render(ctx, lock, snapshots, o.Strict)
	if err != nil || o.DryRun {
		return out, err
	}
	out.Files, err = w.write(ctx, files)
	return out, err
}

// updating is one update while it is made.
type updating struct {
	w         *Workspace
	judgement config.Judgement
	accepts   accepts
	before    []*schema.Snapshot // by capture; nil if there was nothing
	held      []Held
}

// compare says what changed in each server, and finds what has to be held.
func (u *updating) compare(ctx context.Context, captures []*Capture) (*drift.Report, error) {
	found := &drift.Report{}
	for _, c := range captures {
		name, locked := c.Server.Name, u.w.Lock.Servers[c.Server.Name]
		before := u.w.oldSnapshot(locked, name)
		if locked != nil && before == nil && len(locked.Verify(c.Snapshot)) == 0 {
			before = c.Snapshot // the snapshot on disk is gone, and the server still offers what was locked
		}
		u.before = append(u.before, before)
		cmp := comparison{name: name, before: before, after: c.Snapshot}
		if locked != nil {
			cmp.launchBefore = locked.Launch
			cmp.launchAfter, _ = config.SameLaunch(locked.Launch, c.Server, u.w.Root)
		}
		s, err := u.w.judge(ctx, cmp, u.judgement)
		if err != nil {
			return nil, err
		}
		explain(&s, c.Problems)
		u.held = append(u.held, u.accepts.hold(&s)...)
		found.Servers = append(found.Servers, s)
	}
	return drift.Join(found), nil
}

// keepBack takes what is held out of the captures.
func (u *updating) keepBack(captures []*Capture, found *drift.Report) error {
	var errs []error
	for i, c := range captures {
		var own []Held
		for _, h := range u.held {
			if h.Server == c.Server.Name {
				own = append(own, h)
			}
		}
		errs = append(errs, c.keepBack(u.before[i], own, found.Servers[i].Changes))
	}
	return fail(ExitUsage, errors.Join(errs...))
}

// targets returns the enabled servers that are to be updated, sorted by name.
func (w *Workspace) targets(names []string) ([]endpoint.Server, error) {
	if len(names) == 0 {
		return w.Selected(), w.someSelected()
	}
	byName := map[string]endpoint.Server{}
	for _, s := range w.Project.Servers {
		byName[s.Name] = s
	}
	var out []endpoint.Server
	var errs []error
	for _, name := range names {
		s, ok := byName[name]
		if !ok {
			if !slices.ContainsFunc(out, func(s endpoint.Server) bool { return s.Name == name }) {
				errs = append(errs, fmt.Errorf("%s: no enabled server is called %q: configured: %s", w.Project.Path, name, strings.Join(w.Names(), ", ")))
			}
			continue
		}
		delete(byName, name)
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b endpoint.Server) int { return cmp.Compare(a.Name, b.Name) })
	return out, errors.Join(errs...)
}

// others returns the locked servers that are not among the targets.
func others(lock *schema.Lock, targets []endpoint.Server) []string {
	skip := map[string]bool{}
	for _, t := range targets {
		skip[t.Name] = true
	}
	var out []string
	for name := range lock.Servers {
		if !skip[name] {
			out = append(out, name)
		}
	}
	return out
}
