// Streamable HTTP.

package testserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// webFault stands before an HTTP handler and may answer in its place.
type webFault func(w http.ResponseWriter, r *http.Request, next http.HandlerFunc)

// maxBody bounds what a client may send.
const maxBody = 64 << 20

// Handler returns a server for a test that runs it in its own process: the
// arguments are those of the program without -http and -sse. The old transport
// is at /sse, streamable HTTP at every other path.
func Handler(args ...string) (http.Handler, error) {
	cfg, err := parse(args)
	if err != nil {
		return nil, err
	}
	s, err := newServer(cfg)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	legacy := s.legacy()
	mux.Handle("/sse", legacy)
	mux.Handle("/message", legacy)
	mux.Handle("/", s.streamable())
	return mux, nil
}

// listen serves until the process ends. The first line on standard output is
// the URL.
func (s *server) listen(addr, path string, h http.Handler) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s%s\n", l.Addr(), path)
	web := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	return web.Serve(l)
}

// streamable is the endpoint of streamable HTTP.
func (s *server) streamable() http.Handler {
	return s.guarded(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodPost:
			s.post(w, r)
		case http.MethodGet:
			s.standing(w, r)
		case http.MethodDelete:
			s.sessions.end(r.Header.Get(sessionHeader))
		default:
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	})
}

// guarded records requests and puts the mode's fault before next.
func (s *server) guarded(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.trace.event("http", map[string]any{"method": r.Method, "path": r.URL.Path, "headers": r.Header})
		if s.web != nil {
			s.web(w, r, next)
			return
		}
		next(w, r)
	})
}

const sessionHeader = "Mcp-Session-Id"

func (s *server) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	m := message{raw: body}
	if err != nil || json.Unmarshal(body, &m) != nil {
		http.Error(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`, http.StatusBadRequest)
		return
	}
	if id := r.Header.Get(sessionHeader); id != "" && !s.sessions.has(id) {
		http.Error(w, "no such session", http.StatusNotFound)
		return
	}
	if m.Method == "initialize" {
		w.Header().Set(sessionHeader, s.sessions.begin())
	}
	if m.ID == nil || m.Method == "" {
		s.handle(&client{srv: s, write: func([]byte) {}, gone: r.Context().Done(), sync: true}, m)
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if s.cfg.json {
		w.Header().Set("Content-Type", "application/json")
		s.handle(&client{srv: s, write: func(line []byte) { _, _ = w.Write(line) }, gone: r.Context().Done(), sync: true}, m)
		return
	}
	c := s.stream(w, r)
	defer c.end()
	s.handle(c, m)
}

// stream answers with events until the handler returns.
func (s *server) stream(w http.ResponseWriter, r *http.Request) *client {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	var mu sync.Mutex
	over := false
	raw := func(b []byte) {
		mu.Lock()
		defer mu.Unlock()
		if over || r.Context().Err() != nil {
			return // the response ended with its handler
		}
		_, _ = w.Write(b) // a client that has gone is not a fault of ours
		_ = http.NewResponseController(w).Flush()
	}
	c := &client{srv: s, raw: raw, gone: r.Context().Done(), sync: true}
	c.write = func(line []byte) { raw(event("message", line)) }
	c.end = func() {
		mu.Lock()
		defer mu.Unlock()
		over = true
	}
	return c
}

func event(name string, data []byte) []byte {
	return fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, data)
}

// standing is the stream for messages that answer nothing.
func (s *server) standing(w http.ResponseWriter, r *http.Request) {
	c := s.stream(w, r)
	defer c.end()
	c.raw([]byte(": open\n\n"))
	s.attend(c)
}

// attend keeps a stream open on which what answers nothing is said.
func (s *server) attend(c *client) {
	s.listeners.Store(c, true)
	defer s.listeners.Delete(c)
	if s.attended != nil {
		s.attended(c)
	}
	<-c.gone
}

// tell says something that answers nothing: on the streams for that if there
// are any, else beside the answers.
func (s *server) tell(c *client, method string, params any) {
	told := false
	s.listeners.Range(func(key, _ any) bool {
		key.(*client).notify(method, params)
		told = true
		return true
	})
	if !told {
		c.notify(method, params)
	}
}

// sessions are the session ids that are valid.
type sessions struct {
	mu   sync.Mutex
	n    int
	live map[string]bool
}

func (s *sessions) begin() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	id := fmt.Sprintf("session-%d", s.n)
	s.live[id] = true
	return id
}

func (s *sessions) has(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[id]
}

func (s *sessions) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.live, id)
}

func (s *sessions) endAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.live)
}
