//go:build adapters

package golden

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// frameworks are the modules that adapters are for.
var frameworks = map[string]string{
	"anthropic": "github.com/anthropics/anthropic-sdk-go", "openai": "github.com/openai/openai-go", "genai": "google.golang.org/genai",
	"genkit": "github.com/firebase/genkit", "eino": "github.com/cloudwego/eino", "langchaingo": "github.com/tmc/langchaingo",
	"mcpgo": "github.com/mark3labs/mcp-go",
}

// TestAdapters builds and tests each adapter alone, as a user's module has it: with
// this checkout out of a module proxy, without replace and without a workspace.
func TestAdapters(t *testing.T) {
	temp := t.TempDir()
	proxy := filepath.Join(temp, "proxy")
	writeProxy(t, proxy)
	cache := strings.TrimSpace(goCommand(t, "env", "GOMODCACHE"))
	env := append(os.Environ(),
		"GOPROXY="+fileURL(proxy)+","+fileURL(filepath.Join(cache, "cache", "download"))+","+strings.TrimSpace(goCommand(t, "env", "GOPROXY")),
		"GOMODCACHE="+filepath.Join(temp, "modcache"), "GOFLAGS=-modcacherw -mod=mod -trimpath", "GONOSUMDB="+module, "GOWORK=off", "GOTOOLCHAIN=local")
	for name, framework := range frameworks {
		t.Run(name, func(t *testing.T) {
			from, dir := filepath.Join("..", "runtime", "adapters", name), filepath.Join(temp, name)
			if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
			run := func(args ...string) string {
				cmd := exec.Command("go", args...)
				cmd.Dir, cmd.Env = dir, env
				out, err := cmd.Output()
				if exit, ok := errors.AsType[*exec.ExitError](err); ok {
					t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, out, exit.Stderr)
				}
				return string(out)
			}
			run("mod", "tidy")
			for _, file := range []string{"go.mod", "go.sum"} {
				if *update {
					if err := os.WriteFile(filepath.Join(from, file), []byte(withoutOurs(t, filepath.Join(dir, file))), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if diff := cmp.Diff(withoutOurs(t, filepath.Join(from, file)), withoutOurs(t, filepath.Join(dir, file))); diff != "" {
					t.Errorf("runtime/adapters/%s/%s is not tidy (-there +tidy):\n%s", name, file, diff)
				}
			}
			run("vet", "./...")
			run("test", "./...")
			linked := run("list", "-deps", "./...")
			if !strings.Contains(linked, framework) {
				t.Errorf("it does not link %s", framework)
			}
			for other, path := range frameworks {
				if other != name && strings.Contains(linked, path+"/") {
					t.Errorf("it links %s", path)
				}
			}
		})
	}
}

// withoutOurs reads a go.sum without the lines of this module, which change with each
// of its files; any other file whole.
func withoutOurs(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Base(path) != "go.sum" {
		return string(data)
	}
	var kept strings.Builder
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, module+" ") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
