package workspace

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
)

// UpdateOptions are the flags of update.
type UpdateOptions struct {
	Servers []string // empty: all selected
	DryRun  bool     // show, write nothing
	Strict  bool
}

// UpdateReport says what an update accepted.
type UpdateReport struct {
	Servers []ServerChange
	Files   *generator.Report // nil under DryRun
}

// ServerChange is what changed in one server since it was locked.
type ServerChange struct {
	Server      string
	New         bool // it was not locked before
	Launch      bool // its command, args or url changed
	Differences []schema.Difference
}

// Update takes the surfaces of the named servers afresh and accepts them:
// snapshot, lock and code, all or nothing. Other servers are not touched.
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
	if err := w.settleOthers(lock, snapshots); err != nil {
		return nil, err
	}
	captures, err := w.capture(ctx, targets)
	if err := errors.Join(err, failures(captures), w.problems(captures, o.Strict)); err != nil {
		return nil, err
	}
	report := &UpdateReport{}
	for _, c := range captures {
		report.Servers = append(report.Servers, change(c, lock.Servers[c.Server.Name]))
	}
	if err := w.accept(lock, snapshots, captures); err != nil {
		return nil, err
	}
	out, err := w.render(lock, snapshots, o.Strict)
	if err != nil || o.DryRun {
		return report, err
	}
	report.Files, err = w.write(ctx, out)
	return report, err
}

// targets returns the enabled servers that are to be updated.
func (w *Workspace) targets(names []string) ([]endpoint.Server, error) {
	if len(names) == 0 {
		return w.Selected(), nil
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
			errs = append(errs, fmt.Errorf("%s: no enabled server is called %q: configured: %s", w.Project.Path, name, strings.Join(w.Names(), ", ")))
			continue
		}
		delete(byName, name)
		out = append(out, s)
	}
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

// change compares a capture with what was locked before; nil is a new server.
func change(c *Capture, before *schema.LockedServer) ServerChange {
	out := ServerChange{Server: c.Server.Name, New: before == nil}
	if before != nil {
		out.Launch = before.Launch != c.Locked.Launch
		out.Differences = before.Verify(c.Snapshot)
	}
	return out
}
