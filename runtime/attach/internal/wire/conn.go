// Package wire is one raw JSON-RPC connection that two sides share: the MCP
// SDK's session, and requests of our own that must be quick and keep every byte
// of the answer.
//
// Own requests carry string ids with a prefix that the SDK never uses. One
// reader routes by id: answers to own requests, and progress for them, never
// reach the SDK; everything else does.
package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// DefaultMaxMessage is the size bound of one message where Options names none.
const DefaultMaxMessage = 16 << 20

// Options are the settings of a connection. The zero value is usable.
type Options struct {
	// MaxMessage bounds one incoming message in bytes; a larger one ends the
	// connection with [*SizeError]. Zero is DefaultMaxMessage.
	MaxMessage int64
	// OnSkipped receives what the server wrote between messages: banners, log
	// lines, JSON that is no JSON-RPC. The line is cut and only valid during
	// the call, which must not block. Nil ignores it.
	OnSkipped func(line []byte)
	// Closed says why the peer is gone, such as its exit status; nil or a nil
	// error means unknown. It is called once, when the connection is lost, and
	// may block for the moment that a dying process needs.
	Closed func() error
}

// Conn is a connection. Its methods are safe for concurrent use.
type Conn struct{}

// NewStream returns a connection over newline-delimited JSON, as on stdio. It
// reads r to its end, also after Close, so that a server that is being shut
// down does not hang on its output. Close closes w, which must end a blocked
// Write.
func NewStream(r io.Reader, w io.WriteCloser, opts Options) *Conn { return &Conn{} }

// NewMessages returns a connection over one that already speaks in decoded
// messages. It takes over inner, which is closed with it. MaxMessage is not
// enforced: inner's bound counts.
func NewMessages(inner mcp.Connection, opts Options) *Conn { return &Conn{} }

// Transport returns the SDK's side of the connection. It connects once; the
// session that uses it closes the whole connection with itself.
func (c *Conn) Transport() mcp.Transport { return nil }

// CallOptions are the settings of one call. The zero value is usable.
type CallOptions struct {
	// OnProgress receives the params of each progress notification of this
	// call, in order, on the goroutine of the call and before it returns. Nil
	// asks for none. If notifications arrive faster than they are handled, the
	// oldest are dropped.
	OnProgress func(params json.RawMessage)
}

// Call sends a request and waits for its answer. It returns the bytes of the
// result as they were sent. Params must be a JSON object, or nil for none.
//
// An error of the server is a *runtime.RPCError. All other errors are of type
// [*Error] and tell whether the request may have reached the server. When ctx
// ends first, Call returns at once and the server is told in the background.
func (c *Conn) Call(ctx context.Context, method string, params json.RawMessage, o CallOptions) (json.RawMessage, error) {
	return nil, &Error{Err: errors.ErrUnsupported}
}

// Close ends the connection. Calls in flight fail with [ErrClosed]. It does not
// wait for the peer.
func (c *Conn) Close() error { return nil }

// Done is closed when the connection has ended, for whatever reason.
func (c *Conn) Done() <-chan struct{} { return nil }

// Err returns nil before [Conn.Done], and afterwards why the connection ended:
// [ErrClosed] after Close, a [*LostError] if the peer went away, a [*SizeError]
// for a message that was too large, [ErrStalled] for a peer that does not read.
func (c *Conn) Err() error { return nil }

// Skipped returns how many lines or messages were skipped because they are not
// JSON-RPC, and the first one, cut at 200 bytes.
func (c *Conn) Skipped() (n int, first string) { return 0, "" }
