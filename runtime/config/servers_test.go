package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// Without an mcpgen.yaml tools have the names that the files' own system gives
// them; several systems have no such names in common.
func TestNamingOfSystems(t *testing.T) {
	t.Chdir(t.TempDir())
	files := map[string]string{
		"agent.yaml":            manifestHead + "spec: {mcp_servers: [{name: a, transport: Stdio, command: x}]}\n",
		".agents/mcp.json":      `{"version": 1, "servers": {"b": {"transport": "stdio", "command": "x"}}}`,
		"secrets.toml":          "[[mcp.server]]\nname = \"c\"\ncommand = \"x\"\n",
		".tallow/settings.json": `{"mcpServers": {"d": {"command": "x"}}}`,
		".indusvx/mcp.json":     `{"servers": {"e": {"command": "x"}}}`,
		".mcp.json":             `{"mcpServers": {"f": {"command": "x"}}}`,
	}
	for name, text := range files {
		writeFile(t, name, text)
	}
	for paths, want := range map[string]naming.Scheme{
		"agent.yaml":              naming.Dot,
		".agents/mcp.json":        naming.Underscore,
		"secrets.toml":            naming.Bare,
		".tallow/settings.json":   naming.MCPDoubleUnderscore,
		".indusvx/mcp.json":       naming.DoubleUnderscore,
		".mcp.json":               naming.DoubleUnderscore,
		"agent.yaml,secrets.toml": naming.DoubleUnderscore,
		"agent.yaml,.mcp.json":    naming.DoubleUnderscore,
	} {
		if p, err := trusting(t).LoadServers(paths); err != nil || p.Naming != want {
			t.Errorf("%s: got %+v, %v; want %s", paths, p, err, want)
		}
	}
	// It is so in an mcpgen.yaml as well, which may say otherwise.
	for text, want := range map[string]naming.Scheme{
		"import: [agent.yaml]":                                      naming.Dot,
		"import: [secrets.toml]":                                    naming.Bare,
		"import: [agent.yaml, secrets.toml]":                        naming.DoubleUnderscore,
		"import: [agent.yaml]\nservers: {a: {timeout: {call: 5s}}}": naming.Dot,
		"import: [agent.yaml]\nservers: {own: {command: x}}":        naming.DoubleUnderscore,
		"import: [agent.yaml]\nnaming: bare":                        naming.Bare,
	} {
		writeFile(t, "mcpgen.yaml", "version: 1\n"+text+"\n")
		if p, err := Load("mcpgen.yaml"); err != nil || p.Naming != want {
			t.Errorf("%s: got %+v, %v; want %s", text, p, err, want)
		}
	}
}

// Covenant's gate, log and own tools come with its file, however that is named. A
// policy of mcpgen.yaml counts in place of the gate's default.
func TestCovenantWhole(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Chdir(t.TempDir())
	const servers = "[[mcp.server]]\nname = \"c\"\ncommand = \"x\"\n"
	writeFile(t, filepath.Join(home, ".covenant", "secrets.toml"), servers)
	writeFile(t, "secrets.toml", servers)
	writeFile(t, "mcpgen.yaml", "version: 1\nimport: [~/.covenant/secrets.toml]\n")
	writeFile(t, "own.yaml", "version: 1\nimport: [secrets.toml]\npolicy: {mode: yolo}\naudit: {file: a.jsonl}\n")
	env := Environment{OS: "linux", Home: home, Dir: "."}
	for how, read := range map[string]func() (*Project, error){
		"--mcp covenant":     func() (*Project, error) { return env.LoadServers("covenant") },
		"--mcp secrets.toml": func() (*Project, error) { return env.LoadServers("secrets.toml") },
		"system":             func() (*Project, error) { return Search(env, "covenant") },
		"import":             func() (*Project, error) { return Load("mcpgen.yaml") },
		"nothing there": func() (*Project, error) {
			return Search(Environment{OS: "linux", Home: t.TempDir(), Dir: "."}, "covenant")
		},
	} {
		p, err := read()
		if err != nil || p.Policy == nil || p.Policy.Mode != policy.Enforce || p.Audit == nil || filepath.Base(p.Audit.File) != "audit.jsonl" ||
			!slices.Equal(p.Native, []string{"echo", "clock"}) || p.Naming != naming.Bare {
			t.Errorf("%s: %+v, %v", how, p, err)
		}
	}
	if p, err := Load("own.yaml"); err != nil || p.Policy.Mode != policy.Yolo || filepath.Base(p.Audit.File) != "a.jsonl" || len(p.Native) != 2 {
		t.Errorf("own.yaml: %+v, %v", p, err)
	}
	if p, err := Search(env, "tallow"); err != nil || p.Policy != nil || p.Audit != nil || p.Native != nil {
		t.Errorf("tallow: %+v, %v", p, err)
	}
}

