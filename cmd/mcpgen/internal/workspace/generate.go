package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// GenerateOptions are the flags of generate.
type GenerateOptions struct {
	Frozen bool // lock nothing new
	Check  bool // write nothing; implies Frozen
	Strict bool // a bad tool is an error
}

// GenerateReport says what a run did.
type GenerateReport struct {
	Locked  []string          // servers that were locked by this run
	Dropped []string          // servers that left the lock, because the configuration has them no more
	Files   *generator.Report // nil under Check
	Stale   []generator.Stale // under Check: what is not as it would be written
	Launch  []*LaunchChange   // under Check: servers whose launch is not the locked one
	// Remembered is the number of files where nothing has changed since the
	// last run, so that nothing was done; Files is then nil.
	Remembered int
}

// Generate locks the servers that are not locked yet and writes everything
// from lock and snapshots. With a complete lock it connects to nothing.
func (w *Workspace) Generate(ctx context.Context, o GenerateOptions) (*GenerateReport, error) {
	fresh := w.unlocked()
	if (o.Frozen || o.Check) && len(fresh) > 0 {
		return nil, fail(ExitFinding, fmt.Errorf("%s: not locked: %s: run mcpgen generate and commit the result", LockName, strings.Join(serverNames(fresh), ", ")))
	}
	report := &GenerateReport{Locked: serverNames(fresh)}
	if launches := w.launchChanges(); o.Check {
		report.Launch = launches
	} else {
		w.warnLaunch(launches)
	}
	if r := w.remembered(o); r != nil && len(fresh) == 0 {
		w.countWarnings(r.Loose)
		report.Remembered = r.Files
		return report, nil
	}
	lock, dropped := w.keptLock()
	snapshots, err := w.snapshots(slices.Sorted(maps.Keys(lock.Servers)))
	if err != nil {
		return nil, err
	}
	changed, err := w.settleResults(ctx, lock, snapshots, nobody)
	if err == nil && (o.Frozen || o.Check) && len(changed) > 0 {
		err = fail(ExitFinding, fmt.Errorf("%s: the result schemas of %s are not those that were locked: run mcpgen generate and commit the result", LockName, strings.Join(changed, ", ")))
	}
	if err != nil {
		return nil, err
	}
	captures, err := w.capture(ctx, fresh)
	if err := errors.Join(err, failures(captures)); err != nil {
		return nil, err
	}
	bad := errors.Join(w.problems(captures, o.Strict), w.firstLook(ctx, captures, o.Strict))
	if err := w.accept(ctx, lock, snapshots, captures); err != nil {
		return nil, errors.Join(bad, err)
	}
	out, err := w.render(ctx, lock, snapshots, o.Strict)
	if err := errors.Join(bad, err); err != nil { // all that is bad is named, by whomever it is found
		return nil, err
	}
	report.Dropped = dropped
	if o.Check {
		report.Stale, err = w.compare(out.files)
	} else {
		report.Files, err = w.write(ctx, out)
	}
	if err == nil && len(report.Stale) == 0 {
		w.remember(ctx, o, nil, len(out.files), len(out.warnings))
	}
	return report, err
}

// unlocked returns the selected servers that the lock does not have.
func (w *Workspace) unlocked() []endpoint.Server {
	var out []endpoint.Server
	for _, s := range w.Selected() {
		if w.Lock.Servers[s.Name] == nil {
			out = append(out, s)
		}
	}
	return out
}

// keptLock returns the lock without the servers that left the configuration,
// and their names. Disabled servers keep their lock and their code.
func (w *Workspace) keptLock() (*schema.Lock, []string) {
	lock := schema.NewLock()
	var dropped []string
	for name, s := range w.Lock.Servers {
		if w.configured(name) {
			lock.Servers[name] = s
		} else {
			dropped = append(dropped, name)
		}
	}
	slices.Sort(dropped)
	return lock, dropped
}

// accept puts the captures into the lock, with the Go names that had to be
// numbered and the former names of renamed tools, and beside the snapshots.
func (w *Workspace) accept(ctx context.Context, lock *schema.Lock, snapshots map[string]*schema.Snapshot, captures []*Capture) error {
	var errs []error
	for _, c := range captures {
		name := c.Server.Name
		before := lock.Servers[name]
		if err := errors.Join(w.readResults([]string{name}), w.lockResults(name, c.Snapshot, c.Locked)); err != nil {
			errs = append(errs, err)
			continue
		}
		old := w.oldSnapshot(before, name)
		names, err := generator.AssignNames(ctx, w.generatorServer(name, c.Snapshot, c.Locked), before, old, w.lockedBefore(name, old, before))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		setNames(c.Locked, names)
		if old != nil {
			err := generator.KeepFormer(ctx, w.generatorServer(name, old, before), w.generatorServer(name, c.Snapshot, c.Locked), drift.RenamedTools(old, c.Snapshot))
			if err != nil {
				errs = append(errs, err)
				continue
			}
		}
		lock.Servers[name], snapshots[name] = c.Locked, c.Snapshot
	}
	return unless(ctx, errors.Join(errs...))
}

// oldSnapshot returns the snapshot that a lock was made from, or nil: update is
// also what repairs a snapshot that is gone or was tampered with.
func (w *Workspace) oldSnapshot(before *schema.LockedServer, name string) *schema.Snapshot {
	if before == nil {
		return nil
	}
	s, err := w.snapshot(name)
	if err != nil || len(before.Verify(s)) > 0 {
		return nil
	}
	return s
}

// setNames puts the Go names that had to be numbered into the locked items.
func setNames(l *schema.LockedServer, names map[schema.Kind]map[string]map[string]string) {
	for kind, byItem := range names {
		items := l.Items(kind)
		for name, numbered := range byItem {
			it := items[name]
			it.Names = numbered
			items[name] = it
		}
	}
}

func serverNames(servers []endpoint.Server) []string {
	var names []string
	for _, s := range servers {
		names = append(names, s.Name)
	}
	return names
}
