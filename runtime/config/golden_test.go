// Goldens: whole files in, what they mean or what is wrong with them out.

package config

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// TestGolden unpacks each archive into a folder. A file X.want is what Load(X)
// gives, X.servers what LoadServers gives for the paths in X, X.search what
// Search and Discover give for the environment in X, and X.resolve what the
// servers are started with: see [golden.scene].
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			abs, err := filepath.Abs(name)
			if err != nil {
				t.Fatal(err)
			}
			testGolden(t, abs)
		})
	}
}

func testGolden(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := unpackArchive(t, archive)
	t.Chdir(dir)
	t.Setenv("HOME", filepath.Join(dir, "home"))
	changed, cases := false, 0
	for i, f := range archive.Files {
		var got string
		file, kind, ok := cutKind(f.Name)
		if !ok {
			continue
		}
		switch kind {
		case "want":
			p, err := trusting(t).Load(file)
			got = printProject(dir, p, err)
		case "servers":
			p, err := trusting(t).LoadServers(readLines(t, file)...)
			got = printProject(dir, p, err)
		case "search":
			got = readScene(t, dir, file).search(dir)
		case "resolve":
			got = readScene(t, dir, file).resolve(t, dir)
		}
		cases++
		if diff := cmp.Diff(string(f.Data), got); diff != "" {
			changed = true
			if !*update {
				t.Errorf("%s (-want +got):\n%s", f.Name, diff)
			}
			archive.Files[i].Data = []byte(got)
		}
	}
	if cases == 0 {
		t.Error("the archive has no case, want at least one")
	}
	if changed && *update {
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// cutKind takes the name of a case apart.
func cutKind(name string) (file, kind string, ok bool) {
	for _, kind := range []string{"want", "servers", "search", "resolve"} {
		if file, ok := strings.CutSuffix(name, "."+kind); ok {
			return file, kind, true
		}
	}
	return "", "", false
}

func readLines(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(data))
}

func unpackArchive(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range archive.Files {
		if _, _, isCase := cutKind(f.Name); isCase {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		// A file may name folders by their absolute path.
		data := []byte(strings.ReplaceAll(string(f.Data), "$DIR", dir))
		if isScene := !strings.Contains(f.Name, "."); isScene {
			data = f.Data
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// printProject prints a project, or the error and nothing else.
func printProject(dir string, p *Project, err error) string {
	if err != nil {
		return strings.ReplaceAll(err.Error(), dir, "$DIR") + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "output %s\nnaming %s\ndocs %v\nfakes %v\n", p.Output, p.Naming, p.Docs, p.Fakes)
	for _, s := range p.Servers {
		fmt.Fprintf(&b, "server %q %s:%d\n", s.Name, s.Source.Path, s.Source.Line)
		build := p.Build[s.Name]
		s.Source, s.Name = endpoint.Source{}, ""
		printFields(&b, "  ", reflect.ValueOf(s))
		printFields(&b, "  build ", reflect.ValueOf(build))
	}
	for _, name := range p.Disabled {
		fmt.Fprintf(&b, "disabled %q\n", name)
	}
	printFields(&b, "drift ", reflect.ValueOf(p.Drift))
	for _, m := range p.Manifests {
		m.Path = ""
		m.Values, m.Permissions = nil, nil
		fmt.Fprintf(&b, "manifest %+v\n", m)
	}
	for _, n := range p.Notices {
		fmt.Fprintf(&b, "notice %s\n", n)
	}
	return strings.ReplaceAll(b.String(), dir, "$DIR")
}

// printFields prints the fields that are set.
func printFields(b *strings.Builder, indent string, v reflect.Value) {
	for i := range v.NumField() {
		field, name := v.Field(i), v.Type().Field(i).Name
		switch {
		case field.IsZero():
		case field.Kind() == reflect.Func:
			fmt.Fprintf(b, "%s%s: set\n", indent, name)
		case field.Kind() == reflect.Interface:
			printFields(b, indent, field.Elem().Elem())
		case field.Kind() == reflect.Struct:
			printFields(b, indent+name+".", field)
		default:
			fmt.Fprintf(b, "%s%s: %q\n", indent, name, fmt.Sprint(field.Interface()))
		}
	}
}

// TestEveryDialectHasAGolden wants a file of each dialect in the archives.
func TestEveryDialectHasAGolden(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if strings.Contains(f.Name, ".") {
				m := dialect.Machine{OS: "linux", Read: func(string) ([]byte, error) { return f.Data, nil }}
				seen[dialect.Read(m, "/work/"+f.Name, false).Dialect.Name] = true
			}
		}
	}
	for _, name := range dialect.Names() {
		if !seen[name] {
			t.Errorf("no archive of testdata has a file of %s", name)
		}
	}
}
