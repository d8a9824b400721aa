package workspace

// This file reads the go.mod that a project is in.

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"golang.org/x/mod/modfile"
)

// The module of this program, and its package, as a go.mod names them.
const (
	ownModule = "github.com/mcpgen/mcpgen"
	toolPath  = ownModule + "/cmd/mcpgen"
)

// GoCommand is the command line by which the go command starts this program, of a
// version, in a folder: as a tool of the module there, or by its package.
func GoCommand(dir, version string) string {
	module, err := readModule(dir)
	switch {
	case err == nil && hasTool(module):
		return "go tool mcpgen"
	case err == nil && (isOwn(module) || slices.ContainsFunc(module.Require, func(r *modfile.Require) bool { return r.Mod.Path == ownModule })):
		return "go run " + toolPath
	case strings.HasPrefix(version, "v"):
		return "go run " + toolPath + "@" + version
	}
	return "go run " + toolPath
}

// hasTool reports whether a module has this program as a tool.
func hasTool(module *modfile.File) bool {
	return slices.ContainsFunc(module.Tool, func(t *modfile.Tool) bool { return t.Path == toolPath })
}

// isOwn reports whether a module is that of this program.
func isOwn(module *modfile.File) bool {
	return module.Module != nil && module.Module.Mod.Path == ownModule
}

// readModule reads the go.mod in a folder or above it.
func readModule(dir string) (*modfile.File, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	path, err := goMod(dir)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(path, data, nil)
}

// goMod is the path of the go.mod in a folder or above it.
func goMod(dir string) (string, error) {
	folder := starter.FolderWith(dir, "go.mod")
	if folder == "" {
		return "", fmt.Errorf("%s: no go.mod in it or above it: run go mod init first", dir)
	}
	return filepath.Join(folder, "go.mod"), nil
}
