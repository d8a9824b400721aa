// Package gate_test hunts for ways around the gate: whatever path a call takes,
// a server sees nothing of what the policy denies. The servers are real
// processes, and what they received is read from their own trace.
package gate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/golden/surface"
	"github.com/mcpgen/mcpgen/golden/surface/everything"
	"github.com/mcpgen/mcpgen/golden/surface/everything/everythingtest"
	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/input"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/native"
	"github.com/mcpgen/mcpgen/runtime/policy"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// asServer makes this test binary the test server.
const asServer = "MCPGEN_GATE_TEST_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) == "2" {
		runRepeater(os.Args[1])
		return
	}
	if os.Getenv(asServer) != "" {
		os.Exit(testserver.Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// tracedServer is a server process that writes down what it receives.
func tracedServer(t *testing.T, name string, args ...string) (endpoint.Server, func(method string) []string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	trace := filepath.Join(t.TempDir(), "trace")
	server := endpoint.Server{Name: name, Launch: &endpoint.Process{Command: exe, Args: append(args, "-trace", trace), Env: []endpoint.Var{{Name: asServer, Value: "1"}}}}
	return server, func(method string) []string { return requestsIn(t, trace, method) }
}

// requestsIn returns the messages of a method, or of all that carry something out.
func requestsIn(t *testing.T, trace, method string) []string {
	t.Helper()
	data, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for line := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
		var e struct {
			Event   string
			Message struct{ Method string }
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			continue // a message that is not an object
		}
		switch m := e.Message.Method; {
		case method != "" && (m == method || e.Event == method):
			found = append(found, line)
		case method != "":
		case m == "tools/call" || m == "prompts/get" || m == "resources/read" || m == "completion/complete":
			found = append(found, line)
		}
	}
	return found
}

func connect(t *testing.T, cfg policy.Config, opts attach.Options, servers ...endpoint.Server) (*attach.Host, *policy.Policy) {
	t.Helper()
	gate, err := policy.New(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	opts.Middleware = append([]runtime.Middleware{gate.Middleware()}, opts.Middleware...)
	host, err := attach.Connect(t.Context(), servers, &opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Close() })
	if err := host.Err(); err != nil {
		t.Fatal(err)
	}
	return host, gate
}

// checkDenied wants an error of the gate.
func checkDenied(t *testing.T, how string, err error) {
	t.Helper()
	e, ok := errors.AsType[*runtime.CallError](err)
	if !errors.Is(err, runtime.ErrDenied) || !ok || e.Stage != stage.Gate || e.Sent {
		t.Errorf("%s: got %v", how, err)
	}
}

// registry is a registrar.
type registry struct {
	mu    sync.Mutex
	tools map[string]runtime.Tool
}

func newRegistry() *registry { return &registry{tools: map[string]runtime.Tool{}} }

func (r *registry) Register(tool runtime.Tool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tools[tool.Spec().Name] = tool
	return nil
}

func (r *registry) Unregister(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.tools, name)
	return nil
}

func (r *registry) get(name string) runtime.Tool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tools[name]
}

// named returns the tool that its server calls so.
func (r *registry) named(name string) runtime.Tool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, tool := range r.tools {
		if tool.Spec().Tool == name {
			return tool
		}
	}
	return nil
}

