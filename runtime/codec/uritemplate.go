package codec

// This file reads URI templates (RFC 6570, all four levels).

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// templatePart is a piece of a template: literal text, or an expression.
type templatePart struct {
	text string // as it stands in the template, braces and all
	op   templateOp
	vars []templateVar // empty: it is literal text
}

// templateVar is a variable in an expression.
type templateVar struct {
	name    string
	prefix  int  // characters to take of its value; 0 is all
	explode bool // each item of a list by itself
}

// templateOp says how an expression is written: RFC 6570, appendix A.
type templateOp struct {
	first    string // before the first value
	sep      string // between values
	named    bool   // values have their names before them
	empty    string // behind the name of an empty value
	reserved bool   // reserved characters stay as they are
}

// operator returns what the first character of an expression means. False is an
// operator that the RFC keeps for later.
func operator(c byte) (op templateOp, width int, ok bool) {
	switch c {
	case '+':
		return templateOp{sep: ",", reserved: true}, 1, true
	case '#':
		return templateOp{first: "#", sep: ",", reserved: true}, 1, true
	case '.', '/':
		return templateOp{first: string(c), sep: string(c)}, 1, true
	case ';':
		return templateOp{first: ";", sep: ";", named: true}, 1, true
	case '?':
		return templateOp{first: "?", sep: "&", named: true, empty: "="}, 1, true
	case '&':
		return templateOp{first: "&", sep: "&", named: true, empty: "="}, 1, true
	case '=', ',', '!', '@', '|':
		return templateOp{}, 0, false
	}
	return templateOp{sep: ","}, 0, true
}

// nextPart cuts the first part off a template that is not empty. Even with an
// error it returns a part: the text that cannot be read. At is where template
// begins in the whole, for errors.
func nextPart(template string, at int) (part templatePart, rest string, err error) {
	if template[0] != '{' {
		end := strings.IndexAny(template, "{}")
		switch {
		case end < 0:
			end = len(template)
		case template[end] == '}':
			end++
			err = fmt.Errorf("byte %d: a } without its {", at+end-1)
		}
		return templatePart{text: template[:end]}, template[end:], err
	}
	end := strings.IndexAny(template[1:], "{}")
	if end < 0 || template[1+end] == '{' {
		return templatePart{text: template[:1]}, template[1:], fmt.Errorf("byte %d: a { without its }", at)
	}
	part.text, rest = template[:end+2], template[end+2:]
	part.op, part.vars, err = parseExpression(template[1:1+end], at+1)
	if err != nil {
		part.vars = nil
	}
	return part, rest, err
}

// parseExpression reads what stands between the braces.
func parseExpression(text string, at int) (op templateOp, vars []templateVar, err error) {
	if text == "" {
		return op, nil, fmt.Errorf("byte %d: an expression without a variable", at)
	}
	op, width, ok := operator(text[0])
	if !ok {
		return op, nil, fmt.Errorf("byte %d: the operator %q has no meaning", at, text[:1])
	}
	at += width
	for spec := range strings.SplitSeq(text[width:], ",") {
		v, err := parseVar(spec)
		if err != nil {
			return op, nil, fmt.Errorf("byte %d: %w", at, err)
		}
		vars = append(vars, v)
		at += len(spec) + 1
	}
	return op, vars, nil
}

func parseVar(spec string) (templateVar, error) {
	v := templateVar{name: spec}
	if name, ok := strings.CutSuffix(spec, "*"); ok {
		v.name, v.explode = name, true
	} else if name, length, ok := strings.Cut(spec, ":"); ok {
		n, err := strconv.Atoi(length)
		if err != nil || n < 1 || n > 9999 || length[0] < '1' || length[0] > '9' {
			return v, fmt.Errorf("%s is not a length from 1 to 9999", strconv.Quote(safetext.Cut(length, 40)))
		}
		v.name, v.prefix = name, n
	}
	if !isVarName(v.name) {
		return v, fmt.Errorf("%s is not the name of a variable", strconv.Quote(safetext.Cut(v.name, 40)))
	}
	return v, nil
}

// isVarName is the RFC's rule, and lets hyphens through: templates in use have
// them.
func isVarName(name string) bool {
	if name == "" || name[0] == '.' || name[len(name)-1] == '.' || strings.Contains(name, "..") {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c == '%' && isTriplet(name[i:]):
			i += 2
		case isAlphanumeric(c), c == '_', c == '.', c == '-':
		default:
			return false
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// isTriplet reports whether text begins with a percent-encoded byte.
func isTriplet(text string) bool {
	return len(text) >= 3 && text[0] == '%' && isHex(text[1]) && isHex(text[2])
}

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
