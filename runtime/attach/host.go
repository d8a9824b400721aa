// The host: the sessions of a program, by server name.

package attach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/schema"
)

// closeTimeout bounds Close: what has not ended by then is killed.
const closeTimeout = 5 * time.Second

// Host holds the live sessions of a program. Its methods are safe for
// concurrent use. Close it when it is no longer needed.
type Host struct {
	settings settings
	invoker  runtime.Invoker
	notifier *notifier
	turns    chan struct{}   // those who attach at the same time
	life     context.Context // ends at the beginning of Close
	end      context.CancelCauseFunc
	changes  sync.WaitGroup // Attach, Detach and Reload under way; added to under mu while not closed
	reload   sync.Mutex     // one Reload at a time
	pins     sync.Map       // string → func() Pinned: what was pinned of each server
	fills    sync.Map       // string → chan struct{}: by folder of a package runner, which holds one while that is filled

	mu     sync.RWMutex
	states map[string]*serverState
	order  []string // the names of servers, in the order in which servers were given
	closed bool
	close  func() error // once
}

// Connect attaches to all servers at once, each within its own start timeout,
// and returns when every one of them is ready or has failed; lazy ones are not
// waited for ([endpoint.Server.Lazy]), and none is with [Options.Background]. What can be seen
// before anything is started (a variable, command or working directory that is
// missing) fails first, for all servers.
//
// A server that a package runner may have to install is waited for as long as the
// others, and then goes on in the background, within Options.Install: it stays
// Connecting, its Status.Err and Host.Err say so, and calls wait for it within
// their own time limits. When it is ready, status and events say that.
//
// The error is for a
// configuration that cannot mean anything (a name that is missing or stands
// twice, neither a command nor a URL, …), or that requires what opts do not
// state ([Options.Enforces]); nothing has been started then. It joins all that is
// wrong. A variable that is missing is no such error: that
// server has failed with [StageConfigure], and the others work.
//
// The context bounds the attaching only: the sessions live until [Host.Close],
// which the caller must call. If the context ends early, the servers that are
// not ready yet have failed with its error. What goes on in the background does
// not end with it.
func Connect(ctx context.Context, servers []endpoint.Server, opts *Options) (*Host, error) {
	if err := errors.Join(checkServers(servers), checkOptions(opts), checkRequired(servers, opts)); err != nil {
		return nil, err
	}
	h := &Host{settings: newSettings(opts), states: map[string]*serverState{}}
	h.close = sync.OnceValue(h.closeAll)
	h.life, h.end = context.WithCancelCause(context.Background())
	h.invoker = runtime.Chain(innermost{h}, h.settings.Middleware...)
	h.notifier = h.settings.notifier
	h.turns = make(chan struct{}, h.settings.Parallel)
	var added []*serverState
	for _, server := range servers {
		added = append(added, h.put(server))
	}
	h.attachAll(ctx, added)
	return h, nil
}

// attachAll brings servers up, all at the same time, and waits for them, save for
// those that are still being installed, and for none in the background. Lazy ones are left unstarted. What cannot
// start at all fails before anything is started.
func (h *Host) attachAll(ctx context.Context, states []*serverState) {
	var able []*serverState
	for _, s := range states {
		err := h.precheck(s)
		switch {
		case h.isLazy(s):
			h.leave(s) // its first call says what is wrong with it
		case err != nil:
			h.connecting(s)
			h.failed(s, err, false)
		case h.settings.Background:
			h.expect(s)
			h.connecting(s)
			s.spawn(func() { h.attach(s.life, s, func() {}) })
		default:
			able = append(able, s)
		}
	}
	var attaching sync.WaitGroup
	for _, s := range able {
		attaching.Add(1)
		leave := sync.OnceFunc(attaching.Done)
		if !s.spawn(func() {
			defer leave()
			h.connecting(s)
			h.attach(ctx, s, leave)
		}) {
			leave()
		}
	}
	attaching.Wait()
}

