// One server in a file of another system: what its keys say, and whether that
// can mean something.

package config

import (
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// row is one server as a file defines it, before files are merged.
type row struct {
	server   endpoint.Server
	disabled bool
	left     string // why it is not used; "" if it is, or is only disabled

	isShadowed bool // another one of the name stands for it
	outranked  bool // and its system attaches both
	place      place
	origins    []origin

	prefix           string
	include, exclude []string
}

// origin is where a value of a row stands. The key is relative to the server.
type origin struct {
	key string
	pos tree.Pos
}

// entry reads one row.
type entry struct {
	row
	f  *serverFile
	n  *tree.Node
	at tree.Path

	texts   []text
	said    tree.Member // what names the transport
	command bool        // a program is named
	url     bool        // a URL is named

	templates []string // texts that were made here and hold variables of mcpgen
}

// key is one key of a row and what it does.
type rowKey struct {
	name string
	set  func(e *entry, v *tree.Node, at tree.Path)
}

// row reads one server. What is wrong with it is an error of the file, or leaves
// the server out where its system does that.
func (f *serverFile) row(name string, pos tree.Pos, n *tree.Node, at tree.Path) {
	before := len(f.errs)
	e := &entry{f: f, n: n, at: at}
	e.place = place{f.path, pos.Line, pos.Column}
	e.server = endpoint.Server{Name: name, Source: f.source(pos.Line)}
	if reason := checkServerName(name); reason != "" {
		f.fail(pos, at, reason, "")
	}
	if n.Kind != tree.Map {
		f.fail(n.Pos, at, "want a mapping, found "+n.Kind.String(), "")
	} else {
		f.doubles(n, at)
		e.read(n, at, f.dialect.keys)
		if len(f.errs) == before || !f.dialect.lenient {
			f.dialect.finish(e)
		}
		if e.left == "" && len(f.errs) == before && e.server.Command == "" && e.server.URL == "" {
			f.fail(n.Pos, at, "its command or url is empty", "give it one of them")
		}
		if e.left == "" {
			e.launch()
		}
	}
	if len(f.errs) == before {
		f.rows = append(f.rows, e.row)
		return
	}
	if f.dialect.lenient {
		f.lost = append(f.lost, name)
		f.forgive(before, "; the server is left out")
		return
	}
	for _, err := range f.errs[before:] {
		err.server = name
	}
	f.broken = append(f.broken, row{server: endpoint.Server{Name: name, Source: e.server.Source}, place: e.place})
}

// read applies keys in their own order, so that the order of the file does not
// matter, and notes those that it does not know.
func (e *entry) read(n *tree.Node, at tree.Path, keys []rowKey) {
	for _, k := range keys {
		if v := n.Value(k.name); v != nil {
			k.set(e, v, at.Key(k.name))
		}
	}
	var unknown []string
	for _, m := range n.Members {
		if !slices.ContainsFunc(keys, func(k rowKey) bool { return k.name == m.Name }) {
			unknown = append(unknown, m.Name)
		}
	}
	if len(unknown) == 0 {
		return
	}
	shown := make([]string, 0, len(unknown))
	for _, name := range unknown[:min(len(unknown), 10)] {
		shown = append(shown, tree.Quote(name))
	}
	e.f.notice(n.Pos, at, "without effect here: "+strings.Join(shown, ", "))
}

// object reads a mapping inside a row.
func (e *entry) object(v *tree.Node, at tree.Path, keys []rowKey) {
	if e.want(tree.Map, v, at) {
		e.f.doubles(v, at)
		e.read(v, at, keys)
	}
}

func (e *entry) fail(v *tree.Node, at tree.Path, reason, hint string) {
	e.f.fail(v.Pos, at, reason, hint)
}

// want reports whether a value is of the kind. What it should be is an error.
func (e *entry) want(kind tree.Kind, v *tree.Node, at tree.Path) bool {
	d := tree.Decoder{}
	ok := d.Want(kind, v, at)
	e.f.problems(d.Problems)
	return ok
}

// origin notes where a value comes from.
func (e *entry) origin(name string, pos tree.Pos) { e.origins = append(e.origins, origin{name, pos}) }

// str reads a text that holds no variables.
func (e *entry) str(v *tree.Node, at tree.Path) string {
	if !e.want(tree.String, v, at) {
		return ""
	}
	return v.Text
}

// boolean reads true or false; anything else is an error, and false.
func (e *entry) boolean(v *tree.Node, at tree.Path) bool {
	var is bool
	d := tree.Decoder{}
	d.Decode(v, at, &is)
	e.f.problems(d.Problems)
	return is
}

// text reads a text that may hold variables.
func (e *entry) text(field endpoint.Field, v *tree.Node, at tree.Path) string {
	if !e.want(tree.String, v, at) {
		return ""
	}
	e.texts = append(e.texts, text{field, v.Text, v.Pos, at})
	return v.Text
}

// list reads a list of texts. Its system may leave out what is none.
func (e *entry) list(field endpoint.Field, v *tree.Node, at tree.Path) []string {
	if !e.want(tree.List, v, at) {
		return nil
	}
	items := make([]string, 0, len(v.List))
	for i, item := range v.List {
		if e.f.dialect.coerce && item.Kind != tree.String {
			e.f.notice(item.Pos, at.Index(i), item.Kind.String()+" is no argument and is left out")
			continue
		}
		items = append(items, e.text(field, item, at.Index(i)))
	}
	return items
}

// words reads a list of texts without variables.
func (e *entry) words(v *tree.Node, at tree.Path) []string {
	if !e.want(tree.List, v, at) {
		return nil
	}
	words := make([]string, 0, len(v.List))
	for i, item := range v.List {
		words = append(words, e.str(item, at.Index(i)))
	}
	return words
}

// vars reads a mapping of names to texts. Numbers and booleans become text, as
// other systems do it.
func (e *entry) vars(field endpoint.Field, v *tree.Node, at tree.Path) []endpoint.Var {
	if !e.want(tree.Map, v, at) {
		return nil
	}
	e.f.doubles(v, at)
	vars := make([]endpoint.Var, 0, len(v.Members))
	for _, m := range v.Members {
		e.name(field, m.Name, m.Pos, at.Key(m.Name))
		switch m.Value.Kind {
		case tree.String, tree.Int, tree.Float, tree.Bool:
			vars = append(vars, endpoint.Var{Name: m.Name, Value: m.Value.Text})
			e.texts = append(e.texts, text{field, m.Value.Text, m.Value.Pos, at.Key(m.Name)})
			e.origin(string(field)+"."+m.Name, m.Value.Pos)
		default:
			e.want(tree.String, m.Value, at.Key(m.Name))
		}
	}
	return vars
}

// name checks the name of a variable or a header.
func (e *entry) name(field endpoint.Field, name string, pos tree.Pos, at tree.Path) {
	check := checkEnvName
	if field == endpoint.FieldHeader {
		check = checkHeaderName
	}
	if reason := check(name); reason != "" {
		e.f.fail(pos, at, reason, "")
	}
}

// duration reads a number of units, which may have a fraction.
func (e *entry) duration(v *tree.Node, at tree.Path, unit time.Duration) time.Duration {
	if v.Kind != tree.Int && v.Kind != tree.Float {
		e.want(tree.Int, v, at)
		return 0
	}
	n, ok := v.Float()
	d := n * float64(unit)
	if !ok || !(d > 0 && d <= float64(maxDuration)) {
		e.fail(v, at, "want a time above zero and of at most 24 hours", "")
		return 0
	}
	return time.Duration(d)
}

// header adds a header that a key of another name stands for.
func (e *entry) header(name, value string, v *tree.Node, at tree.Path) {
	e.name(endpoint.FieldHeader, name, v.Pos, at)
	same := func(h endpoint.Var) bool { return strings.EqualFold(h.Name, name) }
	e.server.Headers = slices.DeleteFunc(e.server.Headers, same)
	e.server.Headers = append(e.server.Headers, endpoint.Var{Name: name, Value: value})
	e.texts = append(e.texts, text{endpoint.FieldHeader, value, v.Pos, at})
	e.origin("headers."+name, v.Pos)
}

// launch checks the texts of a row and gives the server what its dialect says
// about variables, environment and working directory.
func (e *entry) launch() {
	s, d := &e.server, &e.f.dialect
	if s.Command != "" {
		forwarded := s.Inherit.Names
		s.Inherit = d.inherit
		s.Inherit.Names = slices.Concat(s.Inherit.Names, forwarded)
		if s.Dir == "" {
			s.Dir = e.f.startDir()
		}
	}
	s.Restart = d.restart
	vars := e.f.vars
	if s.Expand == nil {
		s.Expand = vars.expander()
	}
	if s.EnvFile != "" {
		s.LoadEnv = loadEnvFile
	}
	for _, t := range e.texts {
		if !e.uses(t.field) {
			continue
		}
		_, reason := vars.split(t.field, t.text)
		if reason == "" {
			reason = checkField(t, vars)
		}
		if reason != "" {
			e.f.fail(t.pos, t.at, reason, "")
		}
	}
	e.twice()
	e.literal()
}

// uses reports whether texts of a field reach the server: those of the transport
// that was not chosen do not.
func (e *entry) uses(field endpoint.Field) bool {
	switch field {
	case endpoint.FieldURL, endpoint.FieldHeader, endpoint.FieldAuth:
		return e.server.URL != ""
	}
	return e.server.Command != ""
}

// twice wants each header once, in any case of letters.
func (e *entry) twice() {
	seen := map[string]bool{}
	for _, h := range e.server.Headers {
		if lower := strings.ToLower(h.Name); seen[lower] {
			e.f.fail(e.n.Pos, e.at, "the header "+tree.Quote(h.Name)+" stands there twice", "keep one of them")
		} else {
			seen[lower] = true
		}
	}
}

// literal notes texts that look like variables in a file that has none.
func (e *entry) literal() {
	if e.f.vars != nil || e.f.dialect.expands {
		return
	}
	written := func(t text) bool { return !slices.Contains(e.templates, t.text) }
	for _, t := range e.texts {
		if e.uses(t.field) && written(t) && strings.Contains(t.text, "${") {
			e.f.notice(t.pos, t.at, "looks like a variable, but texts of this file are literal; "+
				"a file named .mcp.json has ${NAME}, and mcpgen.yaml has ${env:NAME}")
		}
	}
}

// remote and local leave only what belongs to the transport.
func (e *entry) remote(t endpoint.Transport) {
	s := &e.server
	s.Transport = t
	s.Command, s.Args, s.Env, s.EnvFile, s.Dir, s.Inherit = "", nil, nil, "", "", endpoint.Inherit{}
}

func (e *entry) local() {
	s := &e.server
	s.Transport = endpoint.Stdio
	s.URL, s.Headers, s.Auth = "", nil, endpoint.Auth{}
}
