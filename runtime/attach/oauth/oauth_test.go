package oauth

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/golden/testserver"
	mcpruntime "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// world is an MCP server and its authorization server.
type world struct {
	url string

	mu         sync.Mutex
	n          int
	valid      map[string]string // access token → scopes
	refresh    map[string]bool
	codes      map[string]url.Values
	asked      []string // grant types
	registered int
	life       int    // seconds, of tokens
	need       string // scope that a call wants; "" is none
	state      string // that is sent back in place of the right one, once
	secrets    []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{valid: map[string]string{}, refresh: map[string]bool{}, codes: map[string]url.Values{}, life: 3600}
	tools, err := testserver.Handler("echo")
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", w.resource)
	mux.HandleFunc("/.well-known/oauth-authorization-server", w.metadata)
	mux.HandleFunc("/register", w.register)
	mux.HandleFunc("/authorize", w.authorize)
	mux.HandleFunc("/token", w.token)
	mux.HandleFunc("/mcp", func(rw http.ResponseWriter, r *http.Request) { w.guard(rw, r, tools) })
	s := httptest.NewServer(mux)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	w.url = s.URL
	return w
}

func send(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func (w *world) resource(rw http.ResponseWriter, _ *http.Request) {
	send(rw, map[string]any{"resource": w.url + "/mcp", "authorization_servers": []string{w.url}, "scopes_supported": []string{"read"}})
}

func (w *world) metadata(rw http.ResponseWriter, _ *http.Request) {
	send(rw, map[string]any{
		"issuer": w.url, "authorization_endpoint": w.url + "/authorize", "token_endpoint": w.url + "/token",
		"registration_endpoint": w.url + "/register", "response_types_supported": []string{"code"},
		"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"client_secret_basic"},
	})
}

func (w *world) register(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.registered++
	var m map[string]any
	_ = json.NewDecoder(r.Body).Decode(&m)
	m["client_id"], m["client_secret"], m["token_endpoint_auth_method"] = "registered", "hush-registered-secret", "client_secret_basic"
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(rw).Encode(m)
}

func (w *world) authorize(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	q := r.URL.Query()
	w.n++
	code := fmt.Sprintf("code-%d", w.n)
	w.codes[code] = q
	back, _ := url.Parse(q.Get("redirect_uri"))
	answer := url.Values{"code": {code}, "state": {q.Get("state")}}
	if w.state != "" {
		answer.Set("state", w.state)
	}
	back.RawQuery = answer.Encode()
	http.Redirect(rw, r, back.String(), http.StatusFound)
}

func (w *world) token(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = r.ParseForm()
	grant := r.Form.Get("grant_type")
	w.asked = append(w.asked, grant)
	scopes := r.Form.Get("scope")
	refuse := func() {
		rw.Header().Set("Content-Type", "application/json")
		rw.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(rw, `{"error":"invalid_grant","error_description":"no"}`)
	}
	switch grant {
	case "authorization_code":
		q, ok := w.codes[r.Form.Get("code")]
		delete(w.codes, r.Form.Get("code"))
		sum := sha256.Sum256([]byte(r.Form.Get("code_verifier")))
		if !ok || base64.RawURLEncoding.EncodeToString(sum[:]) != q.Get("code_challenge") || q.Get("resource") != w.url+"/mcp" {
			refuse()
			return
		}
		scopes = q.Get("scope")
	case "refresh_token":
		if !w.refresh[r.Form.Get("refresh_token")] {
			refuse()
			return
		}
		delete(w.refresh, r.Form.Get("refresh_token")) // once only
	case "client_credentials":
		if _, secret, _ := r.BasicAuth(); secret != "machine-secret-1" {
			rw.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(rw, `{"error":"invalid_client","error_description":"wrong"}`)
			return
		}
	}
	w.n++
	access, again := fmt.Sprintf("access-token-%d", w.n), fmt.Sprintf("refresh-token-%d", w.n)
	w.valid[access], w.refresh[again] = scopes, true
	w.secrets = append(w.secrets, access, again)
	send(rw, map[string]any{"access_token": access, "token_type": "bearer", "refresh_token": again, "expires_in": w.life, "scope": scopes})
}

func (w *world) guard(rw http.ResponseWriter, r *http.Request, next http.Handler) {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	w.mu.Lock()
	scopes, ok := w.valid[token]
	need := w.need
	w.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	meta := fmt.Sprintf(`resource_metadata="%s/.well-known/oauth-protected-resource/mcp"`, w.url)
	switch {
	case !ok:
		rw.Header().Set("WWW-Authenticate", "Bearer "+meta)
		http.Error(rw, "no such token: "+token, http.StatusUnauthorized)
	case need != "" && bytes.Contains(body, []byte("tools/call")) && !slices.Contains(strings.Fields(scopes), need):
		rw.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer error="insufficient_scope", scope=%q, %s`, need, meta))
		http.Error(rw, "more is needed", http.StatusForbidden)
	default:
		next.ServeHTTP(rw, r)
	}
}

// expire makes all access tokens invalid, and with all the refresh tokens too.
func (w *world) expire(all bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.valid)
	if all {
		clear(w.refresh)
	}
}

func (w *world) grants() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.asked)
}

func (w *world) server(kind endpoint.AuthKind) endpoint.Server {
	return endpoint.Server{Name: "s", URL: w.url + "/mcp", Transport: endpoint.HTTP, Auth: endpoint.Auth{Kind: kind}, Timeout: endpoint.Timeouts{Start: 20 * time.Second}}
}

// visits is a browser that follows all redirects, and counts.
type visits struct {
	mu sync.Mutex
	n  int
}

func (v *visits) open(page string) error {
	v.mu.Lock()
	v.n++
	v.mu.Unlock()
	go func() {
		resp, err := http.Get(page)
		if err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
		http.DefaultClient.CloseIdleConnections()
	}()
	return nil
}

func (v *visits) count() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.n
}

func connect(t *testing.T, s endpoint.Server, opts Options) *attach.Host {
	t.Helper()
	h, err := attach.Connect(t.Context(), []endpoint.Server{s}, &attach.Options{Auth: []attach.AuthFunc{New(opts)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

func call(t *testing.T, h *attach.Host) error {
	t.Helper()
	_, err := h.Invoke(t.Context(), mcpruntime.Request{Server: "s", Method: mcpruntime.MethodCallTool, Name: "echo", Args: json.RawMessage(`{"text":"x"}`)})
	return err
}

// A person signs in once; later runs use what was kept, and refresh it.
func TestSignInOnce(t *testing.T) {
	w := newWorld(t)
	store := OpenStore(filepath.Join(t.TempDir(), "deep", "tokens.json"))
	v := &visits{}
	opts := Options{Store: store, Flow: Browser(BrowserOptions{Open: v.open})}

	h := connect(t, w.server(endpoint.AuthOAuth), opts)
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	if err := call(t, h); err != nil {
		t.Fatal(err)
	}
	_ = h.Close()
	if info, err := os.Stat(store.Path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the store: %v, %v", info.Mode(), err)
	}
	if v.count() != 1 || w.registered != 1 {
		t.Fatalf("%d visits, %d registrations", v.count(), w.registered)
	}

	// Without a browser: from the store.
	h = connect(t, w.server(endpoint.AuthOAuth), Options{Store: store})
	if err := errors.Join(h.Err(), call(t, h)); err != nil {
		t.Fatal(err)
	}
	_ = h.Close()

	// The token has run out: it is refreshed, and what comes is kept.
	e, err := store.get(keyOf(w.url+"/mcp", ""))
	if err != nil || e == nil {
		t.Fatal(e, err)
	}
	old := e.RefreshToken
	e.Expiry = time.Now().Add(-time.Hour)
	if err := store.put(t.Context(), keyOf(w.url+"/mcp", ""), e); err != nil {
		t.Fatal(err)
	}
	h = connect(t, w.server(endpoint.AuthOAuth), Options{Store: store})
	if err := errors.Join(h.Err(), call(t, h)); err != nil {
		t.Fatal(err)
	}
	e, err = store.get(keyOf(w.url+"/mcp", ""))
	if err != nil || e.RefreshToken == old || !e.good() {
		t.Errorf("the refreshed token was not kept: %v", err)
	}
	if got := w.grants(); !slices.Equal(got, []string{"authorization_code", "refresh_token"}) {
		t.Errorf("grants %v", got)
	}

	// Nothing is accepted any more: without a browser, the next step.
	w.expire(true)
	h = connect(t, w.server(endpoint.AuthOAuth), Options{Store: store, NextStep: "run mcpgen status on a terminal"})
	err = h.Err()
	if !errors.Is(err, mcpruntime.ErrAuth) || !strings.Contains(err.Error(), "run mcpgen status on a terminal") {
		t.Errorf("error %v", err)
	}
	for _, secret := range append(w.secrets, "hush-registered-secret") {
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("the secret %s is in the error: %v", secret, err)
		}
	}
	h = connect(t, w.server(endpoint.AuthOAuth), opts)
	if err := errors.Join(h.Err(), call(t, h)); err != nil || v.count() != 2 {
		t.Errorf("the second sign-in: %v, %d visits", err, v.count())
	}
}

// Many calls meet a token that is no longer accepted: one sign-in.
func TestOneSignInForManyCalls(t *testing.T) {
	w := newWorld(t)
	v := &visits{}
	h := connect(t, w.server(endpoint.AuthOAuth), Options{Flow: Browser(BrowserOptions{Open: v.open})})
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	w.expire(false)
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			if err := call(t, h); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
	if v.count() != 2 {
		t.Errorf("%d visits", v.count())
	}
}

// A call that needs more scopes: what there was is asked for again, and more.
func TestStepUp(t *testing.T) {
	w := newWorld(t)
	w.need = "write"
	v := &visits{}
	h := connect(t, w.server(endpoint.AuthOAuth), Options{Flow: Browser(BrowserOptions{Open: v.open})})
	if err := errors.Join(h.Err(), call(t, h)); err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, scopes := range w.valid {
		if strings.Contains(scopes, "write") && !strings.Contains(scopes, "read") {
			t.Errorf("scopes were lost: %q", scopes)
		}
	}
}

// Whoever was not asked to sign in does not: no browser, no discovery.
func TestOnlyWhereWanted(t *testing.T) {
	for name, kind := range map[string]endpoint.AuthKind{"auto": endpoint.AuthAuto, "none": endpoint.AuthNone} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			v := &visits{}
			h := connect(t, w.server(kind), Options{Flow: Browser(BrowserOptions{Open: v.open})})
			if err := h.Err(); err == nil || !strings.Contains(err.Error(), "401") || v.count() > 0 {
				t.Errorf("%v, %d visits", err, v.count())
			}
		})
	}
	w := newWorld(t)
	v := &visits{}
	h := connect(t, w.server(endpoint.AuthAuto), Options{Auto: true, Flow: Browser(BrowserOptions{Open: v.open})})
	if err := h.Err(); err != nil || v.count() != 1 {
		t.Errorf("%v, %d visits", err, v.count())
	}
}

// A page that sends the browser to the callback with another state is ignored.
func TestForgedAnswer(t *testing.T) {
	w := newWorld(t)
	w.state = "forged"
	flow := Browser(BrowserOptions{Timeout: 2 * time.Second, Open: (&visits{}).open})
	h := connect(t, w.server(endpoint.AuthOAuth), Options{Flow: flow})
	if err := h.Err(); err == nil || !strings.Contains(err.Error(), "nobody signed in in time") {
		t.Errorf("error %v", err)
	}
	if got := w.grants(); len(got) > 0 {
		t.Errorf("a forged code was used: %v", got)
	}
}

func TestPaste(t *testing.T) {
	w := newWorld(t)
	r, in := io.Pipe()
	out := &syncBuffer{}
	go func() {
		page := out.await("http", "\n")
		client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		resp, err := client.Get(page)
		if err != nil {
			return
		}
		defer resp.Body.Close()
		fmt.Fprintf(in, "what?\n%s\n", resp.Header.Get("Location"))
	}()
	h := connect(t, w.server(endpoint.AuthOAuth), Options{Flow: Paste(PasteOptions{Out: out, In: r})})
	if err := errors.Join(h.Err(), call(t, h)); err != nil {
		t.Error(err)
	}
	if !strings.Contains(out.String(), "not an address") {
		t.Errorf("the wrong line was taken: %s", out)
	}
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// await returns the text from begin to before end, once it is there.
func (s *syncBuffer) await(begin, end string) string {
	for range 1000 {
		text := s.String()
		if i := strings.Index(text, begin); i >= 0 {
			if found, _, ok := strings.Cut(text[i:], end); ok {
				return found
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	return ""
}

// A program signs in with its own secret.
func TestClientCredentials(t *testing.T) {
	for name, tokenURL := range map[string]bool{"found": false, "given": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			s := w.server(endpoint.AuthClientCredentials)
			s.Auth.ClientID, s.Auth.ClientSecret, s.Auth.Scopes = "me", "machine-secret-1", []string{"own"}
			if tokenURL {
				s.Auth.TokenURL = w.url + "/token"
			}
			h := connect(t, s, Options{})
			if err := errors.Join(h.Err(), call(t, h)); err != nil {
				t.Fatal(err)
			}
			w.mu.Lock()
			for _, scopes := range w.valid {
				if scopes != "own" {
					t.Errorf("scopes %q", scopes)
				}
			}
			w.mu.Unlock()
			s.Auth.ClientSecret = "machine-secret-2"
			h = connect(t, s, Options{})
			if err := h.Err(); !errors.Is(err, mcpruntime.ErrAuth) || strings.Contains(err.Error(), "machine-secret") {
				t.Errorf("error %v", err)
			}
		})
	}
}

// All addresses are configured: nothing is asked of the server.
func TestDirect(t *testing.T) {
	w := newWorld(t)
	s := w.server(endpoint.AuthOAuth)
	s.Auth.ClientID, s.Auth.AuthorizationURL, s.Auth.TokenURL = "me", w.url+"/authorize", w.url+"/token"
	h := connect(t, s, Options{Flow: Browser(BrowserOptions{Open: (&visits{}).open})})
	if err := errors.Join(h.Err(), call(t, h)); err != nil || w.registered > 0 {
		t.Errorf("%v, %d registrations", err, w.registered)
	}
}

// The metadata is at an address of its own.
func TestMetadataURL(t *testing.T) {
	for name, id := range map[string]string{"registered": "", "configured": "me"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			s := w.server(endpoint.AuthOAuth)
			s.Auth.MetadataURL, s.Auth.ClientID = w.url+"/.well-known/oauth-authorization-server", id
			h := connect(t, s, Options{Flow: Browser(BrowserOptions{Open: (&visits{}).open})})
			if err := errors.Join(h.Err(), call(t, h)); err != nil || (w.registered > 0) != (id == "") {
				t.Errorf("%v, %d registrations", err, w.registered)
			}
			s.Auth.MetadataURL = w.url + "/nowhere"
			h = connect(t, s, Options{Flow: Browser(BrowserOptions{Open: (&visits{}).open})})
			if err := h.Err(); err == nil || !strings.Contains(err.Error(), "metadata url") {
				t.Errorf("error %v", err)
			}
			s.Auth = endpoint.Auth{Kind: endpoint.AuthClientCredentials, ClientID: "me", ClientSecret: "machine-secret-1", MetadataURL: w.url + "/.well-known/oauth-authorization-server"}
			h = connect(t, s, Options{})
			if err := errors.Join(h.Err(), call(t, h)); err != nil {
				t.Error(err)
			}
		})
	}
}

// The caller leaves, and the sign-in with it.
func TestSignInEndsWithItsCaller(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	flow := Browser(BrowserOptions{Open: func(string) error { cancel(); return nil }})
	h, err := attach.Connect(ctx, []endpoint.Server{w.server(endpoint.AuthOAuth)}, &attach.Options{Auth: []attach.AuthFunc{New(Options{Flow: flow})}})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if !errors.Is(h.Err(), context.Canceled) {
		t.Errorf("error %v", h.Err())
	}
}
