// Reading server files that somebody named, and the systems that they are of.

package config

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/nearest"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// LoadServers reads server files instead of an mcpgen.yaml: those of any system
// of the package comment, recognised by their path and their content. Each path is
//
//   - a file;
//   - a folder, which stands for the files that indusr reads in it, whose flag --mcp is:
//     the folder's own, and those of the user;
//   - the name of a system, such as tallow, if there is no such path: the files
//     are read that it reads by itself, see [Search].
//
// One argument may hold several with commas, see [ServerPaths]. Of a server that
// two paths define, the definition of the later one counts; in files of indusr, which
// attaches all of them, each is a server: see naming.Namesake. Dir is the
// folder of the project in e. Tools are named as the system does it whose files they
// are, if it is one of scarab, coreagent, covenant, tallow and indusr, and all files
// are of one; else, like all other settings, Naming has its default.
//
// A file that is named is used, unless it is a project's and its system wants the
// project to be trusted, as tallow and codex do: see [Environment.Trusted]. A project's
// file for a system or a folder that is named is used only if e trusts it, or if its
// system wants no trust, then with a notice.
//
// Reading paths is what indusr's flag does, so its rule holds where no other
// system's does: a path that does not exist, a folder without a server file, and
// a file of no known form (malformed JSON, no servers) are left out, each
// with a notice. The files of a system that has another rule, recognised by their path
// or their content, are held to that one: what is wrong with them is an error, and
// so is a file of such a system that has no server. Where some of the files can be
// used, it is a [*PartialError].
func (e Environment) LoadServers(paths ...string) (*Project, error) {
	l := newLoader("", e.Dir)
	l.use(e)
	values := ServerPaths(paths)
	if len(values) == 0 {
		return nil, hint.New("no server file is named", "name a file such as .mcp.json, or a system such as tallow")
	}
	l.mcp = strings.Join(values, ",")
	var (
		groups [][]dialect.Row
		errs   [][]error
		strict []string // files without a server that should have one
	)
	for _, value := range values {
		rows, empty, wrong := l.named(value)
		groups, errs = append(groups, rows), append(errs, wrong)
		if empty {
			strict = append(strict, value)
		}
	}
	l.merge(dialect.Concatenate(once(groups)))
	l.imports = distinct(l.imports)
	wrong := stillWrong(groups, errs)
	if len(wrong) == 0 && len(strict) == len(values) {
		wrong = []error{noServers(strict)}
	}
	if len(l.all) == 0 && len(wrong) > 0 {
		for _, n := range l.imports { // together they are why there is nothing
			wrong = append(wrong, n.Err())
		}
		return nil, errors.Join(wrong...)
	}
	p, problem := l.project(&File{}, nil)
	return partial(p, problem, errors.Join(wrong...))
}

// named reads what one value of --mcp names. Empty is a file without a server whose
// system wants one in it.
func (l *loader) named(value string) (rows []dialect.Row, empty bool, errs []error) {
	if d, ok := systemNamed(value, value); ok {
		files := searchFiles(l.env, d, namedSystem)
		if len(files) == 0 && d.Native == nil {
			l.imports = append(l.imports, Notice{Path: value, Text: "found none of its files, looked for " + d.Where(l.env.machine()), Steps: []string{"name the file itself"}})
		}
		rows, errs = l.system(d, files)
		return rows, false, errs
	}
	info, err := os.Stat(value)
	if err != nil || info.IsDir() {
		rows, errs = l.folder(value, err)
		return rows, false, errs
	}
	f := readServerFile(l.env, value, true)
	rows, errs = l.rowsOf(f, func(string) bool { return false })
	return rows, len(f.Rows) == 0 && !f.Dialect.Lenient, errs
}

// folder reads what the system whose flag --mcp is reads for a folder: its file there
// and those of the user. It takes a path that does not exist, for which there is an
// error, for a folder.
func (l *loader) folder(path string, err error) ([]dialect.Row, []error) {
	d := dialect.Flagged()
	in := l.env
	var files []foundFile
	if abs, absErr := filepath.Abs(path); absErr == nil {
		in.Dir = abs
		files = searchFiles(in, d, namedFolder)
	}
	var reason *Error
	if err != nil {
		reason = unreadable(path, err, cmp.Or(nearest.Question(path, dialect.Names()), "name a server file such as .mcp.json, or a folder with "+d.InProject()[0]))
	} else if !slices.ContainsFunc(files, func(f foundFile) bool { return f.IsProjects() }) {
		reason = withoutServerFile(path, d, len(files) > 0)
	}
	if reason != nil {
		if err := l.leaveOut(path, reason, len(files) > 0); err != nil {
			return nil, []error{err}
		}
	}
	return l.system(d, files)
}

