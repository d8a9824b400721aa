// One server in a file of another system: the meaning of its keys, and their checks.

package dialect

import (
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Row is one server as one file defines it, whether it has an effect or not.
type Row struct {
	Server   endpoint.Server // Source is the place of the definition
	Column   int             // of the definition; 0 if unknown
	Origins  []Origin        // the places of its values
	Disabled bool
	Left     string // why it has no effect; "" if it has one, or is only disabled before files are merged
	Shadowed bool   // another server of the same name replaces it

	// Namesake is the place of another server with the same name, if the system attaches both: Server.Name is
	// then its id, see naming.Namesake. The zero value means none.
	Namesake tree.Position

	// Prefix replaces the server's name in the names of its tools; "" means none.
	Prefix string
	// Include and Exclude are the system's selection of tools, as globs of their names. An empty Include
	// means all.
	Include, Exclude []string
}

// Position returns the place of the definition.
func (r *Row) Position() tree.Position {
	return tree.Position{Path: r.Server.Source.Path, Line: r.Server.Source.Line, Column: r.Column}
}

// Origin is the place of a value of a row. The key is relative to the server.
type Origin struct {
	Key string
	Pos tree.Pos
}

// entry reads one row.
type entry struct {
	Row
	f  *File
	n  *tree.Node
	at tree.Path

	texts []texts.Text
	said  tree.Member // the key that determines the transport

	// Keys of both launches are read before one is chosen. command and url report whether each is configured.
	process *endpoint.Process
	address *endpoint.Address
	command bool
	url     bool

	templates []string // generated texts that hold variables of mcpgen
}

// rowKey is one key of a row and the function that reads it.
type rowKey struct {
	name string
	set  setter
}

// row reads one server. Its problems are errors of the file, or exclude the server if its system does
// that.
func (f *File) row(name string, pos tree.Pos, n *tree.Node, at tree.Path) {
	before := len(f.Errors)
	e := &entry{f: f, n: n, at: at, process: &endpoint.Process{}, address: &endpoint.Address{}}
	e.Column = pos.Column
	e.Server = endpoint.Server{Name: name, Source: f.source(pos.Line)}
	if reason := texts.ServerName(name); reason != "" {
		f.Fail(pos, at, reason)
	}
	if n.Kind != tree.Map {
		f.Fail(n.Pos, at, "want a mapping, found "+n.Kind.String())
	} else {
		f.NoteDoubles(n, at)
		e.read(n, at, f.Dialect.keys)
		if len(f.Errors) == before || !f.Dialect.Lenient {
			f.Dialect.finish(e)
		}
		known := e.Server.Texts()
		if e.Left == "" && !e.Disabled && len(f.Errors) == before && (len(known) == 0 || *known[0].Value == "") {
			f.Fail(n.Pos, at, "its command or url is empty", "give it one of them")
		}
		switch {
		case e.Left == "":
			e.launch()
		case e.Server.Launch == nil && e.command: // shown but not used
			e.local()
		case e.Server.Launch == nil && e.url:
			e.remote(e.address.Transport)
		}
	}
	if len(f.Errors) == before {
		f.Rows = append(f.Rows, e.Row)
		return
	}
	if f.Dialect.Lenient {
		f.Lost = append(f.Lost, name)
		f.forgive(before, "; the server is left out")
		return
	}
	for _, err := range f.Errors[before:] {
		err.Server = name
	}
	f.Broken = append(f.Broken, Row{Server: endpoint.Server{Name: name, Source: e.Server.Source}, Column: e.Column})
}

// read applies keys in the order of keys, so that the order of the file does not matter, and adds notices
// for unknown keys.
func (e *entry) read(n *tree.Node, at tree.Path, keys []rowKey) {
	for _, k := range keys {
		v := n.Value(k.name)
		if v == nil {
			continue
		}
		if kind, typed := e.f.Dialect.kinds[k.name]; typed && v.Kind != kind {
			e.f.Note(v.Pos, at.Key(k.name), "want "+kind.String()+", found "+v.Kind.String()+"; it is left out")
			continue
		}
		k.set(e, v, at.Key(k.name))
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
	e.f.Note(n.Pos, at, "without effect here: "+strings.Join(shown, ", "))
}

// object reads a mapping inside a row.
func (e *entry) object(v *tree.Node, at tree.Path, keys []rowKey) {
	if e.want(tree.Map, v, at) {
		e.f.NoteDoubles(v, at)
		e.read(v, at, keys)
	}
}

func (e *entry) fail(v *tree.Node, at tree.Path, reason string, steps ...string) {
	e.f.Fail(v.Pos, at, reason, steps...)
}

// want reports whether a value is of the kind, and reports an error if it is not.
func (e *entry) want(kind tree.Kind, v *tree.Node, at tree.Path) bool {
	d := tree.Decoder{Report: &e.f.Report}
	return d.Want(kind, v, at)
}

// origin records the place of a value.
func (e *entry) origin(name string, pos tree.Pos) { e.Origins = append(e.Origins, Origin{name, pos}) }

// str reads a text without variables.
func (e *entry) str(v *tree.Node, at tree.Path) string { return decoded[string](e, v, at) }

// boolean reads true or false; anything else is an error and returns false.
func (e *entry) boolean(v *tree.Node, at tree.Path) bool { return decoded[bool](e, v, at) }

// words reads a list of texts without variables.
func (e *entry) words(v *tree.Node, at tree.Path) []string { return decoded[[]string](e, v, at) }

// decoded reads a value of type T; a value of another type is an error.
func decoded[T any](e *entry, v *tree.Node, at tree.Path) (value T) {
	d := tree.Decoder{Report: &e.f.Report}
	d.Decode(v, at, &value)
	return value
}

// text reads a text that may hold variables.
func (e *entry) text(field endpoint.Field, v *tree.Node, at tree.Path) string {
	if !e.want(tree.String, v, at) {
		return ""
	}
	e.holds(field, v.Text, v.Pos, at)
	return v.Text
}

// holds records a text of the row.
func (e *entry) holds(field endpoint.Field, text string, pos tree.Pos, at tree.Path) {
	e.texts = append(e.texts, texts.Text{Field: field, Text: text, Pos: pos, At: at})
}

// elements yields the elements of a list with their paths. A value that is not a list is an error.
func (e *entry) elements(v *tree.Node, at tree.Path) iter.Seq2[*tree.Node, tree.Path] {
	return func(yield func(*tree.Node, tree.Path) bool) {
		if v == nil || !e.want(tree.List, v, at) {
			return
		}
		for i, n := range v.List {
			if !yield(n, at.Index(i)) {
				return
			}
		}
	}
}

// addEnv adds an environment variable that is not in a mapping.
func (e *entry) addEnv(name, value string, pos tree.Pos, at tree.Path) {
	e.name(endpoint.FieldEnv, name, pos, at)
	e.process.Env = append(e.process.Env, endpoint.Var{Name: name, Value: value})
}

// list reads a list of texts. Some systems ignore elements that are not texts.
func (e *entry) list(field endpoint.Field, v *tree.Node, at tree.Path) []string {
	items := make([]string, 0, len(v.List))
	for item, at := range e.elements(v, at) {
		if e.f.Dialect.kinds != nil && item.Kind != tree.String {
			e.f.Note(item.Pos, at, item.Kind.String()+" is not a string, so the argument is ignored")
			continue
		}
		items = append(items, e.text(field, item, at))
	}
	return items
}

// vars reads a mapping of names to texts. Numbers and booleans become text, as in other systems.
func (e *entry) vars(field endpoint.Field, v *tree.Node, at tree.Path) []endpoint.Var {
	if !e.want(tree.Map, v, at) {
		return nil
	}
	e.f.NoteDoubles(v, at)
	vars := make([]endpoint.Var, 0, len(v.Members))
	for _, m := range v.Members {
		e.name(field, m.Name, m.Pos, at.Key(m.Name))
		switch m.Value.Kind {
		case tree.String, tree.Int, tree.Float, tree.Bool:
			vars = append(vars, endpoint.Var{Name: m.Name, Value: m.Value.Text})
			e.holds(field, m.Value.Text, m.Value.Pos, at.Key(m.Name))
			e.origin(string(field)+"."+m.Name, m.Value.Pos)
		default:
			if e.f.Dialect.kinds != nil {
				e.f.Note(m.Value.Pos, at.Key(m.Name), m.Value.Kind.String()+" is not a text and is left out")
				continue
			}
			e.want(tree.String, m.Value, at.Key(m.Name))
		}
	}
	return vars
}

// name checks the name of a variable or a header.
func (e *entry) name(field endpoint.Field, name string, pos tree.Pos, at tree.Path) {
	check := texts.EnvName
	if field == endpoint.FieldHeader {
		check = texts.HeaderName
	}
	if reason := check(name); reason != "" {
		e.f.Fail(pos, at, reason)
	}
}

// MaxTime bounds times in files. It is longer than anyone waits, and short enough not to overflow.
const MaxTime = 24 * time.Hour

// duration reads a number of units, which may have a fraction.
func (e *entry) duration(v *tree.Node, at tree.Path, unit time.Duration) time.Duration {
	if v.Kind != tree.Int && v.Kind != tree.Float {
		e.want(tree.Int, v, at)
		return 0
	}
	n, ok := v.Float()
	d := n * float64(unit)
	if !ok || !(d > 0 && d <= float64(MaxTime)) {
		e.fail(v, at, "want a time above zero and of at most 24 hours", "")
		return 0
	}
	return time.Duration(d)
}

// header adds a header that is configured under another key.
func (e *entry) header(name, value string, v *tree.Node, at tree.Path) {
	e.name(endpoint.FieldHeader, name, v.Pos, at)
	same := func(h endpoint.Var) bool { return strings.EqualFold(h.Name, name) }
	e.address.Headers = slices.DeleteFunc(e.address.Headers, same)
	e.address.Headers = append(e.address.Headers, endpoint.Var{Name: name, Value: value})
	e.holds(endpoint.FieldHeader, value, v.Pos, at)
	e.origin("headers."+name, v.Pos)
}

// launch checks the texts of a row, and applies the dialect's rules for variables, environment and
// working directory to the server.
func (e *entry) launch() {
	s, d := &e.Server, &e.f.Dialect
	if p, ok := s.Launch.(*endpoint.Process); ok {
		forwarded := p.Inherit.Names
		p.Inherit = endpoint.Inherit{All: true}
		if d.inherit != nil {
			p.Inherit = *d.inherit
		}
		p.Inherit.Names = forwarded
		if p.Dir == "" {
			p.Dir = e.f.startDir()
		}
		if p.EnvFile != "" {
			s.LoadEnv = loadEnvFile
		}
	}
	s.Restart = d.restart
	vars := e.f.vars
	if s.Expand == nil {
		s.Expand = vars.Expander()
	}
	inFile := func(f texts.Form) bool { return f.Kind == endpoint.ReferenceFile }
	if vars != nil && slices.ContainsFunc(vars.Forms, inFile) {
		s.LoadText = loadText
	}
	for _, t := range e.texts {
		if !e.uses(t.Field) {
			continue
		}
		if err := vars.Check(t); err != nil {
			e.f.FailErr(t.Pos, t.At, err)
		}
	}
	e.twice()
	e.literal()
}

// uses reports whether texts of a field are part of the server's launch. If no launch was chosen, which
// is an error, all texts are, so that all problems are reported.
func (e *entry) uses(field endpoint.Field) bool {
	has := func(t endpoint.Text) bool { return t.Field == field }
	return e.Server.Launch == nil || slices.ContainsFunc(e.Server.Texts(), has)
}

// twice reports duplicate headers. Case is ignored.
func (e *entry) twice() {
	seen := map[string]bool{}
	if e.Server.Launch != e.address {
		return
	}
	for _, h := range e.address.Headers {
		if lower := strings.ToLower(h.Name); seen[lower] {
			e.f.Fail(e.n.Pos, e.at, "the header "+tree.Quote(h.Name)+" is duplicated", "keep one of them")
		} else {
			seen[lower] = true
		}
	}
}

// literal adds notices for texts that look like variables in a file without variables, and
// for secrets that are spelled another way.
func (e *entry) literal() {
	for _, t := range e.texts {
		if right := e.f.vars.Misspelled(t.Field, t.Text); right != "" && e.uses(t.Field) {
			e.f.Note(t.Pos, t.At, "looks like a secret, but is spelled another way", "write "+right)
		}
	}
	if e.f.vars != nil || e.f.Dialect.expands {
		return
	}
	written := func(t texts.Text) bool { return !slices.Contains(e.templates, t.Text) }
	for _, t := range e.texts {
		if e.uses(t.Field) && written(t) && strings.Contains(t.Text, "${") {
			e.f.Note(t.Pos, t.At, "looks like a variable, but this file has no variables",
				"define the server in .mcp.json with ${NAME}, or in mcpgen.yaml with ${env:NAME}")
		}
	}
}

// remote and local set the launch.
func (e *entry) remote(t endpoint.Transport) {
	e.address.Transport = t
	e.Server.Launch = e.address
}

func (e *entry) local() { e.Server.Launch = e.process }

// required reads a text of a mapping. Its absence is an error.
func (e *entry) required(n *tree.Node, at tree.Path, name string) string {
	v := n.Value(name)
	if v == nil {
		e.fail(n, at.Key(name), "the key is missing", "")
		return ""
	}
	text := e.str(v, at.Key(name))
	if text == "" && v.Kind == tree.String {
		e.fail(v, at.Key(name), "the text is empty", "")
	}
	return text
}
