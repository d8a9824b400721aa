package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/starter"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"golang.org/x/mod/modfile"
)

// Start is a configuration that gets servers, and what was found for it.
type Start struct {
	*starter.Plan
	*Edit
	Unset []string // variables that the taken servers need and that are not set here, sorted
	tool  bool     // go.mod has the tool line

	untrusted bool // a file of the project is not used before the user trusts it
}

// NewStart looks around for servers that a configuration, or a first one, may get. File is
// the configuration; "" is the one that is found, else mcpgen.yaml in the working
// directory. Output is the folder of the generated packages, slash-separated; "" is the
// default. Imports are server files to import wherever they are, or names of systems. A
// folder that is in no Go module is an error of the user's side, and so is a
// configuration that cannot be read.
func NewStart(ctx context.Context, file, output string, imports []string) (*Start, error) {
	env, err := config.System()
	if err != nil {
		return nil, err
	}
	if file == "" {
		if file, err = config.Find("."); errors.Is(err, config.ErrNotFound) {
			file, err = config.FileNames()[0], nil
		}
	}
	if err != nil {
		return nil, err
	}
	edit, err := openEdit(ctx, file)
	if err != nil {
		return nil, err
	}
	path, err := filepath.Abs(edit.File)
	if err != nil {
		return nil, err
	}
	var wanted []string
	for _, name := range imports {
		wanted = append(wanted, importPath(env, name))
	}
	env.Dir = filepath.Dir(path)
	// Nothing is started here. Who reads the screen and says yes names the files,
	// and mcpgen.yaml does so from then on.
	env.Trusted = func(string, []byte) (reason, hint string) { return "", "" }
	module, err := readModule(env.Dir)
	if err != nil {
		return nil, err
	}
	switch {
	case edit.Created:
		edit.before, err = starter.First(output)
	case edit.project == nil:
		err = edit.err
	case output != "" && output != edit.project.Output:
		err = hint.With(fmt.Errorf("--output: %s says %q already", edit.File, edit.project.Output), "edit it there")
	}
	if err != nil {
		return nil, err
	}
	plan, err := starter.New(env.Dir, env.Home, config.Discover(env), starter.Options{Import: wanted, Configured: edit.defined})
	if err != nil {
		return nil, hint.With(fmt.Errorf("--import: %w", err), "list the files that are there: mcpgen config --found")
	}
	return &Start{Plan: plan, Edit: edit, tool: hasTool(module) || isOwn(module)}, nil
}

// importPath is what was given to --import: an absolute path, or the name of a system.
func importPath(env config.Environment, name string) string {
	if below, ok := strings.CutPrefix(name, "~/"); ok {
		return filepath.Join(env.Home, filepath.FromSlash(below))
	}
	if _, err := os.Lstat(name); err != nil {
		return name
	}
	return filepath.Join(env.Dir, filepath.FromSlash(name))
}

// Write reads the configuration with what is taken, then writes it. Of what cannot be read
// the error says which file is at fault.
func (s *Start) Write(ctx context.Context) error {
	var err error
	if s.after, err = s.Apply(s.before); err != nil {
		return fmt.Errorf("%s: %w", s.File, err)
	}
	env, err := live.Environment()
	if err != nil {
		return err
	}
	env.Read = reader([]*Edit{s.Edit})
	project, err := env.Load(s.path)
	if err != nil {
		return err
	}
	if err := s.save(ctx); err != nil {
		return err
	}
	s.untrusted = slices.ContainsFunc(project.Skipped, func(f config.Skipped) bool { return len(f.Servers) > 0 })
	taken := s.Taken()
	for _, server := range project.Servers {
		for _, r := range config.References(server) {
			if _, set := os.LookupEnv(r.Name); r.Kind == endpoint.ReferenceEnv && !set && slices.Contains(taken, server.Name) && !slices.Contains(s.Unset, r.Name) {
				s.Unset = append(s.Unset, r.Name)
			}
		}
	}
	slices.Sort(s.Unset)
	return nil
}

// Next are the commands that come after it. Program is how the user starts this one; a
// module without it as a tool gets it first.
func (s *Start) Next(program string) []string {
	var next []string
	if !s.tool {
		next, program = []string{getTool}, "go tool mcpgen"
	}
	if s.untrusted {
		next = append(next, program+" trust add")
	}
	if name := filepath.Base(s.path); !slices.Contains(config.FileNames(), name) {
		program += " --config " + name
	}
	if len(s.Taken()) == 0 {
		return append(next, program+" add NAME -- COMMAND")
	}
	return append(next, program+" generate")
}

// The module of this program, and its package, as a go.mod names them.
const (
	ownModule = "github.com/mcpgen/mcpgen"
	toolPath  = ownModule + "/cmd/mcpgen"
	getTool   = "go get -tool " + toolPath + "@latest"
)

// GoCommand is the command line by which the go command starts this program, of a
// version, in a folder: as a tool of the module there, or by its package.
func GoCommand(dir, version string) string {
	module, err := readModule(dir)
	switch {
	case err == nil && hasTool(module):
		return "go tool mcpgen"
	case err == nil && requires(module):
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

// requires reports whether packages of a module can import what generated code imports.
func requires(module *modfile.File) bool {
	return isOwn(module) || slices.ContainsFunc(module.Require, func(r *modfile.Require) bool { return r.Mod.Path == ownModule })
}

// Missing is the command that adds what generated code imports to the module; "" if the
// module has it.
func (w *Workspace) Missing() string {
	if module, err := readModule(w.Root); err != nil || requires(module) {
		return ""
	}
	return getTool
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
		return "", hint.With(fmt.Errorf("%s: no go.mod in it or above it", dir), "run go mod init MODULE first")
	}
	return filepath.Join(folder, "go.mod"), nil
}
