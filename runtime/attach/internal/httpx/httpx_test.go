package httpx

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

func TestCallKeepsBytes(t *testing.T) {
	var got []byte
	const result = `{"structuredContent":{"n":9007199254740993,"x":1.0},"content":[]}`
	l := newLink(t, Options{URL: serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		got, _ = io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(got))
		answerWith("application/json", `{"jsonrpc":"2.0","id":$,"result":`+result+`}`)(w, r)
	})})
	if o := l.call(t.Context()); o.result != result || !o.sent || o.err != nil {
		t.Errorf("outcome %+v", o)
	}
	if want := `,"method":"tools/call","params":{"name":"t","arguments":{"n":9007199254740993}}}`; !strings.HasSuffix(string(got), want) {
		t.Errorf("sent %s\nwant …%s", got, want)
	}
}

// Of the stream of an answer, everybody gets what is theirs.
func TestAnswerInAStream(t *testing.T) {
	url := serveHTTP(t, answerWith("text/event-stream", strings.Join([]string{
		": a comment", "",
		"id: 1", "retry: 1", "data: ", "",
		`data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$,"progress":1}}`, "",
		`data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"other","progress":9}}`, "",
		"event: ping", "data: not json", "",
		"data: not json either", "",
		`data: {"jsonrpc":"2.0","id":99,"result":{"of":"another"}}`, "",
		`data: {"jsonrpc":"2.0","id":"s1","method":"elicitation/create","params":{}}`, "",
		`data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$,"progress":2}}`, "",
		"event: message", `data: {"jsonrpc":"2.0",`, `data: "id":$,"result":{"ok":true}}`, "",
		`data: {"jsonrpc":"2.0","id":$,"result":{"ok":"twice"}}`, "", "",
	}, "\n")))
	var skipped, progress []string
	l := newLink(t, Options{URL: url}, wire.Options{OnSkipped: func(b []byte) { skipped = append(skipped, string(b)) }})
	o := callOver(t.Context(), l.conn, wire.CallOptions{OnProgress: func(p json.RawMessage) { progress = append(progress, string(p)) }})
	if strings.Join(strings.Fields(o.result), "") != `{"ok":true}` || o.err != nil {
		t.Errorf("outcome %+v", o)
	}
	heard := []string{<-l.heard, <-l.heard} // a request is answered beside what follows
	slices.Sort(heard)
	if want := []string{
		`{"jsonrpc":"2.0","id":"?","method":"elicitation/create","params":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"other","progress":9}}`,
	}; !slices.Equal(heard, want) {
		t.Errorf("heard %s, want %s", heard, want)
	}
	if len(progress) != 2 || !strings.Contains(progress[1], `"progress":2`) {
		t.Errorf("progress %q", progress)
	}
	if n, _ := l.conn.Skipped(); len(skipped) != 2 || n != 2 {
		t.Errorf("skipped %d %q", n, skipped)
	}
}

func TestAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want string // of the result, or of the error
	}{
		"array":             {`[{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":$,"result":{"a":1}}]`, `{"a":1}`},
		"no version":        {`{"id":$,"result":{"a":1}}`, `{"a":1}`},
		"error":             {`{"jsonrpc":"2.0","id":$,"error":{"code":-32602,"message":"no","data":9007199254740993}}`, "no (code -32602)"},
		"error without id":  {`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}`, "bad (code -32700)"},
		"error, odd code":   {`{"jsonrpc":"2.0","id":$,"error":{"code":"E1","message":"odd"}}`, `odd; its code is "E1" (code 0)`},
		"error that is nil": {`{"jsonrpc":"2.0","id":$,"error":{}}`, "malformed error object: {}"},
		"both":              {`{"jsonrpc":"2.0","id":$,"result":{},"error":{"code":1,"message":"both"}}`, "both (code 1)"},
		"neither":           {`{"jsonrpc":"2.0","id":$}`, "neither a result nor an error"},
		"other id":          {`{"jsonrpc":"2.0","id":8,"result":{}}`, "not to this request"},
		"not JSON":          {`oops`, "not JSON"},
		"empty":             {``, "not JSON"},
		"null":              {`null`, "not to this request"},
	} {
		t.Run(name, func(t *testing.T) {
			o := newLink(t, Options{URL: serveHTTP(t, answerWith("application/json", c.body))}).call(t.Context())
			if !strings.Contains(o.text(), c.want) || !o.sent {
				t.Errorf("outcome %+v, want %q", o, c.want)
			}
		})
	}
}

