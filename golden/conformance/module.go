package main

// The module that everything is generated into, and what the go command says of
// it.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/golden/process"
)

// module is a folder with a go.mod.
type module struct {
	dir string
}

func newModule(dir, checkout string) (*module, error) {
	checkout, err := filepath.Abs(checkout)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(checkout, "go.mod")); err != nil {
		return nil, fmt.Errorf("%w: run it from the folder of go.mod, or pass -checkout", err)
	}
	gomod := "module " + moduleName + "\n\ngo 1.26.0\n\nrequire github.com/mcpgen/mcpgen v0.0.0\n\n" +
		"replace github.com/mcpgen/mcpgen => " + filepath.ToSlash(checkout) + "\n"
	return &module{dir}, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(gomod), 0o666)
}

// run runs a program in the module, without a network.
func (m *module) run(ctx context.Context, env []string, name string, args ...string) (process.Usage, error) {
	return process.Run(ctx, m.dir, append([]string{"GOPROXY=off", "GOFLAGS=-mod=mod", "GOWORK=off"}, env...), name, args...)
}

// build writes all packages, and builds, vets and formats them.
func (m *module) build(ctx context.Context, subjects []*subject, r *report) error {
	var files []generator.File
	for _, set := range sets {
		out, err := together(set, subjects)
		if err != nil {
			return err
		}
		files = append(files, out.Files...)
	}
	if len(files) == 0 {
		return errNothing
	}
	if _, err := generator.Write(ctx, m.dir, files, generator.WriteOptions{}); err != nil {
		return err
	}
	for _, step := range []string{"build", "vet"} {
		r.list(step)
		said, err := m.run(ctx, nil, "go", step, "./...")
		if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
			return err
		}
		bad := complaints(said.Stderr)
		if err != nil && len(bad) == 0 {
			return err
		}
		for _, lines := range bad {
			r.fail(step, "%s", lines)
		}
		m.count(step, bad, subjects, r)
	}
	formatted(subjects, r)
	return nil
}

// complaints are what the go command says, by import path.
func complaints(text string) map[string]string {
	out := map[string]string{}
	current := ""
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "# "); ok {
			current, _, _ = strings.Cut(strings.Trim(strings.TrimSpace(name), "[]"), " ")
		}
		if current != "" {
			out[current] += line
		}
	}
	return out
}

func (m *module) count(step string, bad map[string]string, subjects []*subject, r *report) {
	for _, set := range sets {
		good, all := 0, 0
		for _, s := range subjects {
			if s.set != set {
				continue
			}
			all += len(s.schemas)
			_, fails := bad[s.packagePath()]
			if step == "build" {
				s.compiles = s.out != nil && !fails
			}
			if s.compiles && !fails {
				good += len(s.schemas)
			}
		}
		r.share(set+": "+step, good, all, 1000)
	}
}

// formatted compares each file with what gofmt makes of it.
func formatted(subjects []*subject, r *report) {
	good, all := 0, 0
	for _, s := range subjects {
		if s.out == nil {
			continue
		}
		for _, f := range s.out.Files {
			if !strings.HasSuffix(f.Path, ".go") {
				continue
			}
			all++
			again, err := format.Source(f.Data)
			if err == nil && bytes.Equal(again, f.Data) {
				good++
			} else {
				r.fail("build", "%s is not formatted: %v", f.Path, err)
			}
		}
	}
	r.share("all: files as gofmt writes them", good, all, 1000)
}

// compiled are the subjects whose packages build, in a fixed order.
func compiled(subjects []*subject) []*subject {
	return slices.DeleteFunc(slices.Clone(subjects), func(s *subject) bool { return !s.compiles })
}
