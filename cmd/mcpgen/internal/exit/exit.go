// Package exit holds the exit codes of the commands: how an error gets its code, and how joined errors become
// the messages that a person reads.
package exit

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/config"
)

// The exit codes of every command.
const (
	OK          = 0   // fine
	Finding     = 1   // drift, stale output, a tool's own error
	Usage       = 2   // a mistake in the usage, configuration, lock or snapshot, or a file that is not mcpgen's
	Server      = 3   // a server or registry failed, so its state is unknown
	Interrupted = 130 // Ctrl-C
	Terminated  = 143 // SIGTERM
)

// Failure is an error with an exit code.
type Failure struct {
	Code int
	Err  error
}

// Error returns the text of the cause.
func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Fail gives err an exit code. An error without one has [Usage]. Nil stays nil.
func Fail(code int, err error) error {
	if err == nil {
		return nil
	}
	return &Failure{Code: code, Err: err}
}

// Unless returns the cause if ctx has ended, else err.
func Unless(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Flatten lists the errors that are joined in err.
func Flatten(err error) []error {
	inner := err
	switch e := err.(type) {
	case *Failure:
		inner = e.Err
	case *config.PartialError:
		inner = e.Err
	}
	joined, ok := inner.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var out []error
	for _, e := range joined.Unwrap() {
		out = append(out, Flatten(e)...)
	}
	return out
}

// Causes merges joined errors for display: each text appears once. Servers that fail for the same reason
// become one error at the first one's position, with the next steps of all. A nil err has no causes.
func Causes(err error) []error {
	if err == nil {
		return nil
	}
	type cause struct {
		place, reason string
		servers       []string // quoted; nil for an error without a server
		steps         []string
	}
	var all []*cause
	for _, e := range Flatten(err) {
		one := &cause{}
		one.reason, one.steps = console.Steps(e.Error(), e)
		if of, ok := errors.AsType[*attach.ServerError](e); ok {
			name := strconv.Quote(of.Server)
			if place, reason, ok := strings.Cut(one.reason, "server "+name+": "); ok {
				one.place, one.reason, one.servers = place, reason, []string{name}
			}
		}
		i := slices.IndexFunc(all, func(c *cause) bool {
			return c.reason == one.reason && (c.servers == nil) == (one.servers == nil)
		})
		switch {
		case i < 0:
			all = append(all, one)
			continue
		case one.servers != nil && !slices.Contains(all[i].servers, one.servers[0]):
			all[i].servers = append(all[i].servers, one.servers...)
		}
		all[i].steps = append(all[i].steps, one.steps...)
	}
	var launches []int // changed launches: one command is about all of them
	for i, c := range all {
		if slices.ContainsFunc(c.steps, aboutLaunch) {
			launches = append(launches, i)
		}
	}
	for n, i := range launches {
		if len(launches) == 1 {
			break
		}
		all[i].steps = slices.DeleteFunc(all[i].steps, aboutLaunch)
		if n == len(launches)-1 {
			accept := "--accept " + hint.Word("*/"+ruleid.LaunchChanged)
			all[i].steps = append(all[i].steps,
				"see what they change: mcpgen update --dry-run "+accept, "accept all of them: mcpgen update "+accept)
		}
	}
	out := make([]error, len(all))
	for i, c := range all {
		text := c.reason
		switch len(c.servers) {
		case 0:
		case 1:
			text = c.place + "server " + c.servers[0] + ": " + c.reason
		default:
			text = c.place + "servers " + strings.Join(c.servers, ", ") + ": " + c.reason
		}
		out[i] = hint.New(text, c.steps...)
	}
	return out
}

// aboutLaunch reports whether a step accepts the launch of one server.
func aboutLaunch(step string) bool { return strings.HasSuffix(step, "/"+ruleid.LaunchChanged) }

// Worst returns the worse of two exit codes. A signal is worst, then the user's side, the server's side,
// and a finding.
func Worst(a, b int) int {
	order := []int{Usage, Server, Finding, OK}
	if slices.Index(order, b) < slices.Index(order, a) { // -1 is a signal
		return b
	}
	return a
}

// Code returns the exit code of err: the worst of all joined errors. An error without a code is the
// user's side.
func Code(err error) int {
	switch e := err.(type) {
	case nil:
		return OK
	case *Failure:
		return e.Code
	case interface{ Unwrap() []error }:
		code := OK
		for _, e := range e.Unwrap() {
			code = Worst(code, Code(e))
		}
		return code
	}
	var f *Failure
	switch {
	case errors.As(err, &f):
		return f.Code
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return Server
	}
	return Usage
}
