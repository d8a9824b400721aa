package live_test

// core-agent: .agents/mcp.json, and who may call what in the file beside it.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/input"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

func coreAgentRows() map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"001-14": coreAgentNames,
		"001-15": coreAgentNames,
		"001-17": coreAgentNames,
		"001-18": coreAgentModes,
		"001-21": coreAgentDetail,
		"001-22": coreAgentModes,
		"001-23": coreAgentModes,
		"001-27": coreAgentFailures,
		"001-33": coreAgentElicitation,
		"001-38": coreAgentNamed,
		"001-39": coreAgentNames,
		"001-40": coreAgentClose,
	}
}

const agentsFile = ".agents/mcp.json"

// agentServers is the file with these servers: names and arguments of the test server.
func agentServers(servers map[string][]string) string {
	all := map[string]any{}
	for name, args := range servers {
		all[name] = map[string]any{"transport": "stdio", "command": "PROGRAM", "args": args}
	}
	text, _ := json.Marshal(map[string]any{"version": 1, "servers": all}) // such values always have a form
	return strings.ReplaceAll(string(text), `"PROGRAM"`, "PROGRAM")
}

// filesystemTools are those of the document's server.
const filesystemTools = `{"tools":[{"name":"read_file","inputSchema":{"type":"object"}},{"name":"write_file","inputSchema":{"type":"object"}}]}`

