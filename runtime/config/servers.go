// Reading server files that the user named.

package config

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/nearest"
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// LoadServers reads server files instead of an mcpgen.yaml. They may be of any system in the package
// comment, recognised by path and content. Each path is
//
//   - the name of a system, such as tallow, for the files that the system reads by itself, see
//     [Search]: a file or folder of that name is ./tallow;
//   - a file;
//   - a folder, for the files that indusr, the owner of the flag --mcp, reads for it:
//     the files of the folder and of the user.
//
// One argument may hold several paths with commas, see [ServerPaths]. If two paths define a server, the
// later definition counts. In files of indusr, which attaches all of them, each is a server: see
// naming.Namesake. Dir is the folder of the project in e. If all files are of one of the systems scarab,
// coreagent, covenant, tallow and indusr, tools are named as in that system. Otherwise Naming and all
// other settings have their defaults.
//
// A named file is used, unless it is a project's and its system requires trust, as tallow and codex do:
// see [Environment.Trusted]. If a system or a folder is named, a project's file is used only if e trusts
// it, or, with a notice, if its system requires no trust.
//
// The rules of indusr apply unless another system's do: a path that does not exist, a folder without a
// server file, and a file of no known form (malformed JSON, no servers) are ignored, each with a notice.
// Files that are recognised as another system's follow that system's rules: their problems are errors,
// and so is a file without servers. If some of the files can be used, the error is a [*PartialError].
func (e Environment) LoadServers(paths ...string) (*Project, error) {
	l := newLoader("", e.Dir)
	l.use(e)
	values := ServerPaths(paths)
	if len(values) == 0 {
		return nil, hint.New("no server file is given",
			"name a file such as .mcp.json, or a program whose server files mcpgen reads, such as tallow")
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
		wrong = []error{l.noServers(strict)}
	}
	if len(l.all) == 0 && len(wrong) > 0 {
		for _, n := range l.imports { // together they explain why there are no servers
			wrong = append(wrong, n.Err())
		}
		return nil, errors.Join(wrong...)
	}
	p, problem := l.project(&File{}, nil)
	return partial(p, problem, errors.Join(wrong...))
}

// named reads one value of --mcp. Empty means that the file has no server although its system requires
// one.
func (l *loader) named(value string) (rows []dialect.Row, empty bool, errs []error) {
	if d, ok := l.systemNamed(value, value); ok {
		files := searchFiles(l.env, d, namedSystem)
		if len(files) == 0 && d.Native == nil {
			l.imports = append(l.imports, Notice{
				Path: value, Text: "no server file of this system was found; mcpgen looked for " + d.Where(l.env.machine()),
				Steps: []string{"name the file itself"},
			})
		}
		rows, errs = l.system(d, files)
		used := slices.DeleteFunc(files, func(f foundFile) bool {
			return f.reason != "" || f.Unread != "" || len(f.Errors) > 0
		})
		if len(rows)+len(errs) == 0 && len(used) > 0 && d.Native == nil {
			l.imports = append(l.imports, Notice{Path: used[0].Path, Text: "no server in it", Steps: []string{d.Step()}})
		}
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

// folder reads the files for a folder by the rule of indusr, which owns the flag --mcp: the folder's file
// and those of the user. A path that does not exist, which comes with an error, is treated as a folder.
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
		reason = unreadable(path, err, cmp.Or(nearest.Question(path, dialect.Names()),
			"give the path of a server file such as .mcp.json, or of a folder with "+d.InProject()[0]))
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

// withoutServerFile returns the error for a folder without a file of indusr. It is nil if the user's
// files provide servers and no other system has a file in the folder.
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
		e.Reason += ", and mcpgen does not search a folder for files of other systems"
	case users:
		return nil
	default:
		e.Steps = []string{"give the path of the server file itself"}
	}
	return e
}

// leaveOut records a path that cannot be read. If the path belongs to another system, it returns the
// reason as an error. Users says whether the user's files are read, as for a folder.
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

// once drops rows that a later group has from the same place: a user's file that was read for two folders
// counts once.
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

// distinct drops duplicate notices.
func distinct(notices []Notice) []Notice {
	seen := map[string]bool{}
	return slices.DeleteFunc(notices, func(n Notice) bool {
		again := seen[n.String()]
		seen[n.String()] = true
		return again
	})
}

// stillWrong returns the errors of all groups, without those about a server that a later group defines.
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

// defines reports whether one of the groups has a server with this name that counts.
func defines(groups [][]dialect.Row, name string) bool {
	return slices.ContainsFunc(groups, func(rows []dialect.Row) bool {
		return slices.ContainsFunc(rows, func(r dialect.Row) bool { return r.Server.Name == name && r.Left == "" })
	})
}

// systemNamed returns the system with this name if it has its own files. If something exists at path, the
// path that the name would otherwise mean, a notice says that the system counts: whoever wrote the files of
// a project must not decide what a system's name means.
func (l *loader) systemNamed(name, path string) (dialect.Dialect, bool) {
	d, ok := dialect.Named(name)
	if !ok || !d.HasFiles() {
		return dialect.Dialect{}, false
	}
	if _, err := os.Lstat(path); err == nil {
		l.imports = append(l.imports, Notice{
			Path: name, Text: "it is the name of a system, so the file or folder of this name is not read",
			Steps: []string{"to read it, write ./" + name},
		})
	}
	return d, true
}

// naming returns the scheme of the file, else that of the only system that it imports by name, else that
// of the system of all servers. A file that is absent or untrusted here counts, too: the names of a project
// are the same on every machine.
func (l *loader) naming(file *File) naming.Scheme {
	if file.Naming != "" {
		return naming.Scheme(file.Naming)
	}
	if len(l.systems) == 1 {
		d, _ := dialect.Named(l.systems[0])
		return cmp.Or(d.Naming, naming.DoubleUnderscore)
	}
	own := map[naming.Scheme]bool{}
	for _, d := range l.dialects {
		own[d.Naming] = true
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

// noServers returns the error for server files without servers.
func (l *loader) noServers(files []string) error {
	steps := dialect.StepsAt(l.env.machine(), files[0])
	return &Error{Path: strings.Join(files, ", "), Reason: "no server in it", Steps: steps}
}
