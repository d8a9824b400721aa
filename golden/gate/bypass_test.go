package gate_test

// More ways around a gate: requests that say one thing and are another, names that
// mean two things, grants that reach further than they were given.

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// httpServer is a server over HTTP that writes down what it receives.
func httpServer(t *testing.T, name string, args ...string) (endpoint.Server, func(method string) []string) {
	t.Helper()
	trace := filepath.Join(t.TempDir(), "trace")
	h, err := testserver.Handler(append(args, "-trace", trace)...)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(h)
	t.Cleanup(web.Close)
	return endpoint.Server{Name: name, Launch: &endpoint.Address{URL: web.URL + "/mcp"}}, func(method string) []string { return requestsIn(t, trace, method) }
}

// Arguments that would end early and go on as another request are refused: the
// server is sent the tool that was allowed, or nothing.
func TestSmuggling(t *testing.T) {
	process, sawProcess := tracedServer(t, "s", "echo")
	web, sawWeb := httpServer(t, "s", "echo")
	for how, s := range map[string]struct {
		server endpoint.Server
		saw    func(string) []string
	}{"process": {process, sawProcess}, "http": {web, sawWeb}} {
		t.Run(how, func(t *testing.T) {
			host, _ := connect(t, policy.Config{Allow: []string{"tool:s/echo", "prompt:s/echo", "resource:s/echo"}}, attach.Options{}, s.server)
			const other = `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"forbidden","arguments":{}}}`
			for _, args := range []string{
				`{}, "name": "forbidden"`, `{},"name":"forbidden","arguments":{}`, "{}}}\n" + other + "\n{", "{\"text\":\"x\n" + other + "\n\"}",
				"{\"text\":\n\"x\"}\n" + other, "{\"text\":\"x\"}\r" + other, `{"text":"x"}` + "\u2028" + other, "[" + other + "]", `"` + "\n" + other,
			} {
				for _, method := range []string{protocol.MethodCallTool, protocol.MethodGetPrompt, protocol.MethodReadResource, protocol.MethodComplete} {
					if _, err := host.Invoke(t.Context(), runtime.Request{Server: "s", Method: method, Name: "echo", Args: json.RawMessage(args)}); err == nil && method == protocol.MethodCallTool {
						t.Errorf("%q was sent", args)
					}
				}
			}
			for key, value := range map[string]string{"a": `{}},"name":"forbidden","x":{"y":{}`, "name": `"forbidden"`, "b\n" + other + "\n": "1", "c": "\n" + other + "\n"} {
				_, _ = host.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(`{"text":"x"}`),
					Options: runtime.Options{Meta: map[string]json.RawMessage{key: json.RawMessage(value)}}})
			}
			for _, name := range []string{"echo\n" + other, `echo","name":"forbidden`, "echo\r\nMcp-Name: forbidden", "forbidden\x00echo"} {
				checkDenied(t, name, errorOf(host.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: name})))
			}
			calls := s.saw("tools/call")
			if len(calls) == 0 {
				t.Error("the server got no tools/call, want those that are allowed")
			}
			for _, line := range calls {
				var e struct {
					Message struct{ Params struct{ Name string } }
				}
				if err := json.Unmarshal([]byte(line), &e); err != nil || e.Message.Params.Name != "echo" {
					t.Errorf("the server saw %s, %v", line, err)
				}
			}
		})
	}
}

