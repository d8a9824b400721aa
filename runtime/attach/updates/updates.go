// Package updates follows resources that change: the server says when one is another, and
// whoever follows it reads it again. Before 2026-07-28 a session subscribes to it; since
// then a request of its own listens, for as long as it lasts.
//
//	attach.Options{Updates: updates.New}
package updates

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/attach"
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

// New returns what follows resources over one session. It is for
// [attach.Options.Updates].
func New() attach.Updates {
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

// Tell implements [attach.Updates].
func (f *followers) Tell(uri string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for one := range f.by {
		if uri == "" || strings.HasPrefix(uri, one.uri) {
			select {
			case one.news <- struct{}{}:
			default: // it will look anyway
			}
		}
	}
}

// Follow implements [attach.Updates].
func (f *followers) Follow(ctx context.Context, s attach.UpdateSession, uri string, updated func()) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	one := &following{uri: uri, news: make(chan struct{}, 1)}
	one.news <- struct{}{} // it may have changed before; from add on it may be told at any time
	ended := make(chan error, 1)
	if s.IsModern {
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
		case <-s.Done:
			return nil
		case <-ctx.Done():
			if s.IsModern {
				<-ended // the stream is gone when this returns
			}
			return ctx.Err()
		}
	}
}

// listen asks for the updates of a resource, by a request that lasts.
func listen(ctx context.Context, s attach.UpdateSession, uri string) error {
	what := append(jsontext.AppendString([]byte(`{"resourceSubscriptions":[`), uri), "]}"...)
	err := s.Send(ctx, methodListen, "notifications", what)
	if err == nil {
		err = errListenEnded
	}
	return err
}

func quoted(uri string) json.RawMessage { return jsontext.AppendString(nil, uri) }

// subscribe begins to follow a resource, unless others do already.
func (f *followers) subscribe(ctx context.Context, s attach.UpdateSession, one *following) error {
	select {
	case f.turn <- struct{}{}:
		defer func() { <-f.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if f.add(one) > 1 {
		return nil
	}
	err := s.Send(ctx, protocol.MethodSubscribe, "uri", quoted(one.uri))
	if err != nil {
		f.remove(one)
	}
	return err
}

// unsubscribe ends that, if nobody else follows the resource.
func (f *followers) unsubscribe(s attach.UpdateSession, one *following) {
	ctx, cancel := context.WithTimeout(context.Background(), unsubscribeTime)
	defer cancel()
	select {
	case f.turn <- struct{}{}:
		defer func() { <-f.turn }()
	case <-ctx.Done():
	}
	if f.remove(one) > 0 || s.Closing() {
		return
	}
	select {
	case <-s.Done:
	default:
		_ = s.Send(ctx, methodUnsubscribe, "uri", quoted(one.uri)) // then it goes on in vain
	}
}
