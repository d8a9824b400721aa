package config

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// TestLocations lists where each system's files are on each kind of machine.
func TestLocations(t *testing.T) {
	machines := map[string]Environment{
		"linux":   {OS: "linux", Home: "/home/me", Dir: "/work/app"},
		"darwin":  {OS: "darwin", Home: "/Users/me", Dir: "/work/app"},
		"windows": {OS: "windows", Home: `C:\Users\me`, Dir: `D:\app`, Lookup: environOf(map[string]string{"APPDATA": `C:\Users\me\AppData\Roaming`})},
	}
	for _, tt := range []struct{ format, linux, darwin, windows string }{
		{"coreagent", "/work/app/.agents/mcp.json /home/me/.agents/mcp.json", "/work/app/.agents/mcp.json /Users/me/.agents/mcp.json", `D:\app\.agents\mcp.json C:\Users\me\.agents\mcp.json`},
		{"covenant", "/home/me/.covenant/secrets.toml", "/Users/me/.covenant/secrets.toml", `C:\Users\me\.covenant\secrets.toml`},
		{"tallow", "/work/app/.tallow/settings.json /home/me/.tallow/settings.json", "/work/app/.tallow/settings.json /Users/me/.tallow/settings.json", `D:\app\.tallow\settings.json C:\Users\me\.tallow\settings.json`},
		{"indusr", "/work/app/.indusvx/mcp.json /home/me/.config/indusvx/mcp.json /home/me/.indusvx/agent/mcp.json /home/me/.indusvx/agent/mcp-servers.json",
			"/work/app/.indusvx/mcp.json /Users/me/.config/indusvx/mcp.json /Users/me/.indusvx/agent/mcp.json /Users/me/.indusvx/agent/mcp-servers.json",
			`D:\app\.indusvx\mcp.json C:\Users\me\.config\indusvx\mcp.json C:\Users\me\.indusvx\agent\mcp.json C:\Users\me\.indusvx\agent\mcp-servers.json`},
		{"claude-desktop", "/home/me/.config/Claude/claude_desktop_config.json /home/me/.config/claude/claude_desktop_config.json",
			"/Users/me/Library/Application Support/Claude/claude_desktop_config.json", `C:\Users\me\AppData\Roaming\Claude\claude_desktop_config.json`},
		{"claude-code", "/etc/claude-code/managed-mcp.json /home/me/.claude.json /work/app/.mcp.json /home/me/.claude.json",
			"/Library/Application Support/ClaudeCode/managed-mcp.json /Users/me/.claude.json /work/app/.mcp.json /Users/me/.claude.json",
			`C:\Program Files\ClaudeCode\managed-mcp.json C:\Users\me\.claude.json D:\app\.mcp.json C:\Users\me\.claude.json`},
		{"vscode", "/work/app/.vscode/mcp.json /home/me/.config/Code/User/mcp.json /home/me/.config/Code - Insiders/User/mcp.json",
			"/work/app/.vscode/mcp.json /Users/me/Library/Application Support/Code/User/mcp.json /Users/me/Library/Application Support/Code - Insiders/User/mcp.json",
			`D:\app\.vscode\mcp.json C:\Users\me\AppData\Roaming\Code\User\mcp.json C:\Users\me\AppData\Roaming\Code - Insiders\User\mcp.json`},
		{"cursor", "/work/app/.cursor/mcp.json /home/me/.cursor/mcp.json /home/me/.config/Cursor/User/mcp.json",
			"/work/app/.cursor/mcp.json /Users/me/.cursor/mcp.json /Users/me/Library/Application Support/Cursor/User/mcp.json",
			`D:\app\.cursor\mcp.json C:\Users\me\.cursor\mcp.json C:\Users\me\AppData\Roaming\Cursor\User\mcp.json`},
		{"windsurf", "/home/me/.codeium/windsurf/mcp_config.json /home/me/.codeium/windsurf-next/mcp_config.json /home/me/.windsurf/mcp_config.json /home/me/.config/.codeium/windsurf/mcp_config.json /home/me/.codeium/mcp_config.json",
			"/Users/me/.codeium/windsurf/mcp_config.json /Users/me/.codeium/windsurf-next/mcp_config.json /Users/me/.windsurf/mcp_config.json /Users/me/.config/.codeium/windsurf/mcp_config.json /Users/me/.codeium/mcp_config.json",
			`C:\Users\me\.codeium\windsurf\mcp_config.json C:\Users\me\.codeium\windsurf-next\mcp_config.json C:\Users\me\.windsurf\mcp_config.json C:\Users\me\.config\.codeium\windsurf\mcp_config.json C:\Users\me\.codeium\mcp_config.json C:\Users\me\AppData\Roaming\Codeium\windsurf\mcp_config.json`},
		{"zed", "/work/app/.zed/settings.json /home/me/.config/zed/settings.json", "/work/app/.zed/settings.json /Users/me/.config/zed/settings.json",
			`D:\app\.zed\settings.json C:\Users\me\AppData\Roaming\Zed\settings.json C:\Users\me\.config\zed\settings.json`},
		{"codex", "/work/app/.codex/config.toml /home/me/.codex/config.toml", "/work/app/.codex/config.toml /Users/me/.codex/config.toml", `D:\app\.codex\config.toml C:\Users\me\.codex\config.toml`},
		{"gemini", "/etc/gemini-cli/settings.json /work/app/.gemini/settings.json /home/me/.gemini/settings.json /etc/gemini-cli/system-defaults.json",
			"/Library/Application Support/GeminiCli/settings.json /work/app/.gemini/settings.json /Users/me/.gemini/settings.json /Library/Application Support/GeminiCli/system-defaults.json",
			`C:\ProgramData\gemini-cli\settings.json D:\app\.gemini\settings.json C:\Users\me\.gemini\settings.json C:\ProgramData\gemini-cli\system-defaults.json`},
		{"opencode-agents", "/work/app/.agents/mcp.json /home/me/.agents/mcp.json", "/work/app/.agents/mcp.json /Users/me/.agents/mcp.json", `D:\app\.agents\mcp.json C:\Users\me\.agents\mcp.json`},
		{"docker-catalog", "/home/me/.docker/mcp/catalogs/docker-mcp.yaml", "/Users/me/.docker/mcp/catalogs/docker-mcp.yaml", `C:\Users\me\.docker\mcp\catalogs\docker-mcp.yaml`},
		{"mcporter", "/work/app/config/mcporter.json /home/me/.mcporter/mcporter.json /home/me/.mcporter/mcporter.jsonc",
			"/work/app/config/mcporter.json /Users/me/.mcporter/mcporter.json /Users/me/.mcporter/mcporter.jsonc",
			`D:\app\config\mcporter.json C:\Users\me\.mcporter\mcporter.json C:\Users\me\.mcporter\mcporter.jsonc`},
		{"scarab", "/work/app/agent.yaml /work/app/agent.yml /work/app/manifest.yaml /work/app/manifest.yml", "/work/app/agent.yaml /work/app/agent.yml /work/app/manifest.yaml /work/app/manifest.yml",
			`D:\app\agent.yaml D:\app\agent.yml D:\app\manifest.yaml D:\app\manifest.yml`},
		{"server.json", "", "", ""},
	} {
		d, ok := dialectNamed(tt.format)
		if !ok {
			t.Fatalf("no dialect %s", tt.format)
		}
		for os, want := range map[string]string{"linux": tt.linux, "darwin": tt.darwin, "windows": tt.windows} {
			if got := pathsOf(d.files(machines[os])); got != want {
				t.Errorf("%s on %s:\n got %s\nwant %s", tt.format, os, got, want)
			}
		}
	}
}

