package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// The name of a source is the same on machines that have other folders.
func TestLockSource(t *testing.T) {
	root := t.TempDir()
	home, repository := filepath.Join(root, "home"), filepath.Join(root, "home", "src", "app")
	project := filepath.Join(repository, "agent")
	if err := os.MkdirAll(filepath.Join(repository, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": filepath.Join(root, "settings"), "XDG_DATA_HOME": ""} {
		t.Setenv(name, value)
	}
	for _, tc := range []struct {
		path, format, scope string
		want                lockfile.Source
	}{
		{"home/src/app/agent/mcpgen.yaml", "", "", lockfile.Source{Scope: "project", File: "mcpgen.yaml"}},
		{"home/src/app/agent/.mcp.json", "claude-code", "project", lockfile.Source{Scope: "project", Dialect: "claude-code", File: ".mcp.json"}},
		{"home/src/app/.mcp.json", "claude-code", "", lockfile.Source{Scope: "project", Dialect: "claude-code", File: "../.mcp.json"}},
		{"home/src/app/agent/x.json", "claude-code", "user", lockfile.Source{Scope: "user", Dialect: "claude-code", File: "~/src/app/agent/x.json"}},
		{"home/.claude.json", "claude-code", "local", lockfile.Source{Scope: "user", Dialect: "claude-code", File: "~/.claude.json"}},
		{"settings/x/mcp.json", "x", "user", lockfile.Source{Scope: "user", Dialect: "x", File: "~/.config/x/mcp.json"}},
		{"etc/x.json", "x", "managed", lockfile.Source{Scope: "user", Dialect: "x"}},
		{"etc/x.json", "", "", lockfile.Source{Scope: "user"}},
	} {
		at := endpoint.Source{Path: filepath.Join(root, filepath.FromSlash(tc.path)), Format: tc.format, Scope: tc.scope}
		if got := LockSource(at, project); got != tc.want {
			t.Errorf("%s %s: got %+v, want %+v", tc.path, tc.scope, got, tc.want)
		}
	}
	if got := LockSource(endpoint.Source{Path: "mcpgen.yaml"}, ""); got != (lockfile.Source{}) {
		t.Errorf("without a project: got %+v", got)
	}
	if got := LockSource(endpoint.Source{}, project); got != (lockfile.Source{}) {
		t.Errorf("of a program: got %+v", got)
	}
}
