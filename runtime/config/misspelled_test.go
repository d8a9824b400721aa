package config_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/config"
)

// A handle of a secret that is spelled another way is literal in a manifest, with a notice
// that has the right spelling. In mcpgen.yaml it is an error.
func TestMisspelledSecrets(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{{ secret:gh-token }}": "{{secret:gh-token}}", "Bearer {{Secret:gh}}": "{{secret:gh}}", "{{secret: gh}}": "{{secret:gh}}", "{{secret :gh}}": "{{secret:gh}}",
		"${secret:gh}": "{{secret:gh}}", "{{secrets:gh}}": "{{secret:gh}}", "{{secret:a}}{{SECRET:b}}": "{{secret:b}}", "{{ secret:gh": "", "{{secret:gh}}": "", `{secret: "x"}`: "", "{{ other:x }}": "",
	} {
		dir := writeFolder(t, map[string]string{"agent.yaml": `apiVersion: scarab/v1
kind: AgentManifest
metadata: {name: a}
spec:
  mcp_servers:
  - name: s
    transport: Stdio
    command: s
    env_template:
    - [TOKEN, '` + text + `']
`})
		p, err := config.LoadServers(filepath.Join(dir, "agent.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		notices := strings.Join(notesOf(p.Notices), "\n")
		if want == "" && notices != "" || !strings.Contains(notices, want) || want != "" && !strings.Contains(notices, "agent.yaml:10:15: spec.mcp_servers[0].env_template[0][1]: ") {
			t.Errorf("%s: notices %q, want %s", text, notices, want)
		}
		_, err = config.Parse([]byte("version: 1\nservers:\n  s:\n    command: s\n    env: {TOKEN: '" + text + "'}\n"))
		if strings.HasPrefix(text, "$") {
			continue // an error of its own
		}
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), "mcpgen.yaml:5:18: servers.s.env.TOKEN: ") || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func notesOf(all []config.Notice) []string {
	var out []string
	for _, n := range all {
		out = append(out, n.String())
	}
	return out
}
