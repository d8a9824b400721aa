// The search for mcpgen.yaml and server files.

package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
)

// ErrNotFound is the error of [Find] if there is no configuration. The error that wraps it names the
// folders that were searched and the commands that write a configuration.
var ErrNotFound = errors.New("no mcpgen.yaml found")

// example is a minimal useful file.
const example = `version: 1
servers:
  everything:
    command: npx
    args: [-y, "@modelcontextprotocol/server-everything"]
`

// FileNames returns the possible names of the configuration, of which a folder has one. A new file gets
// the first name.
func FileNames() []string { return []string{"mcpgen.yaml", "mcpgen.yml", "mcpgen.json"} }

// safeDirs is the environment variable that allows configurations which [Find] refuses. It lists folders,
// separated as in PATH; each includes the folders below it.
const safeDirs = "MCPGEN_SAFE_DIRS"

// Find looks for mcpgen.yaml, mcpgen.yml or mcpgen.json in dir and its parents. The search ends at the
// folder with the go.mod, the root of the repository or the user's folder, whichever comes first. If dir
// is below none of them, only dir is searched. The path is relative if dir is. Two of the names in one
// folder are an error. If there is no configuration, the error wraps [ErrNotFound].
//
// A configuration starts programs. A file above dir that another user owns, or that everybody may write,
// is refused, unless its folder is in MCPGEN_SAFE_DIRS.
func Find(dir string) (string, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", unreadable(dir, err, "")
	}
	last, why, err := searchEnd(start, homeOf(os.LookupEnv))
	if err != nil {
		return "", err
	}
	for folder := start; ; folder = filepath.Dir(folder) {
		found, err := present(folder, FileNames())
		switch {
		case err != nil:
			return "", err
		case len(found) > 1:
			return "", &Error{Path: shown(dir, start, found[0]), Steps: []string{"keep one of them"},
				Reason: "the folder has " + filepath.Base(found[1]) + " too, so it is not clear which one is meant"}
		case len(found) == 1:
			if folder != start {
				err = refuseForeign(found[0])
			}
			if err != nil {
				return "", err
			}
			return shown(dir, start, found[0]), nil
		}
		if folder == last {
			return "", notFound(start, last, why)
		}
	}
}

// searchEnd returns the last folder of the search from start upwards, and what that folder is: "" if it
// is start itself, for want of another end.
func searchEnd(start, home string) (folder, why string, err error) {
	user, _ := os.Stat(home)
	for folder = start; ; folder = filepath.Dir(folder) {
		module, err := present(folder, []string{"go.mod"})
		if err != nil {
			return "", "", err
		}
		_, noRepository := os.Lstat(filepath.Join(folder, ".git"))
		info, _ := os.Stat(folder)
		switch {
		case len(module) > 0:
			return folder, "the folder of go.mod", nil
		case noRepository == nil:
			return folder, "the root of the repository", nil
		case user != nil && info != nil && os.SameFile(user, info):
			return folder, "your home folder", nil
		case filepath.Dir(folder) == folder:
			return start, "", nil
		}
	}
}

// refuseForeign refuses a configuration above the working folder that other users own or may write,
// unless its folder is in MCPGEN_SAFE_DIRS.
func refuseForeign(path string) error {
	reason := regular.OwnError(path)
	folder := filepath.Dir(path)
	if reason == nil || slices.ContainsFunc(filepath.SplitList(os.Getenv(safeDirs)), func(safe string) bool {
		rel, err := filepath.Rel(safe, folder)
		return err == nil && filepath.IsAbs(safe) && filepath.IsLocal(rel)
	}) {
		return nil
	}
	return &Error{Path: path, Reason: "not used, because another user could make it start programs: " + reason.Error(),
		Steps: []string{"if you trust the folder: set " + safeDirs + "=" + folder}, cause: reason}
}

// shown returns a found path as the user would write it: relative to the working directory if dir is,
// whose absolute form is start. The path stays absolute if the relative one leads to another file because
// of symbolic links.
func shown(dir, start, found string) string {
	if filepath.IsAbs(dir) {
		return found
	}
	rel, err := filepath.Rel(start, found)
	if err != nil {
		return found
	}
	rel = filepath.Join(dir, rel)
	is, err := os.Stat(rel)
	if err != nil {
		return found
	}
	want, err := os.Stat(found)
	if err != nil || !os.SameFile(is, want) {
		return found
	}
	return rel
}

func notFound(first, last, why string) error {
	where := "in " + first
	if first != last {
		where += " and above it up to " + last
	}
	if why != "" {
		where += " (" + why + ")"
	}
	return hint.With(fmt.Errorf("%w %s (mcpgen also looked for .yml and .json)", ErrNotFound, where),
		"add a first server: mcpgen add NAME -- COMMAND", "use the servers of other programs: mcpgen init",
		"name server files: --mcp PATH")
}

// present returns the paths of the names that are files in a folder. Absence of a file is not an error;
// other failures are.
func present(dir string, names []string) ([]string, error) {
	var found []string
	for _, name := range names {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		switch {
		case err == nil && info.Mode().IsRegular():
			found = append(found, path)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, unreadable(path, err, "")
		}
	}
	return found, nil
}

// ServerPaths returns the paths in the values of a flag such as --mcp. The flag may be repeated, and each
// value may hold several paths separated by commas. Empty parts are dropped, and without any path the
// result is nil. A value that is the name of an existing file is one path, even if it contains commas.
func ServerPaths(values []string) []string {
	var paths []string
	for _, value := range values {
		if _, err := os.Stat(value); err == nil {
			paths = append(paths, value)
			continue
		}
		for part := range strings.SplitSeq(value, ",") {
			if part = strings.TrimSpace(part); part != "" {
				paths = append(paths, part)
			}
		}
	}
	return paths
}

// readServerFile reads a server file that the user named; flag means with --mcp.
func readServerFile(e Environment, path string, flag bool) *dialect.File {
	if slices.Contains(FileNames(), filepath.Base(path)) {
		f := &dialect.File{Report: tree.Report{Path: path}}
		f.Fail(tree.Pos{}, "", "a configuration of mcpgen is not a server file",
			"give the path of another program's server file")
		return f
	}
	return dialect.Read(e.machine(), path, flag)
}