// serverState returns the state of a server; nil if it is not attached.
func (h *Host) serverState(server string) *serverState {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.states[server]
}

// all returns the places of all servers, in the order in which they were given.
func (h *Host) all() []*serverState {
	h.mu.RLock()
	defer h.mu.RUnlock()
	all := make([]*serverState, len(h.order))
	for i, name := range h.order {
		all[i] = h.states[name]
	}
	return all
}

// put makes a state for a server, at the position that its name had, or the last; mu is held
// once others know the host.
func (h *Host) put(server endpoint.Server) *serverState {
	s := h.newServerState(server)
	s.callers = h.settings.Callers.with(server)
	if h.states[server.Name] == nil {
		h.order = append(h.order, server.Name)
	}
	h.states[server.Name] = s
	return s
}

// remove takes the state of a server away and returns it; nil if there is none. mu is
// held.
func (h *Host) remove(name string) *serverState {
	s := h.states[name]
	if s != nil {
		delete(h.states, name)
		h.order = slices.DeleteFunc(h.order, func(other string) bool { return other == name })
	}
	return s
}

// reorder brings servers into an order. Those that are not in it follow.
func (h *Host) reorder(servers []endpoint.Server) {
	position := make(map[string]int, len(servers))
	for i, server := range servers {
		position[server.Name] = i - len(servers)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	slices.SortStableFunc(h.order, func(a, b string) int { return cmp.Compare(position[a], position[b]) })
}

// Invoke carries out one request, through the middleware. Errors are of type
// [*runtime.CallError].
//
// A call that finds its server lost or failed brings it back, within what is
// left of five attempts: the first at once, the others by calls that come at
// least 1, 5, 20 and 60 seconds after the one before. That holds for a process
// that did not come up at first, too. All calls wait for the attempt under way;
// those that come before the next may begin fail at once with
// [runtime.ErrUnavailable], the reason, and when a call tries again. All five are
// given back when the server was ready for a minute ([endpoint.Restart] has other
// rules). Connections that are lost come back by themselves after 1, 2 and 4
// seconds, and calls wait for that; then the same holds for them, and after the
// five attempts calls make one a minute. Whatever comes back is listed and judged
// again before it gets a call. Where no attempt is left, [Host.Attach] and
// [Host.Reload] begin anew.
//
// A call is sent a second time only if the first was lost with its session, and
// provably was not sent, or goes to a tool over HTTP that says it is idempotent
// or only reads.
//
// A call has one time for all of this: waiting until the server is back, the
// attempt, and the second one. Options.Timeout also holds for the middleware; the
// server's own timeout begins after it, since a person may have been asked there.
func (h *Host) Invoke(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
	if limit := req.Options.Timeout; limit > 0 && !req.Options.ProgressExtends {
		bounded, cancel := context.WithTimeoutCause(ctx, limit, errCallTimeout)
		defer cancel()
		ctx = bounded
	}
	if !h.notifier.followed() {
		return h.invoker.Invoke(ctx, req)
	}
	began := time.Now()
	res, err := h.invoker.Invoke(ctx, req)
	e := event.Event{Kind: event.Call, Server: req.Server, Tool: req.Name, Method: req.Method, Duration: time.Since(began), Err: err}
	if res != nil && res.IsError {
		e.Detail = "the tool reported an error"
	}
	h.notifier.stream(e)
	return res, err
}

// Learn has m learn the values that are not to be shown, as [Options.Mask] does: those of
// the sessions of now, and of all that are opened from then on. What records calls of a
// host asks for it.
func (h *Host) Learn(m endpoint.Learner) {
	h.settings.learners.all.Store(m, true)
	for _, s := range h.all() {
		if sess, err := s.get(); err == nil {
			m.AddResolved(sess.resolved)
			for _, secret := range sess.issued() {
				m.AddToken(s.server.Name, secret)
			}
		}
	}
}

// Err joins the errors of the servers that are not usable, and an error for each to which
// more is declared than this program answers ([Status.Unanswered]), which works all the
// same. They are in the order of [Host.Status]. Nil: there are none.
func (h *Host) Err() error {
	var errs []error
	for _, s := range h.all() {
		errs = append(errs, failures([]*serverState{s}), h.settings.unanswered(s.server))
	}
	return errors.Join(errs...)
}

// Status returns what is known of each server, in the order in which the servers
// were given to [Connect], [Host.Attach] and [Host.Reload]. After Close the last that
// was known is still there.
func (h *Host) Status() []Status {
	states := h.all()
	all := make([]Status, 0, len(states))
	for _, s := range states {
		st := s.currentStatus()
		declares, does := h.settings.offers(s.server)
		st.Declares, st.Unanswered = declares, declares.Beyond(does)
		all = append(all, st)
	}
	return all
}

// Close ends all sessions at once: calls in flight fail with
// [runtime.ErrNotAttached], processes and their descendants are gone when it
// returns. It may be called several times and concurrently, but not from
// [Options.OnEvent]. The error is that of
// [Options.OnClose]; nil without one.
func (h *Host) Close() error { return h.close() }

func (h *Host) closeAll() error {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	endAll(h.all())
	h.end(errDetached)
	h.changes.Wait()
	h.notifier.notify()
	h.notifier.close()
	if h.settings.OnClose != nil {
		return h.settings.OnClose()
	}
	return nil
}

// endAll closes servers, all at the same time, and waits until nothing is left of
// them.
func endAll(states []*serverState) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	var ending sync.WaitGroup
	for _, s := range states {
		sess := s.close()
		ending.Go(func() {
			endAll(s.callers.close())
			if sess != nil {
				sess.end(ctx)
			}
			s.work.Wait()
		})
	}
	ending.Wait()
}