// Every way that generated code and hosts offer, with a policy that allows
// everything of another server.
func TestEveryPath(t *testing.T) {
	file, err := filepath.Abs("../testdata/surface-everything.json")
	if err != nil {
		t.Fatal(err)
	}
	server, saw := tracedServer(t, "everything", "replay", file)
	cfg := policy.Config{Allow: []string{
		"tool.invoke:mcp.other.*", "mcp:other_*", "tool:other/*", "prompt:other/*", "resource:other/*", "tool.call.echo_2", "echo",
	}, Servers: []string{"everything", "other"}}
	host, _ := connect(t, cfg, attach.Options{Judge: pinned.ByHash(surface.Manifests()...)}, server)
	ctx := runtime.NewContext(t.Context(), host)
	client := everything.New(host)
	opts := []runtime.CallOption{runtime.WithTimeout(-1), runtime.WithMeta("x", json.RawMessage("1"))}

	check := func(how string, err error) { t.Helper(); checkDenied(t, how, err) }
	check("method", errorOf(client.Echo(t.Context(), everything.EchoArgs{Message: "x"}, opts...)))
	check("package function", errorOf(everything.Echo(ctx, everything.EchoArgs{Message: "x"})))
	check("prompt", errorOf(everything.SimplePrompt(ctx, everything.SimplePromptArgs{})))
	check("prompt with arguments", errorOf(client.ArgsPrompt(t.Context(), everything.ArgsPromptArgs{City: "Ulm"})))
	check("resource", errorOf(everything.ReadFeaturesMd(ctx)))
	check("template", errorOf(everything.ReadDynamicTextResource(ctx, everything.DynamicTextResourceURIVars{ResourceID: "1"})))
	check("address", errorOf(everything.ReadURI(ctx, "demo://resource/1")))
	for _, args := range []codec.CompleteArgs{{Prompt: "completable-prompt", Argument: "department"}, {Resource: "demo://resource/dynamic/text/{resourceId}", Argument: "resourceId"}} {
		check("completion", errorOf(everything.Complete(ctx, args)))
	}
	for _, method := range []string{protocol.MethodCallTool, protocol.MethodGetPrompt, protocol.MethodReadResource, protocol.MethodComplete, "tools/list", "logging/setLevel", ""} {
		for _, name := range []string{"echo", "ECHO", "echo ", "echo\x00", "écho", "\xffecho", "", "../echo", strings.Repeat("echo", 4096)} {
			check(method+" of "+name, errorOf(host.Invoke(t.Context(), runtime.Request{Server: "everything", Method: method, Name: name})))
		}
	}
	// A completion is told by what the server would be sent, not by its name.
	check("completion under another name", errorOf(host.Invoke(t.Context(), runtime.Request{Server: "everything", Method: protocol.MethodComplete, Name: "other",
		Args: json.RawMessage(`{"ref":{"type":"ref/prompt","name":"simple-prompt"},"argument":{"name":"a","value":""}}`)})))

	reg := newRegistry()
	if err := surface.Register(reg, host); err != nil {
		t.Fatal(err)
	}
	live := newRegistry()
	stop, err := agent.NewView(host, nil).SyncAll(live)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	fromHost, err := agent.NewView(host, nil).Tools()
	if err != nil || len(fromHost) == 0 || live.get("everything__echo") == nil {
		t.Fatal("the tools are not seen: ", err)
	}
	check("registered tool", errorOf(reg.get("everything__echo").Call(ctx, json.RawMessage(`{"message":"x"}`))))
	check("synchronised tool", errorOf(live.get("everything__echo").Call(t.Context(), json.RawMessage(`{"message":"x"}`))))
	for _, tool := range fromHost {
		check("tool of the host", errorOf(tool.Call(t.Context(), json.RawMessage(`{"message":"x"}`))))
	}
	check("after a reload", errors.Join(host.Reload(t.Context(), []endpoint.Server{server}), errorOf(client.Echo(t.Context(), everything.EchoArgs{Message: "x"}))))
	if got := saw(""); len(got) != 0 {
		t.Errorf("the server saw %d requests, the first one is %s", len(got), got[0])
	}
	if len(saw("tools/list")) == 0 {
		t.Error("the trace has no tools/list, want what the server received")
	}
}

func errorOf[T any](_ T, err error) error { return err }

