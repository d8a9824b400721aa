package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/oauth"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// delegation is an authorization server that exchanges tokens, and a server that takes
// only tokens made for it.
type delegation struct {
	*testIssuer
	tokenURL, serverURL string

	mu       sync.Mutex
	asked    []map[string]string        // the exchanges
	life     int                        // seconds, of exchanged tokens; 0: not said
	answer   map[string]any             // members of an answer in place of its own
	hold     chan struct{}              // exchanges wait for it
	carried  []string                   // Authorization of requests to the server
	sessions map[string]map[string]bool // subjects by session of the server
}

const trackerAudience = "https://tracker.example.com"

func newDelegation(t *testing.T) *delegation {
	d := &delegation{testIssuer: newIssuer(t), life: 3600, sessions: map[string]map[string]bool{}}
	d.rotate("a", jose.RS256, newRSA(t, 2048))
	d.tokenURL = serveHandler(t, http.HandlerFunc(d.serveToken)) + "/token"
	tracker := mcp.NewServer(&mcp.Implementation{Name: "tracker", Version: "1"}, nil)
	tracker.AddTool(&mcp.Tool{Name: "whoami", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		c, _ := d.read(strings.TrimPrefix(r.Extra.Header.Get("Authorization"), "Bearer "))
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("%v may %v", c["sub"], c["scope"])}}}, nil
	})
	upstream := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return tracker }, nil)
	d.serverURL = serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given := r.Header.Get("Authorization")
		c, ok := d.read(strings.TrimPrefix(given, "Bearer "))
		d.mu.Lock()
		d.carried = append(d.carried, given)
		if id := r.Header.Get(sessionHeader); id != "" {
			if d.sessions[id] == nil {
				d.sessions[id] = map[string]bool{}
			}
			d.sessions[id][fmt.Sprint(c["sub"])] = true
		}
		d.mu.Unlock()
		if !ok || !slices.Contains(c["aud"].([]any), any(trackerAudience)) {
			http.Error(w, "no token for this server: "+given, http.StatusUnauthorized)
			return
		}
		upstream.ServeHTTP(w, r)
	})) + "/mcp"
	return d
}

// read verifies a token.
func (d *delegation) read(text string) (claims map[string]any, ok bool) {
	parsed, err := jwt.ParseSigned(text, []jose.SignatureAlgorithm{jose.RS256})
	return claims, err == nil && parsed.Claims(d.keys[0].Key, &claims) == nil
}

func (d *delegation) serveToken(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	w.Header().Set("Content-Type", "application/json")
	fail := func(status int, kind, why string) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": kind, "error_description": why})
	}
	id, secret, basic := r.BasicAuth()
	if !basic { // the other place of a client's name, which is tried after a refusal
		id, secret = r.Form.Get("client_id"), r.Form.Get("client_secret")
	}
	if id != "gateway" || secret != "hush-gateway-secret" {
		fail(http.StatusUnauthorized, "invalid_client", "wrong")
		return
	}
	claims := d.claims("aud", []string{trackerAudience}, "sub", "gateway", "jti", fmt.Sprint(time.Now().UnixNano()))
	answer := map[string]any{"token_type": "Bearer", "expires_in": 3600}
	d.mu.Lock()
	hold := d.hold
	d.mu.Unlock()
	if r.Form.Get("grant_type") != "client_credentials" {
		subject, ok := d.read(r.Form.Get("subject_token"))
		form := map[string]string{}
		for name := range r.Form {
			form[name] = r.Form.Get(name)
		}
		d.mu.Lock()
		d.asked = append(d.asked, form)
		if answer["expires_in"] = d.life; d.life == 0 {
			delete(answer, "expires_in")
		}
		d.mu.Unlock()
		if hold != nil {
			select {
			case <-hold:
			case <-r.Context().Done():
				return
			}
		}
		if !ok || subject["sub"] == "eve" {
			fail(http.StatusBadRequest, "invalid_grant", "not for "+r.Form.Get("subject_token"))
			return
		}
		claims["sub"], claims["scope"] = subject["sub"], subject["scope"]
		answer["issued_token_type"] = "urn:ietf:params:oauth:token-type:access_token"
	}
	answer["access_token"] = d.token("a", claims)
	d.mu.Lock()
	for name, value := range d.answer {
		answer[name] = value
	}
	d.mu.Unlock()
	_ = json.NewEncoder(w).Encode(answer)
}

func (d *delegation) exchanges() []map[string]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.asked)
}

func (d *delegation) set(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
}

