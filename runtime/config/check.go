// Checks of single texts in mcpgen.yaml. Each check returns what is wrong, or "".

package config

import (
	"path"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/internal/glob"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
)

// checkGlob checks a glob pattern.
func checkGlob(pattern string) string {
	if pattern == "" {
		return "an empty pattern matches nothing"
	}
	if glob.Check(pattern) != nil {
		return "not a pattern: a [ has no ], or nothing follows a \\ (* matches any text, ? any character, [a-z] a character from a to z)"
	}
	return ""
}

// checkInside checks a slash path, which must be below the folder of the configuration file.
func checkInside(text string) string {
	switch {
	case text == "":
		return "the path is empty"
	case strings.Contains(text, `\`):
		return "write the path with slashes"
	case path.IsAbs(text) || len(text) > 1 && text[1] == ':':
		return "want a path relative to this file"
	case strings.ContainsFunc(text, unicode.IsControl):
		return "the path has control characters"
	}
	if clean := path.Clean(text); clean == "." || clean == ".." || strings.HasPrefix(clean, "../") {
		return "want a path below the folder of this file"
	}
	return ""
}

// checkOutput checks a folder for generated packages, which the go command must not ignore.
func checkOutput(text string) string {
	if reason := checkInside(text); reason != "" {
		return reason
	}
	clean := path.Clean(text)
	for element := range strings.SplitSeq(clean, "/") {
		switch {
		case strings.HasPrefix(element, ".") || strings.HasPrefix(element, "_"):
			return "the go command ignores folders that begin with . or _"
		case element == "testdata" || element == "vendor":
			return "the go command ignores packages in " + element
		case strings.ContainsFunc(element, func(r rune) bool {
			return !texts.IsAlnum(r) && !strings.ContainsRune("._~-", r)
		}):
			return "the name of a folder in an import path consists of ASCII letters, digits and -._~"
		}
	}
	return ""
}
