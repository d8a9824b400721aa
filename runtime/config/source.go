// The places where servers are configured, named in the same way on every machine.

package config

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// LockSource returns the file that configures a server, in the form that a lock stores. Project is the
// absolute folder of the project; "" means none, and the result is empty. A file in the project's
// repository is the project's; all others are the user's.
func LockSource(s endpoint.Source, project string) lockfile.Source {
	path, err := filepath.Abs(s.Path)
	if err != nil || s.Path == "" || project == "" {
		return lockfile.Source{}
	}
	out := lockfile.Source{Scope: lockfile.ScopeUser, Dialect: s.Format}
	home, repository := homeOf(os.LookupEnv), repositoryOf(project)
	_, own := pathBelow(repository, path)
	if _, inside := pathBelow(repository, home); inside { // a home inside a checkout, as in tests
		_, users := pathBelow(home, path)
		own = own && !users
	}
	if own && (s.Scope == "" || s.Scope == dialect.ScopeProject || s.Scope == dialect.ScopeLocal) {
		if rel, err := filepath.Rel(project, path); err == nil {
			out.Scope, out.File = lockfile.ScopeProject, filepath.ToSlash(rel)
			return out
		}
	}
	for _, folder := range [...]struct{ variable, usual string }{
		{"XDG_CONFIG_HOME", ".config"}, {"XDG_DATA_HOME", ".local/share"},
	} {
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

// pathBelow returns path relative to an absolute folder, with slashes, if it is inside.
func pathBelow(folder, path string) (string, bool) {
	if !filepath.IsAbs(folder) {
		return "", false
	}
	rel, err := filepath.Rel(folder, path)
	return filepath.ToSlash(rel), err == nil && rel != "." && filepath.IsLocal(rel)
}

// repositoryOf returns the folder of the git repository that contains a project; the project's own folder
// if there is none.
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
	Source lockfile.Source // the file that it names
	Err    error           // why it cannot be read, with its place
}

// askedFiles are the files that a configuration refers to.
type askedFiles struct {
	project string            // its absolute folder; "" means none
	systems []string          // dialects whose files are searched for
	named   []lockfile.Source // files that are named
	read    []lockfile.Source // files that were read completely
}

// add records a file that was read completely.
func (a *askedFiles) add(f *dialect.File) {
	whole := func(e *tree.Finding) bool { return e.Server == "" }
	if !f.Absent && f.Unread == "" && !slices.ContainsFunc(f.Errors, whole) {
		a.read = append(a.read, a.source(f.Path, f.Scope, f.Dialect.Name))
	}
}

func (a *askedFiles) source(path, scope, format string) lockfile.Source {
	return LockSource(endpoint.Source{Path: path, Scope: scope, Format: format}, a.project)
}

// Asks reports whether the configuration refers to a file: its own file, an imported one, or one of an
// imported system. Read reports that the file was read completely, so that a server without a definition
// is gone from it.
func (p *Project) Asks(s lockfile.Source) (asked, read bool) {
	is := func(other lockfile.Source) bool {
		return s.Scope == other.Scope && s.File == other.File && (s.File != "" || s.Dialect == other.Dialect)
	}
	read = slices.ContainsFunc(p.sources.read, is)
	return read || slices.Contains(p.sources.systems, s.Dialect) || slices.ContainsFunc(p.sources.named, is), read
}
