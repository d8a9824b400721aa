// Package launch_test takes configuration files of other systems all the way:
// through the reader, the host, and a real process or HTTP server, which tells
// what it got. What a reader makes of a text shows there and nowhere else.
package launch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/config/trust"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/native"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// asServer makes this test binary the test server.
const asServer = "MCPGEN_LAUNCH_TEST_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		os.Exit(testserver.Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// TestSeed holds behaviours of the systems whose files these are, by the number
// of their row.
func TestSeed(t *testing.T) {
	t.Setenv(asServer, "1") // the systems here hand on the environment
	for row, f := range map[string]func(*testing.T){
		"000-18": secretInEnv,
		"001-05": testEnvIsLayered,
		"001-06": expandedAtStart,
		"001-07": unsetIsEmpty,
		"001-08": nothingElseExpands,
		"002-16": homeInArguments,
		"003-01": noTypeIsAProcess,
		"003-06": trustGate,
		"003-07": skipWarning,
		"004-12": testValuesAreCoerced,
		"004-44": noTools,
	} {
		t.Run(row, f)
	}
}

// writeServerFile writes a server file with PROGRAM for this test binary.
func writeServerFile(t *testing.T, name, text string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(exe)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "PROGRAM", string(quoted))), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func loadFile(t *testing.T, name, text string) *config.Project {
	t.Helper()
	env, err := config.System()
	if err != nil {
		t.Fatal(err)
	}
	env.Trusted = func(string, []byte) (string, string) { return "", "" } // the test's own file
	p, err := env.LoadServers(writeServerFile(t, name, text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func connect(t *testing.T, servers []endpoint.Server, opts *attach.Options) *attach.Host {
	t.Helper()
	var o attach.Options
	if opts != nil {
		o = *opts
	}
	o.Enforces = []endpoint.Requirement{endpoint.RequirePolicy, endpoint.RequireAudit, endpoint.RequireSecrets} // what files say about calls is not what these tests are about
	host, err := attach.Connect(t.Context(), servers, &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Close() })
	if err := host.Err(); err != nil {
		t.Fatal(err)
	}
	return host
}

// got is what a process was started with, as it tells itself.
type got struct {
	Env  map[string]string
	Args []string
	Dir  string
}

// whatStarted attaches the server s of a file, and asks it what it was started with.
func whatStarted(t *testing.T, p *config.Project, opts *attach.Options) got {
	t.Helper()
	host := connect(t, p.Servers, opts)
	res, err := host.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "env"})
	var g got
	if err == nil {
		err = json.Unmarshal(res.Structured, &g)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// recordHeaders is an HTTP server, and the headers of the requests that it got.
func recordHeaders(t *testing.T) (string, func(name string) []string) {
	t.Helper()
	h, err := testserver.Handler("echo")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var seen []http.Header
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, r.Header.Clone())
		mu.Unlock()
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	return web.URL + "/mcp", func(name string) []string {
		mu.Lock()
		defer mu.Unlock()
		var values []string
		for _, h := range seen {
			values = append(values, strings.Join(h.Values(name), "|"))
		}
		return values
	}
}

const coreAgent = ".agents/mcp.json"

// A handle is the secret in the process alone; in what a program knows of the
// server it is the handle.
func secretInEnv(t *testing.T) {
	p := loadFile(t, "agent.yaml", `apiVersion: scarab/v1
kind: AgentManifest
spec:
  secret_policy: [{label: L, secret_pattern: "github-*", tool_pattern: "*"}]
  mcp_servers:
    - {name: s, transport: Stdio, command: PROGRAM, args: [echo-env, "{{secret:github-token}}"], env_template: [[TOKEN, "{{secret:github-token}}"]]}
`)
	gate, err := policy.New(*p.Policy, nil)
	if err != nil {
		t.Fatal(err)
	}
	vault := func(context.Context, string) (string, error) { return "resolved-value", nil }
	g := whatStarted(t, p, &attach.Options{Secrets: gate.Secrets(vault)})
	if g.Env["TOKEN"] != "resolved-value" || g.Args[1] != "{{secret:github-token}}" {
		t.Errorf("got TOKEN=%q, %q", g.Env["TOKEN"], g.Args)
	}
	if s := p.Servers[0]; s.Launch.(*endpoint.Process).Env[0].Value != "{{secret:github-token}}" {
		t.Errorf("the server is %+v", s.Launch.(*endpoint.Process).Env)
	}
}

// env lies over the variables of the parent.
func testEnvIsLayered(t *testing.T) {
	t.Setenv("SEED_KEPT", "parent")
	t.Setenv("SEED_OVER", "parent")
	g := whatStarted(t, loadFile(t, coreAgent, `{"version": 1, "servers": {"s": {"transport": "stdio", "command": PROGRAM, "args": ["echo-env"], "env": {"SEED_OVER": "own"}}}}`), nil)
	if g.Env["SEED_KEPT"] != "parent" || g.Env["SEED_OVER"] != "own" {
		t.Errorf("kept %q, over %q", g.Env["SEED_KEPT"], g.Env["SEED_OVER"])
	}
}

// What a variable is when a server starts counts, and not when the file is read.
func expandedAtStart(t *testing.T) {
	url, header := recordHeaders(t)
	t.Setenv("SEED_LATE", "early")
	p := loadFile(t, coreAgent, `{"version": 1, "servers": {"s": {"transport": "stdio", "command": PROGRAM, "args": ["echo-env"], "env": {"A": "<${env:SEED_LATE}>"}},
		"web": {"transport": "http", "url": "`+url+`", "headers": {"X-Late": "<${env:SEED_LATE}>"}}}}`)
	t.Setenv("SEED_LATE", "late")
	if g := whatStarted(t, p, nil); g.Env["A"] != "<late>" {
		t.Errorf("the process got %q", g.Env["A"])
	}
	for _, value := range header("X-Late") {
		if value != "<late>" {
			t.Errorf("a request came with %q", value)
		}
	}
	if len(header("X-Late")) == 0 {
		t.Error("the server got no request with X-Late")
	}
}

// A variable that is not set is empty. (No HTTP client can send the blank at the
// end of "Bearer ".)
func unsetIsEmpty(t *testing.T) {
	url, header := recordHeaders(t)
	p := loadFile(t, coreAgent, `{"version": 1, "servers": {"web": {"transport": "http", "url": "`+url+`", "headers": {"Authorization": "Bearer ${env:SEED_GONE}", "X-Empty": "<${env:SEED_GONE}>"}}}}`)
	connect(t, p.Servers, nil)
	if values := header("Authorization"); len(values) == 0 || strings.TrimRight(values[0], " ") != "Bearer" {
		t.Errorf("requests came with %q", values)
	}
	if values := header("X-Empty"); len(values) == 0 || values[0] != "<>" {
		t.Errorf("requests came with %q", values)
	}
}

// Arguments, and other ways to write variables, reach the process as they stand.
func nothingElseExpands(t *testing.T) {
	t.Setenv("SEED_A", "expanded")
	g := whatStarted(t, loadFile(t, coreAgent, `{"version": 1, "servers": {"s": {"transport": "stdio", "command": PROGRAM, "args": ["echo-env", "${env:SEED_A} $SEED_A"],
		"env": {"X": "$SEED_A ${SEED_A} ${env:SEED_A:-b}"}}}}`), nil)
	if !slices.Equal(g.Args, []string{"echo-env", "${env:SEED_A} $SEED_A"}) || g.Env["X"] != "$SEED_A ${SEED_A} ${env:SEED_A:-b}" {
		t.Errorf("got %q and %q", g.Args, g.Env["X"])
	}
}

// $HOME in arguments is the user's folder; what is not set is empty.
func homeInArguments(t *testing.T) {
	t.Setenv("HOME", "/home/somebody")
	g := whatStarted(t, loadFile(t, "secrets.toml", "[[mcp.server]]\nname = \"s\"\ncommand = PROGRAM\nargs = [\"echo-env\", \"$HOME/notes,$SEED_GONE,\"]\nenv = { LOG = \"info\" }\n"), nil)
	if !slices.Equal(g.Args, []string{"echo-env", "/home/somebody/notes,,"}) || g.Env["LOG"] != "info" {
		t.Errorf("got %q and %q", g.Args, g.Env["LOG"])
	}
}

// Without a type a row is a process, which starts in its project's folder.
func noTypeIsAProcess(t *testing.T) {
	p := loadFile(t, ".tallow/settings.json", `{"mcpServers": {"s": {"command": PROGRAM, "args": ["echo-env", "${SEED}"], "env": {"A": "$SEED"}}}}`)
	g := whatStarted(t, p, nil)
	project, err := filepath.EvalSymlinks(filepath.Dir(filepath.Dir(p.Servers[0].Source.Path)))
	if err != nil {
		t.Fatal(err)
	}
	if g.Args[1] != "${SEED}" || g.Env["A"] != "$SEED" || g.Dir != project {
		t.Errorf("got %q in %s", g.Args, g.Dir)
	}
}

// What is not text is dropped from arguments, and becomes text in env.
func testValuesAreCoerced(t *testing.T) {
	g := whatStarted(t, loadFile(t, ".indusvx/mcp.json", `{"servers": {"s": {"command": PROGRAM, "args": ["echo-env", 5, "p", true, null], "env": {"PORT": 8080, "ON": true, "F": 2.5}}}}`), nil)
	if !slices.Equal(g.Args, []string{"echo-env", "p"}) || g.Env["PORT"] != "8080" || g.Env["ON"] != "true" || g.Env["F"] != "2.5" {
		t.Errorf("got %q, %q %q %q", g.Args, g.Env["PORT"], g.Env["ON"], g.Env["F"])
	}
}

// A program that wants no tools starts nothing and dials nobody, however many
// servers are configured. One that wants tools does, by the same way.
func noTools(t *testing.T) {
	url, header := recordHeaders(t)
	trace := filepath.Join(t.TempDir(), "trace")
	quoted, err := json.Marshal(trace)
	if err != nil {
		t.Fatal(err)
	}
	p := loadFile(t, ".indusvx/mcp.json", `{"servers": {"s": {"command": PROGRAM, "args": ["echo", "-trace", `+string(quoted)+`]}, "web": {"url": "`+url+`"}}}`)
	own, err := native.NewSet(native.Echo())
	if err != nil {
		t.Fatal(err)
	}
	tools := func(set config.Toolset) int {
		host := connect(t, set.Servers(p.Servers), nil)
		all, err := agent.NewView(host, nil).Tools()
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range own.Tools(host) {
			if set.Native(tool.Spec().Name) {
				all = append(all, tool)
			}
		}
		return len(all)
	}
	if n := tools(config.Toolset{None: true, Names: []string{"echo"}}); n != 0 {
		t.Errorf("there are %d tools", n)
	}
	if _, err := os.Stat(trace); err == nil {
		t.Error("a process was started, want none")
	}
	if n := len(header("Accept")); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
	if n := tools(config.Toolset{Names: []string{"web_fetch"}}); n != 2 { // a filter of its own tools leaves those of servers
		t.Errorf("with a filter there are %d tools", n)
	}
	if _, err := os.Stat(trace); err != nil || len(header("Accept")) == 0 {
		t.Errorf("nothing was started or sent at all: %v", err)
	}
}

// tallowProject is a user's file with one server and a project's with another
// one and one of the same name, in a store that trusts nobody yet.
func tallowProject(t *testing.T) (config.Environment, *trust.Store, string) {
	t.Helper()
	env, err := config.System()
	if err != nil {
		t.Fatal(err)
	}
	const row = `{"command": PROGRAM, "args": ["echo-env", "%s"]}`
	rows := func(names ...string) string {
		var text []string
		for _, name := range names[1:] {
			text = append(text, fmt.Sprintf("%q: "+row, name, names[0]))
		}
		return `{"mcpServers": {` + strings.Join(text, ", ") + `}, "theme": "dark"}`
	}
	user := writeServerFile(t, ".tallow/settings.json", rows("user", "s", "u"))
	project := writeServerFile(t, ".tallow/settings.json", rows("project", "s", "p"))
	env.Home, env.Dir = filepath.Dir(filepath.Dir(user)), filepath.Dir(filepath.Dir(project))
	store, err := trust.Open(filepath.Join(t.TempDir(), "trust.json"))
	if err != nil {
		t.Fatal(err)
	}
	env.Trusted = store.Refuses
	return env, store, project
}

// rewriteFile changes a text in a file.
func rewriteFile(t *testing.T, path, from, to string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, []byte(strings.ReplaceAll(string(data), from, to)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// What is started: the user's servers always, the project's if it is trusted as it
// is now.
func trustGate(t *testing.T) {
	env, store, project := tallowProject(t)
	runs := func(status, want string) {
		t.Helper()
		p, err := config.Search(env, "tallow")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, s := range p.Servers {
			names = append(names, s.Name)
		}
		if g := whatStarted(t, p, nil); strings.Join(names, " ")+" "+g.Args[1] != want {
			t.Errorf("%s: the servers %q, and s is of the %s; want %q", status, names, g.Args[1], want)
		}
	}
	runs("untrusted", "s u user")
	if _, err := store.Trust(env.Dir); err != nil {
		t.Fatal(err)
	}
	runs("trusted", "s u p project")
	rewriteFile(t, project, "dark", "light")
	runs("another theme", "s u p project")
	rewriteFile(t, project, `"project"`, `"edited"`)
	runs("stale", "s u user")
	if _, err := store.Untrust(env.Dir); err != nil {
		t.Fatal(err)
	}
	runs("untrusted again", "s u user")
}

// The warning names the file, why it was skipped, what was, and the command. There
// is none for a file without servers.
func skipWarning(t *testing.T) {
	env, store, project := tallowProject(t)
	warnings := func() []string {
		t.Helper()
		p, err := config.Search(env, "tallow")
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, n := range p.Notices {
			all = append(all, n.String())
		}
		return all
	}
	const text = `%s: not used (%s): the servers "p", "s"; read the file, then run mcpgen trust add %s`
	if got, want := warnings(), fmt.Sprintf(text, project, "untrusted", env.Dir); len(got) != 1 || got[0] != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if _, err := store.Trust(env.Dir); err != nil {
		t.Fatal(err)
	}
	for _, got := range warnings() { // that the project's s counts is still told
		if strings.Contains(got, "not used") {
			t.Errorf("trusted: %s", got)
		}
	}
	rewriteFile(t, project, `"project"`, `"edited"`)
	if got, want := warnings(), fmt.Sprintf(text, project, "stale: it changed since it was trusted", env.Dir); len(got) != 1 || got[0] != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if err := os.WriteFile(project, []byte(`{"mcpServers": {}, "hooks": {}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := warnings(); len(got) != 0 {
		t.Errorf("without servers: %q", got)
	}
}

// Systems that go on without a variable do so in silence. Here it is told, once,
// with the text and the name; a default and a value are ignored.
func TestUnsetIsTold(t *testing.T) {
	t.Setenv(asServer, "1")
	t.Setenv("SEED_SET", "x")
	for format, c := range map[string]struct{ name, text, want string }{
		"cursor":    {".cursor/mcp.json", `{"mcpServers": {"s": {"command": PROGRAM, "args": ["echo-env", "${env:SEED_GONE}"], "env": {"A": "${env:SEED_SET}${userHome}"}}}}`, `args[1]: the environment variable SEED_GONE is not set`},
		"vscode":    {".vscode/mcp.json", `{"servers": {"s": {"type": "stdio", "command": PROGRAM, "args": ["echo-env"], "env": {"A": "<${env:SEED_GONE}>"}}}}`, `env "A": the environment variable SEED_GONE is not set`},
		"coreagent": {coreAgent, `{"version": 1, "servers": {"s": {"transport": "stdio", "command": PROGRAM, "args": ["echo-env"], "env": {"A": "<${env:SEED_GONE}>"}}}}`, `env "A": the environment variable SEED_GONE is not set`},
		"covenant":  {"secrets.toml", "[[mcp.server]]\nname = \"s\"\ncommand = PROGRAM\nargs = [\"echo-env\", \"$SEED_GONE\"]\n", `args[1]: the environment variable SEED_GONE is not set`},
		"gemini":    {".gemini/settings.json", `{"mcpServers": {"s": {"command": PROGRAM, "args": ["echo-env", "$SEED_GONE"], "env": {"` + asServer + `": "1", "B": "${SEED_GONE:-b}"}}}}`, `args[1]: the environment variable SEED_GONE is not set`},
	} {
		t.Run(format, func(t *testing.T) {
			var log bytes.Buffer
			var events []string
			var mu sync.Mutex
			p := loadFile(t, c.name, c.text)
			whatStarted(t, p, &attach.Options{Logger: slog.New(slog.NewTextHandler(&log, nil)), OnEvent: func(e event.Event) {
				mu.Lock()
				defer mu.Unlock()
				if e.Kind == event.Notice {
					events = append(events, e.Server+" "+e.Detail)
				}
			}})
			if n := strings.Count(log.String(), "is not set"); n != 1 || !strings.Contains(strings.ReplaceAll(log.String(), `\"`, `"`), `MCP server "s": `+c.want) {
				t.Errorf("%d warnings: %s", n, log.String())
			}
			mu.Lock()
			defer mu.Unlock()
			if len(events) != 1 || !strings.HasPrefix(events[0], "s "+c.want) {
				t.Errorf("events %q", events)
			}
		})
	}
}
