// Package gogen renders decisions as Go source.
//
// It is the only importer of jennifer, which quotes literals and tracks imports
// but protects neither comments nor identifiers. So three doors stand around it:
// comments are made by comment.go alone, every identifier is checked before
// anything is rendered (names.go), and what was rendered is parsed, compared
// with a plan that was made from the decisions alone, and type-checked
// (plan.go, check.go) before a byte of it is handed out.
package gogen

import (
	"errors"
	"fmt"
	"go/token"
	"sync"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// File is one file of a generated package.
type File struct {
	Name string // within the package's folder
	Data []byte
}

// Package renders the package of one server: its Go files and the snapshot that
// they embed, in order of name. An error is a defect of the generator or of a Go
// name in p: it names the server and the tool.
func Package(p *ir.Package, snapshot []byte) ([]File, error) {
	if err := checkNames(p); err != nil {
		return nil, err
	}
	plan := planPackage(p)
	parts := []*file{clientFile(p), typesFile(p), manifestFile(p)}
	files, err := finish(parts, plan, stubs())
	if err != nil {
		return nil, fmt.Errorf("server %q: %w", p.Server, err)
	}
	return sorted(append(files, File{Name: snapshotName, Data: snapshot})), nil
}

// Shim renders the package over all servers.
func Shim(s ir.Shim) (File, error) {
	if err := checkShim(s); err != nil {
		return File{}, err
	}
	names := shimNames(s)
	imports := stubs()
	for _, p := range s.Packages {
		imports.addServer(p)
	}
	files, err := finish([]*file{shimFile(s, names)}, planShim(s, names), imports)
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", shimName, err)
	}
	return files[0], nil
}

// finish renders and formats the files, each once and all at the same time, and
// checks them.
func finish(parts []*file, plan packagePlan, imports *stubImporter) ([]File, error) {
	files, trees := make([]File, len(parts)), make([]*tree, len(parts))
	errs, fset := make([]error, len(parts)), token.NewFileSet()
	var group sync.WaitGroup
	for i, part := range parts {
		group.Go(func() {
			files[i], errs[i] = part.format()
			if errs[i] == nil {
				trees[i], errs[i] = parse(fset, files[i], plan[part.name])
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return files, typeCheck(fset, trees, imports)
}
