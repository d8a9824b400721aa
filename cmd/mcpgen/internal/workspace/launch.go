package workspace

// This file compares the launches of servers with the locked ones.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/editing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/runtime/attach/artifact"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// LaunchChange is a server whose launch differs from the lock, or would run other bytes than the locked
// ones.
type LaunchChange struct {
	Server endpoint.Server
	was    lockfile.Launch
	now    lockfile.Launch
	bytes  *artifact.MismatchError // nil if the launch differs
	err    error                   // the error about bytes, with its next steps
}

// otherBytes returns why a server was not started, if it would have run other bytes than the locked ones;
// else nil.
func (c *Capture) otherBytes() *LaunchChange {
	bytes, ok := errors.AsType[*artifact.MismatchError](c.Err)
	if !ok {
		return nil
	}
	return &LaunchChange{Server: c.Server, bytes: bytes, err: c.Err}
}

// launchChange compares the launch of a server with the locked one; nil if they are equal, or if the
// server is not locked.
func launchChange(lock *lockfile.Lock, root string, s endpoint.Server) *LaunchChange {
	l := lock.Servers[s.Name]
	if l == nil {
		return nil
	}
	now, same := config.SameLaunch(l.Launch, s, root)
	if same {
		return nil
	}
	return &LaunchChange{Server: s, was: l.Launch, now: now}
}

