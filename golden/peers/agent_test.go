//go:build peers

package peers

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/golden/project"
)

// TestAgent runs a program over four servers, as a user would write it: what one call
// returns goes into the next, and nothing is converted on the way.
func TestAgent(t *testing.T) {
	t.Parallel()
	m := bareModule(t, "agent")
	for _, name := range []string{"mcp-server-memory", "mcp-server-filesystem", "playwright-mcp"} {
		m.link(name)
	}
	for name, text := range map[string]string{
		"greet.go": "package greet\n\nfunc Hello(name string) string { return \"Hello, \" + name }\n\nfunc Goodbye(name string) string { return \"Goodbye, \" + name }\n",
		"use.go":   "package greet\n\nvar All = Hello(\"a\") + Hello(\"b\") + Goodbye(\"c\")\n",
	} {
		m.write("greet/"+name, text)
	}
	dir := filepath.Join(m.dir, "greet")
	m.write("mcpgen.yaml", `version: 1
output: internal/mcp
servers:
  filesystem:
    command: ./bin/mcp-server-filesystem
    args: [`+quote(dir)+`]
  gopls:
    command: `+quote(filepath.Join(installed, "go", "gopls"))+`
    args: [mcp]
    inherit_env: all
  memory:
    command: ./bin/mcp-server-memory
    env: {MEMORY_FILE_PATH: `+quote(filepath.Join(m.dir, "memory.jsonl"))+`}
  playwright:
    command: ./bin/playwright-mcp
    args: [--headless, --isolated, --no-sandbox, --executable-path, `+quote(browser(t))+`]
`)
	m.do(mcpgen, "generate")
	m.do("go", "build", "./...")
	m.do("go", "vet", "./...")
	m.do(mcpgen, "vet", "./...")
	const want = "yes, Hello\nyes, Goodbye\ntrue\n"
	if diff := cmp.Diff(want, m.do("go", "run", ".", dir)); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
	page := "<!doctype html>\n<title>2 functions</title>\n<form>\n" +
		"<p><label for=Hello>Hello</label><input id=Hello> used 2 times in use.go\n" +
		"<p><label for=Goodbye>Goodbye</label><input id=Goodbye> used 1 times in use.go\n" +
		"<p>greet.go contains Hello\n<p>greet.go contains Goodbye\n</form>\n"
	if diff := cmp.Diff(page, read(t, filepath.Join(dir, "index.html"))); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
	found, err := project.Conversions(m.dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, place := range found {
		t.Errorf("%s: a conversion between structs", place)
	}
}

// browser is the path of Chromium.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no Chromium: apt-get install chromium")
	return ""
}
