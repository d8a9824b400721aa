// Where servers are configured, by names that are the same on every machine.

package config

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// LockSource returns the file that configures a server, as a lock keeps it. Project is the
// absolute folder of the project; "" means none, and so that nothing is known. A file in
// the project's repository is the project's, all others are the user's.
func LockSource(s endpoint.Source, project string) lockfile.Source {
	path, err := filepath.Abs(s.Path)
	if err != nil || s.Path == "" || project == "" {
		return lockfile.Source{}
	}
	out := lockfile.Source{Scope: lockfile.ScopeUser, Dialect: s.Format}
	home, repository := homeOf(os.LookupEnv), repositoryOf(project)
	_, own := pathBelow(repository, path)
	if _, inside := pathBelow(repository, home); inside { // a home in a checkout, as tests have it
		_, users := pathBelow(home, path)
		own = own && !users
	}
	if own && (s.Scope == "" || s.Scope == dialect.ScopeProject || s.Scope == dialect.ScopeLocal) {
		if rel, err := filepath.Rel(project, path); err == nil {
			out.Scope, out.File = lockfile.ScopeProject, filepath.ToSlash(rel)
			return out
		}
	}
	for _, folder := range [...]struct{ variable, usual string }{{"XDG_CONFIG_HOME", ".config"}, {"XDG_DATA_HOME", ".local/share"}} {
		if rel, ok := pathBelow(os.Getenv(folder.variable), path); ok {
			out.File = "~/" + folder.usual + "/" + rel
			return out
		}
	}
	if rel, ok := pathBelow(home, path); ok {
		out.File = "~/" + rel
	}
	return out
}

// pathBelow is path relative to an absolute folder, if it is below it, with slashes.
func pathBelow(folder, path string) (string, bool) {
	if !filepath.IsAbs(folder) {
		return "", false
	}
	rel, err := filepath.Rel(folder, path)
	return filepath.ToSlash(rel), err == nil && rel != "." && filepath.IsLocal(rel)
}

// repositoryOf is the folder of the git repository that a project is in; the project's
// own if there is none.
func repositoryOf(project string) string {
	for dir := project; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			return project
		}
	}
}

// Unread is an import that cannot be read.
type Unread struct {
	Source lockfile.Source // that it names
	Err    error           // why, with its place
}

// askedFiles are the files that a configuration asks for.
type askedFiles struct {
	systems []string          // dialects whose files are looked for
	named   []lockfile.Source // files that are named
	read    []lockfile.Source // files that were read and count whole
}

// Asks reports whether the configuration asks for a file: it is its own, it is imported,
// or it is of a system that is. Read says that it was found here and counts, so that what
// it does not define is gone from it.
func (p *Project) Asks(s lockfile.Source) (asked, read bool) {
	is := func(other lockfile.Source) bool {
		return s.Scope == other.Scope && s.File == other.File && (s.File != "" || s.Dialect == other.Dialect)
	}
	read = slices.ContainsFunc(p.sources.read, is)
	return read || slices.Contains(p.sources.systems, s.Dialect) || slices.ContainsFunc(p.sources.named, is), read
}

// Undefined reports that no file says anything of a server, as far as they were read: none
// defines it, not even in a way that cannot be used, and none that is left out has it.
func (p *Project) Undefined(name string) bool {
	return !slices.Contains(p.lost, name) &&
		!slices.ContainsFunc(p.Definitions, func(d Definition) bool { return d.Server.Name == name }) &&
		!slices.ContainsFunc(p.Skipped, func(s Skipped) bool { return slices.Contains(s.Servers, name) })
}

// Left reports whether a file that was left out as a whole has a server of the name, and
// no file defines it.
func (p *Project) Left(name string) bool {
	return !slices.Contains(p.lost, name) &&
		!slices.ContainsFunc(p.Definitions, func(d Definition) bool { return d.Server.Name == name }) &&
		!p.Undefined(name)
}

// wasRead notes a file that counts whole.
func (l *loader) wasRead(f *dialect.File) {
	if !f.Absent && f.Unread == "" && !slices.ContainsFunc(f.Errors, func(e *tree.Finding) bool { return e.Server == "" }) {
		l.sources.read = append(l.sources.read, l.sourceOf(f.Path, f.Scope, f.Dialect.Name))
	}
}

func (l *loader) sourceOf(path, scope, format string) lockfile.Source {
	return LockSource(endpoint.Source{Path: path, Scope: scope, Format: format}, l.dir)
}
