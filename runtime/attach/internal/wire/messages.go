// Connections that carry decoded messages, such as the older HTTP transport.

package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
)

const (
	notifyTime = 5 * time.Second // for a notification that nobody waits for
	maxJunk    = 100             // messages in a row that cannot be read
)

// messageLink sends through a connection of the SDK. What was handed to it
// cannot be taken back.
type messageLink struct {
	inner mcp.Connection
	ids   IDs
	ctx   context.Context // of the whole connection
}

func (l *messageLink) call(ctx context.Context, r *request) (uint64, error) {
	id, err := jsonrpc.MakeID(l.ids.Text(r.id))
	if err != nil {
		return 0, err
	}
	params := r.params
	if r.progress {
		params = l.ids.appendTokened(nil, r.params, r.id)
	}
	return 1, l.inner.Write(ctx, &jsonrpc.Request{ID: id, Method: r.method, Params: params})
}

func (l *messageLink) drop(seq uint64) bool { return seq != 0 }

func (l *messageLink) cancelled(id, _ uint64, reason string) {
	params, err := json.Marshal(map[string]string{"requestId": l.ids.Text(id), "reason": reason})
	if err != nil {
		return // strings always can be written
	}
	go func() {
		ctx, cancel := context.WithTimeout(l.ctx, notifyTime)
		defer cancel()
		// Best effort: the caller has gone.
		_ = l.inner.Write(ctx, &jsonrpc.Request{Method: "notifications/cancelled", Params: params})
	}()
}

func (l *messageLink) write(ctx context.Context, msg jsonrpc.Message) error {
	return l.inner.Write(ctx, msg)
}

func (l *messageLink) close(bool) {
	go l.inner.Close() // it may wait for the peer
}

// readMessages hands on all messages of inner until its end.
func (c *Conn) readMessages(inner mcp.Connection) {
	for junk := 0; ; {
		msg, err := inner.Read(c.ctx)
		if errors.Is(err, io.EOF) || c.ctx.Err() != nil {
			c.lose(nil)
			return
		}
		if err != nil {
			if junk++; junk > maxJunk {
				c.lose(err)
				return
			}
			c.skip([]byte(err.Error()))
			continue
		}
		junk = 0
		c.message(msg)
	}
}

// message hands on one decoded message.
func (c *Conn) message(msg jsonrpc.Message) {
	switch msg := msg.(type) {
	case *jsonrpc.Request:
		if msg.Method == methodProgress {
			if id, ok := c.ids.of(tokenOf(msg.Params)); ok {
				c.progress(id, msg.Params)
				return
			}
		}
		if msg.ID != c.sdk.marker {
			c.sdk.accept(msg)
		}
	case *jsonrpc.Response:
		raw, err := json.Marshal(msg.ID.Raw())
		if err != nil {
			return // ids are strings and integers
		}
		n, ok := c.ids.of(raw)
		if !ok || c.deliver(n, answerIn(msg)) {
			return
		}
		if id, ok := c.sdk.answered(n); ok {
			msg.ID = id
			c.sdk.answer(msg)
		}
	}
}

// answerIn is the answer to an own call.
func answerIn(msg *jsonrpc.Response) answer {
	if msg.Error == nil {
		if msg.Result == nil {
			return answer{err: &Error{Sent: true, Err: errEmpty}}
		}
		return answer{result: msg.Result}
	}
	if msg.Result != nil {
		return answer{err: &Error{Sent: true, Err: errBoth}}
	}
	var f *jsonrpc.Error
	if errors.As(msg.Error, &f) {
		return answer{err: &runtime.RPCError{Code: f.Code, Message: f.Message, Data: f.Data}}
	}
	return answer{err: &runtime.RPCError{Message: msg.Error.Error()}}
}
