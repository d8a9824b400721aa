// Separate sessions for the callers on whose behalf a program calls: the callers of a
// gateway, or the users of a service.

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

// Defaults of [CallerSessions].
const (
	defaultCallers    = 256
	defaultCallerIdle = 10 * time.Minute
)

// CallerSessions says with which servers each caller has its own session: one for
// each value of [runtime.Options.Caller]. In the zero value that is every server.
//
// A caller's session is opened by the caller's first call, listed and judged like any
// other session, and never carries a call of another caller or of the program. Its
// credentials are made by [Options.Auth] for an [AuthTarget] with that Caller. It
// does not send a configured Authorization header: without credentials for the
// caller, calls to a server with a URL fail with [runtime.ErrAuth]. If the server is
// a command, each caller has its own process. Callers' sessions have no entry in
// [Host.Status] and no events; their failures are reported by the calls.
//
// Calls of the program itself, without a caller, use the session that is in Status.
// If the server has a manifest, that session is not started before such a call, since
// the program often has no credentials for it.
type CallerSessions struct {
	// Servers reports whether each caller has its own session with a server. The
	// result must always be the same for a server. Nil: all servers.
	Servers func(server endpoint.Server) bool
	// Max bounds the sessions of callers with one server. At the limit, a new session
	// ends the longest idle session; if no session is idle, the call fails with
	// [runtime.ErrUnavailable]. Zero is 256.
	Max int
	// Idle is how long a caller's session is kept without a call. Zero is 10 minutes.
	Idle time.Duration
}

// with returns the sessions of callers with a server; nil if all callers share one.
func (o *CallerSessions) with(server endpoint.Server) *callerSessions {
	if o == nil || o.Servers != nil && !o.Servers(server) {
		return nil
	}
	return &callerSessions{most: cmp.Or(o.Max, defaultCallers), rest: cmp.Or(o.Idle, defaultCallerIdle), by: map[string]*callerSession{}}
}

type callerKey struct{}

// CallerOf returns the caller on whose behalf a function is called: in [Input] the
// caller whose call or session the request belongs to, if known, in [Options.Secrets]
// the caller whose session is opened. "" is the program itself, or an unknown caller.
func CallerOf(ctx context.Context) string {
	caller, _ := ctx.Value(callerKey{}).(string)
	return caller
}

// withCaller returns ctx with a caller; an empty caller leaves ctx unchanged.
func withCaller(ctx context.Context, caller string) context.Context {
	if caller == "" {
		return ctx
	}
	return context.WithValue(ctx, callerKey{}, caller)
}

// forCaller returns the state that carries a request: the caller's own or the shared
// one. Done must be called after the request.
func (h *Host) forCaller(s *serverState, caller string) (_ *serverState, done func(), err error) {
	if caller == "" || s.callers == nil {
		return s, func() {}, nil
	}
	if s.life.Err() != nil {
		return nil, nil, errDetached
	}
	return s.callers.take(caller, func() *serverState { return h.newCallerState(s, caller) }, s.endCaller)
}

// newCallerState returns the state of one caller's session. The caller's first call
// starts the session, which ends with the shared state of the server.
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

// callerSessions holds the sessions of callers with one server.
type callerSessions struct {
	most int
	rest time.Duration

	mu sync.Mutex
	by map[string]*callerSession // nil after close
}

// callerSession is the session of one caller.
type callerSession struct {
	state *serverState
	end   func(*serverState)
	calls int       // in progress
	since time.Time // the end of the last call
	idle  *time.Timer
}

// take returns the state of a caller's session. If there is none, open makes one,
// which end will end. Done must be called after the call. The error is the error of
// the call; [runtime.ErrNotAttached] after close.
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

// makeRoom ends the session that has been idle longest if the limit is reached, and
// fails if no session is idle; mu is held.
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

// expire ends the session of a caller if it is idle.
func (s *callerSessions) expire(caller string, k *callerSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by[caller] == k && k.calls == 0 {
		s.drop(caller)
	}
}

// drop removes and ends the session of a caller; mu is held.
func (s *callerSessions) drop(caller string) {
	k := s.by[caller]
	delete(s.by, caller)
	k.idle.Stop()
	k.end(k.state)
}

// close removes and returns all sessions, once the server is closed. A nil s has
// none.
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
