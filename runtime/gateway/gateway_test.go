package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/native"
	"github.com/mcpgen/mcpgen/schema"
)

// Schemas go out as the server sent them, with its digits and its order; nothing is
// added, and nobody in between may keep the answer.
func TestListing(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "big-numbers"))
	eachEra(t, func(t *testing.T, protocol string) {
		got := dialClient(t, g, protocol).must("tools/list", `{}`)
		checkContains(t, got, `{"name":"s__big","inputSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":-9223372036854775808,"maximum":9007199254740993,"default":9007199254740993},"f":{"type":"number","maximum":1e400,"minimum":1.0}}}}`, `"name":"s__good"`)
		checkLacks(t, got, "idempotentHint", "public", "nextCursor")
		if protocol == modern {
			checkContains(t, got, `"resultType":"complete"`, `"cacheScope":"private"`, `"ttlMs":0`, `"io.modelcontextprotocol/serverInfo":{"name":"mcpgen"`)
		} else {
			checkLacks(t, got, "resultType", "cacheScope")
		}
	})
}

// A definition is the server's bytes, but for the name, where there is one, and for what a
// caller could not use. Tools come in the server's order.
func TestDefinitionBytes(t *testing.T) {
	const whole = `{"description":"Does <b>it</b> & \u0041ll.","name":"whole","x-vendor":{"b":1,"a":[1.0]},"inputSchema":{"properties":{"z":{"type":"string"},"a":{}},"type":"object","$schema":"x"},"annotations":{"title":"T","custom":{"y":1,"x":2}},"_meta":{"k":[2,1]}}`
	const odd = `{"title":7,"description":null,"name":"odd","icons":{},"annotations":"yes","outputSchema":true,"execution":{"taskSupport":"optional"},"_meta":[]}`
	file := filepath.Join(t.TempDir(), "surface.json")
	if err := os.WriteFile(file, []byte(`{"tools":[`+whole+`,`+odd+`]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	host := openGateway(t, nil, nil, processServer(t, "s", "replay", file)).host
	for scheme, prefix := range map[naming.Scheme]string{naming.DoubleUnderscore: "s__", naming.Bare: ""} {
		g, err := New(host, &Options{View: agent.NewView(host, &agent.Options{Naming: scheme})})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = g.Close() })
		eachEra(t, func(t *testing.T, protocol string) {
			want := strings.Replace(whole, `"whole"`, `"`+prefix+`whole"`, 1) + `,{"name":"` + prefix + `odd","inputSchema":{"type":"object"}}`
			checkContains(t, dialClient(t, g, protocol).must("tools/list", `{}`), `"tools":[`+want+`]`)
		})
	}
}

// The page that a tool brings along is there under the URI that the tool says.
func TestApp(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte("<p>Hello</p>"), 0o600); err != nil {
		t.Fatal(err)
	}
	g := openGateway(t, nil, nil, processServer(t, "a b", "app", file))
	eachEra(t, func(t *testing.T, protocol string) {
		c := dialClient(t, g, protocol)
		const uri = `ui://mcpgen/a%20b/show/page.html`
		checkContains(t, c.must("tools/list", `{}`), `"_meta":{"ui":{"resourceUri":"`+uri+`"}}`)
		checkContains(t, c.must("resources/read", `{"uri":"`+uri+`"}`), `"uri":"`+uri+`"`, `"text":"<p>Hello</p>"`, `"prefersBorder":true`, "profile=mcp-app")
	})
}

// Integers beyond 2^53 stay what they are, both ways.
func TestExactIntegers(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "exact"))
	eachEra(t, func(t *testing.T, protocol string) {
		got, err := dialClient(t, g, protocol).call("s__exact", `{"n":9007199254740995}`)
		if err != nil {
			t.Fatal(err)
		}
		checkContains(t, got, `"n":9007199254740995`, `"exact":9007199254740993`)
	})
}

