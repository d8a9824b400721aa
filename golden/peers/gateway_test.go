//go:build peers

package peers

// Clients that others wrote, at a gateway to servers that others wrote.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// gatewayProject writes a project of two servers, and returns the command line that
// offers them.
func gatewayProject(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	server := filepath.Join(dir, "mcptestserver")
	build := exec.Command("go", "build", "-o", server, "./golden/testserver/cmd/mcptestserver")
	build.Dir = checkout
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	config := fmt.Sprintf("version: 1\nservers:\n  every: {command: node, args: [%q, stdio]}\n  calc: {command: %q, args: [exact]}\n",
		filepath.Join(installed, "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js"), server)
	path := filepath.Join(dir, "mcpgen.yaml")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{mcpgen, "--config", path, "serve"}
}

// served starts a gateway over HTTP, and returns its address.
func served(t *testing.T, line []string) string {
	t.Helper()
	cmd := exec.Command(line[0], append(line[1:], "--http", "127.0.0.1:0", "--open")...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		late := time.AfterFunc(20*time.Second, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
		defer late.Stop()
		_ = cmd.Wait() // terminated: the error says so
	})
	at := regexp.MustCompile(`at (http://[^\s;]+)`)
	address := make(chan string, 1)
	go func() {
		defer close(address)
		for lines := bufio.NewScanner(said); lines.Scan(); {
			if m := at.FindStringSubmatch(lines.Text()); m != nil {
				address <- m[1]
			}
		}
	}()
	select {
	case a, ok := <-address:
		if !ok {
			t.Fatal("the gateway ended before it said its address")
		}
		return a
	case <-time.After(60 * time.Second):
		t.Fatal("after 60s the gateway has not said its address")
	}
	return ""
}

// The clients of both TypeScript SDKs list, call, read and are asked, over both
// transports and in both eras.
func TestGatewayTypeScript(t *testing.T) {
	line := gatewayProject(t)
	url := served(t, line)
	for _, c := range []struct {
		pkg, era string
		target   []string
	}{
		{"sdk", "legacy", line}, {"sdk", "legacy", []string{url}},
		{"client", "legacy", line}, {"client", "legacy", []string{url}},
		{"client", "2026-07-28", line}, {"client", "2026-07-28", []string{url}},
	} {
		t.Run(c.pkg+" "+c.era+" "+map[bool]string{true: "http", false: "stdio"}[len(c.target) == 1], func(t *testing.T) {
			cmd := exec.Command("node", append([]string{filepath.Join("testdata", "client.cjs"), installed, c.pkg, c.era}, c.target...)...)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr.String())
			}
			var got struct {
				Tools, Prompts, Messages []string
				Echo                     json.RawMessage
				Sum                      struct{ N int }
				Failed, Read             bool
				Answer                   json.RawMessage
				Prompt                   int
				Progress                 []float64
			}
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if !slices.Contains(got.Tools, "every__echo") || !slices.Contains(got.Tools, "calc__exact") || !slices.Contains(got.Prompts, "every__simple-prompt") {
				t.Errorf("tools %q, prompts %q", got.Tools, got.Prompts)
			}
			if !strings.Contains(string(got.Echo), "Echo: hi") || got.Sum.N != 7 || !got.Failed || !got.Read || got.Prompt == 0 {
				t.Errorf("got %s", out)
			}
			if len(got.Messages) != 1 || !strings.Contains(string(got.Answer), "Ada") {
				t.Errorf("asked %q, answered %s", got.Messages, got.Answer)
			}
			if len(got.Progress) == 0 || !slices.IsSorted(got.Progress) {
				t.Errorf("progress %v", got.Progress)
			}
		})
	}
}

// The inspector's command line lists and calls.
func TestGatewayInspector(t *testing.T) {
	line := gatewayProject(t)
	url := served(t, line)
	for name, target := range map[string][]string{"stdio": append([]string{"--"}, line...), "http": {"--transport", "http", "--server-url", url}} {
		t.Run(name, func(t *testing.T) {
			inspect := func(args ...string) string {
				t.Helper()
				cmd := exec.Command("node", append(append([]string{bin("mcp-inspector"), "--cli"}, args...), target...)...)
				cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
				var stderr strings.Builder
				cmd.Stderr = &stderr
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%v\n%s", err, stderr.String())
				}
				return string(out)
			}
			if out := inspect("--method", "tools/list"); !strings.Contains(out, `"every__echo"`) || !strings.Contains(out, `"calc__exact"`) {
				t.Errorf("got %s", out)
			}
			if out := inspect("--method", "tools/call", "--tool-name", "every__echo", "--tool-arg", "message=hi"); !strings.Contains(out, "Echo: hi") {
				t.Errorf("got %s", out)
			}
		})
	}
}
