package pages

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// project is a module with servers, code and a history, and the catalogue of it.
type project struct {
	dir    string // of the module
	docs   string // of the catalogue
	mcpgen string // the command
}

// agent calls some tools.
const agent = `// Package agent reads and files issues.
package agent

import (
	"context"

	"example.com/assistant/internal/mcp/filesystem"
	"example.com/assistant/internal/mcp/github"
	"example.com/assistant/internal/mcp/memory"
)

// Triage looks at the issues of a repository and remembers them.
func Triage(ctx context.Context) error {
	if _, err := github.ListIssues(ctx, github.ListIssuesArgs{Owner: "o", Repo: "r"}); err != nil {
		return err
	}
	if _, err := filesystem.WriteFile(ctx, filesystem.WriteFileArgs{Path: "a", Content: "b"}); err != nil {
		return err
	}
	_, err := memory.ReadGraph(ctx, memory.ReadGraphArgs{})
	return err
}
`

const policyText = `policy:
  mode: ask
  allow: ['tool:github/get_*', 'tool:github/list_*', 'tool:memory/*']
  deny: ['tool:github/delete_*']
`

// newProject makes the project with the programs of the checkout and writes its
// catalogue.
func newProject(t *testing.T) project {
	t.Helper()
	p := project{dir: t.TempDir()}
	p.docs = filepath.Join(p.dir, "site")
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	p.run(t, root, "go", "build", "-o", bin, "./cmd/mcpgen", "./golden/testserver/cmd/mcptestserver")
	p.mcpgen = filepath.Join(bin, "mcpgen")
	listings, err := filepath.Glob(filepath.Join(root, "golden", "corpus", "servers", "*.json"))
	if err != nil || len(listings) < 8 {
		t.Fatal(listings, err)
	}
	var names []string
	for _, file := range listings {
		data := read(t, file)
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".json"))
		p.write(t, filepath.Base(file), data)
	}
	p.write(t, "hostile.json", hostile(t, root))
	p.write(t, "github.json", older(t, read(t, filepath.Join(root, "golden", "corpus", "servers", "github.json"))))
	p.write(t, "mcpgen.yaml", config(filepath.Join(bin, "mcptestserver"), append(names, "hostile")))
	p.write(t, "go.mod", "module example.com/assistant\n\ngo 1.26.0\n\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => "+root+"\n")
	p.write(t, "agent/agent.go", agent)
	p.run(t, p.dir, p.mcpgen, "generate", "--yes")
	p.run(t, p.dir, p.mcpgen, "update", "--yes", "hostile", "--accept", "hostile/*/*") // what generate leaves out
	p.run(t, p.dir, "git", "init", "-q")
	p.commit(t, "typed calls for nine servers")
	p.write(t, "github.json", read(t, filepath.Join(root, "golden", "corpus", "servers", "github.json")))
	p.run(t, p.dir, p.mcpgen, "update", "github", "--yes")
	p.commit(t, "github: update to the current tools")
	p.run(t, p.dir, p.mcpgen, "docs", "--out", "site")
	return p
}

// commit adds everything to the history.
func (p project) commit(t *testing.T, message string) {
	t.Helper()
	p.run(t, p.dir, "git", "add", ".")
	p.run(t, p.dir, "git", "-c", "user.email=dev@example.com", "-c", "user.name=dev", "commit", "-q", "-m", message)
}

func (p project) write(t *testing.T, name, text string) {
	t.Helper()
	name = filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// pages are the files of the catalogue, as addresses.
func (p project) pages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(p.docs, "*", "*.html"))
	if err != nil || len(found) != 9 {
		t.Fatal(found, err)
	}
	return append([]string{p.url("index.html")}, mapped(found, fileURL)...)
}

func (p project) url(name string) string {
	return fileURL(filepath.Join(p.docs, filepath.FromSlash(name)))
}

func fileURL(file string) string { return "file://" + filepath.ToSlash(file) }

func mapped(list []string, f func(string) string) []string {
	var out []string
	for _, s := range list {
		out = append(out, f(s))
	}
	return out
}

func config(server string, names []string) string {
	var b strings.Builder
	b.WriteString("version: 1\ndocs: html\n" + policyText + "servers:\n")
	for _, name := range names {
		fmt.Fprintf(&b, "  %s: {command: %s, args: [replay, %s.json]}\n", name, server, name)
	}
	return b.String()
}

// hostile is the listing of a server that says every text of the payloads everywhere.
func hostile(t *testing.T, root string) string {
	t.Helper()
	var payloads []struct{ Name, Text string }
	if err := json.Unmarshal([]byte(read(t, filepath.Join(root, "golden", "hostile", "payloads.json"))), &payloads); err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, attack := range []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</style><svg onload=alert(1)>`, `</script><script>alert(1)</script>`,
		`' onmouseover='alert(1)`, `javascript:alert(1)`, `[x](javascript:alert(1))`, `<meta http-equiv=refresh content="0;url=data:text/html,x">`, `{{alert(1)}} ${alert(1)}`,
	} {
		payloads = append(payloads, struct{ Name, Text string }{attack, attack})
	}
	var tools []map[string]any
	for i, p := range payloads {
		if len(p.Text) > 2000 {
			continue
		}
		text = p.Text
		tools = append(tools, map[string]any{
			"name": fmt.Sprintf("t%d", i), "description": text, "annotations": map[string]any{"title": text},
			"inputSchema": map[string]any{"type": "object", "description": text, "properties": map[string]any{
				text: map[string]any{"type": "string", "description": text, "enum": []string{text, "other"}, "default": text},
			}},
			"outputSchema": map[string]any{"type": "object", "properties": map[string]any{"x": map[string]any{"type": "object", "title": text}}},
		}, map[string]any{"name": text + fmt.Sprint(i), "inputSchema": map[string]any{"type": "object"}})
	}
	data, err := json.Marshal(map[string]any{
		"protocolVersion": "2025-11-25", "serverInfo": map[string]any{"name": "</title><script>alert(1)</script>", "version": text},
		"instructions": "<script>alert(1)</script>\n\n" + text, "tools": tools,
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// older is a listing before its last update: tools are missing, and others were worded
// and typed otherwise.
func older(t *testing.T, listing string) string {
	t.Helper()
	var now map[string]any
	if err := json.Unmarshal([]byte(listing), &now); err != nil {
		t.Fatal(err)
	}
	tools := now["tools"].([]any)
	now["tools"] = slices.DeleteFunc(tools, func(tool any) bool {
		return strings.HasPrefix(tool.(map[string]any)["name"].(string), "delete_")
	})
	first := now["tools"].([]any)[0].(map[string]any)
	first["description"] = "What it was before."
	second := now["tools"].([]any)[1].(map[string]any)
	second["inputSchema"].(map[string]any)["properties"].(map[string]any)["legacy"] = map[string]any{"type": "string"}
	data, err := json.Marshal(now)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// run runs a program to its end.
func (p project) run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GIT_CONFIG_GLOBAL="+os.DevNull)
	if dir == p.dir { // of which nothing but the checkout is needed
		cmd.Env = append(cmd.Env, "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}
