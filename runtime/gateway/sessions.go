// The sessions of callers over HTTP. Each is kept for half an hour without a request,
// even if its client has ended.

package gateway

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// defaultSessions is the default of [HandlerOptions.Sessions].
const defaultSessions = 256

// maxSessions bounds the sessions of all callers together.
const maxSessions = 4096

// sessionHeader identifies the session of a request.
const sessionHeader = "Mcp-Session-Id"

// sessionTable holds the sessions of callers over HTTP.
type sessionTable struct {
	g    *Gateway
	most int // of one caller

	mu sync.Mutex
	by map[string]*heldSession // by id, or by a temporary name while it begins
}

// heldSession is one session.
type heldSession struct {
	caller  string
	peer    *peer     // nil before its first call
	sdk     time.Time // when the SDK last knew of a request
	open    int       // requests in progress, including streams
	since   time.Time // the end of the last request
	unknown bool      // its handshake's handler has not ended, or the ID is wrong
	ended   bool      // to make room: the session takes no request while it closes
}

// serve serves requests in sessions, and requests that begin one.
func (t *sessionTable) serve(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if id := r.Header.Get(sessionHeader); id != "" || r.Method != http.MethodPost {
		leave, ok := t.enter(id)
		if !ok {
			http.Error(w, "session not found", http.StatusNotFound)
			return
		}
		defer leave()
		if body, ok := r.Body.(wholeBody); ok {
			if t.directIn(id, w, r, next) {
				return
			}
			t.g.handCancelledOver(id, body.all)
		}
		if r.Method == http.MethodDelete && t.isOf(id, userOf(auth.TokenInfoFromContext(r.Context()))) {
			t.g.endCalls(id) // nobody gets their answers
		}
		next.ServeHTTP(w, r)
		return
	}
	if body, ok := r.Body.(wholeBody); ok && body.all[0] == '{' {
		if method := jsontext.Text(jsontext.Member(body.all, "method")); method != "initialize" && method != "server/discover" {
			http.Error(w, "a session begins with initialize, and its later requests have the header "+sessionHeader, http.StatusBadRequest)
			return
		}
	}
	begins := newID()
	if !t.reserve(begins, userOf(auth.TokenInfoFromContext(r.Context()))) {
		w.Header().Set("Retry-After", "60")
		http.Error(w, fmt.Sprintf("too many sessions are in use (limits: %d for one caller, %d for all): end some with DELETE, or call again later", t.most, maxSessions), http.StatusTooManyRequests)
		return
	}
	next.ServeHTTP(w, r)
	t.begun(begins, w.Header().Get(sessionHeader))
}

// enter records that a request of a session is in progress. The returned function
// records its end. It returns false if the session was ended.
func (t *sessionTable) enter(id string) (leave func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.by[id]
	if s == nil {
		s = &heldSession{unknown: true} // the SDK knows whether it is a session
		t.by[id] = s
	}
	if s.ended {
		return nil, false
	}
	s.open++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		s.open--
		s.since = time.Now()
		if s.open == 0 && s.unknown {
			delete(t.by, id)
		}
	}, true
}

// fresh returns a session of a caller that has begun and that the SDK will not end soon; nil
// if there is none. The SDK counts the time since the last request that it has seen.
func (t *sessionTable) fresh(id, caller string) *peer {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.by[id]
	if s == nil || s.unknown || s.caller != caller {
		return nil
	}
	if s.peer == nil {
		for session := range t.g.server.Sessions() {
			if session.ID() == id {
				s.peer = t.g.forgetAfter(session)
			}
		}
	}
	if time.Since(s.sdk) > time.Minute || s.peer == nil || s.peer.life.Err() != nil || !s.peer.hasBegun() {
		s.sdk = time.Now() // this request goes there
		return nil
	}
	return s.peer
}

// isOf reports whether a session is that of a caller.
func (t *sessionTable) isOf(id, caller string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.by[id]
	return s != nil && !s.unknown && s.caller == caller
}

// reserve makes room for a new session. At a limit, the session that has been idle
// longest ends: its client, if it still exists, begins another when the session is
// unknown. It returns false if all sessions have a request in progress.
func (t *sessionTable) reserve(name, caller string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := func(s *heldSession) bool { return s.caller == caller }
	anyone := func(*heldSession) bool { return true }
	if t.count(own) >= t.most || t.count(anyone) >= maxSessions {
		t.prune()
	}
	if t.count(own) >= t.most && !t.endIdle(own) || t.count(anyone) >= maxSessions && !t.endIdle(anyone) {
		return false
	}
	t.by[name] = &heldSession{caller: caller, open: 1}
	return true
}

// begun sets the ID of a session that has begun; with the ID "" the session is
// dropped.
func (t *sessionTable) begun(name, id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.by[name]
	delete(t.by, name)
	switch early := t.by[id]; {
	case id == "":
	case early != nil: // a request came before
		early.caller, early.unknown = s.caller, false
	default:
		s.open, s.since = 0, time.Now()
		t.by[id] = s
	}
}

// count returns how many sessions match; mu is held.
func (t *sessionTable) count(of func(*heldSession) bool) (n int) {
	for _, s := range t.by {
		if !s.ended && !s.unknown && of(s) {
			n++
		}
	}
	return n
}

// prune removes the sessions that ended by themselves; mu is held.
func (t *sessionTable) prune() {
	live := map[string]bool{}
	for s := range t.g.server.Sessions() {
		live[s.ID()] = true
	}
	for id, s := range t.by {
		if s.open == 0 && !live[id] && !s.ended {
			delete(t.by, id)
		}
	}
}

// endIdle ends the matching session that has been idle longest; mu is held.
func (t *sessionTable) endIdle(of func(*heldSession) bool) bool {
	oldest := ""
	for id, s := range t.by {
		if of(s) && !s.ended && s.open == 0 && (oldest == "" || s.since.Before(t.by[oldest].since)) {
			oldest = id
		}
	}
	if oldest == "" {
		return false
	}
	t.by[oldest].ended = true
	go func() {
		if s := t.g.endCalls(oldest); s != nil {
			_ = s.Close() // it is over either way
		}
		t.mu.Lock() // the SDK refuses its requests from now on
		defer t.mu.Unlock()
		delete(t.by, oldest)
	}()
	return true
}
