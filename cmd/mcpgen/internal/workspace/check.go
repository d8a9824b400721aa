package workspace

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema"
)

// CheckReport compares the lock with the live servers and with the files.
type CheckReport struct {
	Servers []ServerCheck
	Stale   []generator.Stale // generated files that are not what would be written
	Err     error             // why the files could not be compared
}

// ServerCheck is the comparison of one server.
type ServerCheck struct {
	Server      string
	Err         error // why it could not be checked, with its exit code
	Unlocked    bool
	Differences []schema.Difference
}

// Check attaches to every locked server and compares what it offers with the
// lock. It writes nothing.
func (w *Workspace) Check(ctx context.Context) (*CheckReport, error) {
	if err := w.requireLock(); err != nil {
		return nil, err
	}
	report := &CheckReport{}
	var attachable []endpoint.Server
	for _, s := range w.Selected() {
		switch l := w.Lock.Servers[s.Name]; {
		case l == nil:
			report.Servers = append(report.Servers, ServerCheck{Server: s.Name, Unlocked: true})
		default:
			if err := w.checkLaunch([]endpoint.Server{s}); err != nil {
				report.Servers = append(report.Servers, ServerCheck{Server: s.Name, Err: err})
				continue
			}
			attachable = append(attachable, s)
		}
	}
	captures, err := w.capture(ctx, attachable)
	if err != nil {
		return nil, err
	}
	if err := w.problems(captures, false); err != nil {
		return nil, err
	}
	for _, c := range captures {
		check := ServerCheck{Server: c.Server.Name, Err: c.Err}
		if c.Err == nil {
			check.Differences = w.Lock.Servers[c.Server.Name].Verify(c.Snapshot)
		}
		report.Servers = append(report.Servers, check)
	}
	slices.SortFunc(report.Servers, func(a, b ServerCheck) int {
		if a.Server < b.Server {
			return -1
		}
		return 1
	})
	report.Stale, report.Err = w.stale()
	return report, nil
}

// stale compares the generated files with what lock and snapshots give.
func (w *Workspace) stale() ([]generator.Stale, error) {
	lock, _ := w.keptLock()
	snapshots, err := w.snapshots(slices.Sorted(maps.Keys(lock.Servers)))
	if err != nil {
		return nil, err
	}
	if _, err := w.settleResults(lock, snapshots, nobody); err != nil {
		return nil, err
	}
	out, err := w.render(lock, snapshots, false)
	if err != nil {
		return nil, err
	}
	return w.compare(out.files)
}

// Breaks reports whether a difference is a finding: an item that a caller relied
// on is gone or means something else, or the lock has hashes that are not its
// own. New items, new words and a new version of the server are not.
func Breaks(d schema.Difference) bool {
	switch d.Kind {
	case schema.KindTool, schema.KindPrompt, schema.KindResource, schema.KindTemplate:
		return d.Change != schema.Added && d.Change != schema.Reworded
	}
	return false
}

// ExitCode is the worst of all that the report holds.
func (r *CheckReport) ExitCode() int {
	worst := ExitCode(r.Err)
	raise := func(code int) {
		if rank(code) > rank(worst) {
			worst = code
		}
	}
	if len(r.Stale) > 0 {
		raise(ExitFinding)
	}
	for _, s := range r.Servers {
		raise(ExitCode(s.Err))
		if s.Unlocked || slices.ContainsFunc(s.Differences, Breaks) {
			raise(ExitFinding)
		}
	}
	return worst
}

// Summary is one line for a person.
func (r *CheckReport) Summary() string {
	var drifted, unknown, unlocked int
	for _, s := range r.Servers {
		switch {
		case s.Err != nil:
			unknown++
		case s.Unlocked:
			unlocked++
		case slices.ContainsFunc(s.Differences, Breaks):
			drifted++
		}
	}
	return fmt.Sprintf("servers: %d checked, %d drifted, %d not locked, %d unknown; stale files: %d",
		len(r.Servers)-unknown-unlocked, drifted, unlocked, unknown, len(r.Stale))
}
