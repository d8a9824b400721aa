package httpx

// Streams that outlive their connections.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// standingAt opens a standing stream, and returns what the server sends on it.
func (l linked) standingAt(t *testing.T) <-chan string {
	t.Helper()
	l.stand(&outgoing{method: http.MethodGet, header: l.inSession("s1").headers("")})
	return l.heard
}

func newQuickLink(t *testing.T, o Options) linked {
	t.Helper()
	l := newLink(t, o)
	l.firstPause = 5 * time.Millisecond
	return l
}

func notification(n int64) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"note","params":[%d]}`, n)
}

// Whatever becomes of a connection, the next one follows, and the messages are those of one
// stream.
func TestStandingStreamComesBack(t *testing.T) {
	var n atomic.Int64
	var lastIDs [8]atomic.Value
	url := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		i := n.Add(1)
		if i < int64(len(lastIDs)) {
			lastIDs[i].Store(r.Header.Get("Last-Event-ID"))
		}
		switch i {
		case 1: // closed at once, as idle streams are
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprintf(w, "id: e1\ndata: %s\n\n", notification(1))
		case 2:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 3: // cut in the middle
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprintf(w, "data: %s\n\ndata: {\"jsonrpc\"", notification(2))
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		case 4: // junk, an answer to nothing, then something
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			_, _ = fmt.Fprintf(w, "event: ping\ndata: x\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}\n\ndata: [1]\n\ndata: %s\n\n", notification(3))
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprintf(w, "data: %s\n\n", notification(i))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	})
	l := newQuickLink(t, Options{URL: url})
	lines := l.standingAt(t)
	for _, want := range []string{notification(1), notification(2), notification(3), notification(5)} {
		if got := <-lines; got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	if lastIDs[1].Load() != "" || lastIDs[2].Load() != "e1" || lastIDs[3].Load() != "e1" {
		t.Errorf("resumed after %v, %v, %v", lastIDs[1].Load(), lastIDs[2].Load(), lastIDs[3].Load())
	}
	if l.Lost() != nil {
		t.Errorf("the session is lost: %v", l.Lost())
	}
}

// Progress of a call may come by the standing stream, as servers without a stream for
// the answer send it.
func TestProgressByTheStandingStream(t *testing.T) {
	tokens, arrived := make(chan []byte, 1), make(chan struct{})
	l := newLink(t, Options{URL: serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			id := idOf(r)
			tokens <- id
			<-arrived
			w.Header().Set("Content-Type", mediaJSON)
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
		}
		if r.Method != http.MethodGet {
			return
		}
		w.Header().Set("Content-Type", mediaStream)
		_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":1}}\n\ndata: junk\n\n", <-tokens)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})}, wire.Options{OnSkipped: func([]byte) { close(arrived) }}) // what comes behind the progress
	l.standingAt(t)
	var progress []string
	o := callOver(t.Context(), l.conn, wire.CallOptions{OnProgress: func(p json.RawMessage) { progress = append(progress, string(p)) }})
	if o.err != nil || len(progress) != 1 || !strings.Contains(progress[0], `"progress":1`) {
		t.Errorf("%+v, progress %q", o, progress)
	}
}

// A server that holds the request without a word holds up nobody; one that has
// no such stream is asked once.
func TestNoStandingStream(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"silent": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"405":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusMethodNotAllowed) },
		"404":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
		"400":    func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no session", http.StatusBadRequest) },
		"401":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
		"html":   func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/", http.StatusTemporaryRedirect)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var n atomic.Int64
			asked := make(chan struct{}, 10)
			l := newQuickLink(t, Options{URL: serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
				n.Add(1)
				h(w, r)
				asked <- struct{}{}
			})})
			lines := l.standingAt(t)
			if name != "silent" {
				<-asked
			}
			select {
			case line, ok := <-lines:
				t.Errorf("%q, open %v", line, ok)
			case <-time.After(50 * time.Millisecond): // ten times the pause
			}
			if n.Load() > 1 || l.Lost() != nil {
				t.Errorf("asked %d times, lost %v", n.Load(), l.Lost())
			}
		})
	}
}

// Once there was a stream, a 404 is about the session: that is noticed while no
// call is under way.
func TestStandingStreamTellsOfTheLoss(t *testing.T) {
	var n atomic.Int64
	l := newQuickLink(t, Options{URL: serveHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) > 1 {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
	})})
	l.standingAt(t)
	<-l.Gone()
	var e *Error
	if !errors.As(l.Lost(), &e) || e.Status != http.StatusNotFound {
		t.Errorf("lost: %v", l.Lost())
	}
}

// A subscription is opened again with the same request; the SDK never hears that it
// has ended.
func TestSubscriptionComesBack(t *testing.T) {
	const ack = `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged"}`
	var n atomic.Int64
	var first string
	l := newQuickLink(t, Options{URL: serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), wire.MethodCancelled) {
			return // the test has ended
		}
		if first == "" {
			first = string(body)
		}
		if string(body) != first || !strings.Contains(first, methodListen) || r.Method != http.MethodPost {
			t.Errorf("%s %s", r.Method, body)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "data: %s\n\ndata: %s\n\n", ack, notification(n.Add(1)))
		if n.Load() < 3 {
			_, _ = fmt.Fprint(w, "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n")
			return
		}
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})})
	sdk := sdkOf(t, l.conn)
	id, err := jsonrpc.MakeID(float64(7))
	if err != nil {
		t.Fatal(err)
	}
	if err := sdk.Write(t.Context(), &jsonrpc.Request{ID: id, Method: methodListen, Params: []byte(`{"notifications":{"toolsListChanged":true}}`)}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{ack, notification(1), ack, notification(2), ack, notification(3)} {
		if got := <-l.heard; got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
}

// The pauses: what the server asks for counts, within bounds.
func TestPauses(t *testing.T) {
	s := &standing{}
	for _, c := range []struct {
		d, retry  time.Duration
		err       error
		low, high time.Duration
	}{
		{time.Second, 0, nil, 800 * time.Millisecond, 1200 * time.Millisecond},
		{time.Second, 10 * time.Second, nil, 8 * time.Second, 12 * time.Second},
		{time.Second, 0, &Error{retryAfter: 20 * time.Second}, 16 * time.Second, 24 * time.Second},
		{time.Second, 0, &Error{retryAfter: 1000 * time.Hour}, 0, 12 * lastPause},
	} {
		for range 50 {
			s.retry = c.retry
			if got := s.pause(c.d, c.err); got < c.low || got > c.high {
				t.Errorf("%+v: %v", c, got)
			}
		}
	}
	for text, want := range map[string]time.Duration{"0": minRetry, "5000": 5 * time.Second, "99999999999": lastPause, "-1": 0, "x": 0} {
		s.retry = 0
		s.note(&event{retry: text})
		if s.retry != want {
			t.Errorf("retry %q: %v, want %v", text, s.retry, want)
		}
	}
}

// A session that is forgotten with a 400, as servers in use do it.
func TestForgottenWith400(t *testing.T) {
	for body, lost := range map[string]bool{
		`{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}`: true,
		`{"jsonrpc":"2.0","error":{"code":-32602,"message":"no such argument"},"id":null}`:                          false,
	} {
		l := newLink(t, Options{URL: serveHTTP(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, body, http.StatusBadRequest) })})
		if o := l.inSession("s1").call(t.Context()); (l.Lost() != nil) != lost || o.err == nil || o.sent == lost {
			t.Errorf("%s: lost %v, %+v", body, l.Lost(), o)
		}
	}
}

