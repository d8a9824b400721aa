package attach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// sdkServer is a server built with the SDK that has a bit of everything.
func sdkServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "1.2.3"}, &mcp.ServerOptions{
		Instructions: "Be kind.",
		CompletionHandler: func(_ context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{r.Params.Ref.Name + r.Params.Ref.URI + r.Params.Argument.Value + "!"}}}, nil
		},
	})
	object := map[string]any{"type": "object"}
	tool := func(name string, h mcp.ToolHandler) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: object}, h)
	}
	tool("exact", func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: r.Params.Arguments, Content: []mcp.Content{}}, nil
	})
	tool("meta", func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: r.Params.Meta}, nil
	})
	tool("fail", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no such issue"}}}, nil
	})
	tool("progress", func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := range 5 {
			// An answer without a stream has no place for it.
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i), Total: 5, Message: "step"})
		}
		return &mcp.CallToolResult{}, nil
	})
	tool("hang", func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		select {
		case <-ctx.Done():
		case <-time.After(700 * time.Millisecond):
		}
		return &mcp.CallToolResult{}, nil
	})
	tool("ask", func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if answer, ok := r.Params.InputResponses["q"].(*mcp.ElicitResult); ok {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: answer.Action + r.Params.RequestState}}}, nil
		}
		return &mcp.CallToolResult{RequestState: "+state", InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{Message: "Your\x1b[31m name?"}}}, nil
	})
	tool("nag", func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{Message: "Your name?"}}}, nil
	})
	s.AddTool(&mcp.Tool{Name: "region", InputSchema: map[string]any{"type": "object", "properties": map[string]any{
		"region": map[string]any{"type": "string", "x-mcp-header": "Region"}}}},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			header := ""
			if r.Extra != nil && r.Extra.Header != nil {
				header = r.Extra.Header.Get("Mcp-Param-Region")
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: header}}}, nil
		})
	s.AddPrompt(&mcp.Prompt{Name: "greet", Arguments: []*mcp.PromptArgument{{Name: "who"}}}, func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "Hello " + r.Params.Arguments["who"]}}}}, nil
	})
	read := func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: "text/plain", Text: "at " + r.Params.URI}}}, nil
	}
	s.AddResource(&mcp.Resource{URI: "mem://a", Name: "a"}, read)
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "mem://item/{id}", Name: "item"}, read)
	return s
}

// sdkServers are the ways to reach it in this process.
func sdkServers() map[string]func(t *testing.T) (endpoint.Server, string) {
	streamable := func(opts *mcp.StreamableHTTPOptions, revision string) func(t *testing.T) (endpoint.Server, string) {
		return func(t *testing.T) (endpoint.Server, string) {
			s := sdkServer()
			h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, opts)
			return endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: serveHTTP(t, h)}}, revision
		}
	}
	return map[string]func(t *testing.T) (endpoint.Server, string){
		"http":      streamable(nil, legacy),
		"json":      streamable(&mcp.StreamableHTTPOptions{JSONResponse: true}, legacy),
		"stateless": streamable(&mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true}, modern),
		"sse": func(t *testing.T) (endpoint.Server, string) {
			s := sdkServer()
			return endpoint.Server{Name: "s", Launch: &endpoint.Address{Transport: endpoint.SSE, URL: serveHTTP(t, mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return s }, nil))}}, legacy
		},
	}
}

// overSDK runs a test against each of them.
func overSDK(t *testing.T, f func(t *testing.T, s endpoint.Server, revision string)) {
	for name, start := range sdkServers() {
		t.Run(name, func(t *testing.T) {
			s, revision := start(t)
			f(t, s, revision)
		})
	}
}

func TestAttach(t *testing.T) {
	overSDK(t, func(t *testing.T, s endpoint.Server, revision string) {
		st := connectReady(t, s).Status()[0]
		if st.State != Ready || st.Protocol != revision || st.Name != "sdk" || st.Version != "1.2.3" || st.Tools != 8 || len(st.Problems) != 0 {
			t.Errorf("status %+v", st)
		}
	})
}

