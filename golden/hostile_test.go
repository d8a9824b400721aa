package golden

// Everything that a server says, and everything in a lock and a configuration
// that becomes Go, is put through the generator as badly as can be. The oracle
// reads the output with its own eyes: whatever went in, the declarations are
// those of a well-behaved package, and nothing outside comments and literals is
// the server's.

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// payload is one text of hostile/payloads.json.
type payload struct {
	Name   string `json:"name"`
	Text   string `json:"text"`
	Source string `json:"source"`
}

func readPayloads(t testing.TB) []payload {
	t.Helper()
	data, err := os.ReadFile("hostile/payloads.json")
	if err != nil {
		t.Fatal(err)
	}
	var p []payload
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// positions are the places where a server's text can stand. %s is the text as
// JSON, without its quotes.
var positions = []struct{ name, tool string }{
	{"tool name", `{"name":"%s","inputSchema":{"type":"object"}}`},
	{"two tool names", `{"name":"a %s","inputSchema":{"type":"object"}} {"name":"a_%s","inputSchema":{"type":"object"}}`},
	{"title", `{"name":"t","title":"%s","inputSchema":{"type":"object"}}`},
	{"description", `{"name":"t","description":"%s","inputSchema":{"type":"object"}}`},
	{"description, after text", `{"name":"t","description":"Text.\n\n%s\n\nText.","inputSchema":{"type":"object"}}`},
	{"annotations", `{"name":"t","annotations":{"title":"%s","%s":true,"readOnlyHint":"%s"},"inputSchema":{"type":"object"}}`},
	{"unknown members", `{"name":"t","%s x":"%s","execution":{"taskSupport":"%s"},"_meta":{"%s":1},"inputSchema":{"type":"object"}}`},
	{"schema description", `{"name":"t","inputSchema":{"type":"object","title":"%s","description":"%s","$comment":"%s"}}`},
	{"property name", `{"name":"t","inputSchema":{"type":"object","properties":{"%s":{"type":"string"}}},"outputSchema":{"type":"object","properties":{"%s":{"type":"string"}}}}`},
	{"required property name", `{"name":"t","inputSchema":{"type":"object","properties":{"%s":{"type":"array","items":{"type":"string"}}},"required":["%s"]}}`},
	{"property names that meet", `{"name":"t","inputSchema":{"type":"object","properties":{"a %s":{"type":"string"},"a_%s":{"type":"string"},"A%s":{"type":"object","properties":{"%s":{"enum":["%s"]}}}}}}`},
	{"result property names that meet", `{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"a %s":{"type":"integer"},"a-%s":{"type":"object","properties":{"%s":{}}}}}}`},
	{"property description", `{"name":"t","inputSchema":{"type":"object","properties":{"p":{"type":"string","description":"%s","title":"%s"}}}}`},
	{"enum value", `{"name":"t","inputSchema":{"type":"object","properties":{"p":{"enum":["%s","b"]},"q":{"enum":["%s",1,null,true]}}}}`},
	{"enum values that meet", `{"name":"t","inputSchema":{"type":"object","properties":{"p":{"type":"string","enum":["a %s","a_%s","A%s","%s"]}}}}`},
	{"const", `{"name":"t","inputSchema":{"type":"object","properties":{"p":{"const":"%s"}}}}`},
	{"enum descriptions", `{"name":"t","inputSchema":{"type":"object","properties":{"p":{"enum":["a"],"enumDescriptions":["%s"],"x-enumDescriptions":{"a":"%s"},"x-enum-varnames":["%s"]}}}}`},
	{"default and examples", `{"name":"t","inputSchema":{"type":"object","properties":{"p":{"type":"string","default":"%s","examples":["%s"]},"q":{"type":"integer","default":"%s"},"r":{"default":{"%s":["%s"]}}}}}`},
	{"pattern and format", `{"name":"t","inputSchema":{"type":"object","properties":{"p":{"type":"string","pattern":"%s","format":"%s","contentEncoding":"%s","contentMediaType":"%s"}}}}`},
	{"type", `{"name":"t","inputSchema":{"type":"object","properties":{"p":{"type":"%s"},"q":{"type":["%s","null"]}}}}`},
	{"keyword", `{"name":"t","inputSchema":{"type":"object","properties":{"p":{"type":"string","%s":"%s","x-go-type":"%s","x-go-type-import":{"path":"%s"},"x-go-name":"%s"}}}}`},
	{"definition", `{"name":"t","inputSchema":{"type":"object","properties":{"p":{"$ref":"#/$defs/%s"}},"$defs":{"%s":{"type":"object","title":"%s","properties":{"a":{"type":"string"}}}}}}`},
	{"reference", `{"name":"t","inputSchema":{"type":"object","properties":{"p":{"$ref":"%s"},"q":{"$ref":"#/%s"},"r":{"$ref":"file:///%s"},"s":{"$ref":"https://x/%s"}}}}`},
	{"anchor and id", `{"name":"t","inputSchema":{"$id":"%s","$schema":"%s","$anchor":"%s","type":"object","properties":{"p":{"$ref":"#%s"}}}}`},
	{"union", `{"name":"t","inputSchema":{"type":"object","properties":{"p":{"oneOf":[{"type":"object","title":"%s","properties":{"%s":{"const":"%s"}}},{"type":"string"}],"discriminator":{"propertyName":"%s","mapping":{"%s":"%s"}}}}}}`},
	{"pattern properties", `{"name":"t","inputSchema":{"type":"object","properties":{"p":{"type":"object","patternProperties":{"%s":{"type":"string"}},"additionalProperties":false}},"dependentRequired":{"%s":["%s"]}}}`},
	{"required undeclared", `{"name":"t","inputSchema":{"type":"object","required":["%s"]}}`},
	{"output", `{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"object","description":"%s","title":"%s","properties":{"p":{"type":"array","items":{"type":"object","properties":{"%s":{"enum":["%s"]}}}}}}}`},
	{"output that is not an object", `{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"string","enum":["%s"],"description":"%s"}}`},
}

// hostileServer puts a text into some positions of a server, a tool for each, and
// always into its identity and instructions. It returns nil if nothing of it can
// be listed.
func hostileServer(text string, at ...int) *generator.Server {
	quoted := jsonText(text)
	s := &schema.Snapshot{
		Server: "evil", ProtocolVersion: "2025-11-25", Instructions: text,
		Identity:     json.RawMessage(`{"name":` + quoted + `,"title":` + quoted + `,"version":` + quoted + `}`),
		Capabilities: json.RawMessage(`{"x":` + quoted + `}`),
	}
	for _, i := range at {
		tools := strings.ReplaceAll(positions[i].tool, `{"name":"t"`, fmt.Sprintf(`{"name":"t%d"`, i))
		tools = strings.ReplaceAll(tools, "%s", quoted[1:len(quoted)-1])
		for d := json.NewDecoder(strings.NewReader(tools)); ; {
			var raw json.RawMessage
			if d.Decode(&raw) != nil {
				break
			}
			// What cannot be kept, attach leaves out and reports.
			if it, err := schema.ParseItem(schema.KindTool, raw); err == nil {
				s.Tools = append(s.Tools, it)
			}
		}
	}
	server, err := project.Lock(s)
	if err != nil {
		return nil
	}
	return &server
}

func jsonText(text string) string {
	quoted, _ := json.Marshal(strings.ToValidUTF8(text, "\ufffd"))
	return string(quoted)
}

func TestHostileServers(t *testing.T) {
	for _, p := range readPayloads(t) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			var all []int
			for i := range positions {
				all = append(all, i)
			}
			server := hostileServer(p.Text, all...)
			if server == nil {
				t.Fatal("the server cannot be locked, want every text accepted by a lock")
			}
			checkHostile(t, *server)
			if !t.Failed() {
				return
			}
			for _, i := range all { // which one was it?
				if server := hostileServer(p.Text, i); server != nil {
					t.Run(positions[i].name, func(t *testing.T) { checkHostile(t, *server) })
				}
			}
		})
	}
}

