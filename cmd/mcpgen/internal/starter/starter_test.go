package starter

import (
	"errors"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/config"
)

func foundServers() []config.Found {
	return []config.Found{
		{Format: "cursor", Path: "/home/u/.cursor/mcp.json", Scope: "user", Servers: []config.FoundServer{
			{Name: "github", Line: 3, Transport: "stdio", Target: "docker run github", Entry: &config.Entry{Command: "docker", Args: []string{"run", "github"}}},
			{Name: "docs", Line: 4, Transport: "http", Target: "https://docs.example.com", Entry: &config.Entry{URL: "https://docs.example.com", Headers: []endpoint.Var{{Name: "Authorization", Value: "Bearer ${env:DOCS_TOKEN}"}}}},
			{Name: "bound", Line: 5, Transport: "stdio", Target: "x", Bound: "its environment variables are in a file"},
			{Name: "here", Line: 5, Transport: "stdio", Target: "/opt/x", Entry: &config.Entry{Command: "/opt/x"}, Local: []string{"/opt/x"}},
		}},
		{Format: "claude", Path: "/home/u/work/.mcp.json", Scope: "project", Servers: []config.FoundServer{
			{Name: "github", Line: 3, Transport: "stdio", Target: "npx -y server-github", Uses: []string{"GITHUB_TOKEN"}},
			{Name: "old", Line: 9, Transport: "stdio", Target: "old", Left: "disabled"},
			{Name: "my files", Line: 12, Transport: "stdio", Target: "files \x1b[2J " + strings.Repeat("long ", 30)},
		}},
		{Format: "tallow", Path: "/home/u/work/.tallow/settings.json", Scope: "project", Left: "untrusted", Servers: []config.FoundServer{
			{Name: "secret", Line: 2, Transport: "stdio", Target: "x"},
		}},
		{Format: "codex", Path: "/home/u/.codex/config.toml", Scope: "user", Errors: []error{errors.New("/home/u/.codex/config.toml:3:1: not TOML")}},
	}
}

