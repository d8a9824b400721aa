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

// subscription is one resource that one session follows.
type subscription struct {
	session *mcp.ServerSession
	uri     string // as the caller spells it
}

// subscribe begins to follow a resource, through the host's middleware. It returns when
// the server has taken it or, since 2026-07-28, when it is on its way to the server.
func (g *Gateway) subscribe(ctx context.Context, req *mcp.SubscribeRequest) error {
	server, uri, ok := g.unwrapURI(req.Params.URI)
	if !ok {
		return mcp.ResourceNotFoundError(req.Params.URI)
	}
	key := subscription{req.Session, req.Params.URI}
	following, stop := context.WithCancel(context.WithoutCancel(ctx))
	if _, known := g.follows.LoadOrStore(key, &stop); known {
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
		g.follows.CompareAndDelete(key, &stop) // the session may follow it once more by now
	})
	go func() { // the SDK says nothing of sessions that end without unsubscribing
		_ = req.Session.Wait()
		g.unfollow(key)
	}()
	select {
	case <-begun:
		return nil
	case err := <-ended:
		_, err = failed(runtime.MethodSubscribe, err)
		return err
	case <-ctx.Done():
		g.unfollow(key)
		return ctx.Err()
	}
}

// unsubscribe ends that.
func (g *Gateway) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	g.unfollow(subscription{req.Session, req.Params.URI})
	return nil
}

func (g *Gateway) unfollow(key subscription) {
	if stop, ok := g.follows.LoadAndDelete(key); ok {
		(*stop.(*context.CancelFunc))()
	}
}
