package artifact

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

const sum = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

// writeTree writes files below a folder, with $ROOT for the folder in their texts.
func writeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "$ROOT", root)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func npmLock(version, integrity string) string {
	return `{"packages": {"node_modules/@scope/server": {"version": "` + version + `", "integrity": "` + integrity + `"}}}`
}

func TestOf(t *testing.T) {
	const inCache = "_npx/eb026b3f13ad0f2b/package-lock.json"
	goMod := "module example.com/app\n\ngo 1.26\n\ntool example.com/tools/cmd/server\n\nrequire (\n\texample.com/tools v1.2.3\n\texample.com/tools/other v0.1.0\n)\n"
	goSum := "example.com/tools v1.2.3 " + sum + "\nexample.com/tools v1.2.3/go.mod h1:x\n"
	npm := lockfile.Artifact{Kind: lockfile.ArtifactNPM, Name: "@scope/server", Version: "1.4.2", Integrity: "sha512-AAAA"}
	module := lockfile.Artifact{Kind: lockfile.ArtifactGo, Name: "example.com/tools", Version: "v1.2.3", Integrity: sum}
	none := lockfile.Artifact{}
	for name, tc := range map[string]struct {
		files map[string]string
		words string
		want  lockfile.Artifact
	}{
		"npx":                {map[string]string{"home/.npm/" + inCache: npmLock("1.4.2", "sha512-AAAA")}, "npx -y @scope/server", npm},
		"npx behind cmd":     {map[string]string{"home/.npm/" + inCache: npmLock("1.4.2", "sha512-AAAA")}, "cmd /c npx -y @scope/server", npm},
		"npx behind a shell": {map[string]string{"home/.npm/" + inCache: npmLock("1.4.2", "sha512-AAAA")}, "env npx -y @scope/server", none},
		"cache in .npmrc":    {map[string]string{"home/.npmrc": "cache = $ROOT/other\n", "other/" + inCache: npmLock("1.4.2", "sha512-AAAA")}, "npx -y @scope/server", npm},
		"cache by a flag":    {map[string]string{"home/.npm/" + inCache: npmLock("1.4.2", "sha512-AAAA")}, "npx --cache=/x -y @scope/server", none},
		"two packages":       {map[string]string{"home/.npm/" + inCache: npmLock("1.4.2", "sha512-AAAA")}, "npx -p @scope/server -p x server", none},
		"local copy":         {map[string]string{"home/.npm/" + inCache: npmLock("1.4.2", "sha512-AAAA"), "node_modules/@scope/server/package.json": "{}"}, "npx -y @scope/server", none},
		"global copy":        {map[string]string{"home/.npm/" + inCache: npmLock("1.4.2", "sha512-AAAA"), "bin/npx": "", "lib/node_modules/@scope/server/package.json": "{}"}, "npx -y @scope/server", none},
		"no cache":           {nil, "npx -y @scope/server", none},
		"no JSON":            {map[string]string{"home/.npm/" + inCache: "{"}, "npx -y @scope/server", none},
		"hostile version":    {map[string]string{"home/.npm/" + inCache: npmLock(`1\u001b[2J`, "sha512-AAAA")}, "npx -y @scope/server", none},
		"hostile integrity":  {map[string]string{"home/.npm/" + inCache: npmLock("1.4.2", "sha512-A A")}, "npx -y @scope/server", none},
		"a path as package":  {map[string]string{"home/.npm/" + inCache: npmLock("1.4.2", "sha512-AAAA")}, "npx -y ../../x", none},
		"go run":             {map[string]string{"mod/cache/download/example.com/tools/@v/v1.2.3.ziphash": sum}, "go run example.com/tools/cmd/server@v1.2.3", module},
		"go run of a query":  {map[string]string{"mod/cache/download/example.com/tools/@v/v1.2.3.ziphash": sum}, "go run example.com/tools/cmd/server@latest", none},
		"go run up":          {map[string]string{"x": sum}, "go run ../../x@v1.2.3", none},
		"go run of a module": {map[string]string{"go.mod": goMod, "go.sum": goSum}, "go run example.com/tools/cmd/server", module},
		"go tool":            {map[string]string{"go.mod": goMod, "go.sum": goSum}, "go tool server", module},
		"another tool":       {map[string]string{"go.mod": goMod, "go.sum": goSum}, "go tool client", none},
		"replaced":           {map[string]string{"go.mod": goMod + "replace example.com/tools => ../tools\n", "go.sum": goSum}, "go tool server", none},
		"workspace":          {map[string]string{"go.mod": goMod, "go.sum": goSum, "go.work": "go 1.26\n"}, "go tool server", none},
		"vendored":           {map[string]string{"go.mod": goMod, "go.sum": goSum, "vendor/modules.txt": ""}, "go tool server", none},
		"go run here":        {map[string]string{"cmd/x/main.go": ""}, "go run ./cmd/x", lockfile.Artifact{Kind: lockfile.ArtifactFile, Name: "cmd/x"}},
		"program":            {map[string]string{"bin/server": ""}, "./bin/server", lockfile.Artifact{Kind: lockfile.ArtifactFile, Name: "bin/server"}},
		"script":             {map[string]string{"server.js": ""}, "node --no-warnings server.js", lockfile.Artifact{Kind: lockfile.ArtifactFile, Name: "server.js"}},
		"script elsewhere":   {nil, "node /etc/passwd", none},
		"digest":             {nil, "docker run -i a.example/b:1@sha256:" + strings.Repeat("0", 64), lockfile.Artifact{Kind: lockfile.ArtifactImage, Name: "a.example/b:1", Integrity: "sha256:" + strings.Repeat("0", 64)}},
		"tag":                {nil, "docker run -i a.example/b:1", none},
		"url":                {nil, "", none},
	} {
		t.Run(name, func(t *testing.T) {
			root := writeTree(t, tc.files)
			for _, name := range []string{"npm_config_cache", "npm_config_userconfig", "npm_config_prefix", "NPM_CONFIG_CACHE", "GOPATH", "GOWORK"} {
				t.Setenv(name, "")
			}
			s := endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: "https://a.example/mcp"}}
			if words := strings.Fields(tc.words); len(words) > 0 {
				s = endpoint.Server{Name: "s", Launch: &endpoint.Process{Command: words[0], Args: words[1:], Dir: root, Env: []endpoint.Var{
					{Name: "HOME", Value: filepath.Join(root, "home")}, {Name: "USERPROFILE", Value: filepath.Join(root, "home")}, {Name: "LOCALAPPDATA", Value: root},
					{Name: "PATH", Value: filepath.Join(root, "bin")}, {Name: "GOMODCACHE", Value: filepath.Join(root, "mod")},
				}}}
			}
			if onWindows() && strings.Contains(tc.words, "npx") {
				t.Skip("npm has its cache elsewhere on Windows")
			}
			if got := Of(s, root); got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

func TestUnpinned(t *testing.T) {
	for words, want := range map[string]string{
		"npx -y @playwright/mcp":                "npx @playwright/mcp",
		"npx -y @playwright/mcp@latest":         "npx @playwright/mcp@latest",
		"npx -y @playwright/mcp@0.0.61":         "",
		"npx -y @playwright/mcp@${env:VERSION}": "",
		"npx -y ./server":                       "",
		"bunx server":                           "bunx server",
		"uvx mcp-server-git":                    "uvx mcp-server-git",
		"uvx mcp-server-git==1.0":               "",
		"uvx mcp-server-git@1.0":                "",
		"uvx --from git+https://a.example/x y":  "",
		"docker run -i a.example:5000/b":        "docker run a.example:5000/b",
		"docker run -i a.example:5000/b:1":      "",
		"docker run -i b:latest":                "docker run b:latest",
		"docker run -i b@sha256:00":             "",
		"go run a.example/x":                    "go run a.example/x",
		"go run a.example/x@v1.0.0":             "",
		"go run ./x":                            "",
		"go tool x":                             "",
		"node server.js":                        "",
	} {
		parts := strings.Fields(words)
		if got := Unpinned(endpoint.Server{Launch: &endpoint.Process{Command: parts[0], Args: parts[1:]}}); got != want {
			t.Errorf("%s: got %q, want %q", words, got, want)
		}
	}
}

func TestPinned(t *testing.T) {
	for words, want := range map[string]string{
		"npx -y @scope/server --flag":     "-y @scope/server@1.4.2 --flag",
		"npx -y @scope/server@latest":     "",
		"npx -y @scope/server@1.0.0":      "",
		"npx -y other":                    "",
		"npx --package=@scope/server run": "",
		"npx --package @scope/server run": "--package @scope/server@1.4.2 run",
		"docker run @scope/server":        "-",
	} {
		parts := strings.Fields(words)
		ran := lockfile.Artifact{Kind: lockfile.ArtifactNPM, Name: "@scope/server", Version: "1.4.2"}
		if want == "-" { // not of npm
			ran.Kind, want = lockfile.ArtifactImage, ""
		}
		_, args := Pinned(endpoint.Server{Launch: &endpoint.Process{Command: parts[0], Args: parts[1:]}}, ran)
		if got := strings.Join(args, " "); got != want {
			t.Errorf("%s: got %q, want %q", words, got, want)
		}
	}
}
