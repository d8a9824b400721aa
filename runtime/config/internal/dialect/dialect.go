// Package dialect reads the server files of other programs: this file has the table of
// dialects, which says how the files of each system are read, and each dialect has its own.
package dialect

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// Dialect is what one system's files mean. What begins with a small letter is how
// they are read; the rest is what a project has to
// know of the system. The zero value is that of a file that was not read.
type Dialect struct {
	Name string
	also string // its name as its documentation spells it; "" is the same

	names  []string                   // what the paths of its files end with
	sniff  func(root *tree.Node) bool // does the content of a file say that it is one? nil: a mapping called rows does
	shared bool                       // content alone does not tell it, since several systems write the same
	files  []place                    // where they are, by precedence, the highest first
	only   string                     // a variable of the environment that names the one file there is, if it is set
	owns   func(f *File) bool         // is a file that was found there one of its own? nil: others have no files of these names
	folder []string                   // of a project, in which files are: the project is above it

	rows   string                         // the key of the mapping that has the rows
	read   func(f *File, root *tree.Node) // finds the rows of a file; nil: they are in the mapping called rows
	keys   []rowKey                       // what the keys of a row mean
	finish func(e *entry)                 // what several keys mean together, the transport among them

	vars    func(f *File) *texts.Syntax // how texts have variables; nil: they are literal
	expands bool                        // rows bring an expander of their own

	inherit *endpoint.Inherit // which variables of the parent a process gets; nil: all of them
	start   startIn           // where processes start
	restart endpoint.Restart
	kinds   map[string]tree.Kind // of these keys a value of another type counts as if it were not there; nil: it is wrong

	Lenient bool                      // what is wrong leaves a row or a file out and is not an error
	merge   func(files [][]Row) []Row // of several files; nil: FirstWins
	Managed bool                      // a managed file replaces all others

	Naming naming.Scheme // how it names tools; "" is not one of the schemes, or not known
	Denies bool          // its gate is on by itself: what no permission allows is denied, and every call is written down
	Native []string      // the tools that it has itself, beside those of servers
	Guides []string      // the sections of its own in an agent's instructions

	Grammar  policy.Grammar // how it writes rules about tools; "" if it has none
	AllowKey string         // where its files list those that allow; "" if they are granted

	// Permissions reads what the file beside a server file says about permissions, and
	// what is wrong with it. The result is nil if it says nothing. Nil is a system
	// without such a file.
	Permissions func(path string) (*Permissions, []*tree.Finding)

	decides []string  // the keys of a project's file that decide what is started; nil: all of it counts
	beside  []Counted // what else of a project decides what its system starts

	Gate Gate // which of its files of a project are used though nobody trusts the project

	// Home is the folder below the user's in which a system keeps what holds in every
	// project: grants and the log. "" is the project's own folder.
	Home string

	Commands []string // commands as its own users spell them: they find its files, too
	Flag     bool     // --mcp is its own flag, so its rules hold for what that names
}

// Gate says which files of a project its system uses though nobody trusts the project.
// What was found with no system named is used of no system.
type Gate uint8

// The gates.
const (
	GateFound  Gate = iota // one that was named itself, and not what the system's name stands for
	GateAll                // none
	GateNobody             // one that was named, or whose system or folder was
)

// Profile reports whether the system is known as a whole: how it names tools, and
// what else its files leave unsaid.
func (d Dialect) Profile() bool { return d.Naming != "" }

// Location is one place where a dialect's files are.
type Location struct {
	Path  string // absolute; "" is not known on this machine
	Scope string
}

// Whose file it is.
const (
	ScopeProject = "project"
	ScopeLocal   = "local"
	ScopeUser    = "user"
	ScopeSystem  = "system"
	ScopeManaged = "managed"
)

// All are all dialects. Where several could be meant by a content the first
// one is, so the most particular stand first.
func All() []Dialect {
	return []Dialect{
		scarab(), registry(), docker(), covenant(), codex(),
		openCodeAgents(), openCode(), crush(), goose(), zed(), mcporter(),
		claudeCode(), claudeDesktop(), cursor(), kiro(), windsurf(), gemini(), copilot(), tallow(),
		coreAgent(), vscode(), indusr(), plain(),
	}
}

// Named is the dialect of a system.
func Named(name string) (Dialect, bool) {
	for _, d := range All() {
		if (d.Name == name || d.also == name && name != "") && name != plainName {
			return d, true
		}
	}
	return Dialect{}, false
}

// Names are the names that [Named] knows.
func Names() []string {
	var names []string
	for _, d := range All() {
		if d.Name != plainName {
			names = append(names, d.Name)
		}
	}
	return names
}

// Flagged is the dialect of the system whose flag --mcp is.
func Flagged() Dialect {
	all := All()
	return all[slices.IndexFunc(all, func(d Dialect) bool { return d.Flag })]
}

// Locations are where a dialect's files are, each once.
func (d Dialect) Locations(m Machine) []Location {
	var locations []Location
	all, seen := d.places(m), map[string]bool{}
	for _, at := range all {
		if at.Scope == ScopeProject && slices.ContainsFunc(all, func(other Location) bool {
			return other.Scope == ScopeUser && m.same(other.Path, at.Path)
		}) {
			continue // the project is the user's own folder, and so is the file
		}
		if id := at.Scope + " " + at.Path; at.Path != "" && !seen[id] {
			seen[id] = true
			locations = append(locations, at)
		}
	}
	return locations
}

// Where are the paths of the files that there may be, for a message.
func (d Dialect) Where(m Machine) string {
	var paths []string
	for _, at := range d.Locations(m) {
		paths = append(paths, at.Path)
	}
	return strings.Join(paths, ", ")
}

// places are where a dialect's files are. A path may be unknown, or there twice.
func (d Dialect) places(m Machine) []Location {
	if only := m.lookup(d.only); only != "" {
		return []Location{{only, ScopeUser}}
	}
	return allOf(d.files...)(m)
}

// HasFiles reports whether a dialect has files that are found by searching.
func (d Dialect) HasFiles() bool { return d.files != nil }

// InProject are the files that a dialect has in a project, as slash paths below it.
func (d Dialect) InProject() []string {
	var names []string
	for _, at := range allOf(d.files...)(Machine{OS: "linux", Dir: "/"}) {
		if name := strings.TrimPrefix(at.Path, "/"); at.Scope == ScopeProject && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
