// Finding mcpgen.yaml and server files.

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
	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
)

// ErrNotFound is [Find]'s error where there is no configuration. The error
// that wraps it says where it was looked for and which commands write one.
var ErrNotFound = errors.New("no mcpgen.yaml found")

// example is the shortest useful file.
const example = `version: 1
servers:
  everything:
    command: npx
    args: [-y, "@modelcontextprotocol/server-everything"]
`

// FileNames are the names of the configuration, of which a folder has one. The first one is
// that of a new file.
func FileNames() []string { return []string{"mcpgen.yaml", "mcpgen.yml", "mcpgen.json"} }

// SafeDirs is the variable of the environment that allows a configuration which [Find]
// refuses: folders, separated as in PATH, each of which stands for all below it as well.
const SafeDirs = "MCPGEN_SAFE_DIRS"

// Find looks for mcpgen.yaml, mcpgen.yml or mcpgen.json in dir and upwards, up to the
// folder with the go.mod, the root of the repository or the user's folder, whichever
// comes first. Where there is none of them it looks in dir alone. The path is relative
// where dir is. Two of the names in one folder are an error; [ErrNotFound] is the error
// if there is none.
//
// A file starts programs. One above dir that somebody else owns or everybody may write
// is therefore refused, unless its folder is one of [SafeDirs].
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
				Reason: "the folder has " + filepath.Base(found[1]) + " too, so it is not clear which one counts"}
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

// searchEnd returns the folder at which the search from start upwards ends, and what it
// is; "" is start itself, if there is nothing at which it would end.
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

// refuseForeign refuses a configuration above the working folder that others have put
// there or may write, save in one of [SafeDirs].
func refuseForeign(path string) error {
	reason := regular.OwnError(path)
	folder := filepath.Dir(path)
	if reason == nil || slices.ContainsFunc(filepath.SplitList(os.Getenv(SafeDirs)), func(safe string) bool {
		rel, err := filepath.Rel(safe, folder)
		return err == nil && filepath.IsAbs(safe) && filepath.IsLocal(rel)
	}) {
		return nil
	}
	return &Error{Path: path, Reason: "not used, since it could start programs of somebody else: " + reason.Error(),
		Steps: []string{"if you trust the folder: set " + SafeDirs + "=" + folder}, cause: reason}
}

// shown is a found path as the user would name it: relative to the working
// directory if dir, whose absolute form is start, is. Where symbolic links make
// that another file it stays absolute.
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
	return hint.With(fmt.Errorf("%w %s (nor .yml, nor .json)", ErrNotFound, where),
		"add a first server: mcpgen add NAME -- COMMAND", "use the servers of other programs: mcpgen init", "name server files: --mcp PATH")
}

// present returns the paths of those names that are files in a folder. An
// error of the file system other than absence is one.
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

// ServerPaths are the paths in the values of a flag such as --mcp, which may be
// given more than once and hold several with commas between them. Empty parts are
// dropped; no path at all is nil. A value that is the name of a file is one path,
// whatever commas it has.
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

// readServerFile reads a server file that somebody named, with --mcp if flag.
func readServerFile(e Environment, path string, flag bool) *dialect.File {
	if slices.Contains(FileNames(), filepath.Base(path)) {
		f := &dialect.File{Report: tree.Report{Path: path}}
		f.Fail(tree.Pos{}, "", "a configuration of mcpgen is not a server file", "name a server file of another tool")
		return f
	}
	return dialect.Read(e.machine(), path, flag)
}
