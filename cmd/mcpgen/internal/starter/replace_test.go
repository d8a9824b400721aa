package starter

import (
	"strings"
	"testing"
)

func TestReplaceWord(t *testing.T) {
	const old, new = "@scope/pkg@1.2.3", "@scope/pkg@2.0.0"
	for name, tt := range map[string]struct {
		ending, text string
		want         int // which occurrence of old; 0: it cannot be told
	}{
		"flow":          {".yaml", "# @scope/pkg@1.2.3\nservers:\n  a: {command: npx, args: [-y, '@scope/pkg@1.2.3']} # was @scope/pkg@1.2.3\n", 2},
		"two servers":   {".yml", "servers:\n  b:\n    args:\n      - '@scope/pkg@1.2.3'\n  a:\n    args: ['-y', \"@scope/pkg@1.2.3\"]\n", 2},
		"longer word":   {".yaml", "servers:\n  a: {command: npx, args: ['@scope/pkg@1.2.34', '@scope/pkg@1.2.3', 'x@scope/pkg@1.2.3']}\n", 2},
		"behind a flag": {".yaml", "servers:\n  a: {command: npx, args: ['--package=@scope/pkg@1.2.3', server]}\n", 1},
		"in a script":   {".yaml", "servers:\n  a: {command: sh, args: [-c, npx -y @scope/pkg@1.2.3]}\n", 1},
		"json":          {".json", "// @scope/pkg@1.2.3\n{\"mcpServers\": {\"a\": {\"command\": \"npx\", \"args\": [\"-y\", \"@scope/pkg@1.2.3\",],},}}", 2},
		"toml":          {".toml", "[mcp_servers.a]\ncommand = \"npx\"\nargs = ['-y', '@scope/pkg@1.2.3']\n", 1},
		"a list":        {".yaml", "servers:\n  - name: a\n    command: npx\n    args: [-y, '@scope/pkg@1.2.3']\n", 1},
		"two places":    {".yaml", "servers:\n  a: {command: npx, args: ['@scope/pkg@1.2.3', '@scope/pkg@1.2.3']}\n", 0},
		"an alias":      {".yaml", "x: &x '@scope/pkg@1.2.3'\nservers:\n  a: {command: npx, args: [*x]}\n", 0},
		"escaped":       {".json", `{"mcpServers":{"a":{"args":["\u0040scope/pkg@1.2.3"]}}}`, 0},
		"broken":        {".json", `{"mcpServers": `, 0},
	} {
		got, err := ReplaceWord(tt.ending, []byte(tt.text), "a", old, new)
		want := ""
		if tt.want > 0 {
			parts := strings.SplitN(tt.text, old, tt.want+1)
			want = strings.Join(parts[:tt.want], old) + new + parts[tt.want]
		}
		if string(got) != want || (err == nil) != (tt.want > 0) {
			t.Errorf("%s: got %q, %v; want %q", name, got, err, want)
		}
	}
}