// launchChanges compares the launches of all selected servers.
func (w *Workspace) launchChanges() []*LaunchChange {
	var out []*LaunchChange
	for _, s := range w.Selected() {
		if c := launchChange(w.Lock, w.Root, s); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// Text describes the change, beginning with its position.
func (c *LaunchChange) Text() string {
	return fmt.Sprintf("%sserver %q: its launch differs from the one in %s: %s", c.Server.Source.Prefix(), c.Server.Name, LockName, c.differences())
}

func (c *LaunchChange) differences() string { return strings.Join(c.was.Differences(c.now), "; ") }

// NotLocked returns the error for a launch that differs from the lock, without its differences.
func (c *LaunchChange) NotLocked() error {
	return c.withSteps(fmt.Sprintf("server %q: its launch differs from the locked one", c.Server.Name))
}

// withSteps returns an error with the next commands.
func (c *LaunchChange) withSteps(text string) error {
	return hint.New(text, artifact.AcceptSteps(c.Server.Name, ruleid.LaunchChanged)...)
}

// notStarted returns the error of a command that does not start the server.
func (c *LaunchChange) notStarted() error {
	if c.bytes != nil {
		return c.err
	}
	return c.withSteps(c.Text() + "; the server is not started")
}

// reportLaunch warns of changed launches: the generated code belongs to the surface that was locked with
// the old launch. Under strict the warnings are errors.
func reportLaunch(con *console.Console, changes []*LaunchChange, strict bool) error {
	var errs []error
	for _, c := range changes {
		errs = append(errs, loose(con, strict, c.withSteps(c.Text()+"; the generated code stays unchanged")))
	}
	return exit.Fail(exit.Finding, errors.Join(errs...))
}

// namesVersion warns of a newly locked server whose launch names no version. Under strict that is an
// error.
func namesVersion(con *console.Console, c *Capture, strict bool) error {
	unpinned := artifact.Unpinned(c.Server)
	if unpinned == "" || c.Artifact.Kind == lockfile.ArtifactGo { // go.mod names it
		return nil
	}
	step := "name a version"
	if c.Artifact.Version != "" {
		step += ", such as " + c.Artifact.Version + ", which ran now"
	}
	return loose(con, strict, hint.With(fmt.Errorf("%sserver %q: %s names no version, so the next start may run another version",
		c.Server.Source.Prefix(), c.Server.Name, unpinned), step))
}

// pin adds the version that the server of added ran to the configuration, so that the next start runs the
// same version.
func pin(root string, captures []*Capture, added *editing.Edit) error {
	for _, c := range captures {
		pkg, args := artifact.Pinned(c.Server, c.Artifact)
		if c.Err != nil || pkg == "" || added == nil || c.Server.Name != added.Name {
			continue
		}
		if err := added.Pin(pkg, args); err != nil {
			return err
		}
		c.Server.Launch.(*endpoint.Process).Args = args // the project's server has the same launch
		c.Launch = config.LockLaunch(c.Server, root)
		c.Locked.Launch = c.Launch
	}
	return nil
}

// acceptLaunches splits the targets: known are the servers that update may start, because their launch is as
// locked or was accepted; for the others it returns a report. New launches that were accepted are shown.
func (u *updating) acceptLaunches(targets []endpoint.Server) (known []endpoint.Server, refused []drift.ServerReport, err error) {
	for _, s := range targets {
		c := launchChange(u.w.Lock, u.w.Root, s)
		if c == nil {
			known = append(known, s)
			continue
		}
		report, err := u.refuses(c)
		switch {
		case err != nil:
			return nil, nil, err
		case report != nil:
			refused = append(refused, *report)
			continue
		}
		u.w.Options.Console.Note("%s; the new launch is %s", c.Text(), config.Launch(s))
		known = append(known, s)
	}
	return known, refused, nil
}

// refuses returns the report of a server that update does not start; nil if its launch, or what the
// launch runs, was accepted.
func (u *updating) refuses(c *LaunchChange) (*drift.ServerReport, error) {
	found := c.judge(u.w, u.judgement)
	withheld, err := u.asked.answers(&found, u.accepts.withhold(&found))
	if err != nil || len(withheld) == 0 {
		return nil, err
	}
	u.withheld = append(u.withheld, withheld...)
	refused := c.refused(u.w, u.judgement)
	return &refused, nil
}

// captureAccepted captures servers. Servers whose bytes differ from the lock are captured again if the
// new bytes are accepted, and refused otherwise.
func (u *updating) captureAccepted(ctx context.Context, servers []endpoint.Server) (captures []*Capture, refused []drift.ServerReport, err error) {
	all, err := u.w.capture(ctx, servers, live.Options{Newest: true, AnyLaunch: true})
	if err != nil {
		return nil, nil, err
	}
	var again []endpoint.Server
	for _, c := range all {
		change := c.otherBytes()
		if change == nil {
			captures = append(captures, c)
			continue
		}
		report, err := u.refuses(change)
		switch {
		case err != nil:
			return nil, nil, err
		case report != nil:
			refused = append(refused, *report)
		default:
			again = append(again, c.Server)
		}
	}
	accepted, err := u.w.capture(ctx, again, live.Options{Accepted: ServerNames(again), AnyLaunch: true})
	captures = append(captures, accepted...)
	slices.SortFunc(captures, func(a, b *Capture) int { return cmp.Compare(a.Server.Name, b.Server.Name) })
	return captures, refused, err
}

// judge returns the finding that the configured launch differs from the lock. No entry of drift.ignore
// accepts it, since the program that it starts is still unknown.
func (c *LaunchChange) judge(w *Workspace, j config.Judgement) drift.ServerReport {
	none := &schema.Snapshot{Server: c.Server.Name}
	j.Ignore = nil
	changed := comparison{name: c.Server.Name, before: none, after: none, launchBefore: c.was, launchAfter: c.now}
	if c.bytes != nil {
		changed.ranBefore, changed.ranAfter = c.bytes.Locked, c.bytes.Now
	}
	out, _ := judge(context.Background(), w.Lock, changed, j) // quick, so it needs no deadline
	for i := range out.Changes {
		if c.bytes != nil {
			continue
		}
		out.Changes[i].Message = fmt.Sprintf("%s and %s differ in how to start or reach the server: %s",
			cmp.Or(c.Server.Source.Path, "the configuration"), LockName, c.differences())
	}
	return out
}

// refused returns the report of a server that is not started because its launch differs from the lock.
// The launch is the only known change.
func (c *LaunchChange) refused(w *Workspace, j config.Judgement) drift.ServerReport {
	out := c.judge(w, j)
	if !fails(report.Of(&drift.Report{Servers: []drift.ServerReport{out}}), j.Fails) {
		out.Verdict = drift.Unchecked
	}
	out.State, out.Error = report.StateRefused, c.notStarted().Error()
	return out
}

// lockFile returns the lock to write, with the files that currently configure the servers. If the lock
// changes anyway, launches that an older version locked only as a hash become readable.
func (w *Workspace) lockFile(d *Draft) []byte {
	lock := &lockfile.Lock{Revision: d.Lock.Revision, Servers: maps.Clone(d.Lock.Servers)}
	each := func(edit func(s endpoint.Server, l *lockfile.LockedServer)) {
		for _, s := range w.Project.Servers {
			if l := lock.Servers[s.Name]; l != nil && d.Snapshots[s.Name] != nil {
				own := *l
				edit(s, &own)
				lock.Servers[s.Name] = &own
			}
		}
	}
	each(func(s endpoint.Server, l *lockfile.LockedServer) {
		// If a project has several configurations (--config), the locked one is kept.
		if now := config.LockSource(s.Source, w.Root); now.Dialect != "" || l.Source.Dialect != "" || now.Scope != l.Source.Scope {
			l.Source = now
		}
		pins := generator.PinnedServer(l)
		pins.Include, pins.Exclude = nil, nil
		for _, d := range w.Project.Definitions {
			if l.Source.Scope == lockfile.ScopeUser && d.Server.Name == s.Name && d.Server.Source == s.Source {
				pins.Include, pins.Exclude = d.Include, d.Exclude
			}
		}
		generator.PinServer(l, pins)
	})
	data := lock.Encode()
	if w.Locked && string(data) == string(w.Lock.Encode()) {
		return data
	}
	each(func(s endpoint.Server, l *lockfile.LockedServer) {
		if _, same := config.SameLaunch(l.Launch, s, w.Root); same && l.Launch.HashOnly() {
			l.Launch = config.LockLaunch(s, w.Root)
		}
	})
	return lock.Encode()
}
