// Callers that take more than their share.

package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/judge"
	"github.com/mcpgen/mcpgen/schema"
)

const (
	annToken = "ann-0123456789abcdef"
	bobToken = "bob-0123456789abcdef"
)

func twoCallers(t *testing.T) *Auth {
	t.Helper()
	auth, err := Tokens(map[string]string{"ann": annToken, "bob": bobToken})
	if err != nil {
		t.Fatal(err)
	}
	return auth
}

// One caller's sessions are bounded: a new one ends the one that was without a request
// longest, and is refused if none is. Other callers notice nothing.
func TestSessionsOfOneCaller(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "exact"))
	url, _ := serveHTTP(t, g, &HandlerOptions{Auth: twoCallers(t), Sessions: 2})
	begin := func(token string) (int, string, string) {
		status, body, header := postJSON(t, url+Path, initialize, "Authorization", "Bearer "+token)
		return status, header.Get(sessionHeader), body
	}
	list := func(token, id string) int {
		status, _, _ := postJSON(t, url+Path, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, "Authorization", "Bearer "+token, sessionHeader, id)
		return status
	}
	_, bob, _ := begin(bobToken)
	_, first, _ := begin(annToken)
	_, second, _ := begin(annToken)
	if status := list(annToken, first); status != http.StatusOK { // the second is older now
		t.Fatal(status)
	}
	status, third, _ := begin(annToken)
	if status != http.StatusOK {
		t.Fatal(status)
	}
	eventually(t, "ended", func() bool { return list(annToken, second) == http.StatusNotFound })
	for token, ids := range map[string][]string{annToken: {first, third}, bobToken: {bob}} {
		for _, id := range ids {
			if status := list(token, id); status != http.StatusOK {
				t.Errorf("a session in use: %d", status)
			}
		}
	}

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for _, id := range []string{first, third} {
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, url+Path, nil)
		for name, value := range map[string]string{"Authorization": "Bearer " + annToken, sessionHeader: id, "Accept": "text/event-stream"} {
			req.Header.Set(name, value)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatal(res, err)
		}
		defer res.Body.Close()
	}
	if status, _, body := begin(annToken); status != http.StatusTooManyRequests || !strings.Contains(body, "DELETE") {
		t.Errorf("a session too many: %d %s", status, body)
	}
	if status, _, _ := begin(bobToken); status != http.StatusOK {
		t.Errorf("another caller: %d", status)
	}
	stop()
	eventually(t, "let in again", func() bool { status, _, _ := begin(annToken); return status == http.StatusOK })
}

// Calls that wait for their caller are bounded, for each caller.
func TestParkedCallsOfOneCaller(t *testing.T) {
	var p parking
	as := func(caller string) *parkedCall { return &parkedCall{flight: &flight{caller: requester{name: caller}}} }
	for i := range maxParked {
		if !p.put(fmt.Sprint(i), as("ann")) {
			t.Fatalf("call %d may not wait", i)
		}
	}
	if p.put("more", as("ann")) || !p.put("bob", as("bob")) {
		t.Error("one caller's calls are not bounded, or are another's")
	}
	if p.take("0") == nil || p.take("0") != nil || !p.put("more", as("ann")) {
		t.Error("a call that goes on makes no room")
	}
}