func pathsOf(files []file) string {
	var paths []string
	for _, f := range files {
		paths = append(paths, f.path)
	}
	return strings.Join(paths, " ")
}

// TestLocationVariables moves files by the variables that their systems know.
func TestLocationVariables(t *testing.T) {
	for _, tt := range []struct{ format, variable, value, want string }{
		{"claude-code", "CLAUDE_CONFIG_DIR", "/c", "/c/.claude.json"}, {"codex", "CODEX_HOME", "/x", "/x/config.toml"},
		{"gemini", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", "/s.json", "/s.json"}, {"gemini", "GEMINI_CLI_SYSTEM_DEFAULTS_PATH", "/d.json", "/d.json"},
		{"opencode", "OPENCODE_CONFIG", "/o.json", "/o.json"}, {"opencode", "OPENCODE_CONFIG_DIR", "/o", "/o/opencode.json"},
		{"mcporter", "MCPORTER_CONFIG", "/m.json", "/m.json"}, {"mcporter", "XDG_CONFIG_HOME", "/xdg", "/xdg/mcporter/mcporter.json"},
		{"zed", "XDG_CONFIG_HOME", "/xdg", "/xdg/zed/settings.json"}, {"vscode", "XDG_CONFIG_HOME", "/xdg", "/xdg/Code/User/mcp.json"},
		{"indusr", "XDG_CONFIG_HOME", "/xdg", "/xdg/indusvx/mcp.json"},
	} {
		d, _ := dialectNamed(tt.format)
		env := Environment{OS: "linux", Home: "/home/me", Dir: "/work", Lookup: environOf(map[string]string{tt.variable: tt.value})}
		if got := pathsOf(d.files(env)); !slices.Contains(strings.Fields(got), tt.want) {
			t.Errorf("%s=%s: %s lacks %s", tt.variable, tt.value, got, tt.want)
		}
	}
	// Where nothing is known of a machine there is nothing to look for.
	for _, d := range dialects() {
		for _, f := range d.files(Environment{OS: "linux"}) {
			if f.path != "" && !strings.HasPrefix(f.path, "/etc/") {
				t.Errorf("%s looks for %q", d.name, f.path)
			}
		}
	}
}

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
	p, err := Search(Environment{OS: env.OS, Home: env.Home, Dir: env.Dir, Read: env.Read, Lookup: env.Lookup, Trusted: trusted}, "vscode")
	if err != nil || p.Servers[0].Dir != `D:\app\sub` {
		t.Fatalf("got %+v, %v", p, err)
	}
	if r, err := p.Servers[0].Expand("command", p.Servers[0].Command, environOf(nil)); err != nil || r != `D:\app\run.exe` {
		t.Errorf("got %q, %v", r, err)
	}
	if strings.Contains(b.String(), "hunter2") {
		t.Error("a secret is shown")
	}
}