func FuzzHostileServers(f *testing.F) {
	for i, p := range readPayloads(f) {
		if len(p.Text) < 200 {
			f.Add(uint8(i), p.Text)
		}
	}
	f.Fuzz(func(t *testing.T, position uint8, text string) {
		if server := hostileServer(text, int(position)%len(positions)); server != nil {
			checkHostile(t, *server)
		}
	})
}

// Names from the lock, from rename and from the configuration are input like any
// other. They may be refused; they may not do anything else.
func TestPoisonedNames(t *testing.T) {
	const tool = `{"name":"t","inputSchema":{"type":"object","properties":{"p":{"enum":["a"]}}}}`
	for _, p := range readPayloads(t) {
		t.Run(p.Name, func(t *testing.T) {
			base := hostileServer("x", 2)
			it, err := schema.ParseItem(schema.KindTool, json.RawMessage(tool))
			if err != nil {
				t.Fatal(err)
			}
			base.Snapshot.Tools = []schema.Item{it}
			for place, poison := range map[string]func(*generator.Server){
				"lock: function": func(s *generator.Server) { nameInLock(s, "", p.Text) },
				"lock: field":    func(s *generator.Server) { nameInLock(s, "/inputSchema/properties/p", p.Text) },
				"lock: type":     func(s *generator.Server) { nameInLock(s, "/inputSchema/properties/p/type", p.Text) },
				"lock: constant": func(s *generator.Server) { nameInLock(s, `/inputSchema/properties/p/enum/"a"`, p.Text) },
				"lock: pointer":  func(s *generator.Server) { nameInLock(s, p.Text, "X") },
				"lock: hash": func(s *generator.Server) {
					it := s.Locked.Tools["t"]
					it.Contract = p.Text
					s.Locked.Tools["t"] = it
				},
				"rename":         func(s *generator.Server) { s.Rename = map[string]string{"t": p.Text} },
				"rename of":      func(s *generator.Server) { s.Rename = map[string]string{p.Text: "X"} },
				"qualified name": func(s *generator.Server) { s.Names = map[string]string{"t": p.Text} },
				"include":        func(s *generator.Server) { s.Include = []string{p.Text, "*"} },
				"package":        func(s *generator.Server) { s.Package = p.Text },
				"server": func(s *generator.Server) {
					s.Name, s.Snapshot.Server = p.Text, p.Text
					s.Locked, _ = lockfile.LockSnapshot(s.Snapshot)
				},
			} {
				t.Run(place, func(t *testing.T) {
					snapshot := *base.Snapshot
					server, err := project.Lock(&snapshot)
					if err != nil {
						t.Fatal(err)
					}
					poison(&server)
					if server.Locked == nil {
						return
					}
					out, err := generator.Generate(t.Context(), hostileOptions(server))
					if err != nil {
						checkMessage(t, err.Error())
						return
					}
					var given []string
					if place == "lock: type" {
						given = append(given, p.Text)
					}
					checkOutput(t, out, given...)
				})
			}
		})
	}
}

