// Subscriptions to resources: a subscribed caller is notified when the server reports
// a change.

package gateway

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// maxFollows is how many resources one session may subscribe to.
const maxFollows = 1000

// subscriptions passes the changes of resources on to the sessions that follow them.
type subscriptions struct {
	g       *Gateway
	updated sync.Map // URI → true: a notification of its change is about to be sent
}

// begin follows a resource, through the host's middleware. It returns when the
// server has accepted the subscription or, since 2026-07-28, when the request is on
// its way.
func (s *subscriptions) begin(ctx context.Context, req *mcp.SubscribeRequest) error {
	server, uri, ok := s.g.uris.unwrap(req.Params.URI)
	if !ok {
		return mcp.ResourceNotFoundError(req.Params.URI)
	}
	p, wanted, follower := s.g.peers.of(req.Session), req.Params.URI, callerOf(ctx)
	updates := follower.following(wanted)
	req.Params.URI = updates // for the SDK, which stores it after this returns
	following, stop := context.WithCancel(context.WithoutCancel(ctx))
	if _, known := p.follows.LoadOrStore(wanted, &stop); known {
		stop()
		return nil // the session follows it already
	}
	if p.count.Add(1) > maxFollows {
		p.count.Add(-1)
		p.unfollow(wanted)
		return invalid(fmt.Sprintf("this session is at the limit of %d resource subscriptions: end some subscriptions", maxFollows))
	}
	context.AfterFunc(p.life, stop)
	begun, ended := make(chan struct{}), make(chan error, 1)
	r := runtime.Request{Server: server, Method: protocol.MethodSubscribe, Name: uri}
	f := newFlight(ctx, s.g, req.Session, req, server)
	s.g.opts.Input.separateSession(f)
	f.set(&r.Options)
	begin := sync.OnceFunc(func() { close(begun) })
	r.Options.OnUpdated = func() {
		select {
		case <-begun:
			if follower.sees(s.g.view, server, protocol.MethodReadResource, uri) { // still, after a reload
				s.notify(updates)
			}
		default:
			begin() // the first call reports the beginning
		}
	}
	s.g.going.Go(func() {
		_, err := r.Do(following, s.g.host)
		ended <- err
		if following.Err() == nil && err != nil {
			s.g.log.Warn("gateway: the subscription to a resource ended: "+printable(err.Error()), "server", server)
		}
		p.follows.CompareAndDelete(wanted, &stop) // the session may have subscribed again
		p.count.Add(-1)
	})
	select {
	case <-begun:
		return nil
	case err := <-ended:
		_, err = s.g.failures.answer(protocol.MethodSubscribe, err, isOfProgram(ctx))
		return err
	case <-ctx.Done():
		p.unfollow(wanted)
		return ctx.Err()
	}
}

// following returns the URI that the SDK sees for a caller's subscription. The SDK
// notifies all sessions that follow the same URI, and the updates of one caller or profile
// must not reach another.
func (c requester) following(uri string) string {
	return url.PathEscape(c.name) + "/" + url.PathEscape(c.profile) + " " + uri
}

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

// notify notifies the sessions of one caller that follow a resource. Each
// session follows it separately and gets the same change at about the same time,
// while the SDK notifies all of them at once. So one notification is sent for all.
func (s *subscriptions) notify(uri string) {
	if _, waits := s.updated.LoadOrStore(uri, true); waits {
		return
	}
	time.AfterFunc(updatedDelay, func() {
		s.updated.Delete(uri) // a later change is notified again
		_ = s.g.server.ResourceUpdated(s.g.life, &mcp.ResourceUpdatedNotificationParams{URI: uri})
	})
}

// end ends a subscription.
func (s *subscriptions) end(ctx context.Context, req *mcp.UnsubscribeRequest) error {
	s.g.peers.of(req.Session).unfollow(req.Params.URI)
	req.Params.URI = callerOf(ctx).following(req.Params.URI)
	return nil
}

// unfollow ends the subscription to a resource, in the caller's spelling.
func (p *peer) unfollow(uri string) {
	if stop, ok := p.follows.LoadAndDelete(uri); ok {
		(*stop.(*context.CancelFunc))()
	}
}
