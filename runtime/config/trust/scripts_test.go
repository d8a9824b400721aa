package trust

import (
	"os"
	"path/filepath"
	"testing"
)

// What is judged is what was read, whatever the file holds by now.
func TestTrustedIsWhatWasRead(t *testing.T) {
	const good, evil = `{"mcpServers":{"a":{"command":"good"}}}`, `{"mcpServers":{"a":{"command":"evil"}}}`
	s, dir := newStore(t), makeProject(t, map[string]string{".mcp.json": good, ".codex/config.toml": ""})
	if _, err := s.Trust(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, ".mcp.json")
	for _, tt := range []struct {
		onDisk, read string
		want         Status
	}{
		{good, good, Trusted},
		{good, evil, Stale},
		{evil, good, Trusted},
		{evil, evil, Stale},
	} {
		writeFile(t, dir, ".mcp.json", tt.onDisk)
		if got, err := s.Trusted(path, []byte(tt.read)); got != tt.want || err != nil {
			t.Errorf("read %s where there is %s: %s, %v; want %s", tt.read, tt.onDisk, got, err, tt.want)
		}
	}
	writeFile(t, dir, ".mcp.json", good)
	// Another file of the project counts as it is on the disk.
	writeFile(t, dir, ".codex/config.toml", "a = 1\n")
	if got, err := s.Trusted(path, []byte(good)); got != Stale || err != nil {
		t.Errorf("beside a changed file: %s, %v", got, err)
	}
	writeFile(t, dir, ".codex/config.toml", "")
	// A file that no fingerprint covers cannot have been trusted.
	if got, err := s.Trusted(filepath.Join(dir, "other.json"), []byte(evil)); got != Stale || err != nil {
		t.Errorf("a file of no system: %s, %v", got, err)
	}
}

// What a project's file starts inside the project counts with its content.
func TestScripts(t *testing.T) {
	for name, tt := range map[string]struct {
		file, text string // the project's file
		script     string // what is rewritten
		want       Status
	}{
		"command":           {".mcp.json", `{"mcpServers":{"a":{"command":"./serve"}}}`, "serve", Stale},
		"argument":          {".mcp.json", `{"mcpServers":{"a":{"command":"node","args":["tools/server.js"]}}}`, "tools/server.js", Stale},
		"flag":              {".mcp.json", `{"mcpServers":{"a":{"command":"node","args":["--require=./hook.cjs","x"]}}}`, "hook.cjs", Stale},
		"of a shell":        {".mcp.json", `{"mcpServers":{"a":{"command":"sh","args":["-c","exec ./run.sh --fast"]}}}`, "run.sh", Stale},
		"escaped":           {".mcp.json", `{"mcpServers":{"a":{"command":"node","args":["\u002e/serv\u0065r.js"]}}}`, "server.js", Stale},
		"a quote in it":     {".mcp.json", `{"mcpServers":{"a":{"command":"./a\"b.sh"}}}`, `a"b.sh`, Stale},
		"twice":             {".mcp.json", `{"mcpServers":{"a":{"command":"./first.sh","command":"x"}}}`, "first.sh", Stale},
		"variable":          {".mcp.json", `{"mcpServers":{"a":{"command":"${CLAUDE_PROJECT_DIR:-.}/bin/x.sh"}}}`, "bin/x.sh", Stale},
		"from its folder":   {".vscode/mcp.json", `{"servers":{"a":{"command":"node","args":["start.js"]}}}`, ".vscode/start.js", Stale},
		"file of variables": {".vscode/mcp.json", `{"servers":{"a":{"command":"node","envFile":"${workspaceFolder}/.env"}}}`, ".env", Stale},
		"comments":          {".vscode/mcp.json", `{/* mine */"servers":{"a":{"command":"./serve",},}}`, "serve", Stale},
		"toml":              {".codex/config.toml", "[mcp_servers.a]\ncommand = \"\\u002e/serve\"\n", "serve", Stale},
		"manifest":          {"agent.yaml", "apiVersion: scarab/v1\nkind: AgentManifest\nspec: {mcp_servers: [{name: a, command: node, args: [\"\\u002e/serve.js\"], args: [x]}]}\n", "serve.js", Stale},
		"no manifest":       {"manifest.yaml", "kind: Deployment\nspec: {mcp_servers: [{name: a, command: ./serve.sh}]}\n", "serve.sh", Trusted},
		"data":              {".mcp.json", `{"mcpServers":{"a":{"command":"sqlite","args":["data.db"]}}}`, "data.db", Trusted},
		"not named":         {".mcp.json", `{"mcpServers":{"a":{"command":"node","args":["server.js"]}}}`, "other.js", Trusted},
	} {
		t.Run(name, func(t *testing.T) {
			s, dir := newStore(t), makeProject(t, map[string]string{tt.file: tt.text, tt.script: "one"})
			if filepath.Ext(tt.script) == "" {
				if err := os.Chmod(filepath.Join(dir, filepath.FromSlash(tt.script)), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := s.Trust(dir); err != nil {
				t.Fatal(err)
			}
			if got := statusOf(t, s, dir); got != Trusted {
				t.Fatalf("as it was trusted: %s", got)
			}
			writeFile(t, dir, tt.script, "two")
			if got := statusOf(t, s, dir); got != tt.want {
				t.Errorf("%s was rewritten: %s, want %s", tt.script, got, tt.want)
			}
			if tt.want != Stale {
				return
			}
			if err := os.Remove(filepath.Join(dir, filepath.FromSlash(tt.script))); err != nil {
				t.Fatal(err)
			}
			if got := statusOf(t, s, dir); got != Stale {
				t.Errorf("%s is gone: %s", tt.script, got)
			}
		})
	}
}

// What lies outside of the project is not looked at: it is not the project's.
func TestScriptsOutside(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "tool.sh")
	if err := os.WriteFile(outside, []byte("one"), 0o700); err != nil {
		t.Fatal(err)
	}
	s, dir := newStore(t), makeProject(t, map[string]string{".mcp.json": `{"mcpServers":{"a":{"command":"` + filepath.ToSlash(outside) + `"}}}`})
	if _, err := s.Trust(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(outside, []byte("two"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := statusOf(t, s, dir); got != Trusted {
		t.Errorf("got %s", got)
	}
}
