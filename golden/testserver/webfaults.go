// Faults of HTTP itself.

package testserver

import (
	"cmp"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

func webModes() map[string]func(*server) {
	plain := func(status int, contentType, body string) func(*server) {
		return web(func(w http.ResponseWriter, _ *http.Request, _ http.HandlerFunc) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		})
	}
	return map[string]func(*server){
		"no-headers":         web(func(_ http.ResponseWriter, r *http.Request, _ http.HandlerFunc) { <-r.Context().Done() }),
		"no-stream":          web(noStream),
		"silent-stream":      web(silentStream),
		"slow-body":          slowBody,
		"html":               plain(http.StatusOK, "text/html", "<html><body>Sign in \x1b[31mevil\x1b[0m</body></html>"),
		"empty-body":         plain(http.StatusOK, "application/json", ""),
		"octets":             plain(http.StatusOK, "application/octet-stream", "\x00\x01\x02\x1b]0;evil\x07"),
		"internal-error":     plain(http.StatusInternalServerError, "text/plain", "stack trace \x1b[31mevil\x1b[0m"),
		"not-found":          plain(http.StatusNotFound, "text/plain", "404 page not found"),
		"forbidden":          plain(http.StatusForbidden, "text/plain", "forbidden"),
		"unauthorized":       unauthorized,
		"unavailable":        unavailable,
		"too-many":           tooMany,
		"redirect":           redirect,
		"redirect-loop":      web(redirectLoop),
		"giant-event":        giantEvent,
		"gzip-bomb":          gzipBomb,
		"lost-session":       lostSession,
		"endpoint-elsewhere": endpointElsewhere,
		"drop-call":          dropCall,
	}
}

func web(f webFault) func(*server) {
	return func(s *server) {
		s.web = f
	}
}

// noStream has no stream for messages that answer nothing, which is allowed.
func noStream(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	if r.Method == http.MethodGet {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	next(w, r)
}

// silentStream holds the request for that stream without a word.
func silentStream(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	if r.Method == http.MethodGet {
		<-r.Context().Done()
		return
	}
	next(w, r)
}

// slowBody sends its answers one byte at a time.
func slowBody(s *server) {
	s.web = func(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
		if r.Method != http.MethodPost {
			next(w, r)
			return
		}
		next(&slowWriter{w, r, cmp.Or(s.cfg.delay, 200*time.Millisecond)}, r)
	}
}

type slowWriter struct {
	http.ResponseWriter
	r     *http.Request
	delay time.Duration
}

func (s *slowWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

func (s *slowWriter) Write(b []byte) (int, error) {
	for i := range b {
		if n, err := s.ResponseWriter.Write(b[i : i+1]); err != nil {
			return i + n, err
		}
		_ = http.NewResponseController(s.ResponseWriter).Flush()
		select {
		case <-time.After(s.delay):
		case <-s.r.Context().Done():
			return i + 1, s.r.Context().Err()
		}
	}
	return len(b), nil
}

// unauthorized points to an authorization server at -canary.
func unauthorized(s *server) {
	s.web = func(w http.ResponseWriter, _ *http.Request, _ http.HandlerFunc) {
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+s.cfg.canary+`/.well-known/oauth-protected-resource"`)
		http.Error(w, "sign in first", http.StatusUnauthorized)
	}
}

// unavailable asks to come back tomorrow.
func unavailable(s *server) {
	s.web = func(w http.ResponseWriter, _ *http.Request, _ http.HandlerFunc) {
		w.Header().Set("Retry-After", "86400")
		http.Error(w, "down for maintenance", http.StatusServiceUnavailable)
	}
}

// tooMany refuses every second request.
func tooMany(s *server) {
	var n atomic.Int64
	s.web = func(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
		if r.Method == http.MethodPost && n.Add(1)%2 == 0 {
			w.Header().Set("Retry-After", "0")
			http.Error(w, "too many requests", http.StatusTooManyRequests)
			return
		}
		next(w, r)
	}
}

// redirect sends everyone to -canary.
func redirect(s *server) {
	s.web = func(w http.ResponseWriter, r *http.Request, _ http.HandlerFunc) {
		http.Redirect(w, r, s.cfg.canary, http.StatusTemporaryRedirect)
	}
}

func redirectLoop(w http.ResponseWriter, r *http.Request, _ http.HandlerFunc) {
	http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
}

// giantEvent answers calls with one event of -size bytes (default 256 MiB).
func giantEvent(s *server) {
	s.on["tools/call"] = func(c *client, m message) {
		c.raw([]byte("event: message\ndata: "))
		chunk := []byte(strings.Repeat("x", 1<<20))
		for n := int64(0); n < cmp.Or(s.cfg.size, 256<<20); n += int64(len(chunk)) {
			select {
			case <-c.gone:
				return
			default:
				c.raw(chunk)
			}
		}
		c.raw([]byte("\n\n"))
	}
}

// gzipBomb answers everything with -size bytes (default 256 MiB) of compressed
// space.
func gzipBomb(s *server) {
	s.web = func(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
		if r.Method != http.MethodPost {
			next(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		chunk := []byte(strings.Repeat(" ", 1<<20))
		for n := int64(0); n < cmp.Or(s.cfg.size, 256<<20); n += int64(len(chunk)) {
			if _, err := z.Write(chunk); err != nil {
				return
			}
		}
		_ = z.Close() // a client that has gone is not a fault of ours
	}
}

// lostSession forgets all sessions after -n calls (default 2), once.
func lostSession(s *server) {
	var n atomic.Int64
	s.on["tools/call"] = func(c *client, m message) {
		// Before the answer, which the next call may overtake.
		if n.Add(1) == int64(cmp.Or(s.cfg.n, 2)) {
			s.sessions.endAll()
		}
		s.standard(c, m)
	}
}

// endpointElsewhere tells SSE clients to post to -canary.
func endpointElsewhere(s *server) {
	s.endpoint = s.cfg.canary
}

// dropCall cuts the connection at every first call of two.
func dropCall(s *server) {
	var n atomic.Int64
	s.on["tools/call"] = func(c *client, m message) {
		if c.sync && n.Add(1)%2 == 1 {
			panic(http.ErrAbortHandler) // the way to cut a connection
		}
		s.standard(c, m)
	}
}