// A system's name stands for the files that it reads by itself.
func TestSystemByName(t *testing.T) {
	env := searchFixture(t)
	t.Chdir(env.Dir)
	p, err := env.LoadServers("indusr")
	if err != nil || namesOf(p.Servers) != "shared project shared@user xdg shared@user-2 agent shared@user-3 old" {
		t.Errorf("got %+v, %v", p, err)
	}
	writeFile(t, "more.json", `{"servers": {"more": {"command": "x"}, "shared": {"command": "more"}}}`)
	p, err = env.LoadServers("more.json,indusr")
	if err != nil || namesOf(p.Servers) != "more shared shared@project project shared@user xdg shared@user-2 agent shared@user-3 old" {
		t.Fatalf("got %+v, %v", p, err)
	}
	p, err = env.LoadServers("indusr,more.json")
	if err != nil || namesOf(p.Servers) != "shared project shared@user xdg shared@user-2 agent shared@user-3 old more shared@file" || processOf(p.Servers[9].Launch).Command != "more" {
		t.Errorf("all are attached: got %s, %v", namesOf(p.Servers), err)
	}
	// One that has no files of its own, and one that a file is called like: the name is the system, and a
	// path is the file.
	_, err = env.LoadServers("server.json")
	wantErrorSaying(t, err, "server.json: cannot stat")
	writeFile(t, "tallow", `{"servers": {"file": {"command": "x"}}}`)
	writeFile(t, "codex/.indusvx/mcp.json", `{"servers": {"folder": {"command": "x"}}}`)
	for _, name := range []string{"tallow", "codex"} {
		says := name + ": it is the name of a system, so the file or folder of this name is not read; to read it, write ./" + name
		if p, err := env.LoadServers(name); err != nil || len(p.Servers) != 0 || !strings.Contains(textOfNotices(p.Notices), says) {
			t.Errorf("got %+v, %v", p, err)
		}
	}
	if p, err := env.LoadServers("./tallow"); err != nil || namesOf(p.Servers) != "file" {
		t.Errorf("got %+v, %v", p, err)
	}
	// A machine without any such file has no such servers.
	if p, err := env.LoadServers("covenant"); err != nil || len(p.Servers) != 0 {
		t.Errorf("got %+v, %v", p, err)
	}
}

