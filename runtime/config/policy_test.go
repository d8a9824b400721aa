package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// writeFolder writes a folder.
func writeFolder(t *testing.T, all map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range all {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestPolicy(t *testing.T) {
	p, err := config.Parse([]byte(`
version: 1
servers: {github: {command: github-mcp, env: {TOKEN: "{{secret:github-token}}"}}, search: {url: "https://example.com"}}
policy:
  mode: ask
  allow: ["mcp:github_*", "tool.invoke:mcp.search.*", "tool.call.echo", "tool.invoke:lm.complete"]
  deny: ["tool:github/delete_*"]
  secrets: [{label: GitHub token, secret: github-token, tool: "*"}]
  secret_command: [pass, show, "mcpgen/{name}"]
audit: {}
`))
	if err != nil {
		t.Fatal(err)
	}
	if p.Policy == nil || p.Policy.Mode != policy.Ask || len(p.Policy.Allow) != 4 || len(p.Policy.Deny) != 1 || p.Policy.Foreign ||
		!slices.Equal(p.Policy.Servers, []string{"github", "search"}) || len(p.Policy.Secrets) != 1 || p.Policy.Secrets[0].Label != "GitHub token" ||
		len(p.SecretCommand) != 3 || p.Audit == nil || p.Audit.File != filepath.FromSlash(config.DefaultAuditFile) || p.Audit.Arguments {
		t.Errorf("got %+v, %v, %+v", p.Policy, p.SecretCommand, p.Audit)
	}
	if _, err := policy.New(*p.Policy, nil); err != nil {
		t.Error(err)
	}
	if got := config.Handles(p.Servers[0]); !slices.Equal(got, []string{"github-token"}) {
		t.Errorf("handles %q", got)
	}
	p, err = config.Parse([]byte("version: 1\nservers: {a: {command: a}}"))
	if err != nil || p.Policy != nil || p.Audit != nil {
		t.Errorf("without the keys: %+v, %+v, %v", p.Policy, p.Audit, err)
	}
}

// What cannot mean anything is an error with its place.
func TestPolicyErrors(t *testing.T) {
	for text, want := range map[string]string{
		"policy: {mode: strict}":                        "mcpgen.yaml:3:16: policy.mode:",
		"policy:\n  allow:\n  - mcp:a_x\n  - mpc:a_*":   `mcpgen.yaml:6:5: policy.allow[1]: the rule "mpc:a_*"`,
		"policy: {deny: [tool.invoke:mcp.a]}":           "policy.deny[0]: ",
		"policy: {alow: []}":                            "did you mean",
		"policy: {mode: foo}":                           `policy.mode: unknown value "foo"; known here: enforce, ask, yolo`,
		"policy: {mode: yollo}":                         `policy.mode: unknown value "yollo"; known here: enforce, ask, yolo`,
		"policy: {mode: enforced}":                      `did you mean "enforce"?`,
		"policy: {secrets: [{secret: x}]}":              "tool",
		`policy: {secrets: [{secret: "[", tool: "*"}]}`: "policy.secrets[0]: ",
		`policy: {secret_command: [""]}`:                "policy.secret_command",
		"policy: {allow: [\"mcp:my_server_x\"]}":        `"my-server" and "my_server"`,
		"ledger: {fil: x}":                              "did you mean",
		"audit: {file: x}\nledger: {file: ./x}":         "this file is already the audit log",
		"audit: {fil: x}":                               "did you mean",
		"audit: {arguments: 1}":                         "audit.arguments",
	} {
		_, err := config.Parse([]byte("version: 1\nservers: {a: {command: a}, my-server: {command: b, package: b}, my_server: {command: c, package: c}}\n" + text))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "mcpgen.yaml:") {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

const manifest = `apiVersion: scarab/v1
kind: AgentManifest
metadata: {name: triage}
spec:
  capabilities: ["tool.invoke:lm.complete", "tool.invoke:mcp.github.*", "fs.read:/home/**"]
  secret_policy:
  - {label: GitHub token, secret_pattern: github-token, tool_pattern: "*"}
  - {label: bounded, secret_pattern: other, tool_pattern: "*", max_uses: 3}
  - {label: hosts, secret_pattern: third, tool_pattern: "*", host_pattern: "*.github.com"}
  mcp_servers:
  - {name: github, transport: Stdio, command: github-mcp, env_template: [[GITHUB_TOKEN, "{{secret:github-token}}"]]}
`

func policyOf(t *testing.T, p *config.Project) *policy.Policy {
	t.Helper()
	if p.Policy == nil {
		t.Fatal("the project has no policy, want one")
	}
	g, err := policy.New(*p.Policy, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func callOf(server, name string) runtime.Request {
	return runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: name}
}

// A manifest's capabilities are the policy; what cannot be enforced allows
// nothing, and is told.
func TestManifestPolicy(t *testing.T) {
	dir := writeFolder(t, map[string]string{"agent.yaml": manifest})
	p, err := config.LoadServers(filepath.Join(dir, "agent.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	g := policyOf(t, p)
	if g.Mode() != policy.Enforce || !g.Allows(callOf("github", "list_prs")) || g.Allows(callOf("search", "web")) || g.Allows(callOf("lm", "complete")) {
		t.Errorf("got %+v", p.Policy)
	}
	for name, want := range map[string]bool{"github-token": true, "other": false, "third": false} {
		if _, ok := g.AllowsSecret("github", name); ok != want {
			t.Errorf("the secret %s: %v", name, ok)
		}
	}
	var told []string
	for _, n := range p.Notices {
		told = append(told, strings.TrimPrefix(n.String(), dir+string(filepath.Separator)))
	}
	for _, want := range []string{
		`agent.yaml:8:5: the secret policy "bounded" allows nothing: max_uses: mcpgen does not count the uses of a secret; to allow the secret without this condition, write the rule under policy.secrets in mcpgen.yaml`,
		`agent.yaml:9:5: the secret policy "hosts" allows nothing: host_pattern`,
	} {
		if !strings.Contains(strings.Join(told, "\n"), want) {
			t.Errorf("notices %q lack %s", told, want)
		}
	}
}

// A capability about something else means nothing here, in whatever form. A mistake has its place, and a step
// for the manifest's author.
func TestManifestMistakes(t *testing.T) {
	const form = `apiVersion: scarab/v1
kind: AgentManifest
metadata: {name: triage}
spec:
  capabilities:
  - tool.invoke:mcp.github.*
  - %s
  secret_policy:
  - {label: l, secret_pattern: %s, tool_pattern: %s}
  mcp_servers:
  - {name: github, transport: Stdio, command: srv}
`
	load := func(text string) (*config.Project, error) {
		return config.LoadServers(filepath.Join(writeFolder(t, map[string]string{"agent.yaml": text}), "agent.yaml"))
	}
	for _, foreign := range []string{"tool:exec", "prompt:system", "resource:cpu", "secret:github-token", "mcp.github", "mcp__github", "fs.read:/home", "tool.invoke:lm.complete", "net/http", "tool.callback"} {
		p, err := load(fmt.Sprintf(form, foreign, "x", `"*"`))
		if err != nil {
			t.Errorf("%s: %v", foreign, err)
			continue
		}
		if g := policyOf(t, p); !g.Allows(callOf("github", "echo")) || g.Allows(callOf("other", "echo")) {
			t.Errorf("%s: %+v", foreign, p.Policy)
		}
		if strings.HasPrefix(foreign, "mcp.") && !strings.Contains(strings.Join(textsOf(p.Notices), "\n"), `spec.capabilities[1]: `) {
			t.Errorf("%s: %v", foreign, p.Notices)
		}
	}
	for _, tt := range []struct{ capability, secret, tool, want string }{
		{"tool.invoke:mcp.github", "x", `"*"`, `agent.yaml:7:5: spec.capabilities[1]: the rule "tool.invoke:mcp.github"`},
		{"tool.invoke:mcp", "x", `"*"`, `agent.yaml:7:5: spec.capabilities[1]: the rule "tool.invoke:mcp": a server is missing; write tool.invoke:mcp.<server>.<tool>`},
		{"7", "x", `"*"`, "agent.yaml:7:5: spec.capabilities[1]: want a string, found an integer"},
		{"a:b", "x", `""`, `agent.yaml:9:49: spec.secret_policy[0].tool_pattern: the text is empty; write "*" for all servers of the manifest, or mcp.<server>.* for one`},
		{"a:b", `""`, `"*"`, `agent.yaml:9:32: spec.secret_policy[0].secret_pattern: the text is empty; write the name of a secret, or a pattern`},
		{"a:b", `"["`, `"*"`, `agent.yaml:9:5: spec.secret_policy[0]: secret "["`},
	} {
		if _, err := load(fmt.Sprintf(form, tt.capability, tt.secret, tt.tool)); err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "allow[") {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
	// A duplicate decides about rights, so neither counts.
	for key, text := range map[string]string{
		"spec.capabilities":  strings.Replace(manifest, "  secret_policy:", "  capabilities: [\"tool.invoke:mcp.*\"]\n  secret_policy:", 1),
		"spec.secret_policy": strings.Replace(manifest, "  mcp_servers:", "  secret_policy: []\n  mcp_servers:", 1),
		"spec":               manifest + "spec: {capabilities: [\"tool.invoke:mcp.*\"]}\n",
	} {
		p, err := load(text)
		if err == nil || !strings.Contains(err.Error(), ": "+key+": the key is duplicated, first in line ") {
			t.Errorf("%s: got %v", key, err)
		}
		if p != nil && len(p.Servers) > 0 && policyOf(t, p).Allows(callOf("github", "list_prs")) && key == "spec.capabilities" {
			t.Errorf("%s: it allows a call", key)
		}
	}
	p, err := load(manifest + "  mcp_servers:\n  - {name: h, transport: Stdio, command: h}\n")
	if err != nil || !strings.Contains(strings.Join(textsOf(p.Notices), "\n"), "spec.mcp_servers: the key is duplicated, and the last value is used") {
		t.Errorf("got %+v, %v", p, err)
	}
	// A key of the other transport does not matter, and is told.
	p, err = load(strings.Replace(manifest, "command: github-mcp,", "command: github-mcp, url: \"http://h.example/\",", 1) +
		"  - {name: h, transport: Http, url: \"http://h.example/\", command: x, args: [y], env_template: [[A, b]]}\n")
	told := strings.Join(textsOf(p.Notices), "\n")
	for _, want := range []string{"spec.mcp_servers[0].url: it goes with Http only", "spec.mcp_servers[1].command: it goes with Stdio only", "spec.mcp_servers[1].args: it goes", "spec.mcp_servers[1].env_template: it goes"} {
		if err != nil || !strings.Contains(told, want) {
			t.Errorf("%v, got %s, want %s", err, told, want)
		}
	}
}

// core-agent's permissions stand beside its server file.
func TestCoreAgentPolicy(t *testing.T) {
	const servers = `{"servers":{"filesystem":{"transport":"stdio","command":"fs"}}}`
	for _, tt := range []struct {
		permissions string
		mode        policy.Mode
		read, write bool
	}{
		{`{"mode":"allow","allow":["mcp:filesystem_read_file","bash:git *"],"deny":["bash:sudo *"]}`, policy.Enforce, true, false},
		{`{"allow":["mcp:filesystem_*"],"deny":["mcp:filesystem_write*"]}`, policy.Ask, true, false},
		{`{"mode":"yolo","deny":["mcp:filesystem_write_file","bash:sudo *"]}`, policy.Yolo, true, true},
		{`{"mode":"plan","allow":["mcp:*"]}`, policy.Enforce, false, false},
	} {
		dir := writeFolder(t, map[string]string{".agents/mcp.json": servers, ".agents/config.json": `{"model":"x","permissions":` + tt.permissions + `}`})
		p, err := config.LoadServers(filepath.Join(dir, ".agents", "mcp.json"))
		if err != nil {
			t.Fatal(err)
		}
		g := policyOf(t, p)
		if g.Mode() != tt.mode || g.Allows(callOf("filesystem", "read_file")) != tt.read || g.Allows(callOf("filesystem", "write_file")) != tt.write {
			t.Errorf("%s: %+v", tt.permissions, p.Policy)
		}
		const skipped = `mode yolo skips the gate, as in core-agent, so that the rule "mcp:filesystem_write_file" denies nothing`
		if got := strings.Contains(strings.Join(textsOf(p.Notices), "\n"), skipped); got != (tt.mode == policy.Yolo) || len(p.Notices) > 1 {
			t.Errorf("%s: %v", tt.permissions, p.Notices)
		}
	}
	// A policy of mcpgen.yaml has no rules that mean nothing.
	own, err := config.Parse([]byte("version: 1\nservers: {filesystem: {command: fs}}\npolicy: {mode: yolo, deny: [\"mcp:filesystem_write_file\"]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if g := policyOf(t, own); !g.Allows(callOf("filesystem", "read_file")) || g.Allows(callOf("filesystem", "write_file")) {
		t.Errorf("%+v", own.Policy)
	}
	for text, want := range map[string]string{
		`{"permissions":{"mode":"maybe"}}`: "config.json:1:24: permissions.mode", `{"permissions":{"allow":["mcp:["]}}`: "a [ is not closed",
		`{"permissions":{"deny":[1]}}`: "permissions.deny[0]", `{`: "config.json:",
		`{"permissions":{"deny":["mcp:filesystem_*"],"deny":[]}}`: "config.json:1:45: permissions.deny: the key is duplicated, first in line 1; keep one of them",
		`{"permissions":{},"permissions":{"mode":"yolo"}}`:        "config.json:1:19: permissions: the key is duplicated",
	} {
		dir := writeFolder(t, map[string]string{".agents/mcp.json": servers, ".agents/config.json": text})
		if _, err := config.LoadServers(filepath.Join(dir, ".agents", "mcp.json")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", text, err)
		}
	}
	// Those of a file count, although another one defines its servers.
	left := writeFolder(t, map[string]string{"mcpgen.yaml": "version: 1\nimport: [a.json, .agents/mcp.json]\n", "a.json": `{"mcpServers":{"filesystem":{"command":"fs"}}}`,
		".agents/mcp.json": servers, ".agents/config.json": `{"permissions":{"mode":"yolo"}}`})
	if p, err := config.Load(filepath.Join(left, "mcpgen.yaml")); err != nil || p.Policy.Mode != policy.Yolo {
		t.Errorf("a file whose servers are defined elsewhere, too: %+v, %v", p, err)
	}
	// The file counts for a reload, also while it is absent.
	for _, files := range []map[string]string{{".agents/mcp.json": servers}, {".agents/mcp.json": servers, ".agents/config.json": "{}"}} {
		dir := writeFolder(t, files)
		p, err := config.LoadServers(filepath.Join(dir, ".agents", "mcp.json"))
		if err != nil || !slices.Contains(p.Files, filepath.Join(dir, ".agents", "config.json")) {
			t.Errorf("files %q, %v", p.Files, err)
		}
	}
	dir := writeFolder(t, map[string]string{".agents/mcp.json": servers, ".agents/config.json": `{"model":"x"}`})
	if p, err := config.LoadServers(filepath.Join(dir, ".agents", "mcp.json")); err != nil || p.Policy != nil {
		t.Errorf("a file without permissions: %+v, %v", p.Policy, err)
	}
}

// A policy of mcpgen.yaml counts alone; without one the imported files count
// together, and the strictest mode.
func TestWhosePolicy(t *testing.T) {
	all := map[string]string{
		"agent.yaml": manifest, ".agents/mcp.json": `{"servers":{"fs":{"transport":"stdio","command":"fs"}}}`,
		".agents/config.json": `{"permissions":{"mode":"yolo","allow":["mcp:fs_read"]}}`,
		"mcpgen.yaml":         "version: 1\nimport: [agent.yaml, .agents/mcp.json]\n",
		"own.yaml":            "version: 1\nimport: [agent.yaml, .agents/mcp.json]\npolicy: {allow: [\"mcp:fs_write\"]}\naudit: {file: log/a.jsonl, arguments: true}\nledger: {}\n",
	}
	dir := writeFolder(t, all)
	p, err := config.Load(filepath.Join(dir, "mcpgen.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if g := policyOf(t, p); g.Mode() != policy.Enforce || !g.Allows(callOf("fs", "read")) || !g.Allows(callOf("github", "x")) || g.Allows(callOf("fs", "write")) {
		t.Errorf("got %+v", p.Policy)
	}
	p, err = config.Load(filepath.Join(dir, "own.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if g := policyOf(t, p); g.Allows(callOf("fs", "read")) || g.Allows(callOf("github", "x")) || !g.Allows(callOf("fs", "write")) {
		t.Errorf("got %+v", p.Policy)
	}
	if n := strings.Count(strings.Join(textsOf(p.Notices), "\n"), "its permissions are ignored"); n != 2 {
		t.Errorf("notices %v", p.Notices)
	}
	if p.Ledger != filepath.Join(dir, filepath.FromSlash(config.DefaultLedgerFile)) {
		t.Errorf("ledger %q", p.Ledger)
	}
	if p.Audit == nil || p.Audit.File != filepath.Join(dir, "log", "a.jsonl") || !p.Audit.Arguments {
		t.Errorf("audit %+v", p.Audit)
	}
}

// The rules of a file allow its own servers, and deny those of every file. The files of
// a user and of a project are one system.
func TestRulesOfAFile(t *testing.T) {
	t.Parallel()
	const wide = `apiVersion: scarab/v1
kind: AgentManifest
metadata: {name: wide}
spec:
  capabilities: ["tool.invoke:mcp.*"]
  secret_policy: [{label: all, secret_pattern: "*", tool_pattern: "*"}]
  mcp_servers: [{name: wide, transport: Stdio, command: w}]
`
	dir := writeFolder(t, map[string]string{
		"wide.yaml": wide, "other.yaml": strings.NewReplacer("name: wide", "name: other", "mcp.*", "mcp.none.*", `"*", tool_pattern`, `"none", tool_pattern`).Replace(wide),
		"plain.json":            `{"mcpServers":{"plain":{"command":"p"}}}`,
		".agents/mcp.json":      `{"servers":{"core":{"transport":"stdio","command":"c"}}}`,
		".agents/config.json":   `{"permissions":{"mode":"allow","allow":["mcp:*"],"deny":["mcp:wide_drop"]}}`,
		"home/.agents/mcp.json": `{"servers":{"users":{"transport":"stdio","command":"u"},"core_x":{"transport":"stdio","command":"x"}}}`,
		"mcpgen.yaml":           "version: 1\nimport: [wide.yaml, other.yaml, plain.json, .agents/mcp.json]\nservers: {own: {command: o}}\n",
	})
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	imported, err := config.Load(in("mcpgen.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	named, err := config.LoadServers(in("wide.yaml"), in("other.yaml"), in("plain.json"), in(".agents/mcp.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*config.Project{imported, named} {
		g := policyOf(t, p)
		for server, want := range map[string]bool{"wide": true, "other": false, "plain": false, "core": true, "own": false} {
			if _, secret := g.AllowsSecret(server, "token"); g.Allows(callOf(server, "run")) != want || secret != (server == "wide") {
				t.Errorf("%s: a call is allowed: %v, a secret: %v", server, !want, secret)
			}
		}
		if g.Allows(callOf("wide", "drop")) {
			t.Error("a rule that denies has no effect on the server of another file")
		}
		if p.Policy.AllowIn != "" {
			t.Errorf("a rule in %s would not allow servers of other files", p.Policy.AllowIn)
		}
	}
	system, err := config.Environment{Dir: dir, Home: in("home")}.LoadServers("coreagent")
	if err != nil {
		t.Fatal(err)
	}
	if g := policyOf(t, system); !g.Allows(callOf("core", "run")) || !g.Allows(callOf("users", "run")) {
		t.Errorf("the rules of the project do not allow the servers of the user: %+v", system.Policy)
	}
	// A name that two servers share in this form means the server of the file.
	pair := writeFolder(t, map[string]string{
		"a/.agents/mcp.json": `{"servers":{"fs":{"transport":"stdio","command":"c"}}}`, "a/.agents/config.json": `{"permissions":{"allow":["mcp:fs_read_all"]}}`,
		"b.json": `{"mcpServers":{"fs_read":{"command":"b"}}}`,
	})
	p, err := config.LoadServers(filepath.Join(pair, "a", ".agents", "mcp.json"), filepath.Join(pair, "b.json"))
	if err != nil {
		t.Fatal(err)
	}
	if g := policyOf(t, p); !g.Allows(callOf("fs", "read_all")) || g.Allows(callOf("fs_read", "all")) {
		t.Errorf("got %+v", p.Policy)
	}
}

func textsOf(all []config.Notice) []string {
	out := make([]string, len(all))
	for i, n := range all {
		out[i] = n.Text
	}
	return out
}

// Profiles are read, and what is wrong in one has its place.
func TestProfiles(t *testing.T) {
	p, err := config.Parse([]byte(`
version: 1
servers: {github: {command: github-mcp}}
profiles:
  review: {servers: [github, githb], include: ["tool:github/list_*"], exclude: ["mcp:github_secrets"]}
  all: {}
`))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Profiles["review"]; len(p.Profiles) != 2 || len(got.Servers) != 2 || len(got.Include) != 1 || len(got.Exclude) != 1 {
		t.Errorf("got %+v", p.Profiles)
	}
	if len(p.Notices) != 1 || !strings.Contains(p.Notices[0].String(), `:5:30: profiles.review.servers[1]: no server is called "githb"; did you mean "github"?`) {
		t.Errorf("notices %v", p.Notices)
	}
	_, err = config.Parse([]byte("version: 1\npolicy: {callers: [ci]}\nprofiles: {p: {callers: [ci]}}\n"))
	if err == nil || strings.Count(err.Error(), "want a mapping") != 2 || strings.Contains(err.Error(), "is empty") {
		t.Errorf("want one error for each mistake: %v", err)
	}
	_, err = config.Parse([]byte("version: 1\nprofiles:\n  a/b: {}\n  c: {include: [\"tol:x/y\"], exclud: []}\n"))
	for _, want := range []string{`:3:3: profiles."a/b": `, `:4:17: profiles.c.include[0]: `, `profiles.c.exclud: unknown key`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
