// Callers and servers that keep the others from being served.

package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// changing is a server with a tool, a prompt and a resource that can be followed.
func changing(t *testing.T, name string) (*mcp.Server, endpoint.Server) {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: name, Version: "1"}, &mcp.ServerOptions{
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	server.AddPrompt(&mcp.Prompt{Name: "p"}, nil)
	server.AddResource(&mcp.Resource{Name: "r", URI: "file:///r"}, nil)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	return server, endpoint.Server{Name: name, Launch: &endpoint.Address{URL: serveHandler(t, handler)}}
}

const followed = "mcpgen://s/file:///r"

// caller connects the SDK's client.
func caller(t *testing.T, transport mcp.Transport, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts)
	session, err := c.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: legacy})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("never " + what)
		}
	}
}

// However many callers follow a resource, each is told of a change about once: not once
// for each of the others.
func TestManyFollowers(t *testing.T) {
	server, s := changing(t, "s")
	g := openGateway(t, nil, nil, s)
	const callers = 20
	var heard [callers]atomic.Int64
	for i := range callers {
		session := caller(t, g.Transport(), &mcp.ClientOptions{ResourceUpdatedHandler: func(context.Context, *mcp.ResourceUpdatedNotificationRequest) {
			heard[i].Add(1)
		}})
		if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: followed}); err != nil {
			t.Fatal(err)
		}
	}
	const changes = 3
	for range changes {
		before := heard[0].Load()
		_ = server.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "file:///r"})
		eventually(t, "told", func() bool { return heard[0].Load() > before })
	}
	time.Sleep(10 * updatedDelay) // for notifications that are one too many
	for i := range heard {
		if n := heard[i].Load(); n == 0 || n > callers/2 {
			t.Errorf("caller %d was told %d times of %d changes", i, n, changes)
		}
	}
}

// A session that follows a resource again and again leaves nothing behind.
func TestFollowingLeavesNothing(t *testing.T) {
	_, s := changing(t, "s")
	g := openGateway(t, nil, nil, s)
	session := caller(t, g.Transport(), nil)
	before := goruntime.NumGoroutine()
	for range 100 {
		if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: followed}); err != nil {
			t.Fatal(err)
		}
		if err := session.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: followed}); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "without what followed", func() bool { return goruntime.NumGoroutine() < before+50 })
}

// A caller that does not read its stream does not keep others from being told.
func TestCallerThatDoesNotRead(t *testing.T) {
	server, s := changing(t, "s")
	g := openGateway(t, nil, nil, s)
	url, _ := serveHTTP(t, g, nil)
	_, _, header := postJSON(t, url+Path, initialize)
	id := header.Get("Mcp-Session-Id")
	postJSON(t, url+Path, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "Mcp-Session-Id", id)
	long := followed + strings.Repeat("x", 1<<20)
	postJSON(t, url+Path, `{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"`+long+`"}}`, "Mcp-Session-Id", id)

	address := strings.TrimPrefix(url, "http://")
	stuck, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer stuck.Close()
	fmt.Fprintf(stuck, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\nMcp-Session-Id: %s\r\n\r\n", Path, address, id)
	if _, err := stuck.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	var told atomic.Int64
	for range 3 {
		caller(t, &mcp.StreamableClientTransport{Endpoint: url + Path}, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { told.Add(1) }})
	}
	for range 20 {
		go func() {
			_ = g.server.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: requester{}.following(long)})
		}()
	}
	server.AddTool(&mcp.Tool{Name: "t2", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	eventually(t, "told of the tool", func() bool { return told.Load() >= 3 })
}

// Who has no token does not hold a connection by a body that never comes, and the bound
// for that ends neither a call nor a stream.
func TestBodyThatNeverComes(t *testing.T) {
	auth, err := Tokens(map[string]string{"ci": "0123456789abcdef"})
	if err != nil {
		t.Fatal(err)
	}
	g := openGateway(t, nil, nil, processServer(t, "s", "late-response", "-delay", "1s"))
	h, err := g.Handler(&HandlerOptions{Auth: auth})
	if err != nil {
		t.Fatal(err)
	}
	srv := g.httpServer(h)
	if srv.IdleTimeout == 0 || srv.ReadTimeout == 0 {
		t.Error("a connection may last without a request")
	}
	srv.ReadTimeout = 300 * time.Millisecond
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() { _ = srv.Close() })

	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Length: 100\r\n\r\n", Path, l.Addr())
	if got, err := io.ReadAll(conn); err != nil {
		t.Errorf("the connection is held: %v, %s", err, got)
	}

	ended := make(chan error, 1)
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: "http://" + l.Addr().String() + Path, HTTPClient: &http.Client{Transport: withToken("0123456789abcdef")}, MaxRetries: -1}, &mcp.ClientSessionOptions{ProtocolVersion: legacy})
	if err != nil {
		t.Fatal(err)
	}
	go func() { ended <- session.Wait() }()
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "s__echo", Arguments: json.RawMessage(`{"text":"x"}`)}); err != nil {
		t.Errorf("a call that takes longer than its request may: %v", err)
	}
	select {
	case err := <-ended:
		t.Errorf("the session has ended: %v", err)
	default:
	}
	_ = session.Close()
}

// withToken sends a token with each request.
type withToken string

func (token withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(token))
	return http.DefaultTransport.RoundTrip(r)
}

