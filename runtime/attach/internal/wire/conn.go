// Package wire is one raw JSON-RPC connection that two sides share: the MCP
// SDK's session, and requests of our own that must be quick and keep every byte
// of the answer.
//
// All requests carry string ids with a random prefix (requestIDs), those of the SDK too,
// which are calls like others here. What arrives is routed by
// id: the SDK sees the answers to its own requests and nothing else; what the server sends
// without being asked is for [Options]. How messages travel is the business of a [Link]: that of
// stdio is here ([NewStream]), those of HTTP are in package httpx.
package wire

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
)

// Where Options names no bounds, in bytes.
const (
	defaultMaxMessage = 16 << 20
	defaultMaxUnasked = 4 << 20
)

// Options are the settings of a connection. The zero value is usable.
type Options struct {
	// MaxMessage bounds one incoming message in bytes; a larger one is skipped,
	// and the call that it answers fails with [ErrTooLarge]. Zero is
	// defaultMaxMessage.
	MaxMessage int64
	// MaxUnasked bounds, in bytes, what the server sends without being asked
	// and nobody has handled yet: its notifications, its requests, and apart
	// from them the progress of calls. Beyond it the reader waits a moment, and
	// then messages are dropped. Zero is defaultMaxUnasked.
	MaxUnasked int64
	// Memory is shared by all whose large messages arrive at the same time. Nil
	// means no bound.
	Memory *budget.Budget
	// OnRequest answers a request of the server, other than ping. Its context ends when
	// the server takes the request back, and with the connection. An error that is a
	// *jsonrpc.Error is sent as it is, another one as an internal error. It is called on
	// a goroutine for each request. Nil refuses all.
	OnRequest func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	// OnNotification receives what else the server sends without being asked, one after
	// the other. Nil ignores it.
	OnNotification func(method string, params json.RawMessage)
	// OnSkipped receives what the server wrote between messages: banners, log
	// lines, JSON that is not JSON-RPC. The line is cut and only valid during
	// the call, which must not block. Nil ignores it.
	OnSkipped func(line []byte)
	// OnDrop receives what was dropped, and why. It must not block. Nil ignores it.
	OnDrop func(n Drops, why error)
	// Closed says why the peer is gone, such as its exit status; nil or a nil
	// error means unknown. It is called once, when the connection is lost, and
	// may block for the moment that a dying process needs.
	Closed func() error
}

// Conn is a connection. Its methods are safe for concurrent use.
type Conn struct {
	opts   Options
	ids    requestIDs
	link   Link
	sdk    *sdkConn
	ctx    context.Context // ends with the connection; its cause says why
	cancel context.CancelCauseFunc
	pool   sync.Pool // of *pending

	received atomic.Int64 // bytes of a stream

	mu      sync.Mutex
	lastID  uint64
	calls   map[uint64]*pending // requests without an answer
	own     int                 // of them, those that are not the SDK's
	idle    chan struct{}       // closed when there are none any more; nil if nobody waits for it
	skipped int
	first   string // the first thing that was skipped
	waiting int64  // bytes of progress that waits for calls
	in      inbox
	losing  bool // Closed has been asked, or is being asked
}

// Link carries the messages of one connection. Its methods are safe for concurrent
// use.
type Link interface {
	// Open begins to hand what arrives to c, by [Conn.Receive] and [Conn.Lose]. It
	// does not wait.
	Open(c *Conn)
	// Call sends a request. The answer comes by
	// [Conn.Receive], also while Call is still at it. The sequence number stands for
	// the request in Drop; 0 is one that did not leave, and never will. Where there is
	// no error, the answer, [Conn.Refuse] or the connection's end follows.
	Call(ctx context.Context, r *Request) (seq uint64, err error)
	// Drop takes a request back: sent is false if no byte of it has left, and
	// none will.
	Drop(seq uint64) (sent bool)
	// Cancel tells the peer, in the background, that a request of which a
	// part has left is not wanted any more.
	Cancel(id, seq uint64, reason string)
	// Send sends a notification of the SDK, or with the method "" the answer to a request
	// of the server.
	Send(ctx context.Context, method string, message []byte) error
	// Close ends the link and does not wait. With flush, the peer first gets what is
	// queued, and hears that the open requests are not wanted any more, as far as that
	// makes a difference to it and is possible soon.
	Close(flush bool, open []uint64)
}

// New returns a connection over a link, and opens it.
func New(l Link, opts Options) *Conn {
	c := newConn(opts)
	c.link = l
	l.Open(c)
	return c
}

