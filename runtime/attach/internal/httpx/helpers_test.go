package httpx

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// serveHTTP is a server that answers every request with one function.
func serveHTTP(t *testing.T, f http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(f)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}

// linked is a link of streamable HTTP with the connection over it.
type linked struct {
	*Streamable
	conn  *wire.Conn
	heard <-chan string // what the server sends without being asked
}

func newLink(t *testing.T, o Options, w ...wire.Options) linked {
	t.Helper()
	if o.MaxMessage == 0 {
		o.MaxMessage = 1 << 20
	}
	l, err := NewStreamable(o)
	if err != nil {
		t.Fatal(err)
	}
	options, heard := hearing(append(w, wire.Options{})[0])
	c := wire.New(l, options)
	t.Cleanup(func() {
		_ = c.Close()
		l.Wait(context.Background())
	})
	return linked{l, c, heard}
}

// inSession makes the link that of a session with this id.
func (l linked) inSession(id string) linked {
	l.joined.Store(&membership{session: id})
	return l
}

// outcome is what became of a call.
type outcome struct {
	result string
	sent   bool
	err    error
}

// text is the result, or what the error says.
func (o outcome) text() string {
	if o.err != nil {
		return o.err.Error()
	}
	return o.result
}

func (l linked) call(ctx context.Context) outcome { return callOver(ctx, l.conn, wire.CallOptions{}) }

func callOver(ctx context.Context, c *wire.Conn, o wire.CallOptions) outcome {
	raw, err := c.Call(ctx, "tools/call", json.RawMessage(`{"name":"t","arguments":{"n":9007199254740993}}`), o)
	var we *wire.Error
	if errors.As(err, &we) {
		return outcome{sent: we.Sent, err: we.Err}
	}
	return outcome{string(raw), true, err}
}

// idOf returns the id of the request that a server got.
func idOf(r *http.Request) []byte {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &m)
	return m.ID
}

// answerWith answers with a body, in which $ is the id of the request.
func answerWith(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(bytes.ReplaceAll([]byte(body), []byte("$"), idOf(r)))
	}
}

// sdkOf is the SDK's side of a connection.
func sdkOf(t *testing.T, c *wire.Conn) mcp.Connection {
	t.Helper()
	sdk, err := c.Transport().Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return sdk
}

// hearing returns options that hand out what the server sends without being asked, unless
// they have a handler of their own.
func hearing(o wire.Options) (wire.Options, <-chan string) {
	heard := make(chan string, 1000)
	hear := func(id, method string, params json.RawMessage) {
		message := `{"jsonrpc":"2.0",` + id + `"method":"` + method + `"`
		if params != nil {
			message += `,"params":` + string(params)
		}
		heard <- message + "}"
	}
	if o.OnNotification == nil {
		o.OnNotification = func(_ context.Context, method string, params json.RawMessage) { hear("", method, params) }
	}
	o.OnRequest = func(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		hear(`"id":"?",`, method, params)
		return json.RawMessage("{}"), nil
	}
	return o, heard
}
