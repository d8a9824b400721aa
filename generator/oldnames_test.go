package generator

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// serverListing is a server with tools of those names, all of the same shape.
func serverListing(t *testing.T, names ...string) Server {
	t.Helper()
	s := &schema.Snapshot{Server: "srv", ProtocolVersion: "2025-11-25"}
	for _, name := range names {
		raw := `{"name":"` + name + `","inputSchema":{"type":"object","required":["repo"],"properties":{"repo":{"type":"string"},
			"state":{"type":"string","enum":["open","closed"]},"filter":{"type":"object","properties":{"author":{"type":"string"}}}}},
			"outputSchema":{"type":"object","required":["total"],"properties":{"total":{"type":"integer"}}}}`
		it, err := schema.ParseItem(schema.KindTool, json.RawMessage(raw))
		if err != nil {
			t.Fatal(err)
		}
		s.Tools = append(s.Tools, it)
	}
	locked, err := lockfile.LockSnapshot(s)
	if err != nil {
		t.Fatal(err)
	}
	return Server{Name: "srv", Snapshot: s, Locked: locked}
}

// numberedNames returns n names that begin with name.
func numberedNames(name string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s_%03d", name, i)
	}
	return out
}

// withUntypedTool adds a tool without a result schema.
func withUntypedTool(t *testing.T, s Server, name string) Server {
	t.Helper()
	it, err := schema.ParseItem(schema.KindTool, json.RawMessage(`{"name":"`+name+`","inputSchema":{"type":"object"}}`))
	if err != nil {
		t.Fatal(err)
	}
	s.Snapshot.Tools = append(s.Snapshot.Tools, it)
	if s.Locked, err = lockfile.LockSnapshot(s.Snapshot); err != nil {
		t.Fatal(err)
	}
	return s
}

// Old names come with a rename, stay over further updates, and leave when
// somebody else has them.
func TestKeepOldNames(t *testing.T) {
	steps := []struct {
		name    string
		tools   []string
		renamed map[string]string
		want    map[string]map[string]string
	}{
		{"first", []string{"list_prs", "get"}, nil, nil},
		{"renamed", []string{"list_pull_requests", "get"}, map[string]string{"list_prs": "list_pull_requests"},
			map[string]map[string]string{"list_pull_requests": {"list_prs": "ListPRs"}}},
		{"nothing new", []string{"list_pull_requests", "get"}, nil, map[string]map[string]string{"list_pull_requests": {"list_prs": "ListPRs"}}},
		{"renamed again", []string{"find_pull_requests", "get"}, map[string]string{"list_pull_requests": "find_pull_requests"},
			map[string]map[string]string{"find_pull_requests": {"list_prs": "ListPRs", "list_pull_requests": "ListPullRequests"}}},
		{"one is back", []string{"find_pull_requests", "get", "list_prs"}, nil,
			map[string]map[string]string{"find_pull_requests": {"list_pull_requests": "ListPullRequests"}}},
		{"a name is taken", []string{"find_pull_requests", "get", "list-pull-requests"}, nil, nil},
		{"spelled otherwise", []string{"find-pull-requests", "get"}, map[string]string{"find_pull_requests": "find-pull-requests"}, nil},
		{"gone", []string{"get"}, nil, nil},
	}
	before := Server{Name: "srv"}
	for _, step := range steps {
		after := serverListing(t, step.tools...)
		if err := KeepOldNames(t.Context(), before, after, step.renamed); err != nil {
			t.Fatal(step.name, err)
		}
		for name, item := range after.Locked.Tools {
			if !maps.Equal(decide.Pinned(item).Was, step.want[name]) {
				t.Errorf("%s: %s was %v, want %v", step.name, name, decide.Pinned(item).Was, step.want[name])
			}
		}
		lock := lockfile.NewLock()
		lock.Servers["srv"] = after.Locked
		again, err := lockfile.ParseLock(lock.Encode())
		if err != nil {
			t.Fatal(step.name, err)
		}
		after.Locked = again.Servers["srv"]
		if _, err := Generate(t.Context(), Options{Output: "mcp", ImportPath: "example.com/app/mcp", Servers: []Server{after}}); err != nil {
			t.Fatal(step.name, err)
		}
		before = after
	}
}

// A tool that was renamed too often loses names, so that its lock can be read. The
// name that it had last stays.
func TestKeepOldNamesIsBounded(t *testing.T) {
	before, after := serverListing(t, "old"), serverListing(t, "new")
	item := before.Locked.Tools["old"]
	was := map[string]string{}
	for i, name := range numberedNames("was", decide.MaxOldNames) {
		was[name] = fmt.Sprintf("Was%03d", i)
	}
	before.Locked.Tools["old"] = decide.WithPins(item, decide.Pins{Was: was})
	if err := KeepOldNames(t.Context(), before, after, map[string]string{"old": "new"}); err != nil {
		t.Fatal(err)
	}
	got := decide.Pinned(after.Locked.Tools["new"]).Was
	if len(got) != decide.MaxOldNames || got["old"] != "Old" || got["was_000"] != "" {
		t.Errorf("got %d names, want %d with old and without was_000: %v", len(got), decide.MaxOldNames, got)
	}
}