func TestStatus(t *testing.T) {
	html := "<html><head><style>p{color:red}</style></head><body><h1>Bad\x1b[31m Gateway</h1></body></html>"
	for _, c := range []struct {
		status      int
		contentType string
		body        string
		is          []error
		want        []string
		sent        bool
	}{
		{401, "text/plain", "token expired", []error{runtime.ErrAuth}, []string{"401", `"token expired"`, "Authorization"}, false},
		{403, "application/json", `{"jsonrpc":"2.0","id":7,"error":{"code":-32001,"message":"no scope"}}`, []error{runtime.ErrAuth, runtime.ErrRPC}, []string{"403", "no scope"}, true},
		{404, "text/plain", "no such session", []error{runtime.ErrUnavailable}, []string{"no longer knows this session"}, false},
		{404, "application/json", `{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}`, []error{runtime.ErrUnavailable, runtime.ErrRPC}, []string{"Session not found", "attach again"}, false},
		{404, "application/json", `{"jsonrpc":"2.0","id":$,"error":{"code":-32001,"message":"Session not found"}}`, []error{runtime.ErrUnavailable, runtime.ErrRPC}, []string{"Session not found", "attach again"}, true},
		{404, "application/json", `{"jsonrpc":"2.0","id":$,"error":{"code":-32001,"message":"no such customer"}}`, []error{runtime.ErrRPC}, []string{"no such customer"}, true},
		{400, "application/json", `{"jsonrpc":"2.0","id":$,"error":{"code":-32001,"message":"the browser session is busy"}}`, []error{runtime.ErrRPC}, []string{"browser session is busy"}, true},
		{400, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No valid session ID provided"}}`, []error{runtime.ErrUnavailable, runtime.ErrRPC}, []string{"attach again"}, false},
		{429, "", "", []error{runtime.ErrUnavailable}, []string{"429", "try again"}, false},
		{500, "text/html", html, []error{runtime.ErrUnavailable}, []string{"500", "(text/html)", `"Bad Gateway"`, "the server's log"}, true},
		{503, "text/plain", "", []error{runtime.ErrUnavailable}, []string{"503", `"120"`}, true},
		{400, "text/plain", "nope", nil, []string{"400 Bad Request", `"nope"`, "the address of an MCP server"}, true},
		{304, "", "", nil, []string{"304"}, true},
		{200, "text/html", html, nil, []string{"200 OK", "no MCP message", "path of the url"}, true},
		{200, "application/octet-stream", "\x00\x01\x02", nil, []string{"application/octet-stream"}, true},
		{202, "", "", nil, []string{"202 Accepted", "without a body"}, true},
	} {
		t.Run(fmt.Sprint(c.status, c.contentType), func(t *testing.T) {
			url := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Retry-After", "120")
				w.Header().Set("Content-Type", c.contentType)
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, strings.ReplaceAll(c.body, "$", string(idOf(r))))
			})
			o := newLink(t, Options{URL: url}).inSession("abc").call(t.Context())
			failed, sent := o.err, o.sent
			if failed == nil {
				t.Fatalf("no error: %+v", o)
			}
			for _, is := range c.is {
				if !errors.Is(failed, is) {
					t.Errorf("%v is not %v", failed, is)
				}
			}
			for _, want := range c.want {
				if !strings.Contains(failed.Error(), want) {
					t.Errorf("%q lacks %q", failed, want)
				}
			}
			if strings.ContainsAny(failed.Error(), "\x1b\x00") || strings.Contains(failed.Error(), "color") {
				t.Errorf("not clean: %q", failed)
			}
			if sent != c.sent {
				t.Errorf("sent %v, want %v", sent, c.sent)
			}
		})
	}
}

