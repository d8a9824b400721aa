// The project that a file belongs to, and where its programs start.

package dialect

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// workspaceOf returns the project that a file belongs to: the file's folder, or the parent of a settings
// folder. A user's own file belongs to no project, and is used in the folder of the program.
func (f *File) workspaceOf() string {
	if f.dir == "" {
		return ""
	}
	if f.Scope != ScopeProject && f.Scope != "" {
		return f.m.Dir
	}
	for _, d := range All() {
		for _, folder := range d.folder {
			// A folder with a common name is a settings folder only for its own system.
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

// above returns the folder that a slash path is relative to, if path ends with it.
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

// startIn is where a dialect's programs start.
type startIn uint8

const (
	startHere      startIn = iota // in the program's own working directory
	startWorkspace                // in the project that the file belongs to
	startFile                     // in the folder of the file
)

// startDir returns the default working directory of a program. It is "", the program's own, if the file
// is not a project's.
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

// inWorkspace makes a path of a file absolute: ~ is the user's folder, built-in names are replaced, and
// other paths are relative to the workspace.
func (f *File) inWorkspace(path string) string {
	if path == "" {
		return ""
	}
	if f.vars != nil && len(f.vars.Builtin) > 0 {
		forms := []texts.Form{{Open: "${", Close: "}", Builtin: true}}
		expand := (&texts.Syntax{Forms: forms, Builtin: f.vars.Builtin}).Expander()
		none := func(endpoint.Reference) (string, bool) { return "", false }
		if expanded, err := expand(endpoint.FieldCommand, path, none); err == nil {
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
