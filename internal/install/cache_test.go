//go:build unix

package install

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/npmcache"
)

// hostile, of which a part is real: what npm, Node and uv say of a cache that is
// not whole.
func TestRepair(t *testing.T) {
	home := filepath.Join(t.TempDir(), "it's home")
	cache := filepath.Join(home, ".npm")
	own := filepath.Base(npmcache.Package(cache, "@scope/x@1.0.0"))
	for _, name := range []string{"c8ccc168155bafa0", own} {
		if err := os.MkdirAll(filepath.Join(cache, "_npx", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/", filepath.Join(cache, "_npx", "abcdef0123456789")); err != nil {
		t.Fatal(err)
	}
	npx := Runner{Program: "npx", Package: "@scope/x@1.0.0"}
	quoted := func(name string) string {
		return "rm -rf '" + strings.ReplaceAll(filepath.Join(cache, "_npx", name), "'", `'\''`) + "'"
	}
	named, derived := quoted("c8ccc168155bafa0"), quoted(own)
	for _, tt := range []struct {
		name   string
		runner Runner
		stderr string
		want   string
	}{
		{"not empty", npx, "npm error code ENOTEMPTY\nnpm error syscall rename\nnpm error path /root/.npm/_npx/c8ccc168155bafa0/node_modules/ajv\nnpm error ENOTEMPTY: directory not empty, rename", named},
		{"not empty, npm 8", npx, "npm ERR! code ENOTEMPTY\nnpm ERR! path /root/.npm/_npx/c8ccc168155bafa0/node_modules/ajv", named},
		{"no entry", npx, "npm error code ENOENT\nnpm error path " + cache + "/_npx/c8ccc168155bafa0/package.json", named},
		{"node: no entry", npx, "Error: ENOENT: no such file or directory, open '/r/.npm/_npx/c8ccc168155bafa0/node_modules/zod/package.json'", named},
		{"module", npx, "Error: Cannot find module 'zod'\nRequire stack:\n- /root/.npm/_npx/c8ccc168155bafa0/node_modules/x/index.js\n", named},
		{"package", npx, "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /root/.npm/_npx/c8ccc168155bafa0/node_modules/x/index.js", named},
		{"half a file", npx, "file:///r/.npm/_npx/c8ccc168155bafa0/node_modules/minimatch/index.js:285\n\nSyntaxError: Unexpected end of input\n    at x", named},
		{"half a module", npx, "file:///r/.npm/_npx/c8ccc168155bafa0/node_modules/z/a.js:12\nSyntaxError: The requested module './b.js' does not provide an export named 'b'", named},
		{"an old node", npx, "file:///r/.npm/_npx/c8ccc168155bafa0/node_modules/z/a.js:12\nSyntaxError: The requested module 'node:fs' does not provide an export named 'globSync'", ""},
		{"tar", npx, "npm warn tar TAR_ENTRY_ERROR ENOENT: no such file or directory, open '/r/.npm/_npx/c8ccc168155bafa0/node_modules/x/a.js'", named},
		{"tar without a folder", npx, "npm warn tar TAR_ENTRY_ERROR unexpected end", derived},
		{"program", npx, "sh: 1: x-server: not found\n", derived},
		{"program, mac", npx, "sh: x-server: command not found\n", derived},
		{"executable", npx, "npm error could not determine executable to run\n", derived},

		{"another folder", npx, "npm error code ENOTEMPTY\nnpm error path /_npx/../../etc", derived},
		{"a folder that is not there", npx, "Error: Cannot find module 'zod'\n- /root/.npm/_npx/0123456789abcdef/x.js", ""},
		{"a link", npx, "Error: Cannot find module 'zod'\n- /root/.npm/_npx/abcdef0123456789/x.js", ""},
		{"more after the name", npx, "Error: Cannot find module 'zod'\n- /.npm/_npx/c8ccc168155bafa0;touch EVIL", named},
		{"a file of the server", npx, "Error: ENOENT: no such file or directory, open '/data'\n    at x (/r/.npm/_npx/c8ccc168155bafa0/node_modules/x/a.js:1:1)", ""},
		{"a key", npx, "API_KEY is not set", ""},
		{"no package", Runner{Program: "npx"}, "sh: x: command not found", ""},
		{"no runner", Runner{}, "npm error code ENOTEMPTY\n/_npx/c8ccc168155bafa0/", ""},
		{"uv", Runner{Program: "uvx", Package: "mcp-server-git==1.0"}, "error: Failed to deserialize cache entry", "uv cache clean mcp-server-git"},
		{"uv, hostile", Runner{Program: "uvx", Package: "x;touch EVIL"}, "  Caused by: failed to read from the distribution cache", "uv cache clean x"},
		{"uv, git", Runner{Program: "uv tool run", Package: "git+https://e.com/x"}, "failed to extract archive", "uv cache clean"},
		{"uv, other", Runner{Program: "uvx", Package: "x"}, "ModuleNotFoundError: No module named 'x'", ""},
	} {
		for _, env := range [][]string{{"HOME=" + home}, {"HOME=/nowhere", "NPM_CONFIG_CACHE=" + cache}} {
			if _, got := tt.runner.repair(env, home, tt.stderr); got != tt.want {
				t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
			}
		}
	}
	if _, got := npx.repair(nil, home, "npm error code ENOTEMPTY\n/_npx/c8ccc168155bafa0/"); got != "" {
		t.Errorf("without a cache: %q", got)
	}
}

func TestUnknownPackage(t *testing.T) {
	for _, stderr := range []string{
		"npm warn exec\nnpm error code E404\nnpm error 404 Not Found - GET https://registry.example/@scope%2fx - Not found",
		"npm ERR! code ETARGET\nnpm ERR! notarget No matching version found for @scope/x@1.0.0.",
	} {
		const want = `npm has no package "@scope/x@1.0.0", or does not show it to you: check the name and the version`
		if got := (Runner{Program: "npm exec", Package: "@scope/x@1.0.0"}).Repair(nil, t.TempDir(), stderr); fmt.Sprint(got) != want {
			t.Errorf("after %q: got %q, want %q", stderr, got, want)
		}
		if got := (Runner{Program: "uvx", Package: "x"}).Repair(nil, t.TempDir(), stderr); got != nil {
			t.Errorf("uvx after %q: got %q, want nothing", stderr, got)
		}
	}
}

func TestMissing(t *testing.T) {
	cache := t.TempDir()
	env := []string{"npm_config_cache=" + cache}
	npx := Runner{Program: "npx", Package: "@playwright/mcp@0.0.83"}
	folder := filepath.Join(cache, "_npx", "381cec31605a419a") // as npm names it
	if got := npx.Missing(env, cache); got != folder {
		t.Errorf("got %q, want %q", got, folder)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := npx.Missing(env, cache); got != folder {
		t.Errorf("while it is filled: got %q, want %q", got, folder)
	}
	if err := os.WriteFile(filepath.Join(folder, "package.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := npx.Missing(env, cache); got != "" {
		t.Errorf("afterwards: got %q", got)
	}
	if got := (Runner{Program: "uvx", Package: "x"}).Missing(env, cache); got != "" {
		t.Errorf("uvx: got %q", got)
	}
	// A cache that a file with npm's settings names.
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, ".npmrc"), []byte("cache="+cache+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := (Runner{Program: "npx", Package: "x"}).Missing([]string{"HOME=" + home}, cache), filepath.Dir(folder); filepath.Dir(got) != want {
		t.Errorf("settings: got %q, want a folder in %q", got, want)
	}
}

// FuzzRepair: whatever is said, the command removes a folder below _npx or none.
func FuzzRepair(f *testing.F) {
	f.Add("npm error code ENOTEMPTY\nnpm error path /root/.npm/_npx/c8ccc168155bafa0/node_modules/ajv")
	f.Add("Error: Cannot find module\n/_npx/c8ccc168155bafa0/../../../etc")
	home := f.TempDir()
	known := filepath.Join(home, ".npm", "_npx", "c8ccc168155bafa0")
	if err := os.MkdirAll(known, 0o755); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, stderr string) {
		if _, got := (Runner{Program: "npx", Package: "x"}).repair([]string{"HOME=" + home}, home, stderr); got != "" && got != "rm -rf "+known {
			t.Errorf("%q", got)
		}
	})
}