// withoutServerFile is why a folder without a file of the system whose flag --mcp is has
// no servers; nil if those of the user count, and no other system has a file in it.
func withoutServerFile(path string, d dialect.Dialect, users bool) *Error {
	e := &Error{Path: path, Reason: "the folder has no " + d.InProject()[0]}
	for _, other := range dialect.All() {
		for _, name := range other.InProject() {
			if info, err := os.Stat(filepath.Join(path, filepath.FromSlash(name))); err == nil && info.Mode().IsRegular() {
				e.Steps = append(e.Steps, "name the file itself: --mcp "+filepath.Join(path, filepath.FromSlash(name)))
			}
		}
	}
	switch {
	case e.Steps != nil:
		e.Reason += ", and those of other systems are not read with their folder"
	case users:
		return nil
	default:
		e.Steps = []string{"name the server file itself"}
	}
	return e
}

// leaveOut notes a path that cannot be read, or returns the reason as an error
// where the path is another system's. Users is whether files of the user count as
// for a folder.
func (l *loader) leaveOut(path string, reason *Error, users bool) error {
	if !dialect.IsFlagged(l.env.machine(), path) {
		l.skipped = append(l.skipped, Skipped{Path: path, Reason: "it cannot be read"})
		return reason
	}
	l.skipped = append(l.skipped, Skipped{Path: path, Reason: reason.Reason})
	text := "; it is left out"
	if users {
		text += ", and the user's own files of " + dialect.Flagged().Name + " count"
	}
	l.imports = append(l.imports, Notice{Path: path, Text: reason.Reason + text, Steps: reason.Steps})
	return nil
}

// once leaves out rows that a later group has from the same place: a file of the user
// that counts for two folders is one file.
func once(groups [][]dialect.Row) [][]dialect.Row {
	seen := map[tree.Position]bool{}
	for i := len(groups) - 1; i >= 0; i-- {
		groups[i] = slices.DeleteFunc(groups[i], func(r dialect.Row) bool { return seen[r.Position()] })
		for _, r := range groups[i] {
			seen[r.Position()] = true
		}
	}
	return groups
}

// distinct leaves out notices that are there already.
func distinct(notices []Notice) []Notice {
	seen := map[string]bool{}
	return slices.DeleteFunc(notices, func(n Notice) bool {
		again := seen[n.String()]
		seen[n.String()] = true
		return again
	})
}

// stillWrong are the errors of all groups, less those about a server that a later
// group defines.
func stillWrong(groups [][]dialect.Row, errs [][]error) []error {
	var all []error
	for i, wrong := range errs {
		for _, err := range wrong {
			if e, ok := errors.AsType[*Error](err); !ok || e.server == "" || !defines(groups[i+1:], e.server) {
				all = append(all, err)
			}
		}
	}
	return all
}

// defines reports whether one of the groups has a server of this name that counts.
func defines(groups [][]dialect.Row, name string) bool {
	return slices.ContainsFunc(groups, func(rows []dialect.Row) bool {
		return slices.ContainsFunc(rows, func(r dialect.Row) bool { return r.Server.Name == name && r.Left == "" })
	})
}

// systemNamed is the system that has files of its own by that name, unless there
// is something at a path.
func systemNamed(name, path string) (dialect.Dialect, bool) {
	d, ok := dialect.Named(name)
	if !ok || !d.HasFiles() {
		return dialect.Dialect{}, false
	}
	_, err := os.Lstat(path)
	return d, errors.Is(err, fs.ErrNotExist)
}

// naming is the scheme of the file, else the one of the system that it imports by
// name, if that is one, else that of the system that all servers are of.
func (l *loader) naming(file *File) naming.Scheme {
	if file.Naming != "" {
		return naming.Scheme(file.Naming)
	}
	if len(l.systems) == 1 {
		d, _ := dialect.Named(l.systems[0])
		return cmp.Or(d.Naming, naming.DoubleUnderscore)
	}
	own := map[naming.Scheme]bool{}
	if len(l.rows) == 0 {
		for _, d := range l.dialects {
			own[d.Naming] = true
		}
	}
	for _, i := range l.rows {
		d, _ := dialect.Named(l.all[i].Server.Source.Format)
		own[d.Naming] = true
	}
	for scheme := range own {
		if len(own) == 1 && scheme != "" {
			return scheme
		}
	}
	return naming.DoubleUnderscore
}

// noServers is the error of server files without servers.
func noServers(files []string) error {
	return &Error{Path: strings.Join(files, ", "), Reason: "no server in it", Steps: []string{`write it as {"mcpServers": {"name": {"command": "…"}}}`}}
}
