// Package gopkg defines the valid names of generated Go packages, which are also names of folders and
// files.
package gopkg

import (
	"crypto/sha256"
	"encoding/hex"
	"go/token"
	"regexp"
	"strings"
)

// longest bounds the length of a name.
const longest = 64

// Reason returns why a name is not valid for a package and its folder; "" if it is valid. The go command
// and every file system accept a valid name.
func Reason(name string) string {
	switch {
	case name == "":
		return "a package needs a name"
	case len(name) > longest:
		return "a package name has at most 64 characters"
	case name[0] < 'a' || name[0] > 'z':
		return "a package name begins with a lower-case letter"
	case strings.ContainsFunc(name, func(r rune) bool { return !allowed(r) }):
		return "a package name has lower-case letters and digits only"
	case token.IsKeyword(name) || predeclared.MatchString(name):
		return name + " is a word of Go itself"
	case reserved.MatchString(name):
		return name + " has a meaning of its own for the go command or the file system"
	}
	return ""
}

func allowed(r rune) bool { return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' }

// predeclared matches the predeclared identifiers of Go. The package go/types has them, too, and would
// add 0.5 MB to each program that reads a configuration.
var predeclared = regexp.MustCompile(`^(any|append|bool|byte|cap|clear|close|comparable|complex|complex64|complex128|copy|delete|error|` +
	`false|float32|float64|imag|int|int8|int16|int32|int64|iota|len|make|max|min|new|nil|panic|print|println|real|recover|rune|string|` +
	`true|uint|uint8|uint16|uint32|uint64|uintptr)$`)

// reserved matches names that cannot be an ordinary package: those special to the go command, and the
// device names of Windows.
var reserved = regexp.MustCompile(`^(main|internal|vendor|testdata|documentation|builtin|init|all|std|cmd|con|prn|aux|nul|(com|lpt)[0-9])$`)

// Of returns a package name for a server's name: the ASCII letters and digits in lower case, preceded by
// mcp if that alone is not valid (1password, go). If the name has none, as in another script, the package
// name is made from its hash. The result is always valid; two servers may get the same one.
func Of(server string) string {
	name := strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		if allowed(r) {
			return r
		}
		return -1
	}, server)
	if name == "" {
		sum := sha256.Sum256([]byte(server))
		return "mcp" + hex.EncodeToString(sum[:4])
	}
	if len(name) > longest {
		name = name[:longest]
	}
	if Reason(name) != "" {
		name = "mcp" + name[:min(len(name), longest-len("mcp"))]
	}
	return name
}
