package workspace

// This file is for --mcp in a folder with an mcpgen.yaml: the lock there belongs to the
// servers of that mcpgen.yaml.

import (
	"path/filepath"
	"slices"

	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
)

// keepOwn takes the entries out of the lock that are about other servers than those
// that --mcp names, though they are called the same. A server is the locked one if it
// has the locked launch, or if mcpgen.yaml has it from the same file: then a launch
// that changed is one to accept before it is started. Without an mcpgen.yaml beside
// the lock, the lock is of the servers of --mcp.
func (w *Workspace) keepOwn() {
	if len(w.opts.MCP) == 0 || !w.Locked {
		return
	}
	path, err := config.Find(w.Root)
	if err != nil || filepath.Dir(path) != w.Root {
		return
	}
	env, err := live.Environment()
	if err != nil {
		return
	}
	own, _ := env.Load(path)
	if own == nil {
		return // which servers it has is not known, so the lock counts
	}
	for _, s := range w.Project.Servers {
		owned := slices.ContainsFunc(own.Definitions, func(d config.Definition) bool {
			return d.Server.Name == s.Name && w.samePath(d.Server.Source.Path, s.Source.Path)
		})
		if owned || w.launchChange(s) == nil {
			continue
		}
		delete(w.Lock.Servers, s.Name)
		w.opts.Console.Note("%sserver %q: not the one that %s has under this name, so it is not compared with %s",
			s.Source.Prefix(), s.Name, filepath.Base(path), LockName)
	}
}

// samePath compares paths as they are written in sources.
func (w *Workspace) samePath(a, b string) bool {
	abs := func(path string) string {
		if filepath.IsAbs(path) {
			return filepath.Clean(path)
		}
		return filepath.Join(w.Root, path)
	}
	return abs(a) == abs(b)
}
