package gateway

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
)

// Callers whose models are of a provider see tools as its API takes them, and their calls
// reach the server, the gate and the log by the server's names.
func TestForProvider(t *testing.T) {
	file := filepath.Join(t.TempDir(), "surface.json")
	surface := `{"tools":[{"name":"find","description":"Finds.","_meta":{"a":1},"inputSchema":{"type":"object","properties":{"$filter":{"type":"string"}},"anyOf":[{"required":["$filter"]}]}},` +
		`{"name":"plain","inputSchema":{"type": "object"}}]}`
	if err := os.WriteFile(file, []byte(surface), 0o600); err != nil {
		t.Fatal(err)
	}
	var called []string
	note := func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			called = append(called, string(req.Args))
			return req.ParseResult([]byte(`{"content":[]}`))
		})
	}
	host := openGateway(t, &attach.Options{Middleware: []runtime.Middleware{note}}, nil, processServer(t, "s", "replay", file)).host
	if _, err := New(host, &Options{For: "gemni"}); err == nil || !strings.Contains(err.Error(), `"gemni" is not known`) {
		t.Errorf("got %v", err)
	}
	for _, search := range []bool{false, true} {
		g, err := New(host, &Options{For: "anthropic", Search: search})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = g.Close() })
		eachEra(t, func(t *testing.T, protocol string) {
			c := dialClient(t, g, protocol)
			called = nil
			if search {
				described, err := c.call("describe_tool", `{"name":"s__find"}`)
				if err != nil {
					t.Fatal(err)
				}
				checkContains(t, described, `filter`, `The server's name of this argument is`)
				checkLacks(t, described, `"$filter":{`)
				if _, err := c.call("call_tool", `{"name":"s__find","arguments":{"filter":"x"}}`); err != nil {
					t.Fatal(err)
				}
			} else {
				got := c.must("tools/list", `{}`)
				checkContains(t, got, `"name":"s__find","_meta":{"a":1},"inputSchema":{"type":"object","properties":{"filter":{"type":"string","description":"The server's name of this argument is \"$filter\"."}},"required":["filter"]},`+
					`"description":"Finds.\nanyOf: [{\"required\":[\"$filter\"]}]"`, `"name":"s__plain","inputSchema":{"type":"object"}}`)
				if _, err := c.call("s__find", `{"filter":"x"}`); err != nil {
					t.Fatal(err)
				}
			}
			if len(called) != 1 || called[0] != `{"$filter":"x"}` {
				t.Errorf("the server is sent %q", called)
			}
		})
	}
}
