package main

// Generating the subjects, each by itself and all at once.

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/internal/gopkg"
)

// moduleName is the module that everything is generated into; real servers and
// hard schemas have a folder each.
const moduleName = "example.com/conformance"

func generate(set string, servers ...generator.Server) (*generator.Output, error) {
	return generator.Generate(context.Background(), generator.Options{Output: set, ImportPath: path.Join(moduleName, set), Servers: servers})
}

// generateAll generates each subject, and tells how many schemas have types and
// how long all of it takes in one process.
func generateAll(subjects []*subject, r *report) {
	r.heading("Generate, build, vet, format (schemas)")
	r.list("generate")
	for _, s := range subjects {
		if err := s.generate(r); err != nil {
			r.fail("generate", "%s: %v", s.name, err)
		}
		for _, name := range s.twice {
			r.fail("warnings", "%s/%s: listed twice: only the first is measured", s.name, name)
		}
	}
	for _, set := range sets {
		good, all := 0, 0
		for _, s := range subjects {
			if s.set == set {
				good, all = good+s.generated(r), all+len(s.schemas)
			}
		}
		r.share(set+": generate", good, all, 1000)
	}
	timeGeneration(subjects, r)
}

// generate generates a subject alone, so that one that fails costs no other.
func (s *subject) generate(r *report) error {
	var err error
	if s.server, err = project.Lock(s.snapshot); err != nil {
		return err
	}
	s.server.PlaceNames = true // they say which tools a type belongs to
	out, err := generate(s.set, s.server)
	if err != nil {
		return err
	}
	s.out, s.tools = out, map[string]generator.GoTool{}
	s.places = placesOf(s.goFiles())
	for _, t := range out.Tools {
		s.tools[t.Tool] = t.Go
	}
	for _, w := range out.Warnings {
		r.fail("warnings", "%s", w)
	}
	return nil
}

// generated counts the schemas that have types.
func (s *subject) generated(r *report) int {
	n := 0
	for _, t := range s.schemas {
		if _, ok := s.tools[t.tool]; ok {
			n++
		} else {
			r.fail("generate", "%s: no code for it", t)
		}
	}
	return n
}

// timeGeneration generates all servers at once, as a project with all of them
// would. The first run has already been, with cold caches.
func timeGeneration(subjects []*subject, r *report) {
	var servers []generator.Server
	for _, s := range subjects {
		if s.set == setReal && s.out != nil {
			servers = append(servers, s.server)
		}
	}
	if len(servers) == 0 {
		return
	}
	start := time.Now()
	if _, err := generate(setReal, servers...); err != nil {
		r.fail("generate", "all servers at once: %v", err)
		return
	}
	r.note("real: time to generate all, one process", "%.2f s", time.Since(start).Seconds())
}

// packagePath is the import path of a subject's package.
func (s *subject) packagePath() string {
	return path.Join(moduleName, s.set, s.packageName())
}

func (s *subject) packageName() string { return gopkg.Of(s.name) }

// goFiles are the Go files of the subject's own package, by name. The shim is
// everybody's, and the package of fakes and the examples are only for tests.
func (s *subject) goFiles() map[string][]byte {
	files := map[string][]byte{}
	folder := path.Join(s.set, s.packageName())
	for _, f := range s.out.Files {
		if path.Dir(f.Path) == folder && strings.HasSuffix(f.Path, ".go") && !strings.HasSuffix(f.Path, "_test.go") {
			files[path.Base(f.Path)] = f.Data
		}
	}
	return files
}

var errNothing = errors.New("nothing was generated: every server failed")

// together generates the subjects of a set that generate alone.
func together(set string, subjects []*subject) (*generator.Output, error) {
	var servers []generator.Server
	for _, s := range subjects {
		if s.set == set && s.out != nil {
			servers = append(servers, s.server)
		}
	}
	if len(servers) == 0 {
		return &generator.Output{}, nil
	}
	out, err := generate(set, servers...)
	if err != nil {
		return nil, fmt.Errorf("the %s servers in one project: %w", set, err)
	}
	return out, nil
}
