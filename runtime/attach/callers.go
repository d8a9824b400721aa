// Separate sessions with a server for each caller on whose behalf a program calls, such as
// a caller of a gateway or a user of a service, or for each session of such a caller.

package attach

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/supervise"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/internal/callcontext"
)

// Defaults of [CallerSessions].
const (
	defaultCallers    = 256
	defaultProcesses  = 32
	defaultCallerIdle = 10 * time.Minute
)

// CallerSessions says with which servers each caller has its own session: one for
// each value of [runtime.Options.Caller]. In the zero value that is every server. See
// Sessions for the sessions of each caller.
//
// A caller's session is opened by the caller's first call, listed and judged like any
// other session, and never carries a call of another caller or of the program. Its
// credentials are made by [Options.Auth] for an [AuthTarget] with that Caller. It
// does not send a configured Authorization header: without credentials for the
// caller, calls to a server with a URL fail with [runtime.ErrAuth]. If the server is
// a command, each caller has its own process. Callers' sessions have no entry in
// [Host.Status] and no events; their failures are reported by the calls.
//
// A server with [endpoint.Auth.Callers] always has a session for each caller, also
// without CallerSessions.
//
// Calls of the program itself, without a caller, use the session that is in Status.
// If the server has a manifest, that session is not started before such a call, since
// the program often has no credentials for it.
type CallerSessions struct {
	// Servers reports whether each caller has its own session with a server. The
	// result must always be the same for a server. Nil: all servers, or none if
	// Sessions is set.
	Servers func(server endpoint.Server) bool
	// Sessions separates further: each session of a caller ([runtime.Options.Session])
	// that answers requests has its own session with the servers to which
	// [endpoint.Server.Client] declares requests. Only there it is known to whom a
	// request belongs: [SessionOf] returns it in [Input], which is then asked for
	// roots, too. The session speaks the caller's revision if the server can. It has
	// the program's credentials unless Servers chooses the server. It ends with
	// [Host.EndSession]. Calls that relay requests ([runtime.Options.Relay]) to a
	// server since 2026-07-28 do not need it.
	//
	// With a server that is [endpoint.Server.Single], all callers share one session, unless
	// Servers chooses the server. Its calls wait for each other, and its requests belong to
	// the call in progress.
	Sessions bool
	// Max bounds the sessions of callers with one server. At the limit, a new session
	// ends the longest idle session; if no session is idle, the call fails with
	// [runtime.ErrUnavailable]. Zero is 256, or 32 if Sessions applies to a server
	// that is a command, since each of them is a process.
	Max int
	// Idle is how long a caller's session is kept without a call. Zero is 10 minutes.
	Idle time.Duration
}

// with returns the sessions of callers with a server; nil if all callers share one. The
// turn is nil unless sessions of callers share one session.
func (o *CallerSessions) with(server endpoint.Server) (*callerSessions, *turn) {
	onBehalf := actsOnBehalf(server)
	if o == nil {
		if !onBehalf {
			return nil, nil
		}
		o = &CallerSessions{}
	}
	s := &callerSessions{most: cmp.Or(o.Max, defaultCallers), rest: cmp.Or(o.Idle, defaultCallerIdle), by: map[asker]*callerSession{}}
	s.perCaller, s.perSession = onBehalf || o.Servers == nil && !o.Sessions || o.Servers != nil && o.Servers(server), o.perSession(server)
	if _, isProcess := server.Launch.(*endpoint.Process); isProcess && s.perSession {
		s.most = cmp.Or(o.Max, defaultProcesses)
	}
	switch {
	case !s.perCaller && !s.perSession:
		return nil, nil
	case server.Single && !s.perCaller:
		return s, &turn{free: make(chan struct{}, 1)}
	}
	return s, nil
}

// actsOnBehalf reports whether a server gets tokens that depend on the caller's.
func actsOnBehalf(server endpoint.Server) bool {
	a, remote := server.Launch.(*endpoint.Address)
	return remote && a.Auth.Callers.Token != ""
}

// perSession reports whether sessions of callers have their own sessions with a
// server.
func (o *CallerSessions) perSession(server endpoint.Server) bool {
	return o != nil && o.Sessions && server.Client != nil && server.Client.Beyond(endpoint.Offers{}) != nil
}

