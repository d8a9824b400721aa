package starter

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/config"
)

func machine() []config.Found {
	return []config.Found{
		{Format: "cursor", Path: "/home/u/.cursor/mcp.json", Scope: "user", Servers: []config.FoundServer{
			{Name: "github", Line: 3, Transport: "stdio", Target: "docker run github"},
			{Name: "docs", Line: 4, Transport: "http", Target: "https://docs.example.com"},
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

func plan() *Plan { return New("/home/u/work", "/home/u", machine()) }

func TestShow(t *testing.T) {
	var b strings.Builder
	plan().Show(&b)
	const want = `found 4 server files:

.mcp.json  (claude, project)
   1  github    stdio  npx -y server-github  uses GITHUB_TOKEN
   -  old       stdio  left: disabled
   2  my files  stdio  files ` + "\ufffd" + `[2J long long long long long long long l…

.tallow/settings.json  (tallow, project)
  left: untrusted
   -  secret    stdio  left: untrusted

~/.cursor/mcp.json  (cursor, user)
   -  github    stdio  left: of this name, the one in .mcp.json counts
   3  docs      http   https://docs.example.com

~/.codex/config.toml  (codex, user)
  /home/u/.codex/config.toml:3:1: not TOML
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestTake(t *testing.T) {
	all := []string{"docs", "github", "my files"}
	for answer, want := range map[string][]string{
		"": all, "all": all, " \n": all, "none": nil, "1": {"github"}, "1,3": {"docs", "github"}, "2-3": {"docs", "my files"},
		"docs 1": {"docs", "github"},
	} {
		p := plan()
		if err := p.Take(answer); err != nil || !slices.Equal(p.Taken(), want) {
			t.Errorf("%q takes %q, %v; want %q", answer, p.Taken(), err, want)
		}
	}
	for _, answer := range []string{"0", "4", "3-2", "1-9", "old", "secret", "1,x", "99999999999999999999"} {
		p := plan()
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
		p := New(dir, "", []config.Found{{Format: "claude", Path: file, Scope: "project", Servers: []config.FoundServer{{Name: "kept"}, {Name: name}}}})
		if err := p.Take("1"); err != nil {
			t.Fatal(err)
		}
		data, err := p.Render()
		if err != nil {
			t.Fatal(err)
		}
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

func TestRender(t *testing.T) {
	p := plan()
	p.Output = "internal/tools"
	if err := p.Take("1,3"); err != nil {
		t.Fatal(err)
	}
	data, err := p.Render()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\noutput: internal/tools\n",
		"\nimport:\n  - .mcp.json # claude: github\n  - ~/.cursor/mcp.json # cursor, on this machine only: docs\n",
		"\nservers:\n  my files: {enabled: false}\n",
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%q is missing in\n%s", want, data)
		}
	}
}

func TestNothingFound(t *testing.T) {
	p := New("/home/u/work", "", nil)
	data, err := p.Render()
	if err != nil {
		t.Fatal(err)
	}
	project, err := config.Parse(data)
	if err != nil || len(project.Servers) != 0 {
		t.Errorf("%v\n%s", err, data)
	}
}