// A definition that the SDK's server would panic at costs nothing: not itself, and
// not the listing of a client that wants objects.
func TestOddDefinitions(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "odd.json")
	if err := os.WriteFile(file, []byte(`{"tools":[
		{"name":"any","inputSchema":{"anyOf":[{"required":["a"]},{"required":["b"]}]}},
		{"name":"nullable","inputSchema":{"type":["object","null"],"maxProperties":9007199254740993}},
		{"name":"text","inputSchema":{"type":"string"}},
		{"name":"header","inputSchema":{"type":"object","properties":{"a":{"type":"object","x-mcp-header":"X Bad"}}}},
		{"name":"list","inputSchema":{"type":"object"},"outputSchema":{"type":"array","items":{"type":"integer"}},"annotations":{"readOnlyHint":true}}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	g := openGateway(t, nil, nil, processServer(t, "s", "replay", file))
	eachEra(t, func(t *testing.T, protocol string) {
		c := dialClient(t, g, protocol)
		got := c.must("tools/list", `{}`)
		checkContains(t, got, `"name":"s__any","inputSchema":{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			`"maxProperties":9007199254740993`, `"name":"s__text","inputSchema":{"type":"object"}`, `"x-mcp-header":"X Bad"`, `"annotations":{"readOnlyHint":true}`)
		if has := strings.Contains(got, `"outputSchema":{"type":"array"`); has != (protocol == modern) {
			t.Errorf("the schema of a list: %v", has)
		}
		res, err := c.call("s__header", `{"a":{}}`)
		if err != nil {
			t.Fatal(err)
		}
		checkContains(t, res, `{\"a\":{}}`)
	})
}

// Content that a caller does not know becomes text, and nothing is dropped.
func TestContent(t *testing.T) {
	unknown := openGateway(t, nil, nil, processServer(t, "s", "unknown-content"))
	all := openGateway(t, nil, nil, processServer(t, "s", "all-content"))
	eachEra(t, func(t *testing.T, protocol string) {
		got, err := dialClient(t, unknown, protocol).call("s__echo", `{}`)
		if err != nil {
			t.Fatal(err)
		}
		checkContains(t, got, `{"type":"text","text":"before"}`, `{"type":"text","text":"[hologram] {\"type\":\"hologram\",\"depth\":3}"}`,
			`[image] {\"type\":\"image\",\"data\":\"%%%\"`, `{"type":"text","text":"after"}`, `"structuredContent":{"text":"ok"}`)
		if got, err = dialClient(t, all, protocol).call("s__echo", `{}`); err != nil {
			t.Fatal(err)
		}
		checkContains(t, got, `{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}`, `{"type":"text","text":"hello","annotations":{"priority":0.5}}`,
			`"uri":"mcpgen://s/file:///a.txt"`, `"uri":"mcpgen://s/file:///b.txt"`, `"n":9007199254740993`)
	})
	old, err := dialClient(t, all, "2024-11-05").call("s__echo", `{}`)
	if err != nil {
		t.Fatal(err)
	}
	checkContains(t, old, `"text":"[Audio] (audio/wav)\n(4 bytes)"`, `[Resource link: file:///b.txt] b (text/plain)`, `"type":"image"`)
	var types struct{ Content []struct{ Type string } }
	if err := json.Unmarshal([]byte(old), &types); err != nil || len(types.Content) != 5 {
		t.Errorf("%v: %s", err, old)
	}
}

// denyTool refuses a tool, as a policy does.
func denyTool(tool string) runtime.Middleware {
	return func(next runtime.Invoker) runtime.Invoker {
		return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
			if req.Name == tool {
				return nil, &runtime.CallError{Server: req.Server, Name: req.Name, Stage: stage.Gate, Err: fmt.Errorf("%w: no rule", runtime.ErrDenied)}
			}
			return next.Invoke(ctx, req)
		})
	}
}

