//go:build peers

package peers

// The servers: where they are installed, how they are started, and the untyped
// side that the generated code is compared with.

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// checkout is the root of this module, mcpgen the command built from it,
// testserver the server of tests, and installed the folder that the servers were installed into: $MCPGEN_PEERS,
// by default bin/peers in the checkout. TestMain sets them once.
var checkout, mcpgen, testserver, installed string

func TestMain(m *testing.M) {
	code, err := setUp(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func setUp(m *testing.M) (int, error) {
	var err error
	if checkout, err = filepath.Abs(filepath.Join("..", "..")); err != nil {
		return 0, err
	}
	if installed = os.Getenv("MCPGEN_PEERS"); installed == "" {
		installed = filepath.Join(checkout, "bin", "peers")
	}
	if _, err := os.Stat(filepath.Join(installed, "node_modules")); err != nil {
		return 0, fmt.Errorf("the servers are not installed: run make test-peers: %w", err)
	}
	temp, err := os.MkdirTemp("", "mcpgen-peers")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(temp)
	mcpgen, testserver = filepath.Join(temp, "mcpgen"), filepath.Join(temp, "mcptestserver")
	build := exec.Command("go", "build", "-o", temp, "./cmd/mcpgen", "./golden/testserver/cmd/mcptestserver")
	build.Dir, build.Stderr = checkout, os.Stderr
	if err := build.Run(); err != nil {
		return 0, fmt.Errorf("build mcpgen: %w", err)
	}
	return m.Run(), nil
}

// bin is the path of an installed program.
func bin(name string) string { return filepath.Join(installed, "node_modules", ".bin", name) }

// peer is a server that listens.
type peer struct {
	port string
	stop func()
}

func (p *peer) url(path string) string { return "http://127.0.0.1:" + p.port + path }

// startPeer starts a server that listens on a free loopback port. It is ended,
// by its process id, when the test is, or by stop.
func startPeer(t *testing.T, name, mode string) *peer {
	t.Helper()
	loopback, err := filepath.Abs(filepath.Join("testdata", "loopback.cjs"))
	if err != nil {
		t.Fatal(err)
	}
	main := filepath.Join(installed, "node_modules", "@modelcontextprotocol", name, "dist", "index.js")
	cmd := exec.Command("node", "--require", loopback, main, mode)
	cmd.Env = append(os.Environ(), "PORT=0")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &peer{stop: func() {
		if cmd.ProcessState == nil {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			_ = cmd.Wait() // killed: the error says so
		}
	}}
	t.Cleanup(p.stop)
	ports := make(chan string, 1)
	go func() {
		defer close(ports)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			if port, ok := strings.CutPrefix(lines.Text(), "LISTENING "); ok {
				ports <- port
			}
		}
	}()
	select {
	case port, ok := <-ports:
		if !ok {
			t.Fatalf("%s %s ended before it listened", name, mode)
		}
		p.port = port
	case <-time.After(30 * time.Second):
		t.Fatalf("%s %s does not listen after 30 s", name, mode)
	}
	return p
}

func stdioClient(t *testing.T, env []string, command string, args ...string) *mcp.ClientSession {
	t.Helper()
	cmd := exec.Command(command, args...)
	cmd.Env = append(os.Environ(), env...)
	return connect(t, &mcp.CommandTransport{Command: cmd, TerminateDuration: 100 * time.Millisecond}, "")
}

func httpClient(t *testing.T, url string) *mcp.ClientSession {
	t.Helper()
	return connect(t, &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true}, "")
}

func sseClient(t *testing.T, url string) *mcp.ClientSession {
	t.Helper()
	return connect(t, &mcp.SSEClientTransport{Endpoint: url}, "2025-11-25")
}

// connect opens a session of the SDK's own client.
func connect(t *testing.T, transport mcp.Transport, protocol string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "untyped", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	session, err := client.Connect(context.Background(), transport, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() }) // the server may be gone by then, which is meant
	return session
}

// outputs says which tools declare a result schema.
func outputs(t *testing.T, session *mcp.ClientSession) map[string]bool {
	t.Helper()
	declared := map[string]bool{}
	for tool, err := range session.Tools(context.Background(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		declared[tool.Name] = tool.OutputSchema != nil
	}
	return declared
}

// clock is the time of day, which some answers hold.
var clock = regexp.MustCompile(`\d{1,2}:\d{2}:\d{2}( [AP]M)?`)

// untypedCall makes the call with the SDK and returns the answer in the form
// that testdata/report.go prints.
func untypedCall(t *testing.T, session *mcp.ClientSession, c call, typed bool) any {
	t.Helper()
	result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: c.tool, Arguments: c.args})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	images := []any{}
	for _, content := range result.Content {
		switch content := content.(type) {
		case *mcp.TextContent:
			texts = append(texts, content.Text)
		case *mcp.EmbeddedResource:
			texts = append(texts, content.Resource.Text)
		case *mcp.ImageContent:
			images = append(images, fmt.Sprintf("%s %x", content.MIMEType, sha256.Sum256(content.Data)))
		}
	}
	text := clock.ReplaceAllString(strings.Join(texts, "\n"), "<time>")
	switch {
	case result.IsError:
		return map[string]any{"error": text}
	case typed:
		return map[string]any{"value": plain(t, result.StructuredContent)}
	}
	return map[string]any{"text": text, "images": images}
}

// plain is v as encoding/json decodes it.
func plain(t *testing.T, v any) any {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
