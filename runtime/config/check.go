// What a single text of a configuration may be. Each check returns what is
// wrong, or "".

package config

import (
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// maxName bounds the names of servers, variables and headers, in bytes.
const maxName = 128

// checkServerName allows what can be shown on one line, named on a command
// line and joined into a qualified name.
func checkServerName(name string) string {
	switch {
	case name == "":
		return "a server needs a name"
	case len(name) > maxName:
		return "a server name has at most 128 bytes"
	case !utf8.ValidString(name):
		return "a server name is UTF-8 text"
	case strings.TrimSpace(name) != name:
		return "a server name neither begins nor ends with a space"
	case strings.Contains(name, ","):
		return "a server name has no comma"
	}
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return "a server name has no control or invisible characters"
		}
	}
	return ""
}

func checkEnvName(name string) string {
	switch {
	case name == "":
		return "a variable needs a name"
	case len(name) > maxName:
		return "the name of a variable has at most 128 bytes"
	case strings.ContainsFunc(name, func(r rune) bool { return r == '=' || !unicode.IsPrint(r) }):
		return "the name of a variable has no =, control or invisible characters"
	}
	return ""
}

// checkHeaderName allows the tokens of RFC 9110.
func checkHeaderName(name string) string {
	if name == "" {
		return "a header needs a name"
	}
	if len(name) > maxName {
		return "the name of a header has at most 128 bytes"
	}
	for _, r := range name {
		if !isASCIIAlnum(r) && !strings.ContainsRune("!#$%&'*+-.^_`|~", r) {
			return "the name of a header has letters, digits and !#$%&'*+-.^_`|~ only"
		}
	}
	return ""
}

func isASCIIAlnum(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

func checkHeaderValue(value string) string {
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return "the value of a header has no line breaks or control characters"
	}
	return ""
}

// checkProcessText allows what an operating system can hand to a program.
func checkProcessText(text string) string {
	if strings.ContainsRune(text, 0) {
		return "a zero byte cannot be handed to a program"
	}
	return ""
}

func checkCommand(command string) string {
	if strings.TrimSpace(command) == "" {
		return "the command is empty"
	}
	if strings.ContainsFunc(command, unicode.IsControl) {
		return "the command has control characters"
	}
	return ""
}

// checkURL wants http or https and a host. Where a variable stands for the
// beginning only the rest can be judged when it is known. The URL is not
// repeated in errors: it may hold a key.
func checkURL(text string, vars *syntax) string {
	head, variable := vars.head(endpoint.FieldURL, text)
	if variable {
		if head != "" && !hasHTTPScheme(head) && !strings.HasPrefix("https://", strings.ToLower(head)) {
			return "want a URL that begins with http:// or https://"
		}
		return ""
	}
	u, err := url.Parse(head)
	switch {
	case err != nil:
		return "not a URL"
	case !hasHTTPScheme(head):
		return "want a URL that begins with http:// or https://"
	case u.Hostname() == "":
		return "the URL names no host"
	case u.User != nil:
		return "the URL holds a user name or password, which every log would show; use headers"
	}
	return ""
}

func hasHTTPScheme(text string) bool {
	scheme, _, ok := strings.Cut(strings.ToLower(text), "://")
	return ok && (scheme == "http" || scheme == "https")
}

// checkGlob wants a pattern of [path.Match].
func checkGlob(pattern string) string {
	if pattern == "" {
		return "an empty pattern matches nothing"
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return "not a pattern: a [ or a \\ is not closed (* is any text, ? one character, [a-z] one of these)"
	}
	return ""
}

// checkInside wants a slash path below the folder of the configuration file.
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

// checkOutput wants a folder that the go command sees.
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
		case strings.ContainsFunc(element, func(r rune) bool { return !isASCIIAlnum(r) && !strings.ContainsRune("._~-", r) }):
			return "a folder of an import path has ASCII letters, digits and -._~ only"
		}
	}
	return ""
}
