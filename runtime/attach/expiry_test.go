package attach

// A server that forgets a session while calls are under way.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// forgetful forgets its first session as soon as so many calls of it are under
// way: some of them are carried out all the same, the others are answered with a
// 404, one after the other.
type forgetful struct {
	next  http.Handler
	calls int

	mu          sync.Mutex
	first       string // session
	arrived     int
	all         chan struct{}
	initialized int
	done        map[string]int // arguments of calls that were carried out
}

func (f *forgetful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var m struct {
		Method string `json:"method"`
		Params struct {
			Arguments json.RawMessage `json:"arguments"`
		} `json:"params"`
	}
	_ = json.Unmarshal(body, &m)
	session := r.Header.Get("Mcp-Session-Id")
	f.mu.Lock()
	if m.Method == "initialize" {
		f.initialized++
	}
	n := 0
	if m.Method == "tools/call" {
		if f.first == "" {
			f.first = session
		}
		if session == f.first && f.arrived < f.calls {
			f.arrived++
			n = f.arrived
			if n == f.calls {
				close(f.all)
			}
		}
	}
	known := session != f.first || session == "" || m.Method != "tools/call" || n > 0
	f.mu.Unlock()
	if n > 0 {
		<-f.all
		time.Sleep(time.Duration(n) * time.Millisecond)
		known = n%5 == 0
	}
	if !known {
		http.Error(w, "no such session", http.StatusNotFound)
		return
	}
	if m.Method == "tools/call" {
		f.mu.Lock()
		f.done[string(m.Params.Arguments)]++
		f.mu.Unlock()
	}
	f.next.ServeHTTP(w, r)
}

// All calls end with their answer, none is carried out twice, and there is one
// session more.
func TestExpiryUnderLoad(t *testing.T) {
	const calls = 200
	next, err := testserver.Handler("echo")
	if err != nil {
		t.Fatal(err)
	}
	f := &forgetful{next: next, calls: calls, all: make(chan struct{}), done: map[string]int{}}
	h := connectAll(t, &Options{Protocols: map[string]string{"s": legacy}}, endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: serveHTTP(t, f) + "/mcp", Transport: endpoint.HTTP}})
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() {
			args := fmt.Sprintf(`{"text":"call %d"}`, i)
			res, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(args)})
			if err != nil || string(res.Structured) != args {
				t.Errorf("call %d: %v", i, err)
			}
		})
	}
	all.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	for args, n := range f.done {
		if n != 1 {
			t.Errorf("%s was carried out %d times", args, n)
		}
	}
	if len(f.done) != calls || f.initialized != 2 {
		t.Errorf("%d calls were carried out, %d sessions", len(f.done), f.initialized)
	}
}
