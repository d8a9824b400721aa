package gate_test

// What one allowed and one denied call leave in the audit log.

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// logTwoCalls makes a call that is allowed and one that is denied, and returns what
// was written down, by kind.
func logTwoCalls(t *testing.T) map[string][]audit.Record {
	t.Helper()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	log, err := audit.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	gate, err := policy.New(policy.Config{Allow: []string{"tool.call.echo"}}, &policy.Options{OnEvent: log.Event})
	if err != nil {
		t.Fatal(err)
	}
	server, _ := tracedServer(t, "notes", "echo")
	host, err := attach.Connect(t.Context(), []endpoint.Server{server}, &attach.Options{OnEvent: log.Event, Middleware: []runtime.Middleware{log.Middleware(), gate.Middleware()}})
	if err != nil || host.Err() != nil {
		t.Fatal(err, host.Err())
	}
	for _, tool := range []string{"echo", "rm"} {
		_, _ = host.Invoke(t.Context(), runtime.Request{Server: "notes", Method: protocol.MethodCallTool, Name: tool, Args: json.RawMessage(`{"text":"x"}`)})
	}
	_ = host.Close()
	all := map[string][]audit.Record{}
	for r, err := range audit.Read(path, audit.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		all[r.Kind] = append(all[r.Kind], r)
	}
	return all
}