// asker is the caller and the session of a caller that a session belongs to. Both are
// "" in the program's own.
type asker struct{ caller, session string }

type callerKey struct{}

// CallerOf returns the caller on whose behalf a function is called: in [Input] the
// caller whose call or session the request belongs to, if known, in [Options.Secrets]
// the caller whose session is opened. "" is the program itself, or an unknown caller.
func CallerOf(ctx context.Context) string {
	a, _ := ctx.Value(callerKey{}).(asker)
	return a.caller
}

// SessionOf returns, in [Input] and in the context of a log record, the ID of the
// caller's session to which the server's session belongs: see
// [CallerSessions.Sessions]. "" is none.
func SessionOf(ctx context.Context) string {
	a, _ := ctx.Value(callerKey{}).(asker)
	return a.session
}

// withAsker returns ctx with a caller and its session; without both, ctx is unchanged.
func withAsker(ctx context.Context, a asker) context.Context {
	if a == (asker{}) {
		return ctx
	}
	return context.WithValue(ctx, callerKey{}, a)
}

// Subject is the verified token of a caller of this program. Package oauth makes the
// tokens for servers of it: see [endpoint.CallerAuth]. It is a secret.
type Subject struct {
	Caller   string // as in [AuthTarget]
	Token    string
	Audience []string  // for whom the token is, besides this program
	Expiry   time.Time // zero: unknown
}

type subjectKey struct{}

// Context returns a context for the calls that are made on behalf of the caller.
func (s Subject) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, subjectKey{}, s)
}

// SubjectOf returns the token of the caller on whose behalf a request is sent. If the
// request only opens a session, it is that of the caller's last call. False: it is
// unknown.
func SubjectOf(ctx context.Context) (Subject, bool) {
	s, ok := ctx.Value(subjectKey{}).(Subject)
	return s, ok
}

