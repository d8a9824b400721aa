package gogen

import (
	"fmt"
	"go/token"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// renderSample returns the files of the sample by name.
func renderSample(t *testing.T) map[string]string {
	t.Helper()
	files, err := Package(t.Context(), samplePackage(), nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range files {
		out[f.Name] = string(f.Data)
	}
	return out
}

// Whatever got past the emitter is caught when the file is compared with its
// plan.
func TestCheckRefuses(t *testing.T) {
	tests := []struct{ name, file, old, new, want string }{
		{"a syntax error", "github.go", "return out, err", "return out err", "expected"},
		{"no header", "types.go", "DO NOT EDIT.", "EDIT.", "header"},
		{"another package", "types.go", "package github", "package main", "planned was github"},
		{"a function more", "github.go", "// Ping calls", "func init() {}\n\n// Ping calls", "planned was"},
		{"a function at the end", "types.go", "type ListPRsResultRaw = json.RawMessage", "type ListPRsResultRaw = json.RawMessage\n\nfunc Injected() {}", "func Injected was not planned"},
		{"a declaration less", "types.go", "type ListPRsResultRaw = json.RawMessage", "", "type ListPRsResultRaw is missing"},
		{"another receiver", "types.go", "(x *GetResult) UnmarshalJSON", "(x *ListPRsArgs) UnmarshalJSON", "planned was func (*GetResult)"},
		{"a field more", "types.go", "Number int", "Injected int\n\tNumber int", "planned was"},
		{"an embedded field", "types.go", "Number int", "GetArgs\n\tNumber int", "planned was"},
		{"another tag", "types.go", "`json:\"number\"`", "`json:\"numbers\"`", "planned was"},
		{"a closed constant block", "types.go", `= "open"`, "= \"open\"\n)\n\nconst (\n\tInjected = 1", "const Injected"},
		{"an import", "github.go", `"context"`, `"context"; _ "os/exec"`, "imports"},
		{"a renamed import", "github.go", `"context"`, `ctx "context"`, "imports"},
		{"a build line", "types.go", "package github", "//go:build ignore\n\npackage github", "tools may obey"},
		{"an old build line", "types.go", "package github", "// +build ignore\n\npackage github", "tools may obey"},
		{"a line directive", "types.go", "type GetArgs", "//line /etc/passwd:7\ntype GetArgs", "tools may obey"},
		{"a block comment", "types.go", "type GetArgs", "/* x */ type GetArgs", "tools may obey"},
		{"a second embed", "manifest.go", "//go:embed snapshot.json", "//go:embed snapshot.json\n//go:embed github.go", "tools may obey"},
		{"another embed", "manifest.go", "//go:embed snapshot.json", "//go:embed github.go", "tools may obey"},
		{"no embed", "manifest.go", "//go:embed snapshot.json", "", "is missing"},
		{"a call", "github.go", "\treturn out, err", "\tprintln(1)\n\treturn out, err", "call of println"},
		{"a call of a call", "github.go", "\treturn out, err", "\tfunc() {}()\n\treturn out, err", "not planned"},
		{"a goroutine", "github.go", "\treturn out, err", "\tgo codec.CallTool(nil, nil, codec.ItemRef{}, nil, nil, nil)\n\treturn out, err", "statement"},
		{"a direction mark", "types.go", "type GetArgs", "// \u202e\ntype GetArgs", "invisible"},
	}
	files, p := renderSample(t), samplePackage()
	whole := unit{Package: p, first: true, read: readingOf(p)}
	plans := map[string]*plan{"github.go": clientFile(whole).plan, typesName: typesFile(whole).plan, manifestName: manifestFile(p).plan}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			source := files[tt.file]
			if !strings.Contains(source, tt.old) {
				t.Fatalf("%q is not in %s", tt.old, tt.file)
			}
			source = strings.Replace(source, tt.old, tt.new, 1)
			_, err := parse(token.NewFileSet(), File{tt.file, []byte(source)}, plans[tt.file])
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("want an error with %q, got %v", tt.want, err)
			}
		})
	}
}

func TestTypeErrorsShowTheLines(t *testing.T) {
	p := samplePackage()
	p.Types[3].Base = "int" // the constants are strings
	_, err := Package(t.Context(), p, nil)
	if err == nil {
		t.Fatal("constants of another type: no error, want one")
	}
	for _, want := range []string{`server "github": "list_prs input /properties/state": types.go:`, "defect of mcpgen", ">", `ListPRsArgsStateOpen`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in\n%v", want, err)
		}
	}
}

// Names are checked wherever they came from: the lock and rename are input too.
func TestNamesAreRefused(t *testing.T) {
	for _, name := range []string{
		"", "_", "lower", "func", "X Y", "X;func init(){}", "X\nY", "X//", "X/*", "9X", "X\u202eY", "XX\u200d", "Client", "New", "Manifest", "Tools", "ListPRs",
	} {
		t.Run(name, func(t *testing.T) {
			p := samplePackage()
			p.Tools[0].Go = name
			if _, err := Package(t.Context(), p, nil); err == nil || !strings.Contains(err.Error(), `server "github": tool "get"`) &&
				!strings.Contains(err.Error(), `tool "list_prs"`) {
				t.Errorf("tool: %v", err)
			}
			if name == "Client" || name == "New" || name == "Manifest" || name == "Tools" || name == "ListPRs" {
				return // fields live elsewhere
			}
			p = samplePackage()
			p.Types[2].Fields[0].Go = name
			if _, err := Package(t.Context(), p, nil); err == nil || !strings.Contains(err.Error(), "repo") {
				t.Errorf("field: %v, want an error with %q", err, "repo")
			}
			p = samplePackage()
			p.Types[3].Consts[0].Go = name
			if _, err := Package(t.Context(), p, nil); err == nil {
				t.Errorf("a constant named %q: no error, want one", name)
			}
		})
	}
}