// What nobody asked for and is not handled yet is bounded, however many streams it comes
// by and however early those end; what is handled leaves room for more.
func TestStreamsThatEndEarly(t *testing.T) {
	const bound, size = 64 << 10, 20 << 10
	var dropped atomic.Int64
	handle := make(chan struct{})
	large := fmt.Sprintf(`{"jsonrpc":"2.0","method":"m","params":[%q]}`, strings.Repeat("x", size))
	l := newLink(t, Options{URL: serveHTTP(t, answerWith(mediaStream, "data: "+large+"\n\ndata: "+large+"\n\n"))}, wire.Options{
		MaxUnasked:     bound,
		OnDrop:         func(n wire.Drops, _ error) { dropped.Add(int64(n.Unasked)) },
		OnNotification: func(context.Context, string, json.RawMessage) { <-handle },
	})
	for range 5 {
		if o := l.call(t.Context()); o.err == nil { // it ends without an answer
			t.Fatalf("got result %s, want the error of an answer that never came", o.result)
		}
	}
	if n := dropped.Load(); n != 7 {
		t.Fatalf("%d dropped of 10, want those above the bound", n)
	}
	for range 3 {
		handle <- struct{}{}
	}
	for range 3 {
		go l.call(t.Context())
		for range 2 {
			handle <- struct{}{}
		}
	}
	if n := dropped.Load(); n != 7 {
		t.Errorf("%d dropped", n)
	}
}

// The end of a connection tells the server of the open calls, and then ends the
// session; since 2026-07-28 the end of their streams is all that it has to hear.
func TestGoodbye(t *testing.T) {
	for protocol, want := range map[string][]string{
		"2025-11-25": {"POST tools/call s1", "POST notifications/cancelled s1", "DELETE  s1"},
		"2026-07-28": {"POST tools/call s1", "DELETE  s1"},
	} {
		said := make(chan string, 10)
		aborted := make(chan struct{})
		l := newLink(t, Options{URL: serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
			method := methodOf(r)
			said <- r.Method + " " + method + " " + r.Header.Get(sessionHeader)
			if method == "tools/call" {
				<-r.Context().Done()
				close(aborted)
			}
		})}).inSession("s1")
		l.Use(protocol)
		ended := make(chan outcome, 1)
		go func() { ended <- l.call(t.Context()) }()
		got := []string{<-said}
		_ = l.conn.Close()
		if o := <-ended; !errors.Is(o.err, wire.ErrClosed) || !o.sent {
			t.Errorf("%s: %+v", protocol, o)
		}
		<-aborted
		l.Wait(t.Context())
		close(said)
		for s := range said {
			got = append(got, s)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the server heard %q, want %q", protocol, got, want)
		}
	}
}
