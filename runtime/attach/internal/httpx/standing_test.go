package httpx

// Streams that outlive their connections.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// standingAt opens the stream of a server as the SDK does, and returns the lines
// of data that come.
func standingAt(t *testing.T, c *Client, method, body string) <-chan string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, method, c.opts.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if method == http.MethodGet {
		req.Body, req.GetBody, req.ContentLength = nil, nil, 0
	}
	req.Header.Set(sessionHeader, "s1")
	resp, err := c.HTTP().Do(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", resp, err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	lines := make(chan string)
	go func() {
		defer close(lines)
		in := bufio.NewScanner(resp.Body)
		for in.Scan() {
			if data, ok := strings.CutPrefix(in.Text(), "data: "); ok {
				if !isMarker(c, data) {
					lines <- data
				}
			} else if in.Text() != "" {
				lines <- "other: " + in.Text()
			}
		}
	}()
	return lines
}

func quick(t *testing.T, o Options) *Client {
	t.Helper()
	c := client(t, o)
	c.firstPause = 5 * time.Millisecond
	return c
}

func note(n int64) string { return fmt.Sprintf(`{"jsonrpc":"2.0","method":"note","params":%d}`, n) }

// Whatever becomes of a connection, the next one follows, and the SDK sees one
// stream.
func TestStandingStreamComesBack(t *testing.T) {
	var n atomic.Int64
	var lastIDs [8]atomic.Value
	url := web(t, func(w http.ResponseWriter, r *http.Request) {
		i := n.Add(1)
		if i < int64(len(lastIDs)) {
			lastIDs[i].Store(r.Header.Get("Last-Event-ID"))
		}
		switch i {
		case 1: // closed at once, as idle streams are
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprintf(w, "id: e1\ndata: %s\n\n", note(1))
		case 2:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 3: // cut in the middle
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprintf(w, "data: %s\n\ndata: {\"jsonrpc\"", note(2))
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		case 4: // junk, an answer to nothing, then something
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			_, _ = fmt.Fprintf(w, "event: ping\ndata: x\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}\n\ndata: [1]\n\ndata: %s\n\n", note(3))
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprintf(w, "data: %s\n\n", note(i))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	})
	c := quick(t, Options{URL: url})
	lines := standingAt(t, c, http.MethodGet, "")
	for _, want := range []string{note(1), note(2), note(3), note(5)} {
		if got := <-lines; got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	if lastIDs[1].Load() != "" || lastIDs[2].Load() != "e1" || lastIDs[3].Load() != "e1" {
		t.Errorf("resumed after %v, %v, %v", lastIDs[1].Load(), lastIDs[2].Load(), lastIDs[3].Load())
	}
	if c.Lost() != nil {
		t.Errorf("the session is lost: %v", c.Lost())
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
			c := quick(t, Options{URL: web(t, func(w http.ResponseWriter, r *http.Request) {
				n.Add(1)
				h(w, r)
				asked <- struct{}{}
			})})
			lines := standingAt(t, c, http.MethodGet, "")
			if name != "silent" {
				<-asked
			}
			select {
			case line, ok := <-lines:
				t.Errorf("%q, open %v", line, ok)
			case <-time.After(50 * time.Millisecond): // ten times the pause
			}
			if n.Load() > 1 || c.Lost() != nil {
				t.Errorf("asked %d times, lost %v", n.Load(), c.Lost())
			}
		})
	}
}

// Once there was a stream, a 404 is about the session: that is noticed while no
// call is under way.
func TestStandingStreamTellsOfTheLoss(t *testing.T) {
	var n atomic.Int64
	c := quick(t, Options{URL: web(t, func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) > 1 {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
	})})
	standingAt(t, c, http.MethodGet, "")
	<-c.Gone()
	var e *Error
	if !errors.As(c.Lost(), &e) || e.Status != http.StatusNotFound {
		t.Errorf("lost: %v", c.Lost())
	}
}

// A subscription is opened again with the same request; the SDK hears that it
// stands once, and never that it has ended.
func TestSubscriptionComesBack(t *testing.T) {
	const listen = `{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}`
	const ack = `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged"}`
	var n atomic.Int64
	c := quick(t, Options{URL: web(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if string(body) != listen || r.Method != http.MethodPost {
			t.Errorf("%s %s", r.Method, body)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "data: %s\n\ndata: %s\n\n", ack, note(n.Add(1)))
		if n.Load() < 3 {
			_, _ = fmt.Fprint(w, "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n")
			return
		}
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})})
	lines := standingAt(t, c, http.MethodPost, listen)
	for _, want := range []string{ack, note(1), note(2), note(3)} {
		if got := <-lines; got != want {
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
		s.sort(&event{retry: text})
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
		c := client(t, Options{URL: web(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, body, http.StatusBadRequest) })})
		x := &Exchange{}
		_, _ = exchange(t, c, x, sessionHeader+":s1")
		_, sent, err := x.Outcome()
		if (c.Lost() != nil) != lost || err == nil || sent == lost {
			t.Errorf("%s: lost %v, sent %v, %v", body, c.Lost(), sent, err)
		}
	}
}
