package gate_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// BenchmarkCall is one call of a server over stdio, without gate and log, with
// each of them, and with both.
func BenchmarkCall(b *testing.B) {
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	log, err := audit.Open(filepath.Join(b.TempDir(), "audit.jsonl"), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	cfg := policy.Config{Allow: []string{"tool.invoke:mcp.search.*", "mcp:github_*", "tool:other/*", "mcp:bench_echo"}, Deny: []string{"mcp:bench_delete_*"}}
	silent, err := policy.New(cfg, nil)
	if err != nil {
		b.Fatal(err)
	}
	gate, err := policy.New(cfg, &policy.Options{OnEvent: log.Event})
	if err != nil {
		b.Fatal(err)
	}
	for _, bb := range []struct {
		name       string
		middleware []runtime.Middleware
	}{
		{"off", nil},
		{"gate", []runtime.Middleware{silent.Middleware()}},
		{"audit", []runtime.Middleware{log.Middleware()}},
		{"gate and audit", []runtime.Middleware{log.Middleware(), gate.Middleware()}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			server := endpoint.Server{Name: "bench", Launch: &endpoint.Process{Command: exe, Args: []string{"echo"}, Env: []endpoint.Var{{Name: asServer, Value: "1"}}}}
			host, err := attach.Connect(b.Context(), []endpoint.Server{server}, &attach.Options{Middleware: bb.middleware})
			if err != nil || host.Err() != nil {
				b.Fatal(err, host.Err())
			}
			defer host.Close()
			req := runtime.Request{Server: "bench", Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(`{"text":"hello","n":1}`)}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := host.Invoke(b.Context(), req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