// open opens a gateway to the server. Log has what the operator sees.
func (d *delegation) open(t *testing.T, callers endpoint.CallerAuth) (url string, log *lockedBuffer) {
	t.Helper()
	log = &lockedBuffer{}
	logger := slog.New(slog.NewTextHandler(log, nil))
	server := endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: d.serverURL, Transport: endpoint.HTTP, Auth: endpoint.Auth{
		Kind: endpoint.AuthClientCredentials, ClientID: "gateway", ClientSecret: "hush-gateway-secret", TokenURL: d.tokenURL, Callers: callers,
	}}}
	g := openGateway(t, &attach.Options{Auth: []attach.AuthFunc{oauth.New(oauth.Options{})}, Logger: logger}, &Options{Logger: logger}, server)
	auth, err := JWT{Resource: testResource, Issuer: d.url}.Auth()
	if err != nil {
		t.Fatal(err)
	}
	url, _ = serveHTTP(t, g, &HandlerOptions{Auth: auth})
	return url + Path, log
}

// call calls whoami with a token.
func (d *delegation) call(t *testing.T, url, token string) string {
	t.Helper()
	body, header := modernCall("s__whoami", `{}`)
	_, got, _ := postJSON(t, url, body, append(header, "Authorization", "Bearer "+token)...)
	return got
}

var exchange = endpoint.CallerAuth{Token: endpoint.TokenExchange, Audience: trackerAudience}

// Each caller's calls carry the token that its own token was exchanged for, in a session of
// its own; no caller's token reaches the server.
func TestTokenExchange(t *testing.T) {
	d := newDelegation(t)
	url, log := d.open(t, exchange)
	tokens := map[string]string{
		"ann": d.token("a", d.claims()), "bob": d.token("a", d.claims("sub", "bob")),
		"ann may read": d.token("a", d.claims("scope", "read")), "eve": d.token("a", d.claims("sub", "eve")),
	}
	var all sync.WaitGroup
	for range 10 {
		for _, name := range []string{"ann", "bob", "ann may read"} {
			all.Go(func() {
				want := name
				if !strings.Contains(name, " ") {
					want += " may mcp other"
				}
				checkContains(t, d.call(t, url, tokens[name]), `"`+want+`"`)
			})
		}
		all.Go(func() {
			got := d.call(t, url, tokens["eve"])
			checkContains(t, got, `"kind":"auth"`)
			if strings.Contains(got, tokens["eve"][:120]) {
				t.Errorf("it is shown: %s", got)
			}
		})
	}
	all.Wait()
	by := map[string]int{}
	for _, form := range d.exchanges() {
		if form["subject_token"] != tokens["eve"] {
			by[form["subject_token"]]++
		}
		if form["grant_type"] != "urn:ietf:params:oauth:grant-type:token-exchange" || form["subject_token_type"] != "urn:ietf:params:oauth:token-type:access_token" || form["audience"] != trackerAudience || form["resource"] != "" {
			t.Errorf("it asked for %v", form)
		}
	}
	for name, token := range tokens {
		if name != "eve" && by[token] != 1 {
			t.Errorf("%s was exchanged %d times", name, by[token])
		}
	}
	d.set(func() {
		for id, subjects := range d.sessions {
			if len(subjects) > 1 {
				t.Errorf("session %s is of %v", id, subjects)
			}
		}
		for _, carried := range d.carried {
			for name, token := range tokens {
				if strings.Contains(carried, token) {
					t.Errorf("the token of %s reached the server", name)
				}
			}
		}
	})
	for name, token := range tokens {
		if strings.Contains(log.String(), token[:120]) {
			t.Errorf("the log has the token of %s:\n%s", name, log.String())
		}
	}
	checkContains(t, log.String(), "did not exchange the caller's token")
}

// Sessions of callers of revisions before 2026-07-28 have the same tokens.
func TestTokenExchangeInSessions(t *testing.T) {
	d := newDelegation(t)
	url, _ := d.open(t, endpoint.CallerAuth{Token: endpoint.TokenExchange, Scopes: []string{"read"}})
	for _, name := range []string{"ann", "bob", "ann"} {
		bearer := d.token("a", d.claims("sub", name))
		c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		session, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: withBearer(bearer)}}, &mcp.ClientSessionOptions{ProtocolVersion: legacy})
		if err != nil {
			t.Fatal(err)
		}
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "s__whoami"})
		if err != nil {
			t.Fatal(err)
		}
		checkContains(t, res.Content[0].(*mcp.TextContent).Text, name+" may")
		_ = session.Close()
	}
	if form := d.exchanges()[0]; form["resource"] != d.serverURL || form["audience"] != "" || form["scope"] != "read" {
		t.Errorf("it asked for %v", form)
	}
}

type withBearer string

