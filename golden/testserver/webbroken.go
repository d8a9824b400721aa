// Connections that break, and answers that never end.

package testserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

func brokenModes() map[string]func(*server) {
	return map[string]func(*server){
		"endless-stream": atCalls(endlessStream),
		"hang-call":      atCalls(func(_ int64, _ http.ResponseWriter, r *http.Request, _ http.HandlerFunc) { <-r.Context().Done() }),
		"header-flood":   atCalls(headerFlood),
		"redirect-meta":  redirectTo("http://169.254.169.254/latest/meta-data/"),
		"redirect-file":  redirectTo("file:///etc/passwd"),
		"reset":          atCalls(reset),
		"flaky":          atCalls(flaky),
		"drop-event":     dropEvent(""),
		"retry-zero":     dropEvent("retry: 0\n"),
		"odd-session":    web(oddSession),
		"closing-stream": web(closingStream),
	}
}

// atCalls puts a fault before tools/call; n counts them from 1.
func atCalls(f func(n int64, w http.ResponseWriter, r *http.Request, next http.HandlerFunc)) func(*server) {
	return func(s *server) {
		var n atomic.Int64
		s.web = func(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
			if !isCall(r) {
				next(w, r)
				return
			}
			f(n.Add(1), w, r, next)
		}
	}
}

// isCall reports whether a request posts a call. It leaves the body to be read.
func isCall(r *http.Request) bool {
	if r.Method != http.MethodPost {
		return false
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var m struct{ Method string }
	return json.Unmarshal(body, &m) == nil && m.Method == "tools/call"
}

// endlessStream answers the first call with comments that never end.
func endlessStream(n int64, w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	if n > 1 {
		next(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for r.Context().Err() == nil {
		_, _ = io.WriteString(w, ": still here\n\n") // a client that has gone is not a fault of ours
		_ = http.NewResponseController(w).Flush()
		time.Sleep(5 * time.Millisecond)
	}
}

// headerFlood answers the first call with 2 MiB of header.
func headerFlood(n int64, w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	if n == 1 {
		for i := range 64 {
			w.Header().Set(fmt.Sprint("X-Flood-", i), strings.Repeat("x", 32<<10))
		}
	}
	next(w, r)
}

func redirectTo(location string) func(*server) {
	return web(func(w http.ResponseWriter, _ *http.Request, _ http.HandlerFunc) {
		w.Header().Set("Location", location)
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
}

// reset cuts the connection of every first call of two the hard way.
func reset(n int64, w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	if n%2 == 0 {
		next(w, r)
		return
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // then closing resets
	}
	_ = conn.Close()
}

// flaky refuses every second call for the moment.
func flaky(n int64, w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	if n%2 == 1 {
		w.Header().Set("Retry-After", "0")
		http.Error(w, "overloaded", http.StatusServiceUnavailable)
		return
	}
	next(w, r)
}

// dropEvent breaks the stream of the first call after an event that it can be
// taken up from, and again whenever that is done.
func dropEvent(retry string) func(*server) {
	return func(s *server) {
		var n atomic.Int64
		s.web = func(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
			again := r.Method == http.MethodGet && r.Header.Get("Last-Event-ID") != ""
			if !again && (!isCall(r) || n.Add(1) > 1) {
				next(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, retry+"id: one\ndata:\n\n") // a client that has gone is not a fault of ours
		}
	}
}

// oddSession gives out a session id that is not a word.
func oddSession(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	const odd = "s; \t\"odd\", é"
	if got := r.Header.Get(sessionHeader); got != "" && got != odd {
		http.Error(w, "another session id came back", http.StatusBadRequest)
		return
	}
	r.Header.Del(sessionHeader)
	next(&renamed{ResponseWriter: w, id: odd}, r)
}

// renamed puts another session id into an answer.
type renamed struct {
	http.ResponseWriter
	id string
}

// Unwrap is for http.ResponseController.
func (w *renamed) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader sends the header.
func (w *renamed) WriteHeader(code int) {
	w.rename()
	w.ResponseWriter.WriteHeader(code)
}

// Write sends a part of the body.
func (w *renamed) Write(b []byte) (int, error) {
	w.rename()
	return w.ResponseWriter.Write(b)
}

func (w *renamed) rename() {
	if w.Header().Get(sessionHeader) != "" {
		w.Header().Set(sessionHeader, w.id)
	}
}

// closingStream closes the stream for what answers nothing as soon as it is open,
// as a proxy does with one that is idle.
func closingStream(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	if r.Method == http.MethodGet {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		return
	}
	next(w, r)
}
