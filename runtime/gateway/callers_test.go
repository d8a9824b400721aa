package gateway

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// Each caller is listed what it may call, get and read, and is refused the rest; the
// instructions of a server that it may call nothing of are not for it.
func TestListingsOfCallers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "surface.json")
	if err := os.WriteFile(file, []byte(`{"instructions":"Use it well.","tools":[{"name":"read","inputSchema":{"type":"object"}},{"name":"write","inputSchema":{"type":"object"}}],
		"prompts":[{"name":"review"}],"resources":[{"uri":"file:///a","name":"a"}],"resourceTemplates":[{"uriTemplate":"file:///guide/{page}","name":"page"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	gate, err := policy.New(policy.Config{
		Allow:   []string{"tool:s/read"},
		Callers: []policy.CallerRules{{CallerMatch: policy.CallerMatch{Caller: "writer"}, Allow: []string{"tool:s/write", "prompt:s/*", "resource:s/file:///*"}}, {CallerMatch: policy.CallerMatch{Caller: "nobody"}, Deny: []string{"tool:s/*"}}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	host := openGateway(t, &attach.Options{Middleware: []runtime.Middleware{gate.Middleware()}}, nil, processServer(t, "s", "replay", file)).host
	g, err := New(host, &Options{View: agent.NewView(host, &agent.Options{Shows: gate.Shows})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	tokens := map[string]string{"writer": "0123456789abcdef-writer", "reader": "0123456789abcdef-reader", "nobody": "0123456789abcdef-nobody"}
	auth, err := Tokens(tokens)
	if err != nil {
		t.Fatal(err)
	}
	url, _ := serveHTTP(t, g, &HandlerOptions{Auth: auth})
	ask := func(caller, method, name string) string {
		t.Helper()
		body, header := modernCall(name, `{}`)
		body = strings.Replace(body, "tools/call", method, 1)
		header[3] = method
		if method != "tools/call" {
			header = header[:4]
		}
		status, got, _ := postJSON(t, url+Path, body, append(header, "Authorization", "Bearer "+tokens[caller])...)
		if (status != http.StatusOK) != strings.Contains(got, "unknown tool") {
			t.Errorf("%s %s: %d %s", caller, method, status, got)
		}
		return got
	}
	checkContains(t, ask("writer", "tools/list", ""), `"s__read"`, `"s__write"`)
	checkContains(t, ask("writer", "prompts/list", ""), `"s__review"`)
	checkContains(t, ask("writer", "resources/list", ""), `file:///a`)
	checkContains(t, ask("writer", "resources/templates/list", ""), `file:///guide/{page}`)
	checkContains(t, ask("writer", "server/discover", ""), "Use it well.")
	checkContains(t, ask("reader", "tools/list", ""), `"s__read"`)
	checkLacks(t, ask("reader", "tools/list", ""), `"s__write"`)
	checkLacks(t, ask("reader", "prompts/list", ""), `"s__review"`)
	checkLacks(t, ask("reader", "resources/list", ""), `file:///a`)
	checkLacks(t, ask("reader", "resources/templates/list", ""), `guide`)
	checkContains(t, ask("reader", "server/discover", ""), "Use it well.")
	checkContains(t, ask("reader", "tools/call", "s__write"), "unknown tool s__write")
	checkLacks(t, ask("nobody", "tools/list", ""), `"s__read"`)
	checkLacks(t, ask("nobody", "server/discover", ""), "Use it well.")
	checkLacks(t, ask("writer", "tools/call", "s__write"), "unknown")
}

// After a reload, callers are notified that they may be shown something else, and one that
// lost the right to read a resource is not notified of its changes any more.
func TestCallersAfterAReload(t *testing.T) {
	sdk := mcp.NewServer(&mcp.Implementation{Name: "u", Version: "1"}, &mcp.ServerOptions{
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	for _, uri := range []string{"demo://a", "demo://b"} {
		sdk.AddResource(&mcp.Resource{URI: uri, Name: uri}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{}, nil
		})
	}
	server := endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: serveHandler(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return sdk }, nil))}}
	host := openGateway(t, nil, nil, server).host
	var withdrawn atomic.Bool
	g, err := New(host, &Options{View: agent.NewView(host, &agent.Options{Shows: func(r runtime.Request) bool { return r.Name != "demo://a" || !withdrawn.Load() }})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	told := make(chan string, 20)
	c := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler:     func(context.Context, *mcp.ToolListChangedRequest) { told <- "tools" },
		PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) { told <- "prompts" },
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { told <- "resources" },
		ResourceUpdatedHandler:     func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { told <- r.Params.URI },
	})
	session, err := c.Connect(t.Context(), g.Transport(), &mcp.ClientSessionOptions{ProtocolVersion: legacy})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	for _, uri := range []string{"demo://a", "demo://b"} {
		if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "mcpgen://s/" + uri}); err != nil {
			t.Fatal(err)
		}
	}
	awaitAll := func(want ...string) {
		t.Helper()
		for len(want) > 0 {
			select {
			case got := <-told:
				if withdrawn.Load() && strings.HasSuffix(got, "demo://a") {
					t.Errorf("told of %s after its withdrawal", got)
				}
				want = slices.DeleteFunc(want, func(w string) bool { return w == got })
			case <-time.After(10 * time.Second):
				t.Fatalf("not told of %q", want)
			}
		}
	}
	update := func(uri string) {
		t.Helper()
		if err := sdk.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
	}
	update("demo://a")
	awaitAll("mcpgen://s/demo://a")
	withdrawn.Store(true)
	if err := host.Reload(t.Context(), []endpoint.Server{server}); err != nil {
		t.Fatal(err)
	}
	awaitAll("tools", "prompts", "resources")
	update("demo://a")
	update("demo://b")
	awaitAll("mcpgen://s/demo://b")
}
