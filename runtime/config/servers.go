// Reading server files that somebody named, and the systems that they are of.

package config

import (
	"cmp"
	"errors"
	"os"

	"github.com/mcpgen/mcpgen/runtime/naming"
)

// LoadServers reads server files instead of an mcpgen.yaml: those of any system
// in [Formats], told by their path and their content. Each path is
//
//   - a file;
//   - a folder, in which the files are read that systems keep in a project;
//   - the name of a system, such as tallow, if there is no such path: the files
//     are read that it reads by itself, see [Search].
//
// One argument may hold several with commas, see [ServerPaths]. A server that is
// defined twice is taken from the first file that has it. Dir is the folder of
// the project in e. Tools are named as the system does it whose files they are,
// if it is one of scarab, coreagent, covenant, tallow and indusr, and all files
// are of one; else, like all other settings, Naming has its default.
//
// A file that is named is used. A project's file that was found, in a folder or
// for a system that is named, is used only if e trusts it, where its system wants
// that: see [Environment.Trusted]. Where its system does not, and e does not trust
// it, it is used with a notice.
//
// A path that does not exist, a folder without a server file, and files without
// any server are errors, save where the files' own system goes on without them:
// then the project's notices say what is wrong. Where some of the files can be
// used, the error is a [*PartialError].
func (e Environment) LoadServers(paths ...string) (*Project, error) {
	l := newLoader("", e.Dir)
	l.env = e
	var (
		errs []error
		read []string
	)
	values := ServerPaths(paths)
	if len(values) == 0 {
		return nil, errors.New("no server file is named; name a file, or a folder with one such as .mcp.json")
	}
	lenient := false
	for _, value := range values {
		if d, ok := systemNamed(e, value, value); ok {
			errs, lenient = append(errs, l.take(d, namedFiles(e, d))...), true
			continue
		}
		files, err := e.serverFilesAt(value)
		if err != nil {
			errs = append(errs, err)
			l.skipped = append(l.skipped, Skipped{Path: value, Reason: "it cannot be read"})
		}
		for _, f := range files {
			errs = append(errs, l.addTrusted(f)...)
			lenient = lenient || f.dialect.lenient || f.searched
			read = append(read, f.path)
		}
	}
	err := errors.Join(errs...)
	if len(l.all) == 0 && !lenient {
		return nil, cmp.Or(err, noServers(read))
	}
	p, problem := l.project(&File{}, nil)
	return partial(p, problem, err)
}

// systemNamed is the system that has files of its own by that name, unless there
// is something at a path.
func systemNamed(env Environment, name, path string) (dialect, bool) {
	d, ok := dialectNamed(name)
	if !ok || len(d.files(env)) == 0 {
		return dialect{}, false
	}
	_, err := os.Lstat(path)
	return d, isMissing(err)
}

// addTrusted merges the rows of a file, unless it was found in a folder, and its
// system wants a trust that the environment does not have.
func (l *loader) addTrusted(f *serverFile) []error {
	if f.searched && f.dialect.gated && len(f.rows) > 0 {
		if reason, hint := l.env.trusted(f); reason != "" {
			l.skip(f.skipped(reason, hint))
			return nil
		}
	}
	return l.add(f)
}

// naming is the scheme of the file, else the one of the system that it imports by
// name, if that is one, else that of the system that all servers are of.
func (l *loader) naming(file *File) naming.Scheme {
	if file.Naming != "" {
		return naming.Scheme(file.Naming)
	}
	if len(l.systems) == 1 {
		d, _ := dialectNamed(l.systems[0])
		return cmp.Or(d.naming, naming.DoubleUnderscore)
	}
	own := map[naming.Scheme]bool{}
	if len(l.rows) == 0 {
		for _, d := range l.dialects {
			own[d.naming] = true
		}
	}
	for _, i := range l.rows {
		d, _ := dialectNamed(l.all[i].server.Source.Format)
		own[d.naming] = true
	}
	for scheme := range own {
		if len(own) == 1 && scheme != "" {
			return scheme
		}
	}
	return naming.DoubleUnderscore
}
