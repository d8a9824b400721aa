package impact

// Projects for tests: a module with generated packages and hand-written code, on
// disk, and the drift between two surfaces.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// surface is a snapshot as tests write it.
type surface struct {
	Server       string // "srv" if it is not said
	Tools        []json.RawMessage
	Prompts      []json.RawMessage
	Resources    []json.RawMessage
	Templates    []json.RawMessage
	Capabilities json.RawMessage
}

func (s surface) snapshot(t testing.TB) *schema.Snapshot {
	t.Helper()
	out := &schema.Snapshot{Server: "srv", ProtocolVersion: "2025-11-25", Capabilities: s.Capabilities}
	if s.Server != "" {
		out.Server = s.Server
	}
	add := func(kind schema.Kind, raws []json.RawMessage) (items []schema.Item) {
		for _, raw := range raws {
			it, err := schema.ParseItem(kind, raw)
			if err != nil {
				t.Fatalf("%v\n%s", err, raw)
			}
			items = append(items, it)
		}
		return items
	}
	out.Tools, out.Prompts = add(schema.KindTool, s.Tools), add(schema.KindPrompt, s.Prompts)
	out.Resources, out.Templates = add(schema.KindResource, s.Resources), add(schema.KindTemplate, s.Templates)
	return out
}

func parseSurface(t testing.TB, data []byte) *schema.Snapshot {
	t.Helper()
	var s surface
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	return s.snapshot(t)
}

// optionsFor are what generates a snapshot, accepted as it is, with all names by place.
func optionsFor(t testing.TB, s *schema.Snapshot) generator.Options {
	t.Helper()
	locked, err := lockfile.LockSnapshot(s)
	if err != nil {
		t.Fatal(err)
	}
	return generator.Options{
		Output: "mcp", ImportPath: "example.com/app/mcp",
		Servers: []generator.Server{{Name: s.Server, Snapshot: s, Locked: locked, PlaceNames: true}},
	}
}

// project is a module on disk, generated from before.
type project struct {
	dir           string
	before, after generator.Options
}

func newProject(t testing.TB, before, after *schema.Snapshot, files map[string]string) *project {
	t.Helper()
	p := &project{dir: t.TempDir(), before: optionsFor(t, before), after: optionsFor(t, after)}
	p.generate(t, p.before)
	p.write(t, "go.mod", "module example.com/app\n\ngo 1.26\n\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => "+runtimeModule(t)+"\n")
	for name, text := range files {
		p.write(t, name, text)
	}
	return p
}

func (p *project) generate(t testing.TB, o generator.Options) {
	t.Helper()
	out, err := generator.Generate(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := generator.Write(t.Context(), p.dir, out.Files, generator.WriteOptions{Prune: []string{o.Output}}); err != nil {
		t.Fatal(err)
	}
}

func (p *project) write(t testing.TB, name, text string) {
	t.Helper()
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func (p *project) options() Options {
	return Options{Dir: p.dir, Before: p.before, After: p.after}
}

// report is the drift of the project's server.
func (p *project) report(profile drift.Profile) *drift.Report {
	r, _ := drift.Compare(context.Background(), p.before.Servers[0].Snapshot, p.after.Servers[0].Snapshot, &drift.Options{Profile: profile}) // it fails with its context alone
	return r
}

// find fills a report with call sites.
func (p *project) find(t testing.TB) (*drift.Report, []Problem) {
	t.Helper()
	report := p.report(drift.Caller)
	problems, err := Find(t.Context(), p.options(), report)
	if err != nil {
		t.Fatal(err)
	}
	return report, problems
}

// callSites are the call sites of a report, one on a line. Those of which nothing is known
// but that they call the item end with a question mark.
func callSites(r *drift.Report) []string {
	var out []string
	for _, s := range r.Servers {
		for _, c := range s.Changes {
			for _, site := range c.CallSites {
				text := fmt.Sprintf("%s:%d: %s=%s", site.File, site.Line, c.Rule, site.Symbol)
				if site.Kind == drift.SiteCalls {
					text += "?"
				}
				out = append(out, text)
			}
		}
	}
	return out
}

// TestMain makes the module of the runtime once: the go command compiles it anew
// for every folder that it is in.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "runtime")
	if err == nil {
		err = copyRuntime(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("IMPACT_RUNTIME", dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func runtimeModule(t testing.TB) string {
	t.Helper()
	return os.Getenv("IMPACT_RUNTIME")
}

// copyRuntime makes a module of what generated code links and nothing else: the go
// command has little to read then.
func copyRuntime(dir string) error {
	for _, pkg := range []string{"runtime", "runtime/codec", "runtime/format", "runtime/protocol", "internal/jsontext", "internal/limits", "internal/safetext", "internal/stage"} {
		names, err := filepath.Glob("../../" + pkg + "/*.go")
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(dir, pkg), 0o777); err != nil {
			return err
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(dir, pkg, filepath.Base(name)), data, 0o666); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module github.com/mcpgen/mcpgen\n\ngo 1.26\n"), 0o666)
}

// readArchive reads a project from an archive: before.json, after.json, and files.
func readArchive(t testing.TB, path string) (p *project, files map[string]string, doc string) {
	t.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	for _, f := range a.Files {
		files[f.Name] = string(f.Data)
	}
	before, after := parseSurface(t, []byte(files["before.json"])), parseSurface(t, []byte(files["after.json"]))
	delete(files, "before.json")
	delete(files, "after.json")
	return newProject(t, before, after, files), files, string(a.Comment)
}
