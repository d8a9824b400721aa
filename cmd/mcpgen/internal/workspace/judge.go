package workspace

// This file compares surfaces by the rules of package drift, with the project's severities and accepted
// changes.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Judging holds the flags that override how the project judges changes.
type Judging struct {
	Profile drift.Profile  // "" is the project's
	FailOn  drift.Severity // "" is the project's
	Impact  bool           // find the lines of the module that a change affects
}

// judgement returns the project's judgement with the overrides of the command line. It lacks the entries of
// drift.ignore: only update accepts what is locked.
func judgement(project *config.Project, j Judging) config.Judgement {
	out := liveJudgement(project, j)
	out.Ignore = nil
	return out
}

// liveJudgement is the judgement for a comparison of live servers with the lock that accepts nothing: the
// entries of drift.ignore count.
func liveJudgement(project *config.Project, j Judging) config.Judgement {
	out := project.Drift
	out.Profile = cmp.Or(j.Profile, out.Profile, drift.Caller)
	out.FailOn = cmp.Or(j.FailOn, out.FailOn, drift.Breaking)
	return out
}

// comparison is the input for comparing one server.
type comparison struct {
	name                      string
	before, after             *schema.Snapshot
	launchBefore, launchAfter lockfile.Launch
	ranBefore, ranAfter       lockfile.Artifact // compared if the launches are the same
}

// judge compares one server. The profile source is judged here as caller: sources compares the Go code.
// The error is for a command that timed out or was interrupted.
func judge(ctx context.Context, lock *lockfile.Lock, c comparison, j config.Judgement) (drift.ServerReport, error) {
	opts := driftOptions(lock, c.name, j)
	opts.Profile = j.Options().Profile
	opts.LaunchBefore, opts.LaunchAfter = c.launchBefore, c.launchAfter
	opts.ArtifactBefore, opts.ArtifactAfter = c.ranBefore, c.ranAfter
	found, err := drift.Compare(ctx, c.before, c.after, opts)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return drift.ServerReport{}, exit.Fail(exit.Server, hint.With(fmt.Errorf("server %q: the time limit passed before mcpgen had judged all changes", c.name), "raise --timeout"))
	case err != nil:
		return drift.ServerReport{}, context.Cause(ctx)
	}
	out := found.Servers[0]
	out.Server = c.name
	return out, nil
}

// driftOptions returns the options for judging the changes of one server.
func driftOptions(lock *lockfile.Lock, name string, j config.Judgement) *drift.Options {
	opts := j.Options()
	opts.Profile, opts.Others = j.Profile, others(lock, name)
	return opts
}

// unchanged reports whether a live surface equals the locked one, so that no comparison is needed: all
// hashes are equal, and no entry of drift.ignore is about the server. The lock matches its snapshot, so
// one hash per item is enough.
func unchanged(lock *lockfile.Lock, c *Capture, j config.Judgement) bool {
	return sameSurface(lock.Servers[c.Server.Name], c.Locked) &&
		!slices.ContainsFunc(j.Ignore, func(a drift.Accept) bool { return a.Server == c.Server.Name })
}

// sameSurface reports whether two locked servers have the same surface and ran the same artifact.
func sameSurface(before, now *lockfile.LockedServer) bool {
	same := before.Artifact.Difference(now.Artifact) == "" && before.Instructions == now.Instructions && before.Protocol == now.Protocol &&
		jsontext.Equal(before.Identity, now.Identity) && jsontext.Equal(before.Capabilities, now.Capabilities)
	for _, kind := range schema.Kinds() {
		same = same && maps.EqualFunc(before.Items(kind), now.Items(kind), func(a, b lockfile.LockedItem) bool { return a.Full == b.Full })
	}
	return same
}

