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

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/runtime"
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
			x := &Exchange{}
			_, _ = exchange(t, client(t, Options{URL: web(t, f), MaxMessage: 100_000}), x)
			_, _, err := x.Outcome()
			if err == nil {
				t.Fatal("no error")
			}
			if name != "header-flood" && !strings.Contains(err.Error(), "100000 bytes") {
				t.Errorf("the bound is not named: %v", err)
			}
		})
	}
}

func TestRedirects(t *testing.T) {
	var canary []string
	foreign := web(t, func(w http.ResponseWriter, r *http.Request) {
		canary = append(canary, r.Header.Get("Authorization"))
	})
	ok := answerWith("application/json", `{"jsonrpc":"2.0","id":7,"result":{}}`)
	for _, c := range []struct {
		status   int
		location string
		want     string // in the error; "" is none
	}{
		{307, "/end", ""},
		{308, "/end", ""},
		{302, "/end", "drops the request"},
		{307, foreign + "/steal", "another origin"},
		{307, "http://169.254.169.254/latest", "another origin"},
		{307, "file:///etc/passwd", "another origin"},
		{307, "/loop", "more than 5 times"},
	} {
		t.Run(fmt.Sprint(c.status, c.location), func(t *testing.T) {
			var auth []string
			url := web(t, func(w http.ResponseWriter, r *http.Request) {
				auth = append(auth, r.Header.Get("Authorization"))
				if r.URL.Path == "/end" {
					ok(w, r)
					return
				}
				w.Header().Set("Location", c.location)
				w.WriteHeader(c.status)
			})
			cl := client(t, Options{URL: url, Headers: []Header{{"Authorization", "Bearer secret"}}})
			x := &Exchange{}
			_, err := exchange(t, cl, x)
			raw, _, _ := x.Outcome()
			if c.want == "" && (err != nil || raw == nil) {
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
	foreign := web(t, func(http.ResponseWriter, *http.Request) { asked = true })
	c := client(t, Options{URL: "http://127.0.0.1:1/mcp"})
	req, _ := http.NewRequest(http.MethodGet, foreign, nil)
	if _, err := c.RoundTrip(req); err == nil || asked {
		t.Errorf("asked %v, %v", asked, err)
	}
}

func TestEndpointWithinTheOrigin(t *testing.T) {
	for endpoint, want := range map[string]string{
		"/message?id=1":              "",
		"message":                    "",
		"http://127.0.0.1:1/message": "another origin",
		"//evil.example/message":     "another origin",
		"http://[::1/":               "cannot be read",
	} {
		t.Run(endpoint, func(t *testing.T) {
			url := web(t, answerWith("text/event-stream", "event: endpoint\ndata: "+endpoint+"\n\nevent: ping\ndata: {\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n"))
			c := client(t, Options{URL: url, SSE: true})
			e, err := c.Events(t.Context())
			if want != "" {
				if err == nil || !strings.Contains(err.Error(), want) || c.Broken() == nil {
					t.Errorf("%v, want %q", err, want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			msg, err := e.Read(t.Context())
			if r, ok := msg.(*jsonrpc.Request); !ok || r.Method != "x" || err != nil || e.to.Host != strings.TrimPrefix(url, "http://") || e.to.Path != "/message" {
				t.Errorf("%v, %v, to be answered at %s", msg, err, e.to)
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
	plain := web(t, answerWith("text/plain", ""))
	reset := web(t, func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) })
	for _, c := range []struct {
		url, want string
		sent      bool
	}{
		{"http://" + closed + "/mcp", "nothing answers at " + closed, false},
		{tls.URL, "not signed by an authority", false},
		{strings.Replace(plain, "http:", "https:", 1), "does not speak TLS", false},
		{reset, "closed the connection without an answer", true},
	} {
		x := &Exchange{}
		_, err := exchange(t, client(t, Options{URL: c.url}), x)
		_, sent, failed := x.Outcome()
		if failed == nil || !strings.Contains(failed.Error(), c.want) || !errors.Is(err, runtime.ErrUnavailable) || sent != c.sent {
			t.Errorf("%s: %v (sent %v), want %q", c.url, failed, sent, c.want)
		}
	}
	c := client(t, Options{URL: "http://nowhere.invalid/mcp"})
	if e := c.networkError(&net.DNSError{Name: "nowhere.invalid"}); !strings.Contains(e.Error(), `"nowhere.invalid" cannot be found`) {
		t.Error(e)
	}
}
