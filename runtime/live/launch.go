// Which launches were accepted, and what they may run.

package live

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/runtime/attach/artifact"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// lockName is the name of the lock, beside the configuration.
const lockName = "mcpgen.lock"

// maxLock bounds the lock, in bytes.
const maxLock = 64 << 20

// launches are the accepted ways to start servers.
type launches struct {
	lock      *lockfile.Lock // never nil
	dir       string         // the project's folder, absolute; "" means none
	output    string         // the folder of the generated packages, absolute
	manifests []*codec.Manifest
	opts      *Options
	ran       *sync.Map // string → lockfile.Artifact: by server, what it runs
}

// readLaunches reads the lock beside the configuration, if there is one. An
// embedded configuration has one only in a folder that the program names: what
// lies in the working directory may belong to anybody.
func readLaunches(opts *Options, project *config.Project) (launches, error) {
	l := launches{lock: lockfile.NewLock(), dir: project.Dir, output: filepath.Join(project.Dir, filepath.FromSlash(project.Output)), manifests: opts.Manifests, opts: opts, ran: &sync.Map{}}
	switch {
	case opts.Lock != nil:
		l.lock = opts.Lock
		return l, nil
	case project.Dir == "" || opts.Config != nil && opts.Dir == "":
		return l, nil
	}
	var err error
	l.lock, err = readLock(project.Dir)
	return l, err
}

// readLock reads the lock in a folder; one without servers, if there is none.
func readLock(dir string) (*lockfile.Lock, error) {
	lock, path := lockfile.NewLock(), filepath.Join(dir, lockName)
	data, err := regular.ReadFile(path, maxLock)
	if errors.Is(err, fs.ErrNotExist) {
		return lock, nil
	}
	if err == nil {
		lock, err = lockfile.ParseLock(data)
	}
	if err != nil {
		return lock, fmt.Errorf("%s: %w", path, err)
	}
	return lock, nil
}

// check refuses a server that is started or reached in another way than it was
// locked with: by the lock, else by its manifests. One of which neither says how is
// started.
func (l launches) check(server endpoint.Server) error {
	locked := l.lock.Servers[server.Name]
	if locked == nil || locked.Launch.Hash == "" {
		return l.checkManifests(server)
	}
	now, same := config.SameLaunch(locked.Launch, server, l.dir)
	if same {
		return nil
	}
	return hint.With(&LaunchError{fmt.Sprintf("%sserver %q: its launch differs from the one in %s: %s; it is not started",
		server.Source.Prefix(), server.Name, lockName, strings.Join(locked.Launch.Differences(now), "; "))}, artifact.AcceptSteps(server.Name, ruleid.LaunchChanged)...)
}

// LaunchError is a server that is not started or reached, since it is configured in another
// way than it was locked with.
type LaunchError struct{ text string }

// Error names the server, where it is configured, and what differs.
func (e *LaunchError) Error() string { return e.text }

// checkManifests wants one manifest of the server to have been generated for its
// launch.
func (l launches) checkManifests(server endpoint.Server) error {
	differs := false
	for _, m := range l.manifests {
		if m == nil || m.Server() != server.Name || m.Launch() == "" {
			continue
		}
		if _, same := config.SameLaunch(lockfile.Launch{Hash: m.Launch()}, server, l.dir); same {
			return nil
		}
		differs = true
	}
	if !differs {
		return nil
	}
	return hint.With(fmt.Errorf("%sserver %q: its launch differs from the one that its package was generated for; it is not started", server.Source.Prefix(), server.Name),
		"run mcpgen update "+server.Name+" in the module of that package", "set live.Options.AnyLaunch")
}

// prepare sees to it that a server that is launched as it was locked runs what was locked:
// see [artifact.Plan.Prepare]. What could not be known before its start is compared after it.
func (l launches) prepare(ctx context.Context, server endpoint.Server, launch *endpoint.Process) (started func() error, err error) {
	plan := artifact.Plan{Project: l.dir, Output: l.output, Newest: l.opts.Newest, Accepted: slices.Contains(l.opts.Accepted, server.Name)}
	if locked := l.lock.Servers[server.Name]; locked != nil {
		if _, same := config.SameLaunch(locked.Launch, server, l.dir); same { // else it is not what was locked that runs: see check
			plan.Locked = locked.Artifact
		}
	}
	if plan.Locked == (lockfile.Artifact{}) && !launch.Locked {
		return nil, nil
	}
	l.ran.Delete(server.Name)
	ran, err := plan.Prepare(ctx, server, launch)
	if err != nil {
		return nil, err
	}
	switch {
	case ran != lockfile.Artifact{}:
		l.ran.Store(server.Name, ran)
		return nil, nil
	case plan.Locked.Integrity == "" && !launch.Locked: // a file of the project, which has none
		return nil, nil
	}
	return func() error {
		ran := artifact.Of(server, l.dir)
		l.ran.Store(server.Name, ran)
		return plan.Check(server, ran)
	}, nil
}

// runs is what a server runs; the zero value is unknown.
func (l launches) runs(server endpoint.Server) lockfile.Artifact {
	if ran, ok := l.ran.Load(server.Name); ok {
		return ran.(lockfile.Artifact)
	}
	return artifact.Of(server, l.dir)
}

// protocols are the revisions that worked when servers were locked.
func (l launches) protocols(servers []endpoint.Server) map[string]string {
	all := map[string]string{}
	for _, s := range servers {
		if locked := l.lock.Servers[s.Name]; locked != nil && l.check(s) == nil {
			all[s.Name] = locked.Protocol
		}
	}
	return all
}

// locked is what was accepted that a server runs; the zero value is unknown.
func (l launches) locked(server string) lockfile.Artifact {
	if locked := l.lock.Servers[server]; locked != nil {
		return locked.Artifact
	}
	return lockfile.Artifact{}
}

// key is the locked content key of a tool; "" if there is none.
func (l launches) key(server, tool string) string {
	if locked := l.lock.Servers[server]; locked != nil {
		return locked.Tools[tool].Key
	}
	return ""
}
