// The HTTP transport of 2024-11-05: one stream of events, and messages posted
// to the endpoint that its first event names.

package testserver

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
)

// legacy serves both paths.
func (s *server) legacy() http.Handler {
	var seq atomic.Int64
	var clients sync.Map // session → *client
	return s.guarded(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			s.postLegacy(w, r, &clients)
			return
		}
		id := strconv.FormatInt(seq.Add(1), 10)
		c := s.stream(w, r)
		defer c.end()
		c.sync = false
		clients.Store(id, c)
		defer clients.Delete(id)
		endpoint := "/message?session=" + id
		if s.endpoint != "" {
			endpoint = s.endpoint
		}
		c.raw(event("endpoint", []byte(endpoint)))
		<-c.gone
	})
}

func (s *server) postLegacy(w http.ResponseWriter, r *http.Request, clients *sync.Map) {
	c, ok := clients.Load(r.URL.Query().Get("session"))
	if !ok {
		http.Error(w, "no such session", http.StatusNotFound)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	m := message{raw: body}
	if err != nil || json.Unmarshal(body, &m) != nil {
		http.Error(w, "parse error", http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	s.handle(c.(*client), m)
}
