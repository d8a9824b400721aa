// The search for the server files of every system, for first-time setup.

package config

import (
	"cmp"
	"slices"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
)

// Found is one server file on this machine or in a project. It holds no values of environment variables
// or headers. Its JSON form is shown to users.
type Found struct {
	Format  string `json:"format"`         // a format of the package comment
	Path    string `json:"path"`           // absolute
	Scope   string `json:"scope"`          // project, local, user, system or managed
	Left    string `json:"left,omitempty"` // why the file is not used, such as "untrusted"; "" if it is used
	Profile bool   `json:"-"`              // an import of the system's name brings all of its files and its own rules

	Servers []FoundServer `json:"servers"`           // in the order of the file; never nil
	Errors  []error       `json:"errors,omitempty"`  // each an [*Error]
	Notices []Notice      `json:"notices,omitempty"` // what is not an error but worth knowing
}

// FoundServer is one server of a [Found].
type FoundServer struct {
	Name      string   `json:"name"`
	Line      int      `json:"line"`
	Transport string   `json:"transport"`      // stdio, http or sse: the transport that is tried first
	Target    string   `json:"target"`         // command and arguments, or scheme and host of the URL; secrets are masked
	Uses      []string `json:"uses,omitempty"` // environment variables, and secrets, inputs and files with their prefix
	Left      string   `json:"left,omitempty"` // why the server is not used, such as "disabled"; "" if it is used
	Malformed bool     `json:"-"`              // the errors of its file include the server's
	ID        string   `json:"-"`              // its name if its system attaches all of one name, see naming.Namesake

	// Entry is the server as an entry for the project's mcpgen.yaml that works on other machines too. Values
	// of its environment, its headers, and other texts that look like credentials become variables, and paths
	// into the project begin with ${dir}. Entry is nil if the server cannot be written this way; Bound says
	// why.
	Entry *Entry   `json:"-"`
	Bound string   `json:"-"`
	Local []string `json:"-"` // absolute paths in Entry to places outside the project, sorted
}

// Discover searches env for the server files of every system: the files of the project, the user and the
// machine. It ignores missing files, and files of other programs that define no server. Formats come in a
// fixed order, and the files of a format in its own order of precedence, highest first. Discover starts
// nothing, and only looks up variables that say where files are.
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

// malformed is the reason for ignoring a file or a server that has errors.
const malformed = "malformed"

// discover returns the files of one dialect, and the rows of each file.
func discover(env Environment, d dialect.Dialect) (found []Found, rows [][]dialect.Row) {
	files := searchFiles(env, d, namedNothing)
	var used [][]dialect.Row
	for _, f := range files {
		if f.reason == "" {
			used = append(used, f.Rows)
		}
	}
	merged := map[tree.Position]dialect.Row{}
	for _, r := range d.Merge(used...) {
		merged[r.Position()] = r
	}
	for _, f := range files {
		f.Sort()
		if len(f.Rows) == 0 && len(f.Errors) == 0 && len(f.Notices) == 0 {
			continue
		}
		one := Found{
			Format: d.Name, Path: f.Path, Scope: f.Scope, Left: f.reason, Profile: d.Profile(),
			Servers: []FoundServer{}, Errors: errorsOf(f.Errors), Notices: noticesOf(f.Notices),
		}
		if one.Left == "" && len(f.Rows) == 0 {
			one.Left = malformed
		}
		for _, r := range f.Rows {
			one.Servers = append(one.Servers, foundServer(r, merged[r.Position()]))
		}
		if len(f.Rows) > 0 {
			for _, r := range f.Broken {
				one.Servers = append(one.Servers, FoundServer{Name: r.Server.Name, Line: r.Server.Source.Line,
					Left: malformed, Malformed: true})
			}
		}
		found, rows = append(found, one), append(rows, f.Rows)
	}
	return found, rows
}

// foundServer describes a row; merged is the row after the merge, or the zero value.
func foundServer(r, merged dialect.Row) FoundServer {
	left := cmp.Or(merged.Left, r.Left)
	if left == "" && r.Disabled {
		left = "disabled"
	}
	s := r.Server
	var uses []string
	for _, r := range References(s) {
		uses = append(uses, r.String())
	}
	return FoundServer{
		Name: s.Name, Line: s.Source.Line, Transport: string(s.EffectiveTransport()), Target: target(&s),
		Uses: uses, Left: left, ID: cmp.Or(merged.Server.Name, s.Name),
	}
}
