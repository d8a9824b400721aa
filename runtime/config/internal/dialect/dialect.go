// Package dialect reads the server files of other programs. This file has the table of dialects, which
// describes how to read the files of each system. Each dialect has its own file.
package dialect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// Dialect describes the files of one system. The unexported fields describe how to read them; the
// exported ones describe the system for projects. The zero value is the dialect of a
// file that was not read.
type Dialect struct {
	Name string
	also string // the name in the system's documentation; "" if it is Name

	names  []string                   // the ends of its files' paths
	sniff  func(root *tree.Node) bool // detects the content; nil: it has a mapping with the key rows
	shared bool                       // several systems write this content, which thus does not identify the dialect
	files  []place                    // where its files are, by precedence, the highest first
	only   string                     // an environment variable that, if set, names the only file
	owns   func(f *File) bool         // reports whether a file at one of its places belongs to the dialect; nil: all do
	folder []string                   // folders of a project that hold its files: the project is their parent

	rows   string                         // the key of the mapping with the rows
	read   func(f *File, root *tree.Node) // finds the rows of a file; nil: they are in the mapping with the key rows
	keys   []rowKey                       // the keys of a row
	finish func(e *entry)                 // handles combinations of keys, including the transport

	vars    func(f *File) *texts.Syntax // the syntax of variables; nil: texts are literal
	expands bool                        // rows bring their own expander

	inherit *endpoint.Inherit // which variables a process inherits; nil: all
	start   startIn           // where processes start
	restart endpoint.Restart
	kinds   map[string]tree.Kind // a value of another type is ignored for these keys; nil: it is an error

	Lenient bool                      // errors exclude a row or a file and become notices
	merge   func(files [][]Row) []Row // merges several files; nil: FirstWins
	Managed bool                      // a managed file replaces all other files

	example string // the smallest file with a server; "" is that of most systems

	Naming naming.Scheme // how it names tools; "" is another scheme, or not known
	Denies bool          // its gate is on by default: what no permission allows is denied, and every call is logged
	Native []string      // its built-in tools
	Guides []string      // the sections it adds to an agent's instructions

	Grammar  policy.Grammar // the syntax of its rules about tools; "" means it has none
	AllowKey string         // the key of its files with rules that allow; "" if permissions are granted elsewhere

	// Permissions reads the permissions in the file beside a server file, and the problems in it. The result
	// is nil if there are none. Nil is a system without such a file.
	Permissions func(m Machine, path string) (*Permissions, []*tree.Finding)

	decides []string  // the keys of a project's file that decide what is started; nil: the whole file
	beside  []Counted // other files of a project that decide what its system starts

	Gate Gate // which files of an untrusted project are used

	// Home is the folder, below the user's, in which a system keeps data for all projects: grants and the
	// log. "" is the project's own folder.
	Home string

	Commands []string // the commands of its users, which also find its files
	Flag     bool     // --mcp is the system's own flag, so the system's rules apply to files that --mcp names
}

// Gate says which files of an untrusted project are used. Files that were found without naming a system
// are never used.
type Gate uint8

// The gates.
const (
	GateFound  Gate = iota // only files that were named themselves, not files found by the system's name
	GateAll                // no files
	GateNobody             // files that were named, or whose system or folder was named
)

// Profile reports whether the whole behaviour of the system is known: how it names tools, and what its
// files do not say.
func (d Dialect) Profile() bool { return d.Naming != "" }

// Step returns the next step for a file without a server.
func (d Dialect) Step() string {
	return "write it as " + cmp.Or(d.example, `{"mcpServers": {"name": {"command": "…"}}}`)
}

// StepsAt returns the steps of the systems whose files have the name, or else that of most
// systems.
func StepsAt(m Machine, path string) []string {
	steps, longest := []string{Dialect{}.Step()}, 0
	for _, d := range All() {
		for _, name := range d.names {
			switch {
			case !m.parts(path).end(name) || len(name) < longest:
			case len(name) > longest:
				steps, longest = []string{d.Step()}, len(name)
			default:
				steps = append(steps, d.Step())
			}
		}
	}
	return slices.Compact(steps)
}

// Location is one place where a dialect's files are.
type Location struct {
	Path  string // absolute; "" if not known on this machine
	Scope string
}

// The scopes: whose file it is.
const (
	ScopeProject = "project"
	ScopeLocal   = "local"
	ScopeUser    = "user"
	ScopeSystem  = "system"
	ScopeManaged = "managed"
)

// All returns all dialects. If a content matches several, the first one is used: so the most specific
// ones come first.
func All() []Dialect {
	return []Dialect{
		scarab(), registry(), docker(), covenant(), codex(),
		openCodeAgents(), openCode(), crush(), goose(), zed(), mcporter(),
		claudeCode(), claudeDesktop(), cursor(), kiro(), windsurf(), gemini(), copilot(), tallow(),
		coreAgent(), vscode(), indusr(), plain(),
	}
}

// Named returns the dialect of a system.
func Named(name string) (Dialect, bool) {
	for _, d := range All() {
		if (d.Name == name || d.also == name && name != "") && name != plainName {
			return d, true
		}
	}
	return Dialect{}, false
}

// Names returns the names that [Named] accepts.
func Names() []string {
	var names []string
	for _, d := range All() {
		if d.Name != plainName {
			names = append(names, d.Name)
		}
	}
	return names
}

// Flagged returns the dialect of the system that owns the flag --mcp.
func Flagged() Dialect {
	all := All()
	return all[slices.IndexFunc(all, func(d Dialect) bool { return d.Flag })]
}

// Locations returns the locations of a dialect's files, each once.
func (d Dialect) Locations(m Machine) []Location {
	var locations []Location
	all, seen := d.places(m), map[string]bool{}
	for _, at := range all {
		if at.Scope == ScopeProject && slices.ContainsFunc(all, func(other Location) bool {
			return other.Scope == ScopeUser && m.same(other.Path, at.Path)
		}) {
			continue // the project is the user's folder, so the file is the user's
		}
		if id := at.Scope + " " + at.Path; at.Path != "" && !seen[id] {
			seen[id] = true
			locations = append(locations, at)
		}
	}
	return locations
}

// Where returns the paths of possible files, for a message.
func (d Dialect) Where(m Machine) string {
	var paths []string
	for _, at := range d.Locations(m) {
		paths = append(paths, at.Path)
	}
	return strings.Join(paths, ", ")
}

// places returns the locations of a dialect's files. A path may be "", or a duplicate.
func (d Dialect) places(m Machine) []Location {
	if only := m.lookup(d.only); only != "" {
		return []Location{{only, ScopeUser}}
	}
	return allOf(d.files...)(m)
}

// HasFiles reports whether a dialect has files that can be searched for.
func (d Dialect) HasFiles() bool { return d.files != nil }

// InProject returns the files of a dialect in a project, as slash paths below it.
func (d Dialect) InProject() []string {
	var names []string
	for _, at := range allOf(d.files...)(Machine{OS: "linux", Dir: "/"}) {
		if name := strings.TrimPrefix(at.Path, "/"); at.Scope == ScopeProject && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