func TestCancelAbortsTheRequest(t *testing.T) {
	aborted := make(chan struct{})
	arrived, told := make(chan struct{}), make(chan struct{})
	url := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte("notifications/cancelled")) {
			close(told)
			return
		}
		close(arrived)
		<-r.Context().Done()
		close(aborted)
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	if o := newLink(t, Options{URL: url}).call(ctx); !errors.Is(o.err, context.Canceled) || !o.sent {
		t.Errorf("outcome %+v", o)
	}
	select {
	case <-aborted:
	case <-time.After(5 * time.Second):
		t.Error("after 5s the server's request has not ended, want it aborted with the call")
	}
	<-told
}

func TestProtocolHeadersWin(t *testing.T) {
	var got http.Header
	url := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		answerWith("application/json", `{"jsonrpc":"2.0","id":$,"result":{}}`)(w, r)
	})
	l := newLink(t, Options{URL: url, UserAgent: "mcpgen/1", Headers: []endpoint.Var{{Name: "accept", Value: "x/y"}, {Name: "X-Key", Value: "k"}, {Name: "Mcp-Session-Id", Value: "stolen"}}})
	if o := l.inSession("mine").call(t.Context()); o.err != nil {
		t.Fatal(o.err)
	}
	for name, want := range map[string]string{"Accept": "application/json, text/event-stream", "X-Key": "k", "Mcp-Session-Id": "mine", "User-Agent": "mcpgen/1"} {
		if got.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.Get(name), want)
		}
	}
}

func TestConnectionsAreReused(t *testing.T) {
	for name, body := range map[string]string{
		"application/json":  `{"jsonrpc":"2.0","id":$,"result":{}}`,
		"text/event-stream": "data: {\"jsonrpc\":\"2.0\",\"id\":$,\"result\":{}}\n\n",
	} {
		var opened int
		s := httptest.NewUnstartedServer(answerWith(name, body))
		s.Config.ConnState = func(_ net.Conn, st http.ConnState) {
			if st == http.StateNew {
				opened++
			}
		}
		s.Start()
		l := newLink(t, Options{URL: s.URL})
		for range 20 {
			ctx, cancel := context.WithCancel(t.Context())
			if o := l.call(ctx); o.err != nil {
				t.Fatal(o.err)
			}
			cancel() // as callers do
		}
		s.Close()
		if opened > 2 {
			t.Errorf("%s: %d connections for 20 requests", name, opened)
		}
	}
}

// FuzzStream: whatever a stream holds, what the SDK reads of it are messages.
func FuzzStream(f *testing.F) {
	f.Add("data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n")
	f.Add("event: x\r\nid: \x00\r\nretry: -1\r\ndata\r\n\r\n")
	f.Add(":\n\n\ndata: [\n")
	f.Add("data: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\"x\"}\n\n")
	f.Fuzz(func(t *testing.T, body string) {
		l, err := NewStreamable(Options{URL: "http://h/", MaxMessage: 1000})
		if err != nil {
			t.Fatal(err)
		}
		c := wire.New(l, wire.Options{OnNotification: func(_ context.Context, method string, params json.RawMessage) {
			if params != nil && !json.Valid(params) {
				t.Errorf("%q gives the notification %s with %s", body, method, params)
			}
		}})
		s := l.newStream(&reply{
			Response: &http.Response{Body: io.NopCloser(strings.NewReader(body))},
			ctx:      t.Context(), cancel: func() {}, unlink: func() bool { return true },
		}, readBuffer)
		for {
			ev, err := s.next()
			if err != nil {
				break
			}
			s.deliver(ev, 0)
		}
		s.close()
		_ = c.Close()
	})
}

