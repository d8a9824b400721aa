package config

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// TestDiscoverElsewhere finds the files of a machine with Windows.
func TestDiscoverElsewhere(t *testing.T) {
	files := map[string]string{
		`C:\Users\me\AppData\Roaming\Claude\claude_desktop_config.json`: `{"mcpServers": {"fs": {"command": "npx", "args": ["--token", "hunter2hunter2"], "env": {"API_KEY": "hunter2hunter2"}}}}`,
		`C:\Users\me\.cursor\mcp.json`:                                  `{"mcpServers": {"w": {"url": "https://h.example/hunter2hunter2hunter2x1y2z3?key=hunter2hunter2", "headers": {"Authorization": "Bearer ${env:TOKEN}"}}}}`,
		`D:\app\.vscode\mcp.json`:                                       "{\"servers\": {\n\"a\": {\"type\": \"stdio\", \"command\": \"${workspaceFolder}\\\\run.exe\", \"cwd\": \"sub\"}}}",
		`D:\app\.codex\config.toml`:                                     "[mcp_servers.broken]\n",
		`C:\Users\me\.gemini\settings.json`:                             `{"theme": "x"}`,
		`C:\Users\me\.claude.json`:                                      `{"projects": {"d:/app": {"mcpServers": {"mine": {"command": "x"}, "workspace": {"command": "x"}, "off": {"command": "y", "disabled": true}}}}}`,
	}
	env := Environment{OS: "windows", Home: `C:\Users\me`, Dir: `D:\app`,
		Lookup: environOf(map[string]string{"APPDATA": `C:\Users\me\AppData\Roaming`}),
		Read: func(path string) ([]byte, error) {
			text, ok := files[path]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return []byte(text), nil
		}}
	var b strings.Builder
	for _, f := range Discover(env) {
		fmt.Fprintf(&b, "%s %s %s [%s]\n", f.Format, f.Scope, f.Path, f.Left)
		for _, s := range f.Servers {
			fmt.Fprintf(&b, "  %d %s %s %s %q [%s]\n", s.Line, s.Name, s.Transport, s.Target, s.Uses, s.Left)
		}
		for _, err := range f.Errors {
			fmt.Fprintf(&b, "  %v\n", err)
		}
	}
	want := `codex project D:\app\.codex\config.toml [malformed]
  D:\app\.codex\config.toml:1:14: mcp_servers.broken: neither command nor url; give it one of them
claude-code local C:\Users\me\.claude.json []
  1 mine stdio x [] []
  1 workspace stdio x [] [the name workspace is reserved in Claude Code, which skips it]
  1 off stdio y [] [disabled]
claude-desktop user C:\Users\me\AppData\Roaming\Claude\claude_desktop_config.json []
  1 fs stdio npx --token ******** [] []
cursor user C:\Users\me\.cursor\mcp.json []
  1 w http https://h.example ["TOKEN"] []
vscode project D:\app\.vscode\mcp.json [untrusted]
  2 a stdio '${workspaceFolder}\run.exe' [] []
`
	if got := b.String(); got != want {
		t.Errorf("got:\n%s", got)
	}
	p, err := Search(Environment{OS: env.OS, Home: env.Home, Dir: env.Dir, Read: env.Read, Lookup: env.Lookup, Trusted: trustAll}, "vscode")
	if err != nil || processOf(p.Servers[0].Launch).Dir != `D:\app\sub` {
		t.Fatalf("got %+v, %v", p, err)
	}
	if r, err := p.Servers[0].Expand("command", processOf(p.Servers[0].Launch).Command, func(endpoint.Reference) (string, bool) { return "", false }); err != nil || r != `D:\app\run.exe` {
		t.Errorf("got %q, %v", r, err)
	}
	if strings.Contains(b.String(), "hunter2") {
		t.Errorf("got %q, want a text without the secret", b.String())
	}
}