// A fake stands behind the same gate.
func TestFake(t *testing.T) {
	gate, err := policy.New(policy.Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	fake := everythingtest.New(t) // it fails the test if a call reaches it
	ctx := runtime.NewContext(t.Context(), runtime.Chain(fake, gate.Middleware()))
	checkDenied(t, "fake", errorOf(everything.Echo(ctx, everything.EchoArgs{Message: "x"})))
	checkDenied(t, "fake", errorOf(everything.SimplePrompt(ctx, everything.SimplePromptArgs{})))
	checkDenied(t, "route", errorOf(runtime.Chain(runtime.Route{"everything": fake}, gate.Middleware()).Invoke(t.Context(),
		runtime.Request{Server: "everything", Method: protocol.MethodCallTool, Name: "echo"})))
}

// A native tool is behind the gate, and no server's tool passes for the clock.
func TestNative(t *testing.T) {
	called := 0
	wipe, err := native.New("wipe", "Wipes.", func(context.Context, struct{}) (string, error) { called++; return "", nil })
	if err != nil {
		t.Fatal(err)
	}
	set, err := native.NewSet(wipe, native.Clock(nil))
	if err != nil {
		t.Fatal(err)
	}
	server, saw := tracedServer(t, "clock", "echo")
	host, _ := connect(t, policy.Config{}, attach.Options{Middleware: []runtime.Middleware{set.Middleware()}}, server)
	for _, tool := range set.Tools(host) {
		_, err := tool.Call(t.Context(), json.RawMessage("{}"))
		if name := tool.Spec().Name; name == "clock" {
			if err != nil {
				t.Errorf("clock: %v", err)
			}
		} else {
			checkDenied(t, name, err)
		}
	}
	checkDenied(t, "a server's clock", errorOf(host.Invoke(t.Context(), runtime.Request{Server: "clock", Method: protocol.MethodCallTool, Name: "clock"})))
	if called != 0 || len(saw("")) != 0 {
		t.Errorf("called %d times, the server saw %v", called, saw(""))
	}
}

// A server that crashed is started again by the next call. One that is denied
// neither starts it nor is sent when an allowed one has.
func TestRestart(t *testing.T) {
	server, saw := tracedServer(t, "crashing", "crash-on-call")
	host, _ := connect(t, policy.Config{Allow: []string{"tool:crashing/allowed"}}, attach.Options{}, server)
	call := func(tool string) error {
		_, err := host.Invoke(t.Context(), runtime.Request{Server: "crashing", Method: protocol.MethodCallTool, Name: tool})
		return err
	}
	if err := call("allowed"); !errors.Is(err, runtime.ErrUnavailable) {
		t.Fatal(err)
	}
	starts := len(saw("start"))
	if starts == 0 {
		t.Fatal("the trace has no start of the server")
	}
	for range 3 {
		checkDenied(t, "after the crash", call("forbidden"))
	}
	if got := len(saw("start")); got != starts {
		t.Errorf("denied calls started it %d times", got-starts)
	}
	_ = call("allowed") // starts it, and crashes it again
	checkDenied(t, "after the restart", call("forbidden"))
	for _, line := range saw("tools/call") {
		if !strings.Contains(line, `"name":"allowed"`) {
			t.Errorf("the server saw %s", line)
		}
	}
	if len(saw("tools/call")) != 2 {
		t.Errorf("the server saw %d calls", len(saw("tools/call")))
	}
}

// While a call takes several rounds, what a server asks for opens no other tool,
// and the rounds are those of the call that was allowed.
func TestRounds(t *testing.T) {
	for _, mode := range []string{"modern-mrtr", "elicit"} {
		t.Run(mode, func(t *testing.T) {
			server, saw := tracedServer(t, "asking", mode)
			var host *attach.Host
			var attempts []error
			var mu sync.Mutex
			elicit := func(ctx context.Context, server string, _ input.ElicitRequest) (input.ElicitResult, error) {
				_, err := host.Invoke(ctx, runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: "forbidden"})
				mu.Lock()
				defer mu.Unlock()
				attempts = append(attempts, err)
				return input.ElicitResult{}, errors.New("no")
			}
			host, _ = connect(t, policy.Config{Allow: []string{"tool:asking/echo"}}, attach.Options{Input: input.Handlers{Elicit: elicit}}, server)
			_, _ = host.Invoke(t.Context(), runtime.Request{Server: "asking", Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(`{"text":"x"}`)})
			mu.Lock()
			defer mu.Unlock()
			if len(attempts) == 0 {
				t.Fatal("no attempt was seen, want what the server asks for")
			}
			for _, err := range attempts {
				checkDenied(t, "in an elicitation", err)
			}
			checkDenied(t, "with the answer to a round", errorOf(host.Invoke(t.Context(), runtime.Request{Server: "asking", Method: protocol.MethodCallTool, Name: "forbidden",
				Options: runtime.Options{Meta: map[string]json.RawMessage{"requestState": json.RawMessage(`"round-1"`)}}})))
			for _, line := range saw("tools/call") {
				if strings.Contains(line, "forbidden") {
					t.Errorf("the server saw %s", line)
				}
			}
		})
	}
}