func newConn(opts Options) *Conn {
	if opts.MaxMessage <= 0 {
		opts.MaxMessage = defaultMaxMessage
	}
	if opts.MaxUnasked <= 0 {
		opts.MaxUnasked = defaultMaxUnasked
	}
	c := &Conn{opts: opts, ids: newIDs(), calls: map[uint64]*pending{}, in: inbox{room: budget.NewQueue(opts.MaxUnasked), open: map[string]context.CancelFunc{}}}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	c.pool.New = func() any { return &pending{answer: make(chan answer, 1)} }
	c.sdk = newSDKConn(c)
	return c
}

// Transport returns the SDK's side of the connection, for one session, which closes the
// whole connection with itself.
func (c *Conn) Transport() mcp.Transport { return c.sdk }

// Close ends the connection. Calls in flight fail with [ErrClosed]. It does not
// wait for the peer; what is queued is still sent if the peer reads.
func (c *Conn) Close() error {
	c.fail(ErrClosed)
	return nil
}

// Abort ends the connection because the peer is of no use any more. Calls in
// flight fail with a [*LostError] that says why.
func (c *Conn) Abort(why error) { c.fail(&LostError{Err: why}) }

// Done is closed when the connection has ended, for whatever reason.
func (c *Conn) Done() <-chan struct{} { return c.ctx.Done() }

// Err returns nil before [Conn.Done], and afterwards why the connection ended:
// [ErrClosed] after Close, a [*LostError] if the peer went away, [ErrStalled] for
// a peer that does not read.
func (c *Conn) Err() error { return context.Cause(c.ctx) }

// Drain waits until no call is under way, save those of the SDK, or for the context's end.
func (c *Conn) Drain(ctx context.Context) {
	c.mu.Lock()
	if c.own == 0 {
		c.mu.Unlock()
		return
	}
	if c.idle == nil {
		c.idle = make(chan struct{})
	}
	idle := c.idle
	c.mu.Unlock()
	select {
	case <-idle:
	case <-c.Done():
	case <-ctx.Done():
	}
}

// Received returns how many bytes have arrived on a stream: a peer from which
// nothing more comes is silent. It is 0 for other links.
func (c *Conn) Received() int64 { return c.received.Load() }

// Skipped returns how many lines or messages were skipped because they are not
// JSON-RPC, and the first one, cut at 200 bytes.
func (c *Conn) Skipped() (n int, first string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.skipped, c.first
}

// Drops count what arrived and was dropped for the bounds of a connection.
type Drops struct {
	Oversized int // messages that were too large
	Unasked   int // notifications, requests and progress that there was no room for, and answers to requests that the server did not read
}

// Dropped reports something that is dropped, and why.
func (c *Conn) Dropped(n Drops, why error) {
	if c.opts.OnDrop != nil {
		c.opts.OnDrop(n, why)
	}
}

// maxQuote is how much of a skipped line is kept.
const maxQuote = 200

// Skip counts something that arrived and is not a message.
func (c *Conn) Skip(line []byte) {
	line = line[:min(len(line), maxQuote)]
	c.mu.Lock()
	if c.skipped++; c.skipped == 1 {
		c.first = string(line)
	}
	c.mu.Unlock()
	if c.opts.OnSkipped != nil {
		c.opts.OnSkipped(line)
	}
}

// fail ends the connection; the first reason counts.
func (c *Conn) fail(err error) {
	c.mu.Lock()
	if c.Err() != nil {
		c.mu.Unlock()
		return
	}
	calls := c.calls
	c.calls = nil
	c.cancel(err)
	c.mu.Unlock()
	var open []uint64
	for id, p := range calls {
		if p.sdk == "" { // the end of a handshake says enough
			open = append(open, id)
		}
	}
	c.link.Close(errors.Is(err, ErrClosed), open)
	for _, p := range calls {
		p.answer <- answer{err: err, lost: true}
	}
}

// Lose ends the connection because the peer is gone or cannot be written to,
// and finds out why.
func (c *Conn) Lose(cause error) {
	c.mu.Lock()
	if c.losing || c.Err() != nil {
		c.mu.Unlock()
		return
	}
	c.losing = true
	c.mu.Unlock()
	if c.opts.Closed != nil {
		if err := c.opts.Closed(); err != nil {
			cause = err
		}
	}
	c.fail(&LostError{Err: cause})
}
