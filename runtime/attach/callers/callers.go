// Package callers keeps sessions of their own for those on whose behalf a program calls:
// a gateway's callers, the users of a service.
//
//	attach.Options{Callers: callers.Own{}.With}
package callers

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// What [Own] says where it has no other number.
const (
	DefaultMax  = 256
	DefaultIdle = 10 * time.Minute
)

// Own says which sessions are kept. The zero value keeps them with every server.
type Own struct {
	// Servers reports whether each caller has a session of its own with a server. It must
	// always answer the same for one. Nil: with all.
	Servers func(server endpoint.Server) bool
	// Max bounds the sessions of callers with one server. A new one ends the one that has
	// been idle longest; if none is, the call fails with [runtime.ErrUnavailable]. Zero is
	// DefaultMax.
	Max int
	// Idle is how long such a session is kept without a call. Zero is DefaultIdle.
	Idle time.Duration
}

// With returns what keeps the sessions with a server; nil if all callers share one. It
// is for [attach.Options.Callers].
func (o Own) With(server endpoint.Server) attach.CallerSessions {
	if o.Servers != nil && !o.Servers(server) {
		return nil
	}
	return &sessions{most: cmp.Or(o.Max, DefaultMax), rest: cmp.Or(o.Idle, DefaultIdle), by: map[string]*kept{}}
}

// sessions implements [attach.CallerSessions].
type sessions struct {
	most int
	rest time.Duration

	mu sync.Mutex
	by map[string]*kept // nil after Close
}

// kept is the session of one caller.
type kept struct {
	attach.CallerSession
	calls int       // under way
	since time.Time // the last one ended
	idle  *time.Timer
}

// Take implements [attach.CallerSessions].
func (s *sessions) Take(caller string, open func() attach.CallerSession) (_ attach.CallerSession, done func(), err error) {
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
		k = &kept{CallerSession: open()}
		k.idle = time.AfterFunc(time.Hour, func() { s.expire(caller, k) })
		s.by[caller] = k
	}
	k.idle.Stop()
	k.calls++
	return k.CallerSession, func() {
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
func (s *sessions) makeRoom() error {
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
		return &full{s.most}
	}
	s.drop(oldest)
	return nil
}

// full is a call for which there is no room.
type full struct{ most int }

func (e *full) Error() string {
	return hint.Text(fmt.Sprintf("%d callers have calls under way with the server, and there is no room for another", e.most), e.NextSteps())
}

// NextSteps returns what Error ends with.
func (e *full) NextSteps() []string { return []string{"try again later", "raise Max of callers.Own"} }

func (e *full) Unwrap() error { return runtime.ErrUnavailable }

// expire ends the session of a caller that has been idle.
func (s *sessions) expire(caller string, k *kept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by[caller] == k && k.calls == 0 {
		s.drop(caller)
	}
}

// drop takes the session of a caller out and ends it; mu is held.
func (s *sessions) drop(caller string) {
	k := s.by[caller]
	delete(s.by, caller)
	k.idle.Stop()
	k.End()
}

// Close implements [attach.CallerSessions].
func (s *sessions) Close() []attach.CallerSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []attach.CallerSession
	for _, k := range s.by {
		k.idle.Stop()
		all = append(all, k.CallerSession)
	}
	s.by = nil
	return all
}
