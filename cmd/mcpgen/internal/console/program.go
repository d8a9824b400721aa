package console

// This file rewrites hints to name this program as the user started it.

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// ownName is the program's name in hints as written in the code.
const ownName = "mcpgen"

// Program is how the user starts this program. Its zero value is mcpgen, the name that hints are written
// with.
type Program struct {
	name    string
	project string         // flags that name the project, such as " --mcp x.json"
	about   []string       // commands that use a project
	hint    *regexp.Regexp // matches a command line in a text; nil if hints need no change
}

// NewProgram returns a program with a name and commands. Project are the flags with which the user named
// a project, if any, each after a space: hints repeat them for the commands in about.
func NewProgram(name, project string, commands, about []string) Program {
	p := Program{name: cmp.Or(name, ownName), project: project, about: about}
	if p.name != ownName || p.project != "" {
		p.hint = regexp.MustCompile("(^|[\\s\"'(`])(?:go tool )?" + ownName +
			"((?: --[a-z]+ (?:'[^']*'|\\S+))*) (" + strings.Join(commands, "|") + ")\\b")
	}
	return p
}

// Name returns the command that starts the program.
func (p Program) Name() string { return cmp.Or(p.name, ownName) }

// Hint rewrites the mcpgen command lines in a text: they begin as the user starts the program, and
// contain the user's project flags.
func (p Program) Hint(text string) string {
	if p.hint == nil || !strings.Contains(text, ownName) {
		return text
	}
	var b strings.Builder
	for {
		m := p.hint.FindStringSubmatchIndex(text)
		if m == nil {
			return b.String() + text
		}
		given, command := text[m[4]:m[5]], text[m[6]:m[7]]
		b.WriteString(text[:m[3]] + p.name)
		if slices.Contains(p.about, command) &&
			!strings.Contains(given, " --mcp ") && !strings.Contains(given, " --config ") {
			b.WriteString(p.project)
		}
		b.WriteString(given + " " + command)
		text = text[m[1]:]
	}
}

// These match the executables that the go command builds for go tool and go run: in its cache, or else in
// a folder for temporary files.
var (
	cachedExecutable    = regexp.MustCompile(`^[0-9a-f]{2}/[0-9a-f]{64}-d$`)
	temporaryExecutable = regexp.MustCompile(`/go-build[0-9]+/b[0-9]+/exe$`)
)

// ByGo reports whether the go command built an executable to run it at once, as go tool and go run do.
func ByGo(executable string) bool {
	dir := filepath.ToSlash(filepath.Dir(executable))
	parts := strings.Split(dir, "/")
	return temporaryExecutable.MatchString(dir) ||
		len(parts) > 2 && cachedExecutable.MatchString(strings.Join(parts[len(parts)-2:], "/"))
}