// A server that says all the time that its prompts are others does not keep the change of
// another one from being told.
func TestItemsStorm(t *testing.T) {
	loud, l := changing(t, "loud")
	quiet, q := changing(t, "quiet")
	g := openGateway(t, nil, nil, l, q)
	var told atomic.Int64
	session := caller(t, g.Transport(), &mcp.ClientOptions{PromptListChangedHandler: func(context.Context, *mcp.PromptListChangedRequest) { told.Add(1) }})
	if _, err := session.ListPrompts(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		for ; ctx.Err() == nil; pause(ctx, itemsDelay/4) {
			loud.AddPrompt(&mcp.Prompt{Name: "p"}, nil)
		}
	}()
	quiet.AddPrompt(&mcp.Prompt{Name: "more"}, nil)
	eventually(t, "told", func() bool { return told.Load() > 0 })
}

// No page is larger than clients read.
func TestPageBytes(t *testing.T) {
	var tools []string
	for i := range 300 {
		tools = append(tools, fmt.Sprintf(`{"name":"t%d","description":%q,"inputSchema":{"type":"object"}}`, i, strings.Repeat("x", 30_000)))
	}
	file := filepath.Join(t.TempDir(), "offers.json")
	if err := os.WriteFile(file, []byte(`{"tools":[`+strings.Join(tools, ",")+`]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	g := openGateway(t, nil, nil, processServer(t, "a", "replay", file), processServer(t, "b", "replay", file))
	session := caller(t, g.Transport(), nil)
	n := 0
	for _, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 2*len(tools) {
		t.Errorf("listed %d tools, want %d", n, 2*len(tools))
	}
}

// A gateway with bare names offers the resources of another gateway.
func TestBareGatewayOfGateway(t *testing.T) {
	_, s := changing(t, "s")
	inner := openGateway(t, nil, nil, s)
	h, err := inner.Handler(nil)
	if err != nil {
		t.Fatal(err)
	}
	host, err := attach.Connect(t.Context(), []endpoint.Server{{Name: "inner", Launch: &endpoint.Address{URL: serveHandler(t, h)}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Close() })
	g, err := New(host, &Options{View: agent.NewView(host, &agent.Options{Naming: naming.Bare})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	c := dialClient(t, g, legacy)
	checkContains(t, c.must("resources/list", `{}`), `"uri":"`+followed+`"`)
	if server, own, ok := g.uris.unwrap(followed); server != "inner" || own != followed || !ok {
		t.Errorf("%s is %q of %q", followed, own, server)
	}
}

// No message of a caller ends the gateway: not one that comes twice, and none without what
// it has to have.
func TestOddMessages(t *testing.T) {
	_, s := changing(t, "s")
	g := openGateway(t, nil, nil, s)
	eachEra(t, func(t *testing.T, protocol string) {
		for _, method := range methods {
			for _, params := range []string{`{}`, `null`, `[]`, `5`, ``, `{"name":5}`, `{"uri":null}`, `{"ref":null}`, `{"ref":{}}`, `{"_meta":5}`, `{"_meta":{"progressToken":{}}}`, `{"cursor":5}`, `{"level":5}`, `{"notifications":null}`} {
				c := dialClient(t, g, protocol)
				c.next++
				id, _ := jsonrpc.MakeID(float64(c.next))
				c.send(&jsonrpc.Request{ID: id, Method: method, Params: json.RawMessage(params)})
				c.send(&jsonrpc.Request{Method: method, Params: json.RawMessage(params)})
			}
		}
	})
	c := dialClient(t, g, legacy)
	if _, err := c.request("initialize", `{}`); err == nil {
		t.Error("a session was begun twice")
	}
	c.must("tools/list", `{}`)
}

// Over standard input, what is not a message is left out, and what follows is answered.
func TestLinesThatAreNoMessages(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "exact"))
	odd := []string{
		"Microsoft Windows [Version 10]", `{"foo":1}`, `[]`, `42`, `null`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"1.0","id":5,"method":"ping"}`,
		`{"jsonrpc":"2.0","method":5}`, `{"jsonrpc":"2.0","id":8,"error":5}`, `{}{}`, "", "\xff\xfe", `[5]`, `[{"jsonrpc":"2.0","id":8,"method":"ping"},{"jsonrpc":"2.0","id":8,"method":"ping"}]`, strings.Repeat("[", 20_000),
		`{"jsonrpc":"2.0","id":8,"method":"ping","params":{"x":"` + strings.Repeat("y", maxBody) + `"}}`,
	}
	const ping = `{"jsonrpc":"2.0","id":%d,"method":"ping"}` + "\n"
	in := initialize + "\n"
	for i, line := range odd {
		in += line + "\n" + fmt.Sprintf(ping, 100+i)
	}
	in += "\ufeff" + fmt.Sprintf(ping, 200) + strings.TrimSpace(fmt.Sprintf(ping, 201))
	var out strings.Builder
	if err := g.ServeIO(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Error(err)
	}
	for i := range odd {
		checkContains(t, out.String(), fmt.Sprintf(`"id":%d,`, 100+i))
	}
	checkContains(t, out.String(), `"id":1,`, `"id":200,`, `"id":201,`)
}

// methods are what callers may send.
var methods = []string{
	"initialize", "notifications/initialized", "server/discover", "ping", "tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list",
	"resources/templates/list", "resources/read", "resources/subscribe", "resources/unsubscribe", "subscriptions/listen", "completion/complete",
	"logging/setLevel", "notifications/cancelled", "notifications/progress", "notifications/roots/list_changed", "tasks/get", "sampling/createMessage",
}
