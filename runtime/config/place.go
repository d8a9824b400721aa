// Paths by the rule of an environment's system, and what a file's folder means.

package config

import (
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// foreign reports whether e is a machine of another kind than this one, so that
// path/filepath does not know its paths.
func (e Environment) foreign() bool { return e.OS == "windows" && runtime.GOOS != "windows" }

// parent is the folder of a path.
func (e Environment) parent(path string) string {
	if !e.foreign() {
		return filepath.Dir(path)
	}
	i := strings.LastIndexAny(path, `\/`)
	if i < 0 {
		return "."
	}
	if i == 2 && path[1] == ':' {
		return path[:3]
	}
	return path[:max(i, 1)]
}

// base is the last element of a path.
func (e Environment) base(path string) string {
	if !e.foreign() {
		return filepath.Base(path)
	}
	return path[strings.LastIndexAny(path, `\/`)+1:]
}

// same reports whether two paths are spelled alike on e's system.
func (e Environment) same(a, b string) bool {
	a, b = strings.ReplaceAll(a, `\`, "/"), strings.ReplaceAll(b, `\`, "/")
	if e.OS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// settingsFolders are the folders in which systems keep the files of a project:
// the project is the folder above.
func settingsFolders() []string {
	return []string{".vscode", ".cursor", ".agents", ".tallow", ".gemini", ".indusvx", ".zed", ".codex", ".opencode", ".kiro", ".roo", "config"}
}

// workspaceOf is the project that a file belongs to: the folder of the file, or
// the one above a folder that is for settings. A user's own file belongs to
// none, and is used in the folder of the program.
func (f *serverFile) workspaceOf() string {
	if f.dir == "" {
		return ""
	}
	if f.scope != scopeProject && f.scope != "" {
		return f.env.Dir
	}
	folder := f.dir
	if f.env.base(folder) == "settings" && f.env.base(f.env.parent(folder)) == ".kiro" {
		folder = f.env.parent(folder)
	}
	for _, name := range settingsFolders() {
		if f.env.base(folder) == name && (name != "config" || f.dialect.name == "mcporter") {
			return f.env.parent(folder)
		}
	}
	return folder
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
func (f *serverFile) startDir() string {
	switch f.dialect.start {
	case startFile:
		return f.dir
	case startWorkspace:
		if f.byContent || f.scope == scopeUser || f.scope == scopeSystem || f.scope == scopeManaged {
			return ""
		}
		return f.workspace
	}
	return ""
}

// inWorkspace makes a path of a file absolute: ~ is the user's folder, names that
// the system knows are replaced, and the rest is relative to where programs start.
func (f *serverFile) inWorkspace(path string) string {
	if path == "" {
		return ""
	}
	if f.vars != nil && len(f.vars.builtin) > 0 {
		expand := (&syntax{forms: []form{{open: "${", close: "}", builtin: true}}, builtin: f.vars.builtin}).expander()
		if expanded, err := expand(endpoint.FieldCommand, path, func(string) (string, bool) { return "", false }); err == nil {
			path = expanded
		}
	}
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		if f.env.Home != "" {
			path = f.env.Home + path[1:]
		}
	}
	base := f.workspace
	if f.dialect.start == startFile {
		base = f.dir
	}
	if f.env.isAbs(path) || base == "" {
		return path
	}
	if f.env.foreign() {
		return f.env.join(base, path)
	}
	return filepath.Join(base, path)
}
