// One live session, whatever carries it.

package attach

import (
	"context"
	"encoding/json"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// The protocol revisions that decide something here.
const (
	legacy = "2025-11-25" // the last one that begins with initialize
	modern = "2026-07-28" // the first one without a handshake
)

// transport sends requests over one live connection.
type transport interface {
	// Call is that of [wire.Conn].
	Call(ctx context.Context, method string, params json.RawMessage, o wire.CallOptions) (json.RawMessage, error)
	// done is closed when the connection has ended.
	done() <-chan struct{}
	// cause says why, after done.
	cause() error
	// Drain waits until no call is under way, or for the context's end: a server that
	// has forgotten a session still answers each of its calls, with a result or by
	// saying that it was not carried out.
	Drain(ctx context.Context)
	// Skipped is that of [wire.Conn].
	Skipped() (n int, first string)
	// close ends the connection: calls in flight fail, and when it returns
	// nothing that belongs to the session is left.
	close(ctx context.Context)
}

// session is a live session with a server that has answered the handshake.
type session struct {
	transport
	*opener       // that opened it
	transportKind endpoint.Transport
	protocol      string
	pid           int
	handshake     handshakeResult
	meta          []member                  // that every request carries since 2026-07-28
	tools         atomic.Pointer[toolIndex] // the listing that counts
	pins          pinListings
	closing       atomic.Bool   // by this side
	listing       chan struct{} // holds one while the tools are listed afresh
	asked         intervals     // between the listings of tools that calls ask for
	silence       silence       // of a process
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

// requestMeta returns what every request says of this client.
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
