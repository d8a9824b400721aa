package starter

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/mcpgen/mcpgen/internal/hint"
)

// This file reads the go.mod of the folder that generated code is written to.

// MissingModule returns the command that adds the module that generated code imports, in this version; "" if the go.mod
// of a folder requires it already.
func MissingModule(dir, version string) string {
	path, err := GoMod(dir)
	if err != nil {
		return ""
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	file, err := modfile.ParseLax(path, data, nil)
	if err != nil || modfile.ModulePath(data) == OwnModule ||
		slices.ContainsFunc(file.Require, func(r *modfile.Require) bool { return r.Mod.Path == OwnModule }) {
		return ""
	}
	if !Published(version) {
		version = "latest"
	}
	return "go get " + OwnModule + "/runtime/live@" + version
}

// GoMod returns the path of the nearest go.mod in a folder or above it.
func GoMod(dir string) (string, error) {
	folder := FolderWith(dir, "go.mod")
	if folder == "" {
		return "", hint.With(fmt.Errorf("%s: neither this folder nor a folder above it has a go.mod", dir),
			"run go mod init MODULE first")
	}
	return filepath.Join(folder, "go.mod"), nil
}