// openAll opens the project by the system's name, whichever servers come up.
func openAll(t *testing.T, opts live.Options) *live.Host {
	t.Helper()
	opts.System = "coreagent"
	host, err := live.Open(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	return host
}

// A person is shown the tool as the system names it and its arguments as JSON, cut at
// 200 characters and never inside of one.
func coreAgentDetail(t *testing.T) {
	enterProject(t, map[string]string{
		agentsFile:            agentServers(map[string][]string{"file.system": {"replay", "tools.json"}}),
		".agents/config.json": `{"permissions": {"mode": "ask"}}`,
		"tools.json":          filesystemTools,
	})
	var shown []string
	host := openAll(t, live.Options{Prompter: policy.PrompterFunc(func(_ context.Context, q policy.Question) (policy.Answer, error) {
		shown = append(shown, q.Detail)
		return policy.Answer{Decision: policy.Once}, nil
	})})
	const name = "file_system_read_file"
	all := registerAll(t, host)
	detail := func(args string) string {
		t.Helper()
		shown = nil
		if _, err := all.use(t, name, args); err != nil || len(shown) != 1 {
			t.Fatalf("%s: %v, asked %q", args, err, shown)
		}
		return shown[0]
	}
	if got := detail(`{"path": "/tmp/a b",` + "\n" + ` "n": 9007199254740993}`); got != name+` {"path":"/tmp/a b","n":9007199254740993}` {
		t.Errorf("shown %q", got)
	}
	frame := utf8.RuneCountInString(name + ` {"p":""}`)
	for _, n := range []int{199, 200, 201, 1000} {
		text := strings.Repeat("é", n-frame)
		got := detail(`{"p":"` + text + `"}`)
		switch whole := name + ` {"p":"` + text + `"}`; {
		case n <= 200 && got != whole:
			t.Errorf("%d characters: shown %q", n, got)
		case n > 200 && (utf8.RuneCountInString(got) != 200 || !utf8.ValidString(got) || !strings.HasPrefix(whole, strings.TrimSuffix(got, "..."))):
			t.Errorf("%d characters: shown %d, %q", n, utf8.RuneCountInString(got), got)
		}
	}
	shown = nil
	if _, err := host.Invoke(t.Context(), runtime.Request{Server: "file.system", Method: protocol.MethodCallTool, Name: "read_file"}); err != nil || !slices.Equal(shown, []string{name}) {
		t.Errorf("without arguments: %q, %v", shown, err)
	}
}

// Every mode with a rule that allows, one that denies, and none, where nobody can be
// asked. Yolo skips the gate, and no mode looks for bad commands in arguments.
func coreAgentModes(t *testing.T) {
	const rules = `"allow": ["mcp:fs_read_file", "bash:ls *"], "deny": ["mcp:fs_write_file"]`
	for permissions, want := range map[string][3]bool{ // read_file, write_file, run
		``:                               {true, true, true}, // no gate is configured
		`"permissions": {` + rules + `}`: {true, false, false},
		`"permissions": {"mode": "ask", ` + rules + `}`:    {true, false, false},
		`"permissions": {"mode": "allow", ` + rules + `}`:  {true, false, false},
		`"permissions": {"mode": "yolo", ` + rules + `}`:   {true, true, true},
		`"permissions": {"mode": "yolo"}`:                  {true, true, true},
		`"permissions": {"mode": "ask"}`:                   {false, false, false},
		`"permissions": {"deny": ["*"], "allow": ["*"]}`:   {false, false, false},
		`"permissions": {"allow": ["mcp:fs_*"]}`:           {true, true, true},
		`"permissions": {"allow": ["mcp:fs_read_file_2"]}`: {false, false, false},
	} {
		t.Run(permissions, func(t *testing.T) {
			enterProject(t, map[string]string{
				agentsFile:            agentServers(map[string][]string{"fs": {"replay", "tools.json", "-trace", "trace"}}),
				".agents/config.json": "{" + permissions + "}",
				"tools.json":          strings.Replace(filesystemTools, "]}", `,{"name":"run","inputSchema":{"type":"object"}}]}`, 1),
			})
			all := registerAll(t, openAll(t, live.Options{}))
			calls := 0
			for i, tool := range []string{"fs_read_file", "fs_write_file", "fs_run"} {
				_, err := all.use(t, tool, `{"command":"rm -rf /"}`)
				if want[i] && err != nil || !want[i] && !errors.Is(err, runtime.ErrDenied) {
					t.Errorf("%s: %v, allowed is %v", tool, err, want[i])
				}
				if want[i] {
					calls++
				}
			}
			if got := slices.DeleteFunc(methodsSent(t, "trace"), func(method string) bool { return method != "tools/call" }); len(got) != calls {
				t.Errorf("%d calls were sent, want %d", len(got), calls)
			}
		})
	}
}

// A program that is not there, an address that answers 404 and a server that does not
// list its tools have a state and an error of their own; the run goes on with the rest.
func coreAgentFailures(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	defer gone.Close()
	file := agentServers(map[string][]string{"works": {"echo"}, "unlisted": {"list-error"}})
	file = strings.Replace(file, `"servers":{`, `"servers":{"missing":{"transport":"stdio","command":"no-such-program"},"gone":{"transport":"http","url":"`+gone.URL+`/mcp"},`, 1)
	enterProject(t, map[string]string{agentsFile: file})
	host := openAll(t, live.Options{})
	for _, st := range host.Status() {
		says, failed := map[string]string{"missing": "no-such-program", "gone": "404", "unlisted": "cannot list"}[st.Server]
		switch {
		case !failed:
			if st.State != attach.Ready || st.Err != nil || st.Tools != 1 {
				t.Errorf("%+v", st)
			}
		case st.State != attach.Failed || st.Err == nil || !strings.Contains(st.Err.Error(), says) || !strings.Contains(st.Err.Error(), "mcp.json:1: server"):
			t.Errorf("%s: %s, %v", st.Server, st.State, st.Err)
		case !strings.Contains(host.Err().Error(), st.Err.Error()):
			t.Errorf("not among the errors of the host: %v", st.Err)
		}
	}
	all := registerAll(t, host)
	if !slices.Equal(all.names, []string{"works_echo"}) {
		t.Errorf("registered %q", all.names)
	}
	if res, err := all.use(t, "works_echo", `{"text":"hi"}`); err != nil || !strings.Contains(res.Text(), "hi") {
		t.Errorf("%+v, %v", res, err)
	}
	if _, err := callTool(t, host, "gone", "echo"); !errors.Is(err, runtime.ErrUnavailable) {
		t.Errorf("a call of one that failed: %v", err)
	}
}

// A program's own handler answers what a server asks a person.
func coreAgentElicitation(t *testing.T) {
	enterProject(t, map[string]string{agentsFile: agentServers(map[string][]string{"ask": {"elicit"}})})
	var asked []string
	host := openAll(t, live.Options{Attach: attach.Options{Input: input.Handlers{Elicit: func(_ context.Context, server string, req input.ElicitRequest) (input.ElicitResult, error) {
		asked = append(asked, server+": "+req.Message)
		return input.ElicitResult{Action: input.ElicitAccept, Content: map[string]any{"password": "none of yours"}}, nil
	}}}})
	res, err := registerAll(t, host).use(t, "ask_echo", `{"text":"x"}`)
	if err != nil || !strings.Contains(string(res.Raw), `"action":"accept"`) || !strings.Contains(string(res.Raw), "none of yours") {
		t.Errorf("%+v, %v", res, err)
	}
	if !slices.Equal(asked, []string{"ask: Your password?"}) {
		t.Errorf("asked %q", asked)
	}
}

// Whoever names the system has the servers of its files, the project's before the
// user's, and hears what would be done with a file that was only found.
func coreAgentNamed(t *testing.T) {
	enterProject(t, map[string]string{
		agentsFile:              agentServers(map[string][]string{"fs": {"echo"}}),
		"../home/" + agentsFile: agentServers(map[string][]string{"fs": {"no-such-mode"}, "own": {"echo"}}),
	})
	host := openReady(t, live.Options{System: "coreagent"})
	if got := attachedServers(host); !slices.Equal(got, []string{"fs", "own"}) {
		t.Errorf("attached %q", got)
	}
	env, err := live.Environment()
	if err != nil {
		t.Fatal(err)
	}
	p, err := config.Search(env, "coreagent")
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, n := range p.Notices {
		if text := n.String(); strings.Contains(text, "untrusted") {
			told = append(told, text)
		}
	}
	if len(told) != 1 || !strings.Contains(told[0], "used only because coreagent was named") || !strings.Contains(told[0], "mcpgen trust add") {
		t.Errorf("told %q", told)
	}
}

// The names that a model sees are of [A-Za-z0-9_]{1,64}, whatever the server and the
// tool are called; names that meet differ all the same, and all of them can be called.
func coreAgentNames(t *testing.T) {
	long := strings.Repeat("long-", 20) + "tool"
	enterProject(t, map[string]string{
		agentsFile: agentServers(map[string][]string{
			"my-server": {"replay", "tools.json"}, "my_server": {"replay", "tools.json"}, "file.system": {"replay", "tools.json"}, "é": {"replay", "tools.json"},
		}),
		"tools.json": fmt.Sprintf(`{"tools":[{"name":"get-sum","inputSchema":{"type":"object"}},{"name":%q,"inputSchema":{"type":"object"}}]}`, long),
	})
	host := openAll(t, live.Options{})
	all := registerAll(t, host)
	if len(all.names) != 8 || len(all.tools) != 8 {
		t.Fatalf("registered %q", all.names)
	}
	for _, name := range all.names {
		if len(name) > 64 || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			t.Errorf("a model cannot take %q", name)
		}
		if _, err := all.use(t, name, `{}`); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"file_system_get_sum", "__get_sum"} {
		if all.tools[name] == nil {
			t.Errorf("no %s among %q", name, all.names)
		}
	}
}

