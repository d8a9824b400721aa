//go:build peers && linux

package peers

// Servers that npx has to install first: with an empty cache and an empty HOME one
// generate locks all of them, also after an installation that was interrupted.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// coldServers are packages of the npm registry, pinned; two are the same one.
const coldServers = `version: 1
servers:
  everything: {command: npx, args: [-y, "@modelcontextprotocol/server-everything@2026.8.31"]}
  filesystem: {command: npx, args: [-y, "@modelcontextprotocol/server-filesystem@2026.8.31", /tmp]}
  files: {command: npx, args: [-y, "@modelcontextprotocol/server-filesystem@2026.8.31", /usr]}
  memory: {command: npx, args: [-y, "@modelcontextprotocol/server-memory@2026.8.31"]}
  thinking: {command: npx, args: [-y, "@modelcontextprotocol/server-sequential-thinking@2026.8.31"]}
  playwright: {command: npx, args: [-y, "@playwright/mcp@0.0.83"]}
  context7: {command: npx, args: [-y, "@upstash/context7-mcp@4.1.1"]}
`

// removal is what an error tells to run where a cache is broken.
var removal = regexp.MustCompile(`run rm -rf ([^ ,]*/_npx/[0-9a-f]+), then try again`)

func TestColdNpx(t *testing.T) {
	t.Parallel()
	for _, interrupted := range []bool{false, true} {
		t.Run(fmt.Sprintf("interrupted=%v", interrupted), func(t *testing.T) {
			dir, home := t.TempDir(), t.TempDir()
			for name, text := range map[string]string{"go.mod": "module example.com/cold\n\ngo 1.26\n", "mcpgen.yaml": coldServers} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if interrupted {
				cmd, stderr := coldGenerate(dir, home)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				await(t, "something is being installed", func() bool {
					found, err := filepath.Glob(filepath.Join(home, ".npm", "_npx", "*", "node_modules"))
					return err == nil && len(found) > 0
				})
				began := time.Now()
				if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
					t.Fatal(err)
				}
				var exited *exec.ExitError
				if err := cmd.Wait(); !errors.As(err, &exited) || exited.ExitCode() != 130 {
					t.Errorf("exit: %v, want 130\n%s", err, stderr)
				}
				t.Logf("interrupted, ended after %v", time.Since(began).Round(time.Millisecond))
			}
			began := time.Now()
			cmd, stderr := coldGenerate(dir, home)
			err := cmd.Run()
			// A cache that is broken is named, and removing what is named repairs it.
			if m := removal.FindStringSubmatch(stderr.String()); interrupted && err != nil && m != nil && strings.HasPrefix(m[1], home) {
				t.Logf("the cache was broken: %s", m[0])
				if err := os.RemoveAll(m[1]); err != nil {
					t.Fatal(err)
				}
				cmd, stderr = coldGenerate(dir, home)
				err = cmd.Run()
			}
			if err != nil || !strings.Contains(stderr.String(), "locked context7, everything, files, filesystem, memory, playwright, thinking") {
				t.Errorf("generate: %v\n%s", err, stderr)
			}
			t.Logf("locked after %v", time.Since(began).Round(time.Millisecond))
		})
	}
}

// coldGenerate is generate without flags in a folder, for a user without a cache.
// How to reach the registry stays as it is configured.
func coldGenerate(dir, home string) (*exec.Cmd, *bytes.Buffer) {
	var stderr bytes.Buffer
	cmd := exec.Command(mcpgen, "generate")
	cmd.Dir, cmd.Stderr = dir, &stderr
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=")
	return cmd, &stderr
}