// Integers beyond 2^53 arrive as they were sent.
func TestExactNumbers(t *testing.T) {
	const args = `{"big":9007199254740993,"huge":123456789012345678901234567890,"one":1.0}`
	overSDK(t, func(t *testing.T, s endpoint.Server, _ string) {
		res, err := callTool(t.Context(), connectReady(t, s), "exact", args)
		if err != nil {
			t.Fatal(err)
		}
		if string(res.Structured) != args {
			t.Errorf("got %s", res.Structured)
		}
	})
}

func TestMethods(t *testing.T) {
	overSDK(t, func(t *testing.T, s endpoint.Server, _ string) {
		h := connectReady(t, s)
		for _, c := range []struct{ method, name, args, want string }{
			{protocol.MethodGetPrompt, "greet", `{"who":"Ann"}`, "Hello Ann"},
			{protocol.MethodReadResource, "mem://a", "", "at mem://a"},
			{protocol.MethodReadResource, "mem://item/7", "", "at mem://item/7"},
			{protocol.MethodComplete, "greet", `{"argument":{"name":"who","value":"An"}}`, "greetAn!"},
			{protocol.MethodComplete, "mem://item/{id}", `{"argument":{"name":"id","value":"1"}}`, "mem://item/{id}1!"},
		} {
			res, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: c.method, Name: c.name, Args: json.RawMessage(c.args)})
			if err != nil || res.Text() != c.want {
				t.Errorf("%s %s: %v, %v, want %q", c.method, c.name, res, err, c.want)
			}
		}
	})
}

func TestErrorsStayApart(t *testing.T) {
	overSDK(t, func(t *testing.T, s endpoint.Server, _ string) {
		h := connectReady(t, s)
		res, err := callTool(t.Context(), h, "fail", "{}")
		if err != nil || !res.IsError || res.Text() != "no such issue" {
			t.Errorf("a tool's own error: %+v, %v", res, err)
		}
		_, err = callTool(t.Context(), h, "unheard-of", "{}")
		var rpc *runtime.RPCError
		var ce *runtime.CallError
		if !errors.As(err, &rpc) || rpc.Code != -32602 || !errors.As(err, &ce) || ce.Stage != stage.Receive || !ce.Sent || ce.Server != "s" {
			t.Errorf("a protocol error: %#v", err)
		}
		if _, err := callTool(t.Context(), h, "exact", `{}`); err != nil {
			t.Errorf("the session did not survive: %v", err)
		}
	})
}

func TestProgressComesInOrderBeforeTheResult(t *testing.T) {
	overSDK(t, func(t *testing.T, s endpoint.Server, _ string) {
		h := connectReady(t, s)
		var got []float64
		_, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "progress",
			Options: runtime.Options{OnProgress: func(p runtime.Progress) {
				if p.Total == 5 && p.Message == "step" {
					got = append(got, p.Progress)
				}
			}}})
		want := []float64{0, 1, 2, 3, 4}
		if strings.HasSuffix(t.Name(), "/json") { // it has to come by the standing stream, if that is open yet
			want = slices.DeleteFunc(want, func(n float64) bool { return !slices.Contains(got, n) })
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("progress %v, %v", got, err)
		}
	})
}

