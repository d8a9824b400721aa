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
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
)

// overhead is the cost of a waiting message besides its bytes.
const overhead = 512

// inbox holds the unrequested messages of one connection.
type inbox struct {
	c    *Conn
	room *budget.Queue

	mu       sync.Mutex
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

// Pause waits for d. The error is why it ended early: ctx has ended, or ended is closed.
func Pause(ctx context.Context, ended <-chan struct{}, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-ended:
		return context.Canceled
	}
}

// accept takes a notification, or a request if id is not "". Without room for the
// message it waits a moment, and then drops the message.
func (in *inbox) accept(u unasked, id string) {
	if id == "" && u.method == MethodCancelled {
		in.takeBack(u.params)
		return
	}
	if !in.room.Take(in.c.ctx, u.size()) {
		in.c.Dropped(Drops{Unasked: 1}, budget.ErrFull)
		return
	}
	u.ctx = in.c.contextOf(u.call)
	in.mu.Lock()
	defer in.mu.Unlock()
	switch {
	case id != "":
		ctx, cancel := context.WithCancel(in.c.ctx)
		in.open[id] = cancel
		go in.respond(ctx, cancel, u, id)
		return
	case !in.handling:
		in.handling = true
		go in.handle()
	}
	in.notes = append(in.notes, u)
}

// takeBack ends the context of a request that the server has cancelled.
func (in *inbox) takeBack(params json.RawMessage) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if cancel := in.open[idOf(jsontext.Member(params, "requestId"))]; cancel != nil {
		cancel()
	}
}

// handle handles notifications until none waits, even if the peer has ended. After
// the client has closed the connection, the rest is dropped.
func (in *inbox) handle() {
	for {
		in.mu.Lock()
		if len(in.notes) == 0 || errors.Is(in.c.Err(), ErrClosed) {
			in.handling, in.notes = false, nil
			in.mu.Unlock()
			return
		}
		u := in.notes[0]
		in.notes[0] = unasked{}
		in.notes = in.notes[1:]
		in.mu.Unlock()
		if u.heard != nil {
			close(u.heard)
			continue
		}
		if in.c.opts.OnNotification != nil {
			in.c.opts.OnNotification(u.ctx, u.method, u.params)
		}
		in.room.Give(u.size())
	}
}

// hearTime bounds how long an answer waits for the notifications before it.
const hearTime = 50 * time.Millisecond

// hearOut waits until the notifications that arrived before an answer are handled: what
// a server logs in a call then comes before the call's end. A slow handler delays an
// answer by hearTime at most.
func (in *inbox) hearOut(ctx context.Context) {
	in.mu.Lock()
	if !in.handling {
		in.mu.Unlock()
		return
	}
	var heard chan struct{}
	if n := len(in.notes); n > 0 {
		heard = in.notes[n-1].heard // nil unless another answer waits for the same
	}
	if heard == nil {
		heard = make(chan struct{})
		in.notes = append(in.notes, unasked{heard: heard})
	}
	in.mu.Unlock()
	select {
	case <-heard:
	case <-ctx.Done():
	case <-time.After(hearTime):
	}
}

// respond answers a request. The link bounds the answer, which no longer counts here.
func (in *inbox) respond(ctx context.Context, cancel context.CancelFunc, u unasked, id string) {
	answer := in.answerTo(ctx, u)
	cancel()
	in.mu.Lock()
	delete(in.open, id)
	in.mu.Unlock()
	in.room.Give(u.size())
	message := append([]byte(`{"jsonrpc":"2.0","id":`+id+`,`), answer...)
	_ = in.c.link.Send(in.c.ctx, "", append(message, '}')) // a server that has ended does not need it
}

// answerTo returns the result or the error of a request, as a member of the answer.
func (in *inbox) answerTo(ctx context.Context, u unasked) []byte {
	var result json.RawMessage
	var err error = &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "the client does not answer this method"}
	switch {
	case u.method == "ping":
		result, err = json.RawMessage(`{}`), nil
	case in.c.opts.OnRequest != nil:
		result, err = in.c.opts.OnRequest(ctx, u.method, u.params)
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
