package gateway

import (
	"context"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// Three tools stand for all: what is found is called as if it were listed, with its digits,
// and the policy decides about it. What a caller is not shown is not found.
func TestSearch(t *testing.T) {
	gate, err := policy.New(policy.Config{Allow: []string{"tool:s/*"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var called []string
	note := func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			called = append(called, req.Server+"/"+req.Name)
			return next.Invoke(ctx, req)
		})
	}
	host := openGateway(t, &attach.Options{Middleware: []runtime.Middleware{note, gate.Middleware()}}, nil, processServer(t, "s", "exact"), processServer(t, "hidden", "echo")).host
	g, err := New(host, &Options{Search: true, View: agent.NewView(host, &agent.Options{Shows: gate.Shows})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	eachEra(t, func(t *testing.T, protocol string) {
		c := dialClient(t, g, protocol)
		got := c.must("tools/list", `{}`)
		checkContains(t, got, `"name":"find_tools"`, `"name":"describe_tool"`, `"name":"call_tool"`)
		checkLacks(t, got, "s__exact", "hidden__echo")
		call := func(name, args string) string {
			t.Helper()
			res, err := c.call(name, args)
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		checkContains(t, call("find_tools", `{"query":"number"}`), `"name":"s__exact"`)
		checkLacks(t, call("find_tools", `{"query":""}`), "hidden__echo")
		checkContains(t, call("describe_tool", `{"name":"s__exact"}`), `9007199254740993`)
		checkContains(t, call("describe_tool", `{"name":"hidden__echo"}`), `"isError":true`, "there is no tool")
		called = nil
		checkContains(t, call("call_tool", `{"arguments":{"n":9007199254740995},"name":"s__exact"}`), `"n":9007199254740995`, `"exact":9007199254740993`)
		hidden := call("call_tool", `{"name":"hidden__echo"}`) // denied by the policy, and so logged
		checkContains(t, hidden, `"isError":true`, "there is no tool")
		if got := strings.ReplaceAll(call("call_tool", `{"name":"nothing"}`), "nothing", "hidden__echo"); got != hidden {
			t.Errorf("a hidden tool: %s, an unknown one: %s", hidden, got)
		}
		checkContains(t, call("call_tool", `{"name":"call_tool","arguments":{"name":"s__exact"}}`), `"isError":true`, "there is no tool")
		if got := strings.Join(called, " "); got != "s/exact hidden/echo" {
			t.Errorf("called %s", got)
		}
		checkContains(t, call("s__exact", `{"n":1}`), `"n":1`) // a client that knows the name
	})
}
