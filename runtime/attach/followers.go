// Following resources that change over one session: the server says when one is another, and
// whoever follows it reads it again. Before 2026-07-28 a session subscribes to it; since
// then a request of its own listens, for as long as it lasts.

package attach

import (
	"context"
	"encoding/json"
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

// unsubscribeTime is how long a server may take to hear that nobody follows a resource.
const unsubscribeTime = 5 * time.Second

// errListenEnded is a server that ended what should last.
var errListenEnded = errors.New("the server ended the subscription")

// followers are those who follow resources over one session.
type followers struct {
	mu   sync.Mutex
	by   map[*following]bool
	turn chan struct{} // holds one: who subscribes or unsubscribes, one after the other
}

// following is one of them.
type following struct {
	uri  string
	news chan struct{} // holds one
}

// updateSession is what followers know of a session.
type updateSession struct {
	isModern bool            // it speaks 2026-07-28 or later
	done     <-chan struct{} // closed when it has ended
	closing  func() bool     // this side ends it
	// send makes a request with one parameter, and waits for its end.
	send func(ctx context.Context, method, param string, value json.RawMessage) error
}

func newFollowers() *followers {
	return &followers{by: map[*following]bool{}, turn: make(chan struct{}, 1)}
}

// add adds one, and remove takes it away; both say how many follow the resource then.
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

// tell is called when the server says that a resource, or a part of it, is another; "" is
// any.
func (f *followers) tell(uri string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for one := range f.by {
		if uri == "" || strings.HasPrefix(uri, one.uri) {
			wire.Wake(one.news)
		}
	}
}

// follow follows a resource: updated is called at the beginning and whenever the resource
// may be another, until ctx or the session ends. The error says why it ended; nil is the end
// of the session.
func (f *followers) follow(ctx context.Context, s updateSession, uri string, updated func()) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	one := &following{uri: uri, news: make(chan struct{}, 1)}
	one.news <- struct{}{} // it may have changed before; from add on it may be told at any time
	ended := make(chan error, 1)
	if s.isModern {
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
		case <-s.done:
			return nil
		case <-ctx.Done():
			if s.isModern {
				<-ended // the stream is gone when this returns
			}
			return ctx.Err()
		}
	}
}

// listen asks for the updates of a resource, by a request that lasts.
func listen(ctx context.Context, s updateSession, uri string) error {
	what := append(jsontext.AppendString([]byte(`{"resourceSubscriptions":[`), uri), "]}"...)
	err := s.send(ctx, methodListen, "notifications", what)
	if err == nil {
		err = errListenEnded
	}
	return err
}

// subscribe begins to follow a resource, unless others do already.
func (f *followers) subscribe(ctx context.Context, s updateSession, one *following) error {
	select {
	case f.turn <- struct{}{}:
		defer func() { <-f.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if f.add(one) > 1 {
		return nil
	}
	err := s.send(ctx, protocol.MethodSubscribe, "uri", quoted(one.uri))
	if err != nil {
		f.remove(one)
	}
	return err
}

// unsubscribe ends that, if nobody else follows the resource.
func (f *followers) unsubscribe(s updateSession, one *following) {
	ctx, cancel := context.WithTimeout(context.Background(), unsubscribeTime)
	defer cancel()
	select {
	case f.turn <- struct{}{}:
		defer func() { <-f.turn }()
	case <-ctx.Done():
	}
	if f.remove(one) > 0 || s.closing() {
		return
	}
	select {
	case <-s.done:
	default:
		_ = s.send(ctx, methodUnsubscribe, "uri", quoted(one.uri)) // then it goes on in vain
	}
}
