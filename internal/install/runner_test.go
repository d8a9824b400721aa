package install

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

func TestRunner(t *testing.T) {
	for launch, want := range map[string]string{
		"npx -y @scope/x@1.2.3 --port 1":     "npx @scope/x@1.2.3",
		"/usr/local/bin/npx --yes x":         "npx x",
		`C:\node\npx.cmd -y x`:               "npx x",
		"npx -p @scope/x x-server":           "npx @scope/x",
		"npx --package=@scope/x -- x-server": "npx @scope/x",
		"npx --prefix /srv x":                "npx x",
		"npx":                                "npx",
		"npx --no x":                         "",
		"npx --no-install x":                 "",
		"npx -y x --no":                      "npx x", // the server's own
		"npm exec --yes x":                   "npm exec x",
		"npm start":                          "",
		"npm":                                "",
		"pnpm dlx x":                         "pnpm dlx x",
		"bunx x":                             "bunx x",
		"bun x y":                            "bun x y",
		"bun server.ts":                      "",
		"uvx --from git+https://e.com/x y":   "uvx git+https://e.com/x",
		"uvx --from git+https://me:hunter22@e.com/x": "uvx git+https://me:***@e.com/x",
		"uvx --python 3.12 mcp-server-git":           "uvx mcp-server-git",
		"uv --quiet tool run x":                      "uv tool run x",
		"uv run --directory /srv server.py":          "uv run server.py",
		"uv pip list":                                "",
		"pipx run --spec x y":                        "pipx run x",
		"pipx list":                                  "",
		"docker run -i --rm -e TOKEN ghcr.io/o/x:v1": "docker run ghcr.io/o/x:v1",
		"docker run --pull=never -i x":               "",
		"docker run --pull never -i x":               "",
		"docker run --pull always -i x":              "docker run x",
		"docker exec -i box server":                  "",
		"podman run x":                               "podman run x",
		"go run ./cmd/server -v":                     "go run ./cmd/server",
		"go run -C tools example.com/x@v1.0.0":       "go run example.com/x@v1.0.0",
		"go tool server":                             "go tool server",
		"go version":                                 "",
		"cmd /c npx -y x":                            "npx x",
		"CMD.EXE /d /C npx -y x":                     "npx x",
		"sh -c|npx -y x":                             "npx x",
		"bash -lc|cd /srv && exec npx -y 'x'":        "npx x",
		"sh -c|TOKEN=1 uvx x; true":                  "uvx x",
		"sh server.sh":                               "",
		"sh -c|node server.js npx":                   "",
		"env -u HOME A=1 npx -y x":                   "npx x",
		"env A=1 npx -y x":                           "npx x",
		"node server.js":                             "",
		"/opt/npx/server":                            "",
		"env env env env env npx x":                  "",
		"":                                           "",
	} {
		var p endpoint.Process
		if head, script, ok := strings.Cut(launch, "|"); ok {
			words := strings.Fields(head)
			p.Command, p.Args = words[0], append(words[1:], script)
		} else if words := strings.Fields(launch); len(words) > 0 {
			p.Command, p.Args = words[0], words[1:]
		}
		got := ""
		if r, ok := Of(&p); ok {
			got = r.String()
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", launch, got, want)
		}
	}
}
