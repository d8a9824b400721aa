// Starting servers, noticing that they are lost, and reconnecting them.

package attach

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/httpx"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/supervise"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

const (
	// health is how long a server has to be ready until its attempts are restored.
	health = time.Minute
	// remains is how long the process of a lost session may take to end by itself
	// before it is killed: a process that lost its connection is broken.
	remains = time.Second
)

// gaps returns the time from one attempt to the next one that a call may request:
// five attempts, the first at once.
func gaps() []time.Duration {
	return []time.Duration{0, time.Second, 5 * time.Second, 20 * time.Second, time.Minute}
}

// policyOf returns how often a server may be reconnected.
func policyOf(server endpoint.Server) supervise.Policy {
	var p supervise.Policy
	switch server.Restart {
	case endpoint.RestartNever:
		return p
	case endpoint.RestartOnce:
		p.Gaps = gaps()[:1]
	default:
		p.Gaps, p.Health = gaps(), health
	}
	if _, isProcess := server.Launch.(*endpoint.Process); !isProcess {
		// A remote server is restarted by others, and its failure often has other
		// causes: after a rest another attempt is worthwhile.
		p.Waits = []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}
		p.Rest = p.Health
	}
	return p
}

// keeper starts servers, and starts them again when they are lost.
type keeper struct {
	lister
	turns    chan struct{}          // limits the servers that attach at the same time
	life     context.Context        // of the host
	fills    sync.Map               // string → chan struct{}: by folder of a package runner; holds one while it is filled
	logLevel atomic.Pointer[string] // see [Host.SetLogLevel]; nil: servers decide
}

// attachAll brings servers up, all at the same time, and waits for them, except for
// servers that are still being installed and with Options.Background. Lazy servers
// are left unstarted. Servers that cannot start fail before anything is started.
func (k *keeper) attachAll(ctx context.Context, states []*serverState) {
	var able []*serverState
	for _, s := range states {
		err := k.precheck(s)
		switch {
		case (s.server.Lazy || s.callers != nil && s.callers.perCaller) && k.expect(s):
			k.leave(s) // its first call reports the error
		case err != nil:
			k.connecting(s)
			k.failed(s, err, false)
		case k.settings.Background:
			k.expect(s)
			k.connecting(s)
			s.spawn(func() { k.attach(s.life, s, func() {}) })
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
			k.connecting(s)
			k.attach(ctx, s, leave)
		}) {
			leave()
		}
	}
	attaching.Wait()
}

// up opens the session of a server and lists its tools, within the start timeout. The
// listing is judged before other goroutines see it.
func (k *keeper) up(ctx context.Context, s *serverState) (*session, error) {
	filled := func() {}
	if s.folder != "" {
		var err error
		if filled, err = s.runner.Fill(ctx, &k.fills, s.folder); err != nil {
			return nil, serverError(s.server, stage.Start, contextError(ctx), k.settings.hidden.Text)
		}
		defer filled()
	}
	start := k.startLimit(s)
	within := context.WithTimeoutCause
	if _, isAddress := s.server.Launch.(*endpoint.Address); isAddress {
		within = withPausableTimeout // a person may have to sign in
	}
	ctx, cancel := within(ctx, start, hint.With(fmt.Errorf("%w: not ready within %v", runtime.ErrTimeout, start), "if the server only needs more time, raise timeout.start"))
	defer cancel()
	o := &opener{
		settings: k.settings, server: s.server, caller: s.caller, asker: s.asker, turn: s.turn, runner: s.runner, limits: s.server.Limits.WithDefaults(),
		changed: make(chan struct{}, 1), updates: newFollowers(), drops: s.drops, memory: s.large,
	}
	s.mu.Lock()
	o.worked = s.status.Protocol
	if s.subject.Token != "" {
		ctx = s.subject.Context(ctx)
	}
	s.mu.Unlock()
	sess, err := o.open(ctx)
	filled()
	s.mu.Lock()
	s.launched = fingerprintOf(o.resolved)
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	x, err := sess.takeTools(ctx)
	if err != nil {
		err = lostOr(sess, err)
		if ctx.Err() != nil {
			err = sess.withSkipped(joinLate(context.Cause(ctx), err), 0)
		}
		err = o.fail(ctx, stage.List, err)
		sess.discard()
		return nil, err
	}
	sess.handlers.settleRoots(ctx)
	k.judge(s, x)
	sess.tools.Store(x)
	return sess, nil
}

// tend watches a session until it ends: it refreshes the listing, and handles the
// loss.
func (k *keeper) tend(s *serverState, sess *session) {
	k.refresh(s.life, s, sess)
	if s.life.Err() == nil {
		k.lost(s, sess)
	}
}

// connecting records that a server is being attached.
func (k *keeper) connecting(s *serverState) {
	s.mu.Lock()
	s.set(Connecting, nil, event.Event{Kind: event.Attaching})
	s.mu.Unlock()
	s.notifier.notify()
}

