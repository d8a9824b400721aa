package live_test

// scarab: what the manifest says of secrets, capabilities and the agent itself.

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// A handle stands for its secret in the environment of the process and nowhere else.
func scarabHandles(t *testing.T) {
	work := scarabProject(t, "[replay, github.json, -trace, github.trace]", `[echo-env, "{{secret:github-token}}"]`,
		`["GITHUB_TOKEN", "{{`, `["GITHUB_TOKEN", "Bearer {{`)
	host := openReady(t, live.Options{System: "scarab"})
	res, err := callTool(t, host, "github", "env")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(res.Raw), planted); n == 0 || n != strings.Count(string(res.Raw), "Bearer "+planted) {
		t.Errorf("the process has the secret %d times, %d of them where the handle stands", n, strings.Count(string(res.Raw), "Bearer "+planted))
	}
	env, err := live.Environment()
	if err != nil {
		t.Fatal(err)
	}
	read, err := env.LoadServers("scarab")
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, s := range read.Settings() {
		shown = append(shown, s.Key+" = "+s.Value)
	}
	for _, want := range []string{"servers.github.env.GITHUB_TOKEN = Bearer {{secret:github-token}}", `servers.github.args = echo-env {{secret:github-token}}`} {
		if !slices.Contains(shown, want) {
			t.Errorf("no %q in %q", want, shown)
		}
	}
	if got := read.Servers[0].Launch.(*endpoint.Process).Args[1]; got != "{{secret:github-token}}" {
		t.Errorf("an argument is %q", got)
	}
	log, err := json.Marshal(scarabLog(t, host, work))
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{
		"the log": string(log), "the instructions": host.Instructions(), "the status": jsonOf(t, host.Status()), "the settings": strings.Join(shown, "\n"),
	} {
		if strings.Contains(text, planted) {
			t.Errorf("%s holds the secret: %s", what, text)
		}
	}
}

// scarabCapabilities is the part of the manifest that says what its agent may call.
const scarabCapabilities = `  capabilities:
    - tool.invoke:lm.complete
    - tool.invoke:mcp.github.*
    - tool.invoke:mcp.search.*
`

