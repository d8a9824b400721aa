// Callers: who they are, their sessions, and the logs that these want.

package gateway

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
)

// requester is who sends a request, and the profile that the request is for.
type requester struct {
	name    string // "" without a token
	claims  []string
	profile string // "" is the gateway's own
}

// set sets the caller of a call.
func (c requester) set(o *runtime.Options) {
	o.Caller, o.Claims, o.Profile = c.name, c.claims, c.profile
}

type extraKey struct{} // key of a context: *mcp.RequestExtra

// extraOf returns who sent a request, and how. [Gateway.receive] stores it in the context, since
// the requests that the SDK itself makes for a request, such as those of subscriptions/listen,
// lack it. It panics if there is none: such a request must not count as one of local.
func extraOf(ctx context.Context) *mcp.RequestExtra {
	return ctx.Value(extraKey{}).(*mcp.RequestExtra)
}

// callerOf returns the caller of a request.
func callerOf(ctx context.Context) requester {
	extra := extraOf(ctx)
	return requesterOf(extra.TokenInfo, extra.Header)
}

// requesterOf returns the caller with a token, which may be nil.
func requesterOf(info *auth.TokenInfo, header http.Header) requester {
	return requester{userOf(info), factsOf(info).claims, strings.Join(header[profileKey], "")}
}

// request returns a request of the caller, for checks.
func (c requester) request(server, method, name string) runtime.Request {
	r := runtime.Request{Server: server, Method: method, Name: name}
	c.set(&r.Options)
	return r
}

// sees reports whether a caller is shown the subject of a request.
func (c requester) sees(v *agent.View, server, method, name string) bool {
	return v.Shows(c.request(server, method, name))
}

// peer is a known session of a caller.
type peer struct {
	session *mcp.ServerSession
	id      string          // a random name: not every session of the SDK has an ID
	life    context.Context // of the session's calls
	end     context.CancelFunc
	follows sync.Map     // URI in the caller's spelling → *context.CancelFunc: resources that it follows
	count   atomic.Int64 // how many

	mu    sync.Mutex
	begun bool              // it has sent notifications/initialized
	level string            // the lowest level of server logs that it wants; "" if it has set none
	later map[string]func() // sends the notifications that wait for it, by method
}

// peers are the known sessions of callers.
type peers struct {
	*common
	known sync.Map    // *mcp.ServerSession → *peer
	ended func(*peer) // forgets what else is known of a session

	asking sync.Mutex
	asked  string // the level of logs that servers were asked for
}

// sendBegun is sending middleware: a session gets no notifications of changed listings
// before it has begun (specification, basic/lifecycle). Changes before initialize are
// dropped, since no listing was read; later ones wait.
func (p *peers) sendBegun(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		session, _ := req.GetSession().(*mcp.ServerSession)
		if session == nil || !strings.HasSuffix(method, "/list_changed") {
			return next(ctx, method, req)
		}
		known := session.InitializeParams()
		if known == nil {
			return nil, nil
		}
		if known.ProtocolVersion < modern && p.of(session).wait(method, func() { _, _ = next(p.life, method, req) }) {
			return nil, nil
		}
		return next(ctx, method, req)
	}
}

// wait keeps a notification until the session has begun, and reports whether it did.
func (p *peer) wait(method string, send func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.begun && p.later == nil {
		p.later = map[string]func(){}
	}
	if !p.begun {
		p.later[method] = send
	}
	return !p.begun
}

// wants returns the lowest level of server logs that the session wants, and whether it has
// begun.
func (p *peer) wants() (level string, begun bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.level, p.begun
}

// want sets the lowest level of server logs that the session wants.
func (p *peer) want(level string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.level = level
}

// begin sends the notifications that waited for the session.
func (p *peer) begin() {
	p.mu.Lock()
	later := p.later
	p.begun, p.later = true, nil
	p.mu.Unlock()
	for _, method := range slices.Sorted(maps.Keys(later)) {
		later[method]()
	}
}

// of returns what is known of a session, and forgets it when the session has
// ended, since the SDK does not report its end.
func (p *peers) of(session *mcp.ServerSession) *peer {
	if known, ok := p.known.Load(session); ok {
		return known.(*peer)
	}
	fresh := &peer{session: session, id: newID()}
	fresh.life, fresh.end = context.WithCancel(p.life)
	if other, known := p.known.LoadOrStore(session, fresh); known {
		fresh.end()
		return other.(*peer)
	}
	go func() {
		_ = session.Wait() // however it ends
		fresh.end()
		p.known.Delete(session) // a later record is forgotten by another goroutine
		p.ended(fresh)
	}()
	return fresh
}

// level returns the level of server logs that a session has set; "" if none.
func (p *peers) level(session *mcp.ServerSession) (level string) {
	if known, ok := p.known.Load(session); ok {
		level, _ = known.(*peer).wants()
	}
	return level
}

// withID returns the session with an ID; nil if there is none.
func (p *peers) withID(id string) *peer {
	for s := range p.server.Sessions() {
		if id != "" && s.ID() == id {
			return p.of(s)
		}
	}
	return nil
}

// levels lists the levels of log messages, the least severe first.
var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// askLogs asks servers for the lowest level of all sessions, once one has set a level. Sessions
// without one get everything: what servers send by themselves cannot be asked for.
func (p *peers) askLogs(ctx context.Context) {
	p.asking.Lock()
	defer p.asking.Unlock()
	lowest, set := len(levels)-1, false
	for _, known := range p.known.Range {
		level, begun := known.(*peer).wants()
		switch {
		case level != "":
			set, lowest = true, min(lowest, slices.Index(levels, level))
		case begun:
			lowest = 0
		}
	}
	if set && p.asked != levels[lowest] {
		p.asked = levels[lowest]
		p.host.SetLogLevel(ctx, p.asked)
	}
}