// Snapshot lists the whole surface of a server, within its start timeout. The first one
// after a listing of the tools has the tools of that listing, unless the server has said
// since that they changed; all else is listed afresh. What had to be left out is in the problems, each with its position and
// reason. A server that lists no tools is an error that wraps [ErrEmpty] unless
// AllowEmpty is set. Nil extensions leave out skills and apps. It starts a server that is
// not started yet, and brings none back. Errors are of type [*ServerError].
func (h *Host) Snapshot(ctx context.Context, server string, extensions Extensions) (*schema.Snapshot, []schema.Problem, error) {
	var snap *schema.Snapshot
	var problems []schema.Problem
	s, err := h.attached(server)
	if err != nil {
		return nil, nil, err
	}
	sess, err := h.current(ctx, s)
	if err != nil {
		return nil, nil, serverError(s.server, StageSession, err, nil)
	}
	err = sess.listWithin(ctx, "the listings did not end within %v: raise timeout.start if they only need longer", func(ctx context.Context) (err error) {
		snap, problems, err = sess.snapshot(ctx, extensions)
		return err
	})
	return snap, problems, err
}

// attached returns the state of a server. The error, for none, is a *ServerError.
func (h *Host) attached(server string) (*serverState, error) {
	if s := h.serverState(server); s != nil {
		return s, nil
	}
	return nil, &ServerError{Server: server, Stage: StageConfigure, Err: fmt.Errorf("server %q: %w", server, runtime.ErrNotAttached)}
}

// listWithin lists something within the start timeout; late says what it means that it
// took longer. The error is a *ServerError.
func (s *session) listWithin(ctx context.Context, late string, list func(context.Context) error) error {
	start := s.server.Timeout.WithDefaults().Start
	ctx, cancel := context.WithTimeoutCause(ctx, start, fmt.Errorf("%w: "+late, runtime.ErrTimeout, start))
	defer cancel()
	err := list(ctx)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		err = joinLate(context.Cause(ctx), err)
	}
	return serverError(s.server, StageList, lostOr(s, err), s.secrets())
}

// lostOr returns why the session was lost if it was, else err.
func lostOr(sess *session, err error) error {
	select {
	case <-sess.done():
		if cause := sess.cause(); cause != nil {
			return cause
		}
	default:
	}
	return err
}
