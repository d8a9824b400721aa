package gateway

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/oauth2"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/token"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// serveHTTP serves a gateway at a port of its own, and returns its address.
func serveHTTP(t *testing.T, g *Gateway, opts *HandlerOptions) (address string, stop func() error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- g.ListenAndServe(ctx, l, opts) }()
	stopped := false
	stop = func() error {
		if stopped {
			return nil
		}
		stopped = true
		cancel()
		return <-served
	}
	t.Cleanup(func() { _ = stop() })
	return "http://" + l.Addr().String(), stop
}

// post sends a message over HTTP, and returns status and body.
func postJSON(t *testing.T, url, body string, header ...string) (int, string, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(data), res.Header
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// modernCall is a call of a tool as 2026-07-28 has it, with its headers.
func modernCall(tool, args string) (body string, header []string) {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}},"name":%q,"arguments":%s}}`, tool, args),
		[]string{"Mcp-Protocol-Version", modern, "Mcp-Method", "tools/call", "Mcp-Name", tool}
}

// Clients of both eras list and call, with the SDK's client and by hand.
func TestHTTP(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "exact"))
	url, _ := serveHTTP(t, g, nil)
	for _, protocol := range eras {
		c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		session, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url + Path}, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
		if err != nil {
			t.Fatal(err)
		}
		tools, err := session.ListTools(t.Context(), nil)
		if err != nil || len(tools.Tools) != 1 || tools.Tools[0].Name != "s__exact" {
			t.Errorf("%s: %v, %v", protocol, tools, err)
		}
		if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "s__exact", Arguments: json.RawMessage(`{"n":1}`)}); err != nil {
			t.Errorf("%s: %v", protocol, err)
		}
		_ = session.Close()
	}
	body, header := modernCall("s__exact", `{"n":9007199254740995}`)
	status, got, headers := postJSON(t, url+Path, body, header...)
	if status != http.StatusOK || headers.Get("Mcp-Session-Id") != "" {
		t.Errorf("%d: %s", status, got)
	}
	checkContains(t, got, "9007199254740995", "9007199254740993", `"resultType":"complete"`)

	for name, header := range map[string][]string{
		"a page of another origin": {"Origin", "https://evil.example"}, "a page, says the browser": {"Sec-Fetch-Site", "cross-site"}, "another host": {"Host", "evil.example"},
	} {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, url+Path, nil)
		req.Header.Set(header[0], header[1])
		if header[0] == "Host" {
			req.Host = header[1]
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %d", name, res.StatusCode)
		}
	}
	if res, err := http.Get(url + "/healthz"); err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("health: %v, %v", res, err)
	}
}

// Calls under way may end, standing streams do not hold the end up.
func TestHTTPDrain(t *testing.T) {
	g := openGateway(t, nil, &Options{Drain: 5 * time.Second}, processServer(t, "s", "late-response", "-delay", "700ms"))
	url, stop := serveHTTP(t, g, nil)
	var sessions []*mcp.ClientSession
	for _, protocol := range eras {
		c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {}})
		session, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url + Path}, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
		if err != nil {
			t.Fatal(err)
		}
		sessions = append(sessions, session)
	}
	called := make(chan error, len(sessions))
	for _, s := range sessions {
		go func() {
			_, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "s__echo", Arguments: json.RawMessage(`{"text":"x"}`)})
			called <- err
		}()
	}
	time.Sleep(300 * time.Millisecond) // the calls are under way
	began := time.Now()
	if err := stop(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("it took %v to end", took)
	}
	for range sessions {
		if err := <-called; err != nil {
			t.Errorf("a call under way: %v", err)
		}
	}
}

// A balancer hears that a gateway is about to end while new connections and calls still
// work.
func TestHTTPShutdownDelay(t *testing.T) {
	g := openGateway(t, nil, &Options{ShutdownDelay: time.Hour}, processServer(t, "s", "echo"))
	url, stop := serveHTTP(t, g, nil)
	health := func() string {
		res, err := http.Get(url + "/healthz")
		if err != nil {
			return err.Error()
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		return fmt.Sprint(res.StatusCode, " ", strings.TrimSpace(string(body)))
	}
	if got := health(); got != `200 {"status":"ok"}` {
		t.Error(got)
	}
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	eventually(t, "draining", func() bool { return health() == `503 {"status":"draining"}` })
	for _, protocol := range eras {
		c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		session, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url + Path}, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "s__echo", Arguments: json.RawMessage(`{"text":"x"}`)}); err != nil {
			t.Error(protocol, err)
		}
	}
	_ = g.Close() // a program does not have to wait
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Callers are known by their tokens, a session is its caller's, and no token is shown.
func TestTokens(t *testing.T) {
	auth, err := Tokens(map[string]string{"ann": "ann-0123456789abcdef", "bob": "bob-0123456789abcdef"})
	if err != nil {
		t.Fatal(err)
	}
	g := openGateway(t, nil, nil, processServer(t, "s", "exact"))
	url, _ := serveHTTP(t, g, &HandlerOptions{Auth: auth})
	for _, header := range [][]string{nil, {"Authorization", "Bearer wrong-0123456789abcdef"}, {"Authorization", "Basic YQ=="}} {
		status, got, _ := postJSON(t, url+Path, initialize, header...)
		if status != http.StatusUnauthorized || strings.Contains(got, "0123456789") {
			t.Errorf("%v: %d %s", header, status, got)
		}
	}
	status, _, headers := postJSON(t, url+Path, initialize, "Authorization", "Bearer ann-0123456789abcdef")
	id := headers.Get("Mcp-Session-Id")
	if status != http.StatusOK || id == "" {
		t.Fatalf("%d, session %q", status, id)
	}
	const list = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	if status, _, _ := postJSON(t, url+Path, list, "Authorization", "Bearer bob-0123456789abcdef", "Mcp-Session-Id", id); status != http.StatusForbidden {
		t.Errorf("another caller in the session: %d", status)
	}
	if status, got, _ := postJSON(t, url+Path, list, "Authorization", "Bearer ann-0123456789abcdef", "Mcp-Session-Id", id); status != http.StatusOK || !strings.Contains(got, "s__exact") {
		t.Errorf("%d %s", status, got)
	}
	for name, callers := range map[string]map[string]string{
		"nobody": nil, "short": {"a": "short"}, "one byte short": {"a": "0123456789abcde"}, "spaces": {"a": "0123456789 0123456789"}, "no name": {"": "0123456789abcdef"}, "same": {"a": "0123456789abcdef", "b": "0123456789abcdef"},
	} {
		if _, err := Tokens(callers); err == nil || strings.Contains(err.Error(), "0123456789") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An authorization server is asked about each token: it has to be good, and for this
// gateway.
func TestIntrospection(t *testing.T) {
	var issuer string
	var good atomic.Int64 // questions about that token
	issuer = serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("token") == "good" {
			good.Add(1)
		}
		id, secret, _ := r.BasicAuth()
		if id != "gw" || secret != "s3cret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		answers := map[string]string{
			"good":     `{"active":true,"sub":"ann","scope":"mcp other","aud":["x","http://127.0.0.1/mcp"],"iss":"` + issuer + `","exp":99999999999}`,
			"inactive": `{"active":false}`,
			"other":    `{"active":true,"sub":"ann","scope":"mcp","aud":"http://127.0.0.1/other"}`,
			"nobody":   `{"active":true,"scope":"mcp","aud":"http://127.0.0.1/mcp"}`,
			"anyone":   `{"active":true,"sub":"ann","scope":"mcp"}`,
			"expired":  `{"active":true,"sub":"ann","scope":"mcp","aud":"http://127.0.0.1/mcp","exp":5}`,
			"scope":    `{"active":true,"sub":"ann","scope":"read","aud":"http://127.0.0.1/mcp"}`,
			"issuer":   `{"active":true,"sub":"ann","scope":"mcp","aud":"http://127.0.0.1/mcp","iss":"https://evil.example"}`,
		}
		_, _ = io.WriteString(w, answers[r.FormValue("token")])
	}))
	auth, err := Introspection{Resource: "http://127.0.0.1/mcp", Issuer: issuer, Endpoint: issuer + "/introspect", ClientID: "gw", Secret: "s3cret", Scopes: []string{"mcp"}}.Auth()
	if err != nil {
		t.Fatal(err)
	}
	g := openGateway(t, nil, nil, processServer(t, "s", "exact"))
	url, _ := serveHTTP(t, g, &HandlerOptions{Auth: auth})
	for token, want := range map[string]int{
		"good": 200, "inactive": 401, "other": 401, "nobody": 401, "anyone": 401, "expired": 401, "scope": 403, "issuer": 401, "unheard-of": 500,
	} {
		status, got, header := postJSON(t, url+Path, initialize, "Authorization", "Bearer "+token)
		if status != want || strings.Contains(got, "s3cret") {
			t.Errorf("%s: %d %s", token, status, got)
		}
		if status == 401 && !strings.Contains(header.Get("WWW-Authenticate"), `resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource/mcp"`) {
			t.Errorf("%s: %s", token, header.Get("WWW-Authenticate"))
		}
	}
	for range 100 { // an answer counts for ten seconds
		if status, got, _ := postJSON(t, url+Path, initialize, "Authorization", "Bearer good"); status != http.StatusOK {
			t.Errorf("%d %s", status, got)
		}
	}
	if n := good.Load(); n > 50 {
		t.Errorf("the server was asked %d times about one token", n)
	}
	res, err := http.Get(url + "/.well-known/oauth-protected-resource/mcp")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	about, _ := io.ReadAll(res.Body)
	checkContains(t, string(about), `"resource":"http://127.0.0.1/mcp"`, `"authorization_servers":["`+issuer+`"]`)
	if _, err := (Introspection{Resource: "http://mcp.example.com/mcp", Issuer: issuer, Endpoint: issuer}).Auth(); err == nil {
		t.Error("tokens would go over http")
	}
}

