package gogen

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"
)

// What the stubs declare is what the packages declare.
func TestStubsMatchPackages(t *testing.T) {
	stub := stubs()
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports}, slices.Collect(maps.Keys(stub))...)
	if err != nil || len(loaded) != len(stub) {
		t.Fatal(len(loaded), err)
	}
	for _, p := range loaded {
		path, want := p.PkgPath, p.Types
		got, err := stub.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		if got.Name() != want.Name() {
			t.Errorf("%s: package %s, really %s", path, got.Name(), want.Name())
		}
		for _, name := range got.Scope().Names() {
			if ast.IsExported(name) {
				compareObjects(t, got.Scope().Lookup(name), want.Scope().Lookup(name))
			}
		}
	}
}

func compareObjects(t *testing.T, got, want types.Object) {
	t.Helper()
	if want == nil {
		t.Errorf("%v does not exist", got)
		return
	}
	if g, w := objectText(got), objectText(want); g != w {
		t.Errorf("stub: %s\nreal: %s", g, w)
	}
	name, ok := got.(*types.TypeName)
	if !ok {
		return
	}
	stub, real := name.Type().(*types.Named), want.Type().(*types.Named)
	for m := range stub.Methods() {
		found, _, _ := types.LookupFieldOrMethod(types.NewPointer(real), true, want.Pkg(), m.Name())
		if found == nil {
			t.Errorf("%v does not exist", m)
			continue
		}
		compareObjects(t, m, found)
	}
	if s, ok := stub.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if !f.Exported() {
				continue
			}
			found, _, _ := types.LookupFieldOrMethod(real, true, want.Pkg(), f.Name())
			if found == nil || types.TypeString(found.Type(), nil) != types.TypeString(f.Type(), nil) {
				t.Errorf("%s.%s is %v, really %v", name.Name(), f.Name(), f, found)
			}
		}
	}
}

// objectText is what an object promises to code that names it: of types their
// kind and type parameters only, since stubs leave methods and fields out.
func objectText(o types.Object) string {
	name, ok := o.(*types.TypeName)
	if !ok {
		return types.ObjectString(o, nil)
	}
	text := o.Pkg().Path() + "." + o.Name()
	named := name.Type().(*types.Named)
	for p := range named.TypeParams().TypeParams() {
		text += " [" + p.Constraint().String() + "]"
	}
	switch u := named.Underlying().(type) {
	case *types.Struct:
		return text + " struct"
	case *types.Interface:
		return text + " interface"
	default:
		return text + " " + types.TypeString(u, nil)
	}
}

func TestStubImporterKnowsNoOthers(t *testing.T) {
	s := stubs()
	if err := s.add("example.com/mcp/github", fmt.Sprintf(serverStub, "github")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Import("example.com/mcp/github"); err != nil {
		t.Error(err)
	}
	if _, err := s.Import("os/exec"); err == nil {
		t.Error("Import of os/exec has no error, want one")
	}
}
