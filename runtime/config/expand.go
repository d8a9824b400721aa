// Variables in texts: one scanner and one expander for all dialects.

package config

import (
	"errors"
	"fmt"
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

// expander makes the function that expands a server's texts. Values that come
// in are not looked at again: a variable whose value looks like a variable
// stays as it is. Errors name the variable and no value; the server's own
// errors put file and line before them.
func (x *syntax) expander() endpoint.Expander {
	if x == nil {
		return nil
	}
	return func(_ endpoint.Field, text string, lookup func(string) (string, bool)) (string, error) {
		segments, reason := x.split(text)
		if reason != "" {
			return "", errors.New(reason)
		}
		var out strings.Builder
		for _, s := range segments {
			if s.name == "" {
				out.WriteString(s.literal)
				continue
			}
			value, ok := lookup(s.name)
			if !ok && !s.hasDefault {
				return "", x.unset(s.name)
			}
			if !ok {
				value = s.fallback
			}
			out.WriteString(value)
		}
		return out.String(), nil
	}
}

func (x *syntax) unset(name string) error {
	name = tree.Clip(name)
	remedy := "set it where this program runs"
	if x.defaults {
		remedy += ", or give it a default: ${" + x.prefix + name + ":-…}"
	}
	return fmt.Errorf("the environment variable %s is not set; %s", name, remedy)
}
