// Requests of this client: their ids, their answers and their ends.

package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
)

// CallOptions are the settings of one call. The zero value is usable.
type CallOptions struct {
	// Name and Headers are sent in HTTP headers as well: the tool, prompt or
	// resource, and arguments of a tool by the names of their headers. Other links
	// ignore them.
	Name    string
	Headers map[string]string
	// OnProgress gets the params of each progress notification of this call, in
	// order, on the goroutine of the call and before it returns. If it is nil, the
	// call requests no progress. If notifications arrive faster than they are
	// handled, the oldest are dropped.
	OnProgress func(params json.RawMessage)

	sdk string // the method of a request of the SDK; else ""
}

// Request is an outgoing request.
type Request struct {
	ID     uint64 // for [Conn.Awaits] and [Conn.Refuse]
	Method string
	Params json.RawMessage // a JSON object; nil for none
	CallOptions

	ids requestIDs
}

// answer is the outcome of a call.
type answer struct {
	result json.RawMessage
	err    error
	lost   bool // err ended the connection
}

// pending is a call that waits for its answer. It is reused for later calls. Only the
// goroutine that removes it from Conn.calls sends its one answer.
type pending struct {
	ctx    context.Context // of the caller
	answer chan answer
	sdk    string        // the method of a request of the SDK; else ""
	news   chan struct{} // progress has arrived; nil if progress is not wanted
	mu     sync.Mutex
	queue  []json.RawMessage
}

// maxProgress is how many progress notifications of a call are queued for a slow
// handler.
const maxProgress = 1024

// Call sends a request and waits for its answer. It returns the bytes of the result
// as they were sent; the caller's decoder finds out whether they are valid JSON.
// Params must be a JSON object, or nil for none: Call does not check them.
//
// An error of the server is a *runtime.RPCError. All other errors are of type
// [*Error], which says whether the request may have reached the server. When ctx ends
// first, Call returns at once and the server is notified in the background.
func (c *Conn) Call(ctx context.Context, method string, params json.RawMessage, o CallOptions) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, &Error{Err: endOf(ctx)}
	}
	p := c.pool.Get().(*pending)
	p.ctx, p.sdk = ctx, o.sdk
	if o.OnProgress != nil {
		p.news = make(chan struct{}, 1)
	}
	r := Request{Method: method, Params: params, CallOptions: o, ids: c.ids}
	var err error
	if r.ID, err = c.register(p); err != nil {
		return nil, &Error{Err: err}
	}
	seq, err := c.link.Call(ctx, &r)
	if err != nil {
		return c.abandon(ctx, p, seq, &r, err)
	}
	for {
		select {
		case a := <-p.answer:
			c.in.hearOut(ctx)
			return c.finish(p, seq, a, o)
		case <-p.news:
			c.report(p, o.OnProgress)
		case <-ctx.Done():
			return c.abandon(ctx, p, seq, &r, nil)
		}
	}
}

// Notify sends a notification without parameters.
func (c *Conn) Notify(ctx context.Context, method string) error {
	return c.link.Send(ctx, method, []byte(`{"jsonrpc":"2.0","method":"`+method+`"}`))
}

// endOf returns the context's error, with its cause if that is another error.
func endOf(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if cause == err { //nolint:errorlint // the very same value is meant
		return err
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// register assigns an ID to a call.
func (c *Conn) register(p *pending) (uint64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.Err(); err != nil {
		return 0, err
	}
	c.lastID++
	c.calls[c.lastID] = p
	if p.sdk == "" {
		c.own++
	}
	return c.lastID, nil
}

// take removes and returns a call; nil if it is unknown or has its answer.
func (c *Conn) take(id uint64) *pending {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.calls[id]
	delete(c.calls, id)
	if p != nil && p.sdk == "" {
		c.own--
	}
	if c.own == 0 && c.idle != nil {
		close(c.idle)
		c.idle = nil
	}
	return p
}

// contextOf returns the context of a call in progress; without one it never ends.
func (c *Conn) contextOf(id uint64) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.calls[id]; p != nil {
		return p.ctx
	}
	return context.Background()
}

// progress delivers a notification to the call that requested it. If too many wait,
// the oldest of the call are dropped.
func (c *Conn) progress(id uint64, params json.RawMessage) {
	if dropped := c.addProgress(id, params); dropped > 0 {
		c.Dropped(Drops{Unasked: dropped}, budget.ErrFull)
	}
}

func (c *Conn) addProgress(id uint64, params json.RawMessage) (dropped int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.calls[id]
	if p == nil || p.news == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	size := progressSize(params)
	for len(p.queue) > 0 && (len(p.queue) == maxProgress || c.waiting+size > c.opts.MaxUnasked) {
		c.waiting -= progressSize(p.queue[0])
		p.queue = p.queue[1:]
		dropped++
	}
	if c.waiting+size > c.opts.MaxUnasked {
		return dropped + 1
	}
	c.waiting += size
	p.queue = append(p.queue, params)
	Wake(p.news)
	return dropped
}

func progressSize(params json.RawMessage) int64 { return int64(len(params)) + overhead }

// report calls f for each notification that has arrived.
func (c *Conn) report(p *pending, f func(json.RawMessage)) {
	for {
		p.mu.Lock()
		queue := p.queue
		p.queue = nil
		p.mu.Unlock()
		if len(queue) == 0 {
			return
		}
		for i, params := range queue {
			f(params)
			queue[i] = nil
			c.mu.Lock()
			c.waiting -= progressSize(params)
			c.mu.Unlock()
		}
	}
}

// finish ends a call that got its answer.
func (c *Conn) finish(p *pending, seq uint64, a answer, o CallOptions) (json.RawMessage, error) {
	if o.OnProgress != nil {
		c.report(p, o.OnProgress)
	}
	c.release(p)
	if a.lost {
		return nil, &Error{Sent: c.link.Drop(seq), Err: a.err}
	}
	return a.result, a.err
}

// abandon ends a call whose context has ended or that could not be sent; in the
// second case, err is the reason.
func (c *Conn) abandon(ctx context.Context, p *pending, seq uint64, r *Request, err error) (json.RawMessage, error) {
	if c.take(r.ID) == nil { // the answer, or the end of the connection, is about to be sent to the channel
		return c.finish(p, seq, <-p.answer, r.CallOptions)
	}
	c.release(p)
	sent := c.link.Drop(seq)
	if ctx.Err() != nil {
		if sent {
			c.link.Cancel(r.ID, seq, ctx.Err().Error())
		}
		err = endOf(ctx)
	}
	return nil, &Error{Sent: sent, Err: err}
}

// release prepares p for the next call.
func (c *Conn) release(p *pending) {
	if p.news != nil {
		c.report(p, func(json.RawMessage) {}) // drops the rest
		p.news = nil
	}
	p.ctx = nil
	c.pool.Put(p)
}
