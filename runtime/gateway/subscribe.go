// Subscriptions to resources: a subscribed caller is notified when the server reports
// a change.

package gateway

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// maxFollows is how many resources one session may subscribe to.
const maxFollows = 1000

// subscription is one resource that one session follows.
type subscription struct {
	session *mcp.ServerSession
	uri     string // in the caller's spelling
}

// subscribe follows a resource, through the host's middleware. It returns when the
// server has accepted the subscription or, since 2026-07-28, when the request is on
// its way.
func (g *Gateway) subscribe(ctx context.Context, req *mcp.SubscribeRequest) error {
	server, uri, ok := g.unwrapURI(req.Params.URI)
	if !ok {
		return mcp.ResourceNotFoundError(req.Params.URI)
	}
	key, follower := subscription{req.Session, req.Params.URI}, callerOf(ctx, req.Extra)
	updates := ofCaller(follower.name, req.Params.URI)
	req.Params.URI = updates // for the SDK, which stores it after this returns
	following, stop := context.WithCancel(context.WithoutCancel(ctx))
	if _, known := g.follows.LoadOrStore(key, &stop); known {
		stop()
		return nil // the session follows it already
	}
	follows := &g.forgetAfter(req.Session).follows
	if follows.Add(1) > maxFollows {
		follows.Add(-1)
		g.unfollow(key)
		return invalid(fmt.Sprintf("this session is at the limit of %d resource subscriptions: end some subscriptions", maxFollows))
	}
	context.AfterFunc(g.life, stop)
	begun, ended := make(chan struct{}), make(chan error, 1)
	r := runtime.Request{Server: server, Method: protocol.MethodSubscribe, Name: uri}
	f := g.newFlight(req.Session, req, server)
	g.opts.Input.separateSession(f)
	f.set(&r.Options)
	begin := sync.OnceFunc(func() { close(begun) })
	r.Options.OnUpdated = func() {
		select {
		case <-begun:
			if g.shows(follower, server, protocol.MethodReadResource, uri) { // still, after a reload
				g.notifyUpdated(updates)
			}
		default:
			begin() // the first call reports the beginning
		}
	}
	g.following.Go(func() {
		_, err := r.Do(following, g.host)
		ended <- err
		if following.Err() == nil && err != nil {
			g.opts.Logger.Warn("gateway: the subscription to a resource ended: "+printable(err.Error()), "server", server)
		}
		g.follows.CompareAndDelete(key, &stop) // the session may have subscribed again
		follows.Add(-1)
	})
	select {
	case <-begun:
		return nil
	case err := <-ended:
		_, err = g.failed(protocol.MethodSubscribe, err, isOfProgram(req.Extra))
		return err
	case <-ctx.Done():
		g.unfollow(key)
		return ctx.Err()
	}
}

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

// callerOf returns the caller of a request.
func callerOf(ctx context.Context, extra *mcp.RequestExtra) requester {
	if extra == nil {
		extra = &mcp.RequestExtra{}
	}
	return requesterOf(cmp.Or(extra.TokenInfo, auth.TokenInfoFromContext(ctx)), extra.Header)
}

// requesterOf returns the caller with a token, which may be nil.
func requesterOf(info *auth.TokenInfo, header http.Header) requester {
	return requester{userOf(info), claimsIn(info), strings.Join(header[profileKey], "")}
}

// ofCaller returns the URI that the SDK sees for a caller's subscription. The SDK
// notifies all sessions that follow the same URI, and the updates of one caller must
// not reach another.
func ofCaller(caller, uri string) string { return url.PathEscape(caller) + " " + uri }

// sendUpdated is sending middleware: it notifies callers by the URI that they follow.
func sendUpdated(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		session, _ := req.GetSession().(*mcp.ServerSession)
		if p, ok := req.GetParams().(*mcp.ResourceUpdatedNotificationParams); ok {
			own := *p // several sessions share it
			_, own.URI, _ = strings.Cut(p.URI, " ")
			req = &mcp.ServerRequest[*mcp.ResourceUpdatedNotificationParams]{Session: session, Params: &own}
		}
		return next(ctx, method, req)
	}
}

// updatedDelay is how long changes of one resource are collected into one
// notification.
const updatedDelay = 20 * time.Millisecond

// notifyUpdated notifies the sessions of one caller that follow a resource. Each
// session follows it separately and gets the same change at about the same time,
// while the SDK notifies all of them at once. So one notification is sent for all.
func (g *Gateway) notifyUpdated(uri string) {
	if _, waits := g.updated.LoadOrStore(uri, true); waits {
		return
	}
	time.AfterFunc(updatedDelay, func() {
		g.updated.Delete(uri) // a later change is notified again
		_ = g.server.ResourceUpdated(g.life, &mcp.ResourceUpdatedNotificationParams{URI: uri})
	})
}

// peer is a known session of a caller.
type peer struct {
	session *mcp.ServerSession
	id      string          // a random name: not every session of the SDK has an ID
	life    context.Context // of the session's calls
	end     context.CancelFunc
	follows atomic.Int64 // how many resources it follows

	mu    sync.Mutex
	begun bool              // it has sent notifications/initialized
	later map[string]func() // sends the notifications that wait for it, by method
}

// sendBegun is sending middleware: a session gets no notifications of changed listings
// before it has begun (specification, basic/lifecycle). Changes before initialize are
// dropped, since no listing was read; later ones wait.
func (g *Gateway) sendBegun(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		session, _ := req.GetSession().(*mcp.ServerSession)
		if session == nil || !strings.HasSuffix(method, "/list_changed") {
			return next(ctx, method, req)
		}
		known := session.InitializeParams()
		if known == nil {
			return nil, nil
		}
		if known.ProtocolVersion < modern && g.forgetAfter(session).wait(method, func() { _, _ = next(g.life, method, req) }) {
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

// hasBegun reports whether the session has begun.
func (p *peer) hasBegun() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.begun
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

// forgetAfter returns what is known of a session, and forgets it when the session has
// ended, since the SDK does not report its end.
func (g *Gateway) forgetAfter(session *mcp.ServerSession) *peer {
	if p, known := g.sessions.Load(session); known {
		return p.(*peer)
	}
	p := &peer{session: session, id: newID()}
	p.life, p.end = context.WithCancel(g.life)
	if other, known := g.sessions.LoadOrStore(session, p); known {
		p.end()
		return other.(*peer)
	}
	go func() {
		_ = session.Wait() // however it ends
		p.end()
		g.sessions.Delete(session) // a later record is forgotten by another goroutine
		g.levels.Delete(session)
		g.askLevel(g.life)
		g.opts.Input.forget(p.id, session)
		g.host.EndSession(p.id)
		g.follows.Range(func(key, _ any) bool {
			if key := key.(subscription); key.session == session {
				g.unfollow(key)
			}
			return true
		})
	}()
	return p
}

// peerOf returns the session with an ID; nil if there is none.
func (g *Gateway) peerOf(id string) *peer {
	for s := range g.server.Sessions() {
		if id != "" && s.ID() == id {
			return g.forgetAfter(s)
		}
	}
	return nil
}

// unsubscribe ends a subscription.
func (g *Gateway) unsubscribe(ctx context.Context, req *mcp.UnsubscribeRequest) error {
	g.unfollow(subscription{req.Session, req.Params.URI})
	req.Params.URI = ofCaller(callerOf(ctx, req.Extra).name, req.Params.URI)
	return nil
}

func (g *Gateway) unfollow(key subscription) {
	if stop, ok := g.follows.LoadAndDelete(key); ok {
		(*stop.(*context.CancelFunc))()
	}
}
