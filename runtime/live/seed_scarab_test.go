package live_test

// scarab: the manifest of its document in the project's folder, and nothing beside it.

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/live"
)

func scarabRows() map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"000-01": scarabDeclares,
		"000-03": scarabFields,
		"000-05": scarabIDs,
		"000-07": scarabSpawn,
		"000-08": scarabStdio,
		"000-09": scarabHTTP,
		"000-10": scarabFailSoft,
		"000-12": scarabAllows("tool.invoke:mcp.github.list_prs", "mcp.github.list_prs"),
		"000-13": scarabAllows("tool.invoke:mcp.github.*", "mcp.github.list_prs", "mcp.github.create_issue", "mcp.github.list_prs.v2"),
		"000-14": scarabAllows("tool.invoke:mcp.*", "mcp.github.list_prs", "mcp.github.create_issue", "mcp.github.list_prs.v2", "mcp.search.echo"),
		"000-15": scarabAllows(""),
		"000-16": scarabAllows(""),
		"000-17": scarabAllows("tool.invoke:lm.*, 'fs.read:/home/**', tool.invoke:mcp.search.echo", "mcp.search.echo"),
		"000-18": scarabHandles,
		"000-19": scarabNoPolicy,
		"000-20": scarabPolicyFields,
		"000-21": scarabPolicyBefore,
		"000-23": scarabTrustLevel,
		"000-24": scarabInvoke,
		"000-27": scarabFound,
		"000-28": scarabAudited,
		"000-29": scarabIdentity,
		"000-30": scarabDescriptions,
		"000-31": scarabPolicyOfOneManifest,
		"000-33": scarabOrder,
		"000-34": scarabNamesThatMeet,
	}
}

// planted is the secret of the manifest. It is in the environment throughout: what
// decides is who may have it.
const planted = "ghp-planted-0123456789"

// scarabManifest is the document's, with a program and an address that are there.
const scarabManifest = `apiVersion: scarab/v1
kind: AgentManifest
metadata:
  name: research-agent
  version: 1.0.0
spec:
  trust_level: trusted
  capabilities:
    - tool.invoke:lm.complete
    - tool.invoke:mcp.github.*
    - tool.invoke:mcp.search.*
  secret_policy:
    - label: "GitHub token for MCP"
      secret_pattern: "github-token"
      tool_pattern: "*" # resolved at attach, not per tool-invoke
  mcp_servers:
    - name: github
      transport: Stdio
      command: PROGRAM
      args: [replay, github.json, -trace, github.trace]
      env_template:
        - ["GITHUB_TOKEN", "{{secret:github-token}}"]
      description: "GitHub read-only MCP tools"
    - name: search
      transport: Http
      url: SEARCH
      description: "Internal search server"
`

// scarabPolicy is the part of the manifest without which its secret goes nowhere.
const scarabPolicy = `  secret_policy:
    - label: "GitHub token for MCP"
      secret_pattern: "github-token"
      tool_pattern: "*" # resolved at attach, not per tool-invoke
`

const (
	listPRs     = `{"name":"list_prs","description":"Lists pull requests.","inputSchema":{"type":"object","properties":{"repo":{"type":"string"},"state":{"type":"string"}},"required":["repo"]}}`
	createIssue = `{"name":"create_issue","inputSchema":{"type":"object"}}`
)

// scarabProject makes a project with a manifest, in which texts are replaced in pairs.
func scarabProject(t *testing.T, replace ...string) (work string) {
	t.Helper()
	search, err := testserver.Handler("echo", "-trace", filepath.Join(t.TempDir(), "search.trace"))
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(search)
	t.Cleanup(func() { web.CloseClientConnections(); web.Close() })
	t.Setenv("MCPGEN_SECRET_GITHUB_TOKEN", planted)
	return enterProject(t, map[string]string{
		"agent.yaml":  strings.NewReplacer(append(replace, "SEARCH", web.URL+"/mcp")...).Replace(scarabManifest),
		"github.json": `{"tools":[` + listPRs + `,` + createIssue + `]}`,
	})
}

