// One live session, over any transport.

package attach

import (
	"context"
	"encoding/json"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// The protocol revisions that matter here.
const (
	legacy = "2025-11-25" // the last one that begins with initialize
	modern = "2026-07-28" // the first one without a handshake
)

// transport sends requests over one live connection.
type transport interface {
	// Call sends a request, as [wire.Conn.Call] does.
	Call(ctx context.Context, method string, params json.RawMessage, o wire.CallOptions) (json.RawMessage, error)
	// Notify sends a notification without parameters.
	Notify(ctx context.Context, method string) error
	// done is closed when the connection has ended.
	done() <-chan struct{}
	// cause returns why the connection ended, after done.
	cause() error
	// Drain waits until no call is in progress, or until the context ends: a server
	// that has forgotten a session still answers each of its calls, with a result or
	// with the report that the call was not carried out.
	Drain(ctx context.Context)
	// Skipped counts what was skipped, as [wire.Conn.Skipped] does.
	Skipped() (n int, first string)
	// SkippedSince returns what was skipped later, as [wire.Conn.SkippedSince] does.
	SkippedSince(before int) (n int, end string)
	// close ends the connection: calls in progress fail, and when it returns the
	// session has released all its resources.
	close(ctx context.Context)
}

// wired is a transport over a connection with any link.
type wired struct {
	*wire.Conn
	sdk  *mcp.ClientSession
	gone <-chan struct{}       // closed when the session is lost
	why  func() error          // returns why, after gone
	mark func()                // called before the connection is closed; may be nil
	end  func(context.Context) // ends what lies below the connection
}

func (w *wired) done() <-chan struct{} { return w.gone }
func (w *wired) cause() error          { return w.why() }

// close ends the connection first, so that calls fail at once and the SDK waits for
// nothing.
func (w *wired) close(ctx context.Context) {
	if w.mark != nil {
		w.mark()
	}
	_ = w.Close()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = w.sdk.Close()
	}()
	w.end(ctx)
	select {
	case <-closed:
	case <-ctx.Done():
	}
}

// session is a live session with a server that has answered the handshake.
type session struct {
	transport
	*opener       // which opened it
	transportKind endpoint.Transport
	protocol      string
	pid           int
	handshake     handshakeResult
	meta          []member                  // sent with every request since 2026-07-28
	tools         atomic.Pointer[toolIndex] // the current listing
	closing       atomic.Bool               // the client is closing the session
	listing       chan struct{}             // holds one while the tools are being listed
	asked         intervals                 // between the listings that calls request
	silence       *silence                  // of a process; nil for other servers
}

// sendsHeaders reports whether calls carry arguments in headers as well.
func (s *session) sendsHeaders() bool { return s.transportKind == endpoint.HTTP && s.isModern() }

// isModern reports whether the session speaks 2026-07-28 or later.
func (s *session) isModern() bool { return s.protocol >= modern }

// end closes the session.
func (s *session) end(ctx context.Context) {
	s.closing.Store(true)
	s.close(ctx)
}

// discard ends a session that is not used.
func (s *session) discard() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	s.end(ctx)
}

// requestMeta returns the description of this client that every request carries.
func requestMeta(protocol, version string, offers json.RawMessage) []member {
	if protocol < modern {
		return nil
	}
	info, _ := json.Marshal(&mcp.Implementation{Name: clientName, Version: version})
	return []member{
		{mcp.MetaKeyProtocolVersion, quoted(protocol)},
		{mcp.MetaKeyClientInfo, info},
		{mcp.MetaKeyClientCapabilities, offers},
	}
}
