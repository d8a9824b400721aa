// The project that a file belongs to, and where its programs start.

package dialect

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// workspaceOf is the project that a file belongs to: the folder of the file, or
// the one above a folder in which files of a project are. A user's own file belongs
// to none, and is used in the folder of the program.
func (f *File) workspaceOf() string {
	if f.dir == "" {
		return ""
	}
	if f.Scope != ScopeProject && f.Scope != "" {
		return f.m.Dir
	}
	for _, d := range All() {
		for _, folder := range d.folder {
			// One whose name anybody may give to a folder is so for its own system alone.
			if !strings.HasPrefix(folder, ".") && d.Name != f.Dialect.Name {
				continue
			}
			if project, ok := f.m.above(f.dir, folder); ok {
				return project
			}
		}
	}
	return f.dir
}

// above is the folder that has a slash path below it.
func (m Machine) above(path, below string) (string, bool) {
	elements := strings.Split(below, "/")
	for _, element := range slices.Backward(elements) {
		if m.base(path) != element {
			return "", false
		}
		path = m.parent(path)
	}
	return path, true
}

// startIn says where a dialect's programs start.
type startIn uint8

const (
	startHere      startIn = iota // in the program's own working directory
	startWorkspace                // in the project that the file belongs to
	startFile                     // in the folder of the file
)

// startDir is the working directory of a program without one of its own. In
// another scope than a project's it is the program's own.
func (f *File) startDir() string {
	switch f.Dialect.start {
	case startFile:
		return f.dir
	case startWorkspace:
		if f.byContent || f.Scope == ScopeUser || f.Scope == ScopeSystem || f.Scope == ScopeManaged {
			return ""
		}
		return f.workspace
	}
	return ""
}

// inWorkspace makes a path of a file absolute: ~ is the user's folder, names that
// the system knows are replaced, and the rest is relative to where programs start.
func (f *File) inWorkspace(path string) string {
	if path == "" {
		return ""
	}
	if f.vars != nil && len(f.vars.Builtin) > 0 {
		expand := (&texts.Syntax{Forms: []texts.Form{{Open: "${", Close: "}", Builtin: true}}, Builtin: f.vars.Builtin}).Expander()
		if expanded, err := expand(endpoint.FieldCommand, path, func(endpoint.Reference) (string, bool) { return "", false }); err == nil {
			path = expanded
		}
	}
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		if f.m.Home != "" {
			path = f.m.Home + path[1:]
		}
	}
	base := f.workspace
	if f.Dialect.start == startFile {
		base = f.dir
	}
	if f.m.isAbs(path) || base == "" {
		return path
	}
	if f.m.foreign() {
		return f.m.Join(base, path)
	}
	return filepath.Join(base, path)
}
