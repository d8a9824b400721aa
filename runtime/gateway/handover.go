// Calls of sessions that do not need the SDK: they begin without it, and are handed over to
// it once their caller is to be told something before the answer.

package gateway

import (
	"context"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// handoverTime is how long a call of a session lasts without the SDK. A longer one gets
// a stream, which its caller can resume.
const handoverTime = 100 * time.Millisecond

// handoverKey is the pseudo header of a request that is handed over: its key in the
// gateway's handovers.
const handoverKey = "mcpgen handover"

// handover is a call of a session that has begun without the SDK.
type handover struct {
	session, id string
	connection  context.Context // of its caller

	serve  func() (taken bool) // has the SDK answer the request, until its caller leaves
	life   context.Context     // of the session
	cancel context.CancelFunc  // of the call
	report func(why any)       // a panic of serve

	mu          sync.Mutex
	begun, over bool            // handed over; answered without that
	stream      context.Context // of the SDK's request; set before joined is closed
	joined      chan struct{}   // closed when the SDK waits for the answer
	served      chan struct{}   // closed when the SDK has answered, or its caller has left
	outcome     chan reply      // of the call, for the SDK
}

// reply is the answer to a request: a result or an error.
type reply struct {
	res mcp.Result
	err error
}

type handoverOf struct{} // key of a context: *handover

// handovers are the requests in progress of sessions over HTTP.
type handovers struct {
	requests    atomic.Uint64
	open        sync.Map // number of a request → *handover: a call that has begun without the SDK
	connections sync.Map // number of another request → context.Context: its caller's connection
}

// number returns a number for a request.
func (o *handovers) number() string { return strconv.FormatUint(o.requests.Add(1), 10) }

// connectionKey is the pseudo header of other requests: their key in connections.
const connectionKey = "mcpgen connection"

// connect stores the connection of a request until it ends. A request may outlast it.
func (o *handovers) connect(r *http.Request) {
	key := o.number()
	r.Header[connectionKey] = []string{key}
	o.connections.Store(key, r.Context())
	context.AfterFunc(r.Context(), func() { o.connections.Delete(key) })
}

// connectionOf returns a context that ends with the caller's connection of a request in a
// session; nil if the request has no separate connection.
func (o *handovers) connectionOf(ctx context.Context) context.Context {
	if h, ok := ctx.Value(handoverOf{}).(*handover); ok {
		return h.connection
	}
	key := extraOf(ctx).Header[connectionKey]
	if key == nil {
		return nil
	}
	if c, ok := o.connections.Load(key[0]); ok {
		return c.(context.Context)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	return ended
}

// directIn answers a request of a session like [Gateway.direct]. A call that lasts, or whose
// caller is asked or gets logs meanwhile, continues as a request to next.
func (t *sessionTable) directIn(s *heldSession, w http.ResponseWriter, r *http.Request, next http.Handler) bool {
	id, params, ok := t.g.plain.read(r, false)
	if !ok {
		return false
	}
	p := t.fresh(s)
	if p == nil || r.Header.Get("Mcp-Protocol-Version") != p.session.InitializeParams().ProtocolVersion {
		return false
	}
	h := &handover{session: s.id, id: textOf(id), connection: r.Context(), life: p.life, joined: make(chan struct{}), served: make(chan struct{}), outcome: make(chan reply, 1)}
	key := t.g.handovers.number()
	t.g.handovers.open.Store(key, h)
	defer t.g.handovers.open.Delete(key)
	h.serve = func() bool {
		again := *r
		again.Header = maps.Clone(r.Header)
		again.Header[handoverKey] = []string{key}
		next.ServeHTTP(w, &again)
		return w.Header().Get("Content-Type") == "text/event-stream"
	}
	h.report = func(why any) { t.g.log.Error("gateway: a request could not be answered", "reason", why) }
	ctx, cancel := context.WithCancel(context.WithValue(context.WithoutCancel(r.Context()), handoverOf{}, h))
	defer cancel()
	h.cancel = cancel
	timer := time.AfterFunc(handoverTime, h.begin)
	defer timer.Stop()
	res, err := t.g.receive(nil)(ctx, protocol.MethodCallTool, requestOf(r, p.session, params))
	if !h.finish(reply{res, err}) {
		t.answered(s.id, h.id)
		writeAnswer(w, http.StatusOK, id, res, err)
	}
	return true
}

// begin hands a call over, unless it is over.
func (h *handover) begin() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.begun || h.over {
		return
	}
	h.begun = true
	go func() {
		defer close(h.served)
		defer func() {
			if why := recover(); why != nil {
				h.report(why)
			}
		}()
		if h.serve() { // without its caller, the SDK may read it later
			select {
			case <-h.joined:
			case <-h.life.Done():
			}
			return
		}
		h.cancel()
	}()
}

// finish gives the answer to the SDK, and waits until it is written. It returns false if
// the call was not handed over.
func (h *handover) finish(r reply) bool {
	h.mu.Lock()
	h.over = !h.begun
	h.mu.Unlock()
	if h.over {
		return false
	}
	h.outcome <- r
	<-h.served
	return true
}

// join returns the answer of a call to the SDK. The caller can end the call through ctx.
func (h *handover) join(ctx context.Context) (mcp.Result, error) {
	h.stream = ctx
	close(h.joined)
	defer context.AfterFunc(ctx, h.cancel)()
	r := <-h.outcome
	return r.res, r.err
}

// await hands a call over, and returns when the SDK waits for its answer or will not.
func (h *handover) await() (stream context.Context, ok bool) {
	h.begin()
	h.mu.Lock()
	over := h.over
	h.mu.Unlock()
	if over {
		return nil, false
	}
	select {
	case <-h.joined:
		return h.stream, true
	case <-h.served:
		return nil, false
	}
}

// stream returns the context with which a message to the caller belongs to its call.
func (f *flight) stream() context.Context {
	if h, ok := f.ctx.Value(handoverOf{}).(*handover); ok {
		if stream, ok := h.await(); ok {
			return stream
		}
	}
	return f.ctx
}

// textOf returns the one spelling of an ID, which callers may write in several.
func textOf(id []byte) string {
	if digits, err := jsontext.Integer(id); err == nil {
		return digits
	}
	return string(jsontext.Plain(id))
}

// cancelled hands the calls over that a caller cancels with a message, or with messages
// of a batch: the SDK knows how a cancelled request ends.
func (o *handovers) cancelled(session string, body *message) {
	body.each(func(m *message) {
		id := jsontext.Member(m.params, "requestId")
		if m.name() != cancelled || id == nil {
			return
		}
		for _, h := range o.open.Range {
			if h := h.(*handover); h.session == session && h.id == textOf(id) {
				_, _ = h.await()
			}
		}
	})
}
