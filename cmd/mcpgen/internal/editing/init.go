package editing

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
)

// Start is a configuration to which servers are added, and what was found for it.
type Start struct {
	*starter.Plan
	*Edit
	Unset []string // unset variables that the selected servers need, sorted

	untrusted bool // a file of the project is ignored until the user trusts it
}

// NewStart searches for servers to add to a configuration, or to a new one. File is the configuration; ""
// searches for it, with mcpgen.yaml in the working directory as the default. Output is the folder of the
// generated packages, slash-separated; "" is the default. Imports are server files to import regardless
// of their place, or names of systems. It is an error on the user's side if the folder is in no Go
// module, or the configuration cannot be read.
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
	// Nothing is started here. The user reviews the files and confirms them, and from then on mcpgen.yaml
	// names them.
	env.Trusted = func(string, []byte) (reason, hint string) { return "", "" }
	if _, err := starter.GoMod(env.Dir); err != nil {
		return nil, err
	}
	switch {
	case edit.Created:
		edit.Before, err = starter.First(output)
	case edit.project == nil:
		err = edit.err
	case output != "" && output != edit.project.Output:
		err = hint.With(fmt.Errorf("--output: %s already sets output: %q", edit.File, edit.project.Output), "edit it there")
	}
	if err != nil {
		return nil, err
	}
	plan, err := starter.New(env.Dir, env.Home, config.Discover(env),
		starter.Options{Import: wanted, Configured: edit.defined})
	if err != nil {
		return nil, hint.With(fmt.Errorf("--import: %w", err),
			"list the server files that mcpgen finds: mcpgen config --found")
	}
	return &Start{Plan: plan, Edit: edit}, nil
}

// importPath resolves a value of --import: an absolute path, or the name of a system. The name of every
// server file has a dot, so that a word without one is a system, whatever the folder has.
func importPath(env config.Environment, name string) string {
	if below, ok := strings.CutPrefix(name, "~/"); ok {
		return filepath.Join(env.Home, filepath.FromSlash(below))
	}
	if !strings.ContainsAny(name, `./\`) || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(env.Dir, filepath.FromSlash(name))
}

// Write adds the selected servers, reads the new configuration as a check, and writes it. If it cannot be
// read, the error names the file at fault.
func (s *Start) Write(ctx context.Context) error {
	var err error
	if s.After, err = s.Apply(s.Before); err != nil {
		return fmt.Errorf("%s: %w", s.File, err)
	}
	env, err := live.Environment()
	if err != nil {
		return err
	}
	env.Read = Reader([]*Edit{s.Edit})
	project, err := env.Load(s.Path)
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
			_, set := os.LookupEnv(r.Name)
			if !set && r.Kind == endpoint.ReferenceEnv && slices.Contains(taken, server.Name) {
				s.Unset = append(s.Unset, r.Name)
			}
		}
	}
	slices.Sort(s.Unset)
	s.Unset = slices.Compact(s.Unset)
	return nil
}

// Next returns the next commands. Program is how the user starts mcpgen.
func (s *Start) Next(program string) []string {
	var next []string
	if s.untrusted {
		next = append(next, program+" trust add")
	}
	if name := filepath.Base(s.Path); !slices.Contains(config.FileNames(), name) {
		program += " --config " + name
	}
	if len(s.Taken()) == 0 {
		return append(next, program+" add NAME -- COMMAND")
	}
	return append(next, program+" generate")
}
