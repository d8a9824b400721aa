// Following resources: a caller that subscribes to one is told when its server says that
// it is another.

package gateway

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
)

// subscriptions are what callers follow.
type subscriptions struct {
	mu  sync.Mutex
	all map[subscription]context.CancelFunc
}

// subscription is one resource that one session follows.
type subscription struct {
	session *mcp.ServerSession
	uri     string // as the caller spells it
}

// subscribe begins to follow a resource, through the host's middleware, and returns when
// the server has taken it.
func (g *Gateway) subscribe(ctx context.Context, req *mcp.SubscribeRequest) error {
	server, uri, ok := g.unwrapURI(req.Params.URI)
	if !ok {
		return mcp.ResourceNotFoundError(req.Params.URI)
	}
	key := subscription{req.Session, req.Params.URI}
	following, stop := context.WithCancel(context.WithoutCancel(ctx))
	if !g.follows.put(key, stop) {
		stop()
		return nil // the session follows it already
	}
	context.AfterFunc(g.life, stop)
	begun, ended := make(chan struct{}), make(chan error, 1)
	r := runtime.Request{Server: server, Method: runtime.MethodSubscribe, Name: uri}
	r.Options.Caller = userOf(auth.TokenInfoFromContext(ctx))
	if req.Extra != nil && req.Extra.TokenInfo != nil {
		r.Options.Caller = userOf(req.Extra.TokenInfo)
	}
	begin := sync.OnceFunc(func() { close(begun) })
	r.Options.OnUpdated = func() {
		select {
		case <-begun:
			_ = g.server.ResourceUpdated(following, &mcp.ResourceUpdatedNotificationParams{URI: req.Params.URI}) // to those who follow it
		default:
			begin() // the first call is the beginning
		}
	}
	g.following.Go(func() {
		_, err := r.Do(following, g.host)
		ended <- err
		if following.Err() == nil && err != nil {
			g.opts.Logger.Warn("gateway: a resource is not followed any more: "+printable(err.Error()), "server", server)
		}
		g.follows.take(key)
	})
	go func() { // the SDK says nothing of sessions that end without unsubscribing
		_ = req.Session.Wait()
		g.follows.end(key)
	}()
	select {
	case <-begun:
		return nil
	case err := <-ended:
		_, err = failed(runtime.MethodSubscribe, err)
		return err
	case <-ctx.Done():
		g.follows.end(key)
		return ctx.Err()
	}
}

// unsubscribe ends that.
func (g *Gateway) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	g.follows.end(subscription{req.Session, req.Params.URI})
	return nil
}

// put notes a subscription; false if it is there.
func (s *subscriptions) put(key subscription, stop context.CancelFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[key] != nil {
		return false
	}
	if s.all == nil {
		s.all = map[subscription]context.CancelFunc{}
	}
	s.all[key] = stop
	return true
}

// take forgets a subscription, and returns what ends it; nil if there is none.
func (s *subscriptions) take(key subscription) context.CancelFunc {
	s.mu.Lock()
	defer s.mu.Unlock()
	stop := s.all[key]
	delete(s.all, key)
	return stop
}

func (s *subscriptions) end(key subscription) {
	if stop := s.take(key); stop != nil {
		stop()
	}
}
