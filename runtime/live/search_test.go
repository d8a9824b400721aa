package live_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/native"
)

// An agent that searches finds what it may call, and what it calls
// passes the gate and stands in the log as the call that it is.
func TestSearchTools(t *testing.T) {
	work := enterProject(t, map[string]string{
		"surface.json": `{"tools":[{"name":"read_file","description":"Reads.","inputSchema":{"type":"object"}},` +
			`{"name":"write_file","inputSchema":{"type":"object"}},{"name":"delete_file","inputSchema":{"type":"object"}}]}`,
		"mcpgen.yaml": `version: 1
servers:
  fs: {command: PROGRAM, args: [replay, surface.json], inherit_env: all}
policy: {allow: ["tool:fs/read_*"], deny: ["tool:fs/delete_*"]}
audit: {}
`})
	host := openReady(t, live.Options{})
	tools := map[string]func(string) (string, bool){}
	for _, tool := range host.SearchTools() {
		tools[tool.Spec().Name] = func(args string) (string, bool) {
			res, err := tool.Call(t.Context(), json.RawMessage(args))
			if err != nil {
				t.Fatal(err)
			}
			return res.Text(), res.IsError
		}
	}
	for _, tt := range []struct {
		tool, args, want string
		isError          bool
	}{
		{native.FindToolsName, `{"query":"file"}`, `{"tools":[{"name":"fs__read_file","summary":"Reads."}],"more":0}`, false},
		{native.DescribeToolName, `{"name":"fs__read_file"}`, `{"name":"fs__read_file","description":"Reads.","inputSchema":{"type":"object"}}`, false},
		{native.CallToolName, `{"name":"fs__read_file","arguments":{"n":9007199254740993}}`, `9007199254740993`, false},
		{native.CallToolName, `{"name":"fs__write_file","arguments":{}}`, "there is no tool", true},
		{native.CallToolName, `{"name":"fs__delete_file","arguments":{}}`, "there is no tool", true},
	} {
		if got, isError := tools[tt.tool](tt.args); !strings.Contains(got, tt.want) || isError != tt.isError {
			t.Errorf("%s %s: got %s, an error: %t", tt.tool, tt.args, got, isError)
		}
	}
	host.Close()
	calls := recordsIn(t, filepath.Join(work, filepath.FromSlash(config.DefaultAuditFile)), audit.Filter{Kinds: []string{audit.KindCall}})
	if len(calls) != 1 || calls[0].Tool != "read_file" {
		t.Errorf("written down: %+v", calls)
	}
}