func TestMeta(t *testing.T) {
	overSDK(t, func(t *testing.T, s endpoint.Server, revision string) {
		res, err := connectReady(t, s).Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "meta",
			Options: runtime.Options{Meta: map[string]json.RawMessage{
				"example.com/trace":           json.RawMessage("\n9007199254740993"),
				mcp.MetaKeyProtocolVersion:    json.RawMessage(`"1999-01-01"`),
				"progressToken":               json.RawMessage(`"mine"`),
				mcp.MetaKeyClientCapabilities: json.RawMessage(`{"sampling":{}}`),
			}}})
		if err != nil {
			t.Fatal(err)
		}
		var meta map[string]json.RawMessage
		if err := json.Unmarshal(res.Structured, &meta); err != nil {
			t.Fatal(err)
		}
		// The SDK's server has made it a float by now.
		if got := string(meta["example.com/trace"]); got != "9007199254740992" && got != "9007199254740993" {
			t.Errorf("trace %s", got)
		}
		if meta["progressToken"] != nil {
			t.Errorf("the server got the progress token %v of a caller, want none", meta["progressToken"])
		}
		if revision == modern && (string(meta[mcp.MetaKeyProtocolVersion]) != `"2026-07-28"` || string(meta[mcp.MetaKeyClientCapabilities]) != `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`) {
			t.Errorf("meta %s", res.Structured)
		}
	})
}

func TestCancelReturnsAtOnce(t *testing.T) {
	overSDK(t, func(t *testing.T, s endpoint.Server, _ string) {
		h := connectReady(t, s)
		ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errors.New("the user left"))
		defer cancel()
		_, err := callTool(ctx, h, "hang", "{}")
		var ce *runtime.CallError
		if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, runtime.ErrTimeout) || !errors.As(err, &ce) || !ce.Sent {
			t.Errorf("error %#v", err)
		}
		checkError(t, err, "the user left")
		_, err = h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "hang", Options: runtime.Options{Timeout: 50 * time.Millisecond}})
		if !errors.Is(err, runtime.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %#v", err)
		}
		checkError(t, err, "50ms", "timeout.call")
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err = callTool(gone, h, "exact", "{}"); !errors.Is(err, context.Canceled) || !errors.As(err, &ce) || ce.Sent {
			t.Errorf("error %#v", err)
		}
		if _, err := callTool(t.Context(), h, "exact", `{}`); err != nil {
			t.Errorf("the session did not survive: %v", err)
		}
	})
}

func TestProgressExtendsTheTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // on a clock of its own
		begin := time.Now()
		bounded, touch, stop := withTimeout(t.Context(), 200*time.Millisecond, true)
		defer stop()
		for range 4 {
			time.Sleep(150 * time.Millisecond)
			touch()
		}
		<-bounded.Done()
		if d := time.Since(begin); d != 800*time.Millisecond || context.Cause(bounded) != errCallTimeout {
			t.Errorf("ended after %v: %v", d, context.Cause(bounded))
		}
	})
}

// Seed 001-32: an elicitation that nobody handles is declined, with exactly one
// line.
func TestDeclinedInRounds(t *testing.T) {
	s, _ := sdkServers()["stateless"](t)
	var log strings.Builder
	h := connectAll(t, &Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, s)
	res, err := callTool(t.Context(), h, "ask", "{}")
	if err != nil || res.Text() != "decline+state" {
		t.Fatalf("%+v, %v", res, err)
	}
	_ = h.Close()
	if got := log.String(); strings.Count(got, "requested elicitation (message: Your name?); declined") != 1 || strings.Count(got, "\n") != 1 {
		t.Errorf("log %q", got)
	}
}

func TestFaultF06EndlessRounds(t *testing.T) {
	s, _ := sdkServers()["stateless"](t)
	h := connectAll(t, &Options{Logger: slog.New(slog.DiscardHandler)}, s)
	_, err := callTool(t.Context(), h, "nag", "{}")
	var ie *InputError
	if !errors.As(err, &ie) || ie.Rounds != maxRounds || len(ie.Asked) != 1 {
		t.Errorf("error %#v", err)
	}
	checkError(t, err, "Your name?", "times asked: 10")
}

