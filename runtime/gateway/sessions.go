// The sessions of callers over HTTP. Each is kept for half an hour without a request,
// even if its client has ended.

package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// defaultSessions is the default of [HandlerOptions.Sessions].
const defaultSessions = 256

// maxSessions bounds the sessions of all callers together.
const maxSessions = 4096

// sessionHeader identifies the session of a request.
const sessionHeader = "Mcp-Session-Id"

// sessionTable holds the sessions of callers over HTTP. It is the store of their events: so the
// SDK tells it when a session begins and ends. A request of a session that is not in the table
// does not reach the SDK, which answers with an empty stream while it closes the session.
type sessionTable struct {
	g    *Gateway
	most int // of one caller

	mu     sync.Mutex
	by     map[string]*heldSession  // by id
	events map[string]*callerEvents // by caller
}

func newSessionTable(g *Gateway, most int) *sessionTable {
	return &sessionTable{g: g, most: most, by: map[string]*heldSession{}, events: map[string]*callerEvents{}}
}

// heldSession is one session.
type heldSession struct {
	id     string // a temporary name before it begins
	caller string
	events *callerEvents            // nil until it begins
	peer   *peer                    // nil until its handshake's handler has ended
	sdk    time.Time                // when the SDK last knew of a request
	open   int                      // requests in progress, including streams
	ids    map[string]*http.Request // of those requests, until they are answered
	since  time.Time                // the end of the last request
	ended  bool                     // by the gateway or its caller: the session takes no request while it closes
}

type beginning struct{} // key of a context: *heldSession

// serve serves requests in sessions, and requests that begin one.
func (t *sessionTable) serve(w http.ResponseWriter, r *http.Request, next http.Handler) {
	id, caller := r.Header.Get(sessionHeader), userOf(auth.TokenInfoFromContext(r.Context()))
	if id == "" && r.Method != http.MethodPost {
		next.ServeHTTP(w, r) // the SDK says what is missing
		return
	}
	if id != "" {
		s, why, status := t.enter(id, caller, r)
		if s == nil {
			why.write(w, status)
			return
		}
		defer t.leave(s, w, r)
		if body, ok := r.Body.(*wholeBody); ok {
			if t.directIn(s, w, r, next) {
				return
			}
			t.g.handovers.connect(r)
			t.g.handovers.cancelled(id, &body.message)
		}
		if r.Method == http.MethodDelete {
			t.end(s)
			defer t.goOn(s)
		}
		next.ServeHTTP(w, r)
		return
	}
	if body, ok := r.Body.(*wholeBody); ok && body.batch == nil {
		if method := body.name(); method != "initialize" && method != "server/discover" {
			http.Error(w, "a session begins with initialize, and its later requests have the header "+sessionHeader, http.StatusBadRequest)
			return
		}
	}
	s := t.reserve(caller)
	if s == nil {
		w.Header().Set("Retry-After", "60")
		http.Error(w, fmt.Sprintf("too many sessions are in use (limits: %d for one caller, %d for all): end some with DELETE, or call again later", t.most, maxSessions), http.StatusTooManyRequests)
		return
	}
	next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), beginning{}, s)))
	t.begun(s, t.g.peers.withID(w.Header().Get(sessionHeader)))
}

// answered says that a request has its answer.
func (t *sessionTable) answered(session, id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.by[session]; s != nil {
		delete(s.ids, id)
	}
}

// enter records that a request of a session is in progress. A refusal has the status of its
// answer: there is no such session, it takes no request, it is another caller's, or a request
// with the same ID is in progress.
func (t *sessionTable) enter(id, caller string, r *http.Request) (s *heldSession, why *refusal, status int) {
	var ids []string
	if body, ok := r.Body.(*wholeBody); ok {
		body.each(func(m *message) {
			if m.isCall() {
				ids = append(ids, textOf(m.id))
			}
		})
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s = t.by[id]
	switch {
	case s == nil || s.ended:
		return nil, invalidMessage(nil, "session not found"), http.StatusNotFound
	case s.caller != caller:
		return nil, invalidMessage(nil, "the session is another caller's"), http.StatusForbidden
	}
	for _, id := range ids {
		if s.ids[id] != nil {
			return nil, invalidMessage(json.RawMessage(id), "a request with this id is in progress: give each request of a session its own id"), http.StatusBadRequest
		}
	}
	for _, id := range ids {
		s.ids[id] = r
	}
	s.open++
	return s, nil, 0
}

// leave records that a request is not served any more. It is still in progress if its caller
// has left a stream: the caller may resume that.
func (t *sessionTable) leave(s *heldSession, w http.ResponseWriter, r *http.Request) {
	goesOn := r.Context().Err() != nil && w.Header().Get("Content-Type") == "text/event-stream"
	t.mu.Lock()
	defer t.mu.Unlock()
	s.open--
	s.since = time.Now()
	if !goesOn {
		maps.DeleteFunc(s.ids, func(_ string, other *http.Request) bool { return other == r })
	}
}

// fresh returns a session that has begun and that the SDK will not end soon; nil if it is not
// one. The SDK counts the time since the last request that it has seen.
func (t *sessionTable) fresh(s *heldSession) *peer {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s.peer == nil {
		return nil
	}
	if _, begun := s.peer.wants(); !begun || time.Since(s.sdk) > time.Minute || s.peer.life.Err() != nil {
		s.sdk = time.Now() // this request goes there
		return nil
	}
	return s.peer
}

// end ends the calls of a session that its caller ends: nobody gets their answers.
func (t *sessionTable) end(s *heldSession) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.ended = true
	if s.peer != nil {
		s.peer.end()
	}
}

// goOn has a session take requests again, if the SDK has not ended it.
func (t *sessionTable) goOn(s *heldSession) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.ended = false
}

// reserve makes room for a new session. At a limit, the session that has been idle
// longest ends: its client, if it still exists, begins another when the session is
// unknown. It returns nil if all sessions have a request in progress.
func (t *sessionTable) reserve(caller string) *heldSession {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := func(s *heldSession) bool { return s.caller == caller }
	anyone := func(*heldSession) bool { return true }
	if !t.makeRoom(t.most, own) || !t.makeRoom(maxSessions, anyone) {
		return nil
	}
	s := &heldSession{id: newID(), caller: caller, open: 1, ids: map[string]*http.Request{}}
	t.by[s.id] = s
	return s
}

// begun records the end of the request that began a session. Peer is nil if it began none.
func (t *sessionTable) begun(s *heldSession, peer *peer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.open--
	s.since = time.Now()
	if s.peer = peer; peer == nil {
		_ = t.drop(context.Background(), s.id) // it has begun no session
	}
}

// makeRoom reports whether there are fewer than most matching sessions, or ends the session
// with the longest idle time; mu is held.
func (t *sessionTable) makeRoom(most int, of func(*heldSession) bool) bool {
	var oldest *heldSession
	n := 0
	for _, s := range t.by {
		if s.ended || !of(s) {
			continue
		}
		if n++; s.open == 0 && (oldest == nil || s.since.Before(oldest.since)) {
			oldest = s
		}
	}
	if n < most {
		return true
	}
	if oldest == nil {
		return false
	}
	oldest.ended = true
	oldest.peer.end()
	go func() { _ = oldest.peer.session.Close() }() // it is over either way
	return true
}
