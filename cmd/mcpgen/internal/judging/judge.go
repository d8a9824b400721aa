// Package judging compares surfaces by the rules of package drift, with a project's severities, and decides
// which changes a person has to accept, and has accepted. It reads no file and starts no server.
package judging

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

// Flags holds the flags that override how the project judges changes.
type Flags struct {
	Profile drift.Profile  // "" is the project's
	FailOn  drift.Severity // "" is the project's
	Impact  bool           // find the lines of the module that a change affects
}

// Judge compares surfaces by the rules of package drift, with a project's severities and accepted changes.
type Judge struct {
	config.Judgement
	lock *lockfile.Lock // its other servers may have tools of the same name
}

// Of returns the judge of a project, with the overrides of the command line. It knows no entries of
// drift.ignore: only update accepts what is locked.
func Of(project *config.Project, lock *lockfile.Lock, flags Flags) Judge {
	j := Live(project, lock, flags)
	j.Ignore = nil
	return j
}

// Live is the judge for a comparison of live servers with the lock that accepts nothing: the
// entries of drift.ignore count.
func Live(project *config.Project, lock *lockfile.Lock, flags Flags) Judge {
	j := Judge{project.Drift, lock}
	j.Profile = cmp.Or(flags.Profile, j.Profile, drift.Caller)
	j.FailOn = cmp.Or(flags.FailOn, j.FailOn, drift.Breaking)
	return j
}

// Comparison is the input for comparing one server.
type Comparison struct {
	Name                      string
	Before, After             *schema.Snapshot
	LaunchBefore, LaunchAfter lockfile.Launch
	RanBefore, RanAfter       lockfile.Artifact // compared if the launches are the same
}

// Compare compares one server. The profile source is judged here as caller: sources compares the Go code.
// The error is for a command that timed out or was interrupted.
func (j Judge) Compare(ctx context.Context, c Comparison) (drift.ServerReport, error) {
	opts := j.For(c.Name)
	opts.Profile = j.Options().Profile
	opts.LaunchBefore, opts.LaunchAfter = c.LaunchBefore, c.LaunchAfter
	opts.ArtifactBefore, opts.ArtifactAfter = c.RanBefore, c.RanAfter
	found, err := drift.Compare(ctx, c.Before, c.After, opts)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("server %q: the time limit passed before mcpgen had judged all changes", c.Name)
		return drift.ServerReport{}, exit.Fail(exit.Server, hint.With(err, "raise --timeout"))
	case err != nil:
		return drift.ServerReport{}, context.Cause(ctx)
	}
	out := found.Servers[0]
	out.Server = c.Name
	return out, nil
}

// For returns the options for judging the changes of one server.
func (j Judge) For(server string) *drift.Options {
	opts := j.Options()
	opts.Profile, opts.Others = j.Profile, map[string][]string{}
	for other, l := range j.lock.Servers {
		if other != server {
			opts.Others[other] = slices.Sorted(maps.Keys(l.Tools))
		}
	}
	return opts
}

// Unchanged reports whether a live surface equals the locked one, so that no comparison is needed: all
// hashes are equal, and no entry of drift.ignore is about the server. The lock matches its snapshot, so
// one hash per item is enough.
func (j Judge) Unchanged(server string, now *lockfile.LockedServer) bool {
	return SameSurface(j.lock.Servers[server], now) &&
		!slices.ContainsFunc(j.Ignore, func(a drift.Accept) bool { return a.Server == server })
}

// SameSurface reports whether two locked servers have the same surface and ran the same artifact.
func SameSurface(before, now *lockfile.LockedServer) bool {
	same := before.Artifact.Difference(now.Artifact) == "" &&
		before.Instructions == now.Instructions && before.Protocol == now.Protocol &&
		jsontext.Equal(before.Identity, now.Identity) && jsontext.Equal(before.Capabilities, now.Capabilities)
	for _, kind := range schema.Kinds() {
		same = same && maps.EqualFunc(before.Items(kind), now.Items(kind), func(a, b lockfile.LockedItem) bool {
			return a.Full == b.Full
		})
	}
	return same
}

// Unknown returns the report of a server that could not be checked.
func Unknown(name, state string, err error) drift.ServerReport {
	return drift.ServerReport{Server: name, Verdict: drift.Unchecked,
		State: state, Error: err.Error(), Changes: []drift.Change{}}
}

// Unreachable returns the report of a server that could not be listed. An unset variable is the user's
// side.
func Unreachable(name string, err error) drift.ServerReport {
	if exit.Code(err) == exit.Usage {
		return Unknown(name, report.StateInvalid, err)
	}
	return Unknown(name, report.StateUnreachable, err)
}

// Fails reports whether a change of a report fails the check.
func Fails(r *report.Report, judge func(drift.Severity) bool) bool {
	return r.Any(func(c *report.Change) bool { return !c.Accepted && judge(c.Severity) })
}

// Explain corrects the message about items that seem to be removed: the server still sends them but their
// definitions cannot be read, or it may send them to clients with more capabilities.
func Explain(s *drift.ServerReport, problems []schema.Problem, needs []string) {
	for i := range s.Changes {
		c := &s.Changes[i]
		if c.Rule.Touch() != ruleid.TouchItemGone || c.Path != "" {
			continue
		}
		if needs != nil {
			c.Message += ": the lock was made with client: " + strings.Join(needs, ", ") +
				", which mcpgen.yaml no longer declares"
		}
		for _, p := range problems {
			if p.Name == c.Name && string(p.Kind) == string(c.Kind) {
				c.Message = fmt.Sprintf("the server offers the %s, but its definition cannot be used: %s",
					c.Kind, console.Clean(p.Reason))
			}
		}
	}
}

// State describes how a live surface differs from the locked one.
func (j Judge) State(
	ctx context.Context, project *config.Project, server string, before, live *schema.Snapshot,
) string {
	s, err := j.Compare(ctx, Comparison{Name: server, Before: before, After: live})
	if err != nil {
		return "differs from the lock (there was no time to judge how)"
	}
	Excluded(project, &s, before, new(Accepts).Withhold(&s))
	state := "differs from the lock (" + string(s.Verdict) + ")"
	harmless := s.Verdict == drift.Verdict(drift.Info)
	if harmless || s.Verdict == drift.Unchanged {
		state = "as locked"
	}
	switch {
	case slices.ContainsFunc(s.All(), func(c drift.Change) bool { return c.IsText() }):
		state += ", with other texts"
	case harmless:
		state += ", apart from harmless changes"
	}
	return state
}
