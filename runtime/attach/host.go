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

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/schema"
)

// closeTimeout bounds Close: processes that have not ended by then are killed.
const closeTimeout = 5 * time.Second

// Host holds the live sessions of a program. Its methods are safe for
// concurrent use. Close it when it is no longer needed.
type Host struct {
	settings settings
	invoker  runtime.Invoker
	notifier *notifier
	keeper   keeper
	end      context.CancelCauseFunc // of the keeper's life, at the beginning of Close
	changes  sync.WaitGroup          // Attach, Detach and Reload in progress; added to under mu while not closed
	reload   sync.Mutex              // one Reload at a time

	mu     sync.RWMutex
	states map[string]*serverState
	order  []string // the names of the servers, in the order given
	closed bool
	close  func() error // once
}

// Connect attaches to all servers at once, each within its own start timeout, and
// returns when every one is ready or has failed. It does not wait for lazy servers
// ([endpoint.Server.Lazy]), and for no server with [Options.Background]. Errors that
// are found without starting anything (a missing variable, command or working
// directory) are reported first, for all servers.
//
// Connect waits for a server that a package runner may have to install no longer than
// for others. The start then goes on in the background, within Options.Install: the
// server stays Connecting, its Status.Err and Host.Err report it, and calls wait for
// it within their own time limits. Status and events report when it is ready.
//
// The error is for an invalid configuration (a missing or duplicate name, neither a
// command nor a URL, …), or for one that requires what opts do not state
// ([Options.Enforces]); then no server has been started. It joins all such errors. A
// missing variable is not among them: its server fails at the stage "configure", and the
// others work.
//
// The context bounds the attaching alone: the sessions live until [Host.Close], which
// the caller must call. If the context ends early, servers that are not ready yet
// fail with its error. Background starts do not end with it.
func Connect(ctx context.Context, servers []endpoint.Server, opts *Options) (*Host, error) {
	if opts == nil {
		opts = &Options{}
	}
	if err := errors.Join(checkServers(servers), opts.Drift.check(), checkRequired(servers, opts)); err != nil {
		return nil, err
	}
	h := &Host{settings: newSettings(opts), states: map[string]*serverState{}}
	h.close = sync.OnceValue(h.closeAll)
	h.notifier = h.settings.notifier
	h.keeper.settings, h.keeper.turns = h.settings, make(chan struct{}, h.settings.Parallel)
	h.keeper.life, h.end = context.WithCancelCause(context.Background())
	h.invoker = runtime.Chain(innermost{h}, h.settings.Middleware...)
	var added []*serverState
	for _, server := range servers {
		added = append(added, h.put(server))
	}
	h.keeper.attachAll(ctx, added)
	return h, nil
}

// serverState returns the state of a server; nil if it is not attached.
func (h *Host) serverState(server string) *serverState {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.states[server]
}

// all returns the states of all servers, in the order given.
func (h *Host) all() []*serverState {
	h.mu.RLock()
	defer h.mu.RUnlock()
	all := make([]*serverState, len(h.order))
	for i, name := range h.order {
		all[i] = h.states[name]
	}
	return all
}

// put adds a state for a server, at the position of its name, or last if the name is
// new; mu is held once the host is shared.
func (h *Host) put(server endpoint.Server) *serverState {
	s := h.keeper.newServerState(server)
	s.callers, s.turn = h.settings.Callers.with(server)
	if h.states[server.Name] == nil {
		h.order = append(h.order, server.Name)
	}
	h.states[server.Name] = s
	return s
}

// remove removes and returns the state of a server; nil if there is none. mu is held.
func (h *Host) remove(name string) *serverState {
	s := h.states[name]
	if s != nil {
		delete(h.states, name)
		h.order = slices.DeleteFunc(h.order, func(other string) bool { return other == name })
	}
	return s
}

// reorder sorts servers into the order given. Other servers come last.
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
// A call that finds its server lost or failed reconnects it, within what is left of
// five attempts: the first at once, the others by calls that come at least 1, 5, 20
// and 60 seconds after the previous attempt. The same holds for a process that did
// not start at first. All calls wait for an attempt in progress. A call that comes
// before the next attempt may begin fails at once with [runtime.ErrUnavailable], the
// reason, and the time of the next attempt. A server that was ready for a minute has
// five attempts again ([endpoint.Restart] sets other limits). A lost connection is
// reconnected without a call after 1, 2 and 4 seconds, and calls wait for that; then
// calls reconnect it in the same way, and after the five attempts once a minute. A
// reconnected server is listed and judged again before it gets a call. When no
// attempt is left, [Host.Attach] and [Host.Reload] start the server again.
//
// A call is sent a second time only if it was lost with its session, and either
// provably was not sent, or goes over HTTP to a tool that is declared idempotent or
// read-only.
//
// One time limit covers a call: waiting until the server is back, the attempt, and
// the second attempt. Options.Timeout includes the middleware. The server's own
// timeout begins after the middleware, which may have asked a person.
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

