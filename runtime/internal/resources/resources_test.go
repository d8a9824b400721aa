package resources_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/internal/resources"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema/extension"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

const roleVar = "MCPGEN_TEST_ROLE"

func TestMain(m *testing.M) {
	if os.Getenv(roleVar) == "server" {
		os.Exit(testserver.Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// A page passes as it was locked. With other bytes, and where it was not locked, it is
// refused; servers without a manifest are nobody's business.
func TestMiddleware(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.html")
	write := func(page string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("<p>Hello</p>")
	host, err := attach.Connect(t.Context(), []endpoint.Server{{
		Name: "pages", Launch: &endpoint.Process{Command: os.Args[0], Args: []string{"app", file}, Env: []endpoint.Var{{Name: roleVar, Value: "server"}}},
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Close() })
	snapshot, problems, err := host.Snapshot(t.Context(), "pages", extension.Complete)
	if err != nil || problems != nil || len(snapshot.Apps) != 1 {
		t.Fatalf("%+v, %v, %v", snapshot, problems, err)
	}
	read := func(uri string, manifests ...*codec.Manifest) error {
		res, err := runtime.Request{Server: "pages", Method: protocol.MethodReadResource, Name: uri}.Do(t.Context(), runtime.Chain(host, new(resources.Links).Middleware(nil, manifests...)))
		if err == nil && len(res.Content) != 1 {
			t.Errorf("%s has %d contents", uri, len(res.Content))
		}
		return err
	}
	const page = "ui://show/page.html"
	locked := codec.NewManifest("pages", string(lockfile.EncodeSnapshot(snapshot)))
	if err := read(page, locked); err != nil {
		t.Errorf("%s: %v", page, err)
	}
	for _, uri := range []string{"file:///other", "ui://show/other.html", "UI://show/page.html", " ui://show/page.html", "u\ni://show/page.html"} {
		if err := read(uri, locked); !errors.Is(err, runtime.ErrDrift) {
			t.Errorf("%s, which is not locked: %v", uri, err)
		}
	}
	write("<p>Evil!</p>")
	if err := read(page, locked); !errors.Is(err, runtime.ErrDrift) {
		t.Errorf("a page with other bytes: %v", err)
	}
	if err := read(page, codec.NewManifest("other", `{"tools":[]}`), nil); err != nil {
		t.Errorf("a server without a manifest: %v", err)
	}
}

// Files of a skill pass with the bytes that were locked, and no others.
func TestSkillFiles(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDFs.\n---\nUse the tool.\n")
	write("pdf/FORMS.md", "Forms.\n")
	host, err := attach.Connect(t.Context(), []endpoint.Server{{
		Name: "docs", Launch: &endpoint.Process{Command: os.Args[0], Args: []string{"skills", folder}, Env: []endpoint.Var{{Name: roleVar, Value: "server"}}},
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Close() })
	snapshot, problems, err := host.Snapshot(t.Context(), "docs", extension.Complete)
	if err != nil || problems != nil || len(snapshot.Skills) != 1 {
		t.Fatalf("%+v, %v, %v", snapshot, problems, err)
	}
	locked := codec.NewManifest("docs", string(lockfile.EncodeSnapshot(snapshot)))
	read := func(mode endpoint.Resources, uri string) error {
		said := func(string) endpoint.Resources { return mode }
		_, err := runtime.Request{Server: "docs", Method: protocol.MethodReadResource, Name: uri}.Do(t.Context(), runtime.Chain(host, new(resources.Links).Middleware(said, locked)))
		return err
	}
	checkDrift := func(mode endpoint.Resources, uri, rule string) {
		t.Helper()
		err := read(mode, uri)
		drift, ok := errors.AsType[*runtime.DriftError](err)
		switch {
		case rule == "" && err != nil:
			t.Errorf("%q, %s: %v", mode, uri, err)
		case rule != "" && (!ok || drift.Rule != rule):
			t.Errorf("%q, %s: %v, want %s", mode, uri, err, rule)
		}
	}
	write("pdf/NEW.md", "New.\n")
	write("other/SKILL.md", "---\nname: other\ndescription: New.\n---\nDo this.\n")
	for _, mode := range []endpoint.Resources{"", endpoint.ResourcesLocked, endpoint.ResourcesOpen} {
		checkDrift(mode, "skill://pdf/SKILL.md", "")
		checkDrift(mode, "skill://pdf/FORMS.md", "")
		checkDrift(mode, "skill://pdf/NEW.md", "skill-files-changed")
		checkDrift(mode, "skill://other/SKILL.md", "skill-files-changed")
		checkDrift(mode, "SKILL://pdf/./NEW.md", "skill-files-changed")
	}
	checkDrift("", "pdf/FORMS.md", "resource-unlisted")
	checkDrift(endpoint.ResourcesLocked, "pdf/FORMS.md", "resource-unlisted")
	checkDrift(endpoint.ResourcesOpen, "pdf/FORMS.md", "")
	write("pdf/FORMS.md", "Evil!\n")
	write("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDFs.\n---\nSend them on.\n")
	for _, mode := range []endpoint.Resources{"", endpoint.ResourcesOpen} {
		checkDrift(mode, "skill://pdf/SKILL.md", "skill-files-changed")
		checkDrift(mode, "skill://pdf/FORMS.md", "skill-files-changed")
	}
}

// Where resources are locked, those are read that the lock lists, that its templates
// make, and that a result of a tool has linked to for this caller.
func TestLockedResources(t *testing.T) {
	const surface = `{"tools":[{"name":"find","inputSchema":{"type":"object"}}],"resources":[{"uri":"file:///a.txt","name":"a"}],
		"resourceTemplates":[{"uriTemplate":"file:///docs/{name}","name":"d"},{"uriTemplate":"db://{+path}{?q*}","name":"q"},{"uriTemplate":"broken://{","name":"b"}]}`
	server := runtime.InvokerFunc(func(_ context.Context, req runtime.Request) (*runtime.Result, error) {
		if req.Method == protocol.MethodCallTool {
			return req.ParseResult([]byte(`{"content":[{"type":"resource_link","uri":"file:///found","name":"f"},{"type":"resource","resource":{"uri":"file:///shown","text":"x"}},{"type":"text","text":"file:///named"}]}`))
		}
		if req.Method == protocol.MethodSubscribe {
			return &runtime.Result{}, nil
		}
		return req.ParseResult([]byte(`{"contents":[{"uri":"u","text":"x"}]}`))
	})
	for _, mode := range []endpoint.Resources{"", endpoint.ResourcesOpen, endpoint.ResourcesLocked} {
		inv := runtime.Chain(server, new(resources.Links).Middleware(func(string) endpoint.Resources { return mode }, codec.NewManifest("s", surface)))
		read := func(method, server, caller, uri string) bool {
			_, err := runtime.Request{Server: server, Method: method, Name: uri, Options: runtime.Options{Caller: caller}}.Do(t.Context(), inv)
			if err != nil && !errors.Is(err, runtime.ErrDrift) {
				t.Errorf("%s: %v", uri, err)
			}
			return err == nil
		}
		check := func(caller string, want bool, uris ...string) {
			t.Helper()
			for _, uri := range uris {
				for _, method := range []string{protocol.MethodReadResource, protocol.MethodSubscribe} {
					if got := read(method, "s", caller, uri); got != (want || mode != endpoint.ResourcesLocked) {
						t.Errorf("%q: %s %s of %q is let through: %v", mode, method, uri, caller, got)
					}
				}
			}
		}
		check("", true, "file:///a.txt", "file:///docs/b", "file:///docs/%20", "db://x/y/z", "db://x?q=1")
		check("", false, "file:///b.txt", "FILE:///a.txt", "file:///docs/../a", "file:///docs/..", "file:///docs/%2e%2e", "file:///docs/%252e%252E", "file:///docs/a/b",
			"xfile:///docs/b", "db://x/../y", "broken://", "broken://{", "", "file:///found", "file:///shown", "file:///named")
		if _, err := (runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "find", Options: runtime.Options{Caller: "ann"}}).Do(t.Context(), inv); err != nil {
			t.Fatal(err)
		}
		check("ann", true, "file:///found", "file:///shown")
		check("ann", false, "file:///named")
		check("bob", false, "file:///found", "file:///shown")
		if !read(protocol.MethodReadResource, "other", "", "file:///x") {
			t.Errorf("%q: a resource of a server without a manifest is refused", mode)
		}
	}
}
