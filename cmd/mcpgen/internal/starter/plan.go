// Package starter converts the server files found on a machine to the servers of an mcpgen.yaml that also
// works on other machines. If several files define a server, it decides which one counts, and it shows
// the findings to the user. A project's files are imported; servers of a user's own files are copied,
// without the values of their environment and headers. The package also adds servers to an mcpgen.yaml,
// removes them, and writes matching CI jobs.
package starter

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/config"
)

// Plan holds the files that were found, and the selected servers.
type Plan struct {
	Dir   string // the project's folder, absolute
	Home  string // the user's folder, absolute; "" if it is unknown
	Files []File // by precedence: the first file that defines a server wins

	taken map[string]bool // the selected servers, by name
}

// File is one server file. Its path is relative to the project, below ~/, or absolute.
type File struct {
	config.Found
	Import  string // the path or the name of the system to import; "": its servers are copied
	Servers []Server
}

// Server is one server of a file. Entry is the copy for mcpgen.yaml; it is nil if the file is imported, or
// if the server itself is not usable.
type Server struct {
	config.FoundServer
	Number int // the number that selects it; 0: it cannot be selected, see Left
}

// Options add information to a plan.
type Options struct {
	Import     []string          // files to import regardless of their place, absolute, or names of systems
	Configured map[string]string // the places of servers that are already configured, by name
}

// scopes are in order of precedence: a project's files are the same for everybody who works on it.
var scopes = [...]string{"project", "local", "user", "system", "managed"}

// New returns a plan for a project's folder and the files that were found. All usable servers are
// selected until [Plan.Take] is called. The error lists the [Options.Import] that were not found.
func New(dir, home string, found []config.Found, opts Options) (*Plan, error) {
	p := &Plan{Dir: dir, Home: home, taken: map[string]bool{}}
	imports, err := p.imports(found, opts.Import)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(found, func(a, b config.Found) int {
		return rankIn(found, imports, a) - rankIn(found, imports, b)
	})
	first := map[string]string{} // server name -> why a later server of this name does not count
	for name, at := range opts.Configured {
		first[name] = "configured already, in " + at
	}
	for _, f := range found {
		file := File{Found: f, Import: imports[f.Path]}
		file.Path = p.shorten(f.Path)
		for _, s := range f.Servers {
			if file.Import == f.Format && s.ID != "" { // the system is imported, with its own rules
				s.Name = s.ID
			}
			server := p.server(&file, s)
			if reason := first[s.Name]; server.Left == "" && reason != "" {
				server.Left = reason
			}
			if server.Left == "" {
				first[s.Name] = "has the same name as the server in " + file.Path + ", which is used"
				p.taken[s.Name] = true
				server.Number = len(p.taken)
			}
			file.Servers = append(file.Servers, server)
		}
		p.Files = append(p.Files, file)
	}
	return p, nil
}

// server converts one server of a file, without regard to other files.
func (p *Plan) server(file *File, s config.FoundServer) Server {
	server := Server{FoundServer: s}
	switch {
	case s.Left != "" || file.Left != "":
		server.Left = cmp.Or(s.Left, file.Left)
	case file.Import == "" && s.Entry != nil:
		return server
	case file.Import == "":
		server.Left = "cannot be copied: " + s.Bound + "; to import it: --import " + hint.Word(file.Path)
	}
	server.Entry, server.Local = nil, nil
	return server
}

// imports returns what to import for each file to be imported, by path: the project's files and the
// wanted ones.
func (p *Plan) imports(found []config.Found, wanted []string) (map[string]string, error) {
	out := map[string]string{}
	for _, f := range found {
		if f.Scope == "project" {
			out[f.Path] = p.shorten(f.Path)
		}
	}
	for _, want := range wanted {
		known := false
		for _, f := range found {
			switch want {
			case f.Path:
				out[f.Path], known = p.shorten(f.Path), true
			case f.Format:
				out[f.Path], known = f.Format, true
			}
		}
		if !known {
			return nil, fmt.Errorf("mcpgen found neither a server file nor a program with the name %q", p.shorten(want))
		}
	}
	return out, nil
}

