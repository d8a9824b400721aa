// Reading what a system reads by itself: all of its files on a machine and in a
// project.

package config

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
)

// Search reads the servers of other systems, as those systems do it: from the
// files that env has for them, merged by the rule of each. Formats are those of the
// package comment; of a server that two of them have, that of the first counts. None is
// indusr, the system whose search --mcp has without a path.
//
// A project's file that env does not trust is left out, if its system wants trust,
// or if none is named, and used otherwise, each with a notice that names the file,
// the reason and what to do. No files and no servers are not errors: the project then has none.
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

// FindSystem is for a command that a system spells in its own way, such as tools of
// Covenant, where there is no mcpgen.yaml: the name of the system, for [Search], and
// the files of it that there are, by precedence, also those that are not used. Both
// are empty for all other commands, and where the system has no file; one that has
// tools of its own needs none, if the user has its folder.
func FindSystem(env Environment, command string) (system string, files []string) {
	for _, d := range dialect.All() {
		if !slices.Contains(d.Commands, command) {
			continue
		}
		for _, f := range searchFiles(env, d, namedNothing) {
			files = append(files, f.Path)
		}
		if len(files) > 0 || d.Native != nil && env.isFolder(d.Home) {
			return d.Name, files
		}
	}
	return "", nil
}

// isFolder reports whether the user has a folder of the name.
func (e Environment) isFolder(name string) bool {
	info, err := os.Stat(e.machine().Join(e.Home, name))
	return e.Home != "" && err == nil && info.IsDir()
}

// InputVariable is the environment variable for an input: MCPGEN_INPUT_ and its
// id in upper case, with _ for all that is not an ASCII letter or digit.
func InputVariable(id string) string { return texts.InputVariable(id) }

// foundFile is one file that exists.
type foundFile struct {
	*dialect.File
	reason string // why it is not used; "" if it is
	hint   string
}

// searchFiles reads a dialect's files that exist, by precedence. A managed file
// that exists replaces all others where its system says so. By is what somebody named
// of them: a project may be somebody else's.
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

// system are the rows of the files of one dialect, merged by its rule, with what is
// wrong with them.
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
		l.wasRead(f.File)
		l.note(f.File)
		errs = append(errs, errorsOf(f.Errors)...)
		rows = append(rows, f.Rows)
	}
	return d.Merge(rows...), errs
}