func isRunning(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}

// One server can be closed, which ends its process and no other one; a new build reads
// the file again.
func coreAgentClose(t *testing.T) {
	enterProject(t, map[string]string{agentsFile: agentServers(map[string][]string{"one": {"echo"}, "two": {"echo"}})})
	host := openAll(t, live.Options{})
	pid := map[string]int{}
	for _, st := range host.Status() {
		pid[st.Server] = st.PID
	}
	if err := host.Detach("one"); err != nil {
		t.Fatal(err)
	}
	if isRunning(pid["one"]) || !isRunning(pid["two"]) || pid["one"] == 0 || pid["two"] == 0 {
		t.Errorf("one lives: %v, two lives: %v, of %v", isRunning(pid["one"]), isRunning(pid["two"]), pid)
	}
	if _, err := callTool(t, host, "one", "echo"); !errors.Is(err, runtime.ErrNotAttached) {
		t.Errorf("a call of the closed one: %v", err)
	}
	if err := host.Close(); err != nil || isRunning(pid["two"]) {
		t.Errorf("two lives after Close: %v, %v", isRunning(pid["two"]), err)
	}
	if err := os.WriteFile(agentsFile, []byte(fillProgram(t, agentServers(map[string][]string{"three": {"echo"}}))), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := attachedServers(openAll(t, live.Options{})); !slices.Equal(got, []string{"three"}) {
		t.Errorf("after the edit %q are attached", got)
	}
}