// What a tool says, what the gate says and what a server says arrive as what they are.
func TestErrors(t *testing.T) {
	g := openGateway(t, &attach.Options{Middleware: []runtime.Middleware{denyTool("echo")}}, nil, processServer(t, "s", "is-error"))
	failing := openGateway(t, nil, nil, processServer(t, "s", "is-error"), processServer(t, "r", "rpc-error"), processServer(t, "down", "crash-on-start"))
	eachEra(t, func(t *testing.T, protocol string) {
		got, err := dialClient(t, g, protocol).call("s__echo", `{}`)
		if err != nil {
			t.Fatal(err)
		}
		checkContains(t, got, `"isError":true`, "denied: no rule")

		c := dialClient(t, failing, protocol)
		if got, err = c.call("s__echo", `{}`); err != nil {
			t.Fatal(err)
		}
		checkContains(t, got, `"isError":true`, "the tool said no")

		var rpc *jsonrpc.Error
		if _, err = c.call("r__echo", `{}`); !errors.As(err, &rpc) || rpc.Code != -32042 || string(rpc.Data) != `{"n":9007199254740993}` {
			t.Errorf("got %v", err)
		}
		if _, err = c.call("down__echo", `{}`); err == nil || !strings.Contains(err.Error(), "down/echo: connect: ") {
			t.Errorf("a tool of a server that does not start: %v", err)
		}
		if list := c.must("tools/list", `{}`); !strings.Contains(list, "s__echo") || strings.Contains(list, "down__") {
			t.Errorf("got %s", list)
		}
	})
}

// A server that crashes costs its own calls, with an error that says so.
func TestCrash(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "crash-on-call"), processServer(t, "ok", "exact"))
	eachEra(t, func(t *testing.T, protocol string) {
		c := dialClient(t, g, protocol)
		_, err := c.call("s__echo", `{}`)
		var rpc *jsonrpc.Error
		if !errors.As(err, &rpc) {
			t.Fatalf("got %v", err)
		}
		var f failureDetail
		if json.Unmarshal(rpc.Data, &f) != nil || f.Kind != kindUnavailable || f.Server != "s" {
			t.Errorf("got %s", rpc.Data)
		}
		if _, err := c.call("ok__exact", `{"n":1}`); err != nil {
			t.Error(err)
		}
	})
}

// A tool of a server that is down is unavailable, and not unknown: also one that is pinned
// of a server that never came up.
func TestDown(t *testing.T) {
	m := manifestOf("down", `{"name":"pinned","inputSchema":{"type":"object"}}`, "sha256:1")
	g := openGateway(t, &attach.Options{Judge: pinned.ByHash([]*codec.Manifest{m}...)}, nil,
		processServer(t, "down", "crash-on-start"))
	c := dialClient(t, g, legacy)
	_, err := c.call("down__pinned", `{}`)
	var rpc *jsonrpc.Error
	if !errors.As(err, &rpc) || !strings.Contains(string(rpc.Data), `"kind":"unavailable","server":"down"`) {
		t.Errorf("got %v", err)
	}
}

// A pinned prompt of a server that is down is not listed, and getting it fails as
// unavailable; where the server comes back for the call, it is got.
func TestPromptDown(t *testing.T) {
	offers := `{"tools":[{"name":"t","inputSchema":{"type":"object"}}],"prompts":[{"name":"review"}]}`
	file := filepath.Join(t.TempDir(), "offers.json")
	manifests := []*codec.Manifest{codec.NewManifest("down", offers), codec.NewManifest("back", offers)}
	g := openGateway(t, &attach.Options{Judge: pinned.ByHash(manifests...)}, nil,
		processServer(t, "down", "crash-on-start"), processServer(t, "back", "replay", file))
	c := dialClient(t, g, legacy)
	if got := c.must("prompts/list", `{}`); got != `{"prompts":[]}` {
		t.Errorf("got %s", got)
	}
	for method, params := range map[string]string{
		"prompts/get":         `{"name":"down__review"}`,
		"completion/complete": `{"ref":{"type":"ref/prompt","name":"down__review"},"argument":{"name":"file","value":"a"}}`,
	} {
		_, err := c.request(method, params)
		var rpc *jsonrpc.Error
		if !errors.As(err, &rpc) || !strings.Contains(string(rpc.Data), `"kind":"unavailable","server":"down"`) {
			t.Errorf("%s: got %v", method, err)
		}
	}
	if err := os.WriteFile(file, []byte(offers), 0o600); err != nil {
		t.Fatal(err)
	}
	checkContains(t, c.must("prompts/get", `{"name":"back__review"}`), `"messages"`)
	eventually(t, "the prompt is listed", func() bool { return strings.Contains(c.must("prompts/list", `{}`), `"name":"back__review"`) })
}