// An address that others reach is refused while everybody could call.
func TestLoopback(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "exact"))
	l, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Skip("no such address here: ", err)
	}
	if err := g.ListenAndServe(t.Context(), l, nil); err == nil || !strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("got %v", err)
	}
}

// State opens with the keys that sealed it, for the one call, until it expires.
func TestKeys(t *testing.T) {
	key := func(id string, b byte) Key {
		return Key{ID: id, Secret: []byte(strings.Repeat(string(rune(b)), keySize))}
	}
	ring := func(keys ...Key) *Keys {
		t.Helper()
		k, err := NewKeys(keys...)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	now := time.Unix(1000, 0)
	old, both, later := ring(key("a", 'a')), ring(key("b", 'b'), key("a", 'a')), ring(key("b", 'b'))
	binding := []string{"ann", "tools/call", "t"}
	state, err := old.seal(sealed{Server: json.RawMessage(`"secret state"`)}, binding, now.Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(state, base64.RawURLEncoding.EncodeToString([]byte("secret"))) {
		t.Error("the state can be read")
	}
	if s, err := both.open(state, binding, now); err != nil || string(s.Server) != `"secret state"` {
		t.Errorf("%v, %v", s, err)
	}
	for name, tt := range map[string]struct {
		keys    *Keys
		state   string
		binding []string
		now     time.Time
	}{
		"other keys": {later, state, binding, now}, "another caller": {both, state, []string{"bob", "tools/call", "t"}, now},
		"parts moved": {both, state, []string{"ann", "tools/call\x00t", ""}, now}, "too late": {both, state, binding, now.Add(2 * time.Minute)},
		"cut": {both, state[:len(state)-2], binding, now}, "another key's name": {both, "b" + state[1:], binding, now}, "nothing": {both, "", binding, now},
	} {
		if _, err := tt.keys.open(tt.state, tt.binding, tt.now); err == nil {
			t.Errorf("%s: it opens", name)
		}
	}
	for name, keys := range map[string][]Key{"none": nil, "short": {{"a", []byte("x")}}, "no id": {{"", make([]byte, keySize)}}, "odd id": {{"a.b", make([]byte, keySize)}}, "twice": {key("a", 'a'), key("a", 'b')}} {
		if _, err := NewKeys(keys...); err == nil {
			t.Errorf("%s: it is a ring", name)
		}
	}
}

// A caller with a session of its own with a server gets there with what that caller
// has there, and the token that it showed to the gateway goes nowhere.
func TestOwnSessions(t *testing.T) {
	seen := make(chan string, 100)
	upstream, err := testserver.Handler("exact")
	if err != nil {
		t.Fatal(err)
	}
	server := endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte(`"tools/call"`)) {
			seen <- r.Header.Get("Authorization")
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		upstream.ServeHTTP(w, r)
	})) + "/mcp"}}
	auth, err := Tokens(map[string]string{"ann": "ann-0123456789abcdef", "bob": "bob-0123456789abcdef"})
	if err != nil {
		t.Fatal(err)
	}
	g := openGateway(t, &attach.Options{
		Callers: &attach.CallerSessions{},
		Auth: []attach.AuthFunc{token.Callers(func(_ context.Context, _, caller string) (oauth2.TokenSource, error) {
			if caller == "bob" {
				return nil, nil
			}
			return oauth2.StaticTokenSource(&oauth2.Token{AccessToken: caller + "-upstream"}), nil
		})},
	}, nil, server)
	url, _ := serveHTTP(t, g, &HandlerOptions{Auth: auth})
	body, header := modernCall("s__exact", `{"n":1}`)
	status, got, _ := postJSON(t, url+Path, body, append(header, "Authorization", "Bearer ann-0123456789abcdef")...)
	if status != http.StatusOK {
		t.Errorf("%d %s", status, got)
	}
	if a := <-seen; a != "Bearer ann-upstream" {
		t.Errorf("the server got %q", a)
	}
	_, got, _ = postJSON(t, url+Path, body, append(header, "Authorization", "Bearer bob-0123456789abcdef")...)
	checkContains(t, got, `"kind":"auth"`)
	if len(seen) > 0 {
		t.Errorf("the server got %q of a caller without credentials", <-seen)
	}
}

