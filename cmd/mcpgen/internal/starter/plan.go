// Package starter turns the server files that were found on a machine into a
// first mcpgen.yaml. It decides which file counts where several define a server
// of one name, shows a person what was found, and writes a configuration that
// imports the files where they stand: no value of theirs is copied. It also adds
// servers to such a file and removes them, and writes the CI jobs that fit one.
package starter

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config"
)

// Plan is what was found, and what is taken of it.
type Plan struct {
	Dir    string // the project's folder, absolute
	Home   string // the user's folder, absolute; "" if it is unknown
	Output string // folder of the generated packages; "" is the default
	Files  []File // in the order in which they count: the first one that defines a server wins

	taken map[string]bool // the servers that are used, by name
}

// File is one server file.
type File struct {
	Path    string // as it is imported: relative to the project, below ~/, or absolute
	Format  string // whose file it is
	Scope   string // project, local, user, system or managed
	Left    string // why it is not used; "" if it is
	Profile bool   // it is imported by the name of its system, with all files and rules of that
	Errors  []error
	Servers []Server
}

// Server is one server of a file.
type Server struct {
	Number    int // that a person chooses it by; 0: it cannot be chosen, see Left
	Name      string
	Transport string
	Target    string
	Uses      []string
	Left      string
	Malformed bool // its file can be imported without it alone
}

// scopes in the order in which they count.
var scopes = [...]string{"local", "project", "user", "system", "managed"}

// New plans for a project's folder with what was found. All servers that can be
// used are taken, until [Plan.Take] says which.
func New(dir, home string, found []config.Found) *Plan {
	p := &Plan{Dir: dir, Home: home, taken: map[string]bool{}}
	slices.SortStableFunc(found, func(a, b config.Found) int { return rankIn(found, a) - rankIn(found, b) })
	first := map[string]string{} // server -> the file that counts
	for _, f := range found {
		file := File{Path: p.shorten(f.Path), Format: f.Format, Scope: f.Scope, Left: f.Left, Profile: f.Profile, Errors: f.Errors}
		for _, s := range f.Servers {
			server := Server{Name: s.Name, Transport: s.Transport, Target: s.Target, Uses: s.Uses, Left: s.Left, Malformed: s.Malformed}
			switch other, again := first[s.Name]; {
			case file.Left != "" && server.Left == "":
				server.Left = file.Left
			case server.Left == "" && again:
				server.Left = "of this name, the one in " + other + " counts"
			}
			if server.Left == "" {
				first[s.Name] = file.Path
				p.taken[s.Name] = true
				server.Number = len(p.taken)
			}
			file.Servers = append(file.Servers, server)
		}
		p.Files = append(p.Files, file)
	}
	return p
}

// rankIn is where a file counts among all: those of a system that is imported by its
// name count where the first of them does.
func rankIn(found []config.Found, f config.Found) int {
	r := rank(f.Scope)
	for _, other := range found {
		if f.Profile && other.Format == f.Format {
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

// shorten is the path of a file as it stands in mcpgen.yaml.
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

// Usable counts the servers that can be taken.
func (p *Plan) Usable() int {
	n := 0
	for _, f := range p.Files {
		for _, s := range f.Servers {
			if s.Number > 0 {
				n++
			}
		}
	}
	return n
}

// Taken lists the servers that are used, sorted by name.
func (p *Plan) Taken() []string {
	var names []string
	for name, ok := range p.taken {
		if ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Take uses these servers alone, by number or name, separated by commas or
// spaces; numbers may be a range such as 2-4. "all" and an empty answer take
// all, "none" takes none. An answer that cannot mean anything is an error, and
// changes nothing.
func (p *Plan) Take(answer string) error {
	words := strings.FieldsFunc(answer, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\r' || r == '\n' })
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
	if len(words) == 0 {
		names, _ := p.named("all")
		for _, name := range names {
			taken[name] = true
		}
	}
	p.taken = taken
	return nil
}

// named are the servers that a word means.
func (p *Plan) named(word string) ([]string, error) {
	var low, high int
	switch {
	case word == "none":
		return nil, nil
	case word == "all":
		low, high = 1, p.Usable()
	case isRange(word, &low, &high):
		if low < 1 || high > p.Usable() || low > high {
			return nil, fmt.Errorf("%s: the servers have the numbers 1 to %d", word, p.Usable())
		}
	}
	var names []string
	for _, f := range p.Files {
		for _, s := range f.Servers {
			if s.Number > 0 && (s.Number >= low && s.Number <= high || s.Name == word) {
				names = append(names, s.Name)
			}
		}
	}
	if len(names) == 0 && word != "all" {
		return nil, fmt.Errorf("%q is neither a number nor the name of a usable server", word)
	}
	return names, nil
}

// isRange reads a number, or two with a dash between them.
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
