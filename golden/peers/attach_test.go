//go:build peers

package peers

// Every server and transport through the runtime: attach, list, one call.

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// The two eras of the protocol: before 2026-07-28 a session begins with
// initialize.
const (
	session2025 = "2025-11-25"
	request2026 = "2026-07-28"
)

type attached struct {
	server   endpoint.Server
	protocol string // the newest that the server speaks over this transport
	tools    int    // at least
	tool     string
	args     string
	fails    bool // the tool says no: what it stands for is not on this machine
}

func TestAttach(t *testing.T) {
	script := func(name string, args ...string) endpoint.Server {
		return endpoint.Server{Launch: &endpoint.Process{Command: bin(name), Args: args}}
	}
	program := func(name string, args ...string) endpoint.Server {
		return endpoint.Server{Launch: &endpoint.Process{Command: filepath.Join(installed, "go", name), Args: args}}
	}
	at := func(url string) endpoint.Server { return endpoint.Server{Launch: &endpoint.Address{URL: url}} }
	sse := func(url string) endpoint.Server {
		return endpoint.Server{Launch: &endpoint.Address{URL: url, Transport: endpoint.SSE}}
	}
	files := t.TempDir()
	memory := script("mcp-server-memory")
	memory.Launch.(*endpoint.Process).Env = []endpoint.Var{{Name: "MEMORY_FILE_PATH", Value: filepath.Join(files, "memory.jsonl")}}
	grafana := program("mcp-grafana", "-t", "stdio")
	grafana.Launch.(*endpoint.Process).Env = []endpoint.Var{{Name: "GRAFANA_URL", Value: "http://127.0.0.1:1"}} // none is there
	gopls := program("gopls", "mcp")
	gopls.Launch.(*endpoint.Process).Dir = goModule(t)
	gopls.Launch.(*endpoint.Process).Inherit = endpoint.Inherit{Names: []string{"GOPATH", "GOMODCACHE", "GOCACHE"}}

	cases := map[string]attached{
		"everything/stdio": {script("mcp-server-everything", "stdio"), session2025, 10, "echo", `{"message":"hello"}`, false},
		"everything/http":  {at(startPeer(t, "server-everything", "streamableHttp").url("/mcp")), session2025, 10, "echo", `{"message":"hello"}`, false},
		"everything/sse":   {sse(startPeer(t, "server-everything", "sse").url("/sse")), session2025, 10, "echo", `{"message":"hello"}`, false},
		"filesystem":       {script("mcp-server-filesystem", files), session2025, 14, "list_allowed_directories", `{}`, false},
		"memory":           {memory, session2025, 9, "read_graph", `{}`, false},
		"thinking": {script("mcp-server-sequential-thinking"), session2025, 1, "sequentialthinking",
			`{"thought":"one","nextThoughtNeeded":false,"thoughtNumber":1,"totalThoughts":1}`, false},
		"context7": {script("context7-mcp"), request2026, 2, "resolve-library-id", `{"libraryName":"","query":1}`, true},

		"mcp-go/stdio":         {program("mcp-go-everything"), request2026, 5, "add", `{"a":2,"b":3}`, false},
		"sdk-everything/stdio": {program("sdk-everything"), request2026, 5, "greet", `{"name":"reader"}`, false},
		"sdk-everything/http": {at("http://" + listen(t, program("sdk-everything"), "-http") + "/"), session2025, 5,
			"greet", `{"name":"reader"}`, false},
		"sdk-conformance/stdio": {program("sdk-conformance"), request2026, 20, "test_simple_text", `{}`, false},
		"sdk-conformance/stateless": {at("http://" + listen(t, program("sdk-conformance"), "-http")), request2026, 20,
			"test_simple_text", `{}`, false},
		"sdk-conformance/http": {at("http://" + listen(t, program("sdk-conformance", "-stateless=false"), "-http")), session2025, 20,
			"test_simple_text", `{}`, false},
		"grafana/stdio": {grafana, request2026, 40, "list_datasources", `{}`, true},
		"grafana/http": {at("http://" + listen(t, with(grafana, "-t", "streamable-http"), "-address") + "/mcp"), request2026, 40,
			"list_datasources", `{}`, true},
		"grafana/sse": {sse("http://" + listen(t, with(grafana, "-t", "sse"), "-address") + "/sse"), session2025, 40,
			"list_datasources", `{}`, true},
		"gopls/stdio": {gopls, session2025, 5, "go_workspace", `{}`, false},
		"gopls/sse":   {sse("http://" + listen(t, gopls, "-listen=") + "/sessions/1"), session2025, 5, "go_workspace", `{}`, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { c.test(t) })
	}
}

// connectPeer attaches to a server.
func connectPeer(ctx context.Context, t *testing.T, server endpoint.Server) *attach.Host {
	t.Helper()
	host, err := attach.Connect(ctx, []endpoint.Server{server}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Err(); err != nil {
		host.Close()
		t.Fatal(err)
	}
	return host
}

func (c attached) test(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c.server.Name = "peer"
	host := connectPeer(ctx, t, c.server)
	for range 2 { // a process that starts too slowly for the first question is asked as older ones are
		if host.Status()[0].Protocol == c.protocol {
			break
		}
		host.Close()
		host = connectPeer(ctx, t, c.server)
	}
	defer func() { host.Close() }()
	status := host.Status()[0]
	if status.Protocol != c.protocol || status.Tools < c.tools {
		t.Errorf("protocol %s with %d tools, want %s and at least %d", status.Protocol, status.Tools, c.protocol, c.tools)
	}
	snapshot, problems, err := host.Snapshot(ctx, "peer", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) > 0 {
		t.Logf("left out: %v", problems)
	}
	if n := len(snapshot.Tools); n != status.Tools {
		t.Errorf("%d tools in the snapshot, %d at attach", n, status.Tools)
	}
	result, err := host.Invoke(ctx, runtime.Request{Server: "peer", Method: protocol.MethodCallTool, Name: c.tool, Args: json.RawMessage(c.args)})
	if err != nil {
		t.Fatal(err)
	}
	if result.IsError != c.fails || result.Text() == "" && len(result.Structured) == 0 {
		t.Errorf("%s(%s): error %v: %s", c.tool, c.args, result.IsError, result.Text())
	}
}

// with returns the server with other arguments.
func with(s endpoint.Server, args ...string) endpoint.Server {
	p := *s.Launch.(*endpoint.Process)
	p.Args = args
	s.Launch = &p
	return s
}

// listen starts the server with a flag that names a free loopback address, and
// returns the address once something listens there. A flag that ends in = takes
// it in the same argument. The server is ended, by its process id, with the test.
func listen(t *testing.T, s endpoint.Server, flag string) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	p := s.Launch.(*endpoint.Process)
	args := append(append([]string{}, p.Args...), flag, address)
	if flag[len(flag)-1] == '=' {
		args = append(append([]string{}, p.Args...), flag+address)
	}
	cmd := exec.Command(p.Command, args...)
	cmd.Dir, cmd.Env = p.Dir, os.Environ()
	for _, v := range p.Env {
		cmd.Env = append(cmd.Env, v.Name+"="+v.Value)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait() // killed: the error says so
	})
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return address
		}
	}
	t.Fatalf("%s does not listen at %s after 30 s", p.Command, address)
	return ""
}

// goModule writes a small module for gopls to look at.
func goModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module example.com/small\n\ngo 1.26\n",
		"main.go": "package main\n\nfunc main() { println(\"hello\") }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
