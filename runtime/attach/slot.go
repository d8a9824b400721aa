// The place of one server in a host: its state, and its session while it has
// one.

package attach

import (
	"slices"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// slot holds one server. What a session costs is paid by the session; a slot
// outlives it.
type slot struct {
	server endpoint.Server
	notify *notifier

	mu      sync.Mutex
	status  Status
	session *session // nil unless ready
}

func newSlot(server endpoint.Server, n *notifier) *slot {
	s := &slot{server: server, notify: n}
	s.status = Status{Server: server.Name, Transport: server.EffectiveTransport()}
	return s
}

// change sets the state and tells of it. Nothing leaves Closed.
func (s *slot) change(state State, f func(*Status)) bool {
	s.mu.Lock()
	if s.status.State == Closed {
		s.mu.Unlock()
		return false
	}
	s.status.State, s.status.Since, s.status.Err = state, time.Now(), nil
	if f != nil {
		f(&s.status)
	}
	told := s.snapshotLocked()
	s.mu.Unlock()
	s.notify.post(told)
	return true
}

func (s *slot) connecting() { s.change(Connecting, nil) }

// ready hands over a session. It reports false if the slot is closed: the
// session is then the caller's to close.
func (s *slot) ready(sess *session) bool {
	return s.change(Ready, func(st *Status) {
		s.session = sess
		st.Transport, st.Protocol, st.PID = sess.transport, sess.protocol, sess.pid
		st.Name, st.Version = sess.hello.name, sess.hello.version
		st.Tools, st.Problems = len(sess.tools.items), sess.tools.problems
	})
}

func (s *slot) fail(err error) {
	s.change(Failed, func(st *Status) {
		if s.session != nil {
			st.SkippedLines = s.session.skipped()
		}
		s.session, st.Err, st.PID = nil, err, 0
	})
}

// close takes the session out, for good.
func (s *slot) close() *session {
	s.mu.Lock()
	sess := s.session
	s.mu.Unlock()
	s.change(Closed, func(st *Status) {
		if sess != nil {
			st.SkippedLines = sess.skipped()
		}
		s.session, st.PID = nil, 0
	})
	return sess
}

// get returns the session, or why there is none.
func (s *slot) get() (*session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.status.State {
	case Ready:
		return s.session, nil
	case Closed:
		return nil, &failure{text: "the host is closed", errs: []error{runtime.ErrNotAttached}}
	case Failed:
		return nil, &failure{text: s.status.Err.Error(), errs: []error{runtime.ErrUnavailable, s.status.Err}}
	}
	return nil, &failure{text: "the server is still being attached", errs: []error{runtime.ErrUnavailable}}
}

// snapshot returns the status as it is now.
func (s *slot) snapshot() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snapshotLocked()
}

func (s *slot) snapshotLocked() Status {
	st := s.status
	if s.session != nil {
		st.SkippedLines = s.session.skipped()
	}
	st.Problems = slices.Clone(st.Problems)
	return st
}
