package oauth

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// listener is a host that keeps all that is sent to it.
type listener struct {
	url string

	mu   sync.Mutex
	seen []string
}

func newListener(t *testing.T) *listener {
	t.Helper()
	l := &listener{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		user, secret, _ := r.BasicAuth()
		text, _ := url.QueryUnescape(string(body))
		l.mu.Lock()
		l.seen = append(l.seen, r.Method+" "+r.URL.String()+" "+user+" "+secret+" "+r.Header.Get("Referer")+" "+text)
		l.mu.Unlock()
		http.NotFound(w, r)
	}))
	t.Cleanup(s.Close)
	l.url = s.URL
	return l
}

// got returns the requests that hold one of these texts.
func (l *listener) got(texts ...string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []string
	for _, seen := range l.seen {
		for _, text := range texts {
			if strings.Contains(seen, text) {
				all = append(all, seen)
			}
		}
	}
	return all
}

const planted = "machine-secret-1"

// The client secret is for the authorization server that the configuration names,
// whatever the MCP server says.
func TestSecretStaysWithItsIssuer(t *testing.T) {
	for _, kind := range []endpoint.AuthKind{endpoint.AuthOAuth, endpoint.AuthClientCredentials} {
		for name, issuer := range map[string]string{"not configured": "", "another": "https://login.example"} {
			t.Run(string(kind)+" "+name, func(t *testing.T) {
				w := newWorld(t)
				s := w.server(kind)
				addressOf(s.Launch).Auth.ClientID, addressOf(s.Launch).Auth.ClientSecret, addressOf(s.Launch).Auth.Issuer = "me", planted, issuer
				h := connect(t, s, Options{Flow: Browser(BrowserOptions{Open: (&visits{}).open})})
				err := h.Err()
				if !errors.Is(err, runtime.ErrAuth) || strings.Contains(err.Error(), planted) {
					t.Errorf("error %v", err)
				}
				if issuer == "" && (!strings.Contains(err.Error(), "auth.oauth.issuer") || !strings.Contains(err.Error(), `the server names "`+w.url+`"`)) {
					t.Errorf("no next step in %v", err)
				}
				if got := w.grants(); len(got) > 0 {
					t.Errorf("the authorization server of the MCP server was asked for a token: %v", got)
				}
			})
		}
		t.Run(string(kind)+" the configured one", func(t *testing.T) {
			w := newWorld(t)
			s := w.server(kind)
			addressOf(s.Launch).Auth.ClientID, addressOf(s.Launch).Auth.ClientSecret, addressOf(s.Launch).Auth.Issuer = "me", planted, w.url
			h := connect(t, s, Options{Flow: Browser(BrowserOptions{Open: (&visits{}).open})})
			if err := errors.Join(h.Err(), callTool(t, h)); err != nil {
				t.Error(err)
			}
		})
	}
}

// A token that was kept before is not refreshed with the secret at an address that
// a server once named.
func TestKeptAddressGetsNoSecret(t *testing.T) {
	w, elsewhere := newWorld(t), newListener(t)
	store := OpenStore(filepath.Join(t.TempDir(), "tokens.json"))
	s := w.server(endpoint.AuthOAuth)
	addressOf(s.Launch).Auth.ClientID, addressOf(s.Launch).Auth.ClientSecret, addressOf(s.Launch).Auth.Issuer = "me", planted, w.url
	kept := &entry{Server: addressOf(s.Launch).URL, ClientID: "me", ClientSecret: planted, TokenURL: elsewhere.url + "/token", AccessToken: "old", RefreshToken: "refresh", Expiry: time.Now().Add(-time.Hour)}
	if err := store.put(t.Context(), keyOf(addressOf(s.Launch).URL, "me"), kept); err != nil {
		t.Fatal(err)
	}
	h := connect(t, s, Options{Store: store, Flow: Browser(BrowserOptions{Open: (&visits{}).open})})
	if err := errors.Join(h.Err(), callTool(t, h)); err != nil {
		t.Error(err)
	}
	if got := elsewhere.got(planted, "refresh"); len(got) > 0 {
		t.Errorf("sent elsewhere: %q", got)
	}
}

// A token endpoint that redirects leads nobody anywhere.
func TestTokenRedirect(t *testing.T) {
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		for name, own := range map[string]*http.Client{"our client": nil, "the program's": {}} {
			for _, kind := range []endpoint.AuthKind{endpoint.AuthOAuth, endpoint.AuthClientCredentials} {
				t.Run(string(kind)+" "+http.StatusText(status)+" "+name, func(t *testing.T) {
					w, elsewhere := newWorld(t), newListener(t)
					w.moved, w.status = elsewhere.url+"/token", status
					s := w.server(kind)
					addressOf(s.Launch).Auth.ClientID, addressOf(s.Launch).Auth.ClientSecret, addressOf(s.Launch).Auth.Issuer = "me", planted, w.url
					h := connect(t, s, Options{HTTPClient: own, Flow: Browser(BrowserOptions{Open: (&visits{}).open})})
					if err := h.Err(); !errors.Is(err, runtime.ErrAuth) {
						t.Errorf("error %v", err)
					}
					if got := elsewhere.got(""); len(got) > 0 {
						t.Errorf("sent elsewhere: %q", got)
					}
				})
			}
		}
	}
}
