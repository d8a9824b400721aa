package generator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// serverWithTools is a server with n tools of medium size: eight parameters, a
// nested object, an enum, and an output schema with a list of objects.
func serverWithTools(t testing.TB, name string, n int) Server {
	t.Helper()
	s := &schema.Snapshot{Server: name, ProtocolVersion: "2025-11-25"}
	for i := range n {
		raw := fmt.Sprintf(`{"name":"list_things_%05d","description":"Lists the things of kind %d. Use it before you change one.",
			"inputSchema":{"type":"object","required":["owner","repo"],"properties":{
				"owner":{"type":"string","description":"Owner of the repository"},"repo":{"type":"string","description":"Name of the repository"},
				"page":{"type":"integer","minimum":1},"per_page":{"type":"integer","minimum":1,"maximum":100},"since":{"type":"string"},
				"state":{"type":"string","enum":["open","closed","all"]},"labels":{"type":"array","items":{"type":"string"}},
				"filter":{"type":"object","properties":{"author":{"type":"string"},"draft":{"type":"boolean"}}}}},
			"outputSchema":{"type":"object","required":["items","total"],"properties":{"total":{"type":"integer"},
				"items":{"type":"array","items":{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"title":{"type":"string"},"url":{"type":"string"}}}}}}}`, i, i)
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
	return Server{Name: name, Snapshot: s, Locked: locked}
}

func TestGenerateChecksOptions(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Options)
		want   string
	}{
		{"the root", func(o *Options) { o.Output = "." }, `output "."`},
		{"outside", func(o *Options) { o.Output = "../x" }, `output "../x"`},
		{"absolute", func(o *Options) { o.Output = "/x" }, `output "/x"`},
		{"backslash", func(o *Options) { o.Output = `a\b` }, "slash path"},
		{"hidden", func(o *Options) { o.Output = "a/.b/c" }, `ignores the folder ".b"`},
		{"vendor", func(o *Options) { o.Output = "vendor/x" }, `ignores the folder "vendor"`},
		{"no import path", func(o *Options) { o.ImportPath = "" }, "import path"},
		{"an import path that ends", func(o *Options) { o.ImportPath = "a\"\nimport \"b" }, "import path"},
		{"a keyword", func(o *Options) { o.Servers[0].Package = "func" }, "func"},
		{"main", func(o *Options) { o.Servers[0].Package = "main" }, "main"},
		{"internal", func(o *Options) { o.Servers[0].Package = "internal" }, "internal"},
		{"a path", func(o *Options) { o.Servers[0].Package = "../x" }, "../x"},
		{"a device", func(o *Options) { o.Servers[0].Package = "con" }, "the file system"},
		{"init", func(o *Options) { o.Servers[0].Package = "init" }, "init"},
		{"a test file", func(o *Options) { o.Servers[0].Package = "x_test" }, "x_test"},
		{"no package", func(o *Options) { o.Servers[1].Package = "a_test" }, `beta: package "a_test": a package name has lower-case letters and digits only: choose another package name with the key package`},
		{"one package twice", func(o *Options) { o.Servers[1].Package = "alpha" }, `already that of server "alpha"`},
		{"one name twice", func(o *Options) { o.Servers[1].Name = "alpha" }, `server "alpha" is duplicated`},
		{"no snapshot", func(o *Options) { o.Servers[1].Snapshot = nil }, "mcpgen update beta"},
		{"no lock", func(o *Options) { o.Servers[1].Locked = nil }, "mcpgen update beta"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opts := Options{Output: "internal/mcp", ImportPath: "example.com/x/internal/mcp", Servers: []Server{serverWithTools(t, "alpha", 1), serverWithTools(t, "beta", 1)}}
			if _, err := Generate(t.Context(), opts); err != nil {
				t.Fatal(err)
			}
			tt.change(&opts)
			if _, err := Generate(t.Context(), opts); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("want an error with %q, got %v", tt.want, err)
			}
		})
	}
}

func TestGenerateNamesAllErrors(t *testing.T) {
	opts := Options{Output: "mcp", ImportPath: "example.com/mcp", Restore: func(server string) []string { return []string{"restore " + server} }}
	for _, name := range []string{"alpha", "beta", "gamma"} {
		s := serverWithTools(t, name, 2)
		s.Snapshot.Tools = s.Snapshot.Tools[:1]
		opts.Servers = append(opts.Servers, s)
	}
	_, err := Generate(t.Context(), opts)
	for _, name := range []string{"alpha", "beta", "gamma"} {
		want := name + `: tool "list_things_00001" is in the lock and not in the snapshot: restore ` + name
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %v", want, err)
		}
	}
}

