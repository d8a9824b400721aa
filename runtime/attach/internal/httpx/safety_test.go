package httpx

// Bounds, origins, and what the network can do.

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

func TestSizes(t *testing.T) {
	bomb := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		chunk := bytes.Repeat([]byte(" "), 1<<16)
		for range 1 << 10 {
			if _, err := z.Write(chunk); err != nil {
				return
			}
		}
		z.Close()
	}
	event := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		chunk := bytes.Repeat([]byte("data: x\n"), 1<<13)
		for range 1 << 10 {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}
	line := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		chunk := bytes.Repeat([]byte("x"), 1<<16)
		for range 1 << 10 {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}
	header := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Flood", strings.Repeat("x", 2<<20))
		w.WriteHeader(200)
	}
	for name, f := range map[string]http.HandlerFunc{"gzip-bomb": bomb, "giant-event": event, "giant-line": line, "header-flood": header} {
		t.Run(name, func(t *testing.T) {
			err := newLink(t, Options{URL: serveHTTP(t, f), MaxMessage: 100_000}).call(t.Context()).err
			if err == nil {
				t.Fatal("the call has no error, want one")
			}
			if name != "header-flood" && !strings.Contains(err.Error(), "100000 bytes") {
				t.Errorf("the bound is not named: %v", err)
			}
		})
	}
}

func TestRedirects(t *testing.T) {
	var canary []string
	foreign := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		canary = append(canary, r.Header.Get("Authorization"))
	})
	ok := answerWith("application/json", `{"jsonrpc":"2.0","id":$,"result":{}}`)
	for _, c := range []struct {
		status   int
		location string
		want     string // in the error; "" is none
	}{
		{307, "/end", ""},
		{308, "/end", ""},
		{302, "/end", "changes the request method"},
		{307, foreign + "/steal", "another origin"},
		{307, "http://169.254.169.254/latest", "another origin"},
		{307, "file:///etc/passwd", "another origin"},
		{307, "/loop", "more than 5 times"},
	} {
		t.Run(fmt.Sprint(c.status, c.location), func(t *testing.T) {
			var auth []string
			url := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
				auth = append(auth, r.Header.Get("Authorization"))
				if r.URL.Path == "/end" {
					ok(w, r)
					return
				}
				w.Header().Set("Location", c.location)
				w.WriteHeader(c.status)
			})
			o := newLink(t, Options{URL: url, Headers: []endpoint.Var{{Name: "Authorization", Value: "Bearer secret"}}}).call(t.Context())
			err := o.err
			if c.want == "" && (err != nil || o.result == "") {
				t.Errorf("not followed: %v", err)
			}
			var he *Error
			if c.want != "" && (!errors.As(err, &he) || !strings.Contains(he.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if slices.Contains(auth, "") {
				t.Errorf("a request to the origin without its header: %q", auth)
			}
		})
	}
	if len(canary) > 0 {
		t.Errorf("the foreign origin was reached: %q", canary)
	}
}

func TestForeignOriginIsNeverAsked(t *testing.T) {
	asked := false
	foreign := serveHTTP(t, func(http.ResponseWriter, *http.Request) { asked = true })
	l := newLink(t, Options{URL: "http://127.0.0.1:1/mcp"})
	if sent, err := l.sendOneWay(t.Context(), &outgoing{method: http.MethodGet, url: foreign}); err == nil || asked || sent {
		t.Errorf("asked %v, sent %v, %v", asked, sent, err)
	}
}

func TestEndpointWithinTheOrigin(t *testing.T) {
	for endpoint, want := range map[string]string{
		"/message?id=1":              "",
		"message":                    "",
		"http://127.0.0.1:1/message": "another origin",
		"//evil.example/message":     "another origin",
		"http://[::1/":               "unreadable address",
	} {
		t.Run(endpoint, func(t *testing.T) {
			url := serveHTTP(t, answerWith("text/event-stream", "event: endpoint\ndata: "+endpoint+"\n\nevent: ping\ndata: {\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n"))
			l, err := NewEvents(Options{URL: url, MaxMessage: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			options, read := hearing(wire.Options{})
			c := wire.New(l, options)
			defer c.Close()
			err = l.Connect(t.Context())
			if want != "" {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %q", err, want)
				}
				return
			}
			if got := <-read; err != nil || got != `{"jsonrpc":"2.0","method":"x"}` || l.to != url+"/message"+strings.TrimPrefix(strings.TrimPrefix(endpoint, "/"), "message") {
				t.Errorf("%s, %v, to be answered at %s", got, err, l.to)
			}
		})
	}
}

func TestNetworkErrors(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	l.Close()
	tls := httptest.NewTLSServer(answerWith("text/plain", ""))
	defer tls.Close()
	plain := serveHTTP(t, answerWith("text/plain", ""))
	reset := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) })
	for _, c := range []struct {
		url, want string
		sent      bool
	}{
		{"http://" + closed + "/mcp", "nothing answers at " + closed, false},
		{tls.URL, "not signed by an authority", false},
		{strings.Replace(plain, "http:", "https:", 1), "does not speak TLS", false},
		{reset, "closed the connection without an answer", true},
	} {
		o := newLink(t, Options{URL: c.url}).call(t.Context())
		if o.err == nil || !strings.Contains(o.text(), c.want) || !errors.Is(o.err, runtime.ErrUnavailable) || o.sent != c.sent {
			t.Errorf("%s: %+v, want %q", c.url, o, c.want)
		}
	}
	c := newLink(t, Options{URL: "http://nowhere.invalid/mcp"})
	if e := c.networkError(&net.DNSError{Name: "nowhere.invalid"}); !strings.Contains(e.Error(), `"nowhere.invalid" cannot be found`) {
		t.Errorf("got error %q, want one that says that \"nowhere.invalid\" cannot be found", e)
	}
}