// A system's name in import stands for its files, with its trust and its names.
func TestImportOfASystem(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "mcpgen.yaml")
	writeFile(t, filepath.Join(home, ".tallow/settings.json"), `{"mcpServers": {"global": {"command": "g"}, "shared": {"command": "user"}}}`)
	writeFile(t, filepath.Join(dir, ".tallow/settings.json"), `{"mcpServers": {"project": {"command": "p"}, "shared": {"command": "project"}}}`)
	writeFile(t, path, "version: 1\nimport: [tallow]\nservers: {global: {enabled: false}}\n")
	env := Environment{OS: "linux", Home: home, Trusted: func(string, []byte) (string, string) { return "untrusted", "run x" }}
	p, err := env.Load(path)
	if err != nil || namesOf(p.Servers) != "shared" || processOf(p.Servers[0].Launch).Command != "user" || p.Naming != naming.MCPDoubleUnderscore || p.Gone("project") ||
		!strings.Contains(textOfNotices(p.Notices), `not used (untrusted): the servers "project", "shared"; run x`) {
		t.Errorf("untrusted: got %+v, %v", p, err)
	}
	env.Trusted = trustAll
	if p, err = env.Load(path); err != nil || namesOf(p.Servers) != "shared project" || processOf(p.Servers[0].Launch).Command != "project" {
		t.Errorf("trusted: got %+v, %v", p, err)
	}
	// An entry may be about a server that is not there on this machine.
	env.Trusted = nil
	writeFile(t, path, "version: 1\nimport: [tallow]\nservers: {project: {timeout: {call: 5s}}, gone: {enabled: false}}\n")
	if p, err = env.Load(path); err != nil || namesOf(p.Servers) != "global shared" || !strings.Contains(textOfNotices(p.Notices), "servers.project: no imported file on this machine defines a server of this name") || strings.Contains(textOfNotices(p.Notices), "gone") {
		t.Errorf("entries: got %+v, %v", p, err)
	}
	env.Trusted = trustAll
	// What mcpgen.yaml says counts before. A file that is called like the system needs a path.
	writeFile(t, path, "version: 1\nnaming: dot\nimport: [tallow]\n")
	if p, err = env.Load(path); err != nil || p.Naming != naming.Dot {
		t.Errorf("got %+v, %v", p, err)
	}
	writeFile(t, filepath.Join(dir, "tallow"), `{"servers": {"file": {"command": "x"}}}`)
	if p, err = env.Load(path); err != nil || namesOf(p.Servers) != "global shared project" || !strings.Contains(textOfNotices(p.Notices), "to read it, write ./tallow") {
		t.Errorf("got %+v, %v", p, err)
	}
	writeFile(t, path, "version: 1\nimport: [./tallow]\n")
	if p, err = env.Load(path); err != nil || namesOf(p.Servers) != "file" {
		t.Errorf("got %+v, %v", p, err)
	}
	writeFile(t, path, "version: 1\nimport: [indusrr]\n")
	_, err = env.Load(path)
	wantErrorSaying(t, err, "indusrr: cannot open")
}

// An agent manifest in the project is found by its name and told by its header:
// others have files of these names as well, which are no concern of scarab's.
func TestManifestByName(t *testing.T) {
	env := Environment{OS: "linux", Home: t.TempDir(), Dir: t.TempDir()}
	t.Chdir(env.Dir)
	const rows = "spec: {capabilities: ['tool.invoke:mcp.a.*'], mcp_servers: [{name: %s, transport: Stdio, command: x}]}\n"
	for name, text := range map[string]string{
		"manifest.yaml": "apiVersion: apps/v1\nkind: Deployment\nspec: {mcp_servers: []}\n---\nkind: Service\n",
		"manifest.yml":  "- a list\n- of something else: [\n",
		"agent.yaml":    "apiVersion: other.example/v1\nkind: AgentManifest\nspec: {mcp_servers: [{name: not-ours, command: x}]}\n",
	} {
		writeFile(t, name, text)
	}
	loads := map[string]func() (*Project, error){
		"--mcp scarab": func() (*Project, error) { return env.LoadServers("scarab") },
		"system":       func() (*Project, error) { return Search(env, "scarab") },
	}
	for how, load := range loads {
		p, err := load()
		if err != nil || len(p.Servers) != 0 {
			t.Fatalf("%s: other programs' files: got %+v, %v", how, p, err)
		}
		for _, n := range p.Notices {
			if n.Path != "scarab" || !strings.HasPrefix(n.Text, "no server file of this system was found; mcpgen looked for ") {
				t.Errorf("%s: another program's file is reported: %s", how, n)
			}
		}
	}
	if found := Discover(env); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
	if p, err := env.LoadServers("."); err != nil || len(p.Servers) != 0 || !strings.Contains(textOfNotices(p.Notices), "the folder has no .indusvx/mcp.json") {
		t.Errorf("got %+v, %v", p, err)
	}

	writeFile(t, "agent.yml", manifestHead+fmt.Sprintf(rows, "a"))
	writeFile(t, "manifest.yml", manifestHead+fmt.Sprintf(rows, "b"))
	writeFile(t, "mcpgen.yaml", "version: 1\nimport: [scarab]\n")
	loads["import"] = func() (*Project, error) { return env.Load("mcpgen.yaml") }
	for how, load := range loads {
		p, err := load()
		if err != nil || namesOf(p.Servers) != "a b" || p.Naming != naming.Dot || p.Policy == nil || p.Policy.Mode != policy.Enforce ||
			p.Audit == nil || p.Audit.File != filepath.Join(env.Dir, ".mcpgen", "audit.jsonl") {
			t.Errorf("%s: got %+v, %v", how, p, err)
		}
	}
	if found := Discover(env); len(found) != 2 || found[0].Format != "scarab" || found[0].Path != filepath.Join(env.Dir, "agent.yml") {
		t.Errorf("found %+v", found)
	}
	// A mistake in a manifest is an error, also one that leaves it unreadable.
	for text, says := range map[string]string{
		"apiVersion: scarab/v2\nkind: AgentManifest\nspec: {}\n": "apiVersion: want scarab/v1",
		"kind: AgentManifest\nspec: {}\n":                        "apiVersion: the key is missing",
		"apiVersion: scarab/v1\nkind: AgentManifest\nspec: [\n":  "agent.yml:",
	} {
		writeFile(t, "agent.yml", text)
		_, err := env.LoadServers("scarab")
		wantErrorSaying(t, err, says)
	}
}

