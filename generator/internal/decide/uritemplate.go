package decide

// Reads URI templates (RFC 6570, all four levels): what is literal, which variables
// there are, and which of these a URI needs.

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// maxVariable bounds the name of a variable in bytes: behind a longer one its type
// would be widened, and a URI needs texts.
const maxVariable = 1024

func parseTemplate(template string) ([]ir.URIPart, error) {
	var parts []ir.URIPart
	for rest := template; rest != ""; {
		open := strings.IndexAny(rest, "{}")
		if open < 0 {
			open = len(rest)
		}
		if open > 0 {
			parts = append(parts, ir.URIPart{Text: escapeLiteral(rest[:open])})
		}
		if rest = rest[open:]; rest == "" {
			break
		}
		at := len(template) - len(rest)
		if rest[0] == '}' {
			return nil, fmt.Errorf("byte %d: a } without its {", at)
		}
		expression, after, ok := strings.Cut(rest[1:], "}")
		if !ok || strings.Contains(expression, "{") {
			return nil, fmt.Errorf("byte %d: a { without its }", at)
		}
		part, err := parseExpression(expression)
		if err != nil {
			return nil, fmt.Errorf("byte %d: %w", at, err)
		}
		parts, rest = append(parts, part), after
	}
	return parts, nil
}

// parseExpression reads the text between two braces.
func parseExpression(expression string) (part ir.URIPart, err error) {
	switch operator := expression[:min(1, len(expression))]; operator {
	case "+", "#", ".", "/", ";", "?", "&":
		part.Op, expression = operator, expression[1:]
	case "=", ",", "!", "@", "|":
		return part, fmt.Errorf("the operator %q is reserved", operator)
	}
	for spec := range strings.SplitSeq(expression, ",") {
		v := ir.URIVar{Name: spec}
		if name, ok := strings.CutSuffix(spec, "*"); ok {
			v.Name, v.Explode = name, true
		} else if name, length, ok := strings.Cut(spec, ":"); ok {
			n, err := strconv.Atoi(length)
			if err != nil || n < 1 || n > 9999 || length[0] == '0' || length[0] == '+' {
				return part, fmt.Errorf("%s is not a length from 1 to 9999", quote(length))
			}
			v.Name, v.Prefix = name, n
		}
		if len(v.Name) > maxVariable {
			return part, fmt.Errorf("the name of a variable is longer than %d bytes", maxVariable)
		}
		if !isVariable(v.Name) {
			return part, fmt.Errorf("%s is not the name of a variable", quote(v.Name))
		}
		part.Vars = append(part.Vars, v)
	}
	return part, nil
}

// templateVariables returns the variables in the order of their first use.
// Without those in path positions there would be a hole in the URI: they are
// required. One whose items are written one by one is a list, unless somewhere only its
// beginning is taken.
func templateVariables(parts []ir.URIPart) []argument {
	var out []argument
	index, short := map[string]int{}, map[string]bool{}
	for _, part := range parts {
		for _, v := range part.Vars {
			i, seen := index[v.Name]
			if !seen {
				i, index[v.Name] = len(out), len(out)
				out = append(out, argument{name: v.Name})
			}
			out[i].list = out[i].list || v.Explode
			out[i].required = out[i].required || part.Op == "" || part.Op == "+"
			short[v.Name] = short[v.Name] || v.Prefix > 0
		}
	}
	for i, v := range out {
		out[i].list = v.list && !short[v.name]
		out[i].required = v.required && !out[i].list // an empty list is a missing value
	}
	return out
}

// escapeLiteral writes literal text of a template as in URIs: characters that are not
// allowed there are percent-encoded.
func escapeLiteral(text string) string {
	var b strings.Builder
	for i := range len(text) {
		switch c := text[i]; {
		case c == '%' && i+2 < len(text) && isHexDigit(text[i+1]) && isHexDigit(text[i+2]),
			isWordByte(c), strings.IndexByte("-.~:/?#[]@!$&'()*+,;=", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
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
			case isWordByte(c), c == '-':
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

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}