// A server that comes back is called before the gateway has listed its tools again.
func TestBackBeforeListed(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "exact"))
	c := dialClient(t, g, legacy)
	c.must("tools/list", `{}`)
	g.tools.list.Store(&toolList{}) // as listed while the server was down
	if _, err := c.call("s__exact", `{"n":1}`); err != nil {
		t.Error(err)
	}
}

// A tool and a prompt are known by the names that mcpgen list and call have for them, too;
// a name that several could mean is unknown.
func TestNamesOfCommands(t *testing.T) {
	file := filepath.Join(t.TempDir(), "surface.json")
	if err := os.WriteFile(file, []byte(`{"tools":[{"name":"b.c","inputSchema":{"type":"object"}}],"prompts":[{"name":"p.q"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	g := openGateway(t, nil, nil, processServer(t, "a", "replay", file), processServer(t, "b", "replay", file))
	c := dialClient(t, g, legacy)
	checkContains(t, c.must("tools/list", `{}`), `"a__b_c"`)
	for _, name := range []string{"a__b_c", "a/b.c", "a__b.c", "mcp.a.b.c"} {
		if _, err := c.call(name, `{}`); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"a__p_q", "a/p.q"} {
		c.must("prompts/get", `{"name":"`+name+`"}`)
	}
	if _, err := c.call("b.c", `{}`); err == nil || !strings.Contains(err.Error(), "unknown tool") {
		t.Errorf("got %v", err)
	}
	host, err := attach.Connect(t.Context(), []endpoint.Server{processServer(t, "a.b", "echo")}, &attach.Options{Background: true})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	if _, err := New(host, &Options{View: agent.NewView(host, &agent.Options{Naming: naming.Dot})}); err == nil {
		t.Error("a server that cannot be named")
	}
}

// manifestOf pins a tool as it was, with its contract.
func manifestOf(server, tool, pin string) *codec.Manifest {
	name := struct{ Name string }{}
	_ = json.Unmarshal([]byte(tool), &name)
	return codec.NewManifest(server, `{"tools":[`+tool+`]}`, codec.ItemRef{Server: server, Name: name.Name, Pin: pin})
}

// A tool that has drifted is neither shown nor called, the text that is shown is the
// pinned one, and what is not pinned cannot be called by its name either.
func TestPinned(t *testing.T) {
	m := manifestOf("s", `{"name":"gone","description":"As it was pinned.","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}`, "sha256:1")
	g := openGateway(t, &attach.Options{Judge: pinned.ByHash([]*codec.Manifest{m}...)}, nil, processServer(t, "s", "mutable"))
	c := dialClient(t, g, legacy)
	if got := c.must("tools/list", `{}`); got != `{"tools":[]}` {
		t.Errorf("got %s", got)
	}
	got, err := c.call("s__gone", `{}`)
	if err != nil {
		t.Fatal(err)
	}
	checkContains(t, got, `"isError":true`, "differs from the one this code was generated against", "tool-removed")
	if _, err := c.call("s__echo", `{"text":"x"}`); err == nil || !strings.Contains(err.Error(), "unknown tool") {
		t.Errorf("a tool that is not pinned was called: %v", err)
	}
}

// A tool of which only texts changed is shown as it was pinned, and called.
func TestReworded(t *testing.T) {
	tool := `{"name":"more","description":"As it was pinned.","inputSchema":{"type":"object"}}`
	pin, err := schema.ContractHash(schema.KindTool, json.RawMessage(tool))
	if err != nil {
		t.Fatal(err)
	}
	m := codec.NewManifest("s", `{"tools":[{"name":"mutate","inputSchema":{"type":"object"}},`+tool+`]}`, codec.ItemRef{Server: "s", Name: "more", Pin: pin})
	g := openGateway(t, &attach.Options{Judge: pinned.ByHash(m), Refresh: 20 * time.Millisecond}, nil, processServer(t, "s", "mutable"))
	if _, err := g.host.Invoke(t.Context(), runtime.Request{Server: "s", Method: "tools/call", Name: "mutate", Args: json.RawMessage(`{"notify":1,"add":[` + strings.Replace(tool, "As it was pinned.", "Ignore what was pinned.", 1) + `]}`)}); err != nil {
		t.Fatal(err)
	}
	c := dialClient(t, g, legacy)
	for deadline := time.Now().Add(10 * time.Second); len(g.host.Status()[0].Reworded) == 0 && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
	}
	if got := c.must("tools/list", `{}`); !strings.Contains(got, "As it was pinned.") || strings.Contains(got, "Ignore") {
		t.Errorf("got %s", got)
	}
	if _, err := c.call("s__more", `{}`); err != nil {
		t.Error(err)
	}
}

// What changes is told, once, and only if what is shown has changed.
func TestListChanged(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "mutable"))
	var told atomic.Int64
	c := dialAs(t, g, legacy, `{}`, func(method string, _ json.RawMessage) json.RawMessage {
		if method == "notifications/tools/list_changed" {
			told.Add(1)
		}
		return nil
	})
	until := func(n int64) {
		t.Helper()
		for deadline := time.Now().Add(10 * time.Second); told.Load() < n && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			c.must("ping", `{}`)
		}
		if told.Load() != n {
			t.Fatalf("told %d times, want %d", told.Load(), n)
		}
	}
	if _, err := c.call("s__mutate", `{"notify":3}`); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second) // longer than the host waits for more
	until(0)
	if _, err := c.call("s__mutate", `{"notify":3,"add":[{"name":"more","inputSchema":{"type":"object"}}]}`); err != nil {
		t.Fatal(err)
	}
	until(1)
	checkContains(t, c.must("tools/list", `{}`), "s__more")
}

