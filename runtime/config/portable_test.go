package config

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
)

// TestPortable writes servers of a user's own files as an mcpgen.yaml has them, and
// reads them again.
func TestPortable(t *testing.T) {
	const token = "ghp_0123456789abcdef0123456789abcdef0123"
	files := map[string]string{
		"/home/u/.cursor/mcp.json": `{"mcpServers": {
			"a": {"command": "/opt/a", "args": ["--root=/home/u/app/data", "/home/u/app", "/home/u/other", "${workspaceFolder}/x", "${env:LEVEL}"],
				"env": {"API_KEY": "` + planted + `", "LEVEL": "info", "DATA": "/home/u/app/data", "OTHER": "${env:THIS}", "BOTH": "${env:THIS}-` + planted + `", "a.b": "c"}},
			"b": {"url": "https://h.example/mcp?api_key=` + planted + `&v=1", "headers": {"Authorization": "Bearer ` + planted + `", "X-Team": "core", "X-Ref": "Bearer ${env:T}"}},
			"c": {"command": "x", "args": ["--api-key", "` + planted + `", "--api-key=` + token + `", "-e", "DB_PASSWORD=` + planted + `", "` + token + `", "${", "{{secret:x}}"], "env": {"API_KEY": "another"}},
			"d": {"command": "x", "cwd": "/srv"},
			"e": {"command": "x", "envFile": "/srv/.env"}}}`,
		"/home/u/.claude.json": `{"mcpServers": {
			"f": {"command": "x", "args": ["${BASE:-https://base.example}/mcp", "${HOST}:${PORT:-80}", "${KEY:-` + token + `}"], "env": {"K": "${KEY:-` + planted + `}"}},
			"g": {"type": "sse", "url": "https://h.example", "oauth": {"clientId": "id", "clientSecret": "` + planted + `"}}}}`,
		"/home/u/.config/Code/User/mcp.json": `{"inputs": [{"id": "my-key", "type": "promptString"}], "servers": {
			"h": {"type": "stdio", "command": "x", "args": ["--token", "${input:my-key}"], "env": {"K": "${input:my-key}"}}}}`,
		"/home/u/.codex/config.toml": "[mcp_servers.i]\nurl = 'https://h.example'\nbearer_token_env_var = 'I_TOKEN'\n[mcp_servers.j]\ncommand = 'x'\nenv_vars = ['A']\nenabled_tools = ['t']\nstartup_timeout_sec = 2\n",
	}
	want := map[string]string{
		"a": `{"command":"/opt/a","args":["--root=${dir}/data","${dir}","/home/u/other","${dir}/x","${env:LEVEL}"],"env":[{"Name":"API_KEY","Value":"${env:A_API_KEY}"},{"Name":"LEVEL","Value":"${env:LEVEL}"},{"Name":"DATA","Value":"${dir}/data"},{"Name":"OTHER","Value":"${env:THIS}"},{"Name":"BOTH","Value":"${env:BOTH}"},{"Name":"a.b","Value":"${env:A_A_B}"}]} /home/u/other /opt/a`,
		"b": `{"url":"https://h.example/mcp?api_key=${env:B_API_KEY}&v=1","headers":[{"Name":"Authorization","Value":"Bearer ${env:B_TOKEN}"},{"Name":"X-Team","Value":"${env:B_X_TEAM}"},{"Name":"X-Ref","Value":"Bearer ${env:T}"}]}`,
		"c": `{"command":"x","args":["--api-key","${env:C_API_KEY}","--api-key=${env:C_API_KEY_2}","-e","DB_PASSWORD=${env:C_DB_PASSWORD}","${env:C_SECRET}","$${","${{secret:x}}"],"env":[{"Name":"API_KEY","Value":"${env:C_API_KEY_3}"}]}`,
		"d": `it starts in a folder other than the project's`,
		"e": `its environment variables are in a file`,
		"f": `{"command":"x","args":["${env:BASE:-https://base.example}/mcp","${env:HOST}:${env:PORT:-80}","${env:KEY}"],"env":[{"Name":"K","Value":"${env:F_K}"}]}`,
		"g": `{"url":"https://h.example","auth":{"oauth":{"client_id":"id","client_secret":"${env:G_CLIENT_SECRET}"}},"transport":"sse"}`,
		"h": `{"command":"x","args":["--token","${env:MY_KEY}"],"env":[{"Name":"K","Value":"${env:MY_KEY}"}]}`,
		"i": `{"url":"https://h.example","headers":[{"Name":"Authorization","Value":"Bearer ${env:I_TOKEN}"}],"transport":"http"}`,
		"j": `{"command":"x","inherit_env":{"All":false,"Names":["A"],"Without":null},"tools":{"include":["t"]},"timeout":{"start":2000000000}}`,
	}
	env := Environment{OS: "linux", Home: "/home/u", Dir: "/home/u/app", Lookup: environOf(nil), Read: func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}}
	seen := 0
	for _, f := range Discover(env) {
		for _, s := range f.Servers {
			seen++
			text := s.Bound
			if s.Entry != nil {
				var out strings.Builder
				enc := json.NewEncoder(&out)
				enc.SetEscapeHTML(false)
				if err := enc.Encode(s.Entry); err != nil {
					t.Fatal(err)
				}
				text = strings.TrimSpace(out.String())
				text = strings.ReplaceAll(text, `"inherit_env":{"All":false,"Names":null,"Without":null},`, "")
				text = strings.ReplaceAll(text, `,"inherit_env":{"All":false,"Names":null,"Without":null}`, "")
				for _, path := range s.Local {
					text += " " + path
				}
			}
			if text != want[s.Name] {
				t.Errorf("%s:\ngot  %s\nwant %s", s.Name, text, want[s.Name])
			}
			if strings.Contains(text, "hunter2") || strings.Contains(text, token) {
				t.Errorf("%s holds a secret", s.Name)
			}
		}
	}
	if seen != len(want) {
		t.Errorf("%d servers, want %d", seen, len(want))
	}
}