// actFor records the token of a call. Another token may succeed at once where the last
// one failed.
func (s *serverState) actFor(ctx context.Context) {
	subject, known := SubjectOf(ctx)
	if !known {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.subject.Token != subject.Token && s.status.State == Failed {
		s.budget = supervise.New(policyOf(s.server))
	}
	s.subject = subject
}

// forCaller returns the state that carries a request: the caller's own or the shared
// one. Done must be called after the request.
func (h *Host) forCaller(ctx context.Context, s *serverState, o runtime.Options) (own *serverState, done func(), err error) {
	key := h.keyOf(s, o)
	if key == (asker{}) {
		return s, func() {}, nil
	}
	if s.life.Err() != nil {
		return nil, nil, errDetached
	}
	own, done, err = s.callers.take(key, func() *serverState { return h.keeper.newCallerState(s, key, o) }, s.endCaller)
	if err == nil && actsOnBehalf(s.server) {
		own.actFor(ctx)
	}
	return own, done, err
}

// keyOf returns whose session with a server carries a request; the zero value is the
// shared one.
func (h *Host) keyOf(s *serverState, o runtime.Options) (key asker) {
	if s.callers != nil && s.callers.perCaller {
		key.caller = o.Caller
	}
	if h.separates(s, o) && s.turn == nil {
		key.session = o.Session.ID
	}
	return key
}

// Withholds reports whether the caller of a call has its own session with the server,
// and that session does not offer the tool, or has it in quarantine.
func (h *Host) Withholds(call runtime.Request) bool {
	s := h.serverState(call.Server)
	if s == nil {
		return false
	}
	own := s.callers.get(h.keyOf(s, call.Options))
	if own == nil {
		return false
	}
	x := own.offered()
	return x != nil && !Offered{x}.Allows(call.Name)
}

// SeparatesSession reports whether each session of a caller has its own session with the
// server of req, which then asks only that caller's session: see [CallerSessions.Sessions].
func (h *Host) SeparatesSession(req runtime.Request) bool {
	s := h.serverState(req.Server)
	return s != nil && h.separates(s, req.Options)
}

func (h *Host) separates(s *serverState, o runtime.Options) bool {
	return s.callers != nil && s.callers.perSession && o.Session.Answers && !(o.Relay != nil && h.keeper.revision(s) >= modern)
}

// EndSession ends the sessions with servers that belong to a session of a caller.
// Their calls in progress fail.
func (h *Host) EndSession(id string) {
	for _, s := range h.all() {
		s.callers.end(id)
	}
}

// RootsChanged notifies the servers that have a session for a session of a caller that
// the caller's roots have changed.
func (h *Host) RootsChanged(ctx context.Context, id string) {
	for _, s := range h.all() {
		for _, own := range s.callers.of(func(a asker) bool { return a.session == id }) {
			if sess, err := own.get(); err == nil && sess.handlers.declares.Roots {
				_ = sess.Notify(ctx, "notifications/roots/list_changed") // it may have ended
			}
		}
	}
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

	perCaller, perSession bool // what has its own session: at least one of them

	mu sync.Mutex
	by map[asker]*callerSession // nil after close
}

// callerSession is the session of one caller.
type callerSession struct {
	state *serverState
	end   func(*serverState)
	calls int       // in progress
	since time.Time // the end of the last call
	idle  *time.Timer
}

// turn lets the calls to a server through one at a time.
type turn struct {
	free chan struct{}                   // holds one while a call is in progress
	call atomic.Pointer[context.Context] // of that call
}

// wait waits for the turn of a call to a server. Done must be called after the call. The
// error is for a call whose time ends before. A nil t lets all calls through.
func (t *turn) wait(ct *callTime) (done func(), err error) {
	if t == nil {
		return func() {}, nil
	}
	select {
	case t.free <- struct{}{}:
	case <-ct.ctx.Done():
		return nil, hint.With(&failure{text: "the server takes one call at a time, and another one is in progress", errs: []error{ct.err()}}, "try again later")
	}
	t.call.Store(&ct.ctx)
	return func() { t.call.Store(nil); <-t.free }, nil
}

// during returns the context of a server's request or log. A nil t has no calls.
func (t *turn) during(ctx context.Context) context.Context {
	if t != nil {
		if call := t.call.Load(); call != nil {
			return callcontext.During(ctx, *call)
		}
	}
	return ctx
}

// take returns the state of a caller's session. If there is none, open makes one,
// which end will end. Done must be called after the call. The error is the error of
// the call; [runtime.ErrNotAttached] after close.
func (s *callerSessions) take(key asker, open func() *serverState, end func(*serverState)) (_ *serverState, done func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by == nil {
		return nil, nil, runtime.ErrNotAttached
	}
	k := s.by[key]
	if k == nil {
		if err := s.makeRoom(); err != nil {
			return nil, nil, err
		}
		k = &callerSession{state: open(), end: end}
		k.idle = time.AfterFunc(time.Hour, func() { s.expire(key, k) })
		s.by[key] = k
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
	var oldest asker
	for key, k := range s.by {
		if k.calls == 0 && (oldest == (asker{}) || k.since.Before(s.by[oldest].since)) {
			oldest = key
		}
	}
	if oldest == (asker{}) {
		return hint.With(&failure{
			text: fmt.Sprintf("the limit of %d caller sessions is reached, and each session has a call in progress", s.most),
			errs: []error{runtime.ErrUnavailable},
		}, "try again later", "raise Max of attach.CallerSessions")
	}
	s.drop(oldest)
	return nil
}

// expire ends the session of a caller if it is idle.
func (s *callerSessions) expire(key asker, k *callerSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by[key] == k && k.calls == 0 {
		s.drop(key)
	}
}

// end ends what belongs to a session of a caller. A nil s has nothing.
func (s *callerSessions) end(session string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.by {
		if key.session == session {
			s.drop(key)
		}
	}
}

// get returns the state of the session of key, or nil without such a session. s may be nil.
func (s *callerSessions) get(key asker) *serverState {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := s.by[key]; k != nil {
		return k.state
	}
	return nil
}

// of returns the states of the matching sessions. A nil s has none.
func (s *callerSessions) of(matches func(asker) bool) (all []*serverState) {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, k := range s.by {
		if matches(key) {
			all = append(all, k.state)
		}
	}
	return all
}

// drop removes and ends the session of a caller; mu is held.
func (s *callerSessions) drop(key asker) {
	k := s.by[key]
	delete(s.by, key)
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
