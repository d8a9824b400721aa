package starter

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/templates"
	"go.yaml.in/yaml/v3"
)

// jobOf is a job as YAML, for a project with an mcpgen.yaml below a repository.
func jobOf(t *testing.T, system, folder, servers string) (text string, doc map[string]any) {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, filepath.FromSlash(folder))
	for _, path := range []string{filepath.Join(root, ".git"), dir} {
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string]string{"go.mod": "module x\n", "mcpgen.yaml": "version: 1\n" + servers} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := config.Load(filepath.Join(dir, "mcpgen.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := Job(system, p, "(devel)")
	if err != nil {
		t.Fatal(err)
	}
	return string(data), parseYAML(t, data)
}

func parseYAML(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := yaml.Unmarshal(data, &doc); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return doc
}

const everything = `servers:
  browser: {command: npx, args: [-y, "@playwright/mcp@0.0.61"], env: {TOKEN: "${env:BROWSER_TOKEN}", GH: "${env:GITHUB_TOKEN}", ORG: "${env:GITHUB_ORG}", H: "${env:HOME}", S: "{{secret:api-key}}"}, inherit_env: [HTTPS_PROXY]}
  git: {command: uvx, args: [mcp-server-git==1.0]}
  local: {command: docker, args: [run, -i, a.example/b:1]}
  script: {command: python3, args: [server.py]}
  remote: {url: "https://a.example/mcp", headers: {Authorization: "Bearer ${env:REMOTE_TOKEN}"}}
`

func TestGitHubJob(t *testing.T) {
	text, doc := jobOf(t, "github", ".", everything)
	steps := doc["jobs"].(map[string]any)["servers"].(map[string]any)["steps"].([]any)
	var uses []string
	var env map[string]any
	for _, s := range steps {
		step := s.(map[string]any)
		if u, ok := step["uses"].(string); ok {
			uses = append(uses, strings.SplitN(u, "@", 2)[0])
		}
		if e, ok := step["env"].(map[string]any); ok {
			env = e
		}
	}
	if got, want := strings.Join(uses, " "), "actions/checkout actions/setup-go actions/setup-node actions/setup-python astral-sh/setup-uv github/codeql-action/upload-sarif"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	want := "map[BROWSER_TOKEN:${{ secrets.BROWSER_TOKEN }} GITHUB_ORG:${{ secrets.MCPGEN_GITHUB_ORG }} GITHUB_TOKEN:${{ secrets.GITHUB_TOKEN }} HTTPS_PROXY:${{ secrets.HTTPS_PROXY }} MCPGEN_SECRET_API_KEY:${{ secrets.MCPGEN_SECRET_API_KEY }} REMOTE_TOKEN:${{ secrets.REMOTE_TOKEN }}]"
	if got := fmt.Sprint(env); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	on := doc["on"].(map[string]any)
	if got := fmt.Sprint(on["push"].(map[string]any)["paths"]); got != "[mcpgen.yaml mcpgen.lock]" || on["schedule"] == nil {
		t.Errorf("got %v", on)
	}
	gate, servers, _ := strings.Cut(text, "\n  servers:")
	if strings.Contains(gate, "secrets.") || strings.Contains(text, "continue-on-error") || !strings.Contains(gate, "generate --check") ||
		!strings.Contains(gate, `check --against "$BASE" --format github`) || strings.Contains(gate, "fetch-depth") || !strings.Contains(servers, "github.event_name != 'pull_request'") {
		t.Errorf("want a gate without secrets that runs both checks, and servers that no pull request starts, got\n%s", text)
	}
}

func TestGitLabJob(t *testing.T) {
	text, doc := jobOf(t, "gitlab", ".", everything)
	job := doc["mcpgen:servers"].(map[string]any)
	if got, want := fmt.Sprint(job["before_script"]), `[apt-get update apt-get install -y --no-install-recommends nodejs npm python3 pipx docker.io pipx install uv export PATH="$HOME/.local/bin:$PATH"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(job["services"]), "[docker:dind]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, name := range []string{"BROWSER_TOKEN", "GITHUB_ORG", "HTTPS_PROXY", "MCPGEN_SECRET_API_KEY", "REMOTE_TOKEN"} {
		if !strings.Contains(text, "    #   "+name+"\n") {
			t.Errorf("%s is not named in\n%s", name, text)
		}
	}
	if strings.Contains(text, "allow_failure") || !strings.Contains(fmt.Sprint(job["rules"]), "changes:[mcpgen.yaml mcpgen.lock]") {
		t.Errorf("want rules about the two files and no allow_failure, got\n%s", text)
	}
}

// A project below the repository names its own files, and a job goes there.
func TestJobBelow(t *testing.T) {
	_, doc := jobOf(t, "github", "a b/#c", "servers: {s: {command: node, args: [x.js]}}\n")
	if got, want := fmt.Sprint(doc["on"].(map[string]any)["push"], doc["defaults"]), "map[branches:[main] paths:[a b/#c/mcpgen.yaml a b/#c/mcpgen.lock]] map[run:map[working-directory:a b/#c]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	_, doc = jobOf(t, "gitlab", "a b/#c", "servers: {s: {command: node, args: [x.js]}}\n")
	if got, want := fmt.Sprint(doc["mcpgen:generated"].(map[string]any)["script"]), "[cd 'a b/#c' go tool mcpgen generate --check]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A change of each file that decides what is launched starts the jobs: of imported files, too, without a
// server in them so far.
func TestJobWatchesImports(t *testing.T) {
	root := t.TempDir()
	for name, data := range map[string]string{
		"a/go.mod": "module x\n", ".mcp.json": `{"mcpServers": {}}`, "a/more.json": `{"mcpServers": {"s": {"command": "x"}}}`,
		"a/mcpgen.yaml": "version: 1\nimport: [../.mcp.json, more.json]\n", ".git": "",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(data), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := config.Load(filepath.Join(root, "a", "mcpgen.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, system := range templates.Jobs() {
		data, err := Job(system, p, "(devel)")
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(parseYAML(t, data))
		want := "[a/mcpgen.yaml a/mcpgen.lock .mcp.json a/more.json]"
		if system == "pre-commit" {
			want = `|^\.mcp\.json$|^a/more\.json$ `
		}
		if !strings.Contains(text, want) {
			t.Errorf("%s: want %s in\n%s", system, want, text)
		}
	}
}

// Jobs start mcpgen as the module does: as a tool of go.mod, or of a file beside it.
func TestTool(t *testing.T) {
	dir := t.TempDir()
	below := filepath.Join(dir, "internal", "mcp")
	const tool = "module x\n\ntool github.com/mcpgen/mcpgen/cmd/mcpgen\n"
	for _, step := range []struct{ name, text, want, below string }{
		{"go.work", "", "", ""}, // no go.mod
		{"go.mod", "module x\n", "", ""},
		{"a b.mod", tool, "", ""}, // no name for a directive
		{"broken.mod", tool + "nothing like it", "", ""},
		{"tools.mod", tool, "go tool -modfile=tools.mod mcpgen", "go tool -modfile=../../tools.mod mcpgen"},
		{"go.mod", tool, "go tool mcpgen", "go tool mcpgen"},
	} {
		if err := os.WriteFile(filepath.Join(dir, step.name), []byte(step.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := Tool(dir); got != step.want {
			t.Errorf("with %s: got %q, want %q", step.name, got, step.want)
		}
		if got := Tool(below); got != step.below {
			t.Errorf("with %s: below it got %q, want %q", step.name, got, step.below)
		}
	}
	if err := os.Remove(filepath.Join(dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := config.Parse([]byte("version: 1\nservers: {s: {command: x}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	p.Dir, p.Path = dir, filepath.Join(dir, "mcpgen.yaml")
	for _, system := range templates.Jobs() {
		data, err := Job(system, p, "(devel)")
		if err != nil || !strings.Contains(string(data), "go tool -modfile=tools.mod mcpgen generate --check") || strings.Contains(string(data), "go tool mcpgen") {
			t.Errorf("%s: %v\n%s", system, err, data)
		}
	}
}

// Names that servers, variables and files can have do not get out of their place.
func TestJobHostile(t *testing.T) {
	const evil = "x\n  evil: y #\u2028\x1b${{ github.token }}"
	p := &config.Project{Dir: filepath.Join(t.TempDir(), "a\n: b"), Servers: []endpoint.Server{
		{Name: evil, Source: endpoint.Source{Path: evil}, Launch: &endpoint.Process{Command: "npx", EnvFile: evil, Inherit: endpoint.Inherit{Names: []string{evil, "A B", "true", "É", "OK"}}}},
	}}
	p.Path = filepath.Join(p.Dir, "mcpgen.yaml")
	p.Files = []string{filepath.Join(p.Dir, evil)}
	if err := os.MkdirAll(p.Dir, 0o755); err != nil {
		t.Skip("the system has no such folders: ", err)
	}
	for _, system := range templates.Jobs() {
		data, err := Job(system, p, "(devel)")
		if err != nil {
			t.Fatal(err)
		}
		parseYAML(t, data)
		if strings.Contains(string(data), "\n  evil") || strings.ContainsAny(string(data), "\u2028\x1b") {
			t.Errorf("%s", data)
		}
		if system != "pre-commit" && (!strings.Contains(string(data), "OK") || strings.Contains(string(data), "É")) {
			t.Errorf("%s", data)
		}
	}
}

// Without a configuration the jobs are general ones.
func TestGeneralJob(t *testing.T) {
	for _, system := range templates.Jobs() {
		data, err := Job(system, nil, "(devel)")
		if err != nil || !strings.Contains(string(data), "go tool mcpgen generate --check") || !strings.Contains(string(data), "go tool mcpgen check") {
			t.Errorf("%s: %v\n%s", system, err, data)
		}
		parseYAML(t, data)
	}
}
