package view

// This file writes schemas that a provider takes, by the table in rules.go.

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Fit returns the schema as parameters that a provider of models accepts: the schema unchanged if the provider
// accepts it, else the parameters of a function, changed by the provider's rules: references are replaced by their
// targets unless they are recursive, and members of alternatives at the root are members of the root. An argument with a name that the
// provider refuses gets another name, and its description has the server's name; [View.Arguments] restores that
// name. A keyword that the provider refuses is Lost, and the description of its place has its text instead; so is a
// schema that is too deep.
//
// Provider is one of [Providers]. The error is about an unknown provider, that of [Object], or about a
// limit of package jsonschema.
func Fit(provider string, raw json.RawMessage) (View, error) {
	rows := rulesOf(provider)
	if len(rows) == 0 {
		return View{}, hint.With(fmt.Errorf("the provider %q is not known", safetext.Words(provider, maxTold)),
			"use "+strings.Join(Providers(), ", "))
	}
	flat, asSent, err := newFlattener(raw)
	if err != nil {
		return View{}, err
	}
	function := flat.flatten(flat.root, 0)
	f := &fitter{rules: rows, root: &function, lost: flat.lost}
	var told []string
	for _, l := range flat.lost {
		if at := flat.root.Get(l.Keyword); l.Pointer == "" && at != nil {
			told = appendTold(told, l.Keyword, at)
		}
	}
	out := f.schema(&function, "", nil)
	f.rename(&out)
	view := View{
		Schema: tree.AppendCanonical(nil, &out), Lost: f.lost,
		Note: strings.Join(append(told, f.told...), "; "), renamed: f.renamed,
	}
	sent := json.RawMessage(bytes.TrimSpace(raw))
	if f.lost == nil && asSent && !f.changed && string(jsontext.Member(sent, "type")) == `"object"` &&
		(!f.any(func(r *rule) bool { return r.noRefs }) || !bytes.Contains(sent, []byte(`"$ref"`))) {
		view.Schema = raw
	}
	return view, nil
}

const (
	maxTold     = 200  // bytes of a keyword's text in a description
	maxUnrolled = 2048 // keywords, beyond which definitions that contain themselves are cut
)

// fitter writes one schema for a provider.
type fitter struct {
	rules   []rule
	root    *tree.Value
	lost    []Loss
	told    []string // of the root
	values  int      // written values
	depth   int      // of the schema that is written, as the rules count it
	changed bool
	renamed map[string]string // names of arguments for the model → the server's
}

func (f *fitter) any(of func(*rule) bool) bool {
	return slices.ContainsFunc(f.rules, func(r rule) bool { return of(&r) })
}

// refuses reports whether a keyword is not allowed at a place.
func (f *fitter) refuses(keyword, pointer string) bool {
	return f.any(func(r *rule) bool {
		return slices.Contains(r.refused, keyword) || r.keywords != nil && !slices.Contains(r.keywords, keyword) ||
			pointer == "" && r.root != nil && !slices.Contains(r.root, keyword)
	})
}

// schema writes v. Within are the definitions that it is in.
func (f *fitter) schema(v *tree.Value, pointer string, within []*tree.Value) tree.Value {
	if v.Kind != tree.Object {
		if v.Kind == tree.True && f.any(func(r *rule) bool { return r.keywords != nil }) {
			f.changed = true
			return object()
		}
		return *v
	}
	if f.values += len(v.Kids); v.Get("$ref") != nil && f.any(func(r *rule) bool { return r.noRefs }) {
		return f.target(v, pointer, within)
	}
	if nests(v) {
		if f.atBottom() {
			return f.cut(v, pointer)
		}
		f.depth++
		defer func() { f.depth-- }()
	}
	out, told := object(), []string(nil)
	for i := range v.Kids {
		m := v.Kids[i]
		kept, ok := f.keyword(v, m, pointer, within)
		if ok && out.Get(kept.Name) == nil {
			out.Kids = append(out.Kids, kept)
			continue
		}
		f.changed = true
		if isAnnotation(m.Name) || m.Name == "$defs" {
			continue
		}
		f.lost = append(f.lost, Loss{pointer, m.Name})
		told = appendTold(told, m.Name, &m.Value)
	}
	if f.any(func(r *rule) bool { return r.items }) && slices.Contains(types(v), "array") && out.Get("items") == nil {
		f.changed = true
		out.Kids = append(out.Kids, member("items", object()))
	}
	if f.any(func(r *rule) bool { return r.oneType }) {
		f.oneType(&out)
	}
	if pointer == "" {
		f.told = told
	} else if told != nil {
		describe(&out, strings.Join(told, "; "))
	}
	return out
}

