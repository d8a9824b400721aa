package console

// This file has hints name this program as the user started it.

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// ownName is how hints are written.
const ownName = "mcpgen"

// Program is how the user starts this program. Its zero value is mcpgen, in which hints
// are written.
type Program struct {
	name    string
	project string         // flags that name the project, such as " --mcp x.json"
	about   []string       // commands that are about a project
	hint    *regexp.Regexp // a command line in a text; nil if hints are right as they are written
}

// NewProgram is a program that is started by name, with these commands. Project are the
// flags by which the user named a project, if any, each behind a space: hints repeat them
// for the commands that are about one.
func NewProgram(name, project string, commands, about []string) Program {
	p := Program{name: cmp.Or(name, ownName), project: project, about: about}
	if p.name != ownName || p.project != "" {
		p.hint = regexp.MustCompile("(^|[\\s\"'(`])(?:go tool )?" + ownName + "((?: --[a-z]+ (?:'[^']*'|\\S+))*) (" + strings.Join(commands, "|") + ")\\b")
	}
	return p
}

// Name is the command that starts it.
func (p Program) Name() string { return cmp.Or(p.name, ownName) }

// Hint is a text in which the command lines of mcpgen begin as the user starts it, and
// name the project that the user named.
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
		if slices.Contains(p.about, command) && !strings.Contains(given, " --mcp ") && !strings.Contains(given, " --config ") {
			b.WriteString(p.project)
		}
		b.WriteString(given + " " + command)
		text = text[m[1]:]
	}
}

// The executables that the go command makes for go tool and go run: in its cache, and
// where it does not cache them in a folder for temporary files.
var (
	cachedExecutable    = regexp.MustCompile(`^[0-9a-f]{2}/[0-9a-f]{64}-d$`)
	temporaryExecutable = regexp.MustCompile(`/go-build[0-9]+/b[0-9]+/exe$`)
)

// ByGo reports whether an executable is one that the go command built to run it at
// once, as go tool and go run do.
func ByGo(executable string) bool {
	dir := filepath.ToSlash(filepath.Dir(executable))
	parts := strings.Split(dir, "/")
	return len(parts) > 2 && cachedExecutable.MatchString(strings.Join(parts[len(parts)-2:], "/")) || temporaryExecutable.MatchString(dir)
}
