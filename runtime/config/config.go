// The project that a configuration becomes, and the functions that read one.

package config

import (
	"bytes"
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/internal/glob"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// maxConfigFile bounds the size of an mcpgen.yaml, in bytes.
const maxConfigFile = 1 << 20

// DefaultOutput is the default folder of the generated packages.
const DefaultOutput = "internal/mcp"

// Project is a configuration with its imports merged and its defaults filled in.
type Project struct {
	Path   string // the file, as given; "" for [Parse] and [LoadServers]
	Dir    string // the absolute folder that the project's paths are relative to; "" for [Parse] without a folder
	Home   string // the absolute folder with grants and audit log, if a system keeps them for all projects; "" is Dir
	Output string // folder of the generated packages, a slash path below Dir; default "internal/mcp"

	Naming naming.Scheme // the default is that of the system if all servers are from its files, else double-underscore
	Docs   Docs          // default none
	Fakes  bool          // default true

	Store string // address of the registry that snapshots are pushed to; "" if there is none

	RequireSignature bool // servers start only if a trusted key signed the lock: see package provenance

	Budget int // about how many tokens of tool definitions a model may have to read for all servers; 0: not set

	Memory int64 // bytes of large messages that may arrive at the same time from all servers; 0: not set

	Servers  []endpoint.Server // the enabled servers of Path and then of its imports, in file order; names are unique
	Build    map[string]Build  // by server name, for all of Servers and Disabled
	Drift    Judgement         // how changes to servers are judged
	Disabled []string          // names of configured but disabled servers, sorted

	Policy        *policy.Config            // who may call what; nil: no file has a policy
	Profiles      map[string]policy.Profile // parts of what the servers offer, by name
	Rules         RuleSources               // the places of the rules of Policy
	SecretCommand []string                  // a program that prints a secret; nil means none
	Audit         *Audit                    // nil: calls are not logged
	Ledger        string                    // path of the file that records current and former tools; "" means none

	// Native are the names of built-in tools of the systems whose files were read, such as Covenant's echo
	// and clock; nil means none.
	Native []string

	// Guides are the names of the instruction sections that these systems give an agent, such as tallow's
	// documentation; nil means none.
	Guides []string

	// Files are the absolute paths of the files that were read or looked for. A program that follows a
	// configuration watches them.
	Files []string

	Notices []Notice // what is not an error but worth knowing, in file order

	// Definitions are all server definitions in the files, in the order of their systems. They include those
	// without effect: disabled servers, and servers that another one with the same name replaces.
	Definitions []Definition
	Manifests   []Manifest // the agent manifests among the files, in file order

	// Skipped are files that were ignored as a whole, so their servers are unknown; see [Project.Gone].
	Skipped []Skipped

	// Unread are imports that could not be read. A project with such imports is in a [*PartialError], which
	// names them too.
	Unread []Unread

	// Entries are the package settings in Path of servers that no file defines.
	Entries map[string]Build

	settings []Setting
	lost     []string // servers whose definitions are unusable
	sources  askedFiles
}

// Settings returns the values of the project after imports and merging, in the order of mcpgen.yaml and
// by server, each with its file and line. Texts are as written: no variable is looked up. What looks like
// a secret is masked.
func (p *Project) Settings() []Setting { return slices.Clone(p.settings) }

// require records in each server what this project requires of the program that attaches to it.
func (p *Project) require() {
	required := func(s endpoint.Server) (all []endpoint.Requirement) {
		add := func(r endpoint.Requirement, is bool) {
			if is {
				all = append(all, r)
			}
		}
		add(endpoint.RequirePolicy, p.Policy != nil)
		add(endpoint.RequireAudit, p.Audit != nil)
		add(endpoint.RequireLedger, p.Ledger != "")
		add(endpoint.RequireSecrets, len(Handles(s)) > 0)
		return all
	}
	for i := range p.Servers {
		p.Servers[i].Requires = required(p.Servers[i])
	}
	for i := range p.Definitions {
		p.Definitions[i].Server.Requires = required(p.Definitions[i].Server)
	}
}

// Build is the configuration of a server's generated package.
type Build struct {
	Package string            // Go package name, never empty; two servers may request the same one
	Given   bool              // Package was configured; otherwise it is derived from the server's name
	Include []string          // globs of wire names in the syntax of path.Match; nil means all
	Exclude []string          // globs that take precedence over Include
	Rename  map[string]string // wire name of a tool to an exported Go identifier
	// RenameAt has the place of each entry of Rename in the configuration, as file:line:column.
	RenameAt map[string]string
	Results  map[string]string // wire name of a tool to a schema file, a slash path below Dir
	Lenient  bool              // typed results that break their schema are decoded as far as they fit: see codec.Lenient
	Checked  bool              // arguments are checked before they are sent: see package validate
	Budget   int               // about how many tokens a model may have to read of the server's tools; 0: not set
	Types    []TypeChoice      // choices for generated types, in file order
	From     string            // address of the repository that the server's surface comes from; "": from the server
	// PlaceNames means that every nested type also has a name by place, for users of the package elsewhere.
	PlaceNames bool
}

// Selects reports whether Include and Exclude let a tool through.
func (b Build) Selects(tool string) bool { return glob.Selects(b.Include, b.Exclude, tool) }

// TypeChoice is the configuration of one generated type.
type TypeChoice struct {
	Key   string // the Go name of a type, or a place such as list_issues/args/page, whose tool may be a glob
	Value string // an exported Go identifier, or one of the words int, int64, uint64, float64, decimal and open
	At    string // its place in the configuration, as file:line:column
}

// Load is [Environment.Load] in the environment of this program, which trusts no project.
func Load(path string) (*Project, error) {
	env, _ := System() // no file is searched for if the working directory is unknown
	return env.Load(path)
}

// Load reads an mcpgen.yaml, or the same model as JSON if the name ends in .json, and the server files
// that it imports. The error joins one [*Error] for each problem in these files. If all problems are in
// imported files, it is a [*PartialError].
//
// An import that is the name of a system means the files that this system reads by itself, in the
// folder of the configuration and of the user, as in [Environment.LoadServers]; ./tallow is a file of that
// name. Dir is not used.
func (e Environment) Load(path string) (*Project, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, unreadable(path, err, "")
	}
	l := newLoader(path, filepath.Dir(abs))
	e.Dir = l.dir
	l.use(e)
	data, err := l.env.machine().ReadFile(path, maxConfigFile)
	if err != nil {
		return nil, unreadable(path, err, "name an mcpgen.yaml")
	}
	return l.load(data, filepath.Ext(path) == ".json")
}

// Parse reads the text of an mcpgen.yaml, such as an embedded one. A text that begins with { or a //
// comment is read as JSON. A server's relative command is relative to the program's own working
// directory. Imports are an error, since no folder is known for them. Errors name the text mcpgen.yaml
// and leave [Error.Path] empty.
func Parse(data []byte) (*Project, error) { return parse("", data) }

// ParseAt is [Parse] for a text whose relative paths, including imports, are relative to a folder.
func ParseAt(dir string, data []byte) (*Project, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, unreadable(dir, err, "")
	}
	return parse(abs, data)
}

func parse(dir string, data []byte) (*Project, error) {
	if len(data) > maxConfigFile {
		return nil, &Error{
			Reason: (&regular.TooLargeError{Limit: maxConfigFile}).Error(),
			Steps:  []string{"check which file was embedded: a configuration is far smaller"},
		}
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	json := bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte("/"))
	return newLoader("", dir).load(data, json)
}

// LoadServers is [Environment.LoadServers] in the environment of this program, which trusts no project.
func LoadServers(paths ...string) (*Project, error) {
	env, err := System()
	if err != nil {
		return nil, err
	}
	return env.LoadServers(paths...)
}
