package impact

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/exp/apidiff"
	"golang.org/x/tools/txtar"

	"github.com/mcpgen/mcpgen/generator"
	golden "github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

func TestSource(t *testing.T) {
	in := func(schema string) string { return `{"name":"t","inputSchema":` + schema + `}` }
	out := func(schema string) string {
		return `{"name":"t","inputSchema":{"type":"object"},"outputSchema":` + schema + `}`
	}
	i, z := drift.SourceIncompatible.String(), drift.SourceZeroValue.String()
	tests := []struct {
		name, before, after string
		want                []string // rule path: message
	}{
		{"nothing", in(`{"type":"object"}`), in(`{"type":"object","description":"x"}`), nil},
		{"a new optional member", in(`{"type":"object"}`), in(`{"type":"object","properties":{"a":{"type":"string"}}}`),
			[]string{i + ` /inputSchema/additionalProperties: TArgs.Extra: removed`}},
		{"another optional member", in(`{"type":"object","properties":{"a":{"type":"string"}}}`), in(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`), nil},
		{"a new required member", in(`{"type":"object"}`), in(`{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}`),
			[]string{
				i + ` /inputSchema/additionalProperties: TArgs.Extra: removed`,
				z + ` /inputSchema/properties/a: TArgs.A is new and always sent: code that does not know it sends ""`,
			}},
		{"pointer to plain", in(`{"type":"object","properties":{"a":{"type":"integer"}}}`), in(`{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}`),
			[]string{
				i + ` /inputSchema/properties/a: TArgs.A: changed from *int to int`,
				z + ` /inputSchema/properties/a: TArgs.A was left out if it was not set: now 0 is sent`,
			}},
		{"the tag alone", in(`{"type":"object","properties":{"a":{"type":"integer","minimum":1}}}`), in(`{"type":"object","required":["a"],"properties":{"a":{"type":"integer","minimum":1}}}`),
			[]string{z + ` /inputSchema/properties/a: TArgs.A was left out if it was not set: now 0 is sent`}},
		{"inside a generic type", in(`{"type":"object","properties":{"a":{"type":["string","null"]}}}`), in(`{"type":"object","properties":{"a":{"type":["integer","null"]}}}`),
			[]string{i + ` /inputSchema/properties/a: TArgs.A: changed from runtime.Opt[string] to runtime.Opt[int]`}},
		{"a constant", in(`{"type":"object","properties":{"a":{"enum":["x","y"]}}}`), in(`{"type":"object","properties":{"a":{"enum":["x","z"]}}}`),
			[]string{i + ` /inputSchema/properties/a: AY: removed`, i + ` /inputSchema/properties/a: TArgsAY: removed`}},
		{"a nested type", in(`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}}}`), in(`{"type":"object","properties":{"a":{"type":"string"}}}`),
			[]string{
				i + ` /inputSchema/properties/a: A: removed`,
				i + ` /inputSchema/properties/a: TArgs.A: changed from *A to *string`,
				i + ` /inputSchema/properties/a: TArgsA: removed`,
			}},
		{"a result", out(`{"type":"object","required":["a","b"],"properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":"string"}}}}`),
			out(`{"type":"object","required":["a"],"properties":{"a":{"type":"integer"},"b":{"type":"array","items":{"type":"string"}}}}`),
			[]string{
				i + ` /outputSchema/properties/a: TResult.A: changed from string to int`,
				z + ` /outputSchema/properties/b: TResult.B was always there and may be missing: code that reads it gets an empty list`,
			}},
		{"values that could be compared", in(`{"type":"object","properties":{"a":{"type":"string"}}}`), in(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":"string"}}}}`),
			[]string{i + ` /inputSchema: TArgs: values cannot be compared with == any more`}},
		{"a result at all", out(`{"type":"array","items":{"type":"string"}}`), out(`{"type":"array","items":{"type":"integer"}}`),
			[]string{i + ` : T: changed from []string to []int`}},
		{"the tool", in(`{"type":"object"}`), `{"name":"other","inputSchema":{"type":"object"}}`,
			[]string{i + ` : T: removed`, i + ` /inputSchema: TArgs: removed`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			snapshot := func(tool string) surface { return surface{Tools: []json.RawMessage{json.RawMessage(tool)}} }
			before, after := snapshot(tt.before).snapshot(t), snapshot(tt.after).snapshot(t)
			changes, err := Source(t.Context(), optionsFor(t, before), optionsFor(t, after))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range changes["srv"] {
				got = append(got, fmt.Sprintf("%s %s: %s", c.Rule, c.Path, c.Message))
				if c.Class != drift.ClassSource || c.Kind != schema.KindTool || c.Name != "t" || c.Hash == "" {
					t.Errorf("got %+v, want class %q, kind %q, name \"t\" and a hash", c, drift.ClassSource, schema.KindTool)
				}
			}
			checkWithAPIDiff(t, optionsFor(t, before), optionsFor(t, after), changes["srv"])
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestSourceOfShapes changes types that several tools share.
func TestSourceOfShapes(t *testing.T) {
	tool := func(name, member string) string {
		return `{"name":"` + name + `","inputSchema":{"type":"object","required":["point"],"properties":{"point":{"type":"object","properties":{"x":{"type":"` + member + `"}}}}}}`
	}
	i := drift.SourceIncompatible.String()
	tests := []struct {
		name          string
		before, after []string
		want          []string // rule tool path: message
	}{
		{"a second place", []string{tool("b", "string")}, []string{tool("a", "string"), tool("b", "string")}, nil},
		{"one place is left", []string{tool("a", "string"), tool("b", "string")}, []string{tool("b", "string")},
			[]string{i + ` a : A: removed`, i + ` a /inputSchema: AArgs: removed`, i + ` a /inputSchema/properties/point: AArgsPoint: removed`}},
		{"a place splits off", []string{tool("a", "string"), tool("b", "string")}, []string{tool("a", "string"), tool("b", "number")},
			[]string{
				i + ` b /inputSchema/properties/point: BArgs.Point: changed from Point to BPoint`,
				i + ` b /inputSchema/properties/point: BArgsPoint: is not the type Point any more`,
			}},
		{"the place of the name splits off", []string{tool("a", "string"), tool("b", "string"), tool("c", "string")}, []string{tool("a", "number"), tool("b", "string"), tool("c", "string")},
			[]string{
				i + ` a /inputSchema/properties/point: AArgs.Point: changed from Point to APoint`,
				i + ` a /inputSchema/properties/point: AArgsPoint: is not the type Point any more`,
			}},
		{"all change", []string{tool("a", "string"), tool("b", "string")}, []string{tool("a", "number"), tool("b", "number")},
			[]string{i + ` a /inputSchema/properties/point/properties/x: Point.X: changed from *string to *float64`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			snapshot := func(tools []string) generator.Options {
				var s surface
				for _, raw := range tools {
					s.Tools = append(s.Tools, json.RawMessage(raw))
				}
				return optionsFor(t, s.snapshot(t))
			}
			before, after := snapshot(tt.before), snapshot(tt.after)
			was := before.Servers[0]
			if err := generator.AssignNames(t.Context(), after.Servers[0], was.Locked, was.Snapshot, nil); err != nil {
				t.Fatal(err)
			}
			changes, err := Source(t.Context(), before, after)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range changes["srv"] {
				got = append(got, fmt.Sprintf("%s %s %s: %s", c.Rule, c.Name, c.Path, c.Message))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if !strings.Contains(strings.Join(got, " "), "AArgs.Point:") { // apidiff takes APoint, which it meets first, for all that was Point
				checkWithAPIDiff(t, before, after, changes["srv"])
			}
		})
	}
}

// checkWithAPIDiff wants a change for everything that apidiff finds incompatible.
func checkWithAPIDiff(t *testing.T, before, after generator.Options, changes []drift.Change) {
	t.Helper()
	reported := func(name string) bool {
		return slices.ContainsFunc(changes, func(c drift.Change) bool {
			return c.Rule == drift.SourceIncompatible && strings.HasPrefix(c.Message, name+":")
		})
	}
	for _, change := range apidiff.Changes(typesOf(t, before), typesOf(t, after)).Changes {
		object, _, _ := strings.Cut(change.Message, ": ")
		object = strings.NewReplacer("(*Client).", "", "Client.", "").Replace(object)
		object, _, _ = strings.Cut(object, ",")
		of, method, _ := strings.Cut(strings.NewReplacer("(*", "", ")", "").Replace(object), ".")
		codes := method == "MarshalJSON" || method == "UnmarshalJSON" // what Extra needs and no code calls by name
		if !change.Compatible && !reported(object) && !reported(of) && !(codes && reported(of+".Extra")) {
			t.Errorf("apidiff finds %q, and no change reports it: %+v", change.Message, changes)
		}
	}
}

// typesOf type-checks the package that is generated for the one server.
func typesOf(t *testing.T, o generator.Options) *types.Package {
	t.Helper()
	out, err := generator.Generate(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, f := range out.Files {
		if path.Ext(f.Path) != ".go" || strings.HasSuffix(f.Path, "_test.go") || path.Dir(f.Path) == o.Output {
			continue
		}
		file, err := parser.ParseFile(fset, f.Path, f.Data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	config := types.Config{Importer: golden.Importer, IgnoreFuncBodies: true}
	pkg, err := config.Check(o.ImportPath+"/srv", fset, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// TestSourceAgreesWithAPIDiff compares the projects of TestFind, too.
func TestSourceAgreesWithAPIDiff(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(err, "no testdata")
	}
	for _, path := range names {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sides := map[string]generator.Options{}
		for _, f := range a.Files {
			if filepath.Ext(f.Name) == ".json" {
				sides[f.Name] = optionsFor(t, parseSurface(t, f.Data))
			}
		}
		changes, err := Source(t.Context(), sides["before.json"], sides["after.json"])
		if err != nil {
			t.Fatal(err)
		}
		checkWithAPIDiff(t, sides["before.json"], sides["after.json"], changes["srv"])
	}
}