func (b withBearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// A token that expires is exchanged again; one that may not be used is not.
func TestExchangedTokens(t *testing.T) {
	d := newDelegation(t)
	url, log := d.open(t, exchange)
	d.set(func() { d.life = 1 })
	for n := range 3 {
		checkContains(t, d.call(t, url, d.token("a", d.claims())), "ann may")
		if got := len(d.exchanges()); got <= n {
			t.Errorf("call %d: %d exchanges", n, got)
		}
	}
	fresh := func(name string) string { return d.token("a", d.claims("sub", "bob", "jti", name)) }
	checkContains(t, d.call(t, url, fresh("first")), "bob may")
	var all []string
	for name, answer := range map[string]map[string]any{
		"own": nil, "kind": {"token_type": "N_A"}, "issued": {"issued_token_type": "urn:ietf:params:oauth:token-type:refresh_token"},
		"broken": {"access_token": "a b"}, "none": {"access_token": ""},
	} {
		bob := fresh(name)
		all = append(all, bob)
		if name == "own" {
			answer = map[string]any{"access_token": bob}
		}
		d.set(func() { d.answer = answer })
		if got := d.call(t, url, bob); !strings.Contains(got, `"kind":"auth"`) || strings.Contains(got, bob) {
			t.Errorf("%s: %s", name, got)
		}
	}
	d.set(func() {
		d.answer = nil
		for _, bob := range all {
			if slices.Contains(d.carried, "Bearer "+bob) || strings.Contains(log.String(), bob) {
				t.Errorf("a caller's token reached the server or the log:\n%s", log.String())
			}
		}
	})
	checkContains(t, d.call(t, url, fresh("last")), "bob may")
}

// A call that is cancelled while its token is exchanged holds up nobody.
func TestCancelledExchange(t *testing.T) {
	d := newDelegation(t)
	url, _ := d.open(t, exchange)
	checkContains(t, d.call(t, url, d.token("a", d.claims("jti", "first"))), "ann may")
	before := len(d.exchanges())
	ann := d.token("a", d.claims())
	hold := make(chan struct{})
	d.set(func() { d.hold = hold })
	ctx, cancel := context.WithCancel(t.Context())
	body, header := modernCall("s__whoami", `{}`)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i, all := 0, append(header, "Authorization", "Bearer "+ann, "Content-Type", "application/json", "Accept", "application/json, text/event-stream"); i < len(all); i += 2 {
		req.Header.Set(all[i], all[i+1])
	}
	ended := make(chan error, 1)
	go func() {
		res, err := http.DefaultClient.Do(req)
		if err == nil {
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
		}
		ended <- err
	}()
	for len(d.exchanges()) == before {
		time.Sleep(time.Millisecond)
	}
	d.set(func() { d.hold = nil })
	checkContains(t, d.call(t, url, d.token("a", d.claims("sub", "bob"))), "bob may") // while ann's waits
	cancel()
	<-ended
	checkContains(t, d.call(t, url, ann), "ann may")
	close(hold)
}

// A caller's own token is passed through only if it is for the server, too.
func TestPassThrough(t *testing.T) {
	d := newDelegation(t)
	url, log := d.open(t, endpoint.CallerAuth{Token: endpoint.TokenPassThrough, Audience: trackerAudience})
	both := d.token("a", d.claims("aud", []string{testResource, trackerAudience}))
	bob := d.token("a", d.claims("aud", []string{testResource, trackerAudience}, "sub", "bob"))
	alone := d.token("a", d.claims("aud", []string{testResource, "x"}))
	for range 3 {
		checkContains(t, d.call(t, url, both), "ann may")
		checkContains(t, d.call(t, url, bob), "bob may")
		checkContains(t, d.call(t, url, alone), `"kind":"auth"`)
	}
	d.set(func() {
		if slices.Contains(d.carried, "Bearer "+alone) {
			t.Error("a token for others reached the server")
		}
		for id, subjects := range d.sessions {
			if len(subjects) > 1 {
				t.Errorf("session %s is of %v", id, subjects)
			}
		}
	})
	checkContains(t, log.String(), "its audience must name")
	itself, _ := d.open(t, endpoint.CallerAuth{Token: endpoint.TokenPassThrough, Audience: testResource})
	own := d.token("a", d.claims())
	checkContains(t, d.call(t, itself, own), `"kind":"auth"`)
	d.set(func() {
		if slices.Contains(d.carried, "Bearer "+own) {
			t.Error("the gateway is no audience to pass a token to")
		}
	})
}

// Callers without a token of an authorization server have none for such a server.
func TestOnBehalfOfNobody(t *testing.T) {
	d := newDelegation(t)
	server := endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: d.serverURL, Transport: endpoint.HTTP, Auth: endpoint.Auth{
		Kind: endpoint.AuthClientCredentials, ClientID: "gateway", ClientSecret: "hush-gateway-secret", TokenURL: d.tokenURL, Callers: exchange,
	}}}
	g := openGateway(t, &attach.Options{Auth: []attach.AuthFunc{oauth.New(oauth.Options{})}}, nil, server)
	auth, err := Tokens(map[string]string{"ann": "ann-0123456789abcdef"})
	if err != nil {
		t.Fatal(err)
	}
	url, _ := serveHTTP(t, g, &HandlerOptions{Auth: auth})
	checkContains(t, d.call(t, url+Path, "ann-0123456789abcdef"), `"kind":"auth"`)
	if len(d.exchanges()) > 0 {
		t.Error("something was exchanged")
	}
}
