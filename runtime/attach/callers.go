// Sessions of their own for those on whose behalf a program calls. Which are kept, and
// for how long, is for [Options.Callers].

package attach

import "context"

// CallerSessions keeps sessions for callers with one server, that is one for each value
// of [runtime.Options.Caller]. Its methods are safe for concurrent use.
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
type CallerSessions interface {
	// Take returns the session of a caller, made by open if there is none. Done has to
	// follow the call that it is for. The error is that of the call;
	// [runtime.ErrNotAttached] after Close.
	Take(caller string, open func() CallerSession) (s CallerSession, done func(), err error)
	// Close takes all sessions out, which the host ends.
	Close() []CallerSession
}

// CallerSession is what one caller has with a server.
type CallerSession interface {
	// End ends it. It does not wait for that.
	End()
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

// callerState is the state of a server for one caller.
type callerState struct {
	*serverState
	of *serverState
}

// End implements [CallerSession].
func (c callerState) End() {
	end := func() { endAll([]*serverState{c.serverState}) }
	if !c.of.spawn(end) {
		end()
	}
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
	own, done, err := s.callers.Take(caller, func() CallerSession { return callerState{h.newCallerState(s, caller), s} })
	if err != nil {
		return nil, nil, err
	}
	return own.(callerState).serverState, done, nil
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

// takeCallers takes the sessions of all callers out, once the server is closed.
func (s *serverState) takeCallers() []*serverState {
	if s.callers == nil {
		return nil
	}
	var all []*serverState
	for _, c := range s.callers.Close() {
		all = append(all, c.(callerState).serverState)
	}
	return all
}
