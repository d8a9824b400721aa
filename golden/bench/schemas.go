package main

// JSON Schema to Go: the schemas of the corpus that are hard, by mcpgen and by others.
// A value is kept if it comes out of encoding/json and the types as it went in.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mcpgen/mcpgen/golden/process"
)

// hardSchema is a schema of golden/corpus/hard with its valid values.
type hardSchema struct {
	name   string
	Schema json.RawMessage
	Valid  []json.RawMessage
}

func (b *bench) hardSchemas() ([]hardSchema, error) {
	paths, err := filepath.Glob(filepath.Join(b.checkout, "golden", "corpus", "hard", "*.json"))
	if err != nil {
		return nil, err
	}
	var all []hardSchema
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		s := hardSchema{name: "p" + strings.ReplaceAll(strings.TrimSuffix(filepath.Base(path), ".json"), "-", "")}
		if err := json.Unmarshal(data, &s); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, s)
	}
	return all, nil
}

// openAPI returns a document of OpenAPI whose components are the schema, as Root, and the
// schemas in its $defs and definitions.
func (s hardSchema) openAPI() ([]byte, error) {
	var root map[string]json.RawMessage
	if json.Unmarshal(s.Schema, &root) != nil { // true or false
		return fmt.Appendf(nil, openAPIDocument, `{"Root":`+string(s.Schema)+`}`), nil
	}
	components := map[string]json.RawMessage{}
	for _, keyword := range []string{"$defs", "definitions"} {
		if raw := root[keyword]; raw != nil {
			if err := json.Unmarshal(raw, &components); err != nil {
				return nil, err
			}
		}
		delete(root, keyword)
	}
	data, err := json.Marshal(root)
	if err != nil {
		return nil, err
	}
	components["Root"] = data
	if data, err = json.Marshal(components); err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, openAPIDocument, referenceOf.ReplaceAllFunc(data, func(ref []byte) []byte {
		return []byte(`"$ref":"#/components/schemas/` + cmp.Or(string(referenceOf.FindSubmatch(ref)[1]), "Root") + `"`)
	})), nil
}

const openAPIDocument = `{"openapi":"3.0.3","info":{"title":"root","version":"1"},"paths":{},"components":{"schemas":%s}}`

// referenceOf is a reference to the whole schema, or to one in its $defs or definitions.
var referenceOf = regexp.MustCompile(`"\$ref":"#(?:/(?:\$defs|definitions)/([^"/]+))?"`)

// schemaTool makes Go of the schema in root.json, or in the components of openapi.json, as
// a package with a type Root.
type schemaTool struct {
	name string
	argv func(pkg, out string) []string
}

func (b *bench) schemaTools() []schemaTool {
	return []schemaTool{
		{"mcpgen", func(pkg, out string) []string {
			return []string{b.mcpgen, "schema", "--package", pkg, "--output", out, "root.json"}
		}},
		{"go-jsonschema", func(pkg, out string) []string {
			return []string{b.installed("go-jsonschema"), "-p", pkg, "-o", filepath.Join(out, "types.go"), "root.json"}
		}},
		{"oapi-codegen", func(pkg, out string) []string {
			return []string{b.installed("oapi-codegen"), "-generate", "types,skip-prune", "-package", pkg, "-o", filepath.Join(out, "types.go"), "openapi.json"}
		}},
		{"quicktype", func(pkg, out string) []string {
			return []string{b.npm("quicktype"), "--lang", "go", "--src-lang", "schema", "--package", pkg, "--top-level", "Root", "-o", filepath.Join(out, "types.go"), "root.json"}
		}},
	}
}

// outcome is what became of the schemas with one tool.
type outcome struct {
	seconds                            sample // one figure a schema
	lines, refused, broken, kept, left int
}

// peerSchemas makes Go of each hard schema by each tool.
func peerSchemas(ctx context.Context, b *bench) ([]row, error) {
	schemas, err := b.hardSchemas()
	if err == nil {
		err = b.buildTool(ctx)
	}
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, tool := range b.schemaTools() {
		o, err := b.outcomeOf(ctx, tool, schemas)
		if err != nil {
			return rows, fmt.Errorf("%s: %w", tool.name, err)
		}
		rows = append(rows, row{
			what: tool.name, cost: o.seconds.in(1e3, "ms a schema"),
			against: fmt.Sprintf("%d lines; %d of %d refused, %d do not compile; %d of %d values kept",
				o.lines, o.refused, len(schemas), o.broken, o.kept, o.kept+o.left),
			ratio: 100 * float64(o.kept) / float64(o.kept+o.left), unit: "% kept",
		})
	}
	return rows, nil
}

