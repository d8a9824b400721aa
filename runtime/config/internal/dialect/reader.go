// One file of a system, read by its dialect.

package dialect

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// File is one file of a system, and its content.
type File struct {
	tree.Report
	Dialect Dialect
	Scope   string // whose file it is; "" if unknown

	Rows     []Row
	Broken   []Row     // unusable rows: only their names and places are known
	Lost     []string  // names of invalid rows that their system ignores
	Manifest *Manifest // the rest of an agent's manifest, if the file is one
	Text     []byte    // the content that was read
	Absent   bool      // the file does not exist
	Unread   string    // why the whole file is ignored; "" if it is not

	// Searched says that the file was found by searching, so it is not an error if it has no servers.
	Searched bool

	m         Machine
	vars      *texts.Syntax
	dir       string     // absolute folder of the file; "" if unknown
	workspace string     // absolute folder of the project that the file belongs to; "" if none
	byContent bool       // its path identifies no system, and so no project
	ofProject bool       // see IsProjects
	byFlag    bool       // --mcp names it: a file of no dialect then belongs to the system that owns the flag
	root      *tree.Node // nil if the file cannot be read
	catalogue *catalogue
}

// Read reads a server file that the user named, in an import or with --mcp, the flag of one system.
// Errors contain the path as given.
func Read(m Machine, path string, flag bool) *File {
	f := &File{Report: tree.Report{Path: path}, m: m, byFlag: flag}
	abs := path
	if !m.isAbs(path) {
		if made, err := filepath.Abs(path); err == nil {
			abs = made
		}
	}
	f.Scope = scopeOf(m, abs)
	f.open(path, abs, nil)
	f.ofProject = f.Scope == ScopeProject || f.Scope == "" && m.parts(abs).end(f.Dialect.InProject()...)
	return f
}

// Read reads a file at one of the dialect's locations, which the user did not name.
func (d Dialect) Read(m Machine, at Location) *File {
	f := &File{
		Report: tree.Report{Path: at.Path}, m: m, Scope: at.Scope, Searched: true,
		Dialect: d, ofProject: at.Scope == ScopeProject,
	}
	f.open(at.Path, at.Path, &d)
	return f
}

// scopeOf returns whose file a path is, by the locations of all dialects.
func scopeOf(m Machine, path string) string {
	for _, d := range All() {
		for _, at := range d.places(m) {
			if at.Path == "" || at.Scope == ScopeLocal || !m.same(at.Path, path) {
				continue
			}
			return at.Scope
		}
	}
	return ""
}

// IsOwn reports whether a file that was found by searching belongs to its dialect: other programs may use
// the name for files of another form.
func (f *File) IsOwn() bool { return f.Dialect.owns == nil || f.Dialect.owns(f) }

// IsProjects reports whether a file is where its system keeps the file of a project, this one or another.
func (f *File) IsProjects() bool { return f.ofProject }

// isMapping reports whether the file could be read and is a mapping.
func (f *File) isMapping() bool { return f.root != nil && f.root.Kind == tree.Map }

// open reads the file. If known is nil, path and content determine the dialect.
func (f *File) open(path, abs string, known *Dialect) {
	data, err := f.m.ReadFile(path, MaxFile)
	if err != nil {
		f.Absent = errors.Is(err, fs.ErrNotExist)
		f.Errors = append(f.Errors, tree.Unreadable(path, err))
		switch {
		case known != nil:
			f.Dialect = *known
		case f.byFlag && IsFlagged(f.m, abs):
			f.Dialect = Flagged()
		}
		f.forgiveFile()
		if f.Dialect.Name == "" {
			// Names and rules of the project must not depend on whose machine has the file.
			f.Dialect = dialectByPath(f.m, abs)
		}
		return
	}
	f.dir, f.Text = f.m.parent(abs), data
	f.parse(data, abs, known)
}

