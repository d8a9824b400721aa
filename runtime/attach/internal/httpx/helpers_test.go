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

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
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
	conn *wire.Conn
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
	c := wire.New(l, append(w, wire.Options{})[0])
	t.Cleanup(func() {
		_ = c.Close()
		l.Wait(context.Background())
	})
	return linked{l, c}
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

// readAll gives out what the SDK reads.
func readAll(t *testing.T, c *wire.Conn) <-chan string {
	t.Helper()
	sdk := sdkOf(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	messages := make(chan string)
	go func() {
		defer close(messages)
		for {
			msg, err := sdk.Read(ctx)
			if err != nil {
				return
			}
			data, err := jsonrpc.EncodeMessage(msg)
			if err != nil {
				t.Error(err)
			}
			select {
			case messages <- string(data):
			case <-ctx.Done():
				return
			}
		}
	}()
	return messages
}
