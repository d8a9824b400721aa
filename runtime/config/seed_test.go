// The behaviours of the systems whose files are read here, by their row.

package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/config/internal/dialect"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

func TestSeed(t *testing.T) {
	manifestRows(t)
	coreAgentRows(t)
	covenantRows(t)
	tallowRows(t)
	indusrFileRows(t)
	indusrFlagRows(t)
}

// loadFile writes a file below a folder of its own and loads it.
func loadFile(t *testing.T, name, text string) (*Project, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), filepath.FromSlash(name))
	writeFile(t, path, text)
	return trusting(t).LoadServers(path)
}

// trusting is this machine, on which all projects are trusted.
func trusting(t *testing.T) Environment {
	t.Helper()
	env, err := System()
	if err != nil {
		t.Fatal(err)
	}
	env.Trusted = trustAll
	return env
}

func mustLoadFile(t *testing.T, name, text string) *Project {
	t.Helper()
	p, err := loadFile(t, name, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// wantErrorSaying fails unless there is an error that says all of these.
func wantErrorSaying(t *testing.T, err error, says ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error that says %q", says)
	}
	for _, want := range says {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
}

func namesOf(servers []endpoint.Server) string {
	var all []string
	for _, s := range servers {
		all = append(all, s.Name)
	}
	return strings.Join(all, " ")
}

func textOfNotices(notices []Notice) string {
	var b strings.Builder
	for _, n := range notices {
		fmt.Fprintln(&b, n)
	}
	return b.String()
}

const manifestHead = "apiVersion: scarab/v1\nkind: AgentManifest\n"

const manifest = manifestHead + `spec:
  trust_level: trusted
  capabilities: [tool.invoke:mcp.github.*, tool.invoke:lm.complete]
  secret_policy:
    - {label: token, secret_pattern: "github-*", tool_pattern: "*"}
  mcp_servers:
    - name: github
      description: Pull requests
      transport: Stdio
      command: npx
      args: [-y, gh, "{{secret:literal}}"]
      env_template: [[TOKEN, "Bearer {{secret:github-token}}"], [LEVEL, info]]
    - {name: search, transport: Http, url: "https://search.example"}
`

func manifestRows(t *testing.T) {
	t.Run("000-02", func(t *testing.T) { // both constants verbatim
		for text, key := range map[string]string{
			strings.Replace(manifest, "AgentManifest", "agentmanifest", 1):         "kind: want AgentManifest",
			strings.Replace(manifest, "scarab/v1", "scarab/v1beta1", 1):            "apiVersion: want scarab/v1",
			strings.Replace(manifest, "kind: AgentManifest\n", "", 1):              "kind: the key is missing",
			strings.Replace(manifest, "apiVersion: scarab/v1", "apiVersion: 1", 1): "apiVersion: want scarab/v1",
		} {
			_, err := loadFile(t, "agent.yaml", text)
			wantErrorSaying(t, err, key)
		}
	})
	t.Run("000-04", func(t *testing.T) { // names are unique
		_, err := loadFile(t, "agent.yaml", strings.Replace(manifest, "name: search", "name: github", 1))
		wantErrorSaying(t, err, `the server "github" is defined in line 9 already`)
	})
	t.Run("000-17", func(t *testing.T) { // other capabilities are data like the rest
		p := mustLoadFile(t, "agent.yaml", manifest)
		if got := p.Manifests[0].Capabilities; !slices.Equal(got, []string{"tool.invoke:mcp.github.*", "tool.invoke:lm.complete"}) {
			t.Errorf("got %q", got)
		}
	})
	t.Run("000-20", func(t *testing.T) { // the fields of a secret policy
		m := mustLoadFile(t, "agent.yaml", manifest).Manifests[0]
		if want := []dialect.SecretPolicy{{Label: "token", SecretPattern: "github-*", ToolPattern: "*"}}; !slices.Equal(m.Secrets, want) {
			t.Errorf("got %+v", m.Secrets)
		}
		_, err := loadFile(t, "agent.yaml", strings.Replace(manifest, `, tool_pattern: "*"`, "", 1))
		wantErrorSaying(t, err, "tool_pattern: the key is missing")
	})
}

func coreAgentRows(t *testing.T) {
	const file = ".agents/mcp.json"
	t.Run("001-01", func(t *testing.T) { // the file, and a version that is not known
		p := mustLoadFile(t, file, `{"version": 1, "servers": {"fs": {"transport": "stdio", "command": "x"}}}`)
		if namesOf(p.Servers) != "fs" || p.Servers[0].Source.Format != "coreagent" || len(p.Notices) != 0 {
			t.Errorf("got %+v", p)
		}
		p = mustLoadFile(t, file, `{"version": 2, "servers": {"fs": {"transport": "stdio", "command": "x"}}}`)
		if namesOf(p.Servers) != "fs" || !strings.Contains(textOfNotices(p.Notices), "mcp.json:1:13: version: only version 1 is known here") {
			t.Errorf("got %s", textOfNotices(p.Notices))
		}
	})
	t.Run("001-02", func(t *testing.T) { // no file, no servers, no error
		p, err := Search(Environment{OS: "linux", Home: t.TempDir(), Dir: t.TempDir()}, "coreagent")
		if err != nil || len(p.Servers) != 0 {
			t.Errorf("got %+v, %v", p, err)
		}
	})
	t.Run("001-03", func(t *testing.T) { // the transport is one of two
		for _, row := range []string{`{"command": "x"}`, `{"transport": "sse", "url": "https://a.example"}`, `{"transport": "", "command": "x"}`} {
			_, err := loadFile(t, file, `{"version": 1, "servers": {"a": `+row+`}}`)
			wantErrorSaying(t, err, "servers.a", "one of stdio, http")
			// A file of its path is its own, with a version or without, named or found.
			_, err = loadFile(t, file, `{"servers": {"a": `+row+`}}`)
			wantErrorSaying(t, err, "servers.a", "one of stdio, http")
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, file), `{"servers": {"a": `+row+`}}`)
			_, err = Environment{OS: "linux", Home: t.TempDir(), Dir: dir}.LoadServers("coreagent")
			wantErrorSaying(t, err, "servers.a", "one of stdio, http")
		}
		_, err := loadFile(t, file, `{"servers": [{"name": "a", "transport": "stdio", "command": "x"}]}`)
		wantErrorSaying(t, err, "servers: want a mapping of servers, found a list")
	})
	t.Run("001-04", func(t *testing.T) { // not both, and before anything starts
		_, err := loadFile(t, file, `{"version": 1, "servers": {"mixed": {"transport": "stdio", "command": "x", "url": "https://a.example"}}}`)
		wantErrorSaying(t, err, `server "mixed" has both command and url`)
		for row, says := range map[string]string{
			`{"transport": "http", "url": "https://a.example", "args": ["x"]}`:     "servers.a.args: it goes with stdio only",
			`{"transport": "http", "url": "https://a.example", "env": {"A": "b"}}`: "servers.a.env: it goes with stdio only",
			`{"transport": "stdio", "command": "x", "headers": {"A": "b"}}`:        "servers.a.headers: it goes with http only",
		} {
			_, err := loadFile(t, file, `{"version": 1, "servers": {"a": `+row+`}}`)
			wantErrorSaying(t, err, says)
		}
		mustLoadFile(t, file, `{"version": 1, "servers": {"a": {"transport": "http", "url": "https://a.example", "args": [], "env": {}}}}`)
	})
	t.Run("001-05", func(t *testing.T) { // env lies over that of the parent
		t.Setenv("SEED_KEPT", "parent")
		t.Setenv("SEED_OVER", "parent")
		s := mustLoadFile(t, file, `{"version": 1, "servers": {"a": {"transport": "stdio", "command": "x", "env": {"SEED_OVER": "own"}}}}`).Servers[0]
		r, err := s.Resolve(os.LookupEnv)
		if err != nil || !slices.Contains(processOf(r.Launch).Environ(), "SEED_KEPT=parent") || !slices.Contains(processOf(r.Launch).Environ(), "SEED_OVER=own") || slices.Contains(processOf(r.Launch).Environ(), "SEED_OVER=parent") {
			t.Errorf("got %q, %v", processOf(r.Launch).Env, err)
		}
	})
	t.Run("001-06", func(t *testing.T) { // expanded when a server starts
		t.Setenv("SEED_LATE", "early")
		p := mustLoadFile(t, file, `{"version": 1, "servers": {"a": {"transport": "stdio", "command": "x", "env": {"A": "${env:SEED_LATE}"}},
			"b": {"transport": "http", "url": "https://b.example", "headers": {"B": "<${env:SEED_LATE}>"}}}}`)
		t.Setenv("SEED_LATE", "late")
		a, errA := p.Servers[0].Resolve(nil)
		b, errB := p.Servers[1].Resolve(nil)
		if errA != nil || errB != nil || !slices.Contains(processOf(a.Launch).Environ(), "A=late") || addressOf(b.Launch).Headers[0].Value != "<late>" {
			t.Errorf("got %q %q, %v %v", processOf(a.Launch).Env, addressOf(b.Launch).Headers, errA, errB)
		}
	})
	t.Run("001-07", func(t *testing.T) { // an unset name is empty
		s := mustLoadFile(t, file, `{"version": 1, "servers": {"b": {"transport": "http", "url": "https://b.example", "headers": {"Authorization": "Bearer ${env:GONE}"}}}}`).Servers[0]
		if r, err := s.Resolve(lookupTestVariable); err != nil || addressOf(r.Launch).Headers[0].Value != "Bearer " {
			t.Errorf("got %q, %v", addressOf(r.Launch).Headers, err)
		}
	})
	t.Run("001-08", func(t *testing.T) { // nothing else is expanded
		p := mustLoadFile(t, file, `{"version": 1, "servers": {"a": {"transport": "stdio", "command": "${env:A}", "args": ["${env:A}"], "env": {"X": "$A ${A} ${env:A:-b}"}},
			"b": {"transport": "http", "url": "https://b.example/${env:A}"}}}`)
		a, errA := p.Servers[0].Resolve(lookupTestVariable)
		b, errB := p.Servers[1].Resolve(lookupTestVariable)
		if errA != nil || errB != nil || processOf(a.Launch).Command != "${env:A}" || processOf(a.Launch).Args[0] != "${env:A}" || addressOf(b.Launch).URL != "https://b.example/${env:A}" || !slices.Contains(processOf(a.Launch).Environ(), "X=$A ${A} ${env:A:-b}") {
			t.Errorf("got %+v %+v, %v %v", a, b, errA, errB)
		}
	})
	t.Run("001-10", func(t *testing.T) { // scopes have no default, and auth goes with http
		remote := `{"version": 1, "servers": {"gke": {"transport": "http", "url": "https://a.example", "auth": %s}}}`
		p := mustLoadFile(t, file, fmt.Sprintf(remote, `{"google_oauth": {"scopes": ["a", "b"]}}`))
		if a := addressOf(p.Servers[0].Launch).Auth; a.Kind != endpoint.AuthGoogle || !slices.Equal(a.Scopes, []string{"a", "b"}) {
			t.Errorf("got %+v", a)
		}
		for auth, says := range map[string]string{
			`{"google_oauth": {"scopes": []}}`: "at least one scope", `{"google_oauth": {}}`: "at least one scope",
			`{"google_oauth": {"scopes": [""]}}`: "scopes[0]: the scope is empty", `{}`: "no way to authorise",
			`{"basic": {}}`: "no way to authorise", `{"google_id_token": {"audience": "a"}}`: "auth.google_id_token: it is not supported",
			`{"google_oauth": {"scopes": ["a"]}, "google_id_token": {}}`: "auth.google_id_token: it is not supported", `{"google_oauth": {"scopes": ["a"]}, "basic": {}}`: "auth.basic: unknown way",
		} {
			_, err := loadFile(t, file, fmt.Sprintf(remote, auth))
			wantErrorSaying(t, err, "servers.gke", says)
		}
		_, err := loadFile(t, file, `{"version": 1, "servers": {"a": {"transport": "stdio", "command": "x", "auth": {"google_oauth": {"scopes": ["a"]}}}}}`)
		wantErrorSaying(t, err, "auth: it goes with http only")
	})
	t.Run("001-35", func(t *testing.T) { // the project wins by name
		home, dir := t.TempDir(), t.TempDir()
		writeFile(t, filepath.Join(home, file), `{"version": 1, "servers": {"shared": {"transport": "stdio", "command": "user"}, "u": {"transport": "stdio", "command": "u"}}}`)
		writeFile(t, filepath.Join(dir, file), `{"version": 1, "servers": {"shared": {"transport": "stdio", "command": "project"}, "p": {"transport": "stdio", "command": "p"}}}`)
		p, err := Search(Environment{OS: "linux", Home: home, Dir: dir, Trusted: trustAll}, "coreagent")
		if err != nil || namesOf(p.Servers) != "shared p u" || processOf(p.Servers[0].Launch).Command != "project" {
			t.Errorf("got %+v, %v", p, err)
		}
	})
	t.Run("001-36", func(t *testing.T) { // the operator's word
		p := mustLoadFile(t, file, `{"version": 1, "servers": {"a": {"transport": "stdio", "command": "x", "read_only": true}, "b": {"transport": "stdio", "command": "x"}}}`)
		if !p.Servers[0].ReadOnly || p.Servers[1].ReadOnly || p.Policy != nil {
			t.Errorf("got %+v, policy %+v", p.Servers, p.Policy)
		}
	})
}