// Locked resources are listed at once, and the others when the server has listed them.
func TestOpenResourcesAtOnce(t *testing.T) {
	const locked = `{"tools":[{"name":"t","inputSchema":{"type":"object"}}],"resources":[{"uri":"file:///a","name":"a","description":"Locked."}]}`
	release := make(chan struct{})
	server := mcp.NewServer(&mcp.Implementation{Name: "slow", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	for _, name := range []string{"a", "b"} {
		server.AddResource(&mcp.Resource{URI: "file:///" + name, Name: name}, nil)
	}
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "resources/list" {
				select {
				case <-release:
				case <-ctx.Done():
				}
			}
			return next(ctx, method, req)
		}
	})
	slow := endpoint.Server{Name: "slow", Resources: endpoint.ResourcesOpen, Launch: &endpoint.Address{URL: serveHandler(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))}}
	g := openGateway(t, &attach.Options{Judge: judge.New([]*codec.Manifest{codec.NewManifest("slow", locked)}, nil)}, nil, slow)
	g.items.listTime = time.Hour
	var told atomic.Int64
	session := caller(t, g.Transport(), &mcp.ClientOptions{ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { told.Add(1) }})
	list := func() string {
		res, err := session.ListResources(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, r := range res.Resources {
			all = append(all, r.Name+" "+r.Description)
		}
		return strings.Join(all, ";")
	}
	eventually(t, "ready", func() bool { return g.host.Status()[0].State == attach.Ready })
	for range 3 {
		if got := list(); got != "a Locked." {
			t.Errorf("listed before the server answers: %q", got)
		}
	}
	if told.Load() > 0 {
		t.Error("told of a change that is none")
	}
	close(release)
	eventually(t, "told", func() bool { return told.Load() > 0 })
	if got := list(); got != "a Locked.;b " {
		t.Errorf("listed after the server answered: %q", got)
	}
	before := told.Load()
	g.items.mu.Lock()
	g.items.lists = nil
	g.items.mu.Unlock()
	list()
	time.Sleep(300 * time.Millisecond)
	if told.Load() != before {
		t.Error("told again of the same items")
	}
}

// A server that does not answer a listing costs the others one wait, and is listed when it
// has answered.
func TestServerThatDoesNotList(t *testing.T) {
	_, good := changing(t, "good")
	release := make(chan struct{})
	var asked atomic.Int64
	server := mcp.NewServer(&mcp.Implementation{Name: "hung", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	server.AddPrompt(&mcp.Prompt{Name: "late"}, nil)
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "prompts/list" {
				asked.Add(1)
				select {
				case <-release:
				case <-ctx.Done():
				}
			}
			return next(ctx, method, req)
		}
	})
	hung := endpoint.Server{Name: "hung", Launch: &endpoint.Address{URL: serveHandler(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))}}
	g := openGateway(t, nil, nil, good, hung)
	g.items.listTime = 10 * time.Millisecond
	if items, listed := g.items.itemsOf(t.Context(), serverKind{"hung", schema.KindPrompt}, true); len(items) > 0 || listed {
		t.Errorf("listed %v before it answered", items)
	}
	g.items.listTime = time.Hour // nobody waits for it again
	var told atomic.Int64
	session := caller(t, g.Transport(), &mcp.ClientOptions{PromptListChangedHandler: func(context.Context, *mcp.PromptListChangedRequest) { told.Add(1) }})
	names := func() string {
		res, err := session.ListPrompts(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, p := range res.Prompts {
			all = append(all, p.Name)
		}
		return strings.Join(all, " ")
	}
	for range 4 {
		g.items.mu.Lock()
		g.items.lists = nil
		g.items.mu.Unlock()
		if got := names(); got != "good__p" {
			t.Errorf("listed %q", got)
		}
	}
	if asked.Load() != 1 {
		t.Errorf("the server was asked %d times at once", asked.Load())
	}
	close(release)
	eventually(t, "told", func() bool { return told.Load() > 0 })
	eventually(t, "listed", func() bool { return names() == "good__p hung__late" })
}

// What is told of a resource that one caller follows is not told to another.
func TestFollowersOfOneCaller(t *testing.T) {
	_, s := changing(t, "s")
	g := openGateway(t, nil, nil, s)
	url, _ := serveHTTP(t, g, &HandlerOptions{Auth: twoCallers(t)})
	heard := func(token string) *atomic.Pointer[string] {
		last := new(atomic.Pointer[string])
		last.Store(new(string))
		session := caller(t, &mcp.StreamableClientTransport{Endpoint: url + Path, HTTPClient: &http.Client{Transport: withToken(token)}}, &mcp.ClientOptions{
			ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
				text := *last.Load() + r.Params.URI + "\n"
				last.Store(&text)
			},
		})
		for _, uri := range []string{followed, followed + "2"} {
			if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
		}
		return last
	}
	ann, bob := heard(annToken), heard(bobToken)
	eventually(t, "told", func() bool {
		g.subscriptions.notify(requester{name: "ann"}.following(followed))
		return strings.Contains(*ann.Load(), followed+"\n")
	})
	eventually(t, "told", func() bool {
		g.subscriptions.notify(requester{name: "bob"}.following(followed + "2"))
		return strings.Contains(*bob.Load(), followed+"2\n")
	})
	if strings.Contains(*bob.Load(), followed+"\n") {
		t.Errorf("a caller was told of what another follows: %q", *bob.Load())
	}
}

