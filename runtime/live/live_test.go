package live_test

// Whole programs in small: real configuration files, real processes, and what
// stands in the audit log afterwards.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/config/trust"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/policy/secrets"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

func TestMain(m *testing.M) {
	if system := os.Getenv(asProgram); system != "" {
		os.Exit(runProgram(system))
	}
	os.Exit(testserver.Run(m.Run))
}

// enterProject makes a folder the working directory, with a home of its own and these
// files, in which PROGRAM stands for the test server.
func enterProject(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	for _, name := range []string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA"} {
		t.Setenv(name, home)
	}
	t.Setenv("MCPGEN_SERVERS", "")
	t.Setenv("PI_MCP_SERVERS", "")
	work := filepath.Join(dir, "work")
	for name, text := range files {
		path := filepath.Join(work, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(fillProgram(t, text)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(work, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(work)
	return work
}

// fillProgram puts the test server for PROGRAM.
func fillProgram(t *testing.T, text string) string {
	t.Helper()
	quoted, err := json.Marshal(testserver.Program())
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(text, "PROGRAM", string(quoted))
}

// openReady connects as the options say; every server has to come up.
func openReady(t *testing.T, opts live.Options) *live.Host {
	t.Helper()
	host, err := live.Open(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	if err := host.Err(); err != nil {
		t.Fatal(err)
	}
	return host
}

func callTool(t *testing.T, inv runtime.Invoker, server, tool string) (*runtime.Result, error) {
	t.Helper()
	return inv.Invoke(t.Context(), runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: tool, Args: json.RawMessage(`{}`)})
}

// environmentOf is what the process of a server got.
func environmentOf(t *testing.T, inv runtime.Invoker, server string) map[string]string {
	t.Helper()
	var got struct{ Env map[string]string }
	res, err := callTool(t, inv, server, "env")
	if err == nil {
		err = json.Unmarshal(res.Structured, &got)
	}
	if err != nil {
		t.Fatal(err)
	}
	return got.Env
}

func attachedServers(host *live.Host) []string {
	var names []string
	for _, s := range host.Status() {
		names = append(names, s.Server)
	}
	return names
}

func recordsIn(t *testing.T, file string, f audit.Filter) []audit.Record {
	t.Helper()
	var all []audit.Record
	for r, err := range audit.Read(file, f) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

const guarded = `version: 1
servers: {a: {command: PROGRAM, args: [echo-env], inherit_env: all, env: {TOKEN: "{{secret:token}}"}}}
policy:
  allow: ["tool:a/env"]
  deny: ["tool:a/rm*"]
  secrets: [{secret: token, tool: "*"}]
audit: {}
`

// Everything in mcpgen.yaml counts, without a line of the program about it.
func TestConnect(t *testing.T) {
	work := enterProject(t, map[string]string{"go.mod": "module example.com/m\n", "mcpgen.yaml": guarded, "sub/keep": ""})
	t.Chdir("sub")
	t.Setenv("MCPGEN_SECRET_TOKEN", "planted-value-0123")
	host, err := live.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	if err := host.Err(); err != nil {
		t.Fatal(err)
	}
	if got := environmentOf(t, host, "a")["TOKEN"]; got != "planted-value-0123" {
		t.Errorf("the server's TOKEN is %q", got)
	}
	if _, err := callTool(t, host, "a", "rm"); !errors.Is(err, runtime.ErrDenied) {
		t.Errorf("got %v", err)
	}
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(work, filepath.FromSlash(config.DefaultAuditFile))
	denied := recordsIn(t, log, audit.Filter{Kinds: []string{audit.KindCall}, Decisions: []string{audit.Denied}})
	if len(denied) != 1 || denied[0].Tool != "rm" {
		t.Errorf("denied: %+v", denied)
	}
	if got := recordsIn(t, log, audit.Filter{Kinds: []string{audit.KindAttach}}); len(got) != 1 || !strings.Contains(got[0].Launch, "echo-env") {
		t.Errorf("attached: %+v", got)
	}
	if text, err := os.ReadFile(log); err != nil || bytes.Contains(text, []byte("planted-value-0123")) {
		t.Errorf("the secret was written down (%v)", err)
	}
	if got := recordsIn(t, log, audit.Filter{Kinds: []string{audit.KindDetach}}); len(got) != 1 {
		t.Errorf("detached: %+v", got)
	}
}

// A grant of the user counts beside the rules; without it a secret stays away, and
// costs its own server alone.
func TestGrants(t *testing.T) {
	enterProject(t, map[string]string{"mcpgen.yaml": `version: 1
servers:
  a: {command: PROGRAM, args: [echo-env], inherit_env: all}
  b: {command: PROGRAM, args: [echo-env], inherit_env: all, env: {TOKEN: "{{secret:token}}"}}
policy: {}
`})
	t.Setenv("MCPGEN_SECRET_TOKEN", "planted-value-0123")
	host, err := live.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Err(); err == nil || !strings.Contains(err.Error(), "no secret policy allows the server") || strings.Contains(err.Error(), `"a"`) {
		t.Errorf("got %v", err)
	}
	if _, err := callTool(t, host, "a", "env"); !errors.Is(err, runtime.ErrDenied) {
		t.Errorf("got %v", err)
	}
	host.Close()

	p, err := config.Load("mcpgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	store, err := live.Grants(p)
	if err == nil {
		err = errors.Join(store.Add(policy.Grant{Rule: "tool:*/env"}), store.Add(policy.Grant{Secret: &policy.SecretRule{Secret: "token", Tool: "mcp.b.*"}}))
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := environmentOf(t, openReady(t, live.Options{}), "b")["TOKEN"]; got != "planted-value-0123" {
		t.Errorf("TOKEN is %q", got)
	}
}

// A secret is found by the project's command, which is relative to the project.
func TestSecretCommand(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("a shell script")
	}
	work := enterProject(t, map[string]string{"p/mcpgen.yaml": strings.Replace(guarded, "secrets:", "secret_command: [./find, \"{name}\"]\n  secrets:", 1)})
	if err := os.WriteFile(filepath.Join(work, "p", "find"), []byte("#!/bin/sh\necho \"found-$1-0123\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	host := openReady(t, live.Options{File: "p/mcpgen.yaml"})
	if got := environmentOf(t, host, "a")["TOKEN"]; got != "found-token-0123" {
		t.Errorf("TOKEN is %q", got)
	}
}

// The process that only one caller uses gets that caller's secret, if there is one. A
// process that callers share gets the program's, whoever's call starts it.
func TestSecretsOfCallers(t *testing.T) {
	enterProject(t, map[string]string{"mcpgen.yaml": `version: 1
servers:
  own: {command: PROGRAM, args: [echo-env], inherit_env: all, env: {TOKEN: "{{secret:token}}"}}
  all: {command: PROGRAM, args: [echo-env], inherit_env: all, lazy: true, env: {TOKEN: "{{secret:token}}"}}
policy:
  allow: ["tool:*/env"]
  secrets: [{secret: token, tool: "*"}]
  secret_command: ["no such program", "{name}"] # not for names that callers chose
`})
	t.Setenv("MCPGEN_SECRET_TOKEN", "everybodys-0123")
	t.Setenv("MCPGEN_SECRET_TOKEN_BOB", "of-token-bob-0123")
	store, err := secrets.OpenFile("")
	if err == nil {
		err = store.Set(t.Context(), "token/ann", "anns-0123")
	}
	if err != nil {
		t.Fatal(err)
	}
	manifest := codec.NewManifest("all", `{"tools":[{"name":"env","inputSchema":{"type":"object"}}]}`, codec.ItemRef{Name: "env", Qualified: "all__env"})
	host := openReady(t, live.Options{Manifests: []*codec.Manifest{manifest}, Attach: attach.Options{Drift: attach.DriftWarn, Callers: &attach.CallerSessions{
		Servers: func(s endpoint.Server) bool { return s.Name == "own" },
	}}})
	for _, c := range []struct{ server, caller, want string }{
		{"all", "ann", "everybodys-0123"}, {"all", "", "everybodys-0123"},
		{"own", "ann", "anns-0123"}, {"own", "bob", "everybodys-0123"}, {"own", "", "everybodys-0123"}, {"own", "ann", "anns-0123"},
	} {
		as := runtime.InvokerFunc(func(ctx context.Context, r runtime.Request) (*runtime.Result, error) {
			r.Options.Caller = c.caller
			return host.Invoke(ctx, r)
		})
		if got := environmentOf(t, as, c.server)["TOKEN"]; got != c.want {
			t.Errorf("%s for %q: TOKEN is %q, want %q", c.server, c.caller, got, c.want)
		}
	}
}

// A person answers where the policy asks.
func TestPrompter(t *testing.T) {
	enterProject(t, map[string]string{"mcpgen.yaml": "version: 1\nservers: {a: {command: PROGRAM, args: [echo], inherit_env: all}}\npolicy: {mode: ask}\n"})
	answer := policy.Once
	host := openReady(t, live.Options{Prompter: policy.PrompterFunc(func(context.Context, policy.Question) (policy.Answer, error) {
		return policy.Answer{Decision: answer}, nil
	})})
	if _, err := callTool(t, host, "a", "echo"); err != nil {
		t.Error(err)
	}
	answer = policy.No
	if _, err := callTool(t, host, "a", "echo"); !errors.Is(err, runtime.ErrDenied) {
		t.Errorf("got %v", err)
	}
}

// Embedded text: paths are relative to Dir, and the servers start there.
func TestEmbedded(t *testing.T) {
	work := enterProject(t, map[string]string{"p/servers.json": `{"mcpServers": {"b": {"command": PROGRAM, "args": ["echo"]}}}`})
	text := []byte(fillProgram(t, "version: 1\nimport: [servers.json]\nservers: {a: {command: PROGRAM, args: [echo-env], inherit_env: all}}\naudit: {file: log/a.jsonl}\n"))
	host := openReady(t, live.Options{Config: text, Dir: "p"})
	if got := attachedServers(host); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("attached: %q", got)
	}
	var got struct{ Dir string }
	res, err := callTool(t, host, "a", "env")
	if err == nil {
		err = json.Unmarshal(res.Structured, &got)
	}
	if err != nil || filepath.Base(got.Dir) != "p" {
		t.Errorf("started in %q, %v", got.Dir, err)
	}
	host.Close()
	if calls := recordsIn(t, filepath.Join(work, "p", "log", "a.jsonl"), audit.Filter{Kinds: []string{audit.KindCall}}); len(calls) != 1 {
		t.Errorf("written down: %+v", calls)
	}

	_, err = live.Open(t.Context(), live.Options{Config: []byte("version: 1\nservers: {a: {comand: x}}\n")})
	if err == nil || !strings.HasPrefix(err.Error(), "mcpgen.yaml:2:") {
		t.Errorf("got %v", err)
	}
}

// The variables scope a run, and so does the program.
func TestServers(t *testing.T) {
	enterProject(t, map[string]string{"mcpgen.yaml": `version: 1
servers:
  a: {command: PROGRAM, args: [echo], inherit_env: all}
  b: {command: PROGRAM, args: [echo], inherit_env: all}
  c: {command: PROGRAM, args: [echo], inherit_env: all}
`})
	for _, variable := range config.ScopeVariables() {
		t.Run(variable, func(t *testing.T) {
			t.Setenv(variable, "b,gone")
			var said bytes.Buffer
			host := openReady(t, live.Options{Attach: attach.Options{Logger: slog.New(slog.NewTextHandler(&said, nil))}})
			if got := attachedServers(host); !slices.Equal(got, []string{"b"}) {
				t.Errorf("attached: %q", got)
			}
			if !strings.Contains(said.String(), "gone") {
				t.Errorf("said: %s", &said)
			}
			if got := attachedServers(openReady(t, live.Options{Servers: []string{"a", "c"}})); !slices.Equal(got, []string{"a", "c"}) {
				t.Errorf("attached: %q", got)
			}
		})
	}
	_, err := live.Open(t.Context(), live.Options{Servers: []string{"a", "d", "e"}})
	if err == nil || !strings.Contains(err.Error(), `mcpgen.yaml: no enabled server is called "d"; enabled: a, b, c`) || !strings.Contains(err.Error(), `"e"`) {
		t.Errorf("got %v", err)
	}
}

// A project's file that was found by searching is used once the user trusts it;
// until then it is left out, with the way out.
func TestTrust(t *testing.T) {
	work := enterProject(t, map[string]string{".tallow/settings.json": `{"mcpServers": {"a": {"command": PROGRAM, "args": ["echo"]}}}`})
	var said bytes.Buffer
	opts := live.Options{System: "tallow", Attach: attach.Options{Logger: slog.New(slog.NewTextHandler(&said, nil))}}
	if got := attachedServers(openReady(t, opts)); got != nil {
		t.Errorf("attached: %q", got)
	}
	if !strings.Contains(said.String(), "untrusted") || !strings.Contains(said.String(), "mcpgen trust add") {
		t.Errorf("said: %s", &said)
	}
	store, err := trust.Open("")
	if err == nil {
		_, err = store.Trust(work)
	}
	if err != nil {
		t.Fatal(err)
	}
	host := openReady(t, opts)
	if got := attachedServers(host); !slices.Equal(got, []string{"a"}) {
		t.Errorf("attached: %q", got)
	}
	tools, err := host.Tools()
	if err != nil || len(tools) != 1 || tools[0].Spec().Name != "mcp__a__echo" {
		t.Errorf("the tools are not named as the system does it: %v, %v", tools, err)
	}
}

// What the program sets comes beside what the configuration says, and never in
// its place.
func TestOptionsBesideConfiguration(t *testing.T) {
	work := enterProject(t, map[string]string{"mcpgen.yaml": guarded})
	t.Setenv("MCPGEN_SECRET_TOKEN", "planted-value-0123")
	var passed, asked, events []string
	closed := false
	note := func(names *[]string) []runtime.Middleware {
		return []runtime.Middleware{func(next runtime.Invoker) runtime.Invoker {
			return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
				*names = append(*names, req.Name)
				return next.Invoke(ctx, req)
			})
		}}
	}
	host := openReady(t, live.Options{Outer: note(&asked), Attach: attach.Options{
		Middleware: note(&passed),
		OnEvent:    func(e event.Event) { events = append(events, string(e.Kind)) },
		OnClose:    func() error { closed = true; return nil },
	}})
	for tool, want := range map[string]error{"env": nil, "rm": runtime.ErrDenied} {
		if _, err := callTool(t, host, "a", tool); !errors.Is(err, want) {
			t.Errorf("%s: %v", tool, err)
		}
	}
	host.Close()
	slices.Sort(asked) // what the policy refuses is among them
	if !slices.Equal(passed, []string{"env"}) || !slices.Equal(asked, []string{"env", "rm"}) || !closed || !slices.Contains(events, string(event.Attached)) {
		t.Errorf("passed %q, asked %q, closed %t, events %q", passed, asked, closed, events)
	}
	if got := recordsIn(t, filepath.Join(work, filepath.FromSlash(config.DefaultAuditFile)), audit.Filter{Kinds: []string{audit.KindCall}}); len(got) != 2 {
		t.Errorf("written down: %+v", got)
	}
}

// What cannot mean anything is an error that begins with its file.
func TestErrors(t *testing.T) {
	enterProject(t, map[string]string{
		"mcpgen.yaml": guarded, "folder/keep": "",
		"rules.yaml": "version: 1\nservers: {a: {command: x}}\npolicy: {allow: ['tool:']}\n",
		"log.yaml":   "version: 1\nservers: {a: {command: x}}\naudit: {file: folder}\n",
	})
	for want, opts := range map[string]live.Options{
		"gone.yaml: ":              {File: "gone.yaml"},
		"rules.yaml:3:18: ":        {File: "rules.yaml"},
		"log.yaml: the audit log ": {File: "log.yaml"},
		"no mcpgen.yaml found in ": {Dir: "folder"},
		"live.Options: ":           {File: "mcpgen.yaml", System: "tallow"},
		"unknown format \"tall\"":  {System: "tall"},
		"gone/.agents/mcp.json: ":  {MCP: []string{"gone/.agents/mcp.json"}},
	} {
		host, err := live.Open(t.Context(), opts)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: want %q, got %v", opts, want, err)
		}
		if host != nil {
			host.Close()
		}
	}
}

// The old wiring of a configuration that asks for more is an error that shows the
// new one.
func TestRequired(t *testing.T) {
	enterProject(t, map[string]string{"mcpgen.yaml": guarded})
	p, err := config.Load("mcpgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, err = attach.Connect(t.Context(), p.Servers, nil)
	for _, want := range []string{"mcpgen.yaml:2: ", "policy, audit, secrets", "live.Connect(ctx, mcp.Manifests()...) in place of config.Load and attach.Connect",
		`attach.Options{Enforces: []endpoint.Requirement{"policy", "audit", "secrets"}}`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("lacks %q: %v", want, err)
		}
	}
	enough := []endpoint.Requirement{"policy", "audit", "secrets"}
	for _, o := range []*attach.Options{{Enforces: []endpoint.Requirement{"policy"}}, {Enforces: []endpoint.Requirement{"audit", "secrets"}}} {
		if _, err := attach.Connect(t.Context(), p.Servers, o); err == nil {
			t.Errorf("%#v is enough", o.Enforces)
		}
	}
	host, err := attach.Connect(t.Context(), p.Servers, &attach.Options{Enforces: enough})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	bare, err := attach.Connect(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer bare.Close()
	for how, err := range map[string]error{"Attach": bare.Attach(t.Context(), p.Servers...), "Reload": bare.Reload(t.Context(), p.Servers)} {
		if err == nil || !strings.Contains(err.Error(), "live.Connect") {
			t.Errorf("%s: %v", how, err)
		}
	}
	if fmt.Sprint(bare.Status()) != "[]" {
		t.Errorf("status %v, want no server", bare.Status())
	}
}

// Lazy servers of mcpgen.yaml start with their first call, as their own key says
// and else as the file does.
func TestLazy(t *testing.T) {
	enterProject(t, map[string]string{"mcpgen.yaml": `version: 1
lazy: true
servers:
  a: {command: PROGRAM, args: [echo], inherit_env: all}
  b: {command: PROGRAM, args: [echo], inherit_env: all}
  c: {command: PROGRAM, args: [echo], inherit_env: all, lazy: false}
`})
	var manifests []*codec.Manifest
	for _, server := range []string{"a", "b", "c"} {
		manifests = append(manifests, codec.NewManifest(server, `{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}`,
			codec.ItemRef{Name: "echo", Qualified: server + "__echo"}))
	}
	states := func(host *live.Host) string {
		var all []string
		for _, s := range host.Status() {
			all = append(all, s.Server+" "+string(s.State))
		}
		return strings.Join(all, ", ")
	}
	host := openReady(t, live.Options{Manifests: manifests, Attach: attach.Options{Drift: attach.DriftWarn}})
	if got, want := states(host), "a unstarted, b unstarted, c ready"; got != want {
		t.Errorf("states %q, want %q", got, want)
	}
	if _, err := callTool(t, host, "b", "echo"); err != nil {
		t.Error(err)
	}
	if got, want := states(host), "a unstarted, b ready, c ready"; got != want {
		t.Errorf("states %q, want %q", got, want)
	}
}

// The rules about drift in mcpgen.yaml count: what they accept is called, and
// without them it is not.
func TestDriftRules(t *testing.T) {
	pinned := codec.NewManifest("a", `{"tools":[{"name":"echo","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}]}`,
		codec.ItemRef{Name: "echo", Qualified: "a__echo", Pin: "sha256:" + strings.Repeat("0", 64)})
	const servers = "version: 1\nservers: {a: {command: PROGRAM, args: [echo], inherit_env: all}}\n"
	for rules, want := range map[string]string{
		"": "security hint-readonly-dropped",
		"drift: {overrides: [{rule: hint-readonly-dropped, server: a, tool: echo, severity: info}]}\n": "compatible ",
	} {
		enterProject(t, map[string]string{"mcpgen.yaml": servers + rules})
		host := openReady(t, live.Options{Manifests: []*codec.Manifest{pinned}})
		found := host.Drift()
		if len(found) != 1 || !strings.HasPrefix(string(found[0].State)+" "+found[0].Rule, want) {
			t.Errorf("%q: got %+v", rules, found)
		}
	}
}
