package live_test

import (
	"bytes"
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
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/ledger"
	"github.com/mcpgen/mcpgen/runtime/live"
)

func indusrRows() map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"004-02": fileOrFolder,
		"004-04": testAutoload,
		"004-05": explicitPaths,
		"004-06": fourFiles,
		"004-07": namesakes,
		"004-08": homeFolder,
		"004-10": testTransports,
		"004-14": badFiles,
		"004-15": qualifiedNames,
		"004-41": bootOrder,
		"004-42": toolsFlag,
		"004-44": noToolsFlag,
		"004-48": indusrCards,
		"004-50": sentHeaders,
		"004-51": disabledOfTwo,
		"004-52": laterPath,
		"004-53": hotReload,
		"004-54": namesakesInDeck,
	}
}

// envRow is a row whose process has a variable WHO of this value.
func envRow(name, who string) string {
	return `"` + name + `": {"command": PROGRAM, "args": ["echo-env"], "env": {"WHO": "` + who + `"}}`
}

// serverFile is a file of the system with these rows.
func serverFile(rows ...string) string { return `{"servers": {` + strings.Join(rows, ", ") + `}}` }

// The places of the system below the folder of [project], whose user's configuration
// is the user's folder itself.
const (
	inProject = ".indusvx/mcp.json"
	inXDG     = "../home/indusvx/mcp.json"
	inAgent   = "../home/.indusvx/agent/mcp.json"
	inOld     = "../home/.indusvx/agent/mcp-servers.json"
)

// openAndAsk opens a host and asks each process who it is: "name=who" in the order of
// the servers. Said is what was logged meanwhile.
func openAndAsk(t *testing.T, opts live.Options) (list, said string) {
	t.Helper()
	var log bytes.Buffer
	opts.Attach.Logger = slog.New(slog.NewTextHandler(&log, nil))
	host := openReady(t, opts)
	var all []string
	for _, name := range attachedServers(host) {
		all = append(all, name+"="+environmentOf(t, host, name)["WHO"])
	}
	return strings.Join(all, " "), log.String()
}

func wantAnswers(t *testing.T, opts live.Options, want string) string {
	t.Helper()
	got, said := openAndAsk(t, opts)
	if got != want {
		t.Errorf("%s%q: got %q, want %q; said %s", opts.System, opts.MCP, got, want, said)
	}
	return said
}

// fileOrFolder: an existing file is read by itself; all else is a folder, whose file
// is merged with those of the user.
func fileOrFolder(t *testing.T) {
	enterProject(t, map[string]string{
		"one.json": serverFile(envRow("file", "one")), "sub/" + inProject: serverFile(envRow("folder", "sub")),
		inProject: serverFile(envRow("here", "project")), inXDG: serverFile(envRow("user", "xdg")),
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
func testAutoload(t *testing.T) {
	work := enterProject(t, map[string]string{
		inProject: serverFile(`"p": {"command": PROGRAM, "args": ["echo", "-trace", "p.trace"]}`), inAgent: serverFile(envRow("u", "agent")),
	})
	if _, err := live.Open(t.Context(), live.Options{}); !errors.Is(err, config.ErrNotFound) {
		t.Errorf("no system is named: %v", err)
	}
	if _, err := os.Stat(filepath.Join(work, "p.trace")); err == nil {
		t.Fatal("a server of a file that nobody named was started, want none")
	}
	host := openReady(t, live.Options{System: "indusr"})
	if got := toolNames(t, host); got != "p__echo u__env" {
		t.Errorf("tools at the first turn: %s", got)
	}
	if text := host.Instructions(); !strings.Contains(text, "p__echo") || !strings.Contains(text, "u__env") {
		t.Errorf("briefing: %s", text)
	}
}

func toolNames(t *testing.T, host *live.Host) string {
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
	enterProject(t, map[string]string{
		"a.json": serverFile(envRow("a", "a")), "b.json": serverFile(envRow("b", "b")), inProject: serverFile(envRow("p", "project")), inXDG: serverFile(envRow("u", "xdg")),
	})
	wantAnswers(t, live.Options{System: "indusr"}, "p=project u=xdg")
	for _, paths := range [][]string{{"a.json", "b.json"}, {"a.json,b.json"}} {
		wantAnswers(t, live.Options{MCP: paths}, "a=a b=b")
	}
}

func fourFiles(t *testing.T) {
	enterProject(t, map[string]string{
		inProject: serverFile(envRow("a", "project")), inXDG: serverFile(envRow("b", "xdg")), inAgent: serverFile(envRow("c", "agent")), inOld: serverFile(envRow("d", "old")),
	})
	const all = "a=project b=xdg c=agent d=old"
	wantAnswers(t, live.Options{System: "indusr"}, all)
	wantAnswers(t, live.Options{MCP: []string{"."}}, all)
}

// namesakes: all sources contribute, in their order; of equal names all are attached, the
// first one under the name alone, and each of the others is named with its place, but for
// those that are disabled: they are dropped before.
func namesakes(t *testing.T) {
	enterProject(t, map[string]string{
		inProject: serverFile(envRow("shared", "project"), envRow("p", "project")), inXDG: serverFile(envRow("shared", "xdg")),
		inAgent: serverFile(envRow("x", "agent"), envRow("shared", "agent")), inOld: serverFile(`"shared": {"command": "no-such-program", "enabled": false}`),
		"more.json": serverFile(envRow("p", "more")),
	})
	for _, opts := range []live.Options{{System: "indusr"}, {MCP: []string{"."}}} {
		said := wantAnswers(t, opts, "shared=project p=project shared@user=xdg x=agent shared@user-2=agent")
		for _, server := range []string{`home/indusvx/mcp.json:1:14: the server \"shared@user\" has the same name as the server in `, `the server \"shared@user-2\" has`} {
			if opts.System != "" && !strings.Contains(said, server) {
				t.Errorf("%s is not named: %s", server, said)
			}
		}
		if n := strings.Count(said, "mcpgen uses both servers"); n != 2 {
			t.Errorf("%d warnings: %s", n, said)
		}
	}
	wantAnswers(t, live.Options{MCP: []string{".", "more.json"}}, "shared=project p=project shared@user=xdg x=agent shared@user-2=agent p@file=more")
	wantAnswers(t, live.Options{MCP: []string{"more.json,."}}, "p=more shared=project p@project=project shared@user=xdg x=agent shared@user-2=agent")
}

// namesakesInDeck: the tools of both are called by the name. A name that both ask for is
// that of the first one, and in the ledger, where they have one key, the later one counts.
func namesakesInDeck(t *testing.T) {
	work := enterProject(t, map[string]string{
		inProject: serverFile(envRow("s", "project"), `"u": {"command": PROGRAM, "args": ["echo"]}`), inXDG: serverFile(envRow("s", "xdg"), envRow("u", "xdg")),
		"mcpgen.yaml": "version: 1\nimport: [indusr]\nledger: {}\n",
	})
	host := openReady(t, live.Options{})
	names := strings.Fields(toolNames(t, host))
	if len(names) != 4 || names[0] != "s__env" || names[1] != "u__echo" || !strings.HasPrefix(names[2], "s__env_") || names[3] != "u__env" {
		t.Fatalf("tools %q", names)
	}
	for id, want := range map[string]string{"s__env": "project", "s/env": "project", names[2]: "xdg", "s@user/env": "xdg", "u__env": "xdg"} {
		result, err := host.Call(t.Context(), id, nil)
		if err != nil || !strings.Contains(result.Text(), `"WHO":"`+want+`"`) {
			t.Errorf("%s: %v, want %s", id, err, want)
		}
	}
	var live []string
	for _, e := range runsOf(t, filepath.Join(work, filepath.FromSlash(config.DefaultLedgerFile)))[0].Ledger.Live() {
		live = append(live, e.Server+" "+e.Capability.Tool)
	}
	if want := []string{"s@user env", "u echo", "u@user env"}; !slices.Equal(live, want) {
		t.Errorf("the ledger has %q, want %q", live, want)
	}
}

// homeFolder: $XDG_CONFIG_HOME or $HOME/.config; $HOME or $USERPROFILE; neither is a
// machine without files of a user.
func homeFolder(t *testing.T) {
	work := enterProject(t, map[string]string{
		inProject: serverFile(envRow("p", "project")), "../elsewhere/indusvx/mcp.json": serverFile(envRow("x", "moved")),
		"../a/.config/indusvx/mcp.json": serverFile(envRow("x", "a")), "../a/.indusvx/agent/mcp.json": serverFile(envRow("l", "a")),
		"../b/.config/indusvx/mcp.json": serverFile(envRow("x", "b")),
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
func testTransports(t *testing.T) {
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
	work := enterProject(t, map[string]string{inProject: serverFile(
		envRow("process", "p"),
		`"events": {"url": "`+web.URL+`/sse"}`,
		`"streamable": {"url": "`+web.URL+`/mcp", "headers": {"Authorization": "Bearer your-token"}}`,
		`"both": {"command": PROGRAM, "args": ["echo", "-trace", "both.trace"], "url": "`+web.URL+`/mcp"}`,
	)})
	host := openReady(t, live.Options{System: "indusr"})
	got := map[string]string{}
	for _, st := range host.Status() {
		got[st.Server] = string(st.Transport)
		if (st.PID != 0) != (st.Server == "process") {
			t.Errorf("%s: pid %d", st.Server, st.PID)
		}
		if st.Server != "process" {
			if _, err := callTool(t, host, st.Server, "echo"); err != nil {
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
		t.Error("the command of a row with a URL was started, want the URL reached alone")
	}
	if authorized.Load() == 0 {
		t.Error("no request had the headers of the row, want all to")
	}
}

// badFiles: what cannot be read contributes nothing, is named with its place, and the
// rest works, in a search as in files that are named.
func badFiles(t *testing.T) {
	work := enterProject(t, map[string]string{
		inProject: `{"servers": {`, inXDG: `{"other": {}}`, inAgent: `{"servers": "none"}`, inOld: serverFile(envRow("good", "old"), `"bad": {"args": []}`),
		"empty.json": "", "list.json": `[1]`, "good.json": serverFile(envRow("named", "good")),
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

// sentHeaders: the headers of a row are on every request of both HTTP transports.
func sentHeaders(t *testing.T) {
	handler, err := testserver.Handler("echo")
	if err != nil {
		t.Fatal(err)
	}
	var all, right atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		all.Add(1)
		if r.Header.Get("Authorization") == "Bearer your-token" && r.Header.Get("X-Own") == "${HOME}" { // texts are literal
			right.Add(1)
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { web.CloseClientConnections(); web.Close() })
	const headers = `"headers": {"Authorization": "Bearer your-token", "X-Own": "${HOME}"}`
	enterProject(t, map[string]string{inProject: serverFile(`"a": {"url": "`+web.URL+`/mcp", `+headers+`}`, `"b": {"url": "`+web.URL+`/sse", `+headers+`}`)})
	host := openReady(t, live.Options{System: "indusr"})
	for _, name := range []string{"a", "b"} {
		if _, err := callTool(t, host, name, "echo"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all.Load() == 0 || all.Load() != right.Load() {
		t.Errorf("%d of %d requests have the headers", right.Load(), all.Load())
	}
}

// disabledOfTwo: a row that is not enabled is dropped, so it takes nothing from
// another one of its name, before it or behind it.
func disabledOfTwo(t *testing.T) {
	const off = `{"command": "no-such-program", "enabled": false}`
	enterProject(t, map[string]string{
		inProject: serverFile(`"a": `+off, envRow("b", "project"), `"c": `+off), inXDG: serverFile(envRow("a", "xdg"), `"b": `+off, `"c": `+off),
		"mcp.json": serverFile(`"b": ` + off), // of no system by its name, and found with the folder
	})
	for _, opts := range []live.Options{{System: "indusr"}, {MCP: []string{"."}}, {MCP: []string{inProject, inXDG}}} {
		wantAnswers(t, opts, "b=project a=xdg")
	}
}

// laterPath: every path is attached; of one name in two paths, one of which is another
// system's, the later one answers, and the other one is known.
func laterPath(t *testing.T) {
	enterProject(t, map[string]string{
		"a.json": serverFile(envRow("one", "a"), envRow("same", "a")), "b.json": `{"mcpServers": {` + envRow("same", "b") + `}}`,
	})
	said := wantAnswers(t, live.Options{MCP: []string{"a.json", "b.json"}}, "one=a same=b")
	if !strings.Contains(said, `a.json:1:`) || !strings.Contains(said, `the server \"same\" is also defined in b.json:1:17, and that definition wins`) {
		t.Errorf("said %s", said)
	}
	wantAnswers(t, live.Options{MCP: []string{"b.json,a.json"}}, "one=a same=a")
	p, err := config.LoadServers("a.json", "b.json")
	if err != nil {
		t.Fatal(err)
	}
	var shadowed []string
	for _, d := range p.Definitions {
		if d.Shadowed {
			shadowed = append(shadowed, d.Server.Source.Path+" "+d.Server.Name)
		}
	}
	if !slices.Equal(shadowed, []string{"a.json same"}) {
		t.Errorf("shadowed: %q", shadowed)
	}
	// A file that counts for two folders is read once, in the later place.
	enterProject(t, map[string]string{inXDG: serverFile(envRow("u", "xdg"), `"bad": {}`), "x/" + inProject: serverFile(envRow("u", "x"), envRow("x", "x")), "y/" + inProject: serverFile(envRow("u", "y"))})
	said = wantAnswers(t, live.Options{MCP: []string{"x", "y"}}, "u=x x=x u@project=y u@user=xdg")
	if strings.Count(said, "servers.bad:") != 1 || strings.Count(said, "mcpgen uses both servers") != 2 {
		t.Errorf("said %s", said)
	}
}

// hotReload: a server goes and comes back while the program runs. Its tools are
// retired and enrolled again under the same key, and the ledger on the disk replays to
// the deck that the program has.
func hotReload(t *testing.T) {
	work := enterProject(t, map[string]string{inProject: serverFile(envRow("a", "a"), envRow("b", "b")), "mcpgen.yaml": "version: 1\nimport: [indusr]\nledger: {}\n"})
	host := openReady(t, live.Options{})
	p, err := config.Load("mcpgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(work, filepath.FromSlash(config.DefaultLedgerFile))
	now := func(reloaded []endpoint.Server) ledger.Ledger {
		if err := host.Host.Reload(t.Context(), reloaded); err != nil {
			t.Fatal(err)
		}
		if _, err := callTool(t, host, "a", "env"); err != nil { // what changed before a call is written before it
			t.Fatal(err)
		}
		runs := runsOf(t, path)
		return runs[len(runs)-1].Ledger
	}
	both := now(p.Servers)
	one := now(p.Servers[:1])
	again := now(p.Servers)
	if got := strings.Join(append(both.Names("a"), both.Names("b")...), " "); got != "a__env b__env" {
		t.Errorf("enrolled: %s", got)
	}
	if len(one.Live()) != 1 || len(one.LiveOf("b")) != 0 || one.Snapshot().ByServer["b"] != 0 {
		t.Errorf("without b: %+v", one.Live())
	}
	if len(again.LiveOf("b")) != 1 || again.LiveOf("b")[0].Key != both.LiveOf("b")[0].Key || !strings.HasPrefix(again.LiveOf("b")[0].Key, "bk_") {
		t.Errorf("b again: %+v", again.Live())
	}
	var ops []string
	for _, e := range again.Log() {
		ops = append(ops, string(e.Op)+" "+e.Server)
	}
	if got := strings.Join(ops, ", "); got != "enroll a, enroll b, retire b, enroll b" {
		t.Errorf("log: %s", got)
	}
	want, err := json.Marshal(again)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(ledger.FromLog(again.Log())); err != nil || !bytes.Equal(got, want) {
		t.Errorf("replayed: %s, want %s; %v", got, want, err)
	}
}