// rankIn returns the precedence of a file. The files of a system that is imported by name all have the
// precedence of the first one.
func rankIn(found []config.Found, imports map[string]string, f config.Found) int {
	r := rank(f.Scope)
	for _, other := range found {
		if imports[f.Path] == f.Format && other.Format == f.Format {
			r = min(r, rank(other.Scope))
		}
	}
	return r
}

func rank(scope string) int {
	if i := slices.Index(scopes[:], scope); i >= 0 {
		return i
	}
	return len(scopes)
}

// shorten returns the path of a file as shown, and as written in mcpgen.yaml.
func (p *Plan) shorten(path string) string {
	if below, ok := under(p.Dir, path); ok {
		return below
	}
	if below, ok := under(p.Home, path); ok {
		return "~/" + below
	}
	return filepath.ToSlash(path)
}

func under(dir, path string) (string, bool) {
	if dir == "" {
		return "", false
	}
	below, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(below) {
		return "", false
	}
	return filepath.ToSlash(below), true
}

// Usable counts the servers that can be selected.
func (p *Plan) Usable() int {
	n := 0
	for range p.usable() {
		n++
	}
	return n
}

// usable yields the servers that can be selected with their files, in the order of their numbers.
func (p *Plan) usable() iter.Seq2[*File, *Server] {
	return func(yield func(*File, *Server) bool) {
		for i := range p.Files {
			for j := range p.Files[i].Servers {
				if s := &p.Files[i].Servers[j]; s.Number > 0 && !yield(&p.Files[i], s) {
					return
				}
			}
		}
	}
}

// Taken lists the selected servers, sorted by name.
func (p *Plan) Taken() []string { return slices.Sorted(maps.Keys(p.taken)) }

// Local lists the machine-specific paths of the selected servers, each after the name of its server.
func (p *Plan) Local() []string {
	var out []string
	for _, s := range p.usable() {
		for _, path := range s.Local {
			if p.taken[s.Name] {
				out = append(out, s.Name+": "+path)
			}
		}
	}
	return out
}

// Take selects only these servers, by number or name, separated by commas or spaces; a range of numbers
// such as 2-4 is allowed. "all" and an empty answer select all, "none" selects none. An invalid answer is
// an error and changes nothing.
func (p *Plan) Take(answer string) error {
	words := strings.Fields(strings.ReplaceAll(answer, ",", " "))
	if len(words) == 0 {
		words = []string{"all"}
	}
	taken := map[string]bool{}
	for _, word := range words {
		names, err := p.named(word)
		if err != nil {
			return err
		}
		for _, name := range names {
			taken[name] = true
		}
	}
	p.taken = taken
	return nil
}

// named returns the servers that a word selects.
func (p *Plan) named(word string) ([]string, error) {
	var low, high int
	switch {
	case word == "none":
		return nil, nil
	case word == "all":
		low, high = 1, p.Usable()
	case isRange(word, &low, &high):
		if low < 1 || high > p.Usable() || low > high {
			return nil, fmt.Errorf("%s: the number of a server must be from 1 to %d", word, p.Usable())
		}
	}
	var names []string
	for _, s := range p.usable() {
		if s.Number >= low && s.Number <= high || s.Name == word {
			names = append(names, s.Name)
		}
	}
	if len(names) == 0 && word != "all" {
		return nil, fmt.Errorf("%q is neither a number nor the name of a usable server", word)
	}
	return names, nil
}

// isRange parses a number, or two numbers with a dash between them.
func isRange(word string, low, high *int) bool {
	from, to, two := strings.Cut(word, "-")
	if !two {
		to = from
	}
	a, errA := strconv.Atoi(from)
	b, errB := strconv.Atoi(to)
	*low, *high = a, b
	return errA == nil && errB == nil
}
