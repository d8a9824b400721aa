// Sessions of their own for those on whose behalf a program calls: a gateway's callers, the
// users of a service.

package attach

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// What [CallerSessions] says where it has no other number.
const (
	defaultCallers    = 256
	defaultCallerIdle = 10 * time.Minute
)

// CallerSessions says with which servers callers have sessions of their own, that is one
// for each value of [runtime.Options.Caller]. The zero value keeps them with every server.
//
// Such a session is opened by the caller's first call, listed and judged like any
// other, and never carries a call of another caller or of the program. Its credentials are
// those that [Options.Auth] makes for an [AuthTarget] with that Caller; a configured
// Authorization header is not sent in it, and where nothing makes credentials for a
// caller, its calls to a server with a URL fail with [runtime.ErrAuth]. Of a server
// that is a command each caller has a process. These sessions are neither in
// [Host.Status] nor among the events; what is wrong with them the calls say.
//
// Calls of the program itself, without a caller, have the session that is in Status. It is
// left unstarted until such a call comes if the server has a manifest: often there are
// no credentials for it.
type CallerSessions struct {
	// Servers reports whether each caller has a session of its own with a server. It must
	// always answer the same for one. Nil: with all.
	Servers func(server endpoint.Server) bool
	// Max bounds the sessions of callers with one server. A new one ends the one that has
	// been idle longest; if none is, the call fails with [runtime.ErrUnavailable]. Zero is
	// 256.
	Max int
	// Idle is how long such a session is kept without a call. Zero is 10 minutes.
	Idle time.Duration
}

// with returns what keeps the sessions with a server; nil if all callers share one.
func (o *CallerSessions) with(server endpoint.Server) *callerSessions {
	if o == nil || o.Servers != nil && !o.Servers(server) {
		return nil
	}
	return &callerSessions{most: cmp.Or(o.Max, defaultCallers), rest: cmp.Or(o.Idle, defaultCallerIdle), by: map[string]*callerSession{}}
}

type callerKey struct{}

// CallerOf returns on whose behalf something is asked or needed: in [Input] the caller
// whose call or session it is about, where that is known, in [Options.Secrets] the one
// whose session is opened. "" is the program itself, or nobody knows.
func CallerOf(ctx context.Context) string {
	caller, _ := ctx.Value(callerKey{}).(string)
	return caller
}

// withCaller returns ctx with a caller; "" leaves it as it is.
func withCaller(ctx context.Context, caller string) context.Context {
	if caller == "" {
		return ctx
	}
	return context.WithValue(ctx, callerKey{}, caller)
}

// forCaller returns the state that carries a request: the server's own, or that of the
// caller. Done has to follow the request.
func (h *Host) forCaller(s *serverState, caller string) (_ *serverState, done func(), err error) {
	if caller == "" || s.callers == nil {
		return s, func() {}, nil
	}
	if s.life.Err() != nil {
		return nil, nil, errDetached
	}
	return s.callers.take(caller, func() *serverState { return h.newCallerState(s, caller) }, s.endCaller)
}

// newCallerState returns a state for one caller, which its first call starts. It ends
// with the server's own.
func (h *Host) newCallerState(s *serverState, caller string) *serverState {
	c := h.newServerState(s.server)
	c.caller, c.notifier, c.drops, c.large, c.folder = caller, &notifier{}, s.drops, s.large, s.folder
	c.life, c.end = context.WithCancelCause(withCaller(s.life, caller))
	c.reconnecting, c.status.State = nil, Unstarted
	return c
}

// endCaller ends the session of a caller, in the background.
func (s *serverState) endCaller(own *serverState) {
	end := func() { endAll([]*serverState{own}) }
	if !s.spawn(end) {
		end()
	}
}

// callerSessions are the sessions of callers with one server.
type callerSessions struct {
	most int
	rest time.Duration

	mu sync.Mutex
	by map[string]*callerSession // nil after close
}

// callerSession is that of one caller.
type callerSession struct {
	state *serverState
	end   func(*serverState)
	calls int       // under way
	since time.Time // the last one ended
	idle  *time.Timer
}

// take returns the state of a caller, which open makes if there is none, and end ends. Done
// has to follow the call that it is for. The error is that of the call;
// [runtime.ErrNotAttached] after close.
func (s *callerSessions) take(caller string, open func() *serverState, end func(*serverState)) (_ *serverState, done func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by == nil {
		return nil, nil, runtime.ErrNotAttached
	}
	k := s.by[caller]
	if k == nil {
		if err := s.makeRoom(); err != nil {
			return nil, nil, err
		}
		k = &callerSession{state: open(), end: end}
		k.idle = time.AfterFunc(time.Hour, func() { s.expire(caller, k) })
		s.by[caller] = k
	}
	k.idle.Stop()
	k.calls++
	return k.state, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if k.calls--; k.calls == 0 {
			k.since = time.Now()
			k.idle.Reset(s.rest)
		}
	}, nil
}

// makeRoom ends the session that has been idle longest if there are as many as there may
// be; mu is held.
func (s *callerSessions) makeRoom() error {
	if len(s.by) < s.most {
		return nil
	}
	oldest := ""
	for caller, k := range s.by {
		if k.calls == 0 && (oldest == "" || k.since.Before(s.by[oldest].since)) {
			oldest = caller
		}
	}
	if oldest == "" {
		return hint.With(&failure{
			text: fmt.Sprintf("%d callers have calls under way with the server, and there is no room for another", s.most),
			errs: []error{runtime.ErrUnavailable},
		}, "try again later", "raise Max of attach.CallerSessions")
	}
	s.drop(oldest)
	return nil
}

// expire ends the session of a caller that has been idle.
func (s *callerSessions) expire(caller string, k *callerSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by[caller] == k && k.calls == 0 {
		s.drop(caller)
	}
}

// drop takes the session of a caller out and ends it; mu is held.
func (s *callerSessions) drop(caller string) {
	k := s.by[caller]
	delete(s.by, caller)
	k.idle.Stop()
	k.end(k.state)
}

// close takes all sessions out, once the server is closed. Nil has none.
func (s *callerSessions) close() []*serverState {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*serverState
	for _, k := range s.by {
		k.idle.Stop()
		all = append(all, k.state)
	}
	s.by = nil
	return all
}
