// Following a resource: the server says when it is another, and whoever follows it reads
// it again. Before 2026-07-28 a session subscribes to it; since then a request of its own
// listens, for as long as it lasts.

package attach

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

const (
	methodListen      = "subscriptions/listen"
	methodUnsubscribe = "resources/unsubscribe"
	noteAcknowledged  = "notifications/subscriptions/acknowledged"
)

// unsubscribeTime is how long a server may take to hear that nobody follows a resource.
const unsubscribeTime = 5 * time.Second

// errNoUpdates is a server that cannot be followed.
var errNoUpdates error = &failure{
	text: "the server does not say when resources change (its capabilities have no resources.subscribe): read the resource again when you need it",
	errs: []error{runtime.ErrUnavailable},
}

// errSessionLost is the end of a session that was not closed.
var errSessionLost = errors.New("the session was lost")

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

// tell tells those who follow a resource, or what it is a part of, that it may be another;
// "" is any.
func (f *followers) tell(uri string) {
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

// follow follows a resource until the context ends, over as many sessions as that takes.
func (h *Host) follow(ct *callTime, state *serverState, req runtime.Request) delivery {
	ctx, cancel := context.WithCancel(ct.ctx)
	defer cancel()
	defer context.AfterFunc(state.life, cancel)()
	for {
		sess, err := h.session(ct, state)
		if err != nil {
			return delivery{stage: runtime.StageConnect, err: err}
		}
		if !sess.handshake.subscribes() {
			return delivery{sess: sess, stage: runtime.StageRoute, err: errNoUpdates}
		}
		if err := sess.judgeRequest(ct, req); err != nil {
			return delivery{sess: sess, stage: runtime.StageDrift, err: err}
		}
		err = sess.follow(ctx, req)
		if state.life.Err() != nil {
			return delivery{sess: sess, stage: runtime.StageRoute, err: errDetached}
		}
		if isLost(err) {
			select {
			case <-sess.done():
				continue // the next session follows it
			case <-ctx.Done():
			}
		}
		return delivery{sess: sess, stage: runtime.StageReceive, sent: true, err: sess.explain(ct, err)}
	}
}

// isLost reports whether a request failed because its session was lost.
func isLost(err error) bool {
	var lost *wire.LostError
	return errors.As(err, &lost) || errors.Is(err, wire.ErrClosed) || errors.Is(err, errSessionLost)
}

// subscribes reports whether a server says when resources change.
func (h *handshakeResult) subscribes() bool {
	var caps struct {
		Resources struct {
			Subscribe bool `json:"subscribe"`
		} `json:"resources"`
	}
	return json.Unmarshal(h.capabilities, &caps) == nil && caps.Resources.Subscribe
}

// follow follows a resource for as long as the session lasts. It returns why it ended.
func (s *session) follow(ctx context.Context, req runtime.Request) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	one := &following{uri: req.Name, news: make(chan struct{}, 1)}
	ended := make(chan error, 1)
	if s.isModern() {
		s.followers.add(one)
		defer s.followers.remove(one)
		go func() { ended <- s.listen(ctx, req.Name) }()
	} else {
		if err := s.subscribe(ctx, one); err != nil {
			return err
		}
		defer s.unsubscribe(one)
	}
	one.news <- struct{}{} // it may have changed before
	for {
		select {
		case <-one.news:
			if req.Options.OnUpdated != nil {
				req.Options.OnUpdated()
			}
		case err := <-ended:
			return err
		case <-s.done():
			return errSessionLost
		case <-ctx.Done():
			if s.isModern() {
				<-ended // the stream is gone when this returns
			}
			return ctx.Err()
		}
	}
}

// listen asks for the updates of a resource, by a request that lasts.
func (s *session) listen(ctx context.Context, uri string) error {
	what := append(append([]byte(`{"resourceSubscriptions":[`), quoted(uri)...), "]}"...)
	_, _, err := s.roundTrips(ctx, &request{method: methodListen, members: []member{{"notifications", what}}})
	if err == nil {
		err = errListenEnded
	}
	return err
}

// subscribe begins to follow a resource, unless others do already.
func (s *session) subscribe(ctx context.Context, one *following) error {
	select {
	case s.followers.turn <- struct{}{}:
		defer func() { <-s.followers.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if s.followers.add(one) > 1 {
		return nil
	}
	_, _, err := s.roundTrips(ctx, &request{method: runtime.MethodSubscribe, members: []member{{"uri", quoted(one.uri)}}})
	if err != nil {
		s.followers.remove(one)
	}
	return err
}

// unsubscribe ends that, if nobody else follows the resource.
func (s *session) unsubscribe(one *following) {
	ctx, cancel := context.WithTimeout(context.Background(), unsubscribeTime)
	defer cancel()
	select {
	case s.followers.turn <- struct{}{}:
		defer func() { <-s.followers.turn }()
	case <-ctx.Done():
	}
	if s.followers.remove(one) > 0 || s.closing.Load() {
		return
	}
	select {
	case <-s.done():
	default:
		_, _, _ = s.roundTrips(ctx, &request{method: methodUnsubscribe, members: []member{{"uri", quoted(one.uri)}}}) // then it goes on in vain
	}
}
