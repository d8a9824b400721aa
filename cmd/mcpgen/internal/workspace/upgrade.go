package workspace

// This file finds newer versions of servers, and updates the launches to them.

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/editing"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/judging"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/parallel"
	"github.com/mcpgen/mcpgen/runtime/attach/artifact"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Upgrade holds the current and the available version of a server.
type Upgrade struct {
	Server string
	At     string // file:line of its launch
	// Old and New name the program of the launch, such as a package with its version. They are equal if the launch
	// names no version, and "" for a server without versions, such as one at an address: only its surface is
	// updated.
	Old, New string
	Was, Now lockfile.Artifact // the locked artifact, and what is known of the new one
	// Configured describes the differences between configuration and lock, which the upgrade takes over; ""
	// means none.
	Configured string
	Err        error // why the versions are unknown

	named string // the version that the user named; "" means the newest
}

// Changes reports whether there is another version, or the version is unknown.
func (u Upgrade) Changes() bool {
	return u.New == "" || u.Old != u.New || u.Now.Version != u.Was.Version
}

// Upgrades determines the version for each of the named servers: the one after an @, or the newest.
// Without names it is for all servers.
func (w *Workspace) Upgrades(ctx context.Context, names []string) ([]Upgrade, error) {
	versions, servers := map[string]string{}, []string(nil)
	for _, name := range names {
		version := ""
		if i := strings.LastIndexByte(name, '@'); i > 0 && !slices.Contains(w.Names(), name) {
			name, version = name[:i], name[i+1:]
		}
		versions[name], servers = version, append(servers, name)
	}
	targets, err := w.Targets(servers)
	if err != nil {
		return nil, err
	}
	out := make([]Upgrade, len(targets))
	return out, parallel.Each(ctx, len(targets), func(i int) error {
		out[i] = upgrade(ctx, w.Project, w.Lock, w.Root, targets[i], versions[targets[i].Name])
		out[i].named = versions[targets[i].Name]
		return nil
	})
}

// answerTime is the time limit for a registry's client to return a version.
const answerTime = time.Minute

func upgrade(
	ctx context.Context, project *config.Project, lock *lockfile.Lock, root string, s endpoint.Server, version string,
) Upgrade {
	u := Upgrade{Server: s.Name, At: strings.TrimSuffix(s.Source.Prefix(), ": ")}
	if project.Build[s.Name].From != "" && version == "" {
		return u // what the registry has now decides
	}
	if c := judging.ChangedLaunch(lock, root, s); c != nil && version == "" {
		u.Configured = c.Differences()
		return u
	}
	if l := lock.Servers[s.Name]; l != nil {
		u.Was = l.Artifact
	}
	ctx, end := context.WithTimeoutCause(ctx, answerTime, fmt.Errorf("no answer within %s", answerTime))
	defer end()
	u.Old, u.New, u.Now, u.Err = artifact.Offered(ctx, s, root, version, u.Was)
	switch {
	case errors.Is(u.Err, artifact.ErrNoVersions) && version == "":
		return Upgrade{Server: u.Server, At: u.At}
	case u.Err == nil && version == "" && artifact.Unpinned(s) != "":
		u.New = u.Old // the launch stays without a version
	}
	return u
}

// Plan adds upgrades to the options of an update, and accepts their launches. It returns the edits of the
// files with the launches, which keep every other byte. The error says what to write by hand.
func (w *Workspace) Plan(upgrades []Upgrade, o *UpdateOptions) ([]*editing.Edit, error) {
	var edits []*editing.Edit
	var errs []error
	o.named = map[string]string{}
	for _, u := range upgrades {
		o.Servers = append(o.Servers, u.Server)
		if u.named != "" {
			o.named[u.Server] = u.Server + "@" + u.named
		}
		if u.Old != u.New || u.Configured != "" {
			o.Accept = append(o.Accept, u.Server+"/"+drift.LaunchChanged.String())
		}
		if u.Old == u.New {
			continue
		}
		targets, err := w.Targets([]string{u.Server})
		if err != nil {
			return nil, err
		}
		file := targets[0].Source.Path
		where := editing.RealPath(file)
		i := slices.IndexFunc(edits, func(e *editing.Edit) bool { return e.Path == where })
		if i < 0 {
			data, err := os.ReadFile(file)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			i, edits = len(edits), append(edits, &editing.Edit{File: file, Path: where, Before: data, After: data})
		}
		after, err := starter.ReplaceWord(filepath.Ext(file), edits[i].After, u.Server, u.Old, u.New)
		if err != nil {
			err = fmt.Errorf("%s: server %q: %w", cmp.Or(u.At, file), u.Server, err)
			errs = append(errs, hint.With(err, "write "+u.New+" there, then run mcpgen update "+u.Server))
			continue
		}
		edits[i].After = after
	}
	same := func(e *editing.Edit) bool { return bytes.Equal(e.Before, e.After) }
	return slices.DeleteFunc(edits, same), errors.Join(errs...)
}

// fix rewrites the user's code for a draft before it is written.
func (d *Draft) fix(ctx context.Context, o UpdateOptions) (*FixReport, error) {
	before, _, err := Sides(ctx, d.in, nil)
	if err != nil {
		return nil, exit.Unless(ctx, err)
	}
	after, _, err := d.Options(o.Strict)
	if err != nil {
		return nil, exit.Unless(ctx, err)
	}
	before.Servers = slices.DeleteFunc(before.Servers, func(s generator.Server) bool {
		return !slices.ContainsFunc(after.Servers, func(now generator.Server) bool { return now.Name == s.Name })
	})
	fixed, err := fixAsking(ctx, inModule(d.in.Root, before, after), impact.Base{Known: true}, nil, o.AskRename)
	if err != nil {
		return nil, exit.Unless(ctx, err)
	}
	var out *FixReport
	out, d.edits = fixReport(fixed)
	if out.unexplained() {
		_, where, err := thenOf(ctx, d.in.State, "")
		if err == nil && where == "HEAD" { // an earlier upgrade is not committed
			out.Older = "mcpgen fix --against HEAD"
		}
	}
	_, err = d.keepUsed(ctx, fixed.Uses)
	return out, err
}
