// One file of another system, read by its dialect.

package config

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// serverFile reads the rows of one file of another system.
type serverFile struct {
	report
	env       Environment
	dialect   dialect
	vars      *syntax
	scope     string
	dir       string // absolute folder of the file; "" if unknown
	workspace string // absolute folder of the project that the file belongs to; "" if none
	byContent bool   // its path says nothing about its system, so nothing about a project
	searched  bool   // found by searching: a file without servers is no mistake
	byFlag    bool   // --mcp names it: what is no server file of any form is that flag's system's
	absent    bool   // there is no such file
	unread    string // why the whole file is left out; "" if it is not

	text      []byte     // what was read
	root      *tree.Node // nil if the file cannot be read
	rows      []row
	broken    []row    // those that mean nothing: their names and places
	lost      []string // names of rows that their system leaves out, as wrong
	manifest  *Manifest
	catalogue *catalogue
}

// namedBy says who wants a server file. The zero value is an import.
type namedBy struct {
	inFolder bool     // somebody named its folder
	byFlag   bool     // --mcp names it, or its folder
	known    *dialect // what it is read as; nil: its path and content decide
}

// readServerFile reads a server file that somebody named, or whose folder. The path
// is opened as it is and named so in errors.
func readServerFile(env Environment, path string, by namedBy) *serverFile {
	f := &serverFile{report: report{path: path}, env: env, searched: by.inFolder, byFlag: by.byFlag}
	if slices.Contains(fileNames(), filepath.Base(path)) {
		f.fail(tree.Pos{}, "", "a configuration of mcpgen is no server file", "name a server file of another tool")
		return f
	}
	abs := path
	if !env.isAbs(path) {
		if made, err := filepath.Abs(path); err == nil {
			abs = made
		}
	}
	f.scope = scopeOf(env, abs)
	f.open(path, abs, by.known)
	return f
}

// open reads the file. Without a dialect its path and content decide.
func (f *serverFile) open(path, abs string, known *dialect) {
	data, err := f.env.read(path)
	if err != nil {
		f.absent = isMissing(err)
		f.errs = append(f.errs, unreadable(path, err, ""))
		switch {
		case known != nil:
			f.dialect = *known
		case f.byFlag && isFlagged(f.env, abs):
			f.dialect = flagged()
		}
		f.forgiveFile()
		return
	}
	f.dir, f.text = f.env.parent(abs), data
	f.parse(data, abs, known)
}

// parse reads the text of the file.
func (f *serverFile) parse(data []byte, abs string, known *dialect) {
	root, problems := parserOf(abs)(data)
	f.problems(problems)
	f.root = root
	switch {
	case known != nil:
		f.dialect = *known
	case root == nil:
		f.dialect = dialectByPath(f.env, abs)
	default:
		f.dialect = detect(f.env, abs, root)
		f.byContent = !f.dialect.path(f.env.parts(abs))
	}
	if known == nil && f.byFlag && !isServerFile(f.dialect, root) && isFlagged(f.env, abs) {
		f.dialect = flagged()
	}
	if root != nil {
		f.workspace = f.workspaceOf()
		f.vars = f.dialect.vars(f)
		if root.Kind != tree.Map {
			f.fail(root.Pos, "", "want a mapping, found "+root.Kind.String(), `begin with {"mcpServers": {`)
		} else {
			f.doubles(root, "")
			f.dialect.read(f, root)
		}
	}
	f.forgiveFile()
}

// isServerFile reports whether a content is a server file of some form.
func isServerFile(d dialect, root *tree.Node) bool {
	if root == nil {
		return false
	}
	servers := root.Value("servers")
	return d.name != plainName || root.Value("mcpServers") != nil || servers != nil && (servers.Kind == tree.Map || servers.Kind == tree.List)
}

func parserOf(path string) func([]byte) (*tree.Node, []tree.Problem) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yaml", ".yml":
		return tree.ParseYAML
	case ".toml":
		return tree.ParseTOML
	}
	return tree.ParseJSON
}

// forgive makes notices of the errors from a count on.
func (f *serverFile) forgive(from int, suffix string) {
	for _, e := range f.errs[from:] {
		text := e.Reason + suffix
		if e.Hint != "" {
			text += "; " + e.Hint
		}
		f.notices = append(f.notices, Notice{Path: e.Path, Line: e.Line, Column: e.Column, Text: text})
	}
	f.errs = f.errs[:from]
}

// forgiveFile makes notices of all errors where the file's system goes on
// without the file. That there is none such is no news.
func (f *serverFile) forgiveFile() {
	if !f.dialect.lenient {
		return
	}
	if len(f.errs) > 0 {
		f.unread = f.errs[0].Reason
	}
	f.forgive(0, "; the file is left out")
}

// source is where a row of the file stands.
func (f *serverFile) source(line int) endpoint.Source {
	return endpoint.Source{Path: f.path, Line: line, Format: f.dialect.name, Scope: f.scope}
}

// doubles notes keys that are written twice. Other readers take the last one,
// so it counts here too.
func (f *serverFile) doubles(n *tree.Node, at tree.Path) {
	if n == nil {
		return
	}
	for _, m := range n.Shadowed {
		f.notice(m.Pos, at.Key(m.Name), "the key is written twice, the last one counts")
	}
}

// rowsAt reads the rows of a mapping, or of a list where the format has one.
func (f *serverFile) rowsAt(v *tree.Node, at tree.Path, lists bool) {
	switch {
	case v.Kind == tree.Map:
		f.doubles(v, at)
		for _, m := range v.Members {
			f.row(m.Name, m.Pos, m.Value, at.Key(m.Name))
		}
	case v.Kind == tree.List && lists:
		for i, n := range v.List {
			f.element(n, at.Index(i))
		}
	default:
		f.fail(v.Pos, at, "want a mapping of servers, found "+v.Kind.String(), "")
	}
}

// element reads one server of the list form.
func (f *serverFile) element(n *tree.Node, at tree.Path) {
	before := len(f.errs)
	name := n.Value("name")
	switch {
	case n.Kind != tree.Map:
		f.fail(n.Pos, at, "want a mapping, found "+n.Kind.String(), "")
	case name == nil:
		f.fail(n.Pos, at, "the server has no name", "")
	case name.Kind != tree.String:
		f.fail(name.Pos, at.Key("name"), "want a string, found "+name.Kind.String(), "")
	default:
		f.row(name.Text, n.Pos, n.Without("name"), at)
		return
	}
	if f.dialect.lenient {
		f.unread = f.errs[before].Reason // it is not known which server that is
		f.forgive(before, "; the server is left out")
	}
}

// below walks into mappings. It reports what is missing, unless the file was
// found by searching.
func (f *serverFile) below(root *tree.Node, names ...string) (*tree.Node, tree.Path, bool) {
	n, at := root, tree.Path("")
	for _, name := range names {
		m, ok := n.Get(name)
		if !ok {
			if !f.searched {
				f.fail(root.Pos, "", "no "+strings.Join(names, ".")+" in it", "this is how "+f.dialect.name+" names its servers; name another file")
			}
			return nil, "", false
		}
		n, at = m.Value, at.Key(name)
	}
	return n, at, true
}

// in makes a reader of the rows of one mapping.
func in(names ...string) func(*serverFile, *tree.Node) {
	return func(f *serverFile, root *tree.Node) {
		if v, at, ok := f.below(root, names...); ok {
			f.rowsAt(v, at, false)
		}
	}
}
