package runtime_test

// The promises of this package to every program that links it, as tests: it is
// the standard library alone, and nothing in it keeps the linker from leaving
// out what is not used.

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const self = "github.com/mcpgen/mcpgen/runtime"

// maxNames is how many exported names this package may have.
const maxNames = 45

// packages are what a generated package links: this one, its codec, and what these
// two share.
var packages = []string{".", "codec", "format", "protocol", "../internal/jsontext", "../internal/limits", "../internal/safetext", "../internal/stage"}

// A program that imports a generated package must not need any module but this
// one, and a test of these packages none either.
func TestImportsAreStandard(t *testing.T) {
	for _, dir := range packages {
		for file, parsed := range goFiles(t, dir, parser.ImportsOnly) {
			for _, spec := range parsed.Imports {
				name := strings.Trim(spec.Path.Value, `"`)
				first, _, _ := strings.Cut(name, "/")
				ours := slices.ContainsFunc(packages, func(dir string) bool { return name == path.Join(self, dir) })
				if strings.Contains(first, ".") && !ours {
					t.Errorf("%s imports %s", file, name)
				}
			}
		}
	}
}

// An editor that adds imports by itself would pick Go's own runtime package for
// an exported name that is there too.
func TestNamesAreNotGosRuntime(t *testing.T) {
	taken := map[string]bool{}
	for _, name := range exportedNames(t, filepath.Join(build.Default.GOROOT, "src", "runtime")) {
		taken[name] = true
	}
	if !taken["GC"] || !taken["Gosched"] || !taken["MemStats"] {
		t.Fatal("GC, Gosched or MemStats is not among the names of Go's own runtime package")
	}
	ours := exportedNames(t, ".")
	if !slices.Contains(ours, "Invoker") {
		t.Fatalf("read the names %q of this package, want Invoker among them", ours)
	}
	for _, name := range ours {
		if taken[name] {
			t.Errorf("%s is a name of Go's own runtime package", name)
		}
	}
}

// The names of this package are a page that is read at one sitting: each new one is a
// decision, made in testdata/names.txt.
func TestNamesAreReviewed(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "names.txt"))
	if err != nil {
		t.Fatal(err)
	}
	reviewed, ours := strings.Fields(string(data)), exportedNames(t, ".")
	for _, name := range ours {
		if !slices.Contains(reviewed, name) {
			t.Errorf("%s is new: does whoever calls generated code or writes middleware need it? Then add it to testdata/names.txt, else put it into a package below", name)
		}
	}
	for _, name := range reviewed {
		if !slices.Contains(ours, name) {
			t.Errorf("%s is gone: take it out of testdata/names.txt, and into movedNames of golden/upgrade_test.go if it has moved", name)
		}
	}
	if len(ours) > maxNames {
		t.Errorf("%d names, want at most %d", len(ours), maxNames)
	}
}

// A reachable call of reflect's MethodByName makes the linker keep every
// exported method of every type, so each unused tool would cost; text/template
// makes such a call.
func TestUnusedCodeCanBeLeftOut(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}}\t{{.Dir}}", "./codec").Output()
	if err != nil {
		t.Fatal("go list: ", err)
	}
	if len(callsMethodByName(t, filepath.Join(build.Default.GOROOT, "src", "text", "template"))) == 0 {
		t.Fatal("found no call of MethodByName in text/template, want one")
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) < 20 {
		t.Fatalf("only %d dependencies", len(lines))
	}
	for _, line := range lines {
		path, dir, _ := strings.Cut(line, "\t")
		if path == "text/template" || path == "html/template" {
			t.Errorf("%s is linked", path)
		}
		if path == "reflect" { // defines it
			continue
		}
		for _, name := range callsMethodByName(t, dir) {
			t.Errorf("%s calls MethodByName", name)
		}
	}
}

// callsMethodByName returns the files of a folder with such a call.
func callsMethodByName(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatal(dir, err)
	}
	var calls []string
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, "_test.go") || !bytes.Contains(data, []byte("MethodByName")) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok && call.Sel.Name == "MethodByName" {
				calls = append(calls, path)
			}
			return true
		})
	}
	return calls
}

// goFiles parses the Go files of a folder.
func goFiles(t *testing.T, dir string, mode parser.Mode) map[string]*ast.File {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, mode)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = file
	}
	return files
}

// exportedNames returns the exported names at the top level of a package.
func exportedNames(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	add := func(name *ast.Ident) {
		if name.IsExported() {
			names = append(names, name.Name)
		}
	}
	for path, file := range goFiles(t, dir, parser.SkipObjectResolution) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv == nil {
					add(decl.Name)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						add(spec.Name)
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							add(name)
						}
					}
				}
			}
		}
	}
	return names
}
