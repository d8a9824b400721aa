package live_test

// Rows of indusr about the deck: which tools a program has, and under which names.

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/native"
)

// qualifiedNames: server__tool, unique across servers; it is what the model sees and
// what a call needs.
func qualifiedNames(t *testing.T) {
	enterProject(t, map[string]string{
		"list.json": `{"tools": [{"name": "create_issue", "description": "Opens an issue.", "inputSchema": {"type": "object"}}]}`, "create_issue.txt": "issue 12",
		inProject: serverFile(`"github": {"command": PROGRAM, "args": ["replay-text", "list.json"]}`, `"gitlab": {"command": PROGRAM, "args": ["replay-text", "list.json"]}`),
	})
	host := openReady(t, live.Options{System: "indusr"})
	if got := toolNames(t, host); got != "github__create_issue gitlab__create_issue" {
		t.Errorf("tools %s", got)
	}
	if text := host.Instructions(); !strings.Contains(text, "- github__create_issue: Opens an issue.") {
		t.Errorf("briefing: %s", text)
	}
	res, err := host.Call(t.Context(), "github__create_issue", json.RawMessage(`{}`))
	if err != nil || res.Text() != "issue 12" {
		t.Errorf("got %+v, %v", res, err)
	}
	if _, err := host.Call(t.Context(), "create_issue", nil); err == nil {
		t.Error("Call of a name without its server has no error, want one")
	}
}

// builtIn are tools of a program's own, as an agent has them.
func builtIn(t *testing.T, opts live.Options) live.Options {
	t.Helper()
	own := func(name string) *native.Tool {
		tool, err := native.New(name, "Built in.", func(context.Context, struct{}) (string, error) { return name, nil })
		if err != nil {
			t.Fatal(err)
		}
		return tool
	}
	set, err := native.NewSet(own("read"), own("web_fetch"), own("bash"))
	if err != nil {
		t.Fatal(err)
	}
	opts.Agent.Native = set.Tools
	opts.Attach.Middleware = append(opts.Attach.Middleware, set.Middleware())
	return opts
}

// registry notes the order in which tools come.
type registry struct{ names []string }

func (r *registry) Register(t runtime.Tool) error {
	if slices.Contains(r.names, t.Spec().Name) {
		return errors.New("twice: " + t.Spec().Name)
	}
	r.names = append(r.names, t.Spec().Name)
	return nil
}

func (r *registry) Unregister(string) error { return nil }

// bootOrder: the built-in tools, less those that were not asked for; then those of the
// servers; the briefing has both, since it is made after them.
func bootOrder(t *testing.T) {
	enterProject(t, map[string]string{inProject: serverFile(envRow("s", "x"))})
	host := openReady(t, builtIn(t, live.Options{System: "indusr", Toolset: config.Toolset{Names: []string{"bash", "read"}}}))
	reg := &registry{}
	if _, err := host.SyncAll(reg); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(reg.names, " "); got != "read bash s__env" {
		t.Errorf("order %s", got)
	}
	if text := host.Instructions(); !strings.Contains(text, "s__env") || !strings.Contains(text, "bash") || strings.Contains(text, "web_fetch") {
		t.Errorf("briefing: %s", text)
	}
	// An addon that has a name of the deck is refused, and no tool is replaced.
	tools, err := host.Tools()
	if err != nil {
		t.Fatal(err)
	}
	if err := runtime.RegisterAll(reg, tools[len(tools)-1]); err == nil || len(reg.names) != 3 {
		t.Errorf("an addon took a name: %v, %s", err, reg.names)
	}
}

// toolsFlag: names choose among the built-in tools, however they are spelled; the
// servers' tools stay. No name means no filter.
func toolsFlag(t *testing.T) {
	enterProject(t, map[string]string{inProject: serverFile(envRow("s", "x")), "../home/.covenant/secrets.toml": ""})
	for names, want := range map[string]string{
		"": "read web_fetch bash s__env", "read,bash": "read bash s__env", "webfetch": "web_fetch s__env", "Web-Fetch": "web_fetch s__env", "s__env": "s__env", "nothing": "s__env",
	} {
		host := openReady(t, builtIn(t, live.Options{System: "indusr", Toolset: config.Toolset{Names: config.ServerPaths([]string{names})}}))
		if got := toolNames(t, host); got != want {
			t.Errorf("%q: %s, want %s", names, got, want)
		}
	}
	// Those that a system has are chosen in the same way, and do not answer either.
	host := openReady(t, live.Options{System: "covenant", Toolset: config.Toolset{Names: []string{"ECHO"}}})
	if got := toolNames(t, host); got != "echo" {
		t.Errorf("of a system: %s", got)
	}
	if res, err := callTool(t, host, "", "clock"); err == nil { // which needs no grant
		t.Errorf("one that was not chosen answers %+v", res)
	}
}

// noToolsFlag: no built-in tool, no server's, and nothing is started or connected to.
func noToolsFlag(t *testing.T) {
	var requests atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	t.Cleanup(web.Close)
	work := enterProject(t, map[string]string{inProject: serverFile(`"s": {"command": PROGRAM, "args": ["echo", "-trace", "s.trace"]}`, `"web": {"url": "`+web.URL+`"}`)})
	for _, opts := range []live.Options{{System: "indusr"}, {MCP: []string{"."}}} {
		opts.Toolset = config.Toolset{None: true, Names: []string{"read"}}
		host := openReady(t, builtIn(t, opts))
		if got := toolNames(t, host); got != "" || len(host.Status()) != 0 {
			t.Errorf("tools %q, status %v", got, host.Status())
		}
		if _, err := callTool(t, host, "s", "echo"); !errors.Is(err, runtime.ErrNotAttached) {
			t.Errorf("a call: %v", err)
		}
	}
	if _, err := os.Stat(filepath.Join(work, "s.trace")); err == nil || requests.Load() != 0 {
		t.Errorf("a process was started, or %d requests were made", requests.Load())
	}
	host, err := live.Open(t.Context(), builtIn(t, live.Options{System: "indusr", Servers: []string{"s"}})) // the same without the flag
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	if _, err := os.Stat(filepath.Join(work, "s.trace")); err != nil || toolNames(t, host) != "read web_fetch bash s__echo" {
		t.Errorf("without the flag: %v, %s", err, toolNames(t, host))
	}
}

// indusrCards: a server's tool stands beside the built-in ones, with what its server
// says of it, and answers through the same call.
func indusrCards(t *testing.T) {
	enterProject(t, map[string]string{inProject: serverFile(envRow("s", "here"))})
	host := openReady(t, builtIn(t, live.Options{System: "indusr"}))
	tools, err := host.Tools()
	if err != nil {
		t.Fatal(err)
	}
	cards := map[string]runtime.Spec{}
	for _, tool := range tools {
		spec := tool.Spec()
		cards[spec.Name] = spec
		if res, err := tool.Call(t.Context(), json.RawMessage(`{}`)); err != nil || res.IsError {
			t.Errorf("%s: %+v, %v", spec.Name, res, err)
		}
	}
	if c := cards["read"]; c.Server != "" || c.Description != "Built in." {
		t.Errorf("built in: %+v", c)
	}
	if c := cards["s__env"]; c.Server != "s" || c.Tool != "env" || c.Description == "" || !json.Valid(c.InputSchema) {
		t.Errorf("of a server: %+v", c)
	}
	if got := len(cards); got != 4 {
		t.Errorf("%d cards", got)
	}
}