// A member whose name no struct tag can hold has to be marked so.
func TestTaggableProperties(t *testing.T) {
	for wire, want := range map[string]bool{
		"": false, "a,b": false, `a"b`: false, "a'b": false, `a\b`: false, "a`b": false, "a\nb": false, "😀": false, "a\u00a0b": false,
		"-": false, "--": true, "a b": true, "$ref": true, "日本": true, "a.b-c/d": true, "{}": true, "É": true,
	} {
		p := samplePackage()
		p.Types[2].Fields[0].Wire = wire
		p.Types[2].Fields[3].Wire = "other"
		_, err := Package(t.Context(), p, nil)
		if refused := err != nil && strings.Contains(err.Error(), "struct tag"); refused == want || want && err != nil {
			t.Errorf("%q: got %v, want taggable %t", wire, err, want)
		}
	}
}

func TestFileNames(t *testing.T) {
	for pkg, want := range map[string]string{
		"github": "github.go", "x_test": "client.go", "x_windows": "client.go", "x_linux_amd64": "client.go", "types": "client.go", "names": "client.go",
		"manifest": "client.go", "client": "client.go", "windows": "windows.go", "test": "test.go",
	} {
		if got := clientName(pkg); got != want {
			t.Errorf("clientName(%q) = %q, want %q", pkg, got, want)
		}
	}
}

func TestShim(t *testing.T) {
	s := ir.Shim{Name: "mcp", Command: "go tool mcpgen"}
	for _, name := range []string{"github", "runtime", "codec", "tools", "inv", "string", "mcp", "slices", "slicesserver", "append", "init", "err"} {
		s.Packages = append(s.Packages, ir.ShimPackage{Server: name, Name: name, ImportPath: "example.com/x/mcp/" + name})
	}
	f, err := Shim(s)
	if err != nil {
		t.Fatal(err)
	}
	text := string(f.Data)
	t.Log(text)
	for _, want := range []string{
		Header + "\n\n", "\n//go:generate go tool mcpgen generate\n", "\t\tgithub.Tools(inv),\n", `slicesserver "example.com/x/mcp/slices"`, "runtimeserver.Manifest()",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in the shim", want)
		}
	}
}

func TestShimChecksItsName(t *testing.T) {
	for name, want := range map[string]bool{"mcp": true, "internal": true, "": false, "_": false, "main": false, "func": false, "a b": false} {
		if _, err := Shim(ir.Shim{Name: name}); (err == nil) != want {
			t.Errorf("package %q: got %v, want accepted %t", name, err, want)
		}
	}
}

func TestPackageWithoutTools(t *testing.T) {
	if _, err := Package(t.Context(), &ir.Package{Name: "empty", Server: "empty"}, nil); err != nil {
		t.Errorf("got %v, want a package without tools", err)
	}
}

// Everything that a server says is put everywhere at once.
func TestHostileText(t *testing.T) {
	for _, evil := range hostile {
		t.Run(fmt.Sprintf("%.20q", evil), func(t *testing.T) {
			p := samplePackage()
			p.Server, p.Title, p.Doc = evil, evil, ir.Doc{Lead: evil, Server: evil, Notes: []string{evil}}
			for _, tool := range p.Tools {
				tool.Wire, tool.Qualified, tool.Pin, tool.Doc = evil, evil, evil, p.Doc
			}
			for _, typ := range p.Types {
				typ.Path, typ.Doc = evil, p.Doc
				for _, f := range typ.Fields {
					f.Doc = p.Doc
				}
			}
			p.Types[3].Consts[0].Value = jsonText(evil)
			if _, err := Package(t.Context(), p, nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// What a schema says beyond descriptions: names of members, constants that tell
// variants apart, and the values of examples.
func TestHostileSchemas(t *testing.T) {
	for _, evil := range hostile {
		t.Run(fmt.Sprintf("%.20q", evil), func(t *testing.T) {
			p := shapesPackage()
			for _, typ := range p.Types {
				typ.Path, typ.Doc = evil, ir.Doc{Server: evil, Notes: []string{evil}}
				for i, f := range typ.Fields {
					if f.Untagged || !gotext.TagHolds(evil) {
						f.Wire, f.Untagged = fmt.Sprint(evil, i), true
					}
				}
				for i := range typ.Tags {
					typ.Tags[i] = ir.Tag{Wire: evil, Value: jsonText(evil)}
				}
				for i := range typ.Variants {
					if m := &typ.Variants[i].Match; m.Tag != "" {
						m.Tag, m.Values = evil, []string{jsonText(evil), evil}
					} else {
						m.Key = evil
					}
				}
			}
			for _, tool := range p.Tools {
				tool.Wire = evil
				replaceTexts(tool.Example, evil)
			}
			if _, err := Package(t.Context(), p, nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// replaceTexts puts a text wherever an example has one.
func replaceTexts(l *ir.Literal, evil string) {
	if l == nil {
		return
	}
	if len(l.Value) > 0 && l.Value[0] == '"' {
		l.Value = jsonText(evil)
	}
	for i := range l.Keys {
		l.Keys[i] = evil
	}
	for _, f := range l.Fields {
		replaceTexts(f.Value, evil)
	}
	for _, e := range l.Elems {
		replaceTexts(e, evil)
	}
}