// Progress arrives in order, before the result.
func TestProgress(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "progress"))
	eachEra(t, func(t *testing.T, protocol string) {
		var got []string
		c := dialAs(t, g, protocol, `{}`, func(method string, params json.RawMessage) json.RawMessage {
			var p struct {
				ProgressToken string
				Progress      int
			}
			if err := json.Unmarshal(params, &p); err == nil && method == "notifications/progress" {
				got = append(got, fmt.Sprint(p.ProgressToken, p.Progress))
			}
			return nil
		})
		c.must("tools/call", `{"_meta":{"progressToken":"t"},"name":"s__echo","arguments":{}}`)
		if text := strings.Join(got, " "); text != "t1 t2 t3 t4 t5 t6 t7 t8 t9 t10" {
			t.Errorf("got %s", text)
		}
	})
}

// What a server logs in the course of a call reaches its caller, from the level on that
// it asked for.
func TestLogs(t *testing.T) {
	eachEra(t, func(t *testing.T, protocol string) {
		input := new(Input)
		g := openGateway(t, &attach.Options{Input: input, Logger: slog.New(input.Handler(slog.DiscardHandler))}, &Options{Input: input}, processServer(t, "s", "log-flood", "-n", "3"))
		logs := 0
		c := dialAs(t, g, protocol, `{}`, func(method string, params json.RawMessage) json.RawMessage {
			if method == "notifications/message" {
				logs++
				checkContains(t, string(params), `"logger":"s`)
			}
			return nil
		})
		meta := ""
		if protocol == modern {
			meta = `"_meta":{"io.modelcontextprotocol/logLevel":"debug"},`
		} else {
			c.must("logging/setLevel", `{"level":"debug"}`)
			if _, err := c.request("logging/setLevel", `{"level":"bogus"}`); err == nil || !strings.Contains(err.Error(), "unknown level bogus: want debug, info") {
				t.Errorf("an unknown level: %v", err)
			}
		}
		for deadline := time.Now().Add(10 * time.Second); logs == 0 && time.Now().Before(deadline); {
			c.must("tools/call", `{`+meta+`"name":"s__echo","arguments":{"text":"x"}}`)
		}
		if logs == 0 {
			t.Error("the caller got no log message, want at least one")
		}
	})
}

