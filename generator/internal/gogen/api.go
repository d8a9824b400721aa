package gogen

// The Go API of a rendered package, as types.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
)

// Types type-checks the Go files of a rendered package and returns what it
// declares; function bodies are not looked at. Packages that are to be compared
// take the same importer, see [Importer].
func Types(importPath string, files []File, imports types.Importer) (*types.Package, error) {
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, f := range files {
		if path.Ext(f.Name) != ".go" {
			continue
		}
		tree, err := parser.ParseFile(fset, f.Name, f.Data, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, tree)
	}
	config := types.Config{Importer: imports, IgnoreFuncBodies: true, GoVersion: "go1.26"}
	return config.Check(importPath, fset, parsed, nil)
}

// Importer imports what rendered packages import, from stand-ins. It is for one
// goroutine at a time.
func Importer() types.Importer { return stubs() }