// nests reports whether a schema is a level of nesting: an object, an array, or alternatives of them.
func nests(v *tree.Value) bool {
	named := types(v)
	if slices.Contains(named, "object") || slices.Contains(named, "array") ||
		slices.ContainsFunc(v.Kids, func(m tree.Member) bool {
			return m.Name == "items" || strings.HasSuffix(m.Name, "roperties") && m.Kind == tree.Object
		}) {
		return true
	}
	return slices.ContainsFunc(v.Kids, func(m tree.Member) bool {
		return (strings.HasSuffix(m.Name, "Of") || m.Name == "prefixItems") &&
			slices.ContainsFunc(m.Kids, func(e tree.Member) bool { return e.Get("$ref") != nil || nests(&e.Value) })
	})
}

// atBottom reports whether no level may follow.
func (f *fitter) atBottom() bool {
	return f.any(func(r *rule) bool { return r.depth > 0 && f.depth >= r.depth })
}

// cut writes a schema that is too deep: any value, with the schema as text.
func (f *fitter) cut(v *tree.Value, pointer string) tree.Value {
	f.changed = true
	out, rest := object(), object()
	for _, m := range v.Kids {
		if isAnnotation(m.Name) {
			if !f.refuses(m.Name, pointer) {
				out.Kids = append(out.Kids, m)
			}
			continue
		}
		rest.Kids = append(rest.Kids, m)
		f.lost = append(f.lost, Loss{pointer, m.Name})
	}
	describe(&out, "schema: "+safetext.Words(string(tree.AppendCanonical(nil, &rest)), maxTold))
	return out
}

// keyword writes a keyword of v, or reports that it is left out.
func (f *fitter) keyword(v *tree.Value, m tree.Member, pointer string, within []*tree.Value) (tree.Member, bool) {
	at := pointer + "/" + jsontext.EscapePointer(m.Name)
	switch {
	case m.Name == "const" && f.refuses(m.Name, pointer) && v.Get("enum") == nil:
		f.changed = true
		m = member("enum", array(element(m.Value)))
	case m.Name == "oneOf" && f.refuses(m.Name, pointer) && v.Get("anyOf") == nil:
		f.changed = true
		m.Name = "anyOf"
	case m.Name == "additionalProperties" && f.dropsPatterns(v.Get("patternProperties"), pointer),
		m.Name == "items" && v.Get("prefixItems") != nil && f.refuses("prefixItems", pointer):
		return m, false // its meaning depends on the other keyword
	}
	if f.refuses(m.Name, pointer) || m.Name == "patternProperties" && f.dropsPatterns(&m.Value, pointer) {
		return m, false
	}
	switch m.Name {
	case "pattern":
		return m, !f.any(func(r *rule) bool { return r.patterns }) || isPlain(m.Text)
	case "format":
		return m, !f.any(func(r *rule) bool { return r.formats != nil && !slices.Contains(r.formats, m.Text) })
	case "enum":
		isText := !slices.ContainsFunc(m.Kids, func(e tree.Member) bool { return e.Kind != tree.String })
		return m, isText || !f.any(func(r *rule) bool { return r.oneType })
	case "required":
		if f.any(func(r *rule) bool { return r.declared }) {
			declared := v.Get("properties")
			before := len(m.Kids)
			m.Kids = slices.DeleteFunc(slices.Clone(m.Kids), func(e tree.Member) bool { return declared.Get(e.Text) == nil })
			f.changed = f.changed || len(m.Kids) < before
		}
		return m, true
	case "properties", "patternProperties", "$defs", "dependentSchemas":
		return f.each(m, at, within), true
	case "anyOf", "oneOf", "allOf", "prefixItems":
		if m.Name != "allOf" && m.Name != "prefixItems" && f.refuses("not", pointer) {
			before := len(m.Kids)
			m.Kids = slices.DeleteFunc(slices.Clone(m.Kids), func(e tree.Member) bool { return isNothing(&e.Value) })
			f.changed = f.changed || len(m.Kids) < before
		}
		return f.each(m, at, within), len(m.Kids) > 0
	case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems",
		"unevaluatedProperties":
		m.Value = f.schema(&m.Value, at, within)
	}
	return m, true
}

