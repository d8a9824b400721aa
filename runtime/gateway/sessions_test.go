package gateway

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serveTable serves the sessions of a table, as [Gateway.Handler] does, and returns the URL.
func serveTable(t *testing.T, table *sessionTable, store mcp.EventStore, idle time.Duration) string {
	t.Helper()
	table.callerEvents, table.by = newCallerEvents(), map[string]*heldSession{}
	sessions := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return table.g.server }, &mcp.StreamableHTTPOptions{EventStore: store, SessionTimeout: idle})
	return serveHandler(t, table.g.countedHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { table.serve(w, r, sessions) })))
}

// beginSession begins a session and returns the headers of its requests.
func beginSession(t *testing.T, url string) []string {
	t.Helper()
	status, _, headers := postJSON(t, url, initialize)
	for ; status == http.StatusTooManyRequests; status, _, headers = postJSON(t, url, initialize) {
		time.Sleep(time.Millisecond)
	}
	session := []string{sessionHeader, headers.Get(sessionHeader), "Mcp-Protocol-Version", legacy}
	postJSON(t, url, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, session...)
	return session
}

// endSession ends a session as its caller does.
func endSession(t *testing.T, url string, session []string) {
	t.Helper()
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodDelete, url, nil)
	req.Header.Set(session[0], session[1])
	if res, err := http.DefaultClient.Do(req); err != nil || res.StatusCode != http.StatusNoContent {
		t.Errorf("%v, %v", res, err)
	}
}

// Nothing is kept of a session that its caller has ended, or that was idle.
func TestEndedSessionsAreFreed(t *testing.T) {
	for _, idle := range []time.Duration{time.Hour, 50 * time.Millisecond} {
		g := openGateway(t, nil, nil, processServer(t, "s", "echo"))
		table := &sessionTable{g: g, most: 100}
		url := serveTable(t, table, table, idle)
		var sessions []weak.Pointer[mcp.ServerSession]
		for range 20 {
			session := beginSession(t, url)
			for range 2 {
				postJSON(t, url, callOf(2, "s__echo", `{}`), session...)
			}
			for s := range g.server.Sessions() {
				sessions = append(sessions, weak.Make(s))
			}
			if idle == time.Hour {
				endSession(t, url, session)
			}
		}
		eventually(t, "forgotten", func() bool {
			table.mu.Lock()
			defer table.mu.Unlock()
			table.callerEvents.mu.Lock()
			defer table.callerEvents.mu.Unlock()
			return len(table.by) == 0 && len(table.callers) == 0 && len(table.sessions) == 0
		})
		eventually(t, "freed", func() bool {
			runtime.GC()
			left := slices.DeleteFunc(slices.Clone(sessions), func(p weak.Pointer[mcp.ServerSession]) bool { return p.Value() == nil })
			return len(left) <= 1
		})
	}
}

// slowStore is a store of events that takes long to close one session.
type slowStore struct {
	*sessionTable
	slow   string
	closes chan bool // before the table closes it, and after that
}

func (s *slowStore) SessionClosed(ctx context.Context, session string) error {
	if session != s.slow {
		return s.sessionTable.SessionClosed(ctx, session)
	}
	s.closes <- true
	<-s.closes
	err := s.sessionTable.SessionClosed(ctx, session)
	s.closes <- true
	<-s.closes
	return err
}

// A session takes no request while it closes, and none before the SDK has forgotten it: the
// SDK would answer with an empty stream.
func TestEndedSession(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "echo"))
	table := &sessionTable{g: g, most: 1}
	store := &slowStore{sessionTable: table, closes: make(chan bool)}
	url := serveTable(t, table, store, time.Hour)
	for how, end := range map[string]func([]string){
		"by its caller":   func(session []string) { endSession(t, url, session) },
		"for another one": func([]string) { endSession(t, url, beginSession(t, url)) },
	} {
		session := beginSession(t, url)
		postJSON(t, url, callOf(2, "s__echo", `{}`), session...)
		store.slow = session[1]
		var ending sync.WaitGroup
		ending.Go(func() { end(session) })
		for _, when := range []string{"before", "after"} {
			<-store.closes
			answered := make(chan bool)
			go func() {
				defer close(answered)
				if status, body, _ := within(t, url, callOf(3, "s__echo", `{}`), session...); status != http.StatusNotFound {
					t.Errorf("a session that ended %s, %s it is forgotten: %d %q", how, when, status, body)
				}
			}()
			select {
			case <-answered:
			case <-time.After(5 * time.Second): // the SDK waits for the store
			}
			store.closes <- true
			<-answered
		}
		ending.Wait()
	}
}

// Callers whose sessions end to make room for others have the answer to each call, or hear that
// the session is over.
func TestSessionsMakeRoom(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "echo"))
	url, _ := serveHTTP(t, g, &HandlerOptions{Sessions: 10})
	var calling sync.WaitGroup
	for range 30 {
		calling.Go(func() {
			session := beginSession(t, url+Path)
			for range 30 {
				status, body, _ := within(t, url+Path, callOf(7, "s__echo", `{}`), session...)
				if status == http.StatusNotFound {
					session = beginSession(t, url+Path)
				} else if status != http.StatusOK || !strings.Contains(body, `"id":7`) {
					t.Errorf("%d %q", status, body)
				}
			}
		})
	}
	calling.Wait()
}

// A client may call as soon as it has the answer to its handshake. Such a session is in
// use, so that it does not end to make room.
func TestEarlySession(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "echo"))
	table := &sessionTable{g: g, most: 1, callerEvents: newCallerEvents(), by: map[string]*heldSession{}}
	sessions := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return g.server }, &mcp.StreamableHTTPOptions{EventStore: table})
	var early *heldSession
	url := serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		table.serve(w, r, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sessions.ServeHTTP(w, r)
			early = table.enter(w.Header().Get(sessionHeader)) // before the handshake's handler ends
		}))
	}))
	postJSON(t, url, initialize)
	if early == nil {
		t.Fatal("the session is not known")
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, Path, nil)
	r.Header.Set(sessionHeader, "none")
	table.serve(w, r, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("an unknown session has a request") }))
	table.mu.Lock()
	defer table.mu.Unlock()
	if len(table.by) != 1 || w.Code != http.StatusNotFound {
		t.Errorf("%d sessions are held; an unknown one: %d", len(table.by), w.Code)
	}
	anyone := func(*heldSession) bool { return true }
	if table.endIdle(anyone) {
		t.Error("a session in use was ended")
	}
	table.mu.Unlock()
	table.leave(early)
	table.mu.Lock()
	if !table.endIdle(anyone) {
		t.Error("a session that is not in use was not ended")
	}
}