// A name in a lock is input like any other.
func TestFormerIsChecked(t *testing.T) {
	tests := []struct {
		name string
		was  map[string]string
		want string // in the error; "" is none
		lack string // not in the code
	}{
		{"no identifier", map[string]string{"old": "X() {}; func init"}, "is not an exported Go name", ""},
		{"a keyword", map[string]string{"old": "func"}, "is not an exported Go name", ""},
		{"not exported", map[string]string{"old": "list"}, "is not an exported Go name", ""},
		{"a wire name that attacks", map[string]string{"old\n*/ func init() {}": "OldFuncInit"}, "", "\nfunc init"},
		{"our own name", map[string]string{"client": "Client"}, "", "is the old name of [Client"},
		{"another tool's", map[string]string{"old": "Get"}, `the name Get is not derived from "old"`, ""},
		{"another tool's type", map[string]string{"get_args": "GetArgs"}, "", "func GetArgs"},
		{"of a listed tool", map[string]string{"get": "Get2"}, "", "func Get2("},
		{"of none", map[string]string{"get": "Old"}, `the name Old is not derived from "get"`, ""},
		{"an alias that meets a type", map[string]string{"get2": "Get2"}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serverListing(t, "list_prs", "get")
			item := s.Locked.Tools["list_prs"]
			s.Locked.Tools["list_prs"] = decide.WithPins(item, decide.Pins{Was: tt.was})
			out, err := Generate(t.Context(), Options{Output: "mcp", ImportPath: "example.com/app/mcp", Servers: []Server{s}})
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "mcpgen.lock") {
					t.Errorf("got %v, want an error of mcpgen.lock that says %q", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range out.Files {
				if tt.lack != "" && strings.Contains(string(f.Data), tt.lack) {
					t.Errorf("%s has %q", f.Path, tt.lack)
				}
			}
		})
	}
}

const oldCaller = `package main

import (
	"context"

	"example.com/app/mcp/srv"
)

func list(ctx context.Context, c *srv.Client) (*srv.ListPRsResult, error) {
	args := srv.ListPRsArgs{Repo: "r", State: srv.ListPRsArgsStateOpen, Filter: &srv.ListPRsArgsFilter{}}
	if _, err := srv.ListPRs(ctx, args); err != nil {
		return nil, err
	}
	return c.ListPRs(ctx, args)
}

func main() {}
`

// webCaller imports neither context nor the runtime, and must not need to.
const webCaller = `package main

import (
	"net/http"

	"example.com/app/mcp/srv"
)

func handle(c *srv.Client, r *http.Request) {
	_, _ = c.ListPRs(r.Context(), srv.ListPRsArgs{Repo: "r"})
	_, _ = srv.Old(r.Context(), srv.OldArgs{})
}
`

// Callers of old names compile, go fix rewrites them, and what it makes compiles.
func TestGoFixRewritesCallers(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	generate := func(s Server) {
		out, err := Generate(t.Context(), Options{Output: "mcp", ImportPath: "example.com/app/mcp", Servers: []Server{s}})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range out.Files {
			write(f.Path, string(f.Data))
		}
	}
	command := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, text)
		}
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	write("go.mod", "module example.com/app\n\ngo 1.26\n\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => "+root+"\n")
	for _, name := range []string{"go.sum"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		write(name, string(data))
	}
	write("main.go", oldCaller)
	write("web.go", webCaller)

	before, after := serverListing(t, append(numberedNames("tool", 120), "list_prs")...), serverListing(t, append(numberedNames("tool", 120), "list_pull_requests")...)
	before, after = withUntypedTool(t, before, "old"), withUntypedTool(t, after, "very_new")
	before.Locked.Tools["list_prs"] = decide.WithPins(before.Locked.Tools["list_prs"], decide.Pins{Keep: []string{"ListPRsArgsFilter", "ListPRsArgsStateOpen"}})
	if err := KeepOldNames(t.Context(), before, after, map[string]string{"list_prs": "list_pull_requests", "old": "very_new"}); err != nil {
		t.Fatal(err)
	}
	generate(after)
	command("vet", "./...")
	command("fix", "./...")
	text := ""
	for _, name := range []string{"main.go", "web.go"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		text += string(data)
	}
	for _, want := range []string{
		"srv.ListPullRequests(ctx, args)", "c.ListPullRequests(ctx, args)", `c.ListPullRequests(r.Context(), srv.ListPRsArgs{Repo: "r"})`,
		"srv.VeryNew(r.Context(), srv.OldArgs{})",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("go fix made no %s of it:\n%s", want, text)
		}
	}
	for _, old := range []string{".ListPRs(", ".Old("} {
		if strings.Contains(text, old) {
			t.Errorf("go fix left %s in\n%s", old, text)
		}
	}
	command("vet", "./...")
}