// dropsPatterns reports whether patternProperties, if there are any, are left out.
func (f *fitter) dropsPatterns(v *tree.Value, pointer string) bool {
	return v != nil && (f.refuses("patternProperties", pointer) || f.any(func(r *rule) bool { return r.patterns }) &&
		slices.ContainsFunc(v.Kids, func(m tree.Member) bool { return !isPlain(m.Name) }))
}

// each writes the schemas in a keyword.
func (f *fitter) each(m tree.Member, pointer string, within []*tree.Value) tree.Member {
	m.Kids = slices.Clone(m.Kids)
	for i := range m.Kids {
		part := strconv.Itoa(i)
		if m.Kind == tree.Object {
			part = jsontext.EscapePointer(m.Kids[i].Name)
		}
		m.Kids[i].Value = f.schema(&m.Kids[i].Value, pointer+"/"+part, within)
	}
	return m
}

// isNothing reports whether no value fits a schema. Libraries write an optional member so.
func isNothing(v *tree.Value) bool {
	not := v.Get("not")
	return v.Kind == tree.False || not != nil && (not.Kind == tree.True || not.Kind == tree.Object && len(not.Kids) == 0)
}

// target writes the definition in place of a reference. Inside that definition, and beyond a limit, it writes only
// the type.
func (f *fitter) target(v *tree.Value, pointer string, within []*tree.Value) tree.Value {
	f.changed = true
	target := f.root
	if v.Get("$ref").Text != "#" {
		target = definition(f.root, v.Get("$ref"))
	}
	if target == nil || slices.Contains(within, target) || target == f.root || f.values > maxUnrolled {
		out := object()
		if t := target.Get("type"); t != nil && t.Kind == tree.String && !(f.atBottom() && nests(target)) {
			out.Kids = append(out.Kids, member("type", *t))
		}
		f.lost = append(f.lost, Loss{pointer, "$ref"})
		return out
	}
	out := f.schema(target, pointer, append(slices.Clip(within), target))
	for _, m := range v.Kids {
		if isAnnotation(m.Name) && out.Kind == tree.Object && !f.refuses(m.Name, pointer) {
			set(&out, m.Name, m.Value)
		}
	}
	return out
}

// oneType writes a list of types as alternatives, and adds the type to an enum of strings.
func (f *fitter) oneType(out *tree.Value) {
	t := out.Get("type")
	if enum := out.Get("enum"); enum != nil && t == nil && out.Get("anyOf") == nil {
		f.changed = true
		out.Kids = append(out.Kids, member("type", text("string")))
	}
	if t == nil || t.Kind != tree.Array {
		return
	}
	f.changed = true
	named := types(out)
	var kept, moved []tree.Member
	for _, m := range out.Kids {
		switch {
		case m.Name == "type":
		case m.Name == "title", m.Name == "description", m.Name == "default", m.Name == "anyOf":
			kept = append(kept, m)
		default:
			moved = append(moved, m)
		}
	}
	if out.Get("anyOf") != nil {
		out.Kids = append(kept, moved...)
		return
	}
	choices := array()
	for _, name := range named {
		choice := object(member("type", text(name)))
		if name != "null" {
			choice.Kids = append(choice.Kids, slices.DeleteFunc(slices.Clone(moved), func(m tree.Member) bool {
				return m.Name == "enum" && name != "string" || strings.HasSuffix(m.Name, "tems") && name != "array" ||
					(m.Name == "required" || strings.HasSuffix(m.Name, "roperties")) && name != "object"
			})...)
		}
		choices.Kids = append(choices.Kids, element(choice))
	}
	out.Kids = append(kept, member("anyOf", choices))
}

