package google

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// TestSeed holds behaviours of the systems that mcpgen serves, by the number of
// the system and the row.
func TestSeed(t *testing.T) {
	t.Run("001-10", scopesAreRequired)
	t.Run("001-11", misconfigurationShowsAtAttach)
	t.Run("001-12", tokensAreRefreshed)
}

// source is a fake of Google's.
type source struct {
	mu    sync.Mutex
	n     int
	err   error
	lasts time.Duration
}

func (s *source) Token() (*oauth2.Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return nil, s.err
	}
	s.n++
	return &oauth2.Token{AccessToken: strings.Repeat("g", 10+s.n), Expiry: time.Now().Add(s.lasts)}, nil
}

// server is an MCP server that keeps the tokens it saw.
type server struct {
	mu   sync.Mutex
	seen []string
	url  string
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{}
	h, err := testserver.Handler("echo")
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.seen = append(s.seen, r.Header.Get("Authorization"))
		s.mu.Unlock()
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	s.url = web.URL + "/mcp"
	return s
}

func (s *server) tokens() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

func (s *server) attach(t *testing.T, find FindFunc, scopes ...string) *attach.Host {
	t.Helper()
	h, err := attach.Connect(t.Context(), []endpoint.Server{{
		Name: "g", Launch: &endpoint.Address{URL: s.url, Transport: endpoint.HTTP, Auth: endpoint.Auth{Kind: endpoint.AuthGoogle, Scopes: scopes}},
	}}, &attach.Options{Auth: []attach.AuthFunc{New(find)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

const scope = "https://www.googleapis.com/auth/cloud-platform"

func scopesAreRequired(t *testing.T) {
	for name, c := range map[string]struct {
		scopes []string
		want   string
	}{
		"none":  {nil, "scopes is required"},
		"empty": {[]string{scope, " "}, "scopes[1] is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := New(func(context.Context, ...string) (oauth2.TokenSource, error) {
				t.Error("the default credentials were looked for, want none for this server")
				return nil, nil
			})(t.Context(), attach.AuthTarget{Auth: endpoint.Auth{Kind: endpoint.AuthGoogle, Scopes: c.scopes}})
			if a != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v", a, err)
			}
		})
	}
	other, err := Auth(t.Context(), attach.AuthTarget{Auth: endpoint.Auth{Kind: endpoint.AuthOAuth}})
	if other != nil || err != nil {
		t.Errorf("another kind: %v, %v", other, err)
	}
}

func misconfigurationShowsAtAttach(t *testing.T) {
	for name, find := range map[string]FindFunc{
		"no credentials": func(context.Context, ...string) (oauth2.TokenSource, error) {
			return nil, errors.New("could not find them")
		},
		"no token": func(context.Context, ...string) (oauth2.TokenSource, error) {
			return &source{err: errors.New("could not find them")}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			h := s.attach(t, find, scope)
			err := h.Status()[0].Err
			if err == nil || !errors.Is(err, runtime.ErrAuth) || !strings.Contains(err.Error(), "could not find them") || !strings.Contains(err.Error(), "gcloud auth application-default login") {
				t.Errorf("error %v", err)
			}
			if seen := s.tokens(); len(seen) > 0 {
				t.Errorf("requests were sent: %q", seen)
			}
		})
	}
	s := newServer(t)
	var asked []string
	src := &source{lasts: time.Hour}
	h := s.attach(t, func(_ context.Context, scopes ...string) (oauth2.TokenSource, error) {
		asked = scopes
		return src, nil
	}, scope, "other")
	if err := h.Err(); err != nil || src.n != 1 || !slices.Equal(asked, []string{scope, "other"}) {
		t.Errorf("%v, %d tokens, scopes %q", err, src.n, asked)
	}
}

func tokensAreRefreshed(t *testing.T) {
	s := newServer(t)
	src := &source{lasts: 11 * time.Second} // used for a second: see below
	h := s.attach(t, func(context.Context, ...string) (oauth2.TokenSource, error) { return src, nil }, scope)
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	call := func() {
		t.Helper()
		if _, err := h.Invoke(t.Context(), runtime.Request{Server: "g", Method: protocol.MethodCallTool, Name: "echo", Args: []byte(`{"text":"x"}`)}); err != nil {
			t.Fatal(err)
		}
	}
	call()
	first := s.tokens()
	// Tokens are no longer used ten seconds before their end.
	time.Sleep(1200 * time.Millisecond)
	call()
	seen := s.tokens()
	if last := seen[len(seen)-1]; last == first[0] || !strings.HasPrefix(last, "Bearer g") {
		t.Errorf("the last request carried %q, the first %q", last, first[0])
	}
	if slices.Contains(seen, "") {
		t.Errorf("a request without a token: %q", seen)
	}
}

// A token that the server does not take: the next step.
func TestRefusedToken(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no", http.StatusUnauthorized)
	}))
	defer web.Close()
	s := &server{url: web.URL}
	h := s.attach(t, func(context.Context, ...string) (oauth2.TokenSource, error) { return &source{lasts: time.Hour}, nil }, scope)
	if err := h.Err(); !errors.Is(err, runtime.ErrAuth) || !strings.Contains(err.Error(), "and that this account has access") {
		t.Errorf("error %v", err)
	}
}
