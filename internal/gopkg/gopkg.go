// Package gopkg is the one rule for names of generated Go packages, which are names of
// folders and files, too.
package gopkg

import (
	"crypto/sha256"
	"encoding/hex"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// longest bounds a name, which is a folder name too.
const longest = 64

// Reason says why a package and its folder cannot have a name; "" if they can. The go
// command, and every file system, takes what can be one as a package of its own.
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
	case token.IsKeyword(name) || types.Universe.Lookup(name) != nil:
		return name + " is a word of Go itself"
	case reserved.MatchString(name):
		return name + " has a meaning of its own for the go command or the file system"
	}
	return ""
}

func allowed(r rune) bool { return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' }

// reserved are names that cannot be an ordinary package: the go command's own, and the
// device names of Windows.
var reserved = regexp.MustCompile(`^(main|internal|vendor|testdata|documentation|builtin|init|all|std|cmd|con|prn|aux|nul|(com|lpt)[0-9])$`)

// Of makes a package name of a server's name: its ASCII letters and digits in lower case,
// with mcp before it where that alone is not a name (1password, go). Of a name without
// any, as in another script, it is made of its hash. The result is always valid; two
// servers may get the same one.
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
