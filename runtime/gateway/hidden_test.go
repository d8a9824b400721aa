package gateway

// Denied items that callers are not shown.

import (
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// A hidden item is answered as one that does not exist, and the log has the reason. With
// denied: visible, the answer has it.
func TestHiddenItems(t *testing.T) {
	file := filepath.Join(t.TempDir(), "surface.json")
	if err := os.WriteFile(file, []byte(`{"tools":[{"name":"shown","inputSchema":{"type":"object"}},{"name":"secret","inputSchema":{"type":"object"}}],
		"prompts":[{"name":"secret","arguments":[{"name":"a"}]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, denied := range []policy.Showing{policy.Hidden, policy.Visible} {
		for _, mode := range []policy.Config{{Allow: []string{"tool:s/shown"}}, {Mode: policy.Yolo, Deny: []string{"tool:s/secret", "prompt:s/secret"}}} {
			mode.Denied = denied
			gate, err := policy.New(mode, nil)
			if err != nil {
				t.Fatal(err)
			}
			host := openGateway(t, &attach.Options{Middleware: []runtime.Middleware{gate.Middleware()}}, nil, processServer(t, "s", "replay", file)).host
			var log lockedBuffer
			g, err := New(host, &Options{View: agent.NewView(host, &agent.Options{Shows: gate.Shows}), Logger: slog.New(slog.NewTextHandler(&log, nil))})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = g.Close() })
			url, _ := serveHTTP(t, g, nil)
			for _, c := range []struct{ method, params string }{
				{"tools/call", `{"name":"NAME"}`}, {"tools/call", `{"name":"NAME","task":{}}`}, {"prompts/get", `{"name":"NAME"}`},
				{"completion/complete", `{"ref":{"type":"ref/prompt","name":"NAME"},"argument":{"name":"a","value":""}}`},
			} {
				eachEra(t, func(t *testing.T, revision string) {
					answer := func(name string) string {
						_, err := dialClient(t, g, revision).request(c.method, strings.Replace(c.params, "NAME", name, 1))
						if err == nil {
							return "none"
						}
						return strings.ReplaceAll(err.Error(), name, "NAME")
					}
					hidden, unknown := answer("s__secret"), answer("s__nothing")
					if same := hidden == unknown; same != (denied == policy.Hidden) && (denied == policy.Hidden || !strings.Contains(c.params, "task")) {
						t.Errorf("%s %s: hidden: %s, unknown: %s", denied, c.method, hidden, unknown)
					}
				})
			}
			checkContains(t, log.String(), "denied")
			over := func(name string) string {
				body, header := modernCall(name, `{}`)
				status, got, _ := postJSON(t, url+Path, body, header...)
				return http.StatusText(status) + strings.ReplaceAll(got, name, "NAME")
			}
			if hidden, unknown := over("s__secret"), over("s__nothing"); (hidden == unknown) != (denied == policy.Hidden) {
				t.Errorf("%s over HTTP: hidden: %s, unknown: %s", denied, hidden, unknown)
			}
		}
	}
}
