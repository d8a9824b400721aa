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

// The inspector's command line lists, and prints the same results as from the server itself.
func TestGatewayInspector(t *testing.T) {
	line := gatewayProject(t)
	direct := []string{"--", "node", filepath.Join(installed, "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js"), "stdio"}
	url := served(t, line)
	for name, target := range map[string][]string{"stdio": append([]string{"--"}, line...), "http": {"--transport", "http", "--server-url", url}} {
		t.Run(name, func(t *testing.T) {
			inspect := func(target []string, args ...string) string {
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
			if out := inspect(target, "--method", "tools/list"); !strings.Contains(out, `"every__echo"`) || !strings.Contains(out, `"calc__exact"`) {
				t.Errorf("got %s", out)
			}
			for tool, args := range map[string][]string{
				"echo": {"--tool-arg", "message=hi"}, "get-tiny-image": nil, "get-structured-content": {"--tool-arg", "location=Chicago"},
				"get-annotated-message": {"--tool-arg", "messageType=success"},
			} {
				got := inspect(target, append([]string{"--method", "tools/call", "--tool-name", "every__" + tool}, args...)...)
				if want := inspect(direct, append([]string{"--method", "tools/call", "--tool-name", tool}, args...)...); got != want || want == "" {
					t.Errorf("%s: through the gateway %s, directly %s", tool, got, want)
				}
			}
			prompt := []string{"--method", "prompts/get", "--prompt-name"}
			got := inspect(target, append(prompt, "every__simple-prompt")...)
			if want := inspect(direct, append(prompt, "simple-prompt")...); got != want || want == "" {
				t.Errorf("a prompt: through the gateway %s, directly %s", got, want)
			}
		})
	}
}

// Three clients at once are each asked for their own calls by servers of older revisions, and a
// server of files works in each one's own folders.
func TestGatewayAsksEach(t *testing.T) {
	dir := t.TempDir()
	server := func(name string) string {
		return filepath.Join(installed, "node_modules", "@modelcontextprotocol", name, "dist", "index.js")
	}
	config := fmt.Sprintf("version: 1\nclient: {elicitation: true, sampling: true, roots: true}\nservers:\n  every: {command: node, args: [%q, stdio]}\n  files: {command: node, args: [%q, %q]}\n",
		server("server-everything"), server("server-filesystem"), dir)
	path := filepath.Join(dir, "mcpgen.yaml")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	url := served(t, []string{mcpgen, "--config", path, "serve"})
	type answers struct{ Elicited, Sampled, Folders, File, Later string }
	got := map[string]*answers{}
	asked, ended := make(chan bool), make(chan bool)
	var goOn []func()
	for _, name := range []string{"ann", "bob", "carl"} {
		home, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(home, "deep"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, "note.txt"), []byte("note of "+name), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("node", filepath.Join("testdata", "asked.cjs"), installed, name, url, home)
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait() // killed, or ended
		})
		own := &answers{}
		got[name] = own
		goOn = append(goOn, func() { _, _ = in.Write([]byte("\n")) })
		go func() {
			defer func() { ended <- true }()
			for lines := bufio.NewScanner(out); lines.Scan(); {
				if lines.Text() == "asked" {
					asked <- true
				} else if err := json.Unmarshal(lines.Bytes(), own); err != nil {
					t.Errorf("%s: %v: %s", name, err, lines.Text())
				}
			}
		}()
	}
	waiting, left := 0, len(got)
	late := time.After(60 * time.Second)
	for left > 0 {
		select {
		case <-asked:
			if waiting++; waiting == len(got) {
				waiting = 0
				for _, f := range goOn {
					f()
				}
			}
		case <-ended:
			left--
		case <-late:
			t.Fatalf("after 60s %d of the clients are asked, and %d have not ended", waiting, left)
		}
	}
	for name, a := range got {
		if !strings.Contains(a.Elicited, name) || !strings.Contains(a.Sampled, "model of "+name) || a.File != "note of "+name ||
			strings.Contains(a.Folders, dir+"\n") || !strings.Contains(a.Later, "deep") {
			t.Errorf("%s: %+v", name, a)
		}
	}
}