func nameInLock(s *generator.Server, place, name string) {
	it := s.Locked.Tools["t"]
	it.Go, _ = json.Marshal(map[string]any{"names": map[string]string{place: name}})
	s.Locked.Tools["t"] = it
}

func TestHostileFolders(t *testing.T) {
	server := hostileServer("x", 2)
	for _, p := range readPayloads(t) {
		for _, opts := range []generator.Options{
			{Output: p.Text, ImportPath: "example.com/x"}, {Output: "a/" + p.Text, ImportPath: "example.com/x"},
			{Output: "mcp", ImportPath: p.Text}, {Output: "mcp", ImportPath: "example.com/" + p.Text},
		} {
			opts.Servers = []generator.Server{*server}
			out, err := generator.Generate(t.Context(), opts)
			if err != nil {
				checkMessage(t, err.Error())
				continue
			}
			for _, f := range out.Files {
				if !strings.HasPrefix(f.Path, opts.Output+"/") || path.Clean(f.Path) != f.Path || strings.Contains(f.Path, "..") {
					t.Errorf("%s: %q", p.Name, f.Path)
				}
			}
		}
	}
}

// A text of 8 MiB is whole in the snapshot and short in the code.
func TestHugeDescription(t *testing.T) {
	it, err := schema.ParseItem(schema.KindTool, json.RawMessage(`{"name":"t","description":"`+strings.Repeat(`lorem ipsum\n`, 8<<20/12)+`","inputSchema":{"type":"object"}}`))
	if err != nil {
		t.Fatal(err)
	}
	server := lockSnapshot(t, &schema.Snapshot{Server: "evil", ProtocolVersion: "2025-11-25", Tools: []schema.Item{it}})
	out, err := generator.Generate(t.Context(), hostileOptions(server))
	if err != nil {
		t.Fatal(err)
	}
	checkOutput(t, out)
	for _, f := range out.Files {
		if strings.HasSuffix(f.Path, ".go") && len(f.Data) > 1<<20 {
			t.Errorf("%s: %d bytes", f.Path, len(f.Data))
		}
	}
}

// hostileOptions generate all names by place, which say what short names there are.
func hostileOptions(server generator.Server) generator.Options {
	server.PlaceNames = true
	return generator.Options{Output: "out/mcp", ImportPath: "example.com/out/mcp", Fakes: true, Servers: []generator.Server{server}}
}

