//go:build adapters

package golden

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// frameworks are the modules that adapters are for.
var frameworks = map[string]string{
	"anthropic": "github.com/anthropics/anthropic-sdk-go", "openai": "github.com/openai/openai-go", "genai": "google.golang.org/genai",
	"genkit": "github.com/firebase/genkit", "eino": "github.com/cloudwego/eino", "langchaingo": "github.com/tmc/langchaingo",
	"mcpgo": "github.com/mark3labs/mcp-go", "fantasy": "charm.land/fantasy", telemetry: "go.opentelemetry.io/otel",
}

// telemetry is a module of its own that is no adapter: frameworks may link what it is for.
const telemetry = "otel"

// folderOf returns the folder of a module that has its own go.mod.
func folderOf(name string) string {
	if name == telemetry {
		return filepath.Join("..", "runtime", name)
	}
	return filepath.Join("..", "runtime", "adapters", name)
}

// TestAdapters builds each adapter as it stands in a checkout, and builds and tests each
// alone, as a user's module has it: with this checkout out of a module proxy, without
// replace and without a workspace.
func TestAdapters(t *testing.T) {
	temp := t.TempDir()
	proxy := filepath.Join(temp, "proxy")
	writeProxy(t, proxy)
	cache := strings.TrimSpace(goCommand(t, "env", "GOMODCACHE"))
	env := append(os.Environ(),
		"GOPROXY="+fileURL(proxy)+","+fileURL(filepath.Join(cache, "cache", "download"))+","+strings.TrimSpace(goCommand(t, "env", "GOPROXY")),
		"GOMODCACHE="+filepath.Join(temp, "modcache"), "GOFLAGS=-modcacherw -mod=mod -trimpath", "GONOSUMDB="+module, "GOWORK=off", "GOTOOLCHAIN=local")
	if err := os.CopyFS(filepath.Join(temp, "golden", "corpus", "servers"), os.DirFS(filepath.Join("corpus", "servers"))); err != nil {
		t.Fatal(err) // the tests offer these tools to models
	}
	rows := results{}
	for name, framework := range frameworks {
		t.Run(name, func(t *testing.T) {
			from, dir := folderOf(name), filepath.Join(temp, "runtime", "adapters", name)
			if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
			run := func(args ...string) string {
				cmd := exec.Command("go", args...)
				cmd.Dir, cmd.Env = dir, env
				out, err := cmd.Output()
				if args[0] == "test" {
					rows.add(name, string(out))
				}
				if exit, ok := errors.AsType[*exec.ExitError](err); ok {
					t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, out, exit.Stderr)
				}
				return string(out)
			}
			inCheckout := exec.Command("go", "build", "./...")
			inCheckout.Dir, inCheckout.Env = from, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
			if out, err := inCheckout.CombinedOutput(); err != nil {
				t.Errorf("in the checkout: go build: %v\n%s", err, out)
			}
			run("mod", "edit", "-dropreplace="+module)
			run("mod", "tidy")
			for _, file := range []string{"go.mod", "go.sum"} {
				if *update {
					text := withoutOurs(t, filepath.Join(dir, file))
					if file == "go.mod" {
						text += replaceOf(t, filepath.Join(from, file))
					}
					if err := os.WriteFile(filepath.Join(from, file), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if diff := cmp.Diff(withoutOurs(t, filepath.Join(from, file)), withoutOurs(t, filepath.Join(dir, file))); diff != "" {
					t.Errorf("%s is not tidy (-there +tidy):\n%s", filepath.Join(from, file), diff)
				}
			}
			run("vet", "./...")
			run("test", "-json", "./...")
			linked := run("list", "-deps", "./...")
			if !strings.Contains(linked, framework) {
				t.Errorf("it does not link %s", framework)
			}
			for other, path := range frameworks {
				if other != name && other != telemetry && strings.Contains(linked, path+"/") {
					t.Errorf("it links %s", path)
				}
			}
			rows.set(name, "j", !t.Failed())
		})
	}
	fmt.Print(rows)
}

// TestAdaptersCoreIsFree keeps the frameworks out of the module that everybody has.
func TestAdaptersCoreIsFree(t *testing.T) {
	data, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for name, path := range frameworks {
		if strings.Contains(string(data), path) {
			t.Errorf("go.mod requires %s, of %s", path, name)
		}
	}
}

// TestAdaptersFloor builds this module with each release of the library for schemas of
// Go types that a framework may bring: some need the newer one, older ones of them do
// not build with it.
func TestAdaptersFloor(t *testing.T) {
	for _, version := range []string{"v0.13.0", "v0.14.0"} {
		t.Run(version, func(t *testing.T) {
			mod := filepath.Join(t.TempDir(), "go.mod")
			for from, to := range map[string]string{"../go.mod": mod, "../go.sum": strings.TrimSuffix(mod, "mod") + "sum"} {
				data, err := os.ReadFile(from)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(to, data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for _, args := range [][]string{
				{"mod", "edit", "-require=github.com/invopop/jsonschema@" + version, mod},
				{"build", "-modfile", mod, "-mod=mod", "./runtime/native", "./cmd/mcpgen"},
				{"test", "-modfile", mod, "-mod=mod", "./runtime/native"},
				{"list", "-modfile", mod, "-m", "github.com/invopop/jsonschema"},
			} {
				cmd := exec.Command("go", args...)
				cmd.Dir, cmd.Env = "..", append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false")
				out, err := cmd.CombinedOutput()
				if err != nil || args[0] == "list" && !strings.Contains(string(out), version) {
					t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
				}
			}
		})
	}
}

// results are what the tests of adapters found: by adapter and test, and by the letter
// of the row that a test of adaptertest is.
type results map[string]map[string]bool

func (r results) set(row, letter string, pass bool) {
	if r[row] == nil {
		r[row] = map[string]bool{}
	}
	before, known := r[row][letter]
	r[row][letter] = pass && (before || !known)
}

// add takes up what go test -json printed.
func (r results) add(adapter, output string) {
	for line := range strings.Lines(output) {
		var e struct{ Action, Test string }
		if json.Unmarshal([]byte(line), &e) != nil || e.Action != "pass" && e.Action != "fail" {
			continue
		}
		if _, sub, _ := strings.Cut(e.Test, "/"); len(sub) > 1 && sub[1] == '_' {
			r.set(adapter, sub[:1], e.Action == "pass")
		}
	}
}

// String is a table.
func (r results) String() string {
	const letters = "abcdefghijkl"
	var b strings.Builder
	b.WriteString("\na schema, b arguments, c errors, d content, e denial, f duplicate name, g illegal name, h cancel, i without, j links, k the same agent, l 200 tools on the wire\n")
	fmt.Fprintf(&b, "%-12s", "")
	for _, l := range letters {
		fmt.Fprintf(&b, " %-4c", l)
	}
	for _, name := range slices.Sorted(maps.Keys(r)) {
		fmt.Fprintf(&b, "\n%-12s", name)
		for _, l := range letters {
			text := "-"
			if pass, ok := r[name][string(l)]; ok {
				text = map[bool]string{true: "ok", false: "FAIL"}[pass]
			}
			fmt.Fprintf(&b, " %-4s", text)
		}
	}
	return b.String() + "\n"
}

// replaceOf returns the end of a go.mod that has the module of this checkout used.
func replaceOf(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if i := strings.Index(string(data), "\nreplace "+module+" => "); i >= 0 {
		return string(data[i:])
	}
	return ""
}

// withoutOurs reads a go.sum without the lines of this module, which change with each
// of its files; any other file whole.
func withoutOurs(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Base(path) != "go.sum" {
		return strings.TrimSuffix(string(data), replaceOf(t, path))
	}
	var kept strings.Builder
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, module+" ") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