func TestGenerateNamesDifferences(t *testing.T) {
	const tool = "list_things_00000"
	relock := func(s *Server, change func(*lockfile.LockedItem)) {
		item := s.Locked.Tools[tool]
		change(&item)
		s.Locked.Tools[tool] = item
	}
	redefine := func(s *Server, old, new string) {
		raw := strings.Replace(string(s.Snapshot.Tools[0].Raw), old, new, 1)
		s.Snapshot.Tools[0].Raw = json.RawMessage(raw)
	}
	tests := []struct {
		name   string
		change func(*Server)
		want   string
	}{
		{"added", func(s *Server) { delete(s.Locked.Tools, tool) }, "is in the snapshot and not in the lock"},
		{"removed", func(s *Server) { s.Snapshot.Tools = nil }, "is in the lock and not in the snapshot"},
		{"reworded", func(s *Server) { redefine(s, "Owner of the repository", "Whose it is") }, "is not worded as it was locked"},
		{"changed", func(s *Server) { redefine(s, `"minimum":1`, `"minimum":2`) }, "is not what was locked"},
		{"an edited lock", func(s *Server) {
			relock(s, func(item *lockfile.LockedItem) { item.Contract = "sha256:" + strings.Repeat("0", 64) })
		}, "has hashes in the lock that do not belong together"},
		{"a key of another tool", func(s *Server) {
			relock(s, func(item *lockfile.LockedItem) { item.Key = "bk_" + strings.Repeat("0", 32) })
		}, "has hashes in the lock that do not belong together"},
		{"another server", func(s *Server) { s.Snapshot.Server = "beta" }, `the snapshot belongs to server "beta"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serverWithTools(t, "alpha", 1)
			tt.change(&s)
			_, err := generateServer(s)
			var of *ServerError
			if err == nil || !strings.HasPrefix(err.Error(), "alpha: ") || !strings.Contains(err.Error(), tt.want) || !errors.As(err, &of) || of.Server != "alpha" {
				t.Fatalf("got %v, want an error of alpha with %q", err, tt.want)
			}
		})
	}
}

// A server that is not generated again is still in the package over all servers.
func TestGenerateBesideKept(t *testing.T) {
	opts := Options{Output: "a/internal", ImportPath: "example.com/a/internal", Fakes: true, Docs: docsMarkdown,
		Servers: []Server{serverWithTools(t, "alpha", 1)}, Kept: []Kept{{Server: "beta", Package: "b"}}}
	out, err := Generate(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range out.Files {
		paths = append(paths, strings.TrimPrefix(f.Path, "a/internal/"))
	}
	if got, want := strings.Join(paths, " "), ".gitattributes README.md alpha/alpha.go alpha/alpha.md alpha/alphatest/alphatest.go alpha/manifest.go alpha/snapshot.json alpha/types.go mcp.go"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	shim := fileText(out, "a/internal/mcp.go")
	for _, want := range []string{"\npackage internal\n", `"example.com/a/internal/alpha"`, `"example.com/a/internal/b"`, "b.Tools(inv)"} {
		if !strings.Contains(shim, want) {
			t.Errorf("%q is not in\n%s", want, shim)
		}
	}
	for _, s := range []Server{{Name: "beta"}, {Name: "gamma", Package: "b"}} {
		opts.Servers = []Server{s}
		if _, err := Generate(t.Context(), opts); err == nil {
			t.Errorf("server %q in package %q was generated beside the kept one", s.Name, s.Package)
		}
	}
}

func TestGenerateIsPure(t *testing.T) {
	s := serverWithTools(t, "alpha", 3)
	before := string(lockfile.EncodeSnapshot(s.Snapshot))
	opts := Options{Output: "mcp", ImportPath: "example.com/mcp", Servers: []Server{s}}
	out, err := Generate(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if string(lockfile.EncodeSnapshot(opts.Servers[0].Snapshot)) != before {
		t.Errorf("Generate changed the snapshot to\n%s\nwant it as before:\n%s", lockfile.EncodeSnapshot(opts.Servers[0].Snapshot), before)
	}
	var paths []string
	for _, f := range out.Files {
		paths = append(paths, f.Path)
	}
	if got, want := strings.Join(paths, " "), "mcp/.gitattributes mcp/README.md mcp/alpha/alpha.go mcp/alpha/manifest.go mcp/alpha/snapshot.json mcp/alpha/types.go mcp/mcp.go"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(out.Tools) != 3 || out.Tools[0] != (Tool{"alpha", "list_things_00000", GoTool{
		Package: "alpha", Import: "example.com/mcp/alpha", Func: "ListThings00000", Args: "ListThings00000Args", Result: "*ListThings00000Result"}, 54}) {
		t.Errorf("got %+v", out.Tools[0])
	}
}

func TestGenerateNothing(t *testing.T) {
	out, err := Generate(t.Context(), Options{Output: "mcp", ImportPath: "example.com/mcp"})
	if err != nil || len(out.Files) != 3 || out.Files[2].Path != "mcp/mcp.go" {
		t.Errorf("got %+v, %v; want what is over all servers alone", out, err)
	}
}

// A run whose context has ended returns the error of the context, whatever it was doing.
func TestGenerateEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := serverWithTools(t, "alpha", 3)
	opts := Options{Output: "mcp", ImportPath: "example.com/mcp", Servers: []Server{s}}
	if out, err := Generate(ctx, opts); !errors.Is(err, context.Canceled) || out != nil {
		t.Errorf("Generate: got %v, %v; want context.Canceled", out, err)
	}
	if symbols, err := Symbols(ctx, opts); !errors.Is(err, context.Canceled) || symbols != nil {
		t.Errorf("Symbols: got %v, %v; want context.Canceled", symbols, err)
	}
	if err := AssignNames(ctx, s, nil, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("AssignNames: got %v; want context.Canceled", err)
	}
}
