// Variables in texts: one scanner and one expander for all dialects.

package config

import (
	"regexp"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// syntax is how one dialect writes variables. A nil syntax has none: every
// text is literal.
type syntax struct {
	prefix   string // what stands before the name inside the braces: "env:" or ""
	defaults bool   // ${NAME:-text} stands for text if NAME is unset
	escape   bool   // $${ stands for ${
	strict   bool   // any other ${ is an error and not literal text
}

// segment is a piece of a text: literal, or a variable if name is set.
type segment struct {
	literal    string
	name       string
	fallback   string
	hasDefault bool
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// split takes a text apart. The second result says what is wrong with it.
func (x *syntax) split(text string) ([]segment, string) {
	if x == nil {
		return []segment{{literal: text}}, ""
	}
	var (
		segments []segment
		literal  strings.Builder
	)
	for {
		i := strings.Index(text, "${")
		if i < 0 {
			break
		}
		if x.escape && i > 0 && text[i-1] == '$' {
			literal.WriteString(text[:i-1] + "${")
			text = text[i+2:]
			continue
		}
		literal.WriteString(text[:i])
		variable, length, reason := x.variable(text[i:])
		if reason != "" {
			return nil, reason
		}
		if length == 0 {
			literal.WriteString("${")
			text = text[i+2:]
			continue
		}
		segments = append(segments, segment{literal: literal.String()}, variable)
		literal.Reset()
		text = text[i+length:]
	}
	literal.WriteString(text)
	return append(segments, segment{literal: literal.String()}), ""
}

// variable reads the variable that text, which begins with ${, begins with. A
// length of zero means that there is none.
func (x *syntax) variable(text string) (segment, int, string) {
	end := strings.IndexByte(text, '}')
	if end < 0 {
		return segment{}, 0, x.refuse("a ${ is not closed")
	}
	body, ok := strings.CutPrefix(text[2:end], x.prefix)
	if !ok {
		if variableName.MatchString(body) {
			return segment{}, 0, x.refuse("${" + tree.Clip(body) + "} is no variable here; write ${" + x.prefix + tree.Clip(body) + "}, or $${ for a literal ${")
		}
		return segment{}, 0, x.refuse("a ${ that begins no variable; write ${" + x.prefix + "NAME}, or $${ for a literal ${")
	}
	v := segment{name: body}
	if x.defaults {
		v.name, v.fallback, v.hasDefault = strings.Cut(body, ":-")
	}
	if !variableName.MatchString(v.name) {
		return segment{}, 0, x.refuse("${" + x.prefix + "…} wants the name of one environment variable: letters, digits and _, not beginning with a digit")
	}
	return v, end + 1, ""
}

// refuse is the reason where a dialect is strict, and none where it leaves the
// text as it is.
func (x *syntax) refuse(reason string) string {
	if x.strict {
		return reason
	}
	return ""
}

// head is the literal text before the first variable, or the whole text if it
// has none, and whether it has one.
func (x *syntax) head(text string) (string, bool) {
	segments, _ := x.split(text)
	if len(segments) == 0 {
		return "", false
	}
	return segments[0].literal, len(segments) > 1
}

// use is one text of a server with variables in it, and where it stands.
type use struct {
	field endpoint.Field
	text  string
	place place
	at    tree.Path
}

// expander makes the function that expands a server's texts. The uses give
// errors their places. Values that come in are not looked at again: a variable
// whose value looks like a variable stays as it is.
func (x *syntax) expander(file place, uses []use) endpoint.Expander {
	if x == nil {
		return nil
	}
	return func(field endpoint.Field, text string, lookup func(string) (string, bool)) (string, error) {
		segments, reason := x.split(text)
		if reason != "" {
			return "", located(file, uses, field, text, reason, "")
		}
		var out strings.Builder
		for _, s := range segments {
			if s.name == "" {
				out.WriteString(s.literal)
				continue
			}
			value, ok := lookup(s.name)
			switch {
			case ok:
				out.WriteString(value)
			case s.hasDefault:
				out.WriteString(s.fallback)
			default:
				return "", located(file, uses, field, text,
					"the environment variable "+tree.Clip(s.name)+" is not set", "set it where this program runs"+x.orDefault(s.name))
			}
		}
		return out.String(), nil
	}
}

func (x *syntax) orDefault(name string) string {
	if !x.defaults {
		return ""
	}
	return ", or give it a default: ${" + x.prefix + tree.Clip(name) + ":-…}"
}

// located is an error about a text: with its own place if it is one of uses,
// with the server's if a program has changed the text since.
func located(file place, uses []use, field endpoint.Field, text, reason, hint string) error {
	at, where := tree.Path(field), file
	for _, u := range uses {
		if u.field == field && u.text == text {
			at, where = u.at, u.place
			break
		}
	}
	return &Error{Path: where.path, Line: where.line, Column: where.column, Reason: string(at) + ": " + reason, Hint: hint}
}