func makePlan(t *testing.T, opts Options) *Plan {
	t.Helper()
	p, err := New("/home/u/work", "/home/u", foundServers(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestShow(t *testing.T) {
	var b strings.Builder
	makePlan(t, Options{}).Show(&console.Console{Out: &b})
	const want = `found 4 server files:

.mcp.json  (claude, project, imported)
   1  github    stdio  npx -y server-github  uses GITHUB_TOKEN
   -  old       stdio  left: disabled
   2  my files  stdio  files ` + "\ufffd" + `[2J long long long long long long long l…

.tallow/settings.json  (tallow, project)
  left: untrusted
   -  secret    stdio  left: untrusted

~/.cursor/mcp.json  (cursor, user, copied)
   -  github    stdio  left: has the same name as the server in .mcp.json, which is used
   3  docs      http   https://docs.example.com
   -  bound     stdio  left: cannot be copied: its environment variables are in a file; to import it: --import '~/.cursor/mcp.json'
   4  here      stdio  /opt/x

~/.codex/config.toml  (codex, user, copied)
  /home/u/.codex/config.toml:3:1: not TOML
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestTake(t *testing.T) {
	all := []string{"docs", "github", "here", "my files"}
	for answer, want := range map[string][]string{
		"": all, "all": all, " \n": all, "none": nil, "1": {"github"}, "1,3": {"docs", "github"}, "2-3": {"docs", "my files"},
		"docs 1": {"docs", "github"},
	} {
		p := makePlan(t, Options{})
		if err := p.Take(answer); err != nil || !slices.Equal(p.Taken(), want) {
			t.Errorf("%q takes %q, %v; want %q", answer, p.Taken(), err, want)
		}
	}
	for _, answer := range []string{"0", "5", "3-2", "1-9", "old", "secret", "1,x", "99999999999999999999"} {
		p := makePlan(t, Options{})
		if err := p.Take(answer); err == nil || !slices.Equal(p.Taken(), all) {
			t.Errorf("%q takes %q, %v", answer, p.Taken(), err)
		}
	}
}

// What is written is read back as what was chosen, whatever a server is called.
func TestRenderIsReadBack(t *testing.T) {
	for _, name := range []string{"docs", "true", "1e3", "a: b", "# x", `"q"`, "ünï", "-x", "{}", "null", "~"} {
		dir := t.TempDir()
		file := filepath.Join(dir, ".mcp.json")
		quoted := strings.NewReplacer(`"`, `\"`, "\n", `\n`).Replace(name)
		text := `{"mcpServers": {"kept": {"command": "k"}, "` + quoted + `": {"command": "x"}}}`
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := New(dir, "", []config.Found{{Format: "claude", Path: file, Scope: "project", Servers: []config.FoundServer{{Name: "kept"}, {Name: name}}}}, Options{})
		if err == nil {
			err = p.Take("1")
		}
		if err != nil {
			t.Fatal(err)
		}
		data := applyPlan(t, p, "")
		path := filepath.Join(dir, "mcpgen.yaml")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		project, err := config.Load(path)
		if err != nil {
			t.Errorf("%q: %v\n%s", name, err, data)
			continue
		}
		if len(project.Servers) != 1 || project.Servers[0].Name != "kept" || !slices.Equal(project.Disabled, []string{name}) {
			t.Errorf("%q: %d servers, %q turned off\n%s", name, len(project.Servers), project.Disabled, data)
		}
	}
}

// applyPlan is a first mcpgen.yaml with what is taken.
func applyPlan(t *testing.T, p *Plan, output string) []byte {
	t.Helper()
	data, err := First(output)
	if err == nil {
		data, err = p.Apply(data)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestApply(t *testing.T) {
	p := makePlan(t, Options{})
	if err := p.Take("1,3,4"); err != nil {
		t.Fatal(err)
	}
	data := string(applyPlan(t, p, "internal/tools"))
	for _, want := range []string{
		"\noutput: internal/tools\n",
		"\nimport:\n  - .mcp.json # claude: github\n\n",
		"\nservers:\n  \"my files\": {enabled: false}\n  # copied from ~/.cursor/mcp.json (cursor)\n  docs:\n    url: \"https://docs.example.com\"\n    headers:\n      Authorization: \"Bearer ${env:DOCS_TOKEN}\"\n",
	} {
		if !strings.Contains(data, want) {
			t.Errorf("%q is missing in\n%s", want, data)
		}
	}
	if local := p.Local(); !slices.Equal(local, []string{"here: /opt/x"}) {
		t.Errorf("%q, want %q", local, []string{"here: /opt/x"})
	}
}

// TestApplyToExisting adds to a file of somebody's own, byte for byte.
func TestApplyToExisting(t *testing.T) {
	const before = "# ours\nversion: 1\nimport: [other.json]   # theirs\nservers:\n    # about a\n    a:   {command: a}\n# end\ndocs: true\n"
	p := makePlan(t, Options{Configured: map[string]string{"docs": "mcpgen.yaml:7"}})
	got, err := p.Apply([]byte(before))
	want := strings.NewReplacer("[other.json]", "[other.json, .mcp.json]", "{command: a}\n", "{command: a}\n    # copied from ~/.cursor/mcp.json (cursor)\n    here:\n      command: /opt/x\n").Replace(before)
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%v", err, got, want)
	}
	var screen strings.Builder
	const left = "docs      http   left: configured already, in mcpgen.yaml:7"
	if p.Show(&console.Console{Out: &screen}); !strings.Contains(screen.String(), left) {
		t.Errorf("want %s in\n%s", left, &screen)
	}
	if _, err := p.Apply([]byte("{version: 1}\n")); err == nil || !strings.Contains(err.Error(), "by hand") {
		t.Errorf("got error %v, want one with %q", err, "by hand")
	}
}

// TestImportAsked imports a user's file, or all files of a system, if that is wanted.
func TestImportAsked(t *testing.T) {
	for want, line := range map[string]string{
		"/home/u/.cursor/mcp.json": "  - \"~/.cursor/mcp.json\" # cursor, on this machine only: docs, bound, here\n",
		"cursor":                   "  - cursor # all its server files, in this project and on this machine, under its own rules: docs, bound, here\n",
	} {
		p := makePlan(t, Options{Import: []string{want}})
		if data := string(applyPlan(t, p, "")); !strings.Contains(data, line) || strings.Contains(data, "copied") {
			t.Errorf("%s\n%s", want, data)
		}
	}
	if _, err := New("/home/u/work", "/home/u", foundServers(), Options{Import: []string{"/home/u/none.json"}}); err == nil || !strings.Contains(err.Error(), `with the name "~/none.json"`) {
		t.Errorf("got error %v, want one with %q", err, `with the name "~/none.json"`)
	}
}

func TestNothingFound(t *testing.T) {
	p, err := New("/home/u/work", "", nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	data := applyPlan(t, p, "")
	project, err := config.Parse(data)
	if err != nil || len(project.Servers) != 0 {
		t.Errorf("%v\n%s\nwant no server", err, data)
	}
}
