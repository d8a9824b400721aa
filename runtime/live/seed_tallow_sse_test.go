package live_test

// Rows of tallow about cancelling requests of servers of type sse: a server on
// loopback sees which of its connections end, and when.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

func tallowEventRows() map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"003-14": tallowSSE,
		"003-15": tallowPostEnds,
		"003-16": tallowStop,
		"003-17": tallowEndpointWait,
		"003-18": tallowLateAnswer,
	}
}

// events is a server of the transport of 2024-11-05, by hand. A call of the tool
// post hangs in its POST until finish is closed; one of the tool answer is accepted
// at once, and answered when finish is closed; other calls are answered.
type events struct {
	url    string
	finish chan struct{}
	posted chan string // the tool of each call that hangs
	ended  chan string // the tool of each POST that its client ended, and "stream"

	once   sync.Once // closes finish
	mu     sync.Mutex
	header []string // of each request
}

// newEvents starts the server. A silent one opens its stream and never says where
// to post.
func newEvents(t *testing.T, silent bool) *events {
	t.Helper()
	e := &events{finish: make(chan struct{}), posted: make(chan string, 10), ended: make(chan string, 10)}
	out := make(chan string, 10) // of the one session
	mux := http.NewServeMux()
	mux.HandleFunc("GET /sse", func(w http.ResponseWriter, r *http.Request) {
		e.saw(r)
		w.Header().Set("Content-Type", "text/event-stream")
		text := "event: endpoint\ndata: /message\n\n"
		if silent {
			text = ": wait\n\n"
		}
		for {
			_, _ = io.WriteString(w, text)
			_ = http.NewResponseController(w).Flush()
			select {
			case m := <-out:
				text = "event: message\ndata: " + m + "\n\n"
			case <-r.Context().Done():
				e.ended <- "stream"
				return
			}
		}
	})
	mux.HandleFunc("POST /message", func(w http.ResponseWriter, r *http.Request) {
		e.saw(r)
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		tool := m.Params.Name
		switch tool {
		case "post", "other":
			e.posted <- tool
			select {
			case <-e.finish:
			case <-r.Context().Done():
				e.ended <- tool
				return
			}
		case "answer":
			go func() {
				<-e.finish
				out <- answerTo(m.ID, m.Method, tool)
			}()
			w.WriteHeader(http.StatusAccepted)
			e.posted <- tool
			return
		}
		w.WriteHeader(http.StatusAccepted)
		if m.ID != nil {
			out <- answerTo(m.ID, m.Method, tool)
		}
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(func() {
		e.release()
		srv.CloseClientConnections()
		srv.Close()
	})
	e.url = srv.URL + "/sse"
	return e
}

func (e *events) release() { e.once.Do(func() { close(e.finish) }) }

func (e *events) saw(r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.header = append(e.header, r.Method+" "+r.Header.Get("Authorization"))
}

func answerTo(id json.RawMessage, method, tool string) string {
	result := `{"content":[{"type":"text","text":"` + tool + `"}]}`
	switch method {
	case "initialize":
		result = `{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"events","version":"1"}}`
	case "tools/list":
		result = `{"tools":[`
		for _, name := range []string{"answer", "now", "other", "post"} {
			result += `{"name":"` + name + `","inputSchema":{"type":"object"}},`
		}
		result = strings.TrimSuffix(result, ",") + `]}`
	}
	return `{"jsonrpc":"2.0","id":` + string(id) + `,"result":` + result + `}`
}

// host is one of the user's file, which has the server.
func (e *events) host(t *testing.T) *live.Host {
	t.Helper()
	enterProject(t, map[string]string{tallowHome: `{"mcpServers": {"s": {"type": "sse", "url": "` + e.url + `", "headers": {"Authorization": "Bearer planted"}}}}`})
	return openReady(t, live.Options{System: "tallow"})
}

// callWithin calls a tool with a time of its own; 0 is that of the file.
func callWithin(ctx context.Context, host *live.Host, tool string, d time.Duration) (string, error) {
	res, err := host.Invoke(ctx, runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: tool, Args: json.RawMessage(`{}`), Options: runtime.Options{Timeout: d}})
	if err != nil {
		return "", err
	}
	return res.Text(), nil
}

// expectNext waits for one text of a channel. Only a test that fails waits long.
func expectNext(t *testing.T, from chan string, want string) {
	t.Helper()
	select {
	case got := <-from:
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	case <-time.After(10 * time.Second):
		t.Fatalf("%q does not come", want)
	}
}

// The type sse, a URL and headers, which go with the stream and with each POST.
func tallowSSE(t *testing.T) {
	e := newEvents(t, false)
	host := e.host(t)
	if got, err := callWithin(t.Context(), host, "now", 0); got != "now" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if st := host.Status()[0]; st.Transport != "sse" || st.Tools != 4 {
		t.Errorf("status %+v", st)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, got := range e.header {
		if want := map[bool]string{true: "GET Bearer planted", false: "POST Bearer planted"}[i == 0]; got != want {
			t.Errorf("request %d: %q, want %q", i, got, want)
		}
	}
}

// The time of a call ends its own POST on the network, and no other.
func tallowPostEnds(t *testing.T) {
	e := newEvents(t, false)
	host := e.host(t)
	other, late := make(chan string, 1), make(chan string, 1)
	begin := func(tool string, d time.Duration, to chan string) {
		go func() {
			got, err := callWithin(context.WithoutCancel(t.Context()), host, tool, d)
			if errors.Is(err, runtime.ErrTimeout) {
				got = "late"
			} else if err != nil {
				got = err.Error()
			}
			to <- got
		}()
		expectNext(t, e.posted, tool)
	}
	begin("other", 0, other)
	begin("post", 50*time.Millisecond, late)
	expectNext(t, e.ended, "post")
	expectNext(t, late, "late")
	e.release()
	expectNext(t, other, "other")
	if st := host.Status()[0]; st.State != attach.Ready {
		t.Errorf("the session is %s: %v", st.State, st.Err)
	}
}

// Closing the host ends the stream and all POSTs that are under way.
func tallowStop(t *testing.T) {
	e := newEvents(t, false)
	host := e.host(t)
	calls := make(chan string, 3)
	for range 3 {
		go func() {
			_, err := callWithin(context.WithoutCancel(t.Context()), host, "post", 0)
			if errors.Is(err, runtime.ErrNotAttached) {
				calls <- "ended"
			} else {
				calls <- fmt.Sprint(err)
			}
		}()
		expectNext(t, e.posted, "post")
	}
	go host.Close()
	for range 3 {
		expectNext(t, calls, "ended")
	}
	ended := map[string]int{}
	for range 4 {
		select {
		case what := <-e.ended:
			ended[what]++
		case <-time.After(10 * time.Second):
			t.Fatalf("only %v ended", ended)
		}
	}
	if ended["post"] != 3 || ended["stream"] != 1 {
		t.Errorf("ended: %v", ended)
	}
}

// A stream that does not say where to post is closed when the time to start is up.
func tallowEndpointWait(t *testing.T) {
	e := newEvents(t, true)
	enterProject(t, map[string]string{
		tallowHome:    `{"mcpServers": {"s": {"type": "sse", "url": "` + e.url + `"}}}`,
		"mcpgen.yaml": "version: 1\nimport: [tallow]\nservers: {s: {timeout: {start: 200ms}}}\n",
	})
	state := make(chan string, 1)
	go func() {
		host, err := live.Open(context.WithoutCancel(t.Context()), live.Options{})
		if err != nil {
			state <- err.Error()
			return
		}
		defer host.Close()
		if err := host.Err(); errors.Is(err, runtime.ErrTimeout) {
			state <- "late"
		} else {
			state <- fmt.Sprint(err)
		}
	}()
	expectNext(t, e.ended, "stream")
	expectNext(t, state, "late")
}

// An answer that comes after its call has timed out is nobody's: the next call gets
// its own.
func tallowLateAnswer(t *testing.T) {
	e := newEvents(t, false)
	host := e.host(t)
	for range 3 {
		if _, err := callWithin(t.Context(), host, "answer", 50*time.Millisecond); !errors.Is(err, runtime.ErrTimeout) {
			t.Errorf("error %v", err)
		}
		expectNext(t, e.posted, "answer")
	}
	e.release()
	for range 3 {
		if got, err := callWithin(t.Context(), host, "now", 0); got != "now" || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
	}
	if st := host.Status()[0]; st.State != attach.Ready {
		t.Errorf("the session is %s: %v", st.State, st.Err)
	}
}
