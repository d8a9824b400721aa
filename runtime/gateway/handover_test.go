package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Calls of a session begin without the SDK. Their answers are its answers, and a call whose
// caller is told or asked something before the answer becomes a stream of the SDK.
func TestHandover(t *testing.T) {
	release := make(chan struct{})
	defer close(release) // a cancellation that overtakes its call leaves the call at the server
	upstream := mcp.NewServer(&mcp.Implementation{Name: "u", Version: "1"}, nil)
	tool := func(name string, f func(ctx context.Context, r *mcp.CallToolRequest) error) {
		upstream.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			err := f(ctx, r)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done " + string(r.Params.Arguments)}}}, err
		})
	}
	tool("t", func(context.Context, *mcp.CallToolRequest) error { return nil })
	tool("fails", func(context.Context, *mcp.CallToolRequest) error { return fmt.Errorf("it cannot") })
	tool("waits", func(ctx context.Context, _ *mcp.CallToolRequest) error {
		select {
		case <-release:
		case <-ctx.Done():
		}
		return nil
	})
	tool("logs", func(ctx context.Context, r *mcp.CallToolRequest) error {
		//lint:ignore SA1019 servers of 2025-11-25 log this way
		return r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: "on the way"})
	})
	tool("asks", func(ctx context.Context, r *mcp.CallToolRequest) error {
		res, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Who?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}}}`)})
		if err == nil {
			r.Params.Arguments, err = json.Marshal(res.Content)
		}
		return err
	})
	input := new(Input)
	g := openGateway(t, &attach.Options{Input: input, Callers: &attach.CallerSessions{Sessions: true}, Logger: slog.New(input.Handler(slog.DiscardHandler))}, &Options{Input: input, Version: "1"},
		endpoint.Server{Name: "s", Protocol: legacy, Launch: &endpoint.Address{
			URL: serveHandler(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return upstream }, nil)),
		}})
	url, _ := serveHTTP(t, g, nil)
	begin := func(capabilities string) []string {
		_, _, headers := postJSON(t, url+Path, strings.Replace(initialize, `"capabilities":{}`, `"capabilities":`+capabilities, 1))
		session := []string{sessionHeader, headers.Get(sessionHeader), "Mcp-Protocol-Version", legacy}
		postJSON(t, url+Path, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, session...)
		postJSON(t, url+Path, callOf(1, "s__t", `{}`), session...) // the SDK hears of a session once a minute
		return session
	}
	session := begin(`{}`)

	for _, body := range []string{
		callOf(2, "s__t", `{"a":1}`), strings.Replace(callOf(2, "s__t", `{"a":9007199254740993}`), `"id":2`, `"id":"two"`, 1), callOf(2, "s__fails", `{}`), callOf(2, "s__none", `{}`),
		strings.Replace(callOf(2, "s__t", `{}`), `"name"`, `"_meta":{"a":[1]},"name"`, 1),
	} {
		status, got, headers := postJSON(t, url+Path, body, session...)
		_, want, _ := postJSON(t, url+Path, body, append(session, "Accept", "*/*")...)
		_, want, _ = strings.Cut(want, "data: {")
		if status != http.StatusOK || !sameAnswer(got, "{"+strings.TrimSpace(want)) {
			t.Errorf("%s: %d %s\nthe SDK: %s", body, status, got, want)
		}
		if headers.Get("Content-Type") != "application/json" {
			t.Errorf("%s was answered with %s, want without the SDK", body, headers.Get("Content-Type"))
		}
	}

	postJSON(t, url+Path, `{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"debug"}}`, session...)
	_, got, headers := postJSON(t, url+Path, callOf(3, "s__logs", `{}`), session...)
	if logged, answer, ok := strings.Cut(got, "on the way"); !ok || headers.Get("Content-Type") != "text/event-stream" || strings.Contains(logged, "done") || !strings.Contains(answer, "done") {
		t.Errorf("a log and the answer on one stream: %s", got)
	}

	asked := begin(`{"elicitation":{}}`)
	answers := streamOf(t, url+Path, callOf(4, "s__asks", `{}`), asked...)
	question := <-answers
	checkContains(t, question, `"method":"elicitation/create"`, "Who?")
	var m struct{ ID json.RawMessage }
	if err := json.Unmarshal([]byte(question), &m); err != nil {
		t.Fatal(err)
	}
	postJSON(t, url+Path, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"Bee"}}}`, m.ID), asked...)
	checkContains(t, <-answers, "Bee", `"id":4`)

	// The end of a session ends its calls, whether or not they have been handed over.
	for _, wait := range []time.Duration{0, 2 * handoverTime} {
		ending := begin(`{}`)
		ended := make(chan string, 1)
		go func() {
			_, body, _ := within(t, url+Path, callOf(5, "s__waits", `{}`), ending...)
			ended <- body
		}()
		eventually(t, "called", func() bool {
			input.mu.Lock()
			defer input.mu.Unlock()
			return len(input.flights["s"]) > 0
		})
		time.Sleep(wait)
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodDelete, url+Path, nil)
		for i := 0; i < len(ending); i += 2 {
			req.Header.Set(ending[i], ending[i+1])
		}
		if res, err := http.DefaultClient.Do(req); err != nil || res.StatusCode != http.StatusNoContent {
			t.Errorf("%v, %v", res, err)
		}
		checkLacks(t, <-ended, "done")
	}
	eventually(t, "no call is left", func() bool {
		left := 0
		g.handovers.open.Range(func(any, any) bool { left++; return true })
		return left == 0
	})
}

