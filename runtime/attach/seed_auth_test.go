package attach

// Rows about headers, tokens and elicitation.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/oauth2"

	mcpruntime "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

func authSeeds() map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"001-09": headersOnEveryRequest,
		"001-12": tokenPerRequest,
		"001-13": tokenBeatsHeader,
		"001-32": elicitationDeclined,
		"001-33": elicitationHook,
	}
}

// syncLog collects lines of a logger.
type syncLog struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *syncLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *syncLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// listener is the test server, and the headers that came with each request.
type listener struct {
	mu   sync.Mutex
	seen []sighting
}

type sighting struct {
	method string // of the message; the HTTP method where there is none
	header http.Header
}

func (l *listener) all() []sighting {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]sighting(nil), l.seen...)
}

// heard are the methods that came.
func (l *listener) heard() map[string]bool {
	heard := map[string]bool{}
	for _, seen := range l.all() {
		heard[seen.method] = true
	}
	return heard
}

// recordedServer describes the test server over HTTP, with all that it is told.
func recordedServer(t *testing.T, sse bool) (endpoint.Server, *listener) {
	t.Helper()
	l := &listener{}
	behind := httpServer(t, "echo")
	inner := strings.TrimSuffix(addressOf(behind).URL, "/mcp")
	front := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		method := r.Method
		if _, after, ok := bytes.Cut(body, []byte(`"method":"`)); ok {
			name, _, _ := bytes.Cut(after, []byte(`"`))
			method = string(name)
		}
		l.mu.Lock()
		l.seen = append(l.seen, sighting{method, r.Header.Clone()})
		l.mu.Unlock()
		forward(w, r, inner, body)
	}))
	s := endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: front + "/mcp", Transport: endpoint.HTTP}}
	if sse {
		addressOf(s).URL, addressOf(s).Transport = front+"/sse", endpoint.SSE
	}
	return s, l
}

// forward hands a request on and the answer back as it comes.
func forward(w http.ResponseWriter, r *http.Request, to string, body []byte) {
	req, err := http.NewRequestWithContext(r.Context(), r.Method, to+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return
	}
	req.Header = r.Header.Clone()
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	for name, values := range resp.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(resp.StatusCode)
	buf := make([]byte, 4096)
	for {
		n, err := resp.Body.Read(buf)
		_, _ = w.Write(buf[:n])
		_ = http.NewResponseController(w).Flush()
		if err != nil {
			return
		}
	}
}

func headersOnEveryRequest(t *testing.T) {
	for name, sse := range map[string]bool{"http": false, "sse": true} {
		t.Run(name, func(t *testing.T) {
			s, l := recordedServer(t, sse)
			addressOf(s).Headers = []endpoint.Var{{Name: "X-Custom-Trace-Id", Value: "abc"}, {Name: "Authorization", Value: "Bearer static"}}
			h := connectReady(t, s)
			if err := echo(t.Context(), h); err != nil {
				t.Fatal(err)
			}
			for deadline := time.Now().Add(testTimeout); !l.heard()["GET"] && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
				// the stream for the server's own messages is opened beside the calls
			}
			_ = h.Close()
			heard := l.heard()
			for _, seen := range l.all() {
				if seen.header.Get("X-Custom-Trace-Id") != "abc" || seen.header.Get("Authorization") != "Bearer static" {
					t.Errorf("%s came with %v", seen.method, seen.header)
				}
			}
			for _, method := range []string{"initialize", "tools/list", "tools/call", "GET"} {
				if !heard[method] {
					t.Errorf("no %s among %v", method, heard)
				}
			}
		})
	}
}

// counting is a source whose tokens end at once or never.
type counting struct {
	mu    sync.Mutex
	n     int
	lasts time.Duration
	err   error
}

func (c *counting) Token() (*oauth2.Token, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil, c.err
	}
	c.n++
	return &oauth2.Token{AccessToken: "token-number-" + string(rune('0'+c.n%10)), TokenType: "bearer", Expiry: time.Now().Add(c.lasts)}, nil
}

func (c *counting) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// A token that lasts is used again; one that has run out is not.
func tokenPerRequest(t *testing.T) {
	for name, c := range map[string]struct {
		lasts time.Duration
		many  bool
	}{"lasting": {time.Hour, false}, "running out": {time.Second, true}} {
		t.Run(name, func(t *testing.T) {
			s, l := recordedServer(t, false)
			source := &counting{lasts: c.lasts}
			h := connectAll(t, &Options{Auth: tokensOf(map[string]oauth2.TokenSource{"s": source})}, s)
			for range 2 {
				if err := echo(t.Context(), h); err != nil {
					t.Fatal(err)
				}
			}
			tokens := map[string]bool{}
			for _, seen := range l.all() {
				if seen.method == "tools/call" {
					tokens[seen.header.Get("Authorization")] = true
				}
			}
			if (source.count() > 1) != c.many || (len(tokens) > 1) != c.many {
				t.Errorf("%d tokens were got, calls carried %v", source.count(), tokens)
			}
		})
	}
}

