package report

// Upgrades of real servers that a module uses a third of the tools of: the goldens show
// what a person reads first.

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"go/format"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/impact"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

const upgradesDir = "../../../../golden/corpus/upgrades"

// pairFile is a real change: of a tool, or of a server.
type pairFile struct {
	Kind          string
	Before, After json.RawMessage
}

// readUpgrades are the files of whole servers in a folder, by name.
func readUpgrades(t *testing.T, dir string) map[string]pairFile {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.json.gz"))
	if err != nil || len(names) < 10 {
		t.Fatalf("found %d upgrades, want at least 10; %v", len(names), err)
	}
	out := map[string]pairFile{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(name, err)
		}
		if data, err = io.ReadAll(z); err != nil {
			t.Fatal(name, err)
		}
		var p pairFile
		if err := json.Unmarshal(data, &p); err != nil {
			t.Fatal(name, err)
		}
		out[strings.TrimSuffix(filepath.Base(name), ".json.gz")] = p
	}
	return out
}

func TestUpgrades(t *testing.T) {
	upgrades := readUpgrades(t, upgradesDir)
	for i, name := range slices.Sorted(maps.Keys(upgrades)) {
		if testing.Short() && i%3 != 0 {
			continue
		}
		p := upgrades[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after := snapshotOfSide(t, "server", p.Before), snapshotOfSide(t, "server", p.After)
			found, err := drift.Compare(t.Context(), before, after, nil)
			if err != nil {
				t.Fatal(err)
			}
			o := impact.Options{Dir: t.TempDir(), Before: acceptAll(t, before), After: acceptAll(t, after), Env: append(os.Environ(), "GOWORK=off", "GOPROXY=off")}
			if err := generator.AssignNames(t.Context(), o.Before.Servers[0], nil, nil, nil); err != nil {
				t.Fatal(err)
			}
			if err := generator.AssignNames(t.Context(), o.After.Servers[0], o.Before.Servers[0].Locked, before, nil); err != nil {
				t.Fatal(err)
			}
			if err := generator.KeepOldNames(t.Context(), o.Before.Servers[0], o.After.Servers[0], drift.RenamedTools(before, after)); err != nil {
				t.Fatal(err)
			}
			writeModule(t, o)
			problems, err := impact.Find(t.Context(), o, found)
			if err != nil || len(problems) > 0 {
				t.Fatalf("the module has the problems %v, %v; want none", problems, err)
			}
			found.Weigh(func(string) *drift.Options { return nil })
			r := Of(found)
			wantScreen(t, name, r)
			wantFormats(t, name, r)
			got := writeReport(t, Text, r, testOptions())
			path := filepath.Join("testdata", "upgrades", name+".txt")
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s differs (-want +got); go test -update rewrites it:\n%s", path, diff)
			}
		})
	}
}

// acceptAll generates a snapshot as it is.
func acceptAll(t *testing.T, s *schema.Snapshot) generator.Options {
	t.Helper()
	locked, err := lockfile.LockSnapshot(s)
	if err != nil {
		t.Fatal(err)
	}
	return generator.Options{
		Output: "mcp", ImportPath: "example.com/app/mcp",
		Servers: []generator.Server{{Name: "server", Snapshot: s, Locked: locked}},
	}
}

// writeModule writes the generated package and an agent that uses every third tool.
func writeModule(t *testing.T, o impact.Options) {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, name := range []string{"go.mod", "go.sum"} { // what this module requires is what its users do
		if files[name], err = os.ReadFile(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	_, requires, _ := strings.Cut(string(files["go.mod"]), "\n")
	files["go.mod"] = []byte("module example.com/app\n" + requires + "\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => " + root + "\n")
	out, err := generator.Generate(t.Context(), o.Before)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range out.Files {
		files[f.Path] = f.Data
	}
	symbols, err := generator.Symbols(t.Context(), o.Before)
	if err != nil {
		t.Fatal(err)
	}
	if files["agent/agent.go"], err = format.Source(agentProgram(symbols[0].Symbols)); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		path := filepath.Join(o.Dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// agentProgram is a program that calls every third tool with all arguments that are easy to
// write down.
func agentProgram(symbols []generator.Symbol) []byte {
	var b bytes.Buffer
	b.WriteString("package agent\n\nimport (\n\"context\"\n\"log\"\n\n\"example.com/app/mcp/server\"\n)\n")
	n := 0
	for _, f := range symbols {
		if f.Role != "func" || f.Kind != schema.KindTool {
			continue
		}
		if n++; n%3 != 1 {
			continue
		}
		fmt.Fprintf(&b, "\nfunc use%s(ctx context.Context) {\nres, err := server.%s(ctx, server.%sArgs{\n", f.Go, f.Go, f.Go)
		for _, s := range symbols {
			if field, ok := strings.CutPrefix(s.Go, f.Go+"Args."); ok && s.Role == "field" {
				if value := literalOf(s.Type, symbols); value != "" {
					fmt.Fprintf(&b, "%s: %s,\n", field, value)
				}
			}
		}
		b.WriteString("})\nlog.Println(res, err)\n}\n")
	}
	return b.Bytes()
}

// literalOf is a value of a type, "" if it is not easy to write down.
func literalOf(typ string, symbols []generator.Symbol) string {
	if elem, ok := strings.CutPrefix(typ, "*"); ok {
		if value := literalOf(elem, symbols); value != "" {
			return "new(" + value + ")"
		}
		return ""
	}
	switch typ {
	case "string":
		return `"text"`
	case "bool":
		return "true"
	case "int64", "float64":
		return typ + "(1)"
	case "[]string":
		return `[]string{"text"}`
	}
	i := slices.IndexFunc(symbols, func(s generator.Symbol) bool { return s.Role == "const" && s.Type == typ })
	if i < 0 {
		return ""
	}
	return "server." + symbols[i].Go
}