func TestArgumentsAsHeaders(t *testing.T) {
	s, _ := sdkServers()["stateless"](t)
	res, err := callTool(t.Context(), connectReady(t, s), "region", `{"region":"eu-1"}`)
	if err != nil || res.Text() != "eu-1" {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestSnapshot(t *testing.T) {
	var first *schema.Snapshot
	overSDK(t, func(t *testing.T, s endpoint.Server, revision string) {
		h := connectReady(t, s)
		snap, problems, err := h.Snapshot(t.Context(), "s", nil)
		if err != nil || len(problems) != 0 {
			t.Fatal(problems, err)
		}
		if len(snap.Tools) != 8 || len(snap.Prompts) != 1 || len(snap.Resources) != 1 || len(snap.Templates) != 1 ||
			snap.Instructions != "Be kind." || snap.ProtocolVersion != revision || !strings.Contains(string(snap.Identity), `"1.2.3"`) || snap.Capabilities == nil {
			t.Errorf("snapshot %s", lockfile.EncodeSnapshot(snap))
		}
		if _, err := lockfile.ParseSnapshot(lockfile.EncodeSnapshot(snap)); err != nil {
			t.Error(err)
		}
		// The same surface has the same bytes on every transport.
		snap.ProtocolVersion = ""
		if first == nil {
			first = snap
		}
		if got, want := string(lockfile.EncodeSnapshot(snap)), string(lockfile.EncodeSnapshot(first)); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
		if _, _, err := h.Snapshot(t.Context(), "other", nil); !errors.Is(err, runtime.ErrNotAttached) {
			t.Error(err)
		}
	})
}

func TestManyCallers(t *testing.T) {
	t.Parallel()
	overSDK(t, func(t *testing.T, s endpoint.Server, _ string) {
		h := connectReady(t, s)
		var wg sync.WaitGroup
		for i := range 64 {
			wg.Go(func() {
				for j := range 10 {
					args := fmt.Sprintf(`{"n":%d}`, i*1000+j)
					res, err := callTool(t.Context(), h, "exact", args)
					if err != nil || string(res.Structured) != args {
						t.Errorf("%s: %v, %v", args, res, err)
						return
					}
				}
			})
		}
		wg.Wait()
	})
}

// TestFault/E24: Close does not wait for a call, and the call learns why.
func TestFaultE24CloseDuringACall(t *testing.T) {
	for name, start := range sdkServers() {
		t.Run(name, func(t *testing.T) {
			s, _ := start(t)
			noLeaks(t, func() {
				h := connectReady(t, s)
				done := make(chan error, 3)
				for range 3 {
					go func() {
						_, err := callTool(t.Context(), h, "hang", "{}")
						done <- err
					}()
				}
				time.Sleep(100 * time.Millisecond)
				_ = h.Close()
				for range 3 {
					select {
					case err := <-done:
						if !errors.Is(err, runtime.ErrNotAttached) {
							t.Errorf("error %v", err)
						}
					case <-time.After(time.Second):
						t.Fatal("a second after its end the call has not returned")
					}
				}
				_ = h.Close()
				if st := h.Status()[0]; st.State != Closed || st.Err != nil {
					t.Errorf("status %+v", st)
				}
				_, err := callTool(t.Context(), h, "exact", "{}")
				if !errors.Is(err, runtime.ErrNotAttached) {
					t.Errorf("error %v", err)
				}
			})
		})
	}
}

func TestFaultE23NothingLeaks(t *testing.T) {
	for name, start := range sdkServers() {
		t.Run(name, func(t *testing.T) {
			s, _ := start(t)
			noLeaks(t, func() {
				for range 10 {
					h := connectReady(t, s)
					if _, err := callTool(t.Context(), h, "exact", "{}"); err != nil {
						t.Error(err)
					}
					_ = h.Close()
				}
			})
		})
	}
}

func TestAutoFindsTheOlderTransport(t *testing.T) {
	s, _ := sdkServers()["sse"](t)
	addressOf(s).Transport = endpoint.Auto
	if st := connectReady(t, s).Status()[0]; st.Transport != endpoint.SSE {
		t.Errorf("status %+v", st)
	}
}