// Prompts and resources that a server gets later are told of, and listed.
func TestItemsChanged(t *testing.T) {
	upstream := mcp.NewServer(&mcp.Implementation{Name: "u", Version: "1"}, nil)
	upstream.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	prompt := func(name string) {
		upstream.AddPrompt(&mcp.Prompt{Name: name}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{}, nil
		})
	}
	prompt("first")
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return upstream }, nil)
	g := openGateway(t, nil, nil, endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: serveHandler(t, handler)}})
	told := make(chan bool, 10)
	c := dialAs(t, g, legacy, `{}`, func(method string, _ json.RawMessage) json.RawMessage {
		if method == "notifications/prompts/list_changed" {
			told <- true
		}
		return nil
	})
	checkContains(t, c.must("prompts/list", `{}`), `"s__first"`)
	prompt("second")
	for deadline := time.Now().Add(10 * time.Second); len(told) == 0 && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		c.must("ping", `{}`)
	}
	if len(told) == 0 {
		t.Fatal("nobody was told")
	}
	checkContains(t, c.must("prompts/list", `{}`), `"s__second"`)
}

// A caller that follows a resource is told when it is another, in both eras, and the
// server hears when nobody follows it any more.
func TestSubscribe(t *testing.T) {
	for _, stateless := range []bool{false, true} {
		taken, left := make(chan string, 10), make(chan string, 10)
		upstream := mcp.NewServer(&mcp.Implementation{Name: "u", Version: "1"}, &mcp.ServerOptions{
			SubscribeHandler:   func(_ context.Context, r *mcp.SubscribeRequest) error { taken <- r.Params.URI; return nil },
			UnsubscribeHandler: func(_ context.Context, r *mcp.UnsubscribeRequest) error { left <- r.Params.URI; return nil },
		})
		upstream.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
		upstream.AddResource(&mcp.Resource{Name: "r", URI: "file:///r"}, nil)
		handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return upstream }, &mcp.StreamableHTTPOptions{Stateless: stateless})
		g := openGateway(t, nil, nil, endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: serveHandler(t, handler)}})
		eachEra(t, func(t *testing.T, protocol string) {
			updated := make(chan string, 10)
			c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
				updated <- r.Params.URI
			}})
			session, err := c.Connect(t.Context(), g.Transport(), &mcp.ClientSessionOptions{ProtocolVersion: protocol})
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			const uri = "mcpgen://s/file:///r"
			if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
			select {
			case <-taken: // since 2026-07-28 a request to follow a resource is on its way until then
			case <-time.After(10 * time.Second):
				t.Fatal("the server was not told that somebody follows the resource")
			}
			var got string
			for deadline := time.Now().Add(10 * time.Second); got == "" && time.Now().Before(deadline); {
				_ = upstream.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "file:///r"})
				select {
				case got = <-updated:
				case <-time.After(50 * time.Millisecond):
				}
			}
			if got != uri {
				t.Fatalf("told of %q", got)
			}
			_ = session.Close()
			select {
			case <-left:
			case <-time.After(10 * time.Second):
				t.Error("the server was not told that nobody follows the resource")
			}
		})
	}
}