// openFailing opens the manifest of the folder; servers may fail.
func openFailing(t *testing.T, opts live.Options) *live.Host {
	t.Helper()
	if opts.System == "" && opts.MCP == nil {
		opts.System = "scarab"
	}
	host, err := live.Open(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	return host
}

// toolIDs are the ids of a host's tools, in their order.
func toolIDs(t *testing.T, host *live.Host) []string {
	t.Helper()
	tools, err := host.Tools()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, tool := range tools {
		all = append(all, tool.Spec().ID)
	}
	return all
}

func isIDs(t *testing.T, host *live.Host, want ...string) {
	t.Helper()
	if got := toolIDs(t, host); !slices.Equal(got, want) {
		t.Errorf("tools %q, want %q", got, want)
	}
}

// methodsHandled lists what a server was sent, but for the question for a newer protocol and
// the methods of HTTP.
func methodsHandled(t *testing.T, trace string) []string {
	t.Helper()
	return slices.DeleteFunc(methodsSent(t, trace), func(m string) bool { return m == "server/discover" || strings.ToUpper(m) == m })
}

// editManifest writes the manifest again, with texts replaced in pairs.
func editManifest(t *testing.T, from, to string, replace ...string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(string(text), replace[i]) {
			t.Fatalf("%s lacks %q", from, replace[i])
		}
	}
	if err := os.WriteFile(to, []byte(strings.NewReplacer(replace...).Replace(string(text))), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The servers of spec.mcp_servers are there when the agent starts; no command of its
// own attaches them, and none that is not declared is.
func scarabDeclares(t *testing.T) {
	scarabProject(t)
	for _, opts := range []live.Options{{System: "scarab"}, {MCP: []string{"agent.yaml"}}} {
		host := openReady(t, opts)
		if got := attachedServers(host); !slices.Equal(got, []string{"github", "search"}) {
			t.Errorf("%s%q: attached %q", opts.System, opts.MCP, got)
		}
		isIDs(t, host, "mcp.github.list_prs", "mcp.github.create_issue", "mcp.search.echo")
	}
	text, err := os.ReadFile("agent.yaml")
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(text), "    - name: search")
	if err := os.WriteFile("agent.yaml", []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	isIDs(t, openReady(t, live.Options{System: "scarab"}), "mcp.github.list_prs", "mcp.github.create_issue")
}

// Each field reaches what it is for: the process, the address, the prompt.
func scarabFields(t *testing.T) {
	work := scarabProject(t, "[replay, github.json, -trace, github.trace]", `[echo-env, "--trace", "read only"]`,
		`{{secret:github-token}}"]`, "{{secret:github-token}}\"]\n        - [\"LEVEL\", \"a {{b}} $HOME ${HOME}\"]")
	host := openReady(t, live.Options{System: "scarab"})
	env := environmentOf(t, host, "github")
	if env["GITHUB_TOKEN"] != planted || env["LEVEL"] != "a {{b}} $HOME ${HOME}" {
		t.Errorf("the environment has %q, %q", env["GITHUB_TOKEN"], env["LEVEL"])
	}
	if _, err := os.Stat(filepath.Join(work, "read only")); err != nil { // the argument of a flag
		t.Errorf("the arguments: %v", err)
	}
	over := map[string]string{}
	for _, st := range host.Status() {
		over[st.Server] = string(st.Transport)
	}
	if want := map[string]string{"github": "stdio", "search": "http"}; !reflect.DeepEqual(over, want) {
		t.Errorf("transports %v", over)
	}
	for _, tt := range []struct{ from, to, says string }{
		{`["GITHUB_TOKEN", "`, `["GITHUB_TOKEN", "more", "`, "env_template[0]: want a pair of name and value, found 3 elements"},
		{"transport: Stdio", "transport: Sse", `transport: unknown transport "Sse"; one of stdio, http`},
		{"      transport: Stdio\n", "", "transport"},
		{"name: search", "name: github", `the server "github" is defined in line 17 already`},
		{"    - name: github\n      transport", "    - transport", "the server has no name"},
		{"      url: ", "      uri: ", "Http needs a url"},
		{"      command: ", "      program: ", "no command"},
		{`"GitHub read-only MCP tools"`, "[a list]", "description: want a string"},
	} {
		editManifest(t, "agent.yaml", "wrong.yaml", tt.from, tt.to)
		if _, err := live.Open(t.Context(), live.Options{MCP: []string{"wrong.yaml"}}); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%q: %v", tt.to, err)
		}
	}
}

// A tool is mcp.<server>.<tool>: a registry that is keyed by it has the tool, and a
// call by it reaches that one. A server's name with a dot could be read in two ways.
func scarabIDs(t *testing.T) {
	scarabProject(t)
	host := openReady(t, live.Options{System: "scarab"})
	for _, id := range []string{"mcp.github.list_prs", "mcp.search.echo"} {
		if _, err := host.Call(t.Context(), id, json.RawMessage(`{"repo":"a/b"}`)); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	if got := methodsHandled(t, "github.trace"); got[len(got)-1] != "tools/call" {
		t.Errorf("sent %q", got)
	}
	editManifest(t, "agent.yaml", "agent.yaml", "name: github", "name: git.hub")
	var logged strings.Builder
	host = openReady(t, live.Options{System: "scarab", Attach: attach.Options{Logger: slog.New(slog.NewTextHandler(&logged, nil))}})
	tools, err := host.Tools()
	if err != nil || len(tools) == 0 || slices.ContainsFunc(tools, func(t runtime.Tool) bool { return strings.Contains(t.Spec().Name, "git") }) {
		t.Errorf("a name that can be read in two ways: %v, %v", tools, err)
	}
	if !strings.Contains(logged.String(), "git.hub") || !strings.Contains(logged.String(), "rename the server") {
		t.Errorf("logged %s", logged.String())
	}
}

// Init: each entry is attached; its tools are registered; Plan. Nothing is called
// before, and when Open returns nothing is left to do.
func scarabSpawn(t *testing.T) {
	work := scarabProject(t)
	var happened []string
	host := openReady(t, live.Options{System: "scarab", Attach: attach.Options{OnEvent: func(e event.Event) {
		if e.Kind == event.Attached {
			happened = append(happened, "attached "+e.Server+" "+strings.Join(e.Tools, ","))
		}
	}}})
	opened := slices.Clone(happened)
	slices.Sort(opened) // they attach together
	if want := []string{"attached github list_prs,create_issue", "attached search echo"}; !slices.Equal(opened, want) {
		t.Errorf("when Open returned: %q", opened)
	}
	all := registerAll(t, host)
	if want := []string{"mcp_github_list_prs", "mcp_github_create_issue", "mcp_search_echo"}; !slices.Equal(all.names, want) {
		t.Errorf("registered %q", all.names)
	}
	if _, err := all.use(t, "mcp_github_list_prs", `{"repo":"a/b"}`); err != nil {
		t.Error(err)
	}
	var kinds []string
	for _, r := range scarabLog(t, host, work) {
		if r.Kind == audit.KindAttach || r.Kind == audit.KindCall {
			kinds = append(kinds, r.Kind)
		}
	}
	if want := []string{audit.KindAttach, audit.KindAttach, audit.KindCall}; !slices.Equal(kinds, want) {
		t.Errorf("logged %q", kinds)
	}
}

// scarabLog closes a host and reads its log.
func scarabLog(t *testing.T, host *live.Host, work string) []audit.Record {
	t.Helper()
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	return recordsIn(t, filepath.Join(work, filepath.FromSlash(config.DefaultAuditFile)), audit.Filter{})
}

// The sequence that attaches a server.
var attachSequence = [...]string{"initialize", "notifications/initialized", "tools/list"}

// Stdio: a process, the handshake, the listing; and the process ends with its host.
func scarabStdio(t *testing.T) {
	scarabProject(t)
	host := openReady(t, live.Options{System: "scarab"})
	if got := methodsHandled(t, "github.trace"); !slices.Equal(got, attachSequence[:]) {
		t.Errorf("sent %q", got)
	}
	st := host.Status()[0]
	trace, err := os.ReadFile("github.trace")
	if err != nil {
		t.Fatal(err)
	}
	if st.Server != "github" || st.PID == 0 || st.PID == os.Getpid() || !strings.Contains(string(trace), `"pid":`+jsonOf(t, st.PID)) {
		t.Errorf("the process of %+v did not write the trace", st)
	}
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	if process, err := os.FindProcess(st.PID); err == nil && process.Signal(syscall.Signal(0)) == nil {
		t.Errorf("process %d lives on", st.PID)
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Http: connect, the handshake, the listing, at the address that the manifest names.
func scarabHTTP(t *testing.T) {
	scarabProject(t)
	trace := filepath.Join(t.TempDir(), "trace")
	h, err := testserver.Handler("echo", "-trace", trace)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(h)
	t.Cleanup(func() { web.CloseClientConnections(); web.Close() })
	text, err := os.ReadFile("agent.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "      url: ")
	was, _, _ := strings.Cut(rest, "\n")
	editManifest(t, "agent.yaml", "agent.yaml", was, web.URL+"/mcp")
	host := openReady(t, live.Options{System: "scarab"})
	if got := methodsHandled(t, trace); !slices.Equal(got, attachSequence[:]) {
		t.Errorf("sent %q", got)
	}
	if st := host.Status()[1]; st.Server != "search" || st.Transport != "http" || st.PID != 0 || st.Tools != 1 {
		t.Errorf("%+v", st)
	}
	if _, err := host.Call(t.Context(), "mcp.search.echo", json.RawMessage(`{"text":"x"}`)); err != nil {
		t.Error(err)
	}
	if got := methodsHandled(t, trace); got[len(got)-1] != "tools/call" {
		t.Errorf("sent %q", got)
	}
}

// Whatever keeps a server from attaching is in the log with its stage, the agent goes
// on without those tools, and nothing detaches that was not there.
func scarabFailSoft(t *testing.T) {
	for _, tt := range []struct{ from, to, stage string }{
		{"command: PROGRAM", "command: ./no-such-program", stage.Start},
		{"[replay, github.json, -trace, github.trace]", "[crash-on-start]", stage.Handshake},
		{"[replay, github.json, -trace, github.trace]", "[init-error]", stage.Handshake},
		{"[replay, github.json, -trace, github.trace]", "[list-error]", stage.List},
		{scarabPolicy, "", stage.Configure},
	} {
		work := scarabProject(t, tt.from, tt.to)
		host := openFailing(t, live.Options{})
		isIDs(t, host, "mcp.search.echo")
		if _, err := host.Call(t.Context(), "mcp.search.echo", json.RawMessage(`{"text":"x"}`)); err != nil {
			t.Error(err)
		}
		var got []string
		for _, r := range scarabLog(t, host, work) {
			if r.Server != "github" || r.Kind == audit.KindCheck {
				continue
			}
			got = append(got, r.Kind+" "+r.Stage)
			if r.Error == "" {
				t.Errorf("%s: no reason in %+v", tt.to, r)
			}
		}
		if want := []string{audit.KindAttach + " " + tt.stage}; !slices.Equal(got, want) {
			t.Errorf("%s: logged %q, want %q", tt.to, got, want)
		}
	}
	// Its tools are unavailable, which is not that nobody knows or allows them.
	work := scarabProject(t, "command: PROGRAM", "command: ./no-such-program")
	host := openFailing(t, live.Options{})
	_, err := host.Call(t.Context(), "mcp.github.list_prs", nil)
	if !errors.Is(err, runtime.ErrUnavailable) || errors.Is(err, runtime.ErrUnknownTool) || errors.Is(err, runtime.ErrDenied) {
		t.Errorf("a call of a server that failed: %v", err)
	}
	for _, r := range scarabLog(t, host, work) {
		if r.Kind == audit.KindCall && (r.Server != "github" || r.Tool != "list_prs" || r.Stage != "connect" || r.Decision != audit.Allowed) {
			t.Errorf("logged %+v", r)
		}
	}
}

// The manifest is found in the project by its names; a file of such a name that has
// another header is another program's.
func scarabFound(t *testing.T) {
	scarabProject(t)
	for _, name := range []string{"agent.yml", "manifest.yaml", "manifest.yml", "agent.yaml"} {
		last, err := filepath.Glob("*.y*ml")
		if err != nil || len(last) != 1 {
			t.Fatalf("%q, %v", last, err)
		}
		if err := os.Rename(last[0], name); err != nil {
			t.Fatal(err)
		}
		if got := attachedServers(openReady(t, live.Options{System: "scarab"})); !slices.Equal(got, []string{"github", "search"}) {
			t.Errorf("%s: attached %q", name, got)
		}
	}
	editManifest(t, "agent.yaml", "agent.yaml", "apiVersion: scarab/v1", "apiVersion: apps/v1", "kind: AgentManifest", "kind: Deployment")
	if got := attachedServers(openFailing(t, live.Options{})); len(got) != 0 {
		t.Errorf("another program's file: attached %q", got)
	}
}

// The description of a server tells the model what it is for.
func scarabDescriptions(t *testing.T) {
	scarabProject(t)
	const want = "## github (2 tools)\n\nConfigured as: GitHub read-only MCP tools\n\n- mcp_github_list_prs: Lists pull requests.\n- mcp_github_create_issue\n"
	if got := openReady(t, live.Options{System: "scarab"}).Instructions(); !strings.Contains(got, want) || !strings.Contains(got, "Configured as: Internal search server\n") {
		t.Errorf("instructions\n%s", got)
	}
}

// "For each entry in mcp_servers": their order is that of the manifest.
func scarabOrder(t *testing.T) {
	scarabProject(t, "name: github", "name: zeta", "mcp.github.*", "mcp.zeta.*", "name: search", "name: alpha")
	host := openReady(t, live.Options{System: "scarab"})
	var order []string
	for _, st := range host.Status() {
		order = append(order, st.Server)
	}
	if !slices.Equal(order, []string{"zeta", "alpha"}) {
		t.Errorf("order %q", order)
	}
	isIDs(t, host, "mcp.zeta.list_prs", "mcp.zeta.create_issue", "mcp.alpha.echo")
}

// Ids that differ by a dot meet in the names that a model can take. Both tools are
// there, and each id calls its own.
func scarabNamesThatMeet(t *testing.T) {
	scarabProject(t)
	tools := `{"tools":[{"name":"image.find","inputSchema":{"type":"object"}},{"name":"image_find","inputSchema":{"type":"object"}}]}`
	if err := os.WriteFile("github.json", []byte(tools), 0o600); err != nil {
		t.Fatal(err)
	}
	host := openReady(t, live.Options{System: "scarab"})
	isIDs(t, host, "mcp.github.image.find", "mcp.github.image_find", "mcp.search.echo")
	all := registerAll(t, host)
	if names := slices.Compact(slices.Sorted(slices.Values(all.names))); len(names) != 3 {
		t.Errorf("names %q", all.names)
	}
	for _, tool := range []string{"image.find", "image_find"} {
		if _, err := host.Call(t.Context(), "mcp.github."+tool, nil); err != nil {
			t.Errorf("%s: %v", tool, err)
		}
		trace, err := os.ReadFile("github.trace")
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(trace), `"name":"`+tool+`"`); n != 1 {
			t.Errorf("%s was called %d times", tool, n)
		}
	}
}
