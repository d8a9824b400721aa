package gateway

import (
	"context"
	"encoding/json"
	"io"
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

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// serveTable serves the sessions of a table, as [Gateway.Handler] does, and returns the URL.
func serveTable(t *testing.T, table *sessionTable, store mcp.EventStore, idle time.Duration) string {
	t.Helper()
	sessions := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return table.g.server }, &mcp.StreamableHTTPOptions{EventStore: store, SessionTimeout: idle})
	return serveHandler(t, table.g.busy.counting(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { table.serve(w, r, sessions) }), table.g.unsent))
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
		table := newSessionTable(g, 100)
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
			return len(table.by) == 0 && len(table.events) == 0
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
	table := newSessionTable(g, 1)
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

// The ID of a request in progress is no other request's: the second one is refused at once,
// whichever of them needs the SDK, and also if the caller of the first has left. Once the
// answer is there, the ID may be used again.
func TestRequestsWithOneID(t *testing.T) {
	began, release := make(chan bool, 10), make(chan bool)
	upstream := mcp.NewServer(&mcp.Implementation{Name: "u", Version: "1"}, nil)
	upstream.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		began <- true
		select {
		case <-release:
		case <-time.After(10 * time.Second):
		}
		return &mcp.CallToolResult{}, nil
	})
	g := openGateway(t, nil, nil, endpoint.Server{Name: "s", Protocol: legacy, Launch: &endpoint.Address{
		URL: serveHandler(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return upstream }, nil)),
	}})
	url, _ := serveHTTP(t, g, &HandlerOptions{Auth: twoCallers(t)})
	url += Path
	_, _, headers := postJSON(t, url, initialize, "Authorization", "Bearer "+annToken)
	session := []string{sessionHeader, headers.Get(sessionHeader), "Mcp-Protocol-Version", legacy, "Authorization", "Bearer " + annToken}
	postJSON(t, url, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, session...)
	postJSON(t, url, callOf(1, "s__none", `{}`), session...)

	plain, ping := callOf(5, "s__t", `{}`), `{"jsonrpc":"2.0","id":5,"method":"ping"}`
	streamed := strings.Replace(plain, `"name"`, `"_meta":{"progressToken":1},"name"`, 1)
	refused := func(body string, header ...string) {
		t.Helper()
		if status, got, _ := within(t, url, body, header...); status != http.StatusBadRequest || !strings.Contains(got, "-32600") || !strings.Contains(got, `"id":5`) {
			t.Fatalf("%s: %d %s", body, status, got)
		}
	}
	for _, first := range []string{plain, streamed} {
		for _, leaves := range []bool{false, true} {
			ctx, leave := context.WithCancel(t.Context())
			ends := make(chan string, 1)
			go func() {
				req, _ := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(first))
				for i, pairs := 0, append(session[:6:6], "Content-Type", "application/json", "Accept", "application/json, text/event-stream"); i < len(pairs); i += 2 {
					req.Header.Set(pairs[i], pairs[i+1])
				}
				res, err := http.DefaultClient.Do(req)
				if err == nil {
					defer res.Body.Close()
					data, _ := io.ReadAll(res.Body)
					ends <- string(data)
				}
			}()
			<-began
			if leaves {
				leave()
			}
			for _, wait := range []time.Duration{0, 2 * handoverTime} {
				time.Sleep(wait)
				for _, second := range []string{plain, streamed, ping} {
					refused(second, session...)
				}
				refused("["+ping+"]", append(session[:6:6], "Mcp-Protocol-Version", "2025-03-26")...)
			}
			for _, other := range []string{`{"jsonrpc":"2.0","method":"notifications/x"}`, `{"jsonrpc":"2.0","id":5,"result":{}}`} {
				if status, got, _ := within(t, url, other, session...); strings.Contains(got, "in progress") {
					t.Errorf("%s: %d %s", other, status, got)
				}
			}
			if status, got, _ := within(t, url, callOf(6, "s__none", `{}`), session...); status != http.StatusOK || strings.Contains(got, "-32600") {
				t.Errorf("another ID: %d %s", status, got)
			}
			if status, _, _ := within(t, url, ping, append(session[:4:4], "Authorization", "Bearer "+bobToken)...); status != http.StatusForbidden {
				t.Errorf("another caller: %d", status)
			}
			release <- true
			if !leaves {
				checkLacks(t, <-ends, "-32600")
			}
			leave()
			eventually(t, "answered", func() bool { status, _, _ := within(t, url, ping, session...); return status == http.StatusOK })
		}
	}
	if len(began) > 0 {
		t.Errorf("%d more calls reached the server", len(began))
	}
	for range 50 { // as soon as the caller has read the answer, before the end of its stream
		for answer := range streamOf(t, url, ping, session...) {
			if !strings.Contains(answer, "result") {
				t.Fatal(answer)
			}
			if status, got, _ := within(t, url, ping, session...); status != http.StatusOK {
				t.Fatal(got)
			}
		}
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
	table := newSessionTable(g, 1)
	sessions := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return g.server }, &mcp.StreamableHTTPOptions{EventStore: table})
	var early *heldSession
	url := serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		table.serve(w, r, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sessions.ServeHTTP(w, r)
			early, _, _ = table.enter(w.Header().Get(sessionHeader), "", r) // before the handshake's handler ends
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
	if table.makeRoom(1, anyone) {
		t.Error("a session in use was ended")
	}
	table.mu.Unlock()
	table.leave(early, w, r)
	table.mu.Lock()
	if !table.makeRoom(1, anyone) {
		t.Error("a session that is not in use was not ended")
	}
}