// All eight levels pass as they are, and data is what the server sent: all before the
// answer, also to a session that never asked for a level.
func TestLogsAsTheyAre(t *testing.T) {
	for _, of := range []struct{ protocol, level string }{{legacy, ""}, {legacy, "debug"}, {modern, "debug"}} {
		protocol := of.protocol
		input := new(Input)
		g := openGateway(t, &attach.Options{Input: input, Logger: slog.New(input.Handler(slog.DiscardHandler))}, &Options{Input: input}, processServer(t, "s", "log-levels"))
		var logs []string
		c := dialAs(t, g, protocol, `{}`, func(method string, params json.RawMessage) json.RawMessage {
			if method == "notifications/message" {
				logs = append(logs, string(params))
			}
			return nil
		})
		meta := ""
		if protocol == modern {
			meta = `"_meta":{"io.modelcontextprotocol/logLevel":"debug"},`
		} else if of.level != "" {
			c.must("logging/setLevel", `{"level":"debug"}`)
		}
		c.must("tools/call", `{`+meta+`"name":"s__echo","arguments":{"text":"x"}}`)
		all := strings.Join(logs, "\n")
		for i, level := range []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"} {
			checkContains(t, all, fmt.Sprintf(`"level":"%s"`, level), fmt.Sprintf(`"data":{"line":"a\n b","n":9007199254740993,"i":%d}`, i))
		}
		checkContains(t, all, `"logger":"s/l"`)
	}
}

// A server of 2026-07-28 logs on the stream of a call: with two calls at once, each caller gets
// the logs of its own call.
func TestLogsOfCallsAtOnce(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	upstream := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	upstream.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		both.Done()
		both.Wait()
		//lint:ignore SA1019 servers log this way
		err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: string(r.Params.Arguments)})
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, err
	})
	input := new(Input)
	g := openGateway(t, &attach.Options{Input: input, Logger: slog.New(input.Handler(slog.DiscardHandler))}, &Options{Input: input}, endpoint.Server{Name: "s", Launch: &endpoint.Address{
		URL: serveHandler(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return upstream }, &mcp.StreamableHTTPOptions{Stateless: true})),
	}})
	var callers [2]*client
	var logs [2]string
	for i := range callers {
		callers[i] = dialAs(t, g, modern, `{}`, func(method string, params json.RawMessage) json.RawMessage {
			logs[i] += method + string(params)
			return nil
		})
		callers[i].begin("tools/call", fmt.Sprintf(`{"_meta":{"io.modelcontextprotocol/logLevel":"debug"},"name":"s__t","arguments":{"caller":%d}}`, i))
	}
	for i, c := range callers {
		c.read()
		if want := fmt.Sprintf(`\"caller\":%d`, i); !strings.Contains(logs[i], want) || strings.Count(logs[i], "caller") != 1 {
			t.Errorf("caller %d got %q, want one log message with %s", i, logs[i], want)
		}
	}
}