// The token of this user is made once, for this user alone; one that others can read is
// refused.
func TestOwnToken(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	token, path, err := OwnToken(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := OwnToken(t.Context())
	if err != nil || again != token || len(token) < minToken {
		t.Errorf("%q, then %q, %v", token, again, err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	auth, err := Tokens(map[string]string{"local": token})
	if err != nil {
		t.Fatal(err)
	}
	g := openGateway(t, nil, nil, processServer(t, "s", "exact"))
	url, _ := serveHTTP(t, g, &HandlerOptions{Auth: auth})
	for header, want := range map[string]int{"": http.StatusUnauthorized, "Bearer " + token[1:]: http.StatusUnauthorized, "Bearer " + token: http.StatusOK} {
		if status, got, _ := postJSON(t, url+Path, initialize, "Authorization", header); status != want {
			t.Errorf("%q: %d %s", header, status, got)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := OwnToken(t.Context()); err == nil {
		t.Error("a token that others can read is taken, want an error")
	}
}

// A caller of a session that loses its connection in the middle of a call has the answer
// from the place at which it stopped, and nobody else does.
func TestResumedStream(t *testing.T) {
	auth, err := Tokens(map[string]string{"ann": "ann-0123456789abcdef", "bob": "bob-0123456789abcdef"})
	if err != nil {
		t.Fatal(err)
	}
	g := openGateway(t, nil, nil, processServer(t, "s", "late-response", "-delay", "500ms"))
	url, _ := serveHTTP(t, g, &HandlerOptions{Auth: auth})
	token, bob := []string{"Authorization", "Bearer ann-0123456789abcdef"}, []string{"Authorization", "Bearer bob-0123456789abcdef"}
	_, _, headers := postJSON(t, url+Path, initialize, token...)
	id := headers.Get("Mcp-Session-Id")
	postJSON(t, url+Path, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, append(token, "Mcp-Session-Id", id)...)
	ask := func(ctx context.Context, method, body string, header ...string) *http.Response {
		t.Helper()
		req, err := http.NewRequestWithContext(ctx, method, url+Path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for i, pairs := 0, append(header, "Content-Type", "application/json", "Accept", "application/json, text/event-stream", "Mcp-Session-Id", id, "Mcp-Protocol-Version", "2025-11-25"); i < len(pairs); i += 2 {
			req.Header.Set(pairs[i], pairs[i+1])
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = res.Body.Close() })
		return res
	}
	ctx, hangUp := context.WithCancel(t.Context())
	first := bufio.NewScanner(ask(ctx, http.MethodPost, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"s__echo","arguments":{"a":1}}}`, token...).Body)
	last := ""
	for last == "" && first.Scan() {
		if text, ok := strings.CutPrefix(first.Text(), "id: "); ok {
			last = text
		}
	}
	hangUp()
	if last == "" {
		t.Fatal("the stream begins without an event that has an id")
	}
	if res := ask(t.Context(), http.MethodGet, "", append(bob, "Last-Event-ID", last)...); res.StatusCode != http.StatusForbidden {
		t.Errorf("another caller: %d", res.StatusCode)
	}
	res := ask(t.Context(), http.MethodGet, "", append(token, "Last-Event-ID", last)...)
	for deadline := time.Now().Add(10 * time.Second); res.StatusCode == http.StatusConflict && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond) // the end of the connection is on its way
		res = ask(t.Context(), http.MethodGet, "", append(token, "Last-Event-ID", last)...)
	}
	rest := bufio.NewScanner(res.Body)
	for rest.Scan() {
		if strings.Contains(rest.Text(), `"id":2`) {
			checkContains(t, rest.Text(), `\"a\":1`)
			return
		}
	}
	t.Errorf("no answer after %s: %d", last, res.StatusCode)
}

// A call that its caller cancels over HTTP gets no answer, on its own stream or on one that
// is resumed; a call beside it does.
func TestCancelHTTP(t *testing.T) {
	began, ended := make(chan string, 2), make(chan string, 2)
	release := make(chan struct{})
	upstream := mcp.NewServer(&mcp.Implementation{Name: "u", Version: "1"}, nil)
	upstream.AddTool(&mcp.Tool{Name: "wait", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		args := string(r.Params.Arguments)
		began <- args
		select {
		case <-release:
		case <-ctx.Done():
		}
		ended <- args
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: args}}}, nil
	})
	g := openGateway(t, nil, nil, endpoint.Server{Name: "s", Launch: &endpoint.Address{
		URL: serveHandler(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return upstream }, nil)),
	}})
	url, _ := serveHTTP(t, g, nil)
	for _, revision := range []string{"2025-03-26", "2025-06-18", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			_, _, headers := postJSON(t, url+Path, strings.Replace(initialize, legacy, revision, 1))
			header := []string{sessionHeader, headers.Get(sessionHeader), "Mcp-Protocol-Version", revision}
			postJSON(t, url+Path, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, header...)
			answer := map[int]chan string{5: make(chan string, 1), 6: make(chan string, 1)}
			for id, got := range answer {
				go func() {
					_, body, _ := within(t, url+Path, callOf(id, "s__wait", fmt.Sprintf(`{"id":%d}`, id)), header...)
					got <- body
				}()
				<-began
			}
			cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5.0}}`
			if revision == "2025-03-26" {
				cancel = "[" + cancel + "]"
			}
			postJSON(t, url+Path, cancel, header...)
			if got := <-ended; got != `{"id":5}` {
				t.Errorf("cancelled at the server: %s", got)
			}
			body := <-answer[5]
			checkLacks(t, body, `"id":5`)
			release <- struct{}{}
			<-ended
			checkContains(t, <-answer[6], `\"id\":6`)
			if _, first, ok := strings.Cut(body, "id: "); ok { // the stream can be resumed
				last, _, _ := strings.Cut(first, "\n")
				req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, url+Path, nil)
				for i := 0; i < len(header); i += 2 {
					req.Header.Set(header[i], header[i+1])
				}
				req.Header.Set("Accept", "text/event-stream")
				req.Header.Set("Last-Event-ID", last)
				res, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				defer res.Body.Close()
				rest, _ := io.ReadAll(res.Body)
				checkLacks(t, string(rest), `"id":5`)
			}
		})
	}
}

