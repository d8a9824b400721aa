// The public door: what a configuration becomes, and the ways to read one.

package config

import (
	"bytes"
	"path/filepath"

	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// maxConfigFile bounds an mcpgen.yaml, in bytes. More is an error.
const maxConfigFile = 1 << 20

// DefaultOutput is the folder of the generated packages where a configuration
// names none.
const DefaultOutput = "internal/mcp"

// Project is a configuration with its imports merged and its defaults filled
// in.
type Project struct {
	Path   string // the file, as it was given; "" for [Parse] and [LoadServers]
	Dir    string // the folder that the project's paths are relative to, absolute; "" for [Parse] without one
	Home   string // the folder whose grants and audit log count, absolute: that of a system that keeps them for its user, where the system is named in place of an mcpgen.yaml; "" is Dir
	Output string // folder of the generated packages, a slash path below Dir; default "internal/mcp"

	Naming naming.Scheme // default that of the system whose files all servers are of, else double-underscore
	Docs   Docs          // default none
	Fakes  bool          // default true

	Budget int // about how many tokens a model may have to read of the tools of all servers; 0: the file does not say

	Memory int64 // bytes of large messages that arrive at the same time, from all servers; 0: the file does not say

	Servers  []endpoint.Server // the enabled ones, those of Path and then those of its imports, in the order of the files; never two of one name
	Build    map[string]Build  // by server name, for all of Servers and Disabled
	Drift    Judgement         // how changes of servers are judged
	Disabled []string          // names of the servers that are configured and not enabled, sorted

	Policy        *policy.Config // who may call what; nil: the files say nothing about it
	Rules         RuleSources    // where the rules of Policy stand
	SecretCommand []string       // a program that prints a secret; nil means none
	Audit         *Audit         // nil: nothing is written down
	Ledger        string         // path of the file that says which tools there are and were; "" means none

	// Native are the names of the tools that the systems of the files have
	// themselves, beside those of servers, such as Covenant's echo and clock; nil
	// is none.
	Native []string

	// Guides are the names of the sections that the systems of the files have in an
	// agent's instructions, such as tallow's documentation; nil means none.
	Guides []string

	// Files are those that were read, and those that were looked for, absolute: what a
	// program watches that follows a configuration.
	Files []string

	Notices []Notice // what is not an error and should be known, in the order of the files

	// Definitions are the servers as the files define them, in the order in which
	// their systems have them, with those that do not count: disabled ones, and
	// those that another one of the same name stands for.
	Definitions []Definition
	Manifests   []Manifest // of the files that are agent manifests, in the order of the files

	// Skipped are the files that were left out as a whole, so that it is not known
	// which servers there are; see [Project.Gone].
	Skipped []Skipped

	// Unread are the imports that cannot be read. With them a project is part of a
	// [*PartialError], which names them, too.
	Unread []Unread

	// Entries are what Path says about the packages of servers that no file defines here.
	Entries map[string]Build

	settings []Setting
	lost     []string // servers that are defined in a way that cannot be used
	sources  askedFiles
}

// Build is what concerns the generated package of a server.
type Build struct {
	Package string            // Go package name, never empty; two servers may ask for the same one
	Given   bool              // the configuration says Package; else it is made of the server's name
	Include []string          // globs of wire names in the syntax of path.Match; nil is all
	Exclude []string          // globs that win over Include
	Rename  map[string]string // wire name of a tool to an exported Go identifier
	Results map[string]string // wire name of a tool to a schema file, a slash path below Dir
	Lenient bool              // typed results are decoded as far as they fit: see Lenient of package runtime
	Budget  int               // about how many tokens a model may have to read of its tools; 0: the configuration does not say
	Types   []TypeChoice      // what the generated types are to be, in the order of the file
}

// TypeChoice is what a configuration says of one generated type.
type TypeChoice struct {
	Key   string // the Go name of a type, or a place such as list_issues/args/page, whose tool may be a glob
	Value string // an exported Go identifier, or one of the words int, int64, uint64, float64, decimal and open
	At    string // where it stands, as file:line:column
}

// Load is [Environment.Load] in the environment of this program, which trusts no
// project.
func Load(path string) (*Project, error) {
	env, _ := System() // where the working directory is unknown nothing is looked for in it
	return env.Load(path)
}

// Load reads an mcpgen.yaml, or the same model as JSON if the name ends in
// .json, and the server files that it imports. The error joins one [*Error]
// for each thing that is wrong in any of them. Where only imported files are
// wrong, it is a [*PartialError].
//
// An import that is the name of a system stands for the files that it reads by
// itself, in the folder of the configuration and of the user, as in
// [Environment.LoadServers]. Dir is not used.
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

// Parse reads the text of an mcpgen.yaml, such as an embedded one. A text that
// begins with { or a // comment is read as JSON. A server's relative command
// is relative to the program's own working directory, and an import is an
// error: there is no file that it could be relative to. Errors name the text
// mcpgen.yaml and leave [Error.Path] empty.
func Parse(data []byte) (*Project, error) { return parse("", data) }

// ParseAt is [Parse] for a text whose relative paths, imports among them, are
// relative to a folder.
func ParseAt(dir string, data []byte) (*Project, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, unreadable(dir, err, "")
	}
	return parse(abs, data)
}

func parse(dir string, data []byte) (*Project, error) {
	if len(data) > maxConfigFile {
		return nil, &Error{Reason: (&regular.TooLargeError{Limit: maxConfigFile}).Error(), Steps: []string{"look at what was embedded: a configuration is far smaller"}}
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	json := bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte("/"))
	return newLoader("", dir).load(data, json)
}

// LoadServers is [Environment.LoadServers] in the environment of this program,
// which trusts no project.
func LoadServers(paths ...string) (*Project, error) {
	env, err := System()
	if err != nil {
		return nil, err
	}
	return env.LoadServers(paths...)
}