// streamOf returns the messages of the stream that answers a request.
func streamOf(t *testing.T, url, body string, header ...string) <-chan string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i, pairs := 0, append(header, "Content-Type", "application/json", "Accept", "application/json, text/event-stream"); i < len(pairs); i += 2 {
		req.Header.Set(pairs[i], pairs[i+1])
	}
	messages := make(chan string)
	go func() {
		defer close(messages)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return
		}
		defer res.Body.Close()
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: {"); ok {
				messages <- "{" + data
			}
		}
	}()
	return messages
}

// The SDK ends a session that it has heard nothing of, so it gets a call now and then.
func TestHandoverKeepsSession(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "exact"))
	url, _ := serveHTTP(t, g, nil)
	_, _, headers := postJSON(t, url+Path, initialize)
	session := []string{sessionHeader, headers.Get(sessionHeader), "Mcp-Protocol-Version", legacy}
	postJSON(t, url+Path, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, session...)
	for i, want := range []string{"text/event-stream", "application/json", "application/json"} {
		if _, _, headers := postJSON(t, url+Path, callOf(2, "s__exact", `{"n":1}`), session...); headers.Get("Content-Type") != want {
			t.Errorf("call %d: %s, want %s", i, headers.Get("Content-Type"), want)
		}
	}
}

// A caller that leaves before its call is handed over does not cancel it, and the call is
// made once.
func TestHandoverWithoutCaller(t *testing.T) {
	const calls = 20
	begun, ended := make(chan string, 2*calls), make(chan error, 2*calls)
	upstream := mcp.NewServer(&mcp.Implementation{Name: "u", Version: "1"}, nil)
	upstream.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if string(r.Params.Arguments) != `{}` {
			begun <- string(r.Params.Arguments)
			select {
			case <-time.After(3 * handoverTime):
			case <-ctx.Done():
			}
			ended <- ctx.Err()
		}
		return &mcp.CallToolResult{}, nil
	})
	g := openGateway(t, nil, nil, endpoint.Server{Name: "s", Protocol: legacy, Launch: &endpoint.Address{
		URL: serveHandler(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return upstream }, nil)),
	}})
	url, _ := serveHTTP(t, g, nil)
	_, _, headers := postJSON(t, url+Path, initialize)
	session := []string{sessionHeader, headers.Get(sessionHeader), "Mcp-Protocol-Version", legacy}
	postJSON(t, url+Path, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, session...)
	postJSON(t, url+Path, callOf(1, "s__t", `{}`), session...)

	ctx, leave := context.WithCancel(t.Context())
	for i := range calls {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+Path, strings.NewReader(callOf(2+i, "s__t", fmt.Sprintf(`{"n":%d}`, i))))
		if err != nil {
			t.Fatal(err)
		}
		for i, pairs := 0, append(session[:4:4], "Content-Type", "application/json", "Accept", "application/json, text/event-stream"); i < len(pairs); i += 2 {
			req.Header.Set(pairs[i], pairs[i+1])
		}
		go func() {
			if res, err := http.DefaultClient.Do(req); err == nil {
				_ = res.Body.Close()
			}
		}()
	}
	once := map[string]bool{}
	for range calls {
		once[<-begun] = true
	}
	leave()
	for range calls {
		if err := <-ended; err != nil {
			t.Errorf("a call was cancelled: %v", err)
		}
	}
	if len(once) != calls || len(begun) > 0 {
		t.Errorf("%d calls were made, %d of them twice", len(once), calls-len(once)+len(begun))
	}
}
