package judging

// This file compares the launches of servers with the locked ones.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/runtime/attach/artifact"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
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

// OtherBytes returns the change if a server was not started because it would have run other bytes than the
// locked ones; else nil.
func OtherBytes(s endpoint.Server, err error) *LaunchChange {
	bytes, ok := errors.AsType[*artifact.MismatchError](err)
	if !ok {
		return nil
	}
	return &LaunchChange{Server: s, bytes: bytes, err: err}
}

// ChangedLaunch compares the launch of a server with the locked one; nil if they are equal, or if the
// server is not locked.
func ChangedLaunch(lock *lockfile.Lock, root string, s endpoint.Server) *LaunchChange {
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

// ChangedLaunches compares the launches of servers.
func ChangedLaunches(lock *lockfile.Lock, root string, servers []endpoint.Server) []*LaunchChange {
	var out []*LaunchChange
	for _, s := range servers {
		if c := ChangedLaunch(lock, root, s); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// Text describes the change, beginning with its position.
func (c *LaunchChange) Text() string {
	return fmt.Sprintf("%sserver %q: its launch differs from the one in %s: %s",
		c.Server.Source.Prefix(), c.Server.Name, locks.Name, c.Differences())
}

// Differences describes the change.
func (c *LaunchChange) Differences() string { return strings.Join(c.was.Differences(c.now), "; ") }

// NotLocked returns the error for a launch that differs from the lock, without its differences.
func (c *LaunchChange) NotLocked() error {
	return c.withSteps(fmt.Sprintf("server %q: its launch differs from the locked one", c.Server.Name))
}

// Err returns the error about the change, with the next commands and with what happens now.
func (c *LaunchChange) Err(now string) error {
	if c.bytes != nil {
		return c.err
	}
	return c.withSteps(c.Text() + now)
}

func (c *LaunchChange) withSteps(text string) error {
	return hint.New(text, artifact.AcceptSteps(c.Server.Name, ruleid.LaunchChanged)...)
}

// NotStarted ends the text of [LaunchChange.Err].
const NotStarted = "; the server is not started"

// Judge returns the finding that the configured launch differs from the lock. No entry of drift.ignore
// accepts it, since the program that it starts is still unknown.
func (c *LaunchChange) Judge(j Judge) drift.ServerReport {
	none := &schema.Snapshot{Server: c.Server.Name}
	j.Ignore = nil
	changed := Comparison{Name: c.Server.Name, Before: none, After: none, LaunchBefore: c.was, LaunchAfter: c.now}
	if c.bytes != nil {
		changed.RanBefore, changed.RanAfter = c.bytes.Locked, c.bytes.Now
	}
	out, _ := j.Compare(context.Background(), changed) // quick, so it needs no deadline
	for i := range out.Changes {
		if c.bytes != nil {
			continue
		}
		out.Changes[i].Message = fmt.Sprintf("%s and %s differ in how to start or reach the server: %s",
			cmp.Or(c.Server.Source.Path, "the configuration"), locks.Name, c.Differences())
	}
	return out
}

// Refused returns the report of a server that is not started because its launch differs from the lock.
// The launch is the only known change.
func (c *LaunchChange) Refused(j Judge) drift.ServerReport {
	out := c.Judge(j)
	if !Fails(report.Of(&drift.Report{Servers: []drift.ServerReport{out}}), j.Fails) {
		out.Verdict = drift.Unchecked
	}
	out.State, out.Error = report.StateRefused, c.Err(NotStarted).Error()
	return out
}