// Servers are asked for the lowest level that a session wants, those that come later too.
func TestLevelOfServers(t *testing.T) {
	dir := t.TempDir()
	file, trace := filepath.Join(dir, "surface.json"), filepath.Join(dir, "trace")
	if err := os.WriteFile(file, []byte(`{"capabilities":{"tools":{},"logging":{}},"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	g := openGateway(t, nil, nil, processServer(t, "s", "replay", file, "-trace", trace))
	dialClient(t, g, legacy).must("logging/setLevel", `{"level":"warning"}`)
	dialClient(t, g, legacy).must("logging/setLevel", `{"level":"error"}`)
	if err := g.host.Attach(t.Context(), processServer(t, "later", "replay", file, "-trace", trace+"2")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{trace, trace + "2"} {
		got := ""
		for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline) && !strings.Contains(got, "setLevel"); time.Sleep(10 * time.Millisecond) {
			data, _ := os.ReadFile(path)
			got = string(data)
		}
		checkContains(t, got, `{"level":"warning"}`)
		checkLacks(t, got, `"level":"error"`)
	}
}

// A session that sets no level gets everything, whatever another one sets, until it ends.
func TestLevelOfOthers(t *testing.T) {
	dir := t.TempDir()
	file, trace := filepath.Join(dir, "surface.json"), filepath.Join(dir, "trace")
	if err := os.WriteFile(file, []byte(`{"capabilities":{"tools":{},"logging":{}},"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	g := openGateway(t, nil, nil, processServer(t, "s", "replay", file, "-trace", trace))
	asked := func() (levels []string) {
		data, _ := os.ReadFile(trace)
		for _, m := range regexp.MustCompile(`"params":\{"level":"([a-z]+)"`).FindAllStringSubmatch(string(data), -1) {
			levels = append(levels, m[1])
		}
		return levels
	}
	ann, bob := dialClient(t, g, legacy), dialClient(t, g, legacy)
	ann.must("tools/list", `{}`)
	if got := asked(); got != nil {
		t.Errorf("asked for %v before a session has set a level", got)
	}
	bob.must("logging/setLevel", `{"level":"emergency"}`)
	eventually(t, "asked for what the other one gets", func() bool { return slices.Equal(asked(), []string{"debug"}) })
	_ = ann.conn.Close()
	eventually(t, "asked for less", func() bool { return slices.Equal(asked(), []string{"debug", "emergency"}) })
	dialClient(t, g, legacy)
	eventually(t, "asked for more", func() bool { return slices.Equal(asked(), []string{"debug", "emergency", "debug"}) })
}

// Cancelling ends the call at the server, and the call gets no answer.
func TestCancel(t *testing.T) {
	eachEra(t, func(t *testing.T, protocol string) {
		trace := filepath.Join(t.TempDir(), "trace")
		g := openGateway(t, nil, nil, processServer(t, "s", "hang-on-call", "-trace", trace))
		c := dialClient(t, g, protocol)
		id := c.begin("tools/call", `{"name":"s__echo","arguments":{}}`)
		has := func(text string) bool {
			for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
				if data, err := os.ReadFile(trace); err == nil && strings.Contains(string(data), text) {
					return true
				}
			}
			return false
		}
		if !has("tools/call") {
			t.Fatal("the trace has no tools/call")
		}
		c.send(&jsonrpc.Request{Method: "notifications/cancelled", Params: json.RawMessage(fmt.Sprintf(`{"requestId":%v}`, id.Raw()))})
		if !has("notifications/cancelled") {
			t.Error("the trace has no notifications/cancelled")
		}
		if !g.busy.wait(10 * time.Second) {
			t.Error("the call is still under way")
		}
		if next := c.begin("tools/list", `{}`); c.read().ID != next {
			t.Error("the cancelled call was answered")
		}
	})
}

// Prompts, resources and templates of two servers that use the same names do not meet.
func TestItems(t *testing.T) {
	file := filepath.Join(t.TempDir(), "offers.json")
	if err := os.WriteFile(file, []byte(`{"instructions":"Ask first.","tools":[{"name":"t","inputSchema":{"type":"object"}}],
		"prompts":[{"name":"review","arguments":[{"name":"file"}]}],
		"resources":[{"uri":"file:///a b.txt","name":"a"}],
		"resourceTemplates":[{"uriTemplate":"file:///{path}{?q*}","name":"f"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	g := openGateway(t, nil, nil, processServer(t, "one", "replay", file), processServer(t, "t/wo", "replay", file))
	eachEra(t, func(t *testing.T, protocol string) {
		c := dialClient(t, g, protocol)
		checkContains(t, c.must("prompts/list", `{}`), `"name":"one__review"`, `"name":"t_wo__review"`)
		checkContains(t, c.must("prompts/get", `{"name":"one__review","arguments":{"file":"x"}}`), `"text":"{\"file\":\"x\"}"`)
		checkContains(t, c.must("resources/list", `{}`), `"uri":"mcpgen://one/file:///a b.txt"`, `"uri":"mcpgen://t%2Fwo/file:///a b.txt"`)
		checkContains(t, c.must("resources/templates/list", `{}`), `"uriTemplate":"mcpgen://t%2Fwo/file:///{path}{?q*}"`)
		checkContains(t, c.must("resources/read", `{"uri":"mcpgen://t%2Fwo/file:///x?q=1"}`), `"uri":"mcpgen://t%2Fwo/file:///x?q=1"`, `content of file:///x?q=1`)
		checkContains(t, c.must("completion/complete", `{"ref":{"type":"ref/prompt","name":"one__review"},"argument":{"name":"file","value":"a"}}`), `"values":["one","two"]`)
		checkContains(t, c.must("completion/complete", `{"ref":{"type":"ref/resource","uri":"mcpgen://one/file:///{path}"},"argument":{"name":"path","value":"a"}}`), `"values":["one","two"]`)
		for method, params := range map[string]string{"prompts/get": `{"name":"nobody"}`, "resources/read": `{"uri":"file:///a.txt"}`} {
			if _, err := c.request(method, params); err == nil {
				t.Errorf("%s %s went through", method, params)
			}
		}
	})
	c := dialClient(t, g, modern)
	checkContains(t, c.must("server/discover", `{}`), `## one\n\n> Ask first.`, `"cacheScope":"private"`)

	host, err := attach.Connect(t.Context(), []endpoint.Server{processServer(t, "one", "replay", file)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Close() })
	bare, err := New(host, &Options{View: agent.NewView(host, &agent.Options{Naming: naming.Bare})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bare.Close() })
	c = dialClient(t, bare, legacy)
	checkContains(t, c.must("resources/list", `{}`), `"uri":"file:///a b.txt"`)
	checkContains(t, c.must("resources/read", `{"uri":"file:///y"}`), `content of file:///y`)
	checkContains(t, c.must("tools/list", `{}`), `"name":"t"`)
}

// Each Connect is a session of its own, as a client wants that connects again.
func TestTransport(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "exact"))
	transport := g.Transport()
	for range 3 {
		c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		session, err := c.Connect(t.Context(), transport, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "s__exact", Arguments: json.RawMessage(`{"n":1}`)})
		if err != nil || res.IsError {
			t.Fatalf("%v, %v", res, err)
		}
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}
	_ = g.Close()
	if _, err := transport.Connect(t.Context()); err == nil {
		t.Error("Connect to a closed gateway has no error, want one")
	}
}

