// Package wire is one raw JSON-RPC connection that two clients share: the session of
// the MCP SDK, and this module's own requests, which must be fast and keep every byte
// of the answer.
//
// All requests have string ids with a random prefix (requestIDs), including the
// SDK's, which are calls like the others. Incoming messages are routed by ID: the SDK
// gets the answers to its own requests alone; unrequested messages of the server go
// to [Options]. A [Link] carries the messages: the link of stdio is in this package
// ([NewStream]), the links of HTTP are in package httpx.
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
)

// The defaults of Options, in bytes.
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
	// MaxUnasked bounds, in bytes, the unrequested messages that have not been
	// handled yet: notifications and requests of the server, and separately the
	// progress of calls. Beyond it the reader waits a moment, and then messages are
	// dropped. Zero is defaultMaxUnasked.
	MaxUnasked int64
	// Memory is shared by all readers of large messages. Nil means no bound.
	Memory *budget.Budget
	// OnRequest answers a request of the server, other than ping. Its context ends
	// when the server cancels the request, and with the connection. An error that is
	// a *jsonrpc.Error is sent unchanged, any other as an internal error. Each
	// request is answered on its own goroutine. If nil, all requests are refused.
	OnRequest func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	// OnNotification gets the other unrequested messages of the server, one after the
	// other. The context is that of the call that a message belongs to, if the link knows
	// it. If nil, they are ignored.
	OnNotification func(ctx context.Context, method string, params json.RawMessage)
	// OnSkipped gets the text that the server wrote between messages: banners, log
	// lines, JSON that is not JSON-RPC. The line is cut and only valid during the
	// call, which must not block. If nil, such text is ignored.
	OnSkipped func(line []byte)
	// OnDrop gets the number of dropped messages, and the reason. It must not block.
	// May be nil.
	OnDrop func(n Drops, why error)
	// Closed returns why the peer has ended, such as its exit status; nil or a nil
	// error means unknown. It is called once, when the connection is lost, and may
	// block for the moment that a dying process needs.
	Closed func() error
}

// Conn is a connection. Its methods are safe for concurrent use.
type Conn struct {
	opts   Options
	ids    requestIDs
	link   Link
	sdk    *sdkConn
	in     *inbox
	ctx    context.Context // ends with the connection; its cause says why
	cancel context.CancelCauseFunc
	pool   sync.Pool // of *pending

	received atomic.Int64 // bytes of a stream

	mu      sync.Mutex
	lastID  uint64
	calls   map[uint64]*pending // requests without an answer
	own     int                 // number of calls, without the SDK's
	idle    chan struct{}       // closed when own becomes 0; nil without a Drain
	skipped int
	first   string // the first skipped text
	last    []byte // the end of the skipped texts, with newlines
	late    uint64 // the refused probe whose answer may still arrive; 0 if there is none
	waiting int64  // bytes of progress that calls have not handled
	losing  bool   // Closed has been called, or is being called
}

// Link carries the messages of one connection. Its methods are safe for concurrent
// use.
type Link interface {
	// Open begins to deliver incoming messages to c, by [Conn.Receive] and
	// [Conn.Lose]. It does not wait.
	Open(c *Conn)
	// Call sends a request. The answer arrives by [Conn.Receive], possibly before
	// Call returns. The sequence number identifies the request in Drop; 0 means that
	// the request was not sent, and never will be. If there is no error, the answer,
	// [Conn.Refuse] or the end of the connection follows.
	Call(ctx context.Context, r *Request) (seq uint64, err error)
	// Drop takes a request back: sent is false if no byte of it has left, and
	// none will.
	Drop(seq uint64) (sent bool)
	// Cancel notifies the peer, in the background, that a request is cancelled of
	// which at least a part was sent.
	Cancel(id, seq uint64, reason string)
	// Send sends a notification of the SDK, or with the method "" the answer to a
	// request of the server.
	Send(ctx context.Context, method string, message []byte) error
	// Close ends the link and does not wait. With flush, the peer first gets the
	// queued messages and the cancellation of the open requests, if that makes a
	// difference and is possible soon.
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
	c := &Conn{opts: opts, ids: newIDs(), calls: map[uint64]*pending{}}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	c.pool.New = func() any { return &pending{answer: make(chan answer, 1)} }
	c.sdk = &sdkConn{c: c, answers: make(chan jsonrpc.Message, sdkAnswers), results: map[string]json.RawMessage{}}
	c.in = &inbox{c: c, room: budget.NewQueue(opts.MaxUnasked), open: map[string]context.CancelFunc{}}
	return c
}

