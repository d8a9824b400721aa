package apps_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/apps"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
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
		Name: "pages", Command: os.Args[0], Args: []string{"app", file}, Env: []endpoint.Var{{Name: roleVar, Value: "server"}},
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
		res, err := runtime.Request{Server: "pages", Method: protocol.MethodReadResource, Name: uri}.Do(t.Context(), runtime.Chain(host, apps.Middleware(manifests...)))
		if err == nil && len(res.Content) != 1 {
			t.Errorf("%s has %d contents", uri, len(res.Content))
		}
		return err
	}
	const page = "ui://show/page.html"
	locked := codec.NewManifest("pages", string(lockfile.EncodeSnapshot(snapshot)))
	for _, uri := range []string{page, "file:///other"} {
		if err := read(uri, locked); err != nil {
			t.Errorf("%s: %v", uri, err)
		}
	}
	for _, uri := range []string{"ui://show/other.html", "UI://show/page.html", " ui://show/page.html", "u\ni://show/page.html"} {
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
