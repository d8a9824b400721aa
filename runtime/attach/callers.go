// Sessions of their own for those on whose behalf a program calls: a gateway's
// callers, the users of a service.

package attach

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// What [Callers] says where it has no other number.
const (
	DefaultCallers    = 256
	DefaultCallerIdle = 10 * time.Minute
)

// Callers says which servers have a session for each caller, that is each value of
// [runtime.Options.Caller]. The zero value is none: all callers share one session.
//
// Such a session is opened by the caller's first call, listed and judged like any
// other, and never carries the call of another caller or of none. Its credentials are
// those that [Options.Auth] makes for an [AuthTarget] with that Caller; a configured
// Authorization header is not sent in it, and where nothing makes credentials for a
// caller, its calls to a server with a URL fail with [runtime.ErrAuth]. Of a server
// that is a command each caller has a process. These sessions are neither in
// [Host.Status] nor among the events; what is wrong with them the calls say.
//
// Calls of the program itself, without a caller, have the session that is in Status. It is
// left unstarted until such a call comes if the server has a manifest: often there are
// no credentials for it.
type Callers struct {
	// Own reports whether each caller has a session of its own with a server. It must
	// always answer the same for one. Nil: none has.
	Own func(server endpoint.Server) bool
	// Max bounds the sessions of callers with one server. A new one ends the one that has
	// been idle longest; if none is, the call fails with [runtime.ErrUnavailable]. Zero is
	// DefaultCallers.
	Max int
	// Idle is how long such a session is kept without a call. Zero is DefaultCallerIdle.
	Idle time.Duration
}

func (c *Callers) own(server endpoint.Server) bool { return c.Own != nil && c.Own(server) }

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

// callerState is the state of a server for one caller. What is beside the embedded one is
// guarded by the mu of the server's own state.
type callerState struct {
	*serverState
	calls int       // under way
	since time.Time // the last one ended
	idle  *time.Timer
}

// forCaller returns the state that carries a request: the server's own, or that of the
// caller. Done has to follow the request.
func (h *Host) forCaller(s *serverState, caller string) (_ *serverState, done func(), err error) {
	if caller == "" || !h.settings.Callers.own(s.server) {
		return s, func() {}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.status.State == Closed {
		return nil, nil, errDetached
	}
	c := s.callers[caller]
	if c == nil {
		if err := s.makeRoom(cmp.Or(h.settings.Callers.Max, DefaultCallers)); err != nil {
			return nil, nil, err
		}
		c = &callerState{serverState: h.newCallerState(s, caller)}
		c.idle = time.AfterFunc(time.Hour, func() { s.expire(caller, c) })
		if s.callers == nil {
			s.callers = map[string]*callerState{}
		}
		s.callers[caller] = c
	}
	c.idle.Stop()
	c.calls++
	return c.serverState, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if c.calls--; c.calls == 0 {
			c.since = time.Now()
			c.idle.Reset(cmp.Or(h.settings.Callers.Idle, DefaultCallerIdle))
		}
	}, nil
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

// makeRoom ends the session that has been idle longest if there are as many as there may
// be; mu is held.
func (s *serverState) makeRoom(most int) error {
	if len(s.callers) < most {
		return nil
	}
	oldest := ""
	for caller, c := range s.callers {
		if c.calls == 0 && (oldest == "" || c.since.Before(s.callers[oldest].since)) {
			oldest = caller
		}
	}
	if oldest == "" {
		return &failure{
			text: fmt.Sprintf("%d callers have calls under way with the server, and there is no room for another: try again later, or raise attach.Callers.Max", most),
			errs: []error{runtime.ErrUnavailable},
		}
	}
	s.drop(oldest)
	return nil
}

// expire ends the session of a caller that has been idle.
func (s *serverState) expire(caller string, c *callerState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.callers[caller] == c && c.calls == 0 {
		s.drop(caller)
	}
}

// drop takes the session of a caller out and ends it in the background; mu is held.
func (s *serverState) drop(caller string) {
	c := s.callers[caller]
	delete(s.callers, caller)
	c.idle.Stop()
	s.spawnLocked(func() { endAll([]*serverState{c.serverState}) })
}

// takeCallers takes the sessions of all callers out, once the server is closed.
func (s *serverState) takeCallers() []*serverState {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*serverState
	for _, c := range s.callers {
		c.idle.Stop()
		all = append(all, c.serverState)
	}
	s.callers = nil
	return all
}
