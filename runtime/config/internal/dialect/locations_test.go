package dialect

import (
	"slices"
	"strings"
	"testing"
)

// TestLocations lists where each system's files are on each kind of machine.
func TestLocations(t *testing.T) {
	machines := map[string]Machine{
		"linux":   {OS: "linux", Home: "/home/me", Dir: "/work/app"},
		"darwin":  {OS: "darwin", Home: "/Users/me", Dir: "/work/app"},
		"windows": {OS: "windows", Home: `C:\Users\me`, Dir: `D:\app`, Lookup: lookupIn(map[string]string{"APPDATA": `C:\Users\me\AppData\Roaming`})},
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
		{"kiro", "/work/app/.kiro/settings/mcp.json /home/me/.kiro/settings/mcp.json", "/work/app/.kiro/settings/mcp.json /Users/me/.kiro/settings/mcp.json",
			`D:\app\.kiro\settings\mcp.json C:\Users\me\.kiro\settings\mcp.json`},
		{"copilot-cli", "/work/app/.github/mcp.json /home/me/.copilot/mcp-config.json", "/work/app/.github/mcp.json /Users/me/.copilot/mcp-config.json",
			`D:\app\.github\mcp.json C:\Users\me\.copilot\mcp-config.json`},
		{"crush", "/work/app/.crush.json /work/app/crush.json /home/me/.config/crush/crush.json", "/work/app/.crush.json /work/app/crush.json /Users/me/.config/crush/crush.json",
			`D:\app\.crush.json D:\app\crush.json C:\Users\me\.config\crush\crush.json`},
		{"goose", "/home/me/.config/goose/config.yaml", "/Users/me/.config/goose/config.yaml", `C:\Users\me\AppData\Roaming\Block\goose\config\config.yaml`},
		{"opencode-agents", "/work/app/.agents/mcp.json /home/me/.agents/mcp.json", "/work/app/.agents/mcp.json /Users/me/.agents/mcp.json", `D:\app\.agents\mcp.json C:\Users\me\.agents\mcp.json`},
		{"docker-catalog", "/home/me/.docker/mcp/catalogs/docker-mcp.yaml", "/Users/me/.docker/mcp/catalogs/docker-mcp.yaml", `C:\Users\me\.docker\mcp\catalogs\docker-mcp.yaml`},
		{"mcporter", "/work/app/config/mcporter.json /home/me/.mcporter/mcporter.json /home/me/.mcporter/mcporter.jsonc",
			"/work/app/config/mcporter.json /Users/me/.mcporter/mcporter.json /Users/me/.mcporter/mcporter.jsonc",
			`D:\app\config\mcporter.json C:\Users\me\.mcporter\mcporter.json C:\Users\me\.mcporter\mcporter.jsonc`},
		{"scarab", "/work/app/agent.yaml /work/app/agent.yml /work/app/manifest.yaml /work/app/manifest.yml", "/work/app/agent.yaml /work/app/agent.yml /work/app/manifest.yaml /work/app/manifest.yml",
			`D:\app\agent.yaml D:\app\agent.yml D:\app\manifest.yaml D:\app\manifest.yml`},
		{"server.json", "", "", ""},
	} {
		d, ok := Named(tt.format)
		if !ok {
			t.Fatalf("no dialect %s", tt.format)
		}
		for os, want := range map[string]string{"linux": tt.linux, "darwin": tt.darwin, "windows": tt.windows} {
			if got := pathsOf(d.places(machines[os])); got != want {
				t.Errorf("%s on %s:\n got %s\nwant %s", tt.format, os, got, want)
			}
		}
	}
}

func pathsOf(files []Location) string {
	var paths []string
	for _, f := range files {
		if f.Path != "" { // it is not known on this machine
			paths = append(paths, f.Path)
		}
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
		d, _ := Named(tt.format)
		env := Machine{OS: "linux", Home: "/home/me", Dir: "/work", Lookup: lookupIn(map[string]string{tt.variable: tt.value})}
		if got := pathsOf(d.places(env)); !slices.Contains(strings.Fields(got), tt.want) {
			t.Errorf("%s=%s: %s lacks %s", tt.variable, tt.value, got, tt.want)
		}
	}
	// Where nothing is known of a machine there is nothing to look for.
	for _, d := range All() {
		for _, f := range d.places(Machine{OS: "linux"}) {
			if f.Path != "" && !strings.HasPrefix(f.Path, "/etc/") {
				t.Errorf("%s looks for %q", d.Name, f.Path)
			}
		}
	}
}

func lookupIn(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { value, ok := vars[name]; return value, ok }
}

// TestWorkspace finds the project of a file by the folders that systems have in one.
func TestWorkspace(t *testing.T) {
	for path, want := range map[string]string{
		"/work/.mcp.json": "/work", "/work/.vscode/mcp.json": "/work", "/work/.kiro/settings/mcp.json": "/work",
		"/work/.roo/mcp.json": "/work", "/work/.codex/config.toml": "/work", "/work/.vscode/sub/any.json": "/work/.vscode/sub",
		"/work/.cursor/any.json":     "/work", // a folder of one system, a file of another
		"/work/config/mcporter.json": "/work", "/work/config/any.json": "/work/config",
	} {
		m := Machine{OS: "linux", Home: "/home/me", Dir: "/elsewhere", Read: func(string) ([]byte, error) { return []byte(`{"mcpServers": {}}`), nil }}
		if strings.HasSuffix(path, ".toml") {
			m.Read = func(string) ([]byte, error) { return []byte("[mcp_servers]"), nil }
		}
		if f := Read(m, path, false); f.workspace != want {
			t.Errorf("%s, read as %s: got %s, want %s", path, f.Dialect.Name, f.workspace, want)
		}
	}
}
