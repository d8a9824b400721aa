package live_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/native"
)

func indusrRows() map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"004-02": fileOrFolder,
		"004-04": autoload,
		"004-05": explicitPaths,
		"004-06": fourFiles,
		"004-07": laterAnswers,
		"004-08": homeFolder,
		"004-10": transports,
		"004-14": badFiles,
		"004-15": qualifiedNames,
		"004-41": bootOrder,
		"004-42": toolsFlag,
		"004-44": noToolsFlag,
		"004-48": indusrCards,
	}
}

// says is a row whose process has a variable WHO of this value.
func says(name, who string) string {
	return `"` + name + `": {"command": PROGRAM, "args": ["echo-env"], "env": {"WHO": "` + who + `"}}`
}

// servers is a file of the system with these rows.
func servers(rows ...string) string { return `{"servers": {` + strings.Join(rows, ", ") + `}}` }

// The places of the system below the folder of [project], whose user's configuration
// is the user's folder itself.
const (
	inProject = ".indusvx/mcp.json"
	inXDG     = "../home/indusvx/mcp.json"
	inAgent   = "../home/.indusvx/agent/mcp.json"
	inOld     = "../home/.indusvx/agent/mcp-servers.json"
)

// answers opens a host and asks each process who it is: "name=who" in the order of
// the servers. Said is what was logged meanwhile.
func answers(t *testing.T, opts live.Options) (list, said string) {
	t.Helper()
	var log bytes.Buffer
	opts.Attach.Logger = slog.New(slog.NewTextHandler(&log, nil))
	host := open(t, opts)
	var all []string
	for _, name := range attached(host) {
		all = append(all, name+"="+environment(t, host, name)["WHO"])
	}
	return strings.Join(all, " "), log.String()
}

func wantAnswers(t *testing.T, opts live.Options, want string) string {
	t.Helper()
	got, said := answers(t, opts)
	if got != want {
		t.Errorf("%s%q: got %q, want %q; said %s", opts.System, opts.MCP, got, want, said)
	}
	return said
}

// fileOrFolder: an existing file is read by itself; all else is a folder, whose file
// is merged with those of the user.
func fileOrFolder(t *testing.T) {
	project(t, map[string]string{
		"one.json": servers(says("file", "one")), "sub/" + inProject: servers(says("folder", "sub")),
		inProject: servers(says("here", "project")), inXDG: servers(says("user", "xdg")),
	})
	wantAnswers(t, live.Options{MCP: []string{"one.json"}}, "file=one")
	wantAnswers(t, live.Options{MCP: []string{"sub"}}, "folder=sub user=xdg")
	wantAnswers(t, live.Options{MCP: []string{"."}}, "here=project user=xdg")
	if said := wantAnswers(t, live.Options{MCP: []string{"gone"}}, "user=xdg"); !strings.Contains(said, "gone: cannot stat: no such file") {
		t.Errorf("said %s", said)
	}
}

// autoload: the tools are there from the first turn on, without a call that connects.
// A program that names no system starts nothing.
func autoload(t *testing.T) {
	work := project(t, map[string]string{
		inProject: servers(`"p": {"command": PROGRAM, "args": ["echo", "-trace", "p.trace"]}`), inAgent: servers(says("u", "agent")),
	})
	if _, err := live.Open(t.Context(), live.Options{}); !errors.Is(err, config.ErrNotFound) {
		t.Errorf("no system is named: %v", err)
	}
	if _, err := os.Stat(filepath.Join(work, "p.trace")); err == nil {
		t.Fatal("a file that nobody named started a process")
	}
	host := open(t, live.Options{System: "indusr"})
	if got := toolNames(t, host); got != "p__echo u__env" {
		t.Errorf("tools at the first turn: %s", got)
	}
	if text := host.Instructions(); !strings.Contains(text, "p__echo") || !strings.Contains(text, "u__env") {
		t.Errorf("briefing: %s", text)
	}
}

func toolNames(t *testing.T, host *attach.Host) string {
	t.Helper()
	tools, err := host.Tools()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Spec().Name)
	}
	return strings.Join(names, " ")
}

// explicitPaths: paths that are given replace the search.
func explicitPaths(t *testing.T) {
	project(t, map[string]string{
		"a.json": servers(says("a", "a")), "b.json": servers(says("b", "b")), inProject: servers(says("p", "project")), inXDG: servers(says("u", "xdg")),
	})
	wantAnswers(t, live.Options{System: "indusr"}, "p=project u=xdg")
	for _, paths := range [][]string{{"a.json", "b.json"}, {"a.json,b.json"}} {
		wantAnswers(t, live.Options{MCP: paths}, "a=a b=b")
	}
}

