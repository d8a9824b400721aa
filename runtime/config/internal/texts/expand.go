// Package texts checks the texts of a server, in mcpgen.yaml and in the files of other systems, and
// expands the variables in them. One scanner and one expander handle all syntaxes.
package texts

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Syntax describes how one dialect writes variables. With a nil Syntax every text is literal.
type Syntax struct {
	Forms  []Form
	Escape string // prefix that makes ${ or {{ literal
	Strict bool   // text that looks like an invalid variable is an error instead of literal
	Unset  Unset  // zero: Fails

	Builtin map[string]string        // built-in names and their values, such as workspaceFolder
	Inputs  map[string]string        // descriptions of inputs by id
	Anchor  func(path string) string // makes paths of files absolute; nil leaves them
}

// Unset is the treatment of unset variables without a default.
type Unset uint8

const (
	Fails Unset = iota + 1
	Empty
	Literal // the text stays as written
)

// Form is one way to write a variable.
type Form struct {
	Open, Close string                 // "${env:" and "}"; without Close, Name finds the end
	Name        func(text string) int  // length of the name at the beginning of text; nil: all up to Close
	Kind        endpoint.ReferenceKind // what to look up
	Builtin     bool                   // only names of Syntax.Builtin
	Defaults    bool                   // NAME:-text is text if NAME is unset
	EmptyIs     bool                   // an empty variable with a default counts as unset
	Whole       bool                   // only if it is the whole text
	Fields      []endpoint.Field       // nil: all
	Unset       Unset                  // zero: as in the Syntax
}

// segment is a part of a text: literal, or a variable if form is set.
type segment struct {
	literal string // for a variable as it is written

	name       string
	form       *Form
	fallback   string
	hasDefault bool
}

// maxVariable bounds the length of a variable as written, so that a text with many openings is scanned in
// linear time.
const maxVariable = 1024

// split splits a text into segments. The error describes what is wrong with the text.
func (x *Syntax) split(field endpoint.Field, text string) ([]segment, error) {
	if x == nil {
		return []segment{{literal: text}}, nil
	}
	var (
		segments []segment
		literal  strings.Builder
	)
	for i := 0; i < len(text); {
		if !strings.ContainsRune("$%{\\", rune(text[i])) {
			literal.WriteByte(text[i])
			i++
			continue
		}
		if n := x.escaped(text[i:]); n > 0 {
			literal.WriteString(text[i+len(x.Escape) : i+n])
			i += n
			continue
		}
		variable, err := x.variable(field, text, i)
		switch {
		case err != nil:
			return nil, err
		case variable.form == nil:
			literal.WriteByte(text[i])
			i++
		default:
			segments = append(segments, segment{literal: literal.String()}, variable)
			literal.Reset()
			i += len(variable.literal)
		}
	}
	return append(segments, segment{literal: literal.String()}), nil
}

// escaped returns the length of an escape and the opening that it escapes, or 0.
func (x *Syntax) escaped(text string) int {
	if x.Escape == "" || !strings.HasPrefix(text, x.Escape) {
		return 0
	}
	for _, open := range [...]string{"${", "{{"} {
		if strings.HasPrefix(text[len(x.Escape):], open) {
			return len(x.Escape) + len(open)
		}
	}
	return 0
}

// variable parses the variable at an offset of text. Its form is nil if there is none.
func (x *Syntax) variable(field endpoint.Field, text string, at int) (segment, error) {
	rest := text[at:]
	for i := range x.Forms {
		f := &x.Forms[i]
		if f.Fields != nil && !slices.Contains(f.Fields, field) || f.Whole && at > 0 || !strings.HasPrefix(rest, f.Open) {
			continue
		}
		if v, ok := f.read(rest); ok && (!f.Builtin || x.isBuiltin(v.name)) && (!f.Whole || len(v.literal) == len(text)) {
			if x.Strict && x.Misspelled(field, v.literal) != "" {
				break
			}
			return v, nil
		}
	}
	if x.Strict {
		return segment{}, x.refuse(field, rest)
	}
	return segment{}, nil
}

func (x *Syntax) isBuiltin(name string) bool { _, ok := x.Builtin[name]; return ok }

// read parses the variable at the beginning of text, which begins with f.Open.
func (f *Form) read(text string) (segment, bool) {
	body := text[len(f.Open):]
	if f.Close == "" {
		n := f.Name(body)
		return segment{literal: text[:len(f.Open)+n], name: body[:n], form: f}, n > 0
	}
	body = body[:min(len(body), maxVariable)]
	end := strings.Index(body, f.Close)
	if end < 0 {
		return segment{}, false
	}
	v := segment{literal: text[:len(f.Open)+end+len(f.Close)], name: body[:end], form: f}
	if f.Defaults {
		v.name, v.fallback, v.hasDefault = strings.Cut(v.name, ":-")
	}
	if v.name == "" || f.Name != nil && f.Name(v.name) != len(v.name) {
		return segment{}, false
	}
	return v, true
}

// handle matches texts that mean a secret, and are spelled in any way.
var handle = regexp.MustCompile(`(?i)[{$]\{\s*secrets?\s*:\s*([^{}]*?)\s*\}\}?`)

// Misspelled returns the right spelling of the first handle of a secret in a text that is
// spelled another way. It is "" if all handles are spelled right, or if the field has no secrets.
func (x *Syntax) Misspelled(field endpoint.Field, text string) string {
	if x == nil || !slices.ContainsFunc(x.Forms, func(f Form) bool {
		return f.Kind == endpoint.ReferenceSecret && (f.Fields == nil || slices.Contains(f.Fields, field))
	}) {
		return ""
	}
	for _, found := range handle.FindAllStringSubmatch(text, -1) {
		if right := "{{secret:" + found[1] + "}}"; found[1] != "" && found[0] != right {
			return right
		}
	}
	return ""
}