// attach starts a server for the first time; it is already recorded as connecting. It
// waits for its turn. The end of the caller's context ends the attaching, and not the
// session. Leave is called when the caller need not wait any longer: a server that is
// still being installed continues without the caller and without a turn.
func (k *keeper) attach(caller context.Context, s *serverState, leave func()) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(caller))
	defer cancel(nil)
	alone := context.AfterFunc(caller, func() { cancel(context.Cause(caller)) })
	defer alone()
	defer context.AfterFunc(s.life, func() { cancel(context.Cause(s.life)) })()
	select {
	case k.turns <- struct{}{}:
	case <-ctx.Done():
		k.failed(s, serverError(s.server, stage.Start, contextError(ctx), k.settings.hidden.Text), false)
		return
	}
	endTurn := sync.OnceFunc(func() { <-k.turns })
	defer endTurn()
	if k.installTime(s) > 0 {
		defer time.AfterFunc(s.server.Timeout.WithDefaults().Start, func() {
			if alone() && k.stillInstalling(s) {
				endTurn()
				leave()
			}
		}).Stop()
	}
	sess, err := k.up(ctx, s)
	if err != nil {
		k.failed(s, err, false)
		return
	}
	k.ready(s, sess)
}

// ready adds a session and ends the attempt. If the server has been closed, the
// session ends with it.
func (k *keeper) ready(s *serverState, sess *session) {
	x := sess.tools.Load()
	s.mu.Lock()
	s.session = sess
	st := &s.status
	st.Transport, st.Protocol, st.PID = sess.transportKind, sess.protocol, sess.pid
	st.Identity, st.Name, st.Version = sess.handshake.identity, sess.handshake.name, sess.handshake.version
	before := s.listed
	s.listed = x
	ok := s.set(Ready, nil, event.Event{Kind: event.Attached, Tools: x.items.names()})
	if ok {
		s.budget.Ready(s.now())
		s.note(listingEvents(before, x)...)
		k.prove(s)
		s.finishReconnect(nil)
		s.spawnLocked(func() { k.tend(s, sess) })
		s.spawnLocked(func() { k.sendLogLevel(s.life, sess) })
	} else {
		s.session, st.PID = nil, 0
		s.finishReconnect(errDetached)
	}
	s.mu.Unlock()
	k.storeListing(s, sess, x)
	s.notifier.notify()
	if !ok {
		sess.discard()
	}
}

// finishReconnect ends the attempt in progress; mu is held.
func (s *serverState) finishReconnect(err error) {
	if a := s.reconnecting; a != nil {
		s.reconnecting, a.err = nil, err
		close(a.done)
	}
}

// failed records that an attempt has failed, and ends the attempt. Final says that
// the host makes no further attempt by itself. In an outage, the first failed attempt
// to reconnect is reported to the program.
func (k *keeper) failed(s *serverState, err error, final bool) {
	var se *ServerError
	s.mu.Lock()
	if errors.As(err, &se) && se.Stage == stage.Configure {
		s.budget = supervise.New(supervise.Policy{}) // retrying would fail the same way
	}
	state := Failed
	if _, isProcess := s.server.Launch.(*endpoint.Process); isProcess && s.listed != nil && !s.budget.Spent() {
		state = Lost // its tools stay, since calls of them may restart it
	}
	unavailable := s.set(state, err, event.Event{Kind: event.Failed, Err: err}) &&
		(final || s.budget.Spent() || s.budget.Tries() > 0) && k.markUnavailable(s, err)
	s.finishReconnect(&failure{text: err.Error(), errs: []error{runtime.ErrUnavailable, err}})
	s.mu.Unlock()
	k.notifyOutage(s, unavailable, err)
}

// markUnavailable records, once in an outage, that a server is unavailable; mu is
// held. It reports whether to warn the program, because the server was ready before.
func (k *keeper) markUnavailable(s *serverState, err error) (warn bool) {
	if !s.budget.ReportOnce() {
		return false
	}
	s.note(event.Event{Kind: event.Unavailable, Err: err})
	return s.listed != nil
}

// notifyOutage notifies the program of recorded events, and warns it.
func (k *keeper) notifyOutage(s *serverState, warn bool, err error) {
	s.notifier.notify()
	if warn {
		k.settings.log.Warn("MCP server unavailable: it did not come back, so its tools cannot be called",
			slog.String("server", s.server.Name), slog.String("error", err.Error()))
	}
}

// lost records that a session has ended without being closed. Calls in progress have
// failed already; the rest of the session is cleaned up in the background.
func (k *keeper) lost(s *serverState, sess *session) {
	cause := sess.cause()
	if cause == nil {
		cause = errors.New("the connection ended")
	}
	err := serverError(s.server, stage.Session, cause, sess.mask)
	s.mu.Lock()
	if s.session != sess || sess.closing.Load() {
		s.mu.Unlock()
		return
	}
	s.status.SkippedLines, _ = sess.Skipped()
	s.session, s.status.PID = nil, 0
	s.budget.Lost(s.now())
	gone := make(chan struct{})
	s.gone = gone
	s.spawnLocked(func() {
		free := sync.OnceFunc(func() { close(gone) })
		defer free()
		if forgotten(cause) {
			free() // the next session need not wait: the server is running
			sess.Drain(s.life)
		}
		end, cancel := context.WithTimeout(context.Background(), remains)
		defer cancel()
		sess.close(end)
	})
	failed := event.Event{Kind: event.Failed, Err: err}
	unavailable := false
	if s.budget.Spent() {
		s.set(Failed, err, failed)
		unavailable = k.markUnavailable(s, err)
	} else {
		s.set(Lost, err, failed)
		k.beginReconnects(s, forgotten(cause))
	}
	s.mu.Unlock()
	k.notifyOutage(s, unavailable, err)
}

