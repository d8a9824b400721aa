package starter

// This file finds how the go command starts mcpgen in a module.

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// The module of mcpgen, and its package with the command.
const (
	OwnModule = "github.com/mcpgen/mcpgen"
	ToolPath  = OwnModule + "/cmd/mcpgen"
)

// modName matches names of files that need no quotes, in a shell or a directive.
var modName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9._-]+\.mod$`) })

// Tool returns the command that starts mcpgen in a folder as a tool of its Go module: of the nearest go.mod,
// or of another file beside that, such as tools.mod. The command is "" if no such file has the tool.
func Tool(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	root := FolderWith(dir, "go.mod")
	entries, err := os.ReadDir(root)
	if err != nil {
		return ""
	}
	if hasTool(filepath.Join(root, "go.mod")) {
		return "go tool mcpgen"
	}
	i := slices.IndexFunc(entries, func(e os.DirEntry) bool {
		return modName().MatchString(e.Name()) && hasTool(filepath.Join(root, e.Name()))
	})
	if i < 0 {
		return ""
	}
	return "go tool -modfile=" + Below(dir, filepath.Join(root, entries[i].Name())) + " mcpgen"
}

// GoCommand returns the command line with which the go command starts a version of mcpgen in a folder: as
// a tool of the module there, or by its package.
func GoCommand(dir, version string) string {
	if tool := Tool(dir); tool != "" {
		return tool
	} else if !Published(version) {
		return "go run " + ToolPath
	}
	return "go run " + ToolPath + "@" + version
}

// Published reports whether the go command can fetch a version: a build from a checkout has another version.
func Published(version string) bool {
	return semver.IsValid(version) && semver.Build(version) == "" && !module.IsZeroPseudoVersion(version)
}

// hasTool reports whether a file in the format of go.mod has mcpgen as a tool.
func hasTool(path string) bool {
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), ToolPath) {
		return false
	}
	file, err := modfile.Parse(path, data, nil)
	return err == nil && slices.ContainsFunc(file.Tool, func(t *modfile.Tool) bool { return t.Path == ToolPath })
}