// One server that means nothing does not take the file of another program away:
// mcpgen.yaml turns it off, or an earlier file has one of its name.
func TestBrokenServers(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, ".mcp.json", `{"mcpServers": {"good": {"command": "x"}, "bad": {"command": ["x"]}, "again": {"url": 5}}}`)
	writeFile(t, ".cursor/mcp.json", `{"mcpServers": {"again": {"command": "y"}}}`)
	writeFile(t, "mcpgen.yaml", "version: 1\nimport: [.mcp.json]\n")
	_, err := Load("mcpgen.yaml")
	wantErrorSaying(t, err, `.mcp.json:1:62: mcpServers.bad.command: want a string, found a list; to go without this server, write servers: {"bad": {enabled: false}}`, "mcpServers.again.url")

	writeFile(t, "mcpgen.yaml", "version: 1\nimport: [.cursor/mcp.json, .mcp.json]\nservers: {bad: {enabled: false}}\n")
	p, err := Load("mcpgen.yaml")
	if err != nil || namesOf(p.Servers) != "again good" || processOf(p.Servers[0].Launch).Command != "y" || !slices.Equal(p.Disabled, []string{"bad"}) {
		t.Fatalf("got %+v, %v", p, err)
	}
	var found []string
	for _, f := range Discover(Environment{OS: "linux", Dir: p.Dir, Trusted: trustAll}) {
		for _, s := range f.Servers {
			found = append(found, fmt.Sprintf("%s:%v:%s", s.Name, s.Malformed, s.Left))
		}
	}
	if got := strings.Join(found, " "); got != "good:false: bad:true:malformed again:true:malformed again:false:" {
		t.Errorf("found %s", got)
	}
}

// Rows as their systems' documentation shows them, and what other readers make of
// them: a null that says nothing, a transport that is not spoken here.
func TestRowsThatAreNotMistakes(t *testing.T) {
	zed := mustLoadFile(t, ".zed/settings.json", `{"context_servers": {"old": {"source": "custom", "command": {"path": "p", "args": ["a"], "env": null}}, "flat": {"command": "p", "args": [], "env": null, "timeout": null}}}`)
	if namesOf(zed.Servers) != "old flat" {
		t.Errorf("got %s", textOfNotices(zed.Notices))
	}
	gemini := mustLoadFile(t, ".gemini/settings.json", `{"mcpServers": {"socket": {"tcp": "ws://h.example"}, "a": {"command": "x"}}}`)
	if namesOf(gemini.Servers) != "a" || !strings.Contains(textOfNotices(gemini.Notices), `the server "socket" is left out: it uses a web socket, which mcpgen does not support`) {
		t.Errorf("got %s", textOfNotices(gemini.Notices))
	}
}
