// The accepted launches, and what they may run.

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
	"github.com/mcpgen/mcpgen/internal/provenance"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/runtime/attach/artifact"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// lockName is the name of the lock in the folder of the configuration.
const lockName = "mcpgen.lock"

// maxLock bounds the lock, in bytes.
const maxLock = 64 << 20

// launches holds the accepted ways to start servers.
type launches struct {
	lock      *lockfile.Lock // never nil
	dir       string         // the project's folder, absolute; "" means none
	output    string         // the folder of the generated packages, absolute
	manifests []*codec.Manifest
	opts      *Options
	ran       *sync.Map // string → lockfile.Artifact: what each server runs
}

// readLaunches reads the lock in the folder of the configuration, if there is one.
// For an embedded configuration it reads only the lock of a folder that the program
// names: files in the working directory may belong to others.
func readLaunches(opts *Options, project *config.Project) (launches, error) {
	l := launches{
		lock: lockfile.NewLock(), dir: project.Dir, output: filepath.Join(project.Dir, filepath.FromSlash(project.Output)),
		manifests: opts.Manifests, opts: opts, ran: &sync.Map{}}
	signed := opts.RequireSignature || project.RequireSignature && opts.Lock == nil
	switch nowhere := project.Dir == "" || opts.Config != nil && opts.Dir == ""; {
	case signed && (nowhere || opts.Lock != nil):
		return l, hint.With(errors.New("live.Options: a signature is required, but no "+lockName+" is read"),
			"set live.Options.Dir instead of live.Options.Lock")
	case opts.Lock != nil:
		l.lock = opts.Lock
		return l, nil
	case nowhere:
		return l, nil
	}
	var signers *provenance.Signers
	var err error
	if signed {
		if signers, err = provenance.Load(opts.Signers, project.Dir); err != nil {
			return l, err
		}
	}
	l.lock, err = readLock(project.Dir, signers)
	return l, err
}

// readLock reads the lock in a folder; without a file, the lock has no servers.
// Signers must have signed it, unless they are nil.
func readLock(dir string, signers *provenance.Signers) (*lockfile.Lock, error) {
	lock, path := lockfile.NewLock(), filepath.Join(dir, lockName)
	data, err := regular.ReadFile(path, maxLock)
	if errors.Is(err, fs.ErrNotExist) && signers == nil {
		return lock, nil
	}
	if err == nil && signers != nil {
		if _, err := signers.Lock(path, data, nil); err != nil {
			return lock, err
		}
	}
	if err == nil {
		lock, err = lockfile.ParseLock(data)
	}
	if err != nil {
		return lock, fmt.Errorf("%s: %w", path, err)
	}
	return lock, nil
}

// follow returns an error if the lock has lost all servers, and one of them is still
// configured: a program such as git may have removed the file for a moment.
func (l launches) follow(before launches, project *config.Project) error {
	isLocked := func(s endpoint.Server) bool { return before.lock.Servers[s.Name] != nil }
	if len(l.lock.Servers) > 0 || !slices.ContainsFunc(project.Servers, isLocked) {
		return nil
	}
	err := fmt.Errorf("%s: the file is gone, or has no servers any more: nothing was reloaded",
		filepath.Join(l.dir, lockName))
	return hint.With(err,
		"restore the file with git checkout", "run mcpgen generate", "restart the program to go on without a lock")
}

// check refuses a server whose launch or address differs from the locked one, or is missing in the lock.
// A server that is not in the lock is checked by its manifests; without those it is allowed.
func (l launches) check(server endpoint.Server) error {
	locked := l.lock.Servers[server.Name]
	if locked == nil {
		return l.checkManifests(server)
	}
	now, same := config.SameLaunch(locked.Launch, server, l.dir)
	if same {
		return nil
	}
	err := &LaunchError{fmt.Sprintf("%sserver %q: its launch differs from the one in %s: %s; the server is not started",
		server.Source.Prefix(), server.Name, lockName, strings.Join(locked.Launch.Differences(now), "; "))}
	return hint.With(err, artifact.AcceptSteps(server.Name, ruleid.LaunchChanged)...)
}

// LaunchError reports a server that is not started or contacted, since its
// configuration differs from the locked one.
type LaunchError struct{ text string }

// Error names the server, the position of its configuration, and the differences.
func (e *LaunchError) Error() string { return e.text }

// checkManifests requires that one manifest of the server was generated for its
// launch, if any names a launch.
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
	err := fmt.Errorf("%sserver %q: its launch differs from the one that its package was generated for; "+
		"the server is not started", server.Source.Prefix(), server.Name)
	return hint.With(err,
		"run mcpgen update "+server.Name+" in the module of that package", "set live.Options.AnyLaunch")
}

// prepare ensures that a server with the locked launch runs what was locked: see
// [artifact.Plan.Prepare]. What cannot be known before the start is compared after
// it.
func (l launches) prepare(ctx context.Context, server endpoint.Server,
	launch *endpoint.Process) (started func() error, err error) {
	plan := artifact.Plan{
		Project: l.dir, Output: l.output, Newest: l.opts.Newest, Accepted: slices.Contains(l.opts.Accepted, server.Name),
	}
	if locked := l.lock.Servers[server.Name]; locked != nil {
		if _, same := config.SameLaunch(locked.Launch, server, l.dir); same { // otherwise the lock does not apply: see check
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
	case plan.Locked.Integrity == "" && !launch.Locked: // a file of the project has no integrity
		return nil, nil
	}
	return func() error {
		ran := artifact.Of(server, l.dir)
		l.ran.Store(server.Name, ran)
		return plan.Check(server, ran)
	}, nil
}

// runs returns what a server runs; the zero value is unknown.
func (l launches) runs(server endpoint.Server) lockfile.Artifact {
	if ran, ok := l.ran.Load(server.Name); ok {
		return ran.(lockfile.Artifact)
	}
	return artifact.Of(server, l.dir)
}

// protocols returns the revisions that worked when servers were locked.
func (l launches) protocols(servers []endpoint.Server) map[string]string {
	all := map[string]string{}
	for _, s := range servers {
		if locked := l.lock.Servers[s.Name]; locked != nil && l.check(s) == nil {
			all[s.Name] = locked.Protocol
		}
	}
	return all
}

// locked returns the accepted artifact of a server; the zero value is unknown.
func (l launches) locked(server string) lockfile.Artifact {
	if locked := l.lock.Servers[server]; locked != nil {
		return locked.Artifact
	}
	return lockfile.Artifact{}
}

// key returns the locked content key of a tool; "" if there is none.
func (l launches) key(server, tool string) string {
	if locked := l.lock.Servers[server]; locked != nil {
		return locked.Tools[tool].Key
	}
	return ""
}
