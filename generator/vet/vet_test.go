package vet

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// TestPlanted looks for mistakes in a module that has at least thirty, and in one that
// has none.
func TestPlanted(t *testing.T) {
	useCheckoutOnly(t)
	s := readSnapshot(t, filepath.Join("testdata", "planted", "server.json"), "files")
	locked, err := lockfile.LockSnapshot(s)
	if err != nil {
		t.Fatal(err)
	}
	renamed := locked.Tools["search_files"]
	renamed = decide.WithPins(renamed, decide.Pins{Was: map[string]string{"search_file": "SearchFile"}})
	locked.Tools["search_files"] = renamed
	types := []generator.TypeChoice{{Key: "buy_space/args/price", Value: "decimal"}}
	dir, _ := newModule(t, generator.Server{Name: s.Server, Snapshot: s, Locked: locked, Types: types, PlaceNames: true})
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "planted"))); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, r := range analysistest.Run(unasked{t}, dir, allChecks(), "./...") {
		found += len(r.Diagnostics)
	}
	if found < 30 {
		t.Errorf("%d mistakes", found)
	}
}

// unasked is a test that facts do not fail: what they lead to is what counts.
type unasked struct{ *testing.T }

func (t unasked) Errorf(format string, args ...any) {
	t.Helper()
	if text := fmt.Sprintf(format, args...); !strings.Contains(text, "unexpected fact") {
		t.T.Errorf("analysistest: %s", text)
	}
}

// useCheckoutOnly lets the go command resolve a module that is in the checkout.
func useCheckoutOnly(t *testing.T) {
	t.Helper()
	for _, set := range [][2]string{{"GOFLAGS", "-mod=mod"}, {"GOPROXY", "off"}, {"GOSUMDB", "off"}} {
		t.Setenv(set[0], set[1])
	}
}

// newModule is a module with generated packages, and what was generated.
func newModule(t *testing.T, servers ...generator.Server) (string, []generator.File) {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "go.mod"), []byte("module example.com/app\n\ngo 1.26\n\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => "+root+"\n"))
	out, err := generator.Generate(t.Context(), optionsFor(servers...))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range out.Files {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(f.Path)), f.Data)
	}
	return dir, out.Files
}

func optionsFor(servers ...generator.Server) generator.Options {
	return generator.Options{Output: "internal/mcp", ImportPath: "example.com/app/internal/mcp", Docs: "markdown", Servers: servers}
}

// readSnapshot reads the listing of a server.
func readSnapshot(t *testing.T, path, server string) *schema.Snapshot {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var listing struct {
		ProtocolVersion                   string
		Capabilities                      json.RawMessage
		Tools, Prompts, ResourceTemplates []json.RawMessage
	}
	if err := json.Unmarshal(data, &listing); err != nil {
		t.Fatal(err)
	}
	s := &schema.Snapshot{Server: server, ProtocolVersion: listing.ProtocolVersion, Capabilities: listing.Capabilities}
	items := func(kind schema.Kind, raws []json.RawMessage) (out []schema.Item) {
		for _, raw := range raws {
			item, err := schema.ParseItem(kind, raw)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, item)
		}
		return out
	}
	s.Tools, s.Prompts = items(schema.KindTool, listing.Tools), items(schema.KindPrompt, listing.Prompts)
	s.Templates = items(schema.KindTemplate, listing.ResourceTemplates)
	return s
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// allChecks runs all checks as one, since analysistest looks at one.
func allChecks() *analysis.Analyzer {
	all := analyzers()
	return &analysis.Analyzer{
		Name: "suite", Doc: "all checks", Requires: all[0].Requires, FactTypes: all[0].FactTypes,
		Run: func(pass *analysis.Pass) (any, error) {
			for _, a := range all {
				if _, err := a.Run(pass); err != nil {
					return nil, err
				}
			}
			return nil, nil
		},
	}
}