// scarabAllows is a row in which a manifest with these capabilities lets the calls of
// these tools through. All tools are seen, and of the other calls nothing is sent.
func scarabAllows(capabilities string, allowed ...string) func(*testing.T) {
	return func(t *testing.T) {
		scarabProject(t, scarabCapabilities, "  capabilities: ["+capabilities+"]\n")
		other := `{"name":"list_prs.v2","inputSchema":{"type":"object"}}`
		if err := os.WriteFile("github.json", []byte(`{"tools":[`+listPRs+`,`+createIssue+`,`+other+`]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		host := openReady(t, live.Options{System: "scarab"})
		isIDs(t, host, "mcp.github.list_prs", "mcp.github.create_issue", "mcp.github.list_prs.v2", "mcp.search.echo")
		for _, id := range toolIDs(t, host) {
			_, err := host.Call(t.Context(), id, json.RawMessage(`{"repo":"a/b"}`))
			if want := slices.Contains(allowed, id); want && err != nil || !want && !errors.Is(err, runtime.ErrDenied) {
				t.Errorf("%s: %v, allowed is %v", id, err, want)
			}
		}
		calls := slices.DeleteFunc(methodsHandled(t, "github.trace"), func(m string) bool { return m != "tools/call" })
		if want := strings.Count(strings.Join(allowed, " "), "mcp.github."); len(calls) != want {
			t.Errorf("github was sent %d calls, want %d", len(calls), want)
		}
	}
}

// Label, secret pattern and tool pattern: a server has its secret if both patterns take
// it in, whatever the label is.
func scarabPolicyFields(t *testing.T) {
	for fields, want := range map[string]bool{
		`{label: a, secret_pattern: "github-*", tool_pattern: "*"}`:                     true,
		`{label: "", secret_pattern: github-token, tool_pattern: "mcp.github.*"}`:       true,
		`{label: a, secret_pattern: "*", tool_pattern: "tool.invoke:mcp.github.*"}`:     true,
		`{label: a, secret_pattern: github-tok, tool_pattern: "*"}`:                     false,
		`{label: a, secret_pattern: github-token, tool_pattern: "mcp.search.*"}`:        false,
		`{label: a, secret_pattern: github-token, tool_pattern: "mcp.github.list_prs"}`: false, // it would go to all of them
		`{label: github-token, secret_pattern: other, tool_pattern: "mcp.github.*"}`:    false,
	} {
		scarabProject(t, scarabPolicy, "  secret_policy:\n    - "+fields+"\n")
		if err := openFailing(t, live.Options{}).Err(); (err == nil) != want {
			t.Errorf("%s: %v", fields, err)
		}
	}
}

// Without a policy that matches the server does not start and its secret is not looked
// up: its log line is the one thing that is there of it. The others attach.
func scarabNoPolicy(t *testing.T) {
	for _, other := range []string{"", strings.Replace(scarabPolicy, `secret_pattern: "github-token"`, `secret_pattern: "gitlab-*"`, 1),
		strings.Replace(scarabPolicy, `tool_pattern: "*"`, `tool_pattern: "mcp.search.*"`, 1)} {
		work := scarabProject(t, scarabPolicy, other)
		host := openFailing(t, live.Options{Attach: attach.Options{LookupEnv: func(name string) (string, bool) {
			if strings.HasPrefix(name, "MCPGEN_SECRET") {
				t.Errorf("%s was looked up", name)
			}
			return os.LookupEnv(name)
		}}})
		var denied *policy.SecretError
		if err := host.Err(); !errors.As(err, &denied) || denied.Server != "github" || denied.Secret != "github-token" || !errors.Is(err, runtime.ErrDenied) {
			t.Errorf("%s: %v", other, err)
		}
		if _, err := os.Stat("github.trace"); err == nil {
			t.Errorf("%s: the server was started", other)
		}
		isIDs(t, host, "mcp.search.echo")
		var checks []string
		for _, r := range scarabLog(t, host, work) {
			if r.Kind == audit.KindCheck {
				checks = append(checks, r.Decision+" "+r.Server+" "+r.Detail)
			}
		}
		if want := []string{`deny github the secret "github-token": no secret policy allows it`}; !slices.Equal(checks, want) {
			t.Errorf("%s: logged %q", other, checks)
		}
	}
}

// A policy that is registered before the agent starts counts for it: by the user's
// grant, and by a program that adds it to what it has read.
func scarabPolicyBefore(t *testing.T) {
	scarabProject(t, scarabPolicy, "")
	if err := openFailing(t, live.Options{}).Err(); err == nil {
		t.Fatal("Err is nil without a policy, want an error")
	}
	rule := policy.SecretRule{Label: "GitHub MCP", Secret: "github-token", Tool: "*"}
	env, err := live.Environment()
	if err != nil {
		t.Fatal(err)
	}
	read, err := env.LoadServers("scarab")
	if err != nil {
		t.Fatal(err)
	}
	read.Policy.Secrets = append(read.Policy.Secrets, rule)
	isIDs(t, openReady(t, live.Options{Project: read}), "mcp.github.list_prs", "mcp.github.create_issue", "mcp.search.echo")
	if err := openFailing(t, live.Options{}).Err(); err == nil {
		t.Fatal("Err is nil: a rule that one program added counts for another")
	}
	addSecretRule(t, "agent.yaml", rule)
	isIDs(t, openReady(t, live.Options{System: "scarab"}), "mcp.github.list_prs", "mcp.github.create_issue", "mcp.search.echo")
}

// addSecretRule is what mcpgen secrets policy add does for a manifest.
func addSecretRule(t *testing.T, manifest string, rule policy.SecretRule) {
	t.Helper()
	read, err := config.LoadServers(manifest)
	if err != nil {
		t.Fatal(err)
	}
	store, err := live.Grants(read)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range store.Files() {
		if err := store.Add(policy.Grant{Secret: &rule, File: file}); err != nil {
			t.Fatal(err)
		}
	}
}

// The trust level is shown. It decides nothing: with every level the agent has the same
// servers and may call the same tools, and an unknown one is a notice.
func scarabTrustLevel(t *testing.T) {
	scarabProject(t, "tool.invoke:mcp.github.*", "tool.invoke:mcp.github.list_prs")
	for _, level := range []string{"untrusted", "sandboxed", "trusted", "privileged", "trustd"} {
		editManifest(t, "agent.yaml", level+".yaml", "trust_level: trusted", "trust_level: "+level)
		host := openReady(t, live.Options{MCP: []string{level + ".yaml"}})
		isIDs(t, host, "mcp.github.list_prs", "mcp.github.create_issue", "mcp.search.echo")
		if _, err := host.Call(t.Context(), "mcp.github.list_prs", json.RawMessage(`{"repo":"a/b"}`)); err != nil {
			t.Errorf("%s: %v", level, err)
		}
		if _, err := host.Call(t.Context(), "mcp.github.create_issue", nil); !errors.Is(err, runtime.ErrDenied) {
			t.Errorf("%s: %v", level, err)
		}
		if got := effectiveSetting(t, level+".yaml", "agent.trust_level"); got != level {
			t.Errorf("shown as %q, not %q", got, level)
		}
	}
	read, err := config.LoadServers("trustd.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Notices) != 1 || !strings.Contains(read.Notices[0].String(), `trustd.yaml:7:16: spec.trust_level: unknown level "trustd"`) {
		t.Errorf("notices %v", read.Notices)
	}
}

// effectiveSetting is a value of the effective configuration; "" if it has none.
func effectiveSetting(t *testing.T, manifest, key string) string {
	t.Helper()
	read, err := config.LoadServers(manifest)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range read.Settings() {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// invoke_tool("mcp.github.list_prs", {...}) is Host.Call: the arguments reach the
// server as they are, the result comes back, and the gate stands before it.
func scarabInvoke(t *testing.T) {
	scarabProject(t, "tool.invoke:mcp.github.*", "tool.invoke:mcp.github.list_prs")
	host := openReady(t, live.Options{System: "scarab"})
	args := `{"repo":"anomalyco/opencode","state":"open","page":9007199254740993}`
	res, err := host.Call(t.Context(), "mcp.github.list_prs", json.RawMessage(args))
	if err != nil || res.IsError {
		t.Fatalf("%+v, %v", res, err)
	}
	trace, err := os.ReadFile("github.trace")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(trace), `"name":"list_prs"`) || !strings.Contains(string(trace), args) {
		t.Errorf("the server got %s", trace)
	}
	for _, tool := range registerAll(t, host).tools {
		if tool.Spec().ID != "mcp.github.list_prs" {
			continue
		}
		if same, err := tool.Call(t.Context(), json.RawMessage(args)); err != nil || same.Text() != res.Text() {
			t.Errorf("the registered tool: %+v, %v", same, err)
		}
	}
	if _, err := host.Call(t.Context(), "mcp.github.create_issue", nil); !errors.Is(err, runtime.ErrDenied) {
		t.Errorf("without a capability: %v", err)
	}
	if _, err := host.Call(t.Context(), "mcp.github.gone", nil); !errors.Is(err, runtime.ErrUnknownTool) {
		t.Errorf("a tool that is not there: %v", err)
	}
	if n := strings.Count(strings.Join(methodsSent(t, "github.trace"), " "), "tools/call"); n != 2 {
		t.Errorf("%d calls were sent", n)
	}
}

// The log is there without being asked for, beside the manifest, wherever that is used
// from.
func scarabAudited(t *testing.T) {
	work := scarabProject(t)
	t.Chdir(t.TempDir())
	host := openReady(t, live.Options{MCP: []string{filepath.Join(work, "agent.yaml")}})
	if _, err := host.Call(t.Context(), "mcp.search.echo", json.RawMessage(`{"text":"x"}`)); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, r := range scarabLog(t, host, work) {
		kinds[r.Kind]++
	}
	if want := map[string]int{audit.KindAttach: 2, audit.KindCheck: 2, audit.KindCall: 1, audit.KindDetach: 2}; !reflect.DeepEqual(kinds, want) {
		t.Errorf("logged %v", kinds)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 0 {
		t.Errorf("the working directory has %v, %v", left, err)
	}
}

// metadata.name and metadata.version say whose servers these are.
func scarabIdentity(t *testing.T) {
	scarabProject(t)
	if got := effectiveSetting(t, "agent.yaml", "agent.name") + " " + effectiveSetting(t, "agent.yaml", "agent.version"); got != "research-agent 1.0.0" {
		t.Errorf("got %q", got)
	}
	read, err := config.LoadServers("agent.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if m := read.Agent("search"); m == nil || m.Name != "research-agent" || m.Version != "1.0.0" || read.Agent("other") != nil {
		t.Errorf("got %+v", m)
	}
}

// What is registered for one manifest counts for it, also by another way to it, and
// not for one beside it.
func scarabPolicyOfOneManifest(t *testing.T) {
	scarabProject(t, scarabPolicy, "")
	addSecretRule(t, "agent.yaml", policy.SecretRule{Secret: "github-token", Tool: "*"})
	editManifest(t, "agent.yaml", "beside.yaml", "research-agent", "other-agent", "name: github", "name: gitlab", "github.trace", "gitlab.trace")
	for _, manifest := range []string{"agent.yaml", "./agent.yaml", "scarab"} {
		if err := openFailing(t, live.Options{MCP: []string{manifest}}).Err(); err != nil {
			t.Errorf("%s: %v", manifest, err)
		}
	}
	var denied *policy.SecretError
	if err := openFailing(t, live.Options{MCP: []string{"beside.yaml"}}).Err(); !errors.As(err, &denied) || !strings.Contains(err.Error(), "beside.yaml") {
		t.Errorf("the other manifest: %v", err)
	}
	both := openFailing(t, live.Options{MCP: []string{"agent.yaml", "beside.yaml"}})
	if err := both.Err(); !errors.As(err, &denied) || denied.Server != "gitlab" || strings.Contains(err.Error(), `"github"`) {
		t.Errorf("both in one host: %v", err)
	}
	if err := os.Symlink("agent.yaml", "link.yaml"); err == nil {
		if err := openFailing(t, live.Options{MCP: []string{"link.yaml"}}).Err(); err != nil {
			t.Errorf("a link to it: %v", err)
		}
	}
}
