//go:build peers

package peers

// A real server is upgraded under a module that uses it: what its developer reads and
// types until everything fits again.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The tools, a prompt and their Go names that the module uses have other names after
// the upgrade.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	m := newModule(t, "upgrade")
	program := filepath.Join(m.dir, "bin", "server")
	install := func(name string) {
		t.Helper()
		_ = os.Remove(program) // there is none at first
		if err := os.MkdirAll(filepath.Dir(program), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(installed, "node_modules", filepath.FromSlash(name), "dist", "index.js"), program); err != nil {
			t.Fatal(err)
		}
	}
	m.env = append(m.env, "XDG_CACHE_HOME="+t.TempDir(), "HOME="+t.TempDir(), "GOCACHE="+strings.TrimSpace(m.do("go", "env", "GOCACHE")), "GOMODCACHE="+strings.TrimSpace(m.do("go", "env", "GOMODCACHE")))
	install("everything-2025")
	m.configure(`command: ./bin/server`, `args: [stdio]`)
	m.do(mcpgen, "generate")
	m.do("go", "vet", "./...")
	m.do("go", "run", ".")
	m.do(mcpgen, "check")

	install("@modelcontextprotocol/server-everything")
	report := m.finds(mcpgen, "check")
	changes, texts, _ := strings.Cut(report, "changed texts: ")
	for part, text := range map[string]string{"report": changes, "part with changed texts": texts} {
		if n := strings.Count(text, "\n"); n > 40 {
			t.Errorf("the %s has %d lines", part, n)
		}
	}
	first, _, _ := strings.Cut(report, "\n\n")
	want := "breaks your code: 4 lines in 1 file\n"
	if !strings.HasPrefix(first, want) {
		t.Errorf("the report begins with\n%s", first)
	}
	for _, name := range []string{"getResourceLinks", "annotatedMessage", "structuredContent", "simple_prompt"} {
		if !strings.Contains(first, name+": renamed to ") {
			t.Errorf("the first part of the report does not name %s:\n%s", name, report)
		}
	}
	m.do(mcpgen, "update", "--yes")
	if diff := m.do(mcpgen, "fix"); !strings.Contains(diff, "+\tweather, err3 := client.GetStructuredContent(ctx, upgrade.GetStructuredContentArgs{") {
		t.Errorf("the code was rewritten to\n%s", diff)
	}
	m.do("go", "vet", "./...")
	m.do("go", "run", ".")
	m.do(mcpgen, "vet", "./...")
	m.do(mcpgen, "check")
}

// finds runs a program that ends with a finding, and returns what it wrote to standard
// output.
func (m *module) finds(name string, args ...string) string {
	m.t.Helper()
	cmd := exec.Command(name, args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = m.dir, m.environment(), &stdout, &stderr
	if _ = cmd.Run(); cmd.ProcessState.ExitCode() != 1 {
		m.t.Fatalf("%s %s: exit code %d\n%s%s", filepath.Base(name), strings.Join(args, " "), cmd.ProcessState.ExitCode(), stdout.String(), stderr.String())
	}
	return stdout.String()
}
