//lint:file-ignore SA1019 servers before 2026-07-28 ask this way

package gateway

// Several callers at one server that asks: each is asked for its own calls.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// together is a client of the SDK that answers what it is asked, once all of its kind are
// asked.
type together struct {
	*mcp.ClientSession
	client *mcp.Client
}

// meeting waits until n have come, or for ten seconds.
func meeting(n int) func() {
	var all sync.WaitGroup
	all.Add(n)
	met := make(chan struct{})
	go func() { all.Wait(); close(met) }()
	return func() {
		all.Done()
		select {
		case <-met:
		case <-time.After(10 * time.Second):
		}
	}
}

// dialTogether connects a client named name, with a folder of that name.
func dialTogether(t *testing.T, transport mcp.Transport, protocol, name string, met func()) together {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			met()
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": name}}, nil
		},
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			met()
			return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: name}}, nil
		},
	})
	c.AddRoots(&mcp.Root{URI: "file:///home/" + name, Name: name})
	s, err := c.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return together{s, c}
}

// asked are the servers that ask: one that is a process, one by address, and a server of
// the SDK, which asks within sessions alone.
func asked(t *testing.T) map[string]endpoint.Server {
	t.Helper()
	all := endpoint.Offers{Forms: true, Pages: true, Sampling: true, Roots: true}
	process := processServer(t, "s", "asks")
	process.Client = &all
	sdk := mcp.NewServer(&mcp.Implementation{Name: "u", Version: "1"}, nil)
	sdk.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var params struct{ Message string }
		var args struct {
			Method string
			Params json.RawMessage
		}
		if err := json.Unmarshal(r.Params.Arguments, &args); err != nil {
			return nil, err
		}
		_ = json.Unmarshal(args.Params, &params)
		var answer any
		var err error
		switch args.Method {
		case "elicitation/create":
			answer, err = r.Session.Elicit(ctx, &mcp.ElicitParams{Message: params.Message, RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}}}`)})
		case "roots/list":
			answer, err = r.Session.ListRoots(ctx, nil)
		default:
			answer, err = r.Session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 1})
		}
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(answer)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}, err
	})
	url := serveHandler(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return sdk }, nil))
	return map[string]endpoint.Server{"process": process, "sdk": {Name: "s", Launch: &endpoint.Address{URL: url}, Client: &all}}
}

// Three callers at once are each asked for their own calls, and each call gets the answer
// of its own caller.
func TestCallersApart(t *testing.T) {
	for name, server := range asked(t) {
		for _, way := range []string{"memory", "http"} {
			for _, method := range []string{"elicitation/create", "sampling/createMessage", "roots/list"} {
				t.Run(name+" "+way+" "+method, func(t *testing.T) {
					input := new(Input)
					g := openGateway(t, apart(input), &Options{Input: input}, server)
					url, _ := serveHTTP(t, g, nil)
					met := meeting(3)
					var calls sync.WaitGroup
					for _, caller := range []string{"ann", "bob", "carl"} {
						transport := g.Transport()
						if way == "http" {
							transport = &mcp.StreamableClientTransport{Endpoint: url + Path, DisableStandaloneSSE: caller == "ann"}
						}
						c := dialTogether(t, transport, legacy, caller, met)
						calls.Go(func() {
							ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
							defer cancel()
							params := map[string]any{"message": "Who?", "requestedSchema": map[string]any{"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}}}
							if method == "sampling/createMessage" {
								params = map[string]any{"messages": []any{}, "maxTokens": 1}
							}
							res, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "s__echo", Arguments: map[string]any{"method": method, "params": params}})
							if got, _ := json.Marshal(res); err != nil || !strings.Contains(string(got), caller) {
								t.Errorf("%s: %s, %v", caller, got, err)
							}
						})
					}
					calls.Wait()
				})
			}
		}
	}
}

// apart are the options of a host whose servers that ask have a session for each session of a
// caller.
func apart(input *Input) *attach.Options {
	return &attach.Options{Input: input, Callers: &attach.CallerSessions{Sessions: true}}
}

// A server that cannot have two processes has one, and its calls go one at a time: each is
// answered, and each question goes to the caller of the call in progress.
func TestCallersTakeTurns(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	server := processServer(t, "s", "asks-alone", address)
	server.Client = &endpoint.Offers{Forms: true, Sampling: true, Roots: true}
	server.Single = true
	input := new(Input)
	g := openGateway(t, apart(input), &Options{Input: input}, server)
	url, _ := serveHTTP(t, g, nil)
	var inProgress, most atomic.Int64
	var calls sync.WaitGroup
	for _, protocol := range eras {
		for _, name := range []string{"ann", "bob", "carl"} {
			c := dialTogether(t, &mcp.StreamableClientTransport{Endpoint: url + Path}, protocol, name, func() {
				most.Store(max(most.Load(), inProgress.Add(1)))
				time.Sleep(20 * time.Millisecond)
				inProgress.Add(-1)
			})
			for _, method := range []string{"elicitation/create", "sampling/createMessage"} {
				params := map[string]any{"message": "Who?", "requestedSchema": map[string]any{"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}}}
				if method == "sampling/createMessage" {
					params = map[string]any{"messages": []any{}, "maxTokens": 1}
				}
				calls.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
					defer cancel()
					res, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "s__echo", Arguments: map[string]any{"method": method, "params": params}})
					if got, _ := json.Marshal(res); err != nil || !strings.Contains(string(got), name) {
						t.Errorf("%s %s %s: %s, %v", protocol, name, method, got, err)
					}
				})
			}
		}
	}
	calls.Wait()
	if most.Load() != 1 {
		t.Errorf("%d callers were asked at the same time", most.Load())
	}
	// One that waits longer than its call may take is told why, and the others go on.
	silent := make(chan bool)
	slow := dialTogether(t, g.Transport(), legacy, "slow", func() { <-silent })
	question := map[string]any{"method": "elicitation/create", "params": map[string]any{"message": "Who?", "requestedSchema": map[string]any{"type": "object"}}}
	calls.Go(func() {
		_, _ = slow.CallTool(t.Context(), &mcp.CallToolParams{Name: "s__echo", Arguments: question})
	})
	eventually(t, "asked", func() bool { input.mu.Lock(); defer input.mu.Unlock(); return len(input.flights["s"]) > 0 })
	_, err = g.host.Invoke(t.Context(), runtime.Request{Server: "s", Method: "tools/call", Name: "echo", Args: json.RawMessage(`{}`), Options: runtime.Options{Timeout: 100 * time.Millisecond}})
	if err == nil || !errors.Is(err, runtime.ErrTimeout) || !strings.Contains(err.Error(), "one call at a time") {
		t.Errorf("a call that waits: %v", err)
	}
	close(silent)
	calls.Wait()
}

// Since 2026-07-28 callers have no sessions, and their calls are apart all the same.
func TestCallsApart(t *testing.T) {
	input := new(Input)
	g := openGateway(t, apart(input), &Options{Input: input}, asked(t)["process"])
	met := meeting(3)
	var calls sync.WaitGroup
	for _, caller := range []string{"ann", "bob", "carl"} {
		c := dialTogether(t, g.Transport(), modern, caller, met)
		calls.Go(func() {
			res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "s__echo", Arguments: map[string]any{"method": "elicitation/create", "params": map[string]any{"message": "Who?"}}})
			if got, _ := json.Marshal(res); err != nil || !strings.Contains(string(got), caller) {
				t.Errorf("%s: %s, %v", caller, got, err)
			}
		})
	}
	calls.Wait()
	c := dialTogether(t, g.Transport(), modern, "dan", met)
	res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "s__echo", Arguments: map[string]any{"method": "roots/list"}})
	if got, _ := json.Marshal(res); err != nil || !strings.Contains(string(got), `"roots":[]`) {
		t.Errorf("the roots of a caller without a session: %s, %v", got, err)
	}
}

// What a server asks outside of calls reaches the caller of its session, which ends with the
// caller's own. A caller that answers nothing needs none.
func TestApartOutsideCalls(t *testing.T) {
	roots, ended := make(chan string, 10), make(chan bool, 10)
	sdk := mcp.NewServer(&mcp.Implementation{Name: "u", Version: "1"}, &mcp.ServerOptions{
		InitializedHandler: func(_ context.Context, r *mcp.InitializedRequest) {
			go func() { _ = r.Session.Wait(); ended <- true }()
		},
		RootsListChangedHandler: func(_ context.Context, r *mcp.RootsListChangedRequest) {
			go func() {
				res, err := r.Session.ListRoots(context.Background(), nil)
				if err != nil {
					roots <- err.Error()
					return
				}
				roots <- res.Roots[len(res.Roots)-1].URI
			}()
		},
	})
	sdk.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.Session.ID()}}}, nil
	})
	url := serveHandler(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return sdk }, nil))
	input := new(Input)
	g := openGateway(t, apart(input), &Options{Input: input}, endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: url}, Client: &endpoint.Offers{Roots: true}})
	idOf := func(session *mcp.ClientSession) string {
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "s__t"})
		if err != nil {
			t.Fatal(err)
		}
		return res.Content[0].(*mcp.TextContent).Text
	}
	var silent []string
	for range 2 {
		c := mcp.NewClient(&mcp.Implementation{Name: "silent", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
		session, err := c.Connect(t.Context(), g.Transport(), &mcp.ClientSessionOptions{ProtocolVersion: legacy})
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		silent = append(silent, idOf(session))
	}
	ann, bob := dialTogether(t, g.Transport(), legacy, "ann", nil), dialTogether(t, g.Transport(), legacy, "bob", nil)
	if a, b := idOf(ann.ClientSession), idOf(bob.ClientSession); silent[0] != silent[1] || a == b || a == silent[0] || a != idOf(ann.ClientSession) {
		t.Errorf("sessions %q, %q, %q", silent, a, b)
	}
	ann.client.AddRoots(&mcp.Root{URI: "file:///home/ann/more"})
	select {
	case got := <-roots:
		if got != "file:///home/ann/more" {
			t.Errorf("got %s", got)
		}
	case <-time.After(10 * time.Second):
		t.Error("the server was not told that roots have changed")
	}
	_ = ann.Close()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the session has not ended with the caller's")
	}
	if len(roots)+len(ended) > 0 {
		t.Error("the server was told of another session")
	}
}

// Subscriptions belong to the caller's own session, and so does what the server logs outside
// of calls. The level of logs that a caller asks for reaches a session that is open already.
func TestApartNotifications(t *testing.T) {
	subscribed := make(chan *mcp.ServerSession, 10)
	sdk := mcp.NewServer(&mcp.Implementation{Name: "u", Version: "1"}, &mcp.ServerOptions{
		SubscribeHandler: func(_ context.Context, r *mcp.SubscribeRequest) error {
			subscribed <- r.Session
			return nil
		},
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	sdk.AddResource(&mcp.Resource{URI: "demo://r", Name: "r"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{}, nil
	})
	sdk.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.Session.ID()}}}, nil
	})
	url := serveHandler(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return sdk }, nil))
	input := new(Input)
	opts := apart(input)
	opts.Logger = slog.New(input.Handler(slog.DiscardHandler))
	g := openGateway(t, opts, &Options{Input: input}, endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: url}, Client: &endpoint.Offers{Roots: true}})
	for _, caller := range []string{"ann", "bob"} {
		logged := make(chan string, 10)
		c := mcp.NewClient(&mcp.Implementation{Name: caller, Version: "1"}, &mcp.ClientOptions{
			LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) { logged <- fmt.Sprint(r.Params.Data) },
		})
		session, err := c.Connect(t.Context(), g.Transport(), &mcp.ClientSessionOptions{ProtocolVersion: legacy})
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "s__t"})
		if err != nil {
			t.Fatal(err)
		}
		if err := session.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "info"}); err != nil {
			t.Fatal(err)
		}
		if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "mcpgen://s/demo://r"}); err != nil {
			t.Fatal(err)
		}
		var own *mcp.ServerSession
		select {
		case own = <-subscribed:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s follows in the session of another", caller)
		}
		if id := res.Content[0].(*mcp.TextContent).Text; own.ID() != id {
			t.Errorf("%s calls in the session %s and follows in %s", caller, id, own.ID())
		}
		if err := own.Log(t.Context(), &mcp.LoggingMessageParams{Level: "info", Data: "for " + caller}); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-logged:
			if got != "for "+caller {
				t.Errorf("%s got %s", caller, got)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s has no log", caller)
		}
	}
}

// The limit of sessions names itself.
func TestApartLimit(t *testing.T) {
	input := new(Input)
	opts := apart(input)
	opts.Callers.Max = 1
	g := openGateway(t, opts, &Options{Input: input}, asked(t)["process"])
	begun, over := make(chan bool), make(chan bool)
	ann, bob := dialTogether(t, g.Transport(), legacy, "ann", func() { begun <- true; <-over }), dialTogether(t, g.Transport(), legacy, "bob", nil)
	var calls sync.WaitGroup
	calls.Go(func() {
		if _, err := ann.CallTool(t.Context(), &mcp.CallToolParams{Name: "s__echo", Arguments: map[string]any{"method": "elicitation/create", "params": map[string]any{"message": "Who?"}}}); err != nil {
			t.Error(err)
		}
	})
	<-begun
	if _, err := bob.CallTool(t.Context(), &mcp.CallToolParams{Name: "s__echo"}); err == nil || !strings.Contains(err.Error(), "the limit of 1 caller sessions is reached") {
		t.Errorf("beyond the limit: %v", err)
	}
	close(over)
	calls.Wait()
}

// A caller that has to visit a page first gets its address at once, and hears when it was there.
func TestPagesAtOnce(t *testing.T) {
	for _, own := range []bool{false, true} {
		began := make(chan *mcp.ServerSession, 10)
		sdk := mcp.NewServer(&mcp.Implementation{Name: "u", Version: "1"}, nil)
		sdk.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			began <- r.Session
			return nil, mcp.URLElicitationRequiredError([]*mcp.ElicitParams{{Mode: "url", Message: "Sign in", URL: "https://example.com/sign-in", ElicitationID: "p1"}})
		})
		server := endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: serveHandler(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return sdk }, nil))}}
		if server.Protocol = legacy; own {
			server.Client = &endpoint.Offers{Forms: true, Pages: true}
		}
		input := new(Input)
		g := openGateway(t, apart(input), &Options{Input: input}, server)
		_, err := dialAs(t, g, legacy, `{"elicitation":{"form":{},"url":{}}}`, nil).call("s__t", `{}`)
		var rpc *jsonrpc.Error
		if !errors.As(err, &rpc) || rpc.Code != mcp.CodeURLElicitationRequired || !strings.Contains(string(rpc.Data), `"url":"https://example.com/sign-in"`) {
			t.Errorf("got %v", err)
		}
		<-began
		there := make(chan string, 1)
		c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
			Capabilities:       &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}}},
			ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return nil, errors.New("asked") },
			ElicitationCompleteHandler: func(_ context.Context, r *mcp.ElicitationCompleteNotificationRequest) {
				there <- r.Params.ElicitationID
			},
		})
		session, err := c.Connect(t.Context(), g.Transport(), &mcp.ClientSessionOptions{ProtocolVersion: legacy})
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "s__t"}); err == nil {
			t.Error("no error")
		}
		if err := (<-began).NotifyElicitationComplete(t.Context(), &mcp.ElicitationCompleteParams{ElicitationID: "p1"}); err != nil {
			t.Fatal(err)
		}
		select {
		case id := <-there:
			if id != "p1" {
				t.Errorf("got %q", id)
			}
		case <-time.After(10 * time.Second):
			t.Error("the caller was not told that the page is done")
		}
	}
}
