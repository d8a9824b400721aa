// Reading the files that a system reads by itself, on a machine and in a project.

package config

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
)

// Search reads the servers of other systems as those systems do: from their files in env, merged by each
// system's rule. The package comment lists the formats. If two formats define a server, the first one
// wins. Without formats, indusr is searched, whose flag --mcp searches without a path.
//
// A project's file that env does not trust is ignored if its system requires trust, or if no format is
// named; otherwise it is used. In both cases a notice has the file, the reason and the next step. It is
// not an error if there are no files or servers: the project then has none.
func Search(env Environment, formats ...string) (*Project, error) {
	by := namedSystem
	if len(formats) == 0 {
		formats, by = []string{dialect.Flagged().Name}, namedNothing
	}
	l := newLoader("", env.Dir)
	l.use(env)
	l.mcp = strings.Join(formats, ",")
	var errs []error
	for _, name := range formats {
		d, ok := dialect.Named(name)
		if !ok {
			return nil, fmt.Errorf("unknown format %s; %s", tree.Quote(name), tree.Suggest(name, dialect.Names()))
		}
		errs = append(errs, l.take(d, searchFiles(l.env, d, by))...)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return l.project(&File{}, nil)
}

// FindSystem finds the system that has its own spelling of a command, such as tools for Covenant, for use
// without an mcpgen.yaml. System is its name, for [Search]. Files are its existing files by precedence,
// including unused ones. Both are empty for other commands, and for a system without files. A system with
// built-in tools needs no file, unless the user lacks its folder and the project has files of other
// systems.
func FindSystem(env Environment, command string) (system string, files []string) {
	for _, d := range dialect.All() {
		if !slices.Contains(d.Commands, command) {
			continue
		}
		for _, f := range searchFiles(env, d, namedNothing) {
			files = append(files, f.Path)
		}
		if len(files) > 0 ||
			d.Native != nil && (env.isFolder(d.Home) || !slices.ContainsFunc(Discover(env), Found.isProjects)) {
			return d.Name, files
		}
	}
	return "", nil
}

// isProjects reports whether the file is in the project.
func (f Found) isProjects() bool { return f.Scope == dialect.ScopeProject }

// isFolder reports whether the user has a folder with the name.
func (e Environment) isFolder(name string) bool {
	info, err := os.Stat(e.machine().Join(e.Home, name))
	return e.Home != "" && err == nil && info.IsDir()
}

// InputVariable returns the environment variable for an input: MCPGEN_INPUT_ and the id in upper case,
// with _ for every character that is not an ASCII letter or digit.
func InputVariable(id string) string { return texts.InputVariable(id) }

// foundFile is one file that exists.
type foundFile struct {
	*dialect.File
	reason string // why it is not used; "" if it is used
	hint   string
}

// searchFiles reads the existing files of a dialect, by precedence. In some systems a managed file
// replaces all others. By is how the user named the files, since a project may belong to somebody else.
func searchFiles(env Environment, d dialect.Dialect, by named) []foundFile {
	var found []foundFile
	for _, at := range d.Locations(env.machine()) {
		f := foundFile{File: d.Read(env.machine(), at)}
		if f.Absent || !f.IsOwn() || f.Scope == dialect.ScopeLocal && len(f.Rows) == 0 && len(f.Errors) == 0 {
			continue
		}
		if d.Managed && len(found) > 0 && found[0].Scope == dialect.ScopeManaged {
			f.reason = "the managed file " + found[0].Path + " replaces all others"
		} else {
			f.reason, f.hint = env.refuses(f.File, by)
		}
		found = append(found, f)
	}
	return found
}

// take merges the files of one dialect into the project.
func (l *loader) take(d dialect.Dialect, files []foundFile) []error {
	rows, errs := l.system(d, files)
	l.merge(rows)
	return errs
}

// system returns the rows of the files of one dialect, merged by its rule, and their errors.
func (l *loader) system(d dialect.Dialect, files []foundFile) ([]dialect.Row, []error) {
	var (
		rows [][]dialect.Row
		errs []error
	)
	l.dialects = append(l.dialects, d)
	l.sources.systems = append(l.sources.systems, d.Name)
	l.missing(d, files)
	for _, f := range files {
		if f.reason != "" {
			l.skip(skippedFile(f.File, f.reason, f.hint))
			continue
		}
		l.leaves(f.File)
		l.sources.add(f.File)
		l.note(f.File)
		if f.Manifest == nil { // each manifest is a separate agent
			l.together[f.Path] = d.Name
		}
		errs = append(errs, errorsOf(f.Errors)...)
		rows = append(rows, f.Rows)
	}
	return d.Merge(rows...), errs
}
