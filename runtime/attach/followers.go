// Subscriptions to resources over one session: the server notifies of a change, and
// the follower reads the resource again. Before 2026-07-28 the session subscribes to
// a resource; since then a separate request lasts as long as the subscription.

package attach

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

const (
	methodListen      = "subscriptions/listen"
	methodUnsubscribe = "resources/unsubscribe"
)

// unsubscribeTime is how long a server may take to answer an unsubscribe request.
const unsubscribeTime = 5 * time.Second

// errListenEnded reports that the server ended a subscription.
var errListenEnded = errors.New("the server ended the subscription")

// followers holds the subscriptions of one session.
type followers struct {
	mu   sync.Mutex
	by   map[*following]bool
	turn chan struct{} // holds one: subscribe and unsubscribe requests are sent one at a time
}

// following is one subscription.
type following struct {
	uri  string
	news chan struct{} // wakes its reader; holds one
}

func newFollowers() *followers {
	return &followers{by: map[*following]bool{}, turn: make(chan struct{}, 1)}
}

// add adds a subscription, remove removes it. Both return the resulting number for
// its URI.
func (f *followers) add(one *following) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.by[one] = true
	return f.countLocked(one.uri)
}

func (f *followers) remove(one *following) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.by, one)
	return f.countLocked(one.uri)
}

func (f *followers) countLocked(uri string) int {
	n := 0
	for one := range f.by {
		if one.uri == uri {
			n++
		}
	}
	return n
}

// tell wakes the followers of a resource after a change of the resource or of a part;
// "" wakes all followers.
func (f *followers) tell(uri string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for one := range f.by {
		if uri == "" || strings.HasPrefix(uri, one.uri) {
			wire.Wake(one.news)
		}
	}
}

// follow subscribes to a resource: updated is called at the beginning and whenever
// the resource may have changed, until ctx or the session ends. The error is why the
// subscription ended; nil means that the session ended.
func (f *followers) follow(ctx context.Context, s *session, uri string, updated func()) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	one := &following{uri: uri, news: make(chan struct{}, 1)}
	one.news <- struct{}{} // it may have changed before the subscription
	ended := make(chan error, 1)
	if s.isModern() {
		f.add(one)
		defer f.remove(one)
		go func() { ended <- listen(ctx, s, uri) }()
	} else {
		if err := f.subscribe(ctx, s, one); err != nil {
			return err
		}
		defer f.unsubscribe(s, one)
	}
	for {
		select {
		case <-one.news:
			updated()
		case err := <-ended:
			return err
		case <-s.done():
			return nil
		case <-ctx.Done():
			if s.isModern() {
				<-ended // the stream is gone when this returns
			}
			return ctx.Err()
		}
	}
}

// listen subscribes to a resource by a request that lasts as long as the
// subscription.
func listen(ctx context.Context, s *session, uri string) error {
	what := append(jsontext.AppendString([]byte(`{"resourceSubscriptions":[`), uri), "]}"...)
	err := s.ask(ctx, methodListen, "notifications", what)
	if err == nil {
		err = errListenEnded
	}
	return err
}

// subscribe sends a subscribe request, unless the resource already has one.
func (f *followers) subscribe(ctx context.Context, s *session, one *following) error {
	select {
	case f.turn <- struct{}{}:
		defer func() { <-f.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if f.add(one) > 1 {
		return nil
	}
	err := s.ask(ctx, protocol.MethodSubscribe, "uri", quoted(one.uri))
	if err != nil {
		f.remove(one)
	}
	return err
}

// unsubscribe ends a subscription on the server, unless another follower has the
// resource.
func (f *followers) unsubscribe(s *session, one *following) {
	ctx, cancel := context.WithTimeout(context.Background(), unsubscribeTime)
	defer cancel()
	select {
	case f.turn <- struct{}{}:
		defer func() { <-f.turn }()
	case <-ctx.Done():
	}
	if f.remove(one) > 0 || s.closing.Load() {
		return
	}
	select {
	case <-s.done():
	default:
		_ = s.ask(ctx, methodUnsubscribe, "uri", quoted(one.uri)) // if it fails, updates are ignored
	}
}
