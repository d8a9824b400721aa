package oauth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	mcpruntime "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

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

func callTool(t *testing.T, h *attach.Host) error {
	t.Helper()
	_, err := h.Invoke(t.Context(), mcpruntime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(`{"text":"x"}`)})
	return err
}

// A client is the document that describes it where that is looked up, the one that
// is configured where it is registered already, and is registered else.
func TestClientID(t *testing.T) {
	const document = "https://agent.example.com/client.json"
	for _, tc := range []struct {
		name    string
		looksUp bool
		auth    endpoint.Auth
		want    string
	}{
		{"a document", true, endpoint.Auth{ClientID: document}, document},
		{"a document that nobody looks up", false, endpoint.Auth{ClientID: document}, "registered"},
		{"a registered client", true, endpoint.Auth{ClientID: "mine"}, "mine"},
		{"none", true, endpoint.Auth{}, "registered"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w, v := newWorld(t), &visits{}
			w.looksUp = tc.looksUp
			server := w.server(endpoint.AuthOAuth)
			addressOf(server.Launch).Auth.ClientID = tc.auth.ClientID
			h := connect(t, server, Options{Flow: Browser(BrowserOptions{Open: v.open})})
			if err := errors.Join(h.Err(), callTool(t, h)); err != nil {
				t.Fatal(err)
			}
			w.mu.Lock()
			defer w.mu.Unlock()
			if want := []string{tc.want}; !slices.Equal(w.clients, want) {
				t.Errorf("the clients that signed in: %q, expected %q", w.clients, want)
			}
			if registered := tc.want == "registered"; (w.registered == 1) != registered {
				t.Errorf("%d registrations, expected one: %v", w.registered, registered)
			}
		})
	}
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
	if err := callTool(t, h); err != nil {
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
	if err := errors.Join(h.Err(), callTool(t, h)); err != nil {
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
	if err := errors.Join(h.Err(), callTool(t, h)); err != nil {
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
	if err := errors.Join(h.Err(), callTool(t, h)); err != nil || v.count() != 2 {
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
			if err := callTool(t, h); err != nil {
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
	if err := errors.Join(h.Err(), callTool(t, h)); err != nil {
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
	if err := h.Err(); err == nil || !strings.Contains(err.Error(), "no sign-in within 2s") {
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
	h := connect(t, w.server(endpoint.AuthOAuth), Options{Flow: Paste(out, r)})
	if err := errors.Join(h.Err(), callTool(t, h)); err != nil {
		t.Error(err)
	}
	if !strings.Contains(out.String(), "has no answer from the sign-in page") {
		t.Errorf("the wrong line was taken: %s", out)
	}
}

// The browser is opened after y, and not before; the question shows which server
// wants the sign-in, and the host alone of the page that it chose.
func TestYesOpensTheBrowser(t *testing.T) {
	w := newWorld(t)
	w.page = "/\u202e\u009b31m"
	r, in := io.Pipe()
	out, v := &syncBuffer{}, &visits{}
	go func() {
		question := out.await("s: wants you to sign in at ", "[y/N] ")
		if want := "s: wants you to sign in at " + strings.TrimPrefix(w.url, "http://") + ": open it in your browser? "; question != want {
			t.Errorf("asked %q, want %q", question, want)
		}
		if v.count() > 0 {
			t.Errorf("the browser was opened %d times before the question was answered, want never", v.count())
		}
		fmt.Fprintf(in, "y\n")
		fmt.Fprintf(in, "for another question\n")
	}()
	h := connect(t, w.server(endpoint.AuthOAuth), Options{Flow: Browser(BrowserOptions{Open: v.open, Out: out, In: r})})
	if err := errors.Join(h.Err(), callTool(t, h)); err != nil || v.count() != 1 {
		t.Errorf("%v, %d visits", err, v.count())
	}
	if rest, err := readLine(r); rest != "for another question" {
		t.Errorf("the sign-in took a line that was not for it: %q, %v", rest, err)
	}
}

// Whatever else is typed opens nothing, nor does the end of the input.
func TestNotYes(t *testing.T) {
	for typed, want := range map[string]string{"\n": "was not y", "no\n": "was not y", "yesterday\n": "was not y", "": "the input ended", "no": "was not y"} {
		v := &visits{}
		h := connect(t, newWorld(t).server(endpoint.AuthOAuth), Options{Flow: Browser(BrowserOptions{Open: v.open, In: strings.NewReader(typed)})})
		if err := h.Err(); !errors.Is(err, mcpruntime.ErrAuth) || !strings.Contains(err.Error(), want) || v.count() > 0 {
			t.Errorf("%q: %v, %d visits", typed, err, v.count())
		}
	}
}

// The question ends with its caller and with its time. A line that comes later is not
// the answer to the next one.
func TestQuestionEnds(t *testing.T) {
	r, in := io.Pipe()
	out, v := &syncBuffer{}, &visits{}
	flow := Browser(BrowserOptions{Open: v.open, Out: out, In: r})
	const page = "https://g\u0456thub.com@evil.\u202eexample:8443/authorize?state=1"
	ask := func(ctx context.Context) error {
		login, err := flow.Begin(ctx, Request{Server: "s"})
		if err != nil {
			t.Fatal(err)
		}
		defer login.Close()
		_, err = login.Authorize(ctx, plainAddress(page))
		return err
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		out.await("open it in your browser? ", "[y/N] ")
		cancel()
	}()
	if err := ask(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	fmt.Fprintf(in, "y\n") // the read that was left takes it
	for left := flow.(browserFlow).in.typed; len(left) == 0; {
		time.Sleep(time.Millisecond)
	}
	if want := "sign in at evil.%E2%80%AEexample:8443: "; !strings.Contains(out.String(), want) {
		t.Errorf("asked %q, want %q", out, want)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := ask(ctx); !errors.Is(err, context.DeadlineExceeded) || v.count() > 0 {
		t.Errorf("error %v, %d visits", err, v.count())
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
			addressOf(s.Launch).Auth.ClientID, addressOf(s.Launch).Auth.ClientSecret, addressOf(s.Launch).Auth.Scopes = "me", "machine-secret-1", []string{"own"}
			if addressOf(s.Launch).Auth.Issuer = w.url; tokenURL {
				addressOf(s.Launch).Auth.TokenURL = w.url + "/token"
			}
			h := connect(t, s, Options{})
			if err := errors.Join(h.Err(), callTool(t, h)); err != nil {
				t.Fatal(err)
			}
			w.mu.Lock()
			for _, scopes := range w.valid {
				if scopes != "own" {
					t.Errorf("scopes %q", scopes)
				}
			}
			w.mu.Unlock()
			addressOf(s.Launch).Auth.ClientSecret = "machine-secret-2"
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
	addressOf(s.Launch).Auth.ClientID, addressOf(s.Launch).Auth.AuthorizationURL, addressOf(s.Launch).Auth.TokenURL = "me", w.url+"/authorize", w.url+"/token"
	h := connect(t, s, Options{Flow: Browser(BrowserOptions{Open: (&visits{}).open})})
	if err := errors.Join(h.Err(), callTool(t, h)); err != nil || w.registered > 0 {
		t.Errorf("%v, %d registrations", err, w.registered)
	}
}

// The metadata is at an address of its own.
func TestMetadataURL(t *testing.T) {
	for name, id := range map[string]string{"registered": "", "configured": "me"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			s := w.server(endpoint.AuthOAuth)
			addressOf(s.Launch).Auth.MetadataURL, addressOf(s.Launch).Auth.ClientID = w.url+"/.well-known/oauth-authorization-server", id
			h := connect(t, s, Options{Flow: Browser(BrowserOptions{Open: (&visits{}).open})})
			if err := errors.Join(h.Err(), callTool(t, h)); err != nil || (w.registered > 0) != (id == "") {
				t.Errorf("%v, %d registrations", err, w.registered)
			}
			addressOf(s.Launch).Auth.MetadataURL = w.url + "/nowhere"
			h = connect(t, s, Options{Flow: Browser(BrowserOptions{Open: (&visits{}).open})})
			if err := h.Err(); err == nil || !strings.Contains(err.Error(), "metadata url") {
				t.Errorf("error %v", err)
			}
			addressOf(s.Launch).Auth = endpoint.Auth{Kind: endpoint.AuthClientCredentials, ClientID: "me", ClientSecret: "machine-secret-1", MetadataURL: w.url + "/.well-known/oauth-authorization-server"}
			h = connect(t, s, Options{})
			if err := errors.Join(h.Err(), callTool(t, h)); err != nil {
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
