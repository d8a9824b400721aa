package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
	"golang.org/x/mod/modfile"
)

// configNames are the names under which a configuration is found.
var configNames = [...]string{"mcpgen.yaml", "mcpgen.yml", "mcpgen.json"}

// toolPath is the package of this program, as a go.mod names it.
const toolPath = "github.com/mcpgen/mcpgen/cmd/mcpgen"

// StartOptions say where a first configuration is written.
type StartOptions struct {
	File   string // "" is mcpgen.yaml in the working directory
	Output string // folder of the generated packages, slash-separated; "" is the default
}

// Start is the place of a first configuration, and what was found for it.
type Start struct {
	*starter.Plan
	File string // as it was asked for
	path string // absolute
	tool bool   // go.mod has the tool line

	untrusted bool // a file of the project is not used before the user trusts it
}

// NewStart looks around for a first configuration. A folder that has one, or
// that is in no Go module, is an error of the user's side.
func NewStart(opts StartOptions) (*Start, error) {
	env, err := config.System()
	if err != nil {
		return nil, fail(ExitUsage, err)
	}
	file := cmp.Or(opts.File, configNames[0])
	path, err := filepath.Abs(file)
	if err != nil {
		return nil, fail(ExitUsage, err)
	}
	env.Dir = filepath.Dir(path)
	// Nothing is started here. Who reads the screen and says yes names the files,
	// and mcpgen.yaml does so from then on.
	env.Trusted = func(string, []byte) (reason, hint string) { return "", "" }
	if err := vacant(path); err != nil {
		return nil, fail(ExitUsage, err)
	}
	tool, err := hasTool(env.Dir)
	if err != nil {
		return nil, fail(ExitUsage, err)
	}
	s := &Start{Plan: starter.New(env.Dir, env.Home, config.Discover(env)), File: file, path: path, tool: tool}
	s.Output = opts.Output
	return s, nil
}

// vacant is nil where no configuration stands.
func vacant(path string) error {
	dir := filepath.Dir(path)
	for _, other := range append([]string{path}, inDir(dir)...) {
		switch _, err := os.Lstat(other); {
		case err == nil:
			return fmt.Errorf("%s: there is a configuration already: edit it, or remove it first", other)
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	return nil
}

func inDir(dir string) []string {
	var paths []string
	for _, name := range configNames {
		paths = append(paths, filepath.Join(dir, name))
	}
	return paths
}

// hasTool reports whether the module around dir has this program as a tool.
func hasTool(dir string) (bool, error) {
	path, err := goMod(dir)
	if err != nil {
		return false, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	file, err := modfile.Parse(path, data, nil)
	if err != nil {
		return false, err
	}
	for _, t := range file.Tool {
		if t.Path == toolPath {
			return true, nil
		}
	}
	return file.Module != nil && file.Module.Mod.Path == strings.TrimSuffix(toolPath, "/cmd/mcpgen"), nil
}

// goMod is the path of the go.mod in a folder or above it.
func goMod(dir string) (string, error) {
	for at := dir; ; at = filepath.Dir(at) {
		path := filepath.Join(at, "go.mod")
		switch _, err := os.Stat(path); {
		case err == nil:
			return path, nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		case filepath.Dir(at) == at:
			return "", fmt.Errorf("%s: no go.mod in it or above it: run go mod init first", dir)
		}
	}
}

// Write writes the configuration of what is taken and reads it back. One that
// cannot be read is not left behind: the error says which file is at fault.
func (s *Start) Write() error {
	data, err := s.Render()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(s.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fail(ExitUsage, err)
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	env, noEnv := live.Environment()
	err = errors.Join(err, noEnv)
	if err == nil {
		var project *config.Project
		if project, err = env.Load(s.path); err == nil {
			s.untrusted = slices.ContainsFunc(project.Skipped, func(f config.Skipped) bool { return len(f.Servers) > 0 })
		}
	}
	if err != nil {
		return fail(ExitUsage, errors.Join(err, os.Remove(s.path)))
	}
	return nil
}

// Next are the commands that come after it.
func (s *Start) Next() []string {
	generate := "go tool mcpgen generate"
	if name := filepath.Base(s.path); name != configNames[0] && name != configNames[1] && name != configNames[2] {
		generate += " --config " + name
	}
	next := []string{generate}
	if s.untrusted {
		next = []string{"go tool mcpgen trust add", generate}
	}
	if s.tool {
		return append(next, "go build ./...")
	}
	return append([]string{"go get -tool " + toolPath + "@latest"}, next...)
}
