// One server of a host: its state, its session if it has one, and the attempts that
// are left to reconnect it.

package attach

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/mcpgen/mcpgen/internal/install"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/supervise"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

// serverState is one server of a host. It outlives its sessions, which own their
// resources. Once closed it stays closed.
type serverState struct {
	server   endpoint.Server
	caller   string          // whose credentials these sessions have; "" is the program's own
	asker    asker           // whose sessions these are
	subject  Subject         // of the caller's last call, under mu
	runner   *install.Runner // may have to install the server; nil if there is none
	folder   string          // may have to be filled by the runner; set before the first start
	notifier *notifier
	now      func() time.Time
	drops    *drops
	large    *budget.Budget  // bounds its large messages
	life     context.Context // ends with Detach and Close
	end      context.CancelCauseFunc
	work     sync.WaitGroup  // the goroutines of this server; see spawn
	callers  *callerSessions // nil: callers share this state
	turn     *turn           // of its calls; nil lets all through at once

	mu           sync.Mutex
	status       Status
	session      *session   // nil unless ready
	reconnecting *reconnect // in progress; nil if there is none
	budget       *supervise.Budget
	gone         <-chan struct{} // closed when the last lost session is cleaned up; nil without one
	proving      bool            // pending tools are being judged
	surfaces     surfaces        // listings of the server
	listed       *toolIndex      // the last listing, also of an ended session; nil if there is none
	expected     *toolIndex      // shown before the first listing; nil: no tools are shown
	launched     fingerprint     // of what the last session was opened with
}

// reconnect is one attempt, or a series of attempts, to open a session. Calls wait
// for it.
type reconnect struct {
	done chan struct{}
	err  error // valid after done; nil: a session was opened
}

// newServerState returns the state of a server that is about to be attached.
func (k *keeper) newServerState(server endpoint.Server) *serverState {
	s := &serverState{server: server, notifier: k.settings.notifier, now: k.settings.clock.now}
	limits := server.Limits.WithDefaults()
	s.drops = &drops{settings: k.settings, server: server.Name, lines: rate.NewLimiter(rate.Limit(float64(limits.Log)/60), limits.Log)}
	s.large = budget.New(limits.Memory, k.settings.large)
	if r, ok := install.Of(server.Launch); ok {
		s.runner = &r
	}
	s.life, s.end = context.WithCancelCause(k.life)
	s.reconnecting = &reconnect{done: make(chan struct{})}
	s.budget = supervise.New(policyOf(server))
	s.status = Status{Server: server.Name, Transport: server.EffectiveTransport()}
	return s
}

// newCallerState returns the state of the session that belongs to key. Its first call,
// with the options o, starts the session, which ends with the shared state of the
// server.
func (k *keeper) newCallerState(s *serverState, key asker, o runtime.Options) *serverState {
	c := k.newServerState(s.server)
	c.caller, c.asker = key.caller, asker{o.Caller, key.session}
	c.notifier, c.drops, c.large, c.folder = &notifier{}, s.drops, s.large, s.folder
	c.life, c.end = context.WithCancelCause(withAsker(s.life, asker{caller: key.caller}))
	c.reconnecting, c.status.State = nil, Unstarted
	if key.session != "" && o.Session.Protocol < modern {
		c.status.Protocol = o.Session.Protocol
	}
	return c
}

// revision returns the protocol revision that a server speaks or spoke; "" if unknown.
func (k *keeper) revision(s *serverState) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(s.server.Protocol, s.status.Protocol, k.settings.Protocols[s.server.Name])
}

// spawn runs f in a goroutine unless the server is closed. Closing waits for f.
func (s *serverState) spawn(f func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spawnLocked(f)
}

func (s *serverState) spawnLocked(f func()) bool {
	if s.status.State == Closed {
		return false
	}
	s.work.Go(f)
	return true
}

// set sets the state and records it, with the events that belong to it; mu is held.
// It does nothing and returns false if the state is Closed. The caller must call
// notify afterwards.
func (s *serverState) set(state State, err error, events ...event.Event) bool {
	if s.status.State == Closed {
		return false
	}
	s.status.State, s.status.Since, s.status.Err = state, s.now(), err
	if err != nil {
		s.status.LastErr = err
	}
	s.note(events...)
	return true
}

// note records events of this server; mu is held.
func (s *serverState) note(events ...event.Event) {
	for _, e := range events {
		e.Server, e.State, e.Time = s.server.Name, cmp.Or(e.State, string(s.status.State)), s.now()
		s.notifier.add(e)
	}
}

// close removes the session for good, and reports its tools as removed.
func (s *serverState) close() *session {
	s.mu.Lock()
	sess := s.session
	if sess != nil {
		s.status.SkippedLines, _ = sess.Skipped()
	}
	s.session, s.status.PID = nil, 0
	var tools []string
	if s.listed != nil {
		tools = s.listed.items.names()
	}
	s.set(Closed, nil, event.Event{Kind: event.Detached, Tools: tools, Before: string(s.status.State)})
	s.mu.Unlock()
	s.end(errDetached)
	s.notifier.notify()
	return sess
}

// get returns the session, or the reason why there is none.
func (s *serverState) get() (*session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.status.State == Ready {
		return s.session, nil
	}
	return nil, s.whyNot()
}

// whyNot returns the reason why there is no session; mu is held.
func (s *serverState) whyNot() error {
	switch s.status.State {
	case Closed:
		return errDetached
	case Unstarted:
		return &failure{text: "the server is not started yet: its first call or listing does that", errs: []error{runtime.ErrUnavailable}}
	case Lost, Failed:
		return &failure{text: s.status.Err.Error(), errs: []error{runtime.ErrUnavailable, s.status.Err}}
	}
	return &failure{text: "the server is still being attached", errs: []error{runtime.ErrUnavailable}}
}

// currentStatus returns the current status.
func (s *serverState) currentStatus() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.status
	if s.session != nil {
		st.SkippedLines, _ = s.session.Skipped()
	}
	if x := s.listed; x != nil {
		st.Tools, st.Listed, st.Problems = len(x.items), x.taken, slices.Clone(x.problems)
		st.Drift, st.Reworded = x.states(), x.reworded()
	}
	st.Restarts, st.RestartsLeft = s.budget.Tries(), s.budget.Left()
	st.Dropped = s.drops.count()
	st.PeakMemory = s.large.Peak()
	return st
}

// logLevelTime is how long a server may take to answer for its log level.
const logLevelTime = 2 * time.Second

// sendLogLevel sends the log level to a server that logs. An error leaves the decision to
// the server.
func (k *keeper) sendLogLevel(ctx context.Context, sess *session) {
	level := k.logLevel.Load()
	if level == nil || sess.isModern() || !sess.handshake.has("logging") {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, logLevelTime)
	defer cancel()
	_, _ = sess.Call(ctx, "logging/setLevel", []byte(`{"level":`+string(quoted(*level))+`}`), wire.CallOptions{})
}
