// Reloading: a configuration that changes while a program runs.

package live

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/judge"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Reload reads the configuration again: mcpgen.yaml and its imports, the lock, the
// user's grants, and the trusted projects. Calls that begin afterwards are judged by
// the new configuration. Unchanged servers keep their sessions and the calls in
// progress. The others are detached, attached, or attached again, including servers
// whose locked bytes have changed. Registries follow: see [attach.Host.Reload], also
// for the context. The answers of persons and the counts of limits are kept.
//
// If the configuration is invalid, or the lock with its servers is gone, nothing
// changes, and the error has the reasons.
// The same holds if a part has changed that is fixed at the start of a program: the
// audit log, the ledger, the naming scheme, the bound of memory, and tools and
// instructions of the systems whose files are read. Otherwise the error joins an
// [*attach.ServerError] for each server that did not start.
//
// A program that gave [Options.Project] needs [Options.Reread].
func (h *Host) Reload(ctx context.Context) error {
	s := h.setup
	s.reload.Lock()
	defer s.reload.Unlock()
	began := time.Now()
	opts, err := s.opts.again()
	if err != nil {
		return err
	}
	project, servers, err := opts.configuration(s.logger)
	if err != nil {
		return err
	}
	before := s.now.Load()
	if fixed := fixedDifferences(before.project, project); fixed != nil {
		err := fmt.Errorf("%s%s changed, which needs a restart of the program: nothing was reloaded",
			projectPrefix(project), strings.Join(fixed, ", "))
		return hint.With(err, "restart the program", "undo the change")
	}
	next, err := s.read(opts, project)
	if err != nil {
		return err
	}
	s.now.Store(next)
	s.watcher.follow(began, next)
	var others []string // that run other bytes now
	for _, status := range h.Status() {
		was := before.launches.locked(status.Server)
		if was != (lockfile.Artifact{}) && was != next.launches.locked(status.Server) {
			others = append(others, status.Server)
		}
	}
	if err := h.Detach(others...); err != nil {
		return err
	}
	s.tellClients(slices.DeleteFunc(slices.Clone(servers), func(now endpoint.Server) bool {
		return slices.ContainsFunc(before.project.Servers, func(old endpoint.Server) bool { return old.Name == now.Name })
	}))
	return h.Host.Reload(ctx, servers)
}

// again returns the options of the next reading.
func (o *Options) again() (*Options, error) {
	next := *o
	switch {
	case o.Reread != nil:
		read, err := o.Reread()
		if err != nil {
			return nil, err
		}
		next = read
	case o.Project != nil:
		return nil, hint.With(errors.New("live.Options: Project can be read only once, and the host has read it"),
			"set Reread", "call host.Host.Reload with the new servers")
	}
	return &next, nil
}

// fixedDifferences returns the keys that are fixed at the start of a program and
// differ.
func fixedDifferences(a, b *config.Project) []string {
	var differ []string
	for _, part := range []struct {
		key    string
		before any
		now    any
	}{
		{"audit", a.Audit, b.Audit}, {"ledger", a.Ledger, b.Ledger}, {"naming", a.Naming, b.Naming},
		{"limits.memory", a.Memory, b.Memory}, {"the tools of the systems", a.Native, b.Native},
		{"the instruction files of the systems whose configuration is read", a.Guides, b.Guides},
	} {
		if !reflect.DeepEqual(part.before, part.now) {
			differ = append(differ, part.key)
		}
	}
	return differ
}

// inForce is a configuration that is in force. [Host.Reload] replaces it. It is
// immutable.
type inForce struct {
	opts     *Options // which named the configuration
	project  *config.Project
	gate     *policy.Policy
	launches launches
	judge    attach.Judge
	decoding runtime.Middleware // for servers whose results may break their schemas; nil if there are none
	checking runtime.Middleware // for servers whose arguments are checked; nil if there are none
	secrets  func(ctx context.Context, server endpoint.Server, name string) (string, error)
}

// read combines the parts of a configuration. Answers of persons are kept.
func (s *setup) read(opts *Options, project *config.Project) (*inForce, error) {
	f := &inForce{opts: opts, project: project, decoding: s.lenient(project), checking: s.validating(opts, project)}
	var err error
	if f.launches, err = readLaunches(opts, project); err != nil {
		return nil, err
	}
	o := policy.Options{Prompter: s.opts.Prompter, OnEvent: s.event}
	if o.Prompter == nil {
		o.Prompter = terminalPrompter()
	}
	if before := s.now.Load(); before != nil {
		if err := f.launches.follow(before.launches, project); err != nil {
			return nil, err
		}
		o.Replaces, f.launches.ran = before.gate, before.launches.ran
	}
	if f.gate, err = Policy(project, &o); err != nil {
		return nil, fmt.Errorf("%s%w", projectPrefix(project), err)
	}
	f.judge = judge.New(opts.Manifests, project.Drift.Options())
	f.secrets = f.gate.Secrets(secretsOfCallers(project, s.opts.Attach.LookupEnv))
	return f, nil
}

// current returns middleware that uses the configuration in force at the time of a
// call; of may return nil.
func (s *setup) current(of func(*inForce) runtime.Middleware) runtime.Middleware {
	type chain struct {
		of *inForce
		runtime.Invoker
	}
	return func(next runtime.Invoker) runtime.Invoker {
		var last atomic.Pointer[chain]
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			now, c := s.now.Load(), last.Load()
			if c == nil || c.of != now {
				c = &chain{now, runtime.Chain(next, of(now))}
				last.Store(c)
			}
			return c.Invoke(ctx, req)
		})
	}
}

// Pinned implements [attach.Judge].
func (s *setup) Pinned(server string) attach.Pinned { return s.now.Load().judge.Pinned(server) }

// Manifests implements the interface that [pinned.Manifests] looks for.
func (s *setup) Manifests(server string) []*codec.Manifest {
	return pinned.Manifests(s.now.Load().judge, server)
}
