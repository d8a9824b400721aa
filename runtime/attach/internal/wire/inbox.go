// Unrequested messages of a server: notifications, which are handled one after the
// other, and requests, each of which is answered separately. All messages that wait
// to be handled or answered are bounded in bytes. The SDK does not get them, since it
// would queue them without a bound.

package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
)

// overhead is the cost of a waiting message besides its bytes.
const overhead = 512

// inbox is guarded by Conn.mu.
type inbox struct {
	room     *budget.Queue
	notes    []unasked                     // waiting, in order
	handling bool                          // a notification is being handled
	open     map[string]context.CancelFunc // requests that are being answered, by their ids
}

// unasked is a notification or a request of the server, or a mark between notifications.
type unasked struct {
	method string
	params json.RawMessage
	call   uint64          // the ID of the call that a notification belongs to, or 0
	ctx    context.Context // of that call, or of none
	heard  chan struct{}   // of a mark: closed when the notifications before it are handled
}

func (u unasked) size() int64 { return int64(len(u.params)+len(u.method)) + overhead }

// Wake signals the reader of a channel that holds one element.
func Wake(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default: // already signalled
	}
}

// accept takes a notification, or a request if id is not "". Without room for the
// message it waits a moment, and then drops the message.
func (c *Conn) accept(u unasked, id string) {
	if id == "" && u.method == MethodCancelled {
		c.takeBack(u.params)
		return
	}
	if !c.in.room.Take(c.ctx, u.size()) {
		c.Dropped(Drops{Unasked: 1}, budget.ErrFull)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case id != "":
		ctx, cancel := context.WithCancel(c.ctx)
		c.in.open[id] = cancel
		go c.respond(ctx, cancel, u, id)
		return
	case !c.in.handling:
		c.in.handling = true
		go c.handle()
	}
	if u.ctx = context.Background(); c.calls[u.call] != nil {
		u.ctx = c.calls[u.call].ctx
	}
	c.in.notes = append(c.in.notes, u)
}

// takeBack ends the context of a request that the server has cancelled.
func (c *Conn) takeBack(params json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel := c.in.open[idOf(jsontext.Member(params, "requestId"))]; cancel != nil {
		cancel()
	}
}

// handle handles notifications until none waits, even if the peer has ended. After
// the client has closed the connection, the rest is dropped.
func (c *Conn) handle() {
	for {
		c.mu.Lock()
		if len(c.in.notes) == 0 || errors.Is(c.Err(), ErrClosed) {
			c.in.handling, c.in.notes = false, nil
			c.mu.Unlock()
			return
		}
		u := c.in.notes[0]
		c.in.notes[0] = unasked{}
		c.in.notes = c.in.notes[1:]
		c.mu.Unlock()
		if u.heard != nil {
			close(u.heard)
			continue
		}
		if c.opts.OnNotification != nil {
			c.opts.OnNotification(u.ctx, u.method, u.params)
		}
		c.in.room.Give(u.size())
	}
}

// hearTime bounds how long an answer waits for the notifications before it.
const hearTime = 50 * time.Millisecond

// hearOut waits until the notifications that arrived before an answer are handled: what
// a server logs in a call then comes before the call's end. A slow handler delays an
// answer by hearTime at most.
func (c *Conn) hearOut(ctx context.Context) {
	c.mu.Lock()
	if !c.in.handling {
		c.mu.Unlock()
		return
	}
	var heard chan struct{}
	if n := len(c.in.notes); n > 0 {
		heard = c.in.notes[n-1].heard // nil unless another answer waits for the same
	}
	if heard == nil {
		heard = make(chan struct{})
		c.in.notes = append(c.in.notes, unasked{heard: heard})
	}
	c.mu.Unlock()
	select {
	case <-heard:
	case <-ctx.Done():
	case <-time.After(hearTime):
	}
}

// respond answers a request. The link bounds the answer, which no longer counts here.
func (c *Conn) respond(ctx context.Context, cancel context.CancelFunc, u unasked, id string) {
	answer := c.answerTo(ctx, u)
	cancel()
	c.mu.Lock()
	delete(c.in.open, id)
	c.mu.Unlock()
	c.in.room.Give(u.size())
	message := append([]byte(`{"jsonrpc":"2.0","id":`+id+`,`), answer...)
	_ = c.link.Send(c.ctx, "", append(message, '}')) // a server that has ended does not need it
}

// answerTo returns the result or the error of a request, as a member of the answer.
func (c *Conn) answerTo(ctx context.Context, u unasked) []byte {
	var result json.RawMessage
	var err error = &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "the client does not answer this method"}
	switch {
	case u.method == "ping":
		result, err = json.RawMessage(`{}`), nil
	case c.opts.OnRequest != nil:
		result, err = c.opts.OnRequest(ctx, u.method, u.params)
	}
	if err == nil && !json.Valid(result) {
		err = errors.New("the answer is not JSON")
	}
	if err == nil {
		return append([]byte(`"result":`), result...)
	}
	fault, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok {
		fault = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: safetext.Words(err.Error(), 500)}
	}
	object, err := json.Marshal(fault)
	if err != nil {
		object = []byte(`{"code":-32603,"message":"the error cannot be written"}`) // its data is not JSON
	}
	return append([]byte(`"error":`), object...)
}

// idOf returns the ID of a request in the server's spelling, for the answer; "" if
// the ID is not a string or an integer.
func idOf(raw []byte) string {
	if !json.Valid(raw) {
		return ""
	}
	kind := jsontext.TypeOf(raw)
	if kind == "string" || kind == "number" && !bytes.ContainsAny(raw, ".eE") {
		return string(jsontext.Plain(raw))
	}
	return ""
}