func (b *bench) outcomeOf(ctx context.Context, tool schemaTool, schemas []hardSchema) (outcome, error) {
	var o outcome
	f := &folder{dir: filepath.Join(b.dir, "schemas-"+tool.name), cache: filepath.Join(b.dir, "schemas.cache")}
	if err := f.write(map[string][]byte{"go.mod": fmt.Appendf(nil,
		"module example.com/schemas\n\ngo 1.26.0\n\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => %s\n", filepath.ToSlash(b.checkout))}); err != nil {
		return o, err
	}
	roots := map[string]string{} // the type of a package
	for _, s := range schemas {
		out := filepath.Join(f.dir, s.name)
		document, err := s.openAPI()
		if err == nil {
			err = f.write(map[string][]byte{s.name + "/root.json": s.Schema, s.name + "/openapi.json": document})
		}
		if err != nil {
			return o, err
		}
		argv := tool.argv(s.name, ".")
		u, err := process.Run(ctx, out, f.env(), argv[0], argv[1:]...)
		o.seconds = append(o.seconds, u.Wall)
		o.left += len(s.Valid)
		if err != nil {
			o.refused++
			continue
		}
		code, err := os.ReadFile(filepath.Join(out, "types.go"))
		if err != nil {
			return o, err
		}
		o.lines += strings.Count(string(code), "\n")
		if roots[s.name] = rootOf(code); roots[s.name] == "" {
			o.broken++
			delete(roots, s.name)
			_ = os.Remove(filepath.Join(out, "types.go")) // so that the others build
		}
	}
	_, built := process.Run(ctx, f.dir, f.online(), "go", "build", "./...")
	if built != nil {
		for _, m := range brokenPackage.FindAllStringSubmatch(built.Error(), -1) {
			o.broken++
			delete(roots, m[1])
		}
	}
	kept, err := f.keep(ctx, schemas, roots)
	o.kept, o.left = kept, o.left-kept
	return o, err
}

// online is env with the module proxy: what a tool makes may import modules of the tool.
func (f *folder) online() []string { return append(f.env(), "GOPROXY="+goEnv("GOPROXY")) }

// brokenPackage is how go build begins what it says of a package.
var brokenPackage = regexp.MustCompile(`(?m)# example\.com/schemas/(\w+)`)

// rootOf is Go code that decodes b into the type of the schema itself, with the verb %[1]s
// for the package. Each tool makes its own name of root.json or of the title; where a
// function decodes that type, the tool's user has to call it. "" if the code declares
// none of the names, or does not parse.
func rootOf(code []byte) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", code, 0)
	if err != nil {
		return ""
	}
	types, functions := map[string]ast.Expr{}, map[string]bool{}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			functions[d.Name.Name] = d.Recv == nil
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					types[s.Name.Name] = s.Type
				}
			}
		}
	}
	for _, name := range []string{"Root", "RootJson", "S", "Rule", "MyToolV2Args", "AdoptArguments"} {
		if types[name] == nil {
			continue
		}
		if same, ok := types[name].(*ast.Ident); ok && types[same.Name] != nil {
			name = same.Name // an alias
		}
		if functions["Unmarshal"+name] {
			return "return %[1]s.Unmarshal" + name + "(b)"
		}
		return "v := new(%[1]s." + name + "); err := json.Unmarshal(b, v); return v, err"
	}
	return ""
}

// keep counts the values that go through the types unchanged.
func (f *folder) keep(ctx context.Context, schemas []hardSchema, roots map[string]string) (int, error) {
	var imports, tries strings.Builder
	for _, s := range schemas {
		if roots[s.name] == "" {
			continue
		}
		fmt.Fprintf(&imports, "\t%q\n", "example.com/schemas/"+s.name)
		for _, v := range s.Valid {
			fmt.Fprintf(&tries, "\ttry(%q, func(b []byte) (any, error) { %s })\n", v, fmt.Sprintf(roots[s.name], s.name))
		}
	}
	if err := f.write(map[string][]byte{"try/main.go": fmt.Appendf(nil, tryProgram, imports.String(), tries.String())}); err != nil {
		return 0, err
	}
	u, err := process.Run(ctx, f.dir, f.online(), "go", "run", "./try")
	if err != nil {
		return 0, err
	}
	var kept int
	_, err = fmt.Sscan(string(u.Stdout), &kept)
	return kept, err
}

// tryProgram takes values through types. Numbers are compared by what they are worth.
const tryProgram = `package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"

%s)

var kept int

func try(value string, decode func([]byte) (any, error)) {
	defer func() { _ = recover() }()
	v, err := decode([]byte(value))
	if err != nil {
		return
	}
	out, err := json.Marshal(v)
	if err == nil && reflect.DeepEqual(read([]byte(value)), read(out)) {
		kept++
	}
}

func read(data []byte) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		panic(err)
	}
	return exact(v)
}

func exact(v any) any {
	switch v := v.(type) {
	case json.Number:
		r, ok := new(big.Rat).SetString(v.String())
		if !ok {
			return v
		}
		return r.RatString()
	case []any:
		for i := range v {
			v[i] = exact(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = exact(v[k])
		}
	}
	return v
}

func main() {
%s	fmt.Println(kept)
}
`