// others returns the wire names of the tools of all locked servers except one, by server.
func others(lock *lockfile.Lock, name string) map[string][]string {
	out := map[string][]string{}
	for other, l := range lock.Servers {
		if other != name {
			out[other] = slices.Sorted(maps.Keys(l.Tools))
		}
	}
	return out
}

// Accepted reads the snapshot that a server's lock was made from. The error is the user's side: the
// snapshot is missing, or differs from the lock.
func (w *Workspace) Accepted(name string) (*schema.Snapshot, error) {
	s, err := w.Snapshot(name)
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, d := range w.Lock.Servers[name].Verify(s) {
		errs = append(errs, hint.With(fmt.Errorf("%s: %s %q differs from %s", w.snapshotPath(name), d.Kind, d.Name, LockName),
			"restore both with git checkout", "run mcpgen update "+hint.Word(name)))
	}
	return s, errors.Join(errs...)
}

// unknown returns the report of a server that could not be checked.
func unknown(name, state string, err error) drift.ServerReport {
	return drift.ServerReport{Server: name, Verdict: drift.Unchecked, State: state, Error: err.Error(), Changes: []drift.Change{}}
}

// unreachable returns the report of a server that could not be listed. An unset variable is the user's
// side.
func unreachable(name string, err error) drift.ServerReport {
	if exit.Code(err) == exit.Usage {
		return unknown(name, report.StateInvalid, err)
	}
	return unknown(name, report.StateUnreachable, err)
}

// fails reports whether a change of a report fails the check.
func fails(r *report.Report, judge func(drift.Severity) bool) bool {
	for c := range r.All() {
		if !c.Accepted && judge(c.Severity) {
			return true
		}
	}
	return false
}

// explain corrects the message about items that seem to be removed: the server still sends them but their
// definitions cannot be read, or it may send them to clients with more capabilities.
func explain(s *drift.ServerReport, problems []schema.Problem, needs []string) {
	for i := range s.Changes {
		c := &s.Changes[i]
		if c.Rule.Touch() != ruleid.TouchItemGone || c.Path != "" {
			continue
		}
		if needs != nil {
			c.Message += ": the lock was made with client: " + strings.Join(needs, ", ") + ", which mcpgen.yaml no longer declares"
		}
		for _, p := range problems {
			if p.Name == c.Name && string(p.Kind) == string(c.Kind) {
				c.Message = fmt.Sprintf("the server offers the %s, but its definition cannot be used: %s", c.Kind, console.Clean(p.Reason))
			}
		}
	}
}

// driftState describes whether a live surface differs from the locked one. Changes of severity info are
// ignored.
func (w *Workspace) driftState(ctx context.Context, name string, live *schema.Snapshot, differ []lockfile.Difference) string {
	if len(differ) == 0 {
		return "as locked"
	}
	before, err := w.Accepted(name)
	if err != nil {
		return "differs from the lock; the snapshot is not the locked one, so mcpgen cannot say how"
	}
	s, err := judge(ctx, w.Lock, comparison{name: name, before: before, after: live}, liveJudgement(w.Project, Judging{}))
	if err != nil {
		return "differs from the lock (there was no time to judge how)"
	}
	excluded(w.Project, &s, before, new(accepts).withhold(&s))
	state := "differs from the lock (" + string(s.Verdict) + ")"
	if s.Verdict == drift.Unchanged || s.Verdict == drift.Verdict(drift.Info) {
		state = "as locked"
	}
	if slices.ContainsFunc(s.All(), func(c drift.Change) bool { return c.IsText() }) {
		state += ", with other texts"
	}
	return state
}

// Compare judges the change between two snapshots of a server. The function reports whether a change of a severity
// fails a check.
func (w *Workspace) Compare(ctx context.Context, server string, before, after *schema.Snapshot) (drift.ServerReport, func(drift.Severity) bool, error) {
	j := judgement(w.Project, Judging{})
	s, err := judge(ctx, w.Lock, comparison{name: server, before: before, after: after}, j)
	return s, j.Fails, err
}