// Since 2026-07-28 a caller cancels by ending its request: the server is told, with and
// without the SDK.
func TestHangUp(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	g := openGateway(t, nil, nil, processServer(t, "s", "hang-on-call", "-trace", trace))
	url, _ := serveHTTP(t, g, nil)
	traced := func(text string) int {
		data, _ := os.ReadFile(trace)
		return strings.Count(string(data), text)
	}
	body, header := modernCall("s__echo", `{}`)
	for i, accept := range []string{"application/json, text/event-stream", "*/*"} {
		ctx, hangUp := context.WithCancel(t.Context())
		req, _ := http.NewRequestWithContext(ctx, http.MethodPost, url+Path, strings.NewReader(body))
		for at := 0; at < len(header); at += 2 {
			req.Header.Set(header[at], header[at+1])
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", accept)
		ended := make(chan error, 1)
		go func() {
			res, err := http.DefaultClient.Do(req)
			if err == nil {
				_, err = io.ReadAll(res.Body)
				_ = res.Body.Close()
			}
			ended <- err
		}()
		eventually(t, "called", func() bool { return traced("tools/call") > i })
		hangUp()
		if err := <-ended; err == nil {
			t.Error("the call was answered")
		}
		eventually(t, "cancelled", func() bool { return traced("notifications/cancelled") > i })
	}
}

// Health names three states, and no server.
func TestHealth(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "crash-on-call"))
	health := func() string {
		w := httptest.NewRecorder()
		g.Healthz(w, nil)
		return fmt.Sprint(w.Code, " ", strings.TrimSpace(w.Body.String()))
	}
	if got := health(); got != `200 {"status":"ok"}` {
		t.Error(got)
	}
	if _, err := dialClient(t, g, modern).call("s__echo", `{}`); err == nil {
		t.Fatal("the server does not die")
	}
	got := ""
	for deadline := time.Now().Add(10 * time.Second); got != `200 {"status":"degraded"}` && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		got = health()
	}
	if got != `200 {"status":"degraded"}` {
		t.Error(got)
	}
	h, err := g.Handler(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Close(); err != nil || health() != `503 {"status":"draining"}` {
		t.Error(health(), err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, Path, strings.NewReader(initialize)))
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), `"data":{"kind":"unavailable","sent":false}`) {
		t.Errorf("a call of a closed gateway is answered %d %s", w.Code, w.Body)
	}
}

// A name that a header cannot hold is encoded there.
func TestEncodedName(t *testing.T) {
	g := openGateway(t, nil, nil, processServer(t, "s", "exact"))
	url, _ := serveHTTP(t, g, nil)
	body, header := modernCall("s__exact", `{}`)
	for name, want := range map[string]int{"=?base64?c19fZXhhY3Q=?=": http.StatusOK, "=?base64?c19fb3RoZXI=?=": http.StatusBadRequest, "=?base64?!?=": http.StatusBadRequest} {
		header[len(header)-1] = name
		if status, got, _ := postJSON(t, url+Path, body, header...); status != want {
			t.Errorf("%s: %d %s, want %d", name, status, got, want)
		}
	}
}
