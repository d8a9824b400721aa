package workspace

// This file handles locked servers whose source is not usable on this machine: a user's own file that
// another user has, or a file that is not trusted or cannot be read. Their packages are generated from
// lock and snapshot, but the servers cannot be reached from here.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/gopkg"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// findAbsent finds the locked servers that are not configured here and not removed, with the reason.
// Package settings in the configuration still apply to them.
func (w *Workspace) findAbsent(ctx context.Context) {
	if w.absent == nil {
		w.absent = map[string]string{}
	}
	for name, l := range w.Lock.Servers {
		if w.Configured(name) || w.absent[name] != "" || name == w.removed {
			continue
		}
		why := whyAbsent(ctx, w.Project, w.Root, name, l.Source)
		if why == "" {
			continue
		}
		w.absent[name] = why
		build, ok := w.Project.Entries[name]
		if !ok {
			build.Package = gopkg.Of(name)
		}
		pins := generator.PinnedServer(l)
		build.Exclude = slices.Concat(pins.Exclude, build.Exclude)
		if build.Include == nil {
			build.Include = pins.Include
		}
		w.Project.Build[name] = build
	}
}

// whyAbsent returns why the source of a locked server is not usable here; "" if it is usable, or if that
// is unknown.
func whyAbsent(ctx context.Context, project *config.Project, root, name string, source lockfile.Source) string {
	p := project
	switch asked, read := p.Asks(source); {
	case p.Left(name), p.Undefined(name) && source == lockfile.Source{} && !p.Gone(name):
		return p.Why(name)
	case !p.Undefined(name), source == lockfile.Source{}, !asked, read:
		return ""
	case source.Scope == lockfile.ScopeProject && wasDeleted(ctx, root, source.File):
		return ""
	}
	return source.String() + " is not on this machine, or cannot be read"
}

// wasDeleted reports whether a file is missing and git knows it, so that it was deleted. A file that is
// there but cannot be read was not, nor was one that a sparse checkout leaves out.
func wasDeleted(ctx context.Context, root, file string) bool {
	if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(file))); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	w := Workspace{Root: root}
	if out, err := w.Git(ctx, "ls-files", "-t", "--", file); err == nil && len(out) > 0 {
		return out[0] != 'S'
	}
	out, err := w.Git(ctx, "log", "-1", "--format=%H", "--", file)
	return err == nil && len(out) > 0
}

// gone reports whether a locked server was certainly removed from the configuration.
func (w *Workspace) gone(name string) bool {
	if name == w.removed || w.Configured(name) || w.absent[name] != "" {
		return name == w.removed
	}
	l := w.Lock.Servers[name]
	return w.Project.Undefined(name) && (l != nil && l.Source != lockfile.Source{} || w.Project.Gone(name))
}

// Absent reports whether a server is locked but not usable on this machine.
func (w *Workspace) Absent(name string) bool { return w.absent[name] != "" }

// remove treats an absent server as removed.
func (w *Workspace) remove(name string) {
	delete(w.absent, name)
	delete(w.Project.Build, name)
	w.removed = name
}

// absentNames returns the absent servers that --servers selects, sorted.
func (w *Workspace) absentNames() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(w.absent)), func(name string) bool { return !w.InScope(name) })
}

// NotHere is the error of a command that must reach a server whose source is not usable here.
func (w *Workspace) NotHere(name string) error {
	return exit.Fail(exit.Server, hint.With(fmt.Errorf("%s: not reachable from here: %s", name, w.absent[name]), "run this command on a machine that can reach the server", "remove the server: mcpgen remove "+hint.Word(name)))
}

// noteAbsent prints the servers for which only lock and snapshot count.
func (w *Workspace) noteAbsent() {
	for _, name := range w.absentNames() {
		w.Options.Console.Note("%s: %s: mcpgen uses %s and the snapshot instead", name, w.absent[name], LockName)
	}
}

// withoutAbsent returns the errors of a project's files, except for unreadable imports whose
// servers are locked.
func withoutAbsent(ctx context.Context, e *config.PartialError) error {
	data, err := os.ReadFile(filepath.Join(e.Project.Dir, LockName))
	if err != nil {
		return e.Err
	}
	lock, err := lockfile.ParseLock(data)
	if err != nil {
		return e.Err // opening the lock reports a better error
	}
	_, rest := e.Without(lock, func(s lockfile.Source) bool {
		return s.Scope == lockfile.ScopeProject && wasDeleted(ctx, e.Project.Dir, s.File)
	})
	return rest
}