func trustAll(string, []byte) (string, string) { return "", "" }

func covenantRows(t *testing.T) {
	const text = "[[mcp.server]]\nname = \"notes\"\ncommand = \"npx\"\nargs = [\"-y\", \"$HOME/notes\", \"$GONE\"]\nenv = { LOG = \"info\" }\n"
	t.Run("002-15", func(t *testing.T) { // the file
		home := t.TempDir()
		writeFile(t, filepath.Join(home, ".covenant/secrets.toml"), text)
		p, err := Search(Environment{OS: "linux", Home: home}, "covenant")
		if err != nil {
			t.Fatal(err)
		}
		s := p.Servers[0]
		if s.Name != "notes" || processOf(s.Launch).Command != "npx" || s.Source.Line != 1 || !slices.Equal(processOf(s.Launch).Env, []endpoint.Var{{Name: "LOG", Value: "info"}}) {
			t.Errorf("got %+v", s)
		}
	})
	t.Run("002-16", func(t *testing.T) { // $HOME, and a variable that is not set is empty
		s := mustLoadFile(t, "secrets.toml", text).Servers[0]
		r, err := s.Resolve(func(name string) (string, bool) { return "/home/me", name == "HOME" })
		if err != nil || !slices.Equal(processOf(r.Launch).Args, []string{"-y", "/home/me/notes", ""}) {
			t.Errorf("got %q, %v", processOf(r.Launch).Args, err)
		}
	})
}