func tokenBeatsHeader(t *testing.T) {
	for name, sse := range map[string]bool{"http": false, "sse": true} {
		t.Run(name, func(t *testing.T) {
			s, l := recordedServer(t, sse)
			addressOf(s).Headers = []endpoint.Var{{Name: "authorization", Value: "Bearer static"}, {Name: "X-Custom-Trace-Id", Value: "abc"}}
			h := connectAll(t, &Options{Auth: tokensOf(map[string]oauth2.TokenSource{"s": &counting{lasts: time.Hour}})}, s)
			if err := echo(t.Context(), h); err != nil {
				t.Fatal(err)
			}
			for _, seen := range l.all() {
				if got := seen.header["Authorization"]; len(got) != 1 || got[0] != "Bearer token-number-1" || seen.header.Get("X-Custom-Trace-Id") != "abc" {
					t.Errorf("%s came with %v", seen.method, seen.header)
				}
			}
		})
	}
}

func elicitationDeclined(t *testing.T) {
	var log syncLog
	h := connectAll(t, &Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, processServer(t, "elicit"))
	res, err := callTool(t.Context(), h, firstTool(h), `{}`)
	if err != nil || !strings.Contains(string(res.Raw), `"action":"decline"`) {
		t.Fatalf("%+v, %v", res, err)
	}
	const want = `MCP server \"s\" requested elicitation (message: Your password?); declined (no interactive UI)`
	if got := log.String(); strings.Count(got, want) != 1 || strings.Count(got, "\n") != 1 {
		t.Errorf("log %q", got)
	}
}

func elicitationHook(t *testing.T) {
	for name, s := range askingServers(t) {
		t.Run(name, func(t *testing.T) {
			h := connectAll(t, &Options{Input: answering(Handlers{Elicit: func(ctx context.Context, server string, req ElicitRequest) (ElicitResult, error) {
				if strings.Contains(req.Message, "cancel") {
					return ElicitResult{}, context.Canceled
				}
				return ElicitResult{Action: ElicitAccept, Content: map[string]any{"for": server}}, nil
			}})}, s)
			for message, want := range map[string]string{"who": `{"action":"accept","content":{"for":"s"}}`, "cancel": `{"action":"cancel"}`} {
				if got, err := haveServerAsk(t.Context(), h, elicitation, `{"message":"`+message+`"}`); err != nil || got != want {
					t.Errorf("%s, %v, want %s", got, err, want)
				}
			}
		})
	}
}

// What gets tokens fails, in all of its ways.
func TestTokenFailures(t *testing.T) {
	s, l := recordedServer(t, false)
	for name, c := range map[string]struct {
		opts *Options
		kind endpoint.AuthKind
		want string
	}{
		"source":     {&Options{Auth: tokensOf(map[string]oauth2.TokenSource{"s": &counting{err: errors.New("the vault\x1b[31m is shut")}})}, "", "the vault is shut"},
		"no func":    {nil, endpoint.AuthOAuth, "attach.Options.Auth"},
		"func":       {&Options{Auth: []AuthFunc{func(context.Context, AuthTarget) (Credentials, error) { return nil, errors.New("no idea") }}}, "", "no idea"},
		"empty":      {&Options{Auth: tokensOf(map[string]oauth2.TokenSource{"s": oauth2.StaticTokenSource(&oauth2.Token{})})}, "", "gave no token"},
		"retrieving": {&Options{Auth: tokensOf(map[string]oauth2.TokenSource{"s": &counting{err: &oauth2.RetrieveError{ErrorCode: "invalid_client", Body: []byte("secret body")}}})}, "", "invalid_client"},
	} {
		t.Run(name, func(t *testing.T) {
			server, own := s, *addressOf(s)
			server.Launch, own.Auth.Kind = &own, c.kind
			before := len(l.all())
			h := connectAll(t, c.opts, server)
			err := h.Err()
			checkError(t, err, `server "s": auth: `, c.want)
			if name != "func" && !errors.Is(err, mcpruntime.ErrAuth) || strings.Contains(err.Error(), "secret body") {
				t.Errorf("error %v", err)
			}
			if n := len(l.all()); n != before {
				t.Errorf("%d requests were sent without a token", n-before)
			}
		})
	}
}

// A source that hangs holds up nobody for longer than they want to wait.
func TestTokenHangs(t *testing.T) {
	s, _ := recordedServer(t, false)
	s.Timeout.Start = 200 * time.Millisecond
	block := make(chan struct{})
	defer close(block)
	h := connectAll(t, &Options{Auth: tokensOf(map[string]oauth2.TokenSource{"s": blocked(block)})}, s)
	if err := h.Err(); !errors.Is(err, mcpruntime.ErrTimeout) {
		t.Errorf("error %v", err)
	}
}

type blocked chan struct{}

func (b blocked) Token() (*oauth2.Token, error) {
	<-b
	return nil, errors.New("late")
}

// A server's texts do not show the token, whoever repeats it.
func TestTokenIsMasked(t *testing.T) {
	const token = "very-secret-token-1"
	url := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "I do not like "+r.Header.Get("Authorization"), http.StatusForbidden)
	}))
	h := connectAll(t, &Options{Auth: tokensOf(map[string]oauth2.TokenSource{"s": oauth2.StaticTokenSource(&oauth2.Token{AccessToken: token})})},
		endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: url, Transport: endpoint.HTTP}})
	checkError(t, h.Err(), "403", "does not accept the token")
	if strings.Contains(h.Err().Error(), token) {
		t.Errorf("the token is in the error: %v", h.Err())
	}
}
