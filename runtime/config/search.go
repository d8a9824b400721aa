// Reading what a system reads by itself: all of its files on a machine and in a
// project.

package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
)

// Search reads the servers of other systems, as those systems do it: from the
// files that env has for them, merged by the rule of each. Formats are names of
// [Formats]; of a server that two of them have, that of the first counts. None is
// indusr, the system whose search --mcp has without a path.
//
// A project's file that env does not trust is left out, if its system wants trust,
// or if none is named, and used otherwise, each with a notice that names the file,
// the reason and what to do. No files and no servers are no error: the project then has none.
func Search(env Environment, formats ...string) (*Project, error) {
	files := namedFiles
	if len(formats) == 0 {
		formats, files = []string{flagged().name}, searchFiles
	}
	l := newLoader("", env.Dir)
	l.env, l.mcp = env, strings.Join(formats, ",")
	var errs []error
	for _, name := range formats {
		d, ok := dialectNamed(name)
		if !ok {
			return nil, fmt.Errorf("unknown format %s; %s", tree.Quote(name), tree.Suggest(name, Formats()))
		}
		errs = append(errs, l.take(d, files(env, d))...)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return l.project(&File{}, nil)
}

// FindSystem is for a command that a system spells in its own way, such as tools of
// Covenant, where there is no mcpgen.yaml: the name of the system, for [Search], and
// the files of it that there are, by precedence, also those that are not used. Both
// are empty for all other commands, and where the system has no file.
func FindSystem(env Environment, command string) (system string, files []string) {
	for _, d := range dialects() {
		if !slices.Contains(d.commands, command) {
			continue
		}
		for _, f := range searchFiles(env, d) {
			files = append(files, f.path)
		}
		if len(files) > 0 {
			return d.name, files
		}
	}
	return "", nil
}

func dialectNamed(name string) (dialect, bool) {
	for _, d := range dialects() {
		if d.name == name && name != plainName {
			return d, true
		}
	}
	return dialect{}, false
}

// foundFile is one file that exists.
type foundFile struct {
	*serverFile
	reason string // why it is not used; "" if it is
	hint   string
	gated  bool // the reason is that nobody trusts the project
}

// searchFiles reads a dialect's files that exist, by precedence. A managed file
// that exists stands for all others where its system says so.
func searchFiles(env Environment, d dialect) []foundFile {
	var found []foundFile
	for _, at := range d.places(env) {
		f := readFound(env, d, at)
		if f.absent || !f.isOwn() {
			continue
		}
		if f.scope == scopeLocal && len(f.rows) == 0 && len(f.errs) == 0 {
			continue
		}
		found = append(found, f)
	}
	return exclusive(d, gate(env, found))
}

// places are where a dialect's files are, each once.
func (d dialect) places(env Environment) []file {
	var places []file
	all, seen := d.files(env), map[string]bool{}
	for _, at := range all {
		if at.scope == scopeProject && slices.ContainsFunc(all, func(other file) bool {
			return other.scope == scopeUser && env.same(other.path, at.path)
		}) {
			continue // the project is the user's own folder, and so is the file
		}
		if id := at.scope + " " + at.path; at.path != "" && !seen[id] {
			seen[id] = true
			places = append(places, at)
		}
	}
	return places
}

func readFound(env Environment, d dialect, at file) foundFile {
	f := &serverFile{report: report{path: at.path}, env: env, scope: at.scope, searched: true}
	f.dialect = d
	f.open(at.path, at.path, &d)
	return foundFile{serverFile: f}
}

// isOwn reports whether a file that nobody named is one of its dialect: others may
// keep files of another form under its name.
func (f *serverFile) isOwn() bool { return f.dialect.owns == nil || f.dialect.owns(f) }

// isMapping reports whether a file could be read, and as more than a single value.
func (f *serverFile) isMapping() bool { return f.root != nil && f.root.Kind == tree.Map }

// gate leaves out what the environment does not trust: a project may be somebody
// else's, and its files were not named by anyone. A file that declares no server
// needs no trust.
func gate(env Environment, files []foundFile) []foundFile {
	for i, f := range files {
		if f.scope == scopeProject && len(f.rows) > 0 {
			files[i].reason, files[i].hint = env.trusted(f.serverFile)
			files[i].gated = files[i].reason != ""
		}
	}
	return files
}

// namedFiles are the files of a system that somebody named. It is that system's
// own rule then whether an untrusted project's file is used; where it is, a notice
// says what would be done with a file that nobody asked for.
func namedFiles(env Environment, d dialect) []foundFile {
	files := searchFiles(env, d)
	for i := range files {
		f := &files[i]
		if !f.gated || !d.asked {
			continue
		}
		text := "used since " + d.name + " was named, though the file is " + f.reason + " and would not be used if it were only found"
		if f.hint != "" {
			text += "; " + f.hint
		}
		f.notices = append(f.notices, Notice{Path: f.path, Text: text})
		f.reason, f.hint = "", ""
	}
	return files
}

// exclusive lets a managed file of Claude Code stand for all others.
func exclusive(d dialect, files []foundFile) []foundFile {
	if d.name != "claude-code" || len(files) == 0 || files[0].scope != scopeManaged {
		return files
	}
	for i := range files[1:] {
		files[i+1].reason, files[i+1].gated = "the managed file "+files[0].path+" stands for all others", false
	}
	return files
}

// take merges the files of one dialect into the project.
func (l *loader) take(d dialect, files []foundFile) []error {
	rows, errs := l.system(d, files)
	l.merge(rows)
	return errs
}

// system are the rows of the files of one dialect, merged by its rule, with what is
// wrong with them.
func (l *loader) system(d dialect, files []foundFile) ([]row, []error) {
	var (
		rows [][]row
		errs []error
	)
	l.dialects = append(l.dialects, d)
	l.missing(d, files)
	for _, f := range files {
		f.sort()
		if f.reason != "" {
			l.skip(f.skipped(f.reason, f.hint))
			continue
		}
		l.leaves(f.serverFile)
		l.imports = append(l.imports, f.notices...)
		if f.manifest != nil {
			l.manifests = append(l.manifests, *f.manifest)
		}
		for _, e := range f.errs {
			errs = append(errs, e)
		}
		rows = append(rows, f.rows)
	}
	return d.merge(rows), errs
}

// scopeOf is whose file a path is, by the places where dialects keep theirs.
func scopeOf(env Environment, path string) string {
	for _, d := range dialects() {
		for _, at := range d.files(env) {
			if at.path == "" || at.scope == scopeLocal || !env.same(at.path, path) {
				continue
			}
			return at.scope
		}
	}
	return ""
}