func checkHostile(t *testing.T, server generator.Server) {
	t.Helper()
	out, err := generator.Generate(t.Context(), hostileOptions(server))
	if err != nil {
		t.Fatalf("a tool took its server down: %v", err)
	}
	for _, w := range out.Warnings {
		checkMessage(t, w.String())
	}
	if len(out.Tools)+len(out.Warnings) < len(server.Snapshot.Tools) {
		t.Errorf("%d tools and %d warnings of %d tools: silence", len(out.Tools), len(out.Warnings), len(server.Snapshot.Tools))
	}
	checkOutput(t, out)
}

// checkMessage wants a message that no terminal obeys. Lines of code may follow
// a defect; there are none here.
func checkMessage(t *testing.T, text string) {
	t.Helper()
	if strings.Contains(text, "defect of mcpgen") {
		t.Errorf("the last check had to refuse it: %s", text)
	}
	for _, r := range text {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029) {
			t.Errorf("%U in the message %q", r, text)
			return
		}
	}
}

var generatedPath = regexp.MustCompile(`^out/mcp/(mcp\.go|README\.md|\.gitattributes|[a-z][a-z0-9]*/([a-z][a-z0-9]*\.go|example_test\.go|snapshot\.json|[a-z][a-z0-9]*test/[a-z][a-z0-9]*\.go))$`)

// checkOutput looks at everything. Names that were given to types may stand in
// place of a tool's.
func checkOutput(t *testing.T, out *generator.Output, given ...string) {
	t.Helper()
	tools := map[string]bool{}
	for _, tool := range out.Tools {
		tools[tool.Go.Func] = true
	}
	names := map[string]map[string]bool{}
	for _, f := range out.Files {
		if path.Base(f.Path) == "names.go" {
			names[path.Dir(f.Path)] = namedIn(t, f)
		}
	}
	for _, f := range out.Files {
		if !generatedPath.MatchString(f.Path) {
			t.Errorf("%q is not a path of ours", f.Path)
		}
		if strings.HasSuffix(f.Path, ".go") {
			o := &oracle{t: t, file: f, tools: tools, given: given, short: names[path.Dir(f.Path)]}
			o.check()
		}
	}
}

// namedIn are the short names that a file of names says there are.
func namedIn(t *testing.T, f generator.File) map[string]bool {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Data, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	short := map[string]bool{}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			short[n.Type.(*ast.Ident).Name] = true
		case *ast.ValueSpec:
			short[n.Values[0].(*ast.Ident).Name] = true
		}
		return true
	})
	return short
}

// oracle looks at one file.
type oracle struct {
	t     *testing.T
	file  generator.File
	tools map[string]bool
	given []string
	short map[string]bool // short names, each of something with a name that is made of a tool's
}

func (o *oracle) errorf(format string, args ...any) {
	o.t.Helper()
	o.t.Errorf("%s: %s\n%s", o.file.Path, fmt.Sprintf(format, args...), o.file.Data[:min(len(o.file.Data), 4000)])
}

// hasExamples says whether the file is that of the examples.
func (o *oracle) hasExamples() bool { return path.Base(o.file.Path) == "example_test.go" }

// isFake says whether the file is that of a fake.
func (o *oracle) isFake() bool { return strings.Count(o.file.Path, "/") == 4 }

func (o *oracle) check() {
	o.t.Helper()
	text := string(o.file.Data)
	if !strings.HasPrefix(text, generator.Header+"\n") {
		o.errorf("no header")
	}
	for _, r := range text {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029 || r == 0x85) {
			o.errorf("%U", r)
			return
		}
	}
	o.checkBuilt(text)
	tree, err := parser.ParseFile(token.NewFileSet(), o.file.Path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		o.errorf("%v", err)
		return
	}
	o.checkImports(tree)
	o.checkComments(tree)
	for _, d := range tree.Decls {
		o.checkDecl(d)
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && slices.Contains([]string{"println", "panic", "exec", "os", "syscall", "unsafe", "init", "main"}, id.Name) {
			o.errorf("the identifier %s", id.Name)
		}
		return true
	})
}

// checkBuilt asks the go command's own rules whether the file is built.
func (o *oracle) checkBuilt(text string) {
	for _, system := range []string{"linux", "windows", "js"} {
		ctx := build.Context{GOOS: system, GOARCH: "amd64", Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(text)), nil
		}}
		if match, err := ctx.MatchFile("", path.Base(o.file.Path)); err != nil || !match {
			o.errorf("not built on %s: %v", system, err)
		}
	}
}

