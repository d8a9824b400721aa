package httpx

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

var noOptions = wire.CallOptions{}

// linkedEvents is a link of the older transport with the connection over it.
type linkedEvents struct {
	*Events
	conn  *wire.Conn
	heard <-chan string // what the server sends without being asked
}

// newEventsLink returns a link to a server that answers each message with the same ones, in
// which $ is its id.
func newEventsLink(t *testing.T, o Options, messages ...string) linkedEvents {
	t.Helper()
	ids := make(chan string, 10)
	if o.URL == "" {
		o.URL = serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				ids <- string(idOf(r))
				return
			}
			w.Header().Set("Content-Type", mediaStream)
			_, _ = fmt.Fprint(w, "event: endpoint\ndata: /message\n\n")
			for {
				_ = http.NewResponseController(w).Flush()
				select {
				case id := <-ids:
					for _, m := range messages {
						_, _ = fmt.Fprintf(w, "data: %s\n\n", strings.ReplaceAll(m, "$", id))
					}
				case <-r.Context().Done():
					return
				}
			}
		})
	}
	if o.MaxMessage == 0 {
		o.MaxMessage = 1 << 20
	}
	l, err := NewEvents(o)
	if err != nil {
		t.Fatal(err)
	}
	options, heard := hearing(wire.Options{})
	c := wire.New(l, options)
	t.Cleanup(func() { _ = c.Close() })
	if err := l.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	return linkedEvents{l, c, heard}
}

// However many large messages come, the room of one is held.
func TestEventsTakeTheirRoomInTurn(t *testing.T) {
	const message = 1 << 20
	memory := budget.New(100*message, nil)
	large := fmt.Sprintf(`{"jsonrpc":"2.0","method":%q}`, strings.Repeat("x", message/2))
	l := newEventsLink(t, Options{MaxMessage: message, Memory: memory}, large, notification(1), large, large, `{"jsonrpc":"2.0","id":$,"result":{}}`)
	if o := callOver(t.Context(), l.conn, noOptions); o.err != nil {
		t.Fatal(o.err)
	}
	if peak := memory.Peak(); peak != 2*message {
		t.Errorf("%d bytes at the same time, want those of one message", peak)
	}
}

// The SDK's session and own calls share the older transport, too.
func TestEventsAreShared(t *testing.T) {
	h, err := testserver.Handler("progress")
	if err != nil {
		t.Fatal(err)
	}
	l := newEventsLink(t, Options{URL: serveHTTP(t, h.ServeHTTP) + "/sse"})
	sdk, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), l.conn.Transport(), &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	o := callOver(t.Context(), l.conn, wire.CallOptions{OnProgress: func(json.RawMessage) { n++ }})
	if o.err != nil || !strings.Contains(o.result, `"structuredContent":{"n":9007199254740993}`) || n != 10 {
		t.Errorf("own call: %+v, %d progress notifications", o, n)
	}
	if tools, err := sdk.ListTools(t.Context(), nil); err != nil || len(tools.Tools) != 1 {
		t.Errorf("listing: %v, %v", tools, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if o := callOver(ctx, l.conn, noOptions); o.sent || !errors.Is(o.err, context.Canceled) {
		t.Errorf("%+v", o)
	}
	_ = l.conn.Close()
	if o := callOver(t.Context(), l.conn, noOptions); o.sent || !errors.Is(o.err, wire.ErrClosed) {
		t.Errorf("%+v", o)
	}
}

// A call that is not waited for any longer is cancelled; what the server refuses to
// take fails alone, and the end of the stream ends all.
func TestEventsCancelAndEnd(t *testing.T) {
	methods, refuse := make(chan string, 10), false
	over := make(chan struct{})
	l := newEventsLink(t, Options{URL: serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			if refuse {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			methods <- methodOf(r)
			return
		}
		w.Header().Set("Content-Type", mediaStream)
		_, _ = fmt.Fprint(w, "event: endpoint\ndata: /message\n\n")
		_ = http.NewResponseController(w).Flush()
		<-over
	})})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan outcome, 1)
	go func() { ended <- callOver(ctx, l.conn, noOptions) }()
	if m := <-methods; m != "tools/call" {
		t.Errorf("the first message is %q, want tools/call", m)
	}
	cancel()
	if o := <-ended; !o.sent || !errors.Is(o.err, context.Canceled) {
		t.Errorf("%+v", o)
	}
	if m := <-methods; m != wire.MethodCancelled {
		t.Errorf("the second message is %q, want %q", m, wire.MethodCancelled)
	}
	refuse = true
	if o := callOver(t.Context(), l.conn, noOptions); !o.sent || !strings.Contains(o.text(), "503") || l.conn.Err() != nil {
		t.Errorf("%+v, ended with %v", o, l.conn.Err())
	}
	refuse = false
	go func() { ended <- callOver(t.Context(), l.conn, noOptions) }()
	<-methods
	close(over)
	if o := <-ended; !o.sent || !strings.Contains(o.text(), "connection lost") {
		t.Errorf("%+v", o)
	}
}