// forgotten reports whether the server is running and only does not know the session
// any more: then no wait is needed.
func forgotten(cause error) bool {
	he, ok := errors.AsType[*httpx.Error](cause)
	return ok && he.Status != 0
}

// beginReconnects begins the attempts that need no call, if any; mu is held.
func (k *keeper) beginReconnects(s *serverState, atOnce bool) {
	wait, ok := s.budget.Next()
	if !ok {
		return
	}
	if atOnce {
		wait = 0
	}
	s.reconnecting = &reconnect{done: make(chan struct{})}
	s.spawnLocked(func() { k.reconnect(s, wait) })
}

// reconnect makes the attempts that need no call.
func (k *keeper) reconnect(s *serverState, wait time.Duration) {
	for {
		if k.settings.clock.sleep(s.life, wait) != nil {
			k.failed(s, errDetached, false)
			return
		}
		err := k.try(s, event.Reconnecting)
		if err == nil {
			return
		}
		s.mu.Lock()
		next, ok := s.budget.Next()
		if ok {
			s.set(Lost, err, event.Event{Kind: event.Failed, Err: err})
		}
		s.mu.Unlock()
		if !ok {
			k.failed(s, err, true)
			return
		}
		s.notifier.notify()
		wait = next
	}
}

// try makes one attempt to reconnect a server. The caller must record the error.
func (k *keeper) try(s *serverState, kind event.Kind) error {
	s.mu.Lock()
	gone := s.gone
	s.budget.Tried(s.now())
	s.set(Connecting, nil, event.Event{Kind: kind})
	s.mu.Unlock()
	s.notifier.notify()
	if gone != nil {
		<-gone // bounded; two processes of one server might compete for a port or a file
	}
	sess, err := k.up(s.life, s)
	if err != nil {
		return err
	}
	k.ready(s, sess)
	return nil
}

// session returns the session of a server. It waits for an attempt in progress, and
// begins one if the server is lost and a call may reconnect it. All waiting calls
// share the attempt: it goes on when one of them gives up.
func (k *keeper) session(ct *callTime, s *serverState) (*session, error) {
	sess, a, err := k.claim(s)
	if a == nil {
		return sess, err
	}
	ct.whole = false
	for {
		select {
		case <-a.done:
			if s.life.Err() != nil {
				return nil, errDetached
			}
			if a.err != nil {
				return nil, a.err
			}
		case <-s.life.Done():
			return nil, errDetached
		case <-ct.ctx.Done():
			return nil, ct.notReady(s.currentStatus().LastErr)
		}
		if sess, a, err = k.claim(s); a == nil {
			return sess, err
		}
	}
}

// claim returns the session, or the attempt to wait for, or the reason why there is
// neither.
func (k *keeper) claim(s *serverState) (*session, *reconnect, error) {
	s.mu.Lock()
	if sess := s.session; sess != nil {
		select {
		case <-sess.done(): // not recorded yet
			s.mu.Unlock()
			k.lost(s, sess)
			s.mu.Lock()
		default:
		}
	}
	defer s.mu.Unlock()
	switch {
	case s.status.State == Ready:
		return s.session, nil, nil
	case s.status.State == Closed:
		return nil, nil, errDetached
	case s.reconnecting != nil:
		return nil, s.reconnecting, nil
	case s.status.State == Unstarted:
		return nil, k.startLocked(s), nil
	}
	if ok, wait := s.budget.OnCall(s.now()); !ok {
		return nil, nil, s.notNow(wait)
	}
	kind := event.Restarting
	if _, isProcess := s.server.Launch.(*endpoint.Process); !isProcess {
		kind = event.Reconnecting
	}
	a := &reconnect{done: make(chan struct{})}
	s.reconnecting = a
	s.spawnLocked(func() {
		if err := k.try(s, kind); err != nil {
			k.failed(s, err, false)
		}
	})
	return nil, a, nil
}

// notNow returns why there is no session, and when a call may try again; mu is held.
func (s *serverState) notNow(wait time.Duration) error {
	why := s.whyNot()
	when := "no attempt to start the server again is left: fix the server, then reload or attach it again"
	if wait > 0 {
		when = fmt.Sprintf("the next call can try again in %v", (wait + time.Second - 1).Truncate(time.Second))
	}
	return &failure{text: why.Error() + "; " + when, errs: []error{why}}
}