// A session follows a bounded number of resources, and another one when it leaves one.
func TestFollowsOfOneSession(t *testing.T) {
	_, s := changing(t, "s")
	g := openGateway(t, nil, nil, s)
	session := caller(t, g.Transport(), nil)
	follow := func(i int) error {
		return session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: fmt.Sprint(followed, i)})
	}
	for i := range maxFollows {
		if err := follow(i); err != nil {
			t.Fatal(i, err)
		}
	}
	if err := follow(maxFollows); err == nil || !strings.Contains(err.Error(), "end some subscriptions") {
		t.Errorf("one too many: %v", err)
	}
	if err := session.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: followed + "0"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "followed", func() bool { return follow(maxFollows) == nil })
}

// Whatever a caller sends over HTTP is answered, as its own mistake, and the gateway goes on.
func TestHostileHTTP(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "exact"))
	url, _ := serveHTTP(t, g, nil)
	_, _, header := postJSON(t, url+Path, initialize)
	id := header.Get(sessionHeader)
	postJSON(t, url+Path, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, sessionHeader, id)
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	nested := strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)
	size := 15 << 20
	if testing.Short() {
		size = 1 << 20
	}
	wide := `{"x":"` + strings.Repeat("y", size) + `"}`
	bodies := []string{
		"", "{", "null", "5", "[]", "[5]", "[[]]", deep, nested, "\xff\xfe", `{"jsonrpc":"2.0"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":null,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":{},"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":1,"method":""}`, `{"jsonrpc":"2.0","id":1,"method":"\u0000\u001b[31m"}`, `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("m", 1<<20) + `"}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
		`[` + strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/initialized"},`, 2000) + `{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`,
		`{"jsonrpc":"2.0","id":9,"result":{}}`, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"s__exact","_meta":` + wide + `}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"s__exact","_meta":` + nested + `}}`, initialize,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"9999-01-01\u001b","capabilities":null,"clientInfo":5}}`,
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{}}`, `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":null}`,
	}
	headers := map[string][]string{
		"no session": nil, "the session": {sessionHeader, id}, "no such session": {sessionHeader, "x"}, "a long session": {sessionHeader, strings.Repeat("x", 100<<10)},
		"modern": {"Mcp-Protocol-Version", modern}, "a version to come": {"Mcp-Protocol-Version", "9999-01-01"}, "no version": {"Mcp-Protocol-Version", "~"},
		"of batches": {"Mcp-Protocol-Version", "2025-03-26", sessionHeader, id}, "another type": {"Content-Type", "text/plain"}, "no stream": {"Accept", "application/json"},
		"an event": {"Last-Event-ID", "x", sessionHeader, id}, "packed": {"Content-Encoding", "gzip"},
	}
	for name, header := range headers {
		for _, body := range bodies {
			status, got, _ := within(t, url+Path, body, header...)
			if status >= 500 || len(got) > 2<<20 || bytes.ContainsRune([]byte(got), 0x1b) {
				t.Errorf("%s, %.100q: %d %.300q", name, body, status, got)
			}
		}
	}
	if status, got, _ := postJSON(t, url+Path, `{"jsonrpc":"2.0","id":77,"method":"tools/list"}`, sessionHeader, id); status != http.StatusOK || !strings.Contains(got, "s__exact") {
		t.Errorf("the session of a hostile caller: %d %s", status, got)
	}
}

// within posts, and stops reading when the answer does not end.
func within(t *testing.T, url, body string, header ...string) (int, string, http.Header) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("%q %.100q: %v", header, body, err)
	}
	defer res.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(res.Body); err != nil {
		t.Errorf("%.60q %.100q: %v", header, body, err)
	}
	return res.StatusCode, b.String(), res.Header
}
