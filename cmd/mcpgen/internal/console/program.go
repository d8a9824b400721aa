package console

// This file has hints name this program as the user started it.

import (
	"path/filepath"
	"regexp"
	"strings"
)

// ownName is how hints are written.
const ownName = "mcpgen"

// Program is how the user starts this program. Its zero value is mcpgen, in which hints
// are written.
type Program struct {
	name string
	hint *regexp.Regexp // a command line in a text
}

// NewProgram is a program that is started by name, with these commands.
func NewProgram(name string, commands []string) Program {
	if name == ownName || name == "" {
		return Program{}
	}
	return Program{name, regexp.MustCompile("(^|[\\s\"'(`])(?:go tool )?" + ownName + "((?: --[a-z]+ \\S+)* (?:" + strings.Join(commands, "|") + ")\\b)")}
}

// Name is the command that starts it.
func (p Program) Name() string {
	if p.hint == nil {
		return ownName
	}
	return p.name
}

// Hint is a text in which the command lines of mcpgen begin as the user starts it.
func (p Program) Hint(text string) string {
	if p.hint == nil || !strings.Contains(text, ownName) {
		return text
	}
	return p.hint.ReplaceAllString(text, "${1}"+strings.ReplaceAll(p.name, "$", "$$")+"${2}")
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