// parse reads the text of the file.
func (f *File) parse(data []byte, abs string, known *Dialect) {
	root := tree.Parse(&f.Report, abs, data)
	f.root = root
	switch {
	case known != nil:
		f.Dialect = *known
	case root == nil:
		f.Dialect = dialectByPath(f.m, abs)
	default:
		f.Dialect = detect(f, abs)
		f.byContent = !f.m.parts(abs).end(f.Dialect.names...)
	}
	if known == nil && f.byFlag && !isServerFile(f.Dialect, root) && IsFlagged(f.m, abs) {
		f.Dialect = Flagged()
	}
	if root != nil {
		f.workspace = f.workspaceOf()
		if f.Dialect.vars != nil {
			f.vars = f.Dialect.vars(f)
		}
		if root.Kind != tree.Map {
			f.Fail(root.Pos, "", "want a mapping, found "+root.Kind.String(), `begin with {"mcpServers": {`)
		} else {
			f.NoteDoubles(root, "")
			f.readRows(root)
		}
	}
	for _, e := range f.Errors {
		if e.Text == tree.Empty && !f.Dialect.Lenient {
			e.Steps = []string{f.Dialect.Step()}
			if known == nil {
				e.Steps = StepsAt(f.m, abs)
			}
		}
	}
	f.forgiveFile()
}

// isServerFile reports whether a content is a server file of any form.
func isServerFile(d Dialect, root *tree.Node) bool {
	if root == nil {
		return false
	}
	servers := root.Value("servers")
	return d.Name != plainName || root.Value("mcpServers") != nil ||
		servers != nil && (servers.Kind == tree.Map || servers.Kind == tree.List)
}

// forgive turns the errors from index from on into notices.
func (f *File) forgive(from int, suffix string) {
	for _, e := range f.Errors[from:] {
		f.Notices = append(f.Notices, &tree.Finding{Position: e.Position, Text: e.Text + suffix, Steps: e.Steps})
	}
	f.Errors = f.Errors[:from]
}

// forgiveFile turns all errors into notices if the file's system ignores broken files, except for an
// imported file. For a missing file there is no notice.
func (f *File) forgiveFile() {
	if !f.Dialect.Lenient || !f.Searched && !f.byFlag {
		return
	}
	if len(f.Errors) > 0 {
		f.Unread = f.Errors[0].Text
	}
	f.forgive(0, "; the file is left out")
}

// source returns the place of a row of the file.
func (f *File) source(line int) endpoint.Source {
	return endpoint.Source{Path: f.Path, Line: line, Format: f.Dialect.Name, Scope: f.Scope}
}

// rowsAt reads the rows of a mapping, or of a list if the format has one.
func (f *File) rowsAt(v *tree.Node, at tree.Path, lists bool) {
	switch {
	case v.Kind == tree.Map:
		f.NoteDoubles(v, at)
		for _, m := range v.Members {
			f.row(m.Name, m.Pos, m.Value, at.Key(m.Name))
		}
	case v.Kind == tree.List && lists:
		for i, n := range v.List {
			f.element(n, at.Index(i))
		}
	default:
		f.Fail(v.Pos, at, "want a mapping of servers, found "+v.Kind.String())
	}
}

// element reads one server of the list form.
func (f *File) element(n *tree.Node, at tree.Path) {
	before := len(f.Errors)
	name := n.Value("name")
	switch {
	case n.Kind != tree.Map:
		f.Fail(n.Pos, at, "want a mapping, found "+n.Kind.String())
	case name == nil:
		f.Fail(n.Pos, at, "the server has no name")
	case name.Kind != tree.String:
		f.Fail(name.Pos, at.Key("name"), "want a string, found "+name.Kind.String())
	default:
		f.row(name.Text, n.Pos, n.Without("name"), at)
		return
	}
	if f.Dialect.Lenient {
		f.Unread = f.Errors[before].Text // the server's name is unknown
		f.forgive(before, "; the server is left out")
	}
}

// below follows the names of nested mappings. It reports a missing one, unless the file was found by
// searching.
func (f *File) below(root *tree.Node, names ...string) (*tree.Node, tree.Path, bool) {
	n, at := root, tree.Path("")
	for _, name := range names {
		m, ok := n.Get(name)
		if !ok {
			if !f.Searched {
				list := strings.Join(names, ".")
				f.Fail(root.Pos, "", "no "+list+" in it", "name another file: "+f.Dialect.Name+" lists its servers under "+list)
			}
			return nil, "", false
		}
		n, at = m.Value, at.Key(name)
	}
	return n, at, true
}

// readRows reads the rows of the file with its dialect.
func (f *File) readRows(root *tree.Node) {
	if f.Dialect.read != nil {
		f.Dialect.read(f, root)
	} else {
		f.mapping(root)
	}
}

// mapping reads the rows of the dialect's mapping.
func (f *File) mapping(root *tree.Node) {
	if v, at, ok := f.below(root, f.Dialect.rows); ok {
		f.rowsAt(v, at, false)
	}
}
