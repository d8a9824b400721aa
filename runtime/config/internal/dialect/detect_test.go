package dialect

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOwnFolder wants a file in the folder of a system whose rules mcpgen applies to be that system's, whatever
// it contains: else its trust, its disabled servers and its literal texts depend on how the user named it.
func TestOwnFolder(t *testing.T) {
	const vscode = `{"servers": {"off": {"type": "stdio", "command": "x", "enabled": false}}}`
	for name, want := range map[string]struct{ text, dialect string }{
		".tallow/settings.json": {vscode, "tallow"},
		".indusvx/mcp.json":     {vscode, "indusr"},
		"indusvx/mcp.json":      {`{"servers": {"off": {"transport": "stdio", "command": "x"}}}`, "indusr"},
		".cursor/mcp.json":      {vscode, "vscode"},
		"settings.json":         {vscode, "vscode"},
		".agents/mcp.json":      {`{"mcp": {"x": {"type": "local", "command": ["x"]}}}`, "opencode"},
	} {
		path := filepath.Join(t.TempDir(), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(want.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if f := Read(Machine{OS: "linux"}, path, true); f.Dialect.Name != want.dialect {
			t.Errorf("%s is read as %q, want %q: %v", name, f.Dialect.Name, want.dialect, f.Errors)
		}
	}
}