// What the gate decides while rules are added and calls run is one or the other,
// and a denied call never arrives.
func TestConcurrent(t *testing.T) {
	server, saw := tracedServer(t, "busy", "echo")
	host, gate := connect(t, policy.Config{Deny: []string{"tool:busy/never"}}, attach.Options{}, server)
	var work sync.WaitGroup
	for i := range 8 {
		work.Go(func() {
			for range 20 {
				checkDenied(t, "never", errorOf(host.Invoke(t.Context(), runtime.Request{Server: "busy", Method: protocol.MethodCallTool, Name: "never"})))
			}
		})
		work.Go(func() {
			if err := gate.Grant(policy.Grant{Rule: fmt.Sprintf("mcp:busy_tool%d", i)}); err != nil {
				t.Error(err)
			}
			_ = gate.Grant(policy.Grant{Rule: "mcp:busy_*"})
		})
	}
	work.Wait()
	if got := saw("tools/call"); len(got) != 0 {
		t.Errorf("the server saw %s", got[0])
	}
}

// TestSeed holds behaviours of the systems that mcpgen serves, by the number of
// their row.
func TestSeed(t *testing.T) {
	t.Run("000-15", func(t *testing.T) { // seen, and not called
		server, saw := tracedServer(t, "github", "echo")
		host, _ := connect(t, policy.Config{}, attach.Options{}, server)
		tools, err := agent.NewView(host, nil).Tools()
		if err != nil || len(tools) == 0 {
			t.Fatal("no tool is seen", err)
		}
		checkDenied(t, "call", errorOf(tools[0].Call(t.Context(), json.RawMessage(`{"text":"x"}`))))
		if len(saw("")) != 0 {
			t.Errorf("the server saw %v", saw(""))
		}
	})
	t.Run("000-10", func(t *testing.T) { // a server that fails is in the log, the others work
		path := filepath.Join(t.TempDir(), "audit.jsonl")
		log, err := audit.Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		hanging, _ := tracedServer(t, "github", "never-answers")
		hanging.Launch.(*endpoint.Process).Args[0] = "never-init"
		hanging.Timeout.Start = 500 * time.Millisecond
		h, err := testserver.Handler("echo")
		if err != nil {
			t.Fatal(err)
		}
		web := httptest.NewServer(h)
		defer web.Close()
		host, err := attach.Connect(t.Context(), []endpoint.Server{hanging, {Name: "search", Launch: &endpoint.Address{URL: web.URL + "/mcp"}}}, &attach.Options{OnEvent: log.Event})
		if err != nil {
			t.Fatal(err)
		}
		defer host.Close()
		tools, err := agent.NewView(host, nil).Tools()
		if err != nil || len(tools) != 1 || tools[0].Spec().Server != "search" {
			t.Errorf("tools %v, %v", tools, err)
		}
		var failed, attached bool
		for r, err := range audit.Read(path, audit.Filter{Kinds: []string{audit.KindAttach}}) {
			if err != nil {
				t.Fatal(err)
			}
			failed = failed || r.Server == "github" && r.Stage == stage.Handshake && strings.Contains(r.Error, "500ms")
			attached = attached || r.Server == "search" && r.Decision == audit.Allowed && r.Tools == 1
		}
		if !failed || !attached {
			data, _ := os.ReadFile(path)
			t.Errorf("the log: %s", data)
		}
	})
	t.Run("002-13", func(t *testing.T) { // a row for each check, about tool:<name>
		records := logTwoCalls(t)
		if len(records[audit.KindCheck]) != 2 {
			t.Fatalf("checks %+v", records[audit.KindCheck])
		}
		for i, want := range []audit.Record{{Agent: "tool:echo", Tool: "echo", Decision: audit.Allowed}, {Agent: "tool:rm", Tool: "rm", Decision: audit.Denied}} {
			if got := records[audit.KindCheck][i]; got.Agent != want.Agent || got.Tool != want.Tool || got.Decision != want.Decision {
				t.Errorf("got %+v", got)
			}
		}
		if got := records[audit.KindAttach]; len(got) != 1 || got[0].Agent != "" { // what is about no tool has no such id
			t.Errorf("attach %+v", got)
		}
	})
	t.Run("002-14", func(t *testing.T) { // one row for the check, one for the call
		records := logTwoCalls(t)
		if len(records[audit.KindCall]) != 2 || records[audit.KindCall][0].Decision != audit.Allowed || records[audit.KindCall][1].Decision != audit.Denied {
			t.Errorf("calls %+v", records[audit.KindCall])
		}
	})
	t.Run("000-22", testSecretGoesNowhere)
}