func tallowRows(t *testing.T) {
	const file = ".tallow/settings.json"
	t.Run("003-01", func(t *testing.T) { // programs need no type, and a broken file stops nothing
		p := mustLoadFile(t, file, `{"mcpServers": {"fs": {"command": "npx"}, "gh": {"command": "gh", "args": ["mcp"]}}}`)
		if namesOf(p.Servers) != "fs gh" || p.Servers[0].EffectiveTransport() != endpoint.Stdio {
			t.Errorf("got %+v", p.Servers)
		}
		p = mustLoadFile(t, file, `{"mcpServers": {"remote": {"url": "https://a.example/sse"}}}`)
		if says := `mcpServers.remote: a url without a type; the server is left out; write "type": "sse" beside it`; len(p.Servers) != 0 || !strings.Contains(textOfNotices(p.Notices), says) {
			t.Errorf("got %s", textOfNotices(p.Notices))
		}
		p = mustLoadFile(t, file, `{"mcpServers": {`)
		if len(p.Servers) != 0 || !strings.Contains(textOfNotices(p.Notices), "settings.json:1:17: not valid JSON") {
			t.Errorf("got %s", textOfNotices(p.Notices))
		}
	})
	t.Run("003-03", func(t *testing.T) { // user first, then the project's over it, if it is trusted
		home, dir := t.TempDir(), t.TempDir()
		writeFile(t, filepath.Join(home, file), `{"mcpServers": {"global": {"command": "g"}, "shared": {"command": "user"}}}`)
		writeFile(t, filepath.Join(dir, file), `{"mcpServers": {"project": {"command": "p"}, "shared": {"command": "project"}}}`)
		env := Environment{OS: "linux", Home: home, Dir: dir}
		for state, want := range map[string]string{
			"":          "global=g shared=project project=p",
			"untrusted": "global=g shared=user",
			"stale":     "global=g shared=user",
		} {
			env.Trusted = func(string, []byte) (string, string) { return state, "run x" }
			p, err := Search(env, "tallow")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range p.Definitions {
				if d.Left == "" {
					got = append(got, d.Server.Name+"="+processOf(d.Server.Launch).Command)
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%q: got %q, want %q", state, got, want)
			}
			if warned := strings.Contains(textOfNotices(p.Notices), "not used ("+state+`): the servers "project", "shared"; run x`); warned != (state != "") {
				t.Errorf("%q: notices %s", state, textOfNotices(p.Notices))
			}
		}
	})
}

// PI_MCP_SERVERS, and what is not a name in it.
func TestScope(t *testing.T) {
	p := mustLoadFile(t, ".tallow/settings.json", `{"mcpServers": {"slack": {"command": "x"}, "github": {"command": "x"}, "linear": {"command": "x"}}}`)
	for text, want := range map[string]string{
		"": "slack github linear", " ": "slack github linear", ",": "", " , ": "", "github,slack": "slack github", " slack , ": "slack", "slack,unknown": "slack", "unknown": "",
	} {
		scope := Scope(func(name string) (string, bool) { return text, name == "PI_MCP_SERVERS" })
		if got, _ := p.Only(scope); namesOf(got) != want {
			t.Errorf("%q: got %q, want %q", text, namesOf(got), want)
		}
	}
	// With both variables, each restricts.
	for text, want := range map[string]string{"slack,github": "github", "slack": "", ",": "", " ": "github"} {
		scope := Scope(environOf(map[string]string{"MCPGEN_SERVERS": text, "PI_MCP_SERVERS": "github"}))
		if got, _ := p.Only(scope); namesOf(got) != want {
			t.Errorf("both, %q: got %q, want %q", text, namesOf(got), want)
		}
	}
	if _, unknown := p.Only([]string{"slack", "unknown"}); !slices.Equal(unknown, []string{"unknown"}) {
		t.Errorf("unknown: %q", unknown)
	}
	if got := Scope(func(string) (string, bool) { return "", false }); got != nil {
		t.Errorf("got %q", got)
	}
}

// The forms of mcpServers in an agent's front matter.
func TestAgentServers(t *testing.T) {
	for _, form := range []string{"slack, github, linear", "[slack, github, linear]", "\n  - slack\n  - github\n  - linear"} {
		a, err := parseAgent("a.md", []byte("---\nname: triage\nmcpServers: "+form+"\n---\n# Prompt\n"))
		if err != nil || a.Name != "triage" || a.Env() != "PI_MCP_SERVERS=slack,github,linear" {
			t.Errorf("%q: got %+v, %v", form, a, err)
		}
	}
	if a, err := parseAgent("agents/one.md", []byte("---\nmcpServers: github\n---\n")); err != nil || a.Name != "one" || a.Env() != "PI_MCP_SERVERS=github" {
		t.Errorf("got %+v, %v", a, err)
	}
	for _, all := range []string{"# no front matter\n---\n", "---\nname: a\n---\n", "---\nmcpServers:\n---\n"} {
		if a, err := parseAgent("a.md", []byte(all)); err != nil || a.Env() != "" || a.Servers != nil {
			t.Errorf("%q: got %+v, %v", all, a, err)
		}
	}
}

// Definitions are not supported, and a list without a name is not a server.
func TestAgentDefinitions(t *testing.T) {
	a, err := parseAgent("a.md", []byte("---\nmcpServers:\n  - github\n  - {own: {command: x}}\n  - slack\n---\n"))
	if err != nil || a.Env() != "PI_MCP_SERVERS=github,slack" || !strings.Contains(textOfNotices(a.Notices), "a.md:4:5: mcpServers[1]: definitions of servers are not supported here") {
		t.Errorf("got %+v, %v", a, err)
	}
	// A list without a name that counts is not a server, and not all of them.
	p := mustLoadFile(t, ".tallow/settings.json", `{"mcpServers": {"slack": {"command": "x"}, "github": {"command": "x"}}}`)
	for _, form := range []string{"[]", "{}", "\n  - {own: {command: x}}", "\n  own: {command: x}", `""`, "[null]"} {
		a, err := parseAgent("a.md", []byte("---\nmcpServers: "+form+"\n---\n"))
		if err != nil || a.Servers == nil || len(a.Servers) > 0 {
			t.Errorf("%s: got %+v, %v", form, a, err)
			continue
		}
		if got, _ := p.Only(a.Servers); len(got) > 0 {
			t.Errorf("%s: gets %s", form, namesOf(got))
		}
		name, value, _ := strings.Cut(a.Env(), "=")
		if got, _ := p.Only(Scope(environOf(map[string]string{name: value}))); len(got) > 0 {
			t.Errorf("%s: %q gives %s", form, a.Env(), namesOf(got))
		}
	}
}

// The user's own folder is a project like any other, and its file is the user's.
func TestProjectInTheUsersFolder(t *testing.T) {
	home := t.TempDir()
	writeFile(t, filepath.Join(home, ".tallow/settings.json"), `{"mcpServers": {"fs": {"command": "x"}}}`)
	writeFile(t, filepath.Join(home, ".agents/mcp.json"), `{"version": 1, "servers": {"web": {"transport": "stdio", "command": "x"}}}`)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(home, link); err != nil {
		t.Skip(err)
	}
	for system, want := range map[string]string{"tallow": "fs", "coreagent": "web"} {
		for _, dir := range []string{home, link} {
			p, err := Search(Environment{OS: "linux", Home: home, Dir: dir}, system)
			if err != nil || namesOf(p.Servers) != want || len(p.Notices) > 0 {
				t.Errorf("%s in %s: got %+v, %v", system, dir, p, err)
			}
		}
	}
}

func environOf(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := vars[name]
		return value, ok
	}
}
