// Looking for the server files of every system, for a person who starts.

package config

import (
	"cmp"
	"slices"

	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
)

// Found is one server file that exists on a machine, or in a project. It holds
// no value of an environment variable or a header. Its JSON is what a user is shown.
type Found struct {
	Format  string `json:"format"`         // one of those of the package comment
	Path    string `json:"path"`           // absolute
	Scope   string `json:"scope"`          // project, local, user, system or managed
	Left    string `json:"left,omitempty"` // why the file is not used, such as "untrusted"; "" if it is
	Profile bool   `json:"-"`              // its system is known as a whole, so that an import of its name brings all of its files and its own rules

	Servers []FoundServer `json:"servers"`           // in the order of the file; never nil
	Errors  []error       `json:"errors,omitempty"`  // each an [*Error]: what is wrong in it
	Notices []Notice      `json:"notices,omitempty"` // what should be known
}

// FoundServer is one server of a [Found].
type FoundServer struct {
	Name      string   `json:"name"`
	Line      int      `json:"line"`
	Transport string   `json:"transport"`      // stdio, http or sse: the one that is tried first
	Target    string   `json:"target"`         // command and arguments, or scheme and host of the URL; secrets are masked
	Uses      []string `json:"uses,omitempty"` // variables of the environment, and secrets, inputs and files with their prefix
	Left      string   `json:"left,omitempty"` // why the server is not used, such as "disabled"; "" if it is
	Malformed bool     `json:"-"`              // what is wrong with it is among the errors of its file

	// Entry is the server as an mcpgen.yaml in the project has it, so that it works on
	// other machines, too: every value of its environment and headers is a variable, so
	// is what looks like a credential elsewhere, and paths into the project begin with
	// ${dir}. Nil is a server that cannot be written so: Bound says why.
	Entry *Entry   `json:"-"`
	Bound string   `json:"-"`
	Local []string `json:"-"` // absolute paths in Entry that lead out of the project, sorted
}

// Discover looks for the server files of every system in env: those of the
// project, of the user and of the machine. Files that do not exist are not
// mentioned, nor are those that other programs keep for other things and that
// define no server. The order of formats is the same on every machine, and within one
// it is its own order of precedence, highest first. Nothing is started and no variable
// is looked up, save those that say where files are.
func Discover(env Environment) []Found {
	var (
		all  []Found
		rows [][]dialect.Row // of each file
	)
	for _, d := range dialect.All() {
		found, its := discover(env, d)
		all, rows = append(all, found...), append(rows, its...)
	}
	shared := sharedVariables(slices.Concat(rows...))
	for i := range all {
		for j, r := range rows[i] {
			s := &all[i].Servers[j]
			s.Entry, s.Local, s.Bound = portableEntry(r, env.Dir, shared)
		}
	}
	return all
}

// malformed is why a file or a server is left whose errors are reported.
const malformed = "malformed"

// discover returns the files of one dialect, and the rows of each, with which its
// servers begin.
func discover(env Environment, d dialect.Dialect) (found []Found, rows [][]dialect.Row) {
	files := searchFiles(env, d, namedNothing)
	var used [][]dialect.Row
	for _, f := range files {
		if f.reason == "" {
			used = append(used, f.Rows)
		}
	}
	left := map[tree.Position]string{}
	for _, r := range d.Merge(used...) {
		left[r.Position()] = r.Left
	}
	for _, f := range files {
		f.Sort()
		if len(f.Rows) == 0 && len(f.Errors) == 0 && len(f.Notices) == 0 {
			continue
		}
		one := Found{Format: d.Name, Path: f.Path, Scope: f.Scope, Left: f.reason, Profile: d.Profile(), Servers: []FoundServer{}, Errors: errorsOf(f.Errors), Notices: noticesOf(f.Notices)}
		if one.Left == "" && len(f.Rows) == 0 {
			one.Left = malformed
		}
		for _, r := range f.Rows {
			one.Servers = append(one.Servers, foundServer(r, left[r.Position()]))
		}
		if len(f.Rows) > 0 {
			for _, r := range f.Broken {
				one.Servers = append(one.Servers, FoundServer{Name: r.Server.Name, Line: r.Server.Source.Line, Left: malformed, Malformed: true})
			}
		}
		found, rows = append(found, one), append(rows, f.Rows)
	}
	return found, rows
}

func foundServer(r dialect.Row, left string) FoundServer {
	if left = cmp.Or(left, r.Left); left == "" && r.Disabled {
		left = "disabled"
	}
	s := r.Server
	var uses []string
	for _, r := range References(s) {
		uses = append(uses, r.String())
	}
	return FoundServer{Name: s.Name, Line: s.Source.Line, Transport: string(s.EffectiveTransport()), Target: target(&s), Uses: uses, Left: left}
}
