// Looking for the server files of every system, for a person who starts.

package config

import "slices"

// Found is one server file that exists on a machine, or in a project. It holds
// no value of an environment variable or a header.
type Found struct {
	Format  string // dialect, one of [Formats]
	Path    string // absolute
	Scope   string // project, local, user, system or managed
	Left    string // why the file is not used, such as "untrusted"; "" if it is
	Profile bool   // its system is known as a whole, so that an import of its name brings all of its files and its own rules

	Servers []FoundServer // in the order of the file
	Errors  []error       // each an [*Error]: what is wrong in it
	Notices []Notice      // what should be known
}

// FoundServer is one server of a [Found].
type FoundServer struct {
	Name      string
	Line      int
	Transport string   // stdio, http or sse: the one that is tried first
	Target    string   // command and arguments, or scheme and host of the URL; secrets are masked
	Uses      []string // variables of the environment, and secrets, inputs and files with their prefix
	Left      string   // why the server is not used, such as "disabled"; "" if it is
	Malformed bool     // what is wrong with it is among the errors of its file
}

// Discover looks for the server files of every system in env: those of the
// project, of the user and of the machine. Files that do not exist are not
// mentioned, nor are those that other programs keep for other things and that
// define no server. The order is that of [Formats], and within one its own order
// of precedence, highest first. Nothing is started and no variable is looked up,
// save those that say where files are.
func Discover(env Environment) []Found {
	var all []Found
	for _, d := range dialects() {
		all = append(all, discover(env, d)...)
	}
	return all
}

// malformed is why a file or a server is left whose errors are told.
const malformed = "malformed"

func discover(env Environment, d dialect) []Found {
	files := searchFiles(env, d)
	var used [][]row
	for _, f := range files {
		if f.reason == "" {
			used = append(used, f.rows)
		}
	}
	left := map[place]string{}
	for _, r := range d.merge(used) {
		left[r.place] = r.left
	}
	var found []Found
	for _, f := range files {
		f.sort()
		if len(f.rows) == 0 && len(f.errs) == 0 && len(f.notices) == 0 {
			continue
		}
		one := Found{Format: d.name, Path: f.path, Scope: f.scope, Left: f.reason, Profile: d.profile(), Notices: slices.Clone(f.notices)}
		for _, e := range f.errs {
			one.Errors = append(one.Errors, e)
		}
		if one.Left == "" && len(f.rows) == 0 {
			one.Left = malformed
		}
		for _, r := range f.rows {
			one.Servers = append(one.Servers, foundServer(r, left[r.place]))
		}
		if len(f.rows) > 0 {
			for _, r := range f.broken {
				one.Servers = append(one.Servers, FoundServer{Name: r.server.Name, Line: r.place.line, Left: malformed, Malformed: true})
			}
		}
		found = append(found, one)
	}
	return found
}

func foundServer(r row, left string) FoundServer {
	if left == "" {
		left = r.left
	}
	if left == "" && r.disabled {
		left = "disabled"
	}
	s := r.server
	return FoundServer{Name: s.Name, Line: s.Source.Line, Transport: string(s.EffectiveTransport()), Target: target(&s), Uses: s.References(), Left: left}
}
