package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

func ExampleParse() {
	project, err := Parse([]byte(`
version: 1
servers:
  github:
    command: github-mcp
    env: {GITHUB_TOKEN: "${env:GITHUB_TOKEN}"}
    tools: {rename: {list_pull_requests: ListPRs}}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range project.Servers {
		fmt.Println(s.Name, processOf(s.Launch).Command, project.Build[s.Name].Package, project.Output)
	}
	// Output: github github-mcp github internal/mcp
}

func ExampleParse_mistake() {
	_, err := Parse([]byte(`
version: 1
servers:
  github:
    comand: github-mcp
    url: https://example.com/mcp
`))
	fmt.Println(err)
	// Output: mcpgen.yaml:5:5: servers.github.comand: unknown key; did you mean "command"?
}

func TestParse(t *testing.T) {
	t.Run("import", func(t *testing.T) {
		_, err := Parse([]byte("version: 1\nimport: [.mcp.json]\n"))
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Path != "" || e.Line != 2 || e.Column != 10 || !strings.Contains(e.Reason, "no folder for imports") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("formats", func(t *testing.T) {
		want, err := Parse([]byte("version: 1\nservers: {a: {command: x}}"))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{
			`{"version": 1, "servers": {"a": {"command": "x"}}}`,
			"// comment\n{\"version\": 1,\n\"servers\": {\"a\": {\"command\": \"x\",},},}",
			"\ufeff/* comment */ {\"version\": 1, \"servers\": {\"a\": {\"command\": \"x\"}}}",
			"\ufeffversion: 1\nservers:\n  a:\n    command: x",
			"version: 1\r\nservers:\r\n  a:\r\n    command: x\r\n",
			"---\nversion: 1\nservers: {a: {command: x}}\n...\n",
		} {
			got, err := Parse([]byte(text))
			if diff := cmp.Diff(want, got, ignoreLayout()...); diff != "" || err != nil {
				t.Errorf("%q: %v\n%s", text, err, diff)
			}
		}
	})
	t.Run("folder", func(t *testing.T) {
		p, err := Parse([]byte("version: 1\nservers: {a: {command: ./x}}"))
		if err != nil || p.Dir != "" || p.Path != "" || processOf(p.Servers[0].Launch).Dir != "" {
			t.Errorf("got %+v, %v", p, err)
		}
	})
}

// ignoreLayout leaves out what a file's layout decides.
func ignoreLayout() []cmp.Option {
	return []cmp.Option{
		cmpopts.IgnoreFields(endpoint.Server{}, "Source", "Expand", "LoadText"),
		cmpopts.IgnoreFields(Definition{}, "Column", "Origins"),
		cmpopts.IgnoreUnexported(Project{}), cmpopts.IgnoreFields(Project{}, "Files"),
	}
}

func loadServers(t *testing.T, text string) *Project {
	t.Helper()
	path := filepath.Join(t.TempDir(), "servers.json")
	writeFile(t, path, text)
	p, err := LoadServers(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestOrder wants the same project whatever the order of keys is.
func TestOrder(t *testing.T) {
	a := loadServers(t, `{"mcpServers": {"a": {"command": "x", "args": ["y"]}, "b": {"type": "http", "url": "https://b.example"}}}`)
	b := loadServers(t, `{"mcpServers": {"a": {"args": ["y"], "command": "x"}, "b": {"url": "https://b.example", "type": "http"}}}`)
	if diff := cmp.Diff(a, b, append(ignoreLayout(), cmpopts.IgnoreFields(Project{}, "Dir", "Definitions"))...); diff != "" {
		t.Errorf("the order of members changes the servers (-first +second):\n%s", diff)
	}
}

// TestTransports wants every spelling of other systems.
func TestTransports(t *testing.T) {
	for said, want := range map[string]endpoint.Transport{
		"http": endpoint.HTTP, "streamable-http": endpoint.HTTP, "streamableHttp": endpoint.HTTP, "sse": endpoint.SSE,
	} {
		for _, key := range []string{"type", "transport"} {
			p := loadServers(t, fmt.Sprintf(`{"mcpServers": {"a": {%q: %q, "url": "https://a.example"}}}`, key, said))
			if addressOf(p.Servers[0].Launch).Transport != want {
				t.Errorf("%s %s: got %q, want %q", key, said, addressOf(p.Servers[0].Launch).Transport, want)
			}
		}
	}
}

func TestSize(t *testing.T) {
	for text, want := range map[string]int64{
		"1B": 1, "1KB": 1000, "1 KB": 1000, "1KiB": 1024, "16MiB": 16 << 20, "2MB": 2_000_000, "1GiB": 1 << 30, "1GB": 1e9,
		"": -1, "1": -1, "0B": -1, "-1B": -1, "1.5MiB": -1, "1mib": -1, "1  KB": -1, "2GiB": -1, "9223372036854775808B": -1, "9223372036854775807GiB": -1, "KiB": -1,
	} {
		if got, err := parseSize(text); (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("%q: got %d, %v; want %d", text, got, err, want)
		}
	}
}

// A project knows the files that it was read from, and those that were looked for.
func TestFiles(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(dir, "mcpgen.yaml"), "version: 1\nimport: [.mcp.json, tallow]\n")
	writeFile(t, filepath.Join(dir, ".mcp.json"), `{"mcpServers": {"a": {"command": "a"}}}`)
	p, err := Environment{OS: "linux", Home: home, Dir: dir}.Load(filepath.Join(dir, "mcpgen.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		filepath.Join(dir, "mcpgen.yaml"), filepath.Join(dir, ".mcp.json"), filepath.Join(dir, ".tallow", "settings.json"), filepath.Join(home, ".tallow", "settings.json"),
	} {
		if !slices.Contains(p.Files, want) {
			t.Errorf("%s is not in %q", want, p.Files)
		}
	}
}