func fourFiles(t *testing.T) {
	project(t, map[string]string{
		inProject: servers(says("a", "project")), inXDG: servers(says("b", "xdg")), inAgent: servers(says("c", "agent")), inOld: servers(says("d", "old")),
	})
	const all = "a=project b=xdg c=agent d=old"
	wantAnswers(t, live.Options{System: "indusr"}, all)
	wantAnswers(t, live.Options{MCP: []string{"."}}, all)
}

// laterAnswers: all sources contribute, in their order; of equal names the later one
// answers, and each of the others is named with its place.
func laterAnswers(t *testing.T) {
	project(t, map[string]string{
		inProject: servers(says("shared", "project"), says("p", "project")), inXDG: servers(says("shared", "xdg")),
		inAgent: servers(says("x", "agent"), says("shared", "agent")), inOld: servers(`"shared": {"command": "no-such-program", "enabled": false}`),
		"more.json": servers(says("p", "more")),
	})
	for _, opts := range []live.Options{{System: "indusr"}, {MCP: []string{"."}}} {
		said := wantAnswers(t, opts, "p=project x=agent shared=agent")
		for _, place := range []string{"work/.indusvx/mcp.json", "home/indusvx/mcp.json", "agent/mcp-servers.json"} {
			if opts.System != "" && !strings.Contains(said, place+`:1:14: the server \"shared\" is defined in `) {
				t.Errorf("%s is not named: %s", place, said)
			}
		}
		if n := strings.Count(said, "which counts"); n != 3 {
			t.Errorf("%d warnings: %s", n, said)
		}
	}
	wantAnswers(t, live.Options{MCP: []string{".", "more.json"}}, "x=agent shared=agent p=more")
	wantAnswers(t, live.Options{MCP: []string{"more.json,."}}, "p=project x=agent shared=agent")
}

// homeFolder: $XDG_CONFIG_HOME or $HOME/.config; $HOME or $USERPROFILE; neither is a
// machine without files of a user.
func homeFolder(t *testing.T) {
	work := project(t, map[string]string{
		inProject: servers(says("p", "project")), "../elsewhere/indusvx/mcp.json": servers(says("x", "moved")),
		"../a/.config/indusvx/mcp.json": servers(says("x", "a")), "../a/.indusvx/agent/mcp.json": servers(says("l", "a")),
		"../b/.config/indusvx/mcp.json": servers(says("x", "b")),
	})
	at := func(name string) string { return filepath.Join(filepath.Dir(work), name) }
	for _, tt := range []struct{ home, profile, xdg, want string }{
		{at("a"), at("b"), "", "p=project x=a l=a"},
		{"", at("b"), "", "p=project x=b"},
		{at("a"), "", at("elsewhere"), "p=project x=moved l=a"},
		{"", "", at("elsewhere"), "p=project x=moved"},
		{"", "", "", "p=project"},
	} {
		t.Setenv("HOME", tt.home)
		t.Setenv("USERPROFILE", tt.profile)
		t.Setenv("XDG_CONFIG_HOME", tt.xdg)
		wantAnswers(t, live.Options{System: "indusr"}, tt.want)
	}
}

// transports: a command is a process, a URL either HTTP transport; with both the URL
// counts and nothing is started.
func transports(t *testing.T) {
	handler, err := testserver.Handler("echo")
	if err != nil {
		t.Fatal(err)
	}
	var authorized atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer your-token" {
			authorized.Add(1)
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { web.CloseClientConnections(); web.Close() })
	work := project(t, map[string]string{inProject: servers(
		says("process", "p"),
		`"events": {"url": "`+web.URL+`/sse"}`,
		`"streamable": {"url": "`+web.URL+`/mcp", "headers": {"Authorization": "Bearer your-token"}}`,
		`"both": {"command": PROGRAM, "args": ["echo", "-trace", "both.trace"], "url": "`+web.URL+`/mcp"}`,
	)})
	host := open(t, live.Options{System: "indusr"})
	got := map[string]string{}
	for _, st := range host.Status() {
		got[st.Server] = string(st.Transport)
		if (st.PID != 0) != (st.Server == "process") {
			t.Errorf("%s: pid %d", st.Server, st.PID)
		}
		if st.Server != "process" {
			if _, err := call(t, host, st.Server, "echo"); err != nil {
				t.Errorf("%s: %v", st.Server, err)
			}
		}
	}
	for name, want := range map[string]string{"process": "stdio", "events": "sse", "streamable": "http", "both": "http"} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	if _, err := os.Stat(filepath.Join(work, "both.trace")); err == nil {
		t.Error("a row with a URL started its command")
	}
	if authorized.Load() == 0 {
		t.Error("no request had the headers of the row")
	}
}

