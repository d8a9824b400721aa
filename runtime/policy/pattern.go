// Patterns of arguments: JSON whose strings are patterns, compared value by value, so
// that no other spelling of an argument evades a rule.

package policy

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// argumentPattern is a rule's pattern for a value: each string is a [glob], all else
// is compared by value.
type argumentPattern struct {
	members map[string]argumentPattern // of an object; nil for other values
	list    []argumentPattern          // of an array
	text    *glob                      // of a string
	scalar  any                        // a json.Number in its canonical spelling, a bool, or nil
	open    bool                       // the object may have more members
}

// parseArguments parses a pattern of arguments: * for any, an object, or the
// beginning of an object that ends with a *, inside a string or where a member could
// follow.
func parseArguments(text string) (argumentPattern, error) {
	wrong := func(err error) (argumentPattern, error) {
		return argumentPattern{}, hint.With(fmt.Errorf("the arguments: %w", err),
			`write a JSON object, such as {"path":"/tmp/*"}`,
			`to allow further members, leave out the end and write a *: {"path":"/tmp/*`)
	}
	if strings.Trim(text, "*") == "" {
		return argumentPattern{open: true, members: map[string]argumentPattern{}}, nil
	}
	whole, open, err := closeArguments(text)
	if err != nil {
		return wrong(err)
	}
	canonical, err := canonicalJSON([]byte(whole))
	if err != nil {
		return wrong(err)
	}
	value, err := jsontext.Decode([]byte(canonical))
	if err != nil {
		return wrong(err)
	}
	p, err := patternOf(value)
	if err != nil {
		return wrong(err)
	}
	p.open = open
	return p, nil
}

// closeArguments completes an object that ends with a *: inside a string, which then
// matches any rest, or where a member could follow.
func closeArguments(text string) (whole string, open bool, err error) {
	depth := 0
	inText, name := false, false // name: a string at this position is the name of a member
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			depth++
			name = depth == 1
		case c == '}' || c == ']':
			depth--
		case c == ',' || c == ':':
			name = c == ',' && depth == 1
		}
	}
	cut := strings.TrimRight(text, "*")
	before := strings.TrimRight(cut, " ")
	switch {
	case depth == 0 && !inText:
		return text, false, nil
	case depth != 1 || cut == text:
		return "", false, errors.New("the object is not closed")
	case inText && name:
		return "", false, errors.New("the pattern ends inside the name of a member")
	case inText:
		return cut + `**"}`, true, nil
	case strings.HasSuffix(before, ","), strings.HasSuffix(before, "{"):
		return strings.TrimSuffix(before, ",") + "}", true, nil
	}
	return "", false, errors.New("a * must be inside a string, or stand for further members at the end of the object")
}

// patternOf turns the strings of a value into patterns.
func patternOf(value any) (p argumentPattern, err error) {
	switch value := value.(type) {
	case map[string]any:
		p.members = map[string]argumentPattern{}
		for name, v := range value {
			if p.members[name], err = patternOf(v); err != nil {
				return p, fmt.Errorf("%q: %w", name, err)
			}
		}
	case []any:
		p.list = make([]argumentPattern, len(value))
		for i, v := range value {
			if p.list[i], err = patternOf(v); err != nil {
				return p, err
			}
		}
	case string:
		p.text = &glob{exact: true}
		if value != "" {
			*p.text, err = parseGlob(value, false, '/')
		}
	default:
		p.scalar = value
	}
	return p, err
}

// match reports whether the pattern matches a value. In an open object, a rule that
// denies accepts further members anywhere; a rule that allows accepts only members
// whose names sort after the written ones.
func (p argumentPattern) match(value any, deny bool) bool {
	switch value := value.(type) {
	case map[string]any:
		if p.members == nil || !p.open && len(value) != len(p.members) {
			return false
		}
		last := ""
		for name, want := range p.members {
			v, ok := value[name]
			if !ok || !want.match(v, deny) {
				return false
			}
			last = max(last, name)
		}
		for name := range value {
			if _, written := p.members[name]; !written && !deny && name < last {
				return false
			}
		}
		return true
	case []any:
		if p.list == nil || len(p.list) != len(value) {
			return false
		}
		for i, want := range p.list {
			if !want.match(value[i], deny) {
				return false
			}
		}
		return true
	case string:
		return p.text != nil && p.text.match(value)
	}
	return p.members == nil && p.list == nil && p.text == nil && p.scalar == value
}