// Transport returns the SDK's part of the connection, for one session. The end of
// that session closes the whole connection.
func (c *Conn) Transport() mcp.Transport { return c.sdk }

// Close ends the connection. Calls in progress fail with [ErrClosed]. It does not
// wait for the peer; queued messages are still sent if the peer reads.
func (c *Conn) Close() error {
	c.fail(ErrClosed)
	return nil
}

// Abort ends the connection because the peer is useless. Calls in progress fail with
// a [*LostError] that has the reason.
func (c *Conn) Abort(why error) { c.fail(&LostError{Err: why}) }

// Done is closed when the connection has ended, for any reason.
func (c *Conn) Done() <-chan struct{} { return c.ctx.Done() }

// Err returns nil before [Conn.Done], and afterwards why the connection ended:
// [ErrClosed] after Close, a [*LostError] if the peer went away, [ErrStalled] for
// a peer that does not read.
func (c *Conn) Err() error { return context.Cause(c.ctx) }

// Drain waits until no call is in progress, except calls of the SDK, or until the
// context ends.
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

// Received returns how many bytes have arrived on a stream. It shows whether the peer
// is silent. It is 0 for other links.
func (c *Conn) Received() int64 { return c.received.Load() }

// Skipped returns how many lines or messages were skipped because they are not
// JSON-RPC, and the first one, cut at 200 bytes.
func (c *Conn) Skipped() (n int, first string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.skipped, c.first
}

// SkippedSince returns how many lines or messages were skipped after the first before,
// and at most 200 bytes of them: their end.
func (c *Conn) SkippedSince(before int) (n int, end string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n = c.skipped - before
	lines := bytes.SplitAfter(c.last, []byte{'\n'})
	return n, string(bytes.Join(lines[max(0, len(lines)-1-n):], nil)) // the last part is empty
}

// Drops counts incoming messages that were dropped because of the limits of a
// connection.
type Drops struct {
	Oversized int // messages that were too large
	Unasked   int // notifications, requests and progress without room, and answers that the server did not read
}

// Dropped reports dropped messages, and the reason.
func (c *Conn) Dropped(n Drops, why error) {
	if c.opts.OnDrop != nil {
		c.opts.OnDrop(n, why)
	}
}

// maxQuote is how much of a skipped line is kept.
const maxQuote = 200

// Skip counts an incoming text that is not a message.
func (c *Conn) Skip(line []byte) {
	line = line[:min(len(line), maxQuote)]
	c.mu.Lock()
	if c.skipped++; c.skipped == 1 {
		c.first = string(line)
	}
	c.last = append(append(c.last, line...), '\n')
	c.last = c.last[:copy(c.last, c.last[max(0, len(c.last)-maxQuote-1):])]
	c.mu.Unlock()
	if c.opts.OnSkipped != nil {
		c.opts.OnSkipped(line)
	}
}

// fail ends the connection; only the first reason is kept.
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
		if p.sdk == "" { // the end of a handshake needs no cancellation
			open = append(open, id)
		}
	}
	c.link.Close(errors.Is(err, ErrClosed), open)
	for _, p := range calls {
		p.answer <- answer{err: err, lost: true}
	}
}

// Lose ends the connection because the peer has ended or cannot be written to, and
// finds the reason.
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
