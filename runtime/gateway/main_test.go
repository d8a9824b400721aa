package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

func TestMain(m *testing.M) { os.Exit(testserver.Run(m.Run)) }

// processServer describes the test server as a process in one of its modes.
func processServer(t testing.TB, name string, args ...string) endpoint.Server {
	t.Helper()
	return endpoint.Server{Name: name, Launch: &endpoint.Process{Command: testserver.Program(), Args: args}}
}

// serveHandler runs a handler for one test.
func serveHandler(t testing.TB, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}

// openGateway attaches to servers and opens a gateway to them, both closed with the test.
func openGateway(t *testing.T, host *attach.Options, opts *Options, servers ...endpoint.Server) *Gateway {
	t.Helper()
	h, err := attach.Connect(t.Context(), servers, host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	if opts == nil {
		opts = &Options{}
	}
	if opts.Drain == 0 {
		opts.Drain = time.Second
	}
	g, err := New(h, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	return g
}

// client speaks to a gateway in messages, so that a test sees every byte.
type client struct {
	t        *testing.T
	conn     mcp.Connection
	protocol string
	caps     string // capabilities
	next     int64
	on       func(method string, params json.RawMessage) json.RawMessage // answers requests, and hears notifications
}

// The revisions that tests speak.
const legacy = "2025-11-25"

// eras are the revisions that most tests are run with.
var eras = []string{legacy, modern}

// dialClient connects a client of a revision.
func dialClient(t *testing.T, g *Gateway, protocol string) *client {
	t.Helper()
	return dialAs(t, g, protocol, `{}`, nil)
}

func dialAs(t *testing.T, g *Gateway, protocol, caps string, on func(string, json.RawMessage) json.RawMessage) *client {
	t.Helper()
	return dialOver(t, g.Transport(), protocol, caps, on)
}

func dialOver(t *testing.T, transport mcp.Transport, protocol, caps string, on func(string, json.RawMessage) json.RawMessage) *client {
	t.Helper()
	conn, err := transport.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	c := &client{t: t, conn: conn, protocol: protocol, caps: caps, on: on}
	if protocol < modern {
		c.must("initialize", `{"protocolVersion":"`+protocol+`","capabilities":`+caps+`,"clientInfo":{"name":"test","version":"1"}}`)
		c.send(&jsonrpc.Request{Method: "notifications/initialized", Params: json.RawMessage(`{}`)})
	}
	return c
}

func (c *client) send(m jsonrpc.Message) {
	c.t.Helper()
	if err := c.conn.Write(c.t.Context(), m); err != nil {
		c.t.Fatal(err)
	}
}

// begin sends a request.
func (c *client) begin(method, params string) jsonrpc.ID {
	c.t.Helper()
	c.next++
	id, err := jsonrpc.MakeID(float64(c.next))
	if err != nil {
		c.t.Fatal(err)
	}
	if c.protocol >= modern {
		meta := `"io.modelcontextprotocol/protocolVersion":"` + c.protocol + `","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":` + c.caps
		if strings.Contains(params, `"_meta":{`) {
			params = strings.Replace(params, `"_meta":{`, `"_meta":{`+meta+`,`, 1)
		} else {
			params = strings.Replace(`{"_meta":{`+meta+`},`+params[1:], ",}", "}", 1)
		}
	}
	c.send(&jsonrpc.Request{ID: id, Method: method, Params: json.RawMessage(params)})
	return id
}

// read returns the next message that is neither a request nor a notification.
func (c *client) read() *jsonrpc.Response {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 20*time.Second)
	defer cancel()
	for {
		m, err := c.conn.Read(ctx)
		if err != nil {
			c.t.Fatal(err)
		}
		switch m := m.(type) {
		case *jsonrpc.Response:
			return m
		case *jsonrpc.Request:
			var answer json.RawMessage
			if c.on != nil {
				answer = c.on(m.Method, m.Params)
			}
			if m.IsCall() {
				c.send(&jsonrpc.Response{ID: m.ID, Result: answer})
			}
		}
	}
}

// request sends a request and returns the bytes of its result.
func (c *client) request(method, params string) (string, error) {
	c.t.Helper()
	id := c.begin(method, params)
	for {
		if res := c.read(); res.ID == id {
			return string(res.Result), res.Error
		}
	}
}

func (c *client) must(method, params string) string {
	c.t.Helper()
	got, err := c.request(method, params)
	if err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
	return got
}

// call calls a tool.
func (c *client) call(name, args string) (string, error) {
	c.t.Helper()
	return c.request("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, args))
}

// checkContains checks that a text has all parts.
func checkContains(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("got %.2000s\nwant %s", got, w)
		}
	}
}

// checkLacks checks that a text has none of the parts.
func checkLacks(t *testing.T, got string, not ...string) {
	t.Helper()
	for _, n := range not {
		if strings.Contains(got, n) {
			t.Errorf("got %.2000s\nwith %s", got, n)
		}
	}
}

// eachEra runs a test for callers of both eras.
func eachEra(t *testing.T, f func(t *testing.T, protocol string)) {
	for _, protocol := range eras {
		t.Run(protocol, func(t *testing.T) { f(t, protocol) })
	}
}
