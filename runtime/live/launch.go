// Which launches were accepted.

package live

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/regular"
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
	manifests []*codec.Manifest
}

// readLaunches reads the lock beside the configuration, if there is one. An
// embedded configuration has one only in a folder that the program names: what
// lies in the working directory may belong to anybody.
func readLaunches(opts *Options, project *config.Project) (launches, error) {
	l := launches{lock: lockfile.NewLock(), dir: project.Dir, manifests: opts.Manifests}
	if project.Dir == "" || opts.Config != nil && opts.Dir == "" {
		return l, nil
	}
	path := filepath.Join(project.Dir, lockName)
	data, err := regular.ReadFile(path, maxLock)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err == nil {
		l.lock, err = lockfile.ParseLock(data)
	}
	if err != nil {
		return l, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
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
	return hint.With(fmt.Errorf("%sserver %q: its launch differs from the one in %s: %s; it is not started",
		server.Source.Prefix(), server.Name, lockName, strings.Join(locked.Launch.Differences(now), "; ")), "accept it: mcpgen update "+server.Name)
}

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

// key is the locked content key of a tool; "" if there is none.
func (l launches) key(server, tool string) string {
	if locked := l.lock.Servers[server]; locked != nil {
		return locked.Tools[tool].Key
	}
	return ""
}