func (o *oracle) checkImports(tree *ast.File) {
	for _, spec := range tree.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		known := slices.Contains([]string{"context", "embed", "encoding/json", "slices", module + "/runtime", module + "/runtime/codec"}, p) ||
			o.isFake() && p == module+"/runtime/mcptest" || o.hasExamples() && p == "fmt"
		if !known && !strings.HasPrefix(p, "example.com/out/mcp/") {
			o.errorf("imports %q", p)
		}
	}
}

func (o *oracle) checkComments(tree *ast.File) {
	for _, group := range tree.Comments {
		for _, c := range group.List {
			ours := c.Text == "//go:embed snapshot.json" || c.Text == "//go:generate go tool mcpgen generate"
			plain := strings.HasPrefix(c.Text, "// ") || strings.HasPrefix(c.Text, "//\t") || c.Text == "//"
			if !ours && (!plain || constraint.IsPlusBuild(c.Text) || constraint.IsGoBuild(c.Text)) {
				o.errorf("the comment %q", c.Text)
			}
		}
	}
}

func (o *oracle) checkDecl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		own := slices.Contains([]string{"New", "Manifest", "Manifests", "Register", "Tools", "UnmarshalJSON", "MarshalJSON", "Values"}, d.Name.Name)
		handler, isHandler := strings.CutPrefix(d.Name.Name, "On")
		ofUnion := false // seals one, or reads one
		for _, prefix := range []string{"is", "decode"} {
			union, ok := strings.CutPrefix(d.Name.Name, prefix)
			ofUnion = ofUnion || ok && o.ofTool(union)
		}
		example, isExample := strings.CutPrefix(d.Name.Name, "Example")
		if o.hasExamples() && isExample && o.tools[example] {
			return
		}
		if !own && !ofUnion && !o.tools[d.Name.Name] && !(o.isFake() && isHandler && o.tools[handler]) {
			o.errorf("the function %s", d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				handshake := spec.Name.Name == "_" && types.ExprString(spec.Type) == "codec.GeneratedV1"
				if !handshake && spec.Name.Name != "Client" && !(o.isFake() && spec.Name.Name == "Fake") && !o.ofTool(spec.Name.Name) {
					o.errorf("the type %s", spec.Name.Name)
				}
			case *ast.ValueSpec:
				o.checkValue(d.Tok, spec)
			}
		}
	}
}

// ofTool says whether a name is made of a tool's.
func (o *oracle) ofTool(name string) bool {
	if o.short[name] {
		return true
	}
	if slices.ContainsFunc(o.given, func(g string) bool { return strings.HasPrefix(name, g) }) {
		return true
	}
	for tool := range o.tools {
		if strings.HasPrefix(name, tool+"Args") || strings.HasPrefix(name, tool+"Result") {
			return true
		}
	}
	return false
}

func (o *oracle) checkValue(tok token.Token, spec *ast.ValueSpec) {
	name := spec.Names[0].Name
	switch {
	case len(spec.Names) != 1:
		o.errorf("%d values at once", len(spec.Names))
	case tok == token.VAR && o.tools[strings.TrimPrefix(name, "ref")]:
		o.checkRef(name, spec.Values[0])
	case tok == token.VAR && (name != "snapshot" || spec.Values != nil):
		o.errorf("the variable %s", name)
	case tok == token.CONST && !o.ofTool(name):
		o.errorf("the constant %s", name)
	case tok == token.CONST && path.Base(o.file.Path) != "names.go":
		if !isLiteral(spec.Values[0]) {
			o.checkNumber(name, spec.Values[0])
		}
	}
}

// checkRef wants a reference to be made of literals.
func (o *oracle) checkRef(name string, value ast.Expr) {
	ref, ok := value.(*ast.CompositeLit)
	if !ok {
		o.errorf("the value of %s is not a literal", name)
		return
	}
	for _, member := range ref.Elts {
		if pair, ok := member.(*ast.KeyValueExpr); !ok || !isLiteral(pair.Value) {
			o.errorf("a member of %s is not a literal", name)
		}
	}
}

func isLiteral(value ast.Expr) bool {
	_, ok := value.(*ast.BasicLit)
	return ok
}

func (o *oracle) checkNumber(name string, value ast.Expr) {
	switch v := value.(type) {
	case *ast.UnaryExpr:
		if isLiteral(v.X) && v.Op == token.SUB {
			return
		}
	case *ast.Ident:
		if v.Name == "true" || v.Name == "false" {
			return
		}
	}
	o.errorf("the value of %s is not a literal", name)
}