// refuse returns the error for a text that looks like a variable of mcpgen.yaml and is not one.
func (x *Syntax) refuse(field endpoint.Field, text string) error {
	const literal = "write $${ for a literal ${"
	if at := handle.FindStringIndex(text); at != nil && at[0] == 0 {
		if right := x.Misspelled(field, text[:at[1]]); right != "" {
			return hint.New("looks like a secret, but is spelled another way", "write "+right)
		}
	}
	if strings.HasPrefix(text, "{{secret:") {
		if field != endpoint.FieldEnv {
			return hint.New("a secret is allowed only in the key env", "move the secret to env")
		}
		return hint.New("{{secret:…}} must contain the name of one secret", "list their names: mcpgen secrets list")
	}
	if !strings.HasPrefix(text, "${") {
		return nil
	}
	end := strings.IndexByte(text, '}')
	if end < 0 {
		return hint.New("a ${ is not closed", "close it with }", literal)
	}
	body := text[2:end]
	switch {
	case strings.HasPrefix(body, "env:"):
		return hint.New(
			"${env:…} must contain the name of one environment variable: letters, digits and _, with no digit at the beginning",
			"write ${env:NAME}", "with a default, write ${env:NAME:-default}")
	case body == "dir":
		return errors.New("${dir} means the folder of mcpgen.yaml, but this text comes from no file")
	case VariableName(body) == len(body) && body != "":
		return hint.New("${"+tree.Clip(body)+"} is not a variable here", "write ${env:"+tree.Clip(body)+"}", literal)
	}
	return hint.New("the text after ${ is not a variable", "write ${env:NAME} or ${dir}", literal)
}

// head returns the literal text before the first variable, and whether there is a variable; without one
// it returns the whole text.
func (x *Syntax) head(field endpoint.Field, text string) (string, bool) {
	segments, _ := x.split(field, text)
	if len(segments) == 0 {
		return "", false
	}
	return segments[0].literal, len(segments) > 1
}

// Expander returns the function that expands a server's texts. Values are not expanded again, even if
// they look like variables. Errors name the variable and no value; the caller adds file and line.
func (x *Syntax) Expander() endpoint.Expander {
	if x == nil {
		return nil
	}
	return func(field endpoint.Field, text string, lookup endpoint.Lookup) (string, error) {
		segments, err := x.split(field, text)
		if err != nil {
			return "", err
		}
		var out strings.Builder
		for _, s := range segments {
			if s.form == nil {
				out.WriteString(s.literal)
				continue
			}
			value, err := x.value(s, lookup)
			if err != nil {
				return "", err
			}
			out.WriteString(value)
		}
		return out.String(), nil
	}
}

// value returns the value of a variable.
func (x *Syntax) value(s segment, lookup endpoint.Lookup) (string, error) {
	value, ok := x.find(s, lookup)
	if s.hasDefault && (!ok || value == "" && s.form.EmptyIs) {
		return s.fallback, nil
	}
	if ok {
		return value, nil
	}
	rule := cmp.Or(s.form.Unset, x.Unset, Fails)
	if rule == Fails {
		return "", x.missing(s)
	}
	if s.form.Kind == endpoint.ReferenceEnv && !s.form.Builtin {
		lookup(endpoint.Reference{Kind: endpoint.ReferenceUnset, Name: s.name})
	}
	if rule == Literal {
		return s.literal, nil
	}
	return "", nil
}

// find looks a variable up. An environment variable is tried first for an input, so that programs without
// a terminal can provide it.
func (x *Syntax) find(s segment, lookup endpoint.Lookup) (string, bool) {
	r := endpoint.Reference{Kind: s.form.Kind, Name: s.name}
	switch {
	case s.form.Builtin:
		r.Kind = endpoint.ReferenceKnown
		if value, ok := lookup(r); ok {
			return value, true
		}
		return x.Builtin[s.name], true
	case r.Kind == endpoint.ReferenceInput:
		if value, ok := lookup(endpoint.Reference{Name: InputVariable(s.name)}); ok {
			return value, true
		}
	case r.Kind == endpoint.ReferenceFile && x.Anchor != nil:
		r.Name = x.Anchor(r.Name)
	}
	return lookup(r)
}

// missing returns the error for an unset variable.
func (x *Syntax) missing(s segment) error {
	name := tree.Clip(s.name)
	switch s.form.Kind {
	case endpoint.ReferenceSecret:
		return hint.With(fmt.Errorf("the secret %s is not available", tree.Quote(s.name)),
			"store it with `mcpgen secrets set`, and allow it in the policy for secrets")
	case endpoint.ReferenceInput:
		what := "the input " + tree.Quote(s.name)
		if text := x.Inputs[s.name]; text != "" {
			what += " (" + tree.Clip(text) + ")"
		}
		return hint.With(fmt.Errorf("%s is not known", what), "set "+InputVariable(s.name)+" where this program runs")
	case endpoint.ReferenceFile:
		return fmt.Errorf("the file %s cannot be read", tree.Quote(s.name))
	}
	steps := []string{"set it where this program runs"}
	if s.form.Defaults {
		steps = append(steps, "give it a default: "+s.form.Open+name+":-…}")
	}
	return hint.With(fmt.Errorf("the environment variable %s is not set", name), steps...)
}

// InputVariable returns the environment variable for an input: MCPGEN_INPUT_ and the id in upper case,
// with _ for every character that is not an ASCII letter or digit.
func InputVariable(id string) string { return endpoint.Variable(endpoint.InputVariable, id) }