// badFiles: what cannot be read contributes nothing, is named with its place, and the
// rest works, in a search as in files that are named.
func badFiles(t *testing.T) {
	work := project(t, map[string]string{
		inProject: `{"servers": {`, inXDG: `{"other": {}}`, inAgent: `{"servers": "none"}`, inOld: servers(says("good", "old"), `"bad": {"args": []}`),
		"empty.json": "", "list.json": `[1]`, "good.json": servers(says("named", "good")),
	})
	if err := os.Mkdir(filepath.Join(work, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	said := wantAnswers(t, live.Options{System: "indusr"}, "good=old")
	for _, want := range []string{
		".indusvx/mcp.json:1:14: not valid JSON", "home/indusvx/mcp.json:1:1: no servers in it", "agent/mcp.json:1:13: servers: want a mapping", "mcp-servers.json:1:", "servers.bad: neither command nor url",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing says %q: %s", want, said)
		}
	}
	said = wantAnswers(t, live.Options{MCP: []string{"empty.json", "list.json,good.json", ".indusvx/mcp.json"}}, "named=good")
	for _, want := range []string{"empty.json: the file is empty; the file is left out", "list.json:1:1: want a mapping, found a list; the file is left out", ".indusvx/mcp.json:1:14: not valid JSON"} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing says %q: %s", want, said)
		}
	}
	t.Setenv("XDG_CONFIG_HOME", work)
	t.Setenv("HOME", work)
	if said = wantAnswers(t, live.Options{MCP: []string{"empty.json", "folder"}}, ""); !strings.Contains(said, "folder: the folder has no .mcp.json") && !strings.Contains(said, ".indusvx") {
		t.Errorf("said %s", said)
	}
}

// qualifiedNames: server__tool, unique across servers; it is what the model sees and
// what a call needs.
func qualifiedNames(t *testing.T) {
	project(t, map[string]string{
		"list.json": `{"tools": [{"name": "create_issue", "description": "Opens an issue.", "inputSchema": {"type": "object"}}]}`, "create_issue.txt": "issue 12",
		inProject: servers(`"github": {"command": PROGRAM, "args": ["replay-text", "list.json"]}`, `"gitlab": {"command": PROGRAM, "args": ["replay-text", "list.json"]}`),
	})
	host := open(t, live.Options{System: "indusr"})
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
		t.Error("a name without its server is called")
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
	opts.Attach.Native = set.Tools
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
	project(t, map[string]string{inProject: servers(says("s", "x"))})
	host := open(t, builtIn(t, live.Options{System: "indusr", Toolset: config.Toolset{Names: []string{"bash", "read"}}}))
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
// servers' tools stay. No name is no filter.
func toolsFlag(t *testing.T) {
	project(t, map[string]string{inProject: servers(says("s", "x")), "../home/.covenant/secrets.toml": ""})
	for names, want := range map[string]string{
		"": "read web_fetch bash s__env", "read,bash": "read bash s__env", "webfetch": "web_fetch s__env", "Web-Fetch": "web_fetch s__env", "s__env": "s__env", "nothing": "s__env",
	} {
		host := open(t, builtIn(t, live.Options{System: "indusr", Toolset: config.Toolset{Names: config.ServerPaths([]string{names})}}))
		if got := toolNames(t, host); got != want {
			t.Errorf("%q: %s, want %s", names, got, want)
		}
	}
	// Those that a system has are chosen in the same way, and do not answer either.
	host := open(t, live.Options{System: "covenant", Toolset: config.Toolset{Names: []string{"CLOCK"}}})
	if got := toolNames(t, host); got != "clock" {
		t.Errorf("of a system: %s", got)
	}
	if _, err := call(t, host, "", "echo"); !errors.Is(err, runtime.ErrDenied) && !errors.Is(err, runtime.ErrNotAttached) {
		t.Errorf("one that was not chosen: %v", err)
	}
}

// noToolsFlag: no built-in tool, no server's, and nothing is started or connected to.
func noToolsFlag(t *testing.T) {
	var requests atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	t.Cleanup(web.Close)
	work := project(t, map[string]string{inProject: servers(`"s": {"command": PROGRAM, "args": ["echo", "-trace", "s.trace"]}`, `"web": {"url": "`+web.URL+`"}`)})
	for _, opts := range []live.Options{{System: "indusr"}, {MCP: []string{"."}}} {
		opts.Toolset = config.Toolset{None: true, Names: []string{"read"}}
		host := open(t, builtIn(t, opts))
		if got := toolNames(t, host); got != "" || len(host.Status()) != 0 {
			t.Errorf("tools %q, status %v", got, host.Status())
		}
		if _, err := call(t, host, "s", "echo"); !errors.Is(err, runtime.ErrNotAttached) {
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
	project(t, map[string]string{inProject: servers(says("s", "here"))})
	host := open(t, builtIn(t, live.Options{System: "indusr"}))
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