// Unused connections are closed before servers close them: Node's after five seconds, load balancers' after a minute.
func TestIdleConnectionsEndFirst(t *testing.T) {
	for url, limit := range map[string]time.Duration{"http://127.0.0.1:1/mcp": 5 * time.Second, "https://example.com/mcp": time.Minute} {
		c, err := newClient(Options{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		if kept := c.base.IdleConnTimeout; kept <= 0 || kept >= limit {
			t.Errorf("%s: connections are kept for %v, want less than %v", url, kept, limit)
		}
	}
}

// A call whose answer broke off was sent, and has one error, however the request to resume the stream fails. Only
// missing credentials have steps of their own.
func TestRefusedResume(t *testing.T) {
	for _, status := range []int{0, http.StatusOK, http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusProxyAuthRequired} {
		url := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				w.WriteHeader(status)
				return
			}
			w.Header().Set("Content-Type", mediaStream)
			if status != 0 {
				_, _ = io.WriteString(w, "retry: 1\nid: 1\ndata: \n\n")
			}
		})
		o := newLink(t, Options{URL: url}).inSession("abc").call(t.Context())
		if o.err == nil || !o.sent {
			t.Errorf("%d: %+v", status, o)
			continue
		}
		is, reason, step := runtime.ErrUnavailable, "the server ended its answer before the result", "check whether the server ran it"
		if status == http.StatusUnauthorized || status == http.StatusForbidden {
			is = runtime.ErrAuth
		} else if strings.Contains(o.text(), "url") {
			t.Errorf("%d: the url is right: %s", status, o.text())
		}
		if status == http.StatusUnauthorized {
			step = "key headers"
		}
		if status != 0 {
			reason += ", and cannot resume it: "
		}
		if !errors.Is(o.err, is) || !strings.HasPrefix(o.text(), reason) || !strings.Contains(o.text(), step) || status != 0 && !strings.Contains(o.text(), fmt.Sprint(status)) {
			t.Errorf("%d: %v", status, o.err)
		}
	}
}

// A server that was replaced by one of another revision ends the session: the next session
// agrees on a revision again. What refuses the request in the protocol's form has executed
// nothing.
func TestOtherRevision(t *testing.T) {
	for body, ended := range map[string][]string{
		`{"jsonrpc":"2.0","id":$,"error":{"code":-32022,"message":"x"}}`:                               {"2025-11-25", "2026-07-28"},
		`{"jsonrpc":"2.0","id":$,"error":{"code":-32020,"message":"x"}}`:                               {"2025-11-25"},
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No valid session ID provided"}}`: {"2025-11-25", "2026-07-28"},
		`{"jsonrpc":"2.0","id":$,"error":{"code":-32602,"message":"the browser session is busy"}}`:     nil,
	} {
		for _, revision := range []string{"", "2025-11-25", "2026-07-28"} {
			l := newLink(t, Options{URL: serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(http.StatusBadRequest)
				_, _ = io.WriteString(w, strings.ReplaceAll(body, "$", string(idOf(r))))
			})})
			if revision == "2025-11-25" {
				l.inSession("abc")
			}
			l.Use(revision)
			o := l.call(t.Context())
			if want := slices.Contains(ended, revision); o.err == nil || o.sent == want || (l.Lost() != nil) != want {
				t.Errorf("%s, %q: %+v, lost: %v", body, revision, o, l.Lost())
			}
		}
	}
	l := newLink(t, Options{URL: serveHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "the browser session is busy", http.StatusBadRequest)
	})})
	l.Use("2026-07-28")
	if o := l.call(t.Context()); !o.sent || l.Lost() == nil {
		t.Errorf("a text: %+v, lost: %v", o, l.Lost())
	}
}