// Tools of the program itself are offered beside those of servers.
func TestNative(t *testing.T) {
	set, err := native.NewSet(native.Echo())
	if err != nil {
		t.Fatal(err)
	}
	host, err := attach.Connect(t.Context(), nil, &attach.Options{Middleware: []runtime.Middleware{set.Middleware()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Close() })
	g, err := New(host, &Options{View: agent.NewView(host, &agent.Options{Native: set.Tools})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	got := dialClient(t, g, legacy).must("tools/list", `{}`)
	checkContains(t, got, `"name":"echo"`)
}

// Calls under way may end when serving ends, unless the operator waits for none.
func TestDrain(t *testing.T) {
	for drain, answered := range map[time.Duration]bool{5 * time.Second: true, -1: false} {
		t.Run(drain.String(), func(t *testing.T) {
			g := openGateway(t, nil, &Options{Drain: drain}, processServer(t, "s", "late-response"))
			client, server := mcp.NewInMemoryTransports()
			ctx, cancel := context.WithCancel(t.Context())
			served := make(chan error, 1)
			go func() { served <- g.Serve(ctx, server) }()
			session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), client, nil)
			if err != nil {
				t.Fatal(err)
			}
			called := make(chan error, 1)
			go func() {
				_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "s__echo", Arguments: json.RawMessage(`{"text":"x"}`)})
				called <- err
			}()
			time.Sleep(100 * time.Millisecond) // the call is under way
			cancel()
			if err := <-called; (err == nil) != answered {
				t.Errorf("the call under way: %v", err)
			}
			if err := <-served; err != nil {
				t.Error(err)
			}
		})
	}
}

// A pipe that ends after its requests gets all answers.
func TestServeIO(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "late-response"))
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"s__echo","arguments":{"text":"9007199254740993"}}}
`
	var out strings.Builder
	if err := g.ServeIO(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Error(err)
	}
	checkContains(t, out.String(), `"id":1`, `"id":2`, `9007199254740993`)
}
