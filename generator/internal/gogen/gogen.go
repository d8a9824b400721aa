// Package gogen renders decisions as Go source.
//
// It is the only importer of jennifer, which quotes literals and tracks imports
// but protects neither comments nor identifiers. Three checks make up for that:
// comments are made by comment.go alone, every identifier is checked before
// anything is rendered (names.go), and what was rendered is parsed, compared
// with the declarations that were planned (plan.go), and type-checked
// (check.go) before a byte of it is handed out.
package gogen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/parallel"
)

// File is one file of a generated package.
type File struct {
	Name string // within the package's folder
	Data []byte
}

// Package renders the package of one server: its Go files and the snapshot that
// they embed, in order of name. An error is a defect of the generator or of a Go
// name in p: it names the server and the tool.
func Package(ctx context.Context, p *ir.Package, snapshot []byte) ([]File, error) {
	if err := checkNames(p); err != nil {
		return nil, err
	}
	units := append(split(withoutSurface(p)), surfaceUnits(p)...)
	clients, types := make([]part, len(units)), make([]part, len(units))
	names, examples := make([]part, len(units)), make([]part, len(units))
	var manifest part
	err := parallel.Each(ctx, len(units)+1, func(i int) (err error) {
		if i == 0 { // it takes longer than a unit
			manifest, err = checked(manifestFile(p), stubs())
		} else {
			clients[i-1], types[i-1], names[i-1], examples[i-1], err = units[i-1].parts()
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("server %q: %w", p.Server, err)
	}
	files := []File{
		join(clientName(p.Name), clients), join(typesName, types), join(manifestName, []part{manifest}),
		{Name: snapshotName, Data: snapshot},
	}
	if slices.ContainsFunc(p.Tools, func(t *ir.Tool) bool { return len(t.Synonyms) > 0 }) {
		files = append(files, join(namesName, names))
	}
	if examples = slices.DeleteFunc(examples, func(p part) bool { return p.body == nil }); len(examples) > 0 {
		files = append(files, join(exampleName, examples))
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

// parts renders and checks the files that a unit has a part in.
func (u unit) parts() (client, types, names, examples part, err error) {
	fset := token.NewFileSet()
	if client, err = render(fset, clientFile(u)); err != nil {
		return
	}
	if types, err = render(fset, typesFile(u)); err != nil {
		return
	}
	if names, err = render(fset, namesFile(u)); err != nil {
		return
	}
	stub, err := stubFile(fset, unitStub(u), u.Name)
	if err != nil {
		return
	}
	made, err := typeCheck(fset, []*tree{client.tree, types.tree, names.tree, stub}, stubs())
	if client.tree, types.tree, names.tree = nil, nil, nil; err == nil && u.ImportPath != "" {
		examples, err = u.examplePart(fset, made)
	}
	return client, types, names, examples, err
}

// checked renders a part of a file, and type-checks it with stand-ins for the others of its package.
func checked(f *file, imports types.Importer, others ...string) (part, error) {
	fset := token.NewFileSet()
	p, err := render(fset, f)
	if err != nil {
		return part{}, err
	}
	trees := []*tree{p.tree}
	for _, source := range others {
		other, err := stubFile(fset, source, f.plan.pkg)
		if err != nil {
			return part{}, err
		}
		trees = append(trees, other)
	}
	_, err = typeCheck(fset, trees, imports)
	p.tree = nil
	return p, err
}

// Shim renders the package over all servers.
func Shim(s ir.Shim) (File, error) {
	if err := checkShim(s); err != nil {
		return File{}, err
	}
	imports := stubs()
	var errs []error
	for _, p := range s.Packages {
		errs = append(errs, imports.add(p.ImportPath, fmt.Sprintf(serverStub, p.Name)))
	}
	shim, err := checked(shimFile(s, shimNames(s)), imports)
	if err := cmp.Or(errors.Join(errs...), err); err != nil {
		return File{}, fmt.Errorf("%s: %w", shimName, err)
	}
	return join(shimName, []part{shim}), nil
}

// render renders a part of a file, parses it, compares it with its plan and formats it.
func render(fset *token.FileSet, f *file) (part, error) {
	source, err := f.source()
	if err != nil {
		return part{}, err
	}
	t, err := parse(fset, source, f.plan)
	if err != nil {
		return part{}, err
	}
	return t.format()
}