// rename gives the arguments names that the provider takes.
func (f *fitter) rename(out *tree.Value) {
	properties := out.Get("properties")
	if properties == nil {
		return
	}
	likes := map[string]int{} // names → how many arguments would have it
	for i := range properties.Kids {
		likes[f.like(properties.Kids[i].Name)]++
	}
	names := map[string]string{} // the server's → the model's
	for i := range properties.Kids {
		m := &properties.Kids[i]
		name := f.like(m.Name)
		if name == m.Name {
			continue
		}
		if likes[name] > 1 {
			sum := sha256.Sum256([]byte(m.Name))
			name = name[:min(len(name), maxName-9)] + "_" + hex.EncodeToString(sum[:4])
		}
		names[m.Name] = name
		if m.Kind != tree.Object {
			m.Value = object()
		}
		describe(&m.Value, "The server's name of this argument is "+strconv.Quote(safetext.Words(m.Name, maxTold))+".")
	}
	if len(names) == 0 {
		return
	}
	f.changed, f.renamed = true, map[string]string{}
	of := func(name string) string {
		if other := names[name]; other != "" {
			return other
		}
		return name
	}
	for i := range properties.Kids {
		if m := &properties.Kids[i]; names[m.Name] != "" {
			f.renamed[names[m.Name]] = m.Name
			m.Name = names[m.Name]
		}
	}
	list := func(v *tree.Value) {
		v.Kids = slices.Clone(v.Kids)
		for i := range v.Kids {
			v.Kids[i].Text = of(v.Kids[i].Text)
		}
	}
	if v := out.Get("required"); v != nil {
		list(v)
	}
	if v := out.Get("dependentRequired"); v != nil {
		for i := range v.Kids {
			v.Kids[i].Name = of(v.Kids[i].Name)
			list(&v.Kids[i].Value)
		}
	}
}

// maxName is the length of the names of arguments that are written here.
const maxName = 64

var unusual = regexp.MustCompile(`[^A-Za-z0-9_]+`)

// like returns the name of an argument if the provider takes it, or else a name like it of letters, digits and _, which
// every provider takes.
func (f *fitter) like(name string) string {
	if !f.any(func(r *rule) bool { return r.argument != nil && !r.argument.MatchString(name) }) {
		return name
	}
	name = strings.Trim(unusual.ReplaceAllString(name, "_"), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name[:min(len(name), maxName)]
}

// goOnly matches syntax of Go's regular expressions that Python's lack.
var goOnly = [...]string{`\p`, `\P`, `\z`, `\x{`, `\Q`, `\C`, `(?<`, `[[:`}

// isPlain reports whether Go's and Python's regular expressions read a pattern alike.
func isPlain(pattern string) bool {
	_, err := regexp.Compile(pattern)
	return err == nil && !slices.ContainsFunc(goOnly[:], func(s string) bool { return strings.Contains(pattern, s) })
}

// appendTold appends the text of a keyword that a model can follow.
func appendTold(told []string, keyword string, v *tree.Value) []string {
	trivial := v == nil || v.Kind == tree.True || v.Kind == tree.False || v.Kind == tree.Object && len(v.Kids) == 0
	if trivial && keyword != "uniqueItems" || !slices.Contains(constraints[:], keyword) {
		return told
	}
	return append(told, keyword+": "+safetext.Words(string(tree.AppendCanonical(nil, v)), maxTold))
}

// constraints are the keywords that a description repeats as text.
var constraints = [...]string{
	"pattern", "format", "const", "enum", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum",
	"exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "contains", "prefixItems", "minProperties",
	"maxProperties", "propertyNames", "patternProperties", "additionalProperties", "dependentRequired", "dependencies",
	"anyOf", "oneOf", "allOf", "not", "if", "then", "else",
}

// describe adds a text to a schema's description.
func describe(v *tree.Value, more string) {
	if d := v.Get("description"); d != nil && d.Text != "" {
		more = d.Text + "\n" + more
	}
	v.Kids = slices.Clone(v.Kids)
	set(v, "description", text(more))
}
