// Checks of single texts of a server. Each check returns what is wrong: a text, or an error if there is a
// next step.

package texts

import (
	"errors"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// MaxName bounds the names of servers, variables and headers, in bytes.
const MaxName = 128

// ServerName checks a server's name, which is shown on one line, typed on command lines and joined into
// qualified names.
func ServerName(name string) string {
	switch {
	case name == "":
		return "a server needs a name"
	case len(name) > MaxName:
		return "a server name has at most 128 bytes"
	case !utf8.ValidString(name):
		return "a server name is UTF-8 text"
	case strings.TrimSpace(name) != name:
		return "a server name neither begins nor ends with a space"
	case strings.Contains(name, ","):
		return "a server name must not contain a comma"
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "a server name must not contain control or invisible characters"
	}
	return ""
}

// EnvName checks the name of an environment variable.
func EnvName(name string) string {
	switch {
	case name == "":
		return "a variable needs a name"
	case len(name) > MaxName:
		return "the name of a variable has at most 128 bytes"
	case strings.ContainsFunc(name, func(r rune) bool { return r == '=' || !unicode.IsPrint(r) }):
		return "the name of a variable has no =, control or invisible characters"
	}
	return ""
}

// HeaderName checks the name of a header: a token of RFC 9110.
func HeaderName(name string) string {
	if name == "" {
		return "a header needs a name"
	}
	if len(name) > MaxName {
		return "the name of a header has at most 128 bytes"
	}
	foreign := func(r rune) bool { return !IsAlnum(r) && !strings.ContainsRune("!#$%&'*+-.^_`|~", r) }
	if strings.ContainsFunc(name, foreign) {
		return "the name of a header has letters, digits and !#$%&'*+-.^_`|~ only"
	}
	return ""
}

// IsAlnum reports whether r is an ASCII letter or digit.
func IsAlnum(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// URL requires http or https and a host. In a text with a variable, only the part before the variable is
// checked. Errors do not repeat the URL: it may hold a key.
func (x *Syntax) URL(text string) error {
	head, variable := x.head(endpoint.FieldURL, text)
	if variable {
		if head != "" && !hasHTTPScheme(head) && !strings.HasPrefix("https://", strings.ToLower(head)) {
			return errors.New("want a URL that begins with http:// or https://")
		}
		return nil
	}
	u, err := url.Parse(head)
	switch {
	case err != nil:
		return errors.New("not a URL")
	case !hasHTTPScheme(head):
		return errors.New("want a URL that begins with http:// or https://")
	case u.Hostname() == "":
		return errors.New("the URL names no host")
	case u.User != nil:
		return hint.New("the URL holds a user name or password, which every log would show", "write them into headers")
	}
	return nil
}

func hasHTTPScheme(text string) bool {
	scheme, _, ok := strings.Cut(strings.ToLower(text), "://")
	return ok && (scheme == "http" || scheme == "https")
}

// Text is a text of a server that may hold variables, with its place.
type Text struct {
	Field endpoint.Field
	Text  string
	Pos   tree.Pos
	At    tree.Path
}

// Check returns what is wrong with a text, or nil.
func (x *Syntax) Check(t Text) error {
	if err := x.Variables(t.Field, t.Text); err != nil {
		return err
	}
	switch t.Field {
	case endpoint.FieldURL:
		return x.URL(t.Text)
	case endpoint.FieldCommand:
		if strings.TrimSpace(t.Text) == "" {
			return errors.New("the command is empty")
		}
		if strings.ContainsFunc(t.Text, unicode.IsControl) {
			return errors.New("the command has control characters")
		}
	case endpoint.FieldHeader:
		if strings.ContainsFunc(t.Text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return errors.New("the value of a header must not have line breaks or control characters")
		}
	}
	if strings.ContainsRune(t.Text, 0) {
		return errors.New("a zero byte cannot be handed to a program")
	}
	return nil
}

// Variables returns what is wrong with the variables of a text, or nil.
func (x *Syntax) Variables(field endpoint.Field, text string) error {
	_, err := x.split(field, text)
	return err
}
