package main

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const secret = "ci-0123456789abcdef"

// bearer sends a token with each request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// Both listeners have the same tools, behind the same policy; the one for others wants
// a token.
func TestGateway(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "bin", "tracker"), "../quickstart/server").CombinedOutput(); err != nil {
		t.Fatalf("build the server: %v\n%s", err, out)
	}
	t.Chdir(dir)
	var listeners [2]net.Listener
	for i := range listeners {
		var err error
		if listeners[i], err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, listeners[0], listeners[1], map[string]string{"ci": secret}) }()
	connect := func(l net.Listener, token string) (*mcp.ClientSession, error) {
		return mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{
			Endpoint: "http://" + l.Addr().String() + "/mcp", HTTPClient: &http.Client{Transport: bearer(token)}, DisableStandaloneSSE: true,
		}, nil)
	}
	for i, l := range listeners {
		session, err := connect(l, secret)
		if err != nil {
			t.Fatal(err)
		}
		tools, err := session.ListTools(t.Context(), nil)
		if err != nil || len(tools.Tools) == 0 || !strings.HasPrefix(tools.Tools[0].Name, "tracker__") {
			t.Errorf("listener %d: %v, %v", i, tools, err)
		}
		read, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "tracker__list_prs", Arguments: json.RawMessage(`{}`)})
		if err != nil || read.IsError {
			t.Errorf("listener %d: %v, %v", i, textOf(read), err)
		}
		// A denied tool is hidden: callers are told that it is unknown.
		merged, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "tracker__merge_pr", Arguments: json.RawMessage(`{"repo":"anomalyco/opencode","number":1}`)})
		if err == nil || !strings.Contains(err.Error(), "unknown tool tracker__merge_pr") {
			t.Errorf("listener %d: %v, %v", i, textOf(merged), err)
		}
		_ = session.Close()
	}
	if _, err := connect(listeners[1], "guessed"); err == nil {
		t.Error("connect with another token has no error, want one")
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// textOf is what a result says.
func textOf(r *mcp.CallToolResult) string {
	if r == nil || len(r.Content) == 0 {
		return ""
	}
	if t, ok := r.Content[0].(*mcp.TextContent); ok {
		return t.Text
	}
	return ""
}
