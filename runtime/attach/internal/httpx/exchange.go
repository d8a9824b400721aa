// The way of our own requests past the SDK's types.

package httpx

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// maxResumes is how often in a row a broken stream is taken up again without
// anything new in it. It is below the number after which the SDK gives up the
// whole session.
const maxResumes = 3

// Exchange is one request of ours. It is put into the context of a method of
// the SDK's session that sends Method: the SDK then sends an empty shell, which
// gets Params on its way out, and receives a shell, while the result stays here.
type Exchange struct {
	Method string          // only this request is touched, nothing else that uses the context
	Params json.RawMessage // a JSON object
	Token  string          // progress token in Params; "" if there is none

	// OnProgress receives the params of the progress notifications of this
	// request, in order, before the result. Nil ignores them.
	OnProgress func(params json.RawMessage)
	// Shell makes the result that the SDK sees. Nil is {}.
	Shell func(result json.RawMessage) json.RawMessage

	abort context.CancelFunc

	mu      sync.Mutex
	id      json.RawMessage // of the SDK's request
	done    bool            // the outcome is known
	result  json.RawMessage
	err     error
	sent    bool
	event   string // id of the last event of the stream
	resumed string // event id at the last resumption
	resumes int    // without anything new
}

type exchangeKey struct{}

// With returns a context that carries x, to be used for one call of the SDK's
// session. The function ends the call and must be called.
func With(ctx context.Context, x *Exchange) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	x.abort = cancel
	return context.WithValue(ctx, exchangeKey{}, x), cancel
}

func exchangeOf(ctx context.Context) *Exchange {
	x, _ := ctx.Value(exchangeKey{}).(*Exchange)
	return x
}

// Outcome returns the bytes of the result as they were sent, or why there is
// none: a [*runtime.RPCError] from the server, an [*Error], or nil if neither
// is known here, because the call ended before an answer came. Sent tells
// whether the server may have acted on the request.
func (x *Exchange) Outcome() (result json.RawMessage, sent bool, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.result, x.sent, x.err
}

// fail settles the exchange with an error, unless it is settled. It returns the
// error that stands.
func (x *Exchange) fail(err error) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.done {
		x.done, x.err = true, err
		var e *Error
		if errors.As(err, &e) && e.Refused {
			x.sent = false
		}
	}
	return x.err
}

// kill settles the exchange with an error and ends the SDK's call: what is
// wrong cannot be told to the SDK without losing the session.
func (x *Exchange) kill(err error) error {
	err = x.fail(err)
	x.abort()
	return err
}

// settle takes the outcome out of an answer.
func (x *Exchange) settle(m *message) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.done {
		return
	}
	x.done = true
	switch {
	case m.Twice:
		x.err = errTwice()
	case len(m.Error) > 0 && string(m.Error) != "null":
		if e := parseRPCError(m.Error); e != nil {
			x.err = e
		} else {
			x.err = &runtime.RPCError{Message: "the server answered with an error that says nothing"}
		}
	case len(m.Result) > 0:
		x.result = m.Result
	default:
		x.err = &Error{Reason: "the answer holds neither a result nor an error: this has to be mended in the server"}
	}
}

// shell returns what the SDK gets in place of the answer.
func (x *Exchange) shell() []byte {
	x.mu.Lock()
	id, result := x.id, x.result
	x.mu.Unlock()
	body := json.RawMessage("{}")
	if result != nil && x.Shell != nil {
		body = x.Shell(result)
	}
	return answer(id, body)
}

func answer(id, result json.RawMessage) []byte {
	b := make([]byte, 0, len(id)+len(result)+40)
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	b = append(b, `,"result":`...)
	b = append(b, result...)
	return append(b, '}')
}

func (x *Exchange) begin(id json.RawMessage) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.id = id
}

func (x *Exchange) markSent() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.done {
		x.sent = true
	}
}

// settled reports whether the outcome is known.
func (x *Exchange) settled() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.done
}

// lastEvent returns the id of the last event of the stream; "" if it had none.
func (x *Exchange) lastEvent() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.event
}

func (x *Exchange) sawEvent(id string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.event = id
}

// resume counts a resumption; false means that there have been enough.
func (x *Exchange) resume() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.event != x.resumed {
		x.resumed, x.resumes = x.event, 0
	}
	x.resumes++
	return x.resumes <= maxResumes
}

// progressed hands on a progress notification if it is one of this exchange.
func (x *Exchange) progressed(m *message) bool {
	if x.Token == "" || m.method() != "notifications/progress" {
		return false
	}
	var token string
	params, ok := wire.Exact(m.Params)
	if !ok || json.Unmarshal(params["progressToken"], &token) != nil || token != x.Token {
		return false
	}
	x.mu.Lock()
	done := x.done
	x.mu.Unlock()
	if !done && x.OnProgress != nil {
		x.OnProgress(m.Params)
	}
	return true
}