// Learn adds a learner of the values that must not be shown, as [Options.Mask] does:
// the values of current sessions, and of all sessions opened later. Recorders of a
// host's calls use it.
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

// Err joins the errors of the servers that are not usable, and an error for each
// server to which more is declared than this program answers ([Status.Unanswered]);
// such a server works all the same. The order is that of [Host.Status]. Nil means no
// errors.
func (h *Host) Err() error {
	var errs []error
	for _, s := range h.all() {
		errs = append(errs, failures([]*serverState{s}), h.settings.unanswered(s.server))
	}
	return errors.Join(errs...)
}

// Status returns the status of each server, in the order in which the servers were
// given to [Connect], [Host.Attach] and [Host.Reload]. After Close it returns the
// last known status.
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

// Session returns the protocol revision and the transport of a server's last session: a
// part of [Host.Status] that can be asked for with each call. Both are "" if there was none.
func (h *Host) Session(server string) (protocol string, transport endpoint.Transport) {
	s := h.serverState(server)
	if s == nil {
		return "", ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status.Protocol, s.status.Transport
}

// Close ends all sessions at once: calls in progress fail with
// [runtime.ErrNotAttached], and processes and their descendants have ended when it
// returns. It may be called several times and concurrently, but not from
// [Options.OnEvent]. The error is the error of [Options.OnClose].
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

// endAll closes servers, all at the same time, and waits until each has ended.
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

// Snapshot lists the whole surface of a server, within its start timeout. If the
// server has not reported changed tools since they were last listed, the first
// Snapshot after that listing reuses it; all else is listed anew. The problems are
// the items that were left out, each with position and reason. A server without tools
// is an error that wraps [ErrEmpty] unless AllowEmpty is set. Nil extensions leave
// out skills and apps. Snapshot starts a server that is not started yet, but does not
// reconnect one. Errors are of type [*ServerError].
func (h *Host) Snapshot(ctx context.Context, server string, extensions Extensions) (*schema.Snapshot, []schema.Problem, error) {
	var snap *schema.Snapshot
	var problems []schema.Problem
	s, err := h.attached(server)
	if err != nil {
		return nil, nil, err
	}
	sess, err := h.keeper.current(ctx, s)
	if err != nil {
		return nil, nil, serverError(s.server, stage.Session, err, h.settings.hidden.Text)
	}
	err = sess.listWithin(ctx, "the listings did not end within %v: if they only need more time, raise timeout.start", func(ctx context.Context) (err error) {
		snap, problems, err = sess.snapshot(ctx, extensions)
		return err
	})
	return snap, problems, err
}

// Items lists the prompts, resources or resource templates of a server anew, within
// its start timeout, in the server's order. A listing that the server does not
// support is empty. Items starts no server: one that is not ready is an error, as is
// an unreadable listing. Errors are of type [*ServerError].
func (h *Host) Items(ctx context.Context, server string, kind schema.Kind) ([]schema.Item, error) {
	s, err := h.attached(server)
	if err != nil {
		return nil, err
	}
	sess, err := s.get()
	if err != nil {
		return nil, serverError(s.server, stage.Session, err, h.settings.hidden.Text)
	}
	var listed index
	if err := sess.listWithin(ctx, "the "+string(kind)+"s were not listed within %v", func(ctx context.Context) (err error) {
		listed, err = sess.listItems(ctx, kind)
		return err
	}); err != nil {
		return nil, err
	}
	return listed.inOrder(), nil
}

// attached returns the state of a server, or a *ServerError if there is none.
func (h *Host) attached(server string) (*serverState, error) {
	if s := h.serverState(server); s != nil {
		return s, nil
	}
	return nil, &ServerError{Server: server, Stage: stage.Configure, Err: fmt.Errorf("server %q: %w", server, runtime.ErrNotAttached)}
}

// lostOr returns why the session was lost; err if it was not lost.
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
