package decide

// The variables of a URI template (RFC 6570). Package runtime has the reader
// that expands templates; this one takes exactly the same, which a test makes
// sure of.

import (
	"fmt"
	"strconv"
	"strings"
)

// templateVariable is a variable of a template, wherever it stands in it.
type templateVariable struct {
	name     string
	list     bool // its items are written one by one
	required bool // it is part of the path
	short    bool // somewhere only its beginning is taken, so it is one text
}

// templateVariables returns the variables in the order of their first use.
// Without those in path positions there would be a hole in the URI: they are
// required.
func templateVariables(template string) ([]templateVariable, error) {
	var out []templateVariable
	index := map[string]int{}
	for rest := template; rest != ""; {
		open := strings.IndexAny(rest, "{}")
		if open < 0 {
			break
		}
		at := len(template) - len(rest) + open
		if rest[open] == '}' {
			return nil, fmt.Errorf("byte %d: a } without its {", at)
		}
		expression, after, ok := strings.Cut(rest[open+1:], "}")
		if !ok || strings.Contains(expression, "{") {
			return nil, fmt.Errorf("byte %d: a { without its }", at)
		}
		vars, err := expressionVariables(expression)
		if err != nil {
			return nil, fmt.Errorf("byte %d: %w", at, err)
		}
		for _, v := range vars {
			i, seen := index[v.name]
			if !seen {
				i, index[v.name] = len(out), len(out)
				out = append(out, templateVariable{name: v.name})
			}
			out[i].list = out[i].list || v.list
			out[i].required = out[i].required || v.required
			out[i].short = out[i].short || v.short
		}
		rest = after
	}
	for i := range out {
		out[i].list = out[i].list && !out[i].short
		out[i].required = out[i].required && !out[i].list // a list without items is none
	}
	return out, nil
}

// expressionVariables reads what stands between two braces.
func expressionVariables(expression string) ([]templateVariable, error) {
	required := true
	switch operator := expression[:min(1, len(expression))]; operator {
	case "+":
		expression = expression[1:]
	case "#", ".", "/", ";", "?", "&":
		expression, required = expression[1:], false
	case "=", ",", "!", "@", "|":
		return nil, fmt.Errorf("the operator %q has no meaning", operator)
	}
	var out []templateVariable
	for spec := range strings.SplitSeq(expression, ",") {
		v := templateVariable{name: spec, required: required}
		if name, ok := strings.CutSuffix(spec, "*"); ok {
			v.name, v.list = name, true
		} else if name, length, ok := strings.Cut(spec, ":"); ok {
			if n, err := strconv.Atoi(length); err != nil || n < 1 || n > 9999 || length[0] == '0' || length[0] == '+' {
				return nil, fmt.Errorf("%s is not a length from 1 to 9999", quote(length))
			}
			v.name, v.short = name, true
		}
		if !isVariable(v.name) {
			return nil, fmt.Errorf("%s is not the name of a variable", quote(v.name))
		}
		out = append(out, v)
	}
	return out, nil
}

// isVariable is the RFC's rule, and lets hyphens through: templates in use have
// them.
func isVariable(name string) bool {
	for segment := range strings.SplitSeq(name, ".") {
		if segment == "" {
			return false
		}
		for i := 0; i < len(segment); i++ {
			switch c := segment[i]; {
			case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '-':
			case c == '%' && i+2 < len(segment) && isHexDigit(segment[i+1]) && isHexDigit(segment[i+2]):
				i += 2
			default:
				return false
			}
		}
	}
	return true
}

func isHexDigit(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }
