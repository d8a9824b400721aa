package live_test

// Rows of tallow: settings.json as it is, in the user's folder, and what a program
// that names the system makes of it.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/native"
)

func tallowRows() map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"003-02": tallowNames,
		"003-10": tallowRestart,
		"003-11": tallowSecondFailure,
		"003-21": tallowScope,
		"003-22": tallowAgents,
		"003-23": tallowInline,
		"003-25": tallowLookup,
		"003-28": tallowStart,
		"003-29": tallowEnv,
		"003-30": tallowBeside,
		"003-31": tallowWorkflow,
	}
}

// tallowHome is the user's file, beside the folder that [project] works in.
const tallowHome = "../home/.tallow/settings.json"

// asProgram makes this test binary a program of the system that it names: it
// attaches what its environment leaves, says what that is, and ends.
const asProgram = "MCPGEN_LIVE_TEST_PROGRAM"

func runProgram(system string) int {
	_ = os.Unsetenv(asProgram) // the servers inherit the environment
	host, err := live.Open(context.Background(), live.Options{System: system})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer host.Close()
	fmt.Print(strings.Join(attachedServers(host), " "))
	return 0
}

// runSubprocess runs the program in the environment of this test with one more
// variable, and returns what it said.
func runSubprocess(t *testing.T, variable string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), asProgram+"=tallow")
	if variable != "" {
		cmd.Env = append(cmd.Env, variable)
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// methodsTraced are the methods that a test server was sent, and the starts of its
// processes, by its trace.
func methodsTraced(t *testing.T, path string) (methods []string, last json.RawMessage, starts int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // it is being written
		}
		var e struct {
			Event   string
			Message json.RawMessage
		}
		var m struct{ Method string }
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		switch e.Event {
		case "start":
			starts++
		case "message":
			if err := json.Unmarshal(e.Message, &m); err != nil {
				t.Fatal(err)
			}
			methods, last = append(methods, m.Method), e.Message
		}
	}
	return methods, last, starts
}

// Names are mcp__server__tool, and nothing in them is replaced; the server hears
// the tool's own name.
func tallowNames(t *testing.T) {
	enterProject(t, map[string]string{
		tallowHome: `{"mcpServers": {
  "filesystem": {"command": PROGRAM, "args": ["replay", "fs.json", "-trace", "fs.trace"]},
  "My-server_2": {"command": PROGRAM, "args": ["replay", "other.json", "-trace", "other.trace"]}}}`,
		"fs.json":    `{"tools": [{"name": "read_file", "inputSchema": {"type": "object"}}, {"name": "write_file", "inputSchema": {"type": "object"}}]}`,
		"other.json": `{"tools": [{"name": "Get-sum", "inputSchema": {"type": "object"}}, {"name": "get.sum", "inputSchema": {"type": "object"}}]}`,
	})
	host := openReady(t, live.Options{System: "tallow"})
	tools, err := host.Tools()
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	byName := map[string]runtime.Tool{}
	for _, tool := range tools {
		ids = append(ids, tool.Spec().ID)
		byName[tool.Spec().Name] = tool
	}
	slices.Sort(ids)
	if want := []string{"mcp__My-server_2__Get-sum", "mcp__My-server_2__get.sum", "mcp__filesystem__read_file", "mcp__filesystem__write_file"}; !slices.Equal(ids, want) {
		t.Fatalf("the tools are %q, want %q", ids, want)
	}
	for name, wire := range map[string][2]string{"mcp__filesystem__read_file": {"fs.trace", "read_file"}, "mcp__My-server_2__Get-sum": {"other.trace", "Get-sum"}} {
		if byName[name] == nil {
			t.Errorf("no tool is registered as %s", name)
			continue
		}
		if _, err := byName[name].Call(t.Context(), nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, last, _ := methodsTraced(t, wire[0]); !strings.Contains(string(last), `"name":"`+wire[1]+`"`) {
			t.Errorf("%s was sent as %s", name, last)
		}
	}
}

// A process that dies is started once more, by the next call and not before.
func tallowRestart(t *testing.T) {
	enterProject(t, map[string]string{tallowHome: `{"mcpServers": {"s": {"command": PROGRAM, "args": ["crash-after", "-n", "1", "-trace", "s.trace"]}}}`})
	lost := make(chan struct{}, 10)
	host := openReady(t, live.Options{System: "tallow", Attach: attach.Options{OnEvent: func(e event.Event) {
		if e.Kind == event.Failed {
			lost <- struct{}{}
		}
	}}})
	if _, err := callTool(t, host, "s", "echo"); err != nil {
		t.Fatal(err)
	}
	before := host.Status()[0].PID
	if _, err := callTool(t, host, "s", "echo"); err == nil {
		t.Fatal("the call has no error, want that of a server that crashes")
	}
	<-lost
	if _, _, starts := methodsTraced(t, "s.trace"); starts != 1 {
		t.Errorf("%d processes before the next call", starts)
	}
	if _, err := callTool(t, host, "s", "echo"); err != nil {
		t.Errorf("the next call: %v", err)
	}
	if _, _, starts := methodsTraced(t, "s.trace"); starts != 2 || host.Status()[0].PID == before {
		t.Errorf("%d processes, %d after %d", starts, host.Status()[0].PID, before)
	}
}

// After the one restart the tools are unavailable, and the program is told once,
// whether the second process does not come up or dies as the first one did. The
// other server serves on.
func tallowSecondFailure(t *testing.T) {
	for _, mode := range []string{"no-return", "crash-on-call"} {
		t.Run(mode, func(t *testing.T) {
			enterProject(t, map[string]string{tallowHome: `{"mcpServers": {
  "s": {"command": PROGRAM, "args": ["` + mode + `", "-state", "starts", "-trace", "s.trace"]},
  "other": {"command": PROGRAM, "args": ["echo"]}}}`})
			var mu sync.Mutex
			var log bytes.Buffer
			told := make(chan error, 10)
			host := openReady(t, live.Options{System: "tallow", Attach: attach.Options{
				Logger: slog.New(slog.NewTextHandler(&locked{mu: &mu, w: &log}, nil)),
				OnEvent: func(e event.Event) {
					if e.Kind == event.Unavailable {
						told <- e.Err
					}
				},
			}})
			for range 5 {
				if _, err := callTool(t, host, "s", "echo"); !errors.Is(err, runtime.ErrUnavailable) {
					t.Errorf("error %v", err)
				}
			}
			select {
			case <-told:
			case <-time.After(10 * time.Second):
				t.Fatal("after 10s no event says that the server is unavailable")
			}
			if _, err := callTool(t, host, "s", "echo"); !errors.Is(err, runtime.ErrUnavailable) || !strings.Contains(err.Error(), "no attempt to start the server again is left") {
				t.Errorf("error %v", err)
			}
			if _, _, starts := methodsTraced(t, "s.trace"); starts != 2 {
				t.Errorf("%d processes were started, want 2", starts)
			}
			tools, err := host.Tools()
			if err != nil || len(tools) != 1 || tools[0].Spec().Server != "other" {
				t.Errorf("tools %v, %v", tools, err)
			}
			if _, err := callTool(t, host, "other", "echo"); err != nil {
				t.Error(err)
			}
			_ = host.Close()
			if len(told) > 0 {
				t.Errorf("told again: %v", <-told)
			}
			mu.Lock()
			defer mu.Unlock()
			if n := strings.Count(log.String(), "MCP server unavailable"); n != 1 {
				t.Errorf("a person is told %d times:\n%s", n, &log)
			}
		})
	}
}

// locked is a writer for several goroutines.
type locked struct {
	mu *sync.Mutex
	w  *bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// three is a user's file with three servers, each with a trace.
const three = `{"mcpServers": {
  "slack": {"command": PROGRAM, "args": ["echo", "-trace", "slack.trace"]},
  "github": {"command": PROGRAM, "args": ["echo", "-trace", "github.trace"]},
  "linear": {"command": PROGRAM, "args": ["echo", "-trace", "linear.trace"]}}}`

// startsOnly runs the program with one more variable, and wants it to have attached
// these servers, and no process of another one to have been started.
func startsOnly(t *testing.T, variable, want string) {
	t.Helper()
	for _, name := range []string{"slack", "github", "linear"} {
		if err := os.RemoveAll(name + ".trace"); err != nil {
			t.Fatal(err)
		}
	}
	if got := runSubprocess(t, variable); got != want {
		t.Errorf("%q: %q are attached, want %q", variable, got, want)
	}
	traces, err := filepath.Glob("*.trace")
	if err != nil {
		t.Fatal(err)
	}
	var started []string
	for _, name := range []string{"slack", "github", "linear"} {
		if slices.Contains(traces, name+".trace") {
			started = append(started, name)
		}
	}
	if got := strings.Join(started, " "); got != want {
		t.Errorf("%q: %q were started, want %q", variable, got, want)
	}
}

// PI_MCP_SERVERS leaves the servers that it lists, and no other is started.
func tallowScope(t *testing.T) {
	enterProject(t, map[string]string{tallowHome: three})
	const all = "slack github linear"
	for value, want := range map[string]string{
		"slack,github": "slack github", " slack , ": "slack", "linear, nobody": "linear", "nobody": "", ",": "", "": all, " ": all,
	} {
		startsOnly(t, "PI_MCP_SERVERS="+value, want)
	}
	startsOnly(t, "", all)
}

// The three forms of mcpServers in an agent's front matter, as the document has
// them: what it says reaches the agent's subprocess.
func tallowAgents(t *testing.T) {
	enterProject(t, map[string]string{
		tallowHome:    three,
		"one.md":      "---\nname: github-helper\ndescription: Agent with GitHub MCP access only\nmcpServers: github\n---\n# You help.\n",
		"several.md":  "---\nmcpServers: slack, github, linear\n---\n",
		"array.md":    "---\nmcpServers:\n  - slack\n  - github\n---\n",
		"all.md":      "---\nname: all\n---\nmcpServers: slack\n",
		"nothing.md":  "# An agent without front matter\n",
		"unknown.md":  "---\nmcpServers: [nobody, linear]\n---\n",
		"windows.md":  "---\r\nmcpServers: github\r\n---\r\n",
		"flow/own.md": "---\nmcpServers: [slack, github]\n---\n",
	})
	for file, want := range map[string]string{
		"one.md": "github", "several.md": "slack github linear", "array.md": "slack github", "all.md": "slack github linear",
		"nothing.md": "slack github linear", "unknown.md": "linear", "windows.md": "github", "flow/own.md": "slack github",
	} {
		a, err := config.LoadAgent(file)
		if err != nil || len(a.Notices) > 0 {
			t.Errorf("%s: %+v, %v", file, a, err)
			continue
		}
		startsOnly(t, a.Env(), want)
		t.Setenv("PI_MCP_SERVERS", "nobody")
		host := openReady(t, live.Options{System: "tallow", AgentFile: file})
		if got := strings.Join(attachedServers(host), " "); got != want {
			t.Errorf("%s: attached %q, want %q", file, got, want)
		}
		t.Setenv("PI_MCP_SERVERS", "")
	}
	if a, err := config.LoadAgent("one.md"); err != nil || a.Name != "github-helper" || a.Env() != "PI_MCP_SERVERS=github" {
		t.Errorf("%+v, %v", a, err)
	}
}

// Definitions of servers in an agent's file start nothing: a warning says so, and
// the names beside them count, also if there are none.
func tallowInline(t *testing.T) {
	enterProject(t, map[string]string{
		tallowHome:  three,
		"beside.md": "---\nmcpServers:\n  - github\n  - own: {command: ./linear}\n  - slack\n---\n",
		"alone.md":  "---\nmcpServers:\n  - own: {command: ./linear}\n---\n",
		"map.md":    "---\nmcpServers:\n  linear: {command: ./linear}\n---\n",
		"empty.md":  "---\nmcpServers: []\n---\n",
	})
	const warning = "definitions of servers are not supported here; define the server in a server file and write its name"
	for file, want := range map[string]struct{ warning, servers string }{
		"beside.md": {"beside.md:4:5: mcpServers[1]: " + warning, "slack github"},
		"alone.md":  {"alone.md:3:5: mcpServers[0]: " + warning, ""},
		"map.md":    {"map.md:3:3: mcpServers: " + warning, ""},
		"empty.md":  {"", ""},
	} {
		a, err := config.LoadAgent(file)
		if err != nil {
			t.Error(err)
			continue
		}
		var said []string
		for _, n := range a.Notices {
			said = append(said, n.String())
		}
		if got := strings.Join(said, "\n"); got != want.warning {
			t.Errorf("%s: warned %q, want %q", file, got, want.warning)
		}
		startsOnly(t, a.Env(), want.servers)
	}
}

// instructionsFor are those of a host of the user's file with one server, which offers
// these tools.
func instructionsFor(t *testing.T, tools []string, sections ...agent.Section) string {
	t.Helper()
	var items []string
	for _, name := range tools {
		items = append(items, `{"name": "`+name+`", "description": "Does it.", "inputSchema": {"type": "object"}}`)
	}
	enterProject(t, map[string]string{
		tallowHome:    `{"mcpServers": {"docs": {"command": PROGRAM, "args": ["replay", "docs.json"]}}}`,
		"docs.json":   `{"tools": [` + strings.Join(items, ", ") + `]}`,
		"mcpgen.yaml": "version: 1\nimport: [tallow]\n",
	})
	got := openReady(t, live.Options{System: "tallow"}).Instructions(sections...)
	if imported := openReady(t, live.Options{}).Instructions(sections...); imported != got {
		t.Errorf("with import: [tallow] it is\n%s\nand not\n%s", imported, got)
	}
	return got
}

const lookup = "Mandatory workflow for looking up documentation"

// The section on documentation is there with its tools, and without them it is not.
func tallowLookup(t *testing.T) {
	if got := instructionsFor(t, []string{"add_doc", "get_doc", "search_docs"}); strings.Count(got, lookup) != 1 || strings.Contains(got, "Looking up") {
		t.Errorf("with the tools:\n%s", got)
	}
	if got := instructionsFor(t, []string{"read_file", "write_file"}); strings.Contains(got, lookup) || strings.Contains(got, "Looking up") || !strings.Contains(got, "mcp__docs__read_file") {
		t.Errorf("without them:\n%s", got)
	}
	// With some of them there is no workflow to be followed, and those are named.
	if got := instructionsFor(t, []string{"get_doc"}); strings.Contains(got, lookup) || !strings.HasSuffix(got, "look it up: mcp__docs__get_doc.\n") {
		t.Errorf("with one of them:\n%s", got)
	}
}

// The workflow is the document's: four steps in their order, with the names that
// the model sees. A section of the program's own on these tools takes its place,
// another one stands before it.
func tallowWorkflow(t *testing.T) {
	tools := []string{"add_doc", "get_doc", "search_docs"}
	const want = `
## Documentation Lookup

Mandatory workflow for looking up documentation:

1. Check local docs first with ` + "`mcp__docs__search_docs`" + `
2. If found, read with ` + "`mcp__docs__get_doc`" + `
3. If not found, add with ` + "`mcp__docs__add_doc`" + `, then read with ` + "`mcp__docs__get_doc`" + `
4. Never use ` + "`web_fetch`" + ` for documentation

This applies to all official documentation but not general web content.
`
	if got := instructionsFor(t, tools); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s", got)
	}
	if got := instructionsFor(t, tools, agent.Section{Title: "House rules", Text: "Be brief."}); !strings.HasSuffix(got, "\n## House rules\n\nBe brief.\n"+want) {
		t.Errorf("got\n%s", got)
	}
	own := agent.Section{Title: "Docs", Text: "Ask `search_docs`, then `get_doc`.", Tools: []string{"search_docs", "get_doc"}}
	if got := instructionsFor(t, tools, own); strings.Contains(got, lookup) || !strings.HasSuffix(got, "\n## Docs\n\nAsk `mcp__docs__search_docs`, then `mcp__docs__get_doc`.\n") {
		t.Errorf("got\n%s", got)
	}
	if got := instructionsFor(t, tools, agent.DocumentationWorkflow()); strings.Count(got, lookup) != 1 {
		t.Errorf("got\n%s", got)
	}
}

// Each server is one child process, which is sent the handshake and then tools/list;
// it is gone with the session.
func tallowStart(t *testing.T) {
	enterProject(t, map[string]string{tallowHome: three})
	host := openReady(t, live.Options{System: "tallow"})
	for _, st := range host.Status() {
		methods, _, starts := methodsTraced(t, st.Server+".trace")
		initialized, listed := slices.Index(methods, "initialize"), slices.Index(methods, "tools/list")
		if starts != 1 || st.PID == 0 || initialized < 0 || listed < initialized || slices.Index(methods, "notifications/initialized") < initialized {
			t.Errorf("%s: process %d of %d, sent %q", st.Server, st.PID, starts, methods)
		}
	}
}

// A row's env goes to its process as it is written, over the environment of the
// program; nothing in it is expanded.
func tallowEnv(t *testing.T) {
	enterProject(t, map[string]string{tallowHome: `{"mcpServers": {
  "github": {"command": PROGRAM, "args": ["echo-env"], "env": {"GITHUB_TOKEN": "ghp_...", "HOST": "${HOME}", "OVER": "row"}},
  "other": {"command": PROGRAM, "args": ["echo-env"]}}}`})
	t.Setenv("OVER", "program")
	t.Setenv("UNDER", "program")
	host := openReady(t, live.Options{System: "tallow"})
	if env := environmentOf(t, host, "github"); env["GITHUB_TOKEN"] != "ghp_..." || env["HOST"] != "${HOME}" || env["OVER"] != "row" || env["UNDER"] != "program" {
		t.Errorf("the process got %v", env)
	}
	if env := environmentOf(t, host, "other"); env["GITHUB_TOKEN"] != "" || env["OVER"] != "program" {
		t.Errorf("the other process got %v", env)
	}
}

// The tools of servers stand in one list with those that the program has itself, and
// are called in the same way.
func tallowBeside(t *testing.T) {
	enterProject(t, map[string]string{tallowHome: `{"mcpServers": {"filesystem": {"command": PROGRAM, "args": ["echo"]}}}`})
	set, err := native.NewSet(native.Echo(), native.Clock(nil))
	if err != nil {
		t.Fatal(err)
	}
	host := openReady(t, live.Options{System: "tallow", Agent: agent.Options{Native: set.Tools}, Attach: attach.Options{Middleware: []runtime.Middleware{set.Middleware()}}})
	tools, err := host.Tools()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Spec().Name)
		if res, err := tool.Call(t.Context(), json.RawMessage(`{"text":"hi"}`)); tool.Spec().Tool == "echo" && (err != nil || !strings.Contains(res.Text()+string(res.Structured), "hi")) {
			t.Errorf("%s: %+v, %v", tool.Spec().Name, res, err)
		}
	}
	slices.Sort(names)
	if want := []string{"clock", "echo", "mcp__filesystem__echo"}; !slices.Equal(names, want) {
		t.Errorf("the tools are %q, want %q", names, want)
	}
}
