package golden

// How much of what the schemas of real servers type is typed in Go, judged by
// go/types on the output.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/internal/gopkg"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// typeCheck loads the one package of an output.
func typeCheck(t testing.TB, out *generator.Output, pkg string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for name, data := range goFiles(out) {
		if path.Base(path.Dir(name)) != pkg {
			continue
		}
		f, err := parser.ParseFile(fset, name, data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	config := types.Config{Importer: project.Importer}
	p, err := config.Check(pkg, fset, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// identifiersOf are the names that a package declares, fields and methods with
// their types.
func identifiersOf(t testing.TB, out *generator.Output) map[string]bool {
	t.Helper()
	ids := map[string]bool{}
	for name, data := range goFiles(out) {
		f, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				ids["func "+n.Name.Name] = true
			case *ast.ValueSpec:
				ids["value "+n.Names[0].Name] = true
			case *ast.TypeSpec:
				ids["type "+n.Name.Name] = true
				if s, ok := n.Type.(*ast.StructType); ok {
					for _, f := range s.Fields.List {
						for _, name := range f.Names {
							ids[n.Name.Name+"."+name.Name] = true
						}
					}
				}
			}
			return true
		})
	}
	return ids
}

// judge counts the properties of one server.
type judge struct {
	doc    *jsonschema.Document
	pkg    *types.Package
	tool   string
	side   string
	seen   map[*jsonschema.Schema]bool
	typed  int
	loose  []string // tool and pointer
	missed []string // properties that have no field
}

func TestShareOfTypedProperties(t *testing.T) {
	typed, loose := 0, 0
	for _, name := range corpusServers {
		snapshot := corpusSnapshot(t, name)
		out := generateServers(t, "example.com", "mcp", lockSnapshot(t, snapshot))
		j := &judge{pkg: typeCheck(t, out, gopkg.Of(name))}
		goTools := map[string]generator.GoTool{}
		for _, tool := range out.Tools {
			goTools[tool.Tool] = tool.Go
		}
		if len(goTools) != len(snapshot.Tools) {
			t.Errorf("%s: %d of %d tools", name, len(goTools), len(snapshot.Tools))
		}
		for _, it := range snapshot.Tools {
			tool, _, err := schema.ParseTool(it.Raw)
			if err != nil {
				t.Fatal(err)
			}
			g := goTools[it.Name]
			j.tool = it.Name
			j.walk(t, "/inputSchema", tool.InputSchema, g.Args)
			if tool.OutputSchema != nil {
				j.walk(t, "/outputSchema", tool.OutputSchema, strings.TrimPrefix(g.Result, "*"))
			}
		}
		typed, loose = typed+j.typed, loose+len(j.loose)
		t.Logf("%s: %d typed, %d loose, %d without a field", name, j.typed, len(j.loose), len(j.missed))
		for _, place := range append(j.loose, j.missed...) {
			if !hasWarning(out.Warnings, place) {
				t.Errorf("%s: %s is loose and no warning says so", name, place)
			}
		}
	}
	share := 100 * float64(typed) / float64(typed+loose)
	t.Logf("all: %d of %d properties typed, %.1f %%", typed, typed+loose, share)
	if share < 95 {
		t.Errorf("only %.1f %% of the properties are typed", share)
	}
}

func hasWarning(warnings []generator.Warning, place string) bool {
	for _, w := range warnings {
		at := w.Tool + " " + w.Pointer
		if strings.HasPrefix(place, at) || strings.HasPrefix(at, place+"/") {
			return true
		}
	}
	return false
}

func (j *judge) walk(t testing.TB, side string, raw []byte, goType string) {
	t.Helper()
	doc, err := jsonschema.Parse(raw)
	if err != nil {
		t.Fatalf("%s: %v", j.tool, err)
	}
	j.doc, j.side, j.seen = doc, side, map[*jsonschema.Schema]bool{}
	object := j.pkg.Scope().Lookup(goType)
	if object == nil {
		j.missed = append(j.missed, j.tool+" "+side)
		return
	}
	j.object(doc.Root, object.Type())
}

// object visits the properties of s, which typ is the Go side of.
func (j *judge) object(s *jsonschema.Schema, typ types.Type) {
	s, err := j.doc.Resolve(s)
	if err != nil || j.seen[s] {
		return
	}
	j.seen[s] = true
	if branch := j.onlyBranch(s); branch != nil {
		j.object(branch, typ)
		return
	}
	if s.Items != nil {
		if slice, ok := stripPointers(typ).Underlying().(*types.Slice); ok {
			j.object(s.Items, slice.Elem())
		}
		return
	}
	if s.AdditionalProperties != nil {
		if m, ok := stripPointers(typ).Underlying().(*types.Map); ok {
			j.object(s.AdditionalProperties, m.Elem())
		}
	}
	fields, ok := stripPointers(typ).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for _, p := range s.Properties {
		place := j.tool + " " + j.side + p.Schema.Pointer
		f := fieldOf(fields, p.Name)
		switch {
		case f == nil:
			j.missed = append(j.missed, place)
		case isLoose(f.Type()) && j.types(p.Schema):
			j.loose = append(j.loose, place)
		default:
			j.typed++
		}
		if f != nil {
			j.object(p.Schema, f.Type())
		}
	}
}

// onlyBranch is the one branch of a union that is not null.
func (j *judge) onlyBranch(s *jsonschema.Schema) *jsonschema.Schema {
	var branches []*jsonschema.Schema
	for _, b := range append(append([]*jsonschema.Schema{}, s.AnyOf...), s.OneOf...) {
		if !reflect.DeepEqual(b.Types, []string{"null"}) {
			branches = append(branches, b)
		}
	}
	if len(branches) == 1 {
		return branches[0]
	}
	return nil
}

// types says whether a schema types its values at all.
func (j *judge) types(s *jsonschema.Schema) bool {
	r, err := j.doc.Resolve(s)
	if err != nil || r.Bool != nil {
		return false
	}
	switch {
	case len(r.Enum) > 0, r.Const != nil, len(r.AnyOf) > 0, len(r.OneOf) > 0, len(r.AllOf) > 0, len(r.PrefixItems) > 0:
		return true
	case len(r.Types) == 1 && r.Types[0] == "object":
		return len(r.Properties) > 0 || r.AdditionalProperties != nil && j.types(r.AdditionalProperties)
	case len(r.Types) == 1 && r.Types[0] == "array":
		return r.Items != nil && j.types(r.Items)
	}
	return len(r.Types) > 0
}

func fieldOf(s *types.Struct, wire string) *types.Var {
	for i := range s.NumFields() {
		name, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
		if name == wire {
			return s.Field(i)
		}
	}
	return nil
}

// stripPointers takes pointers and optionals off.
func stripPointers(typ types.Type) types.Type {
	for {
		switch t := types.Unalias(typ).(type) {
		case *types.Pointer:
			typ = t.Elem()
		case *types.Named:
			if t.TypeArgs().Len() != 1 {
				return t
			}
			typ = t.TypeArgs().At(0)
		default:
			return t
		}
	}
}

// isLoose: any, raw JSON, and lists and maps of those. A union is sealed by a
// method.
func isLoose(typ types.Type) bool {
	typ = stripPointers(typ)
	if named, ok := typ.(*types.Named); ok && named.Obj().Name() == "RawMessage" {
		return true
	}
	switch u := typ.Underlying().(type) {
	case *types.Interface:
		return u.NumMethods() == 0
	case *types.Map:
		return isLoose(u.Elem())
	case *types.Slice:
		return isLoose(u.Elem())
	}
	return false
}