// Two servers whose names and tools meet in one text: a rule is about one of them,
// under every naming, and the other one's server sees nothing.
func TestNamesThatMeet(t *testing.T) {
	a, sawA := tracedServer(t, "a", "echo")
	ab, sawAB := tracedServer(t, "a__b", "echo")
	dash, sawDash := tracedServer(t, "a-b", "echo")
	servers := []endpoint.Server{a, ab, dash}
	names := []string{"a", "a__b", "a-b"}
	for _, allow := range []string{"tool:a/b__echo", "mcp:a__b_echo", "tool.invoke:mcp.a.echo_2", "mcp:a_b_echo2"} {
		host, _ := connect(t, policy.Config{Allow: []string{allow}, Servers: names}, attach.Options{}, servers...)
		for _, r := range [][2]string{{"a", "b__echo"}, {"a", "_b_echo"}, {"a", "echo"}, {"a", "b_echo"}, {"a__b", "echo"}, {"a__b", "_echo"}, {"a-b", "echo"}, {"a-b", "_echo"}, {"a", "b-echo"}} {
			_, err := host.Invoke(t.Context(), runtime.Request{Server: r[0], Method: protocol.MethodCallTool, Name: r[1], Args: json.RawMessage(`{"text":"x"}`)})
			if wanted := map[string][2]string{"tool:a/b__echo": {"a", "b__echo"}, "mcp:a__b_echo": {"a__b", "echo"}}[allow]; r == wanted {
				if strings.Contains(fmt.Sprint(err), "denied") {
					t.Errorf("%s: %v is denied: %v", allow, r, err)
				}
				continue
			}
			checkDenied(t, allow+": "+r[0]+"/"+r[1], err)
		}
	}
	for name, saw := range map[string]func(string) []string{"a": sawA, "a__b": sawAB, "a-b": sawDash} {
		for _, line := range saw("tools/call") {
			if name == "a-b" || name == "a" && !strings.Contains(line, `"name":"b__echo"`) || name == "a__b" && !strings.Contains(line, `"name":"echo"`) {
				t.Errorf("%s saw %s", name, line)
			}
		}
	}
	// Where the names cannot be told apart there is no policy at all.
	if _, err := policy.New(policy.Config{Allow: []string{"mcp:a_b_echo"}, Servers: []string{"a-b", "a_b"}}, nil); err == nil {
		t.Error("New with a rule about two servers has no error, want one")
	}
}

// What a person allows for a session is that call, or that tool: not another one,
// not the same of another server, not a prompt of the name, not a call whose
// beginning is the same.
func TestSessionGrants(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, tt := range []struct {
		answer policy.Decision
		again  [6]bool // the same call; another end; another tool; another server; a prompt; another case of letters
	}{
		{policy.Session, [6]bool{true, false, false, false, false, false}},
		{policy.SessionTool, [6]bool{true, true, false, false, false, false}},
	} {
		t.Run(tt.answer.String(), func(t *testing.T) {
			first := true
			person := policy.PrompterFunc(func(context.Context, policy.Question) (policy.Answer, error) {
				defer func() { first = false }()
				if first {
					return policy.Answer{Decision: tt.answer}, nil
				}
				return policy.Answer{}, nil
			})
			gate, err := policy.New(policy.Config{Mode: policy.Ask}, &policy.Options{Prompter: person})
			if err != nil {
				t.Fatal(err)
			}
			a, _ := tracedServer(t, "a", "echo")
			b, sawB := tracedServer(t, "b", "echo")
			host, err := attach.Connect(t.Context(), []endpoint.Server{a, b}, &attach.Options{Middleware: []runtime.Middleware{gate.Middleware()}})
			if err != nil || host.Err() != nil {
				t.Fatal(err, host.Err())
			}
			defer host.Close()
			passes := func(server, method, name, end string) bool {
				_, err := host.Invoke(t.Context(), runtime.Request{Server: server, Method: method, Name: name, Args: json.RawMessage(`{"text":"` + long + end + `"}`)})
				return !strings.Contains(fmt.Sprint(err), "denied")
			}
			if !passes("a", protocol.MethodCallTool, "echo", "1") {
				t.Fatal("the call that was allowed is denied")
			}
			got := [6]bool{
				passes("a", protocol.MethodCallTool, "echo", "1"), passes("a", protocol.MethodCallTool, "echo", "2"), passes("a", protocol.MethodCallTool, "echo2", "1"),
				passes("b", protocol.MethodCallTool, "echo", "1"), passes("a", protocol.MethodGetPrompt, "echo", "1"), passes("a", protocol.MethodCallTool, "ECHO", "1"),
			}
			if got != tt.again {
				t.Errorf("got %v, want %v", got, tt.again)
			}
			if len(sawB("tools/call")) != 0 {
				t.Errorf("server b got %d calls, want none", len(sawB("tools/call")))
			}
		})
	}
}
