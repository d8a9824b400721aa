package oauth

// An MCP server and its authorization server, in this process.

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/golden/testserver"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

func addressOf(l endpoint.Launch) *endpoint.Address { return l.(*endpoint.Address) }

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
	looksUp    bool     // documents that describe clients
	clients    []string // that signed in
	life       int      // seconds, of tokens
	need       string   // scope that a call wants; "" is none
	state      string   // that is sent back in place of the right one, once
	secrets    []string
	deaf       bool   // no token is accepted
	denied     bool   // the sign-in is refused
	page       string // behind the address of the sign-in
	moved      string // where the token endpoint redirects to; "" is nowhere
	status     int    // of that redirect

	answers map[string]http.HandlerFunc // in place of its own, by path
	tokens  func() map[string]any       // members of the answer with a token, in place of its own; nil: none
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
	mux.HandleFunc("/authorize/", w.authorize)
	mux.HandleFunc("/token", w.token)
	mux.HandleFunc("/mcp", func(rw http.ResponseWriter, r *http.Request) { w.guard(rw, r, tools) })
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		answer := w.answers[r.URL.Path]
		w.mu.Unlock()
		if answer != nil {
			answer(rw, r)
			return
		}
		mux.ServeHTTP(rw, r)
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	w.url = s.URL
	return w
}

func sendJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func (w *world) resource(rw http.ResponseWriter, _ *http.Request) {
	sendJSON(rw, map[string]any{"resource": w.url + "/mcp", "authorization_servers": []string{w.url}, "scopes_supported": []string{"read"}})
}

func (w *world) metadata(rw http.ResponseWriter, _ *http.Request) {
	sendJSON(rw, map[string]any{
		"issuer": w.url, "authorization_endpoint": w.url + "/authorize" + w.page, "token_endpoint": w.url + "/token",
		"registration_endpoint": w.url + "/register", "response_types_supported": []string{"code"},
		"client_id_metadata_document_supported": w.looksUp,
		"code_challenge_methods_supported":      []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"client_secret_basic"},
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
	w.clients = append(w.clients, q.Get("client_id"))
	back, _ := url.Parse(q.Get("redirect_uri"))
	answer := url.Values{"code": {code}, "state": {q.Get("state")}}
	if w.denied {
		answer = url.Values{"error": {"access_denied"}, "state": {q.Get("state")}}
	}
	if w.state != "" {
		answer.Set("state", w.state)
	}
	back.RawQuery = answer.Encode()
	http.Redirect(rw, r, back.String(), http.StatusFound)
}

func (w *world) token(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.moved != "" {
		http.Redirect(rw, r, w.moved, w.status)
		return
	}
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
	answer := map[string]any{"access_token": access, "token_type": "bearer", "refresh_token": again, "expires_in": w.life, "scope": scopes}
	if w.tokens != nil {
		maps.Copy(answer, w.tokens())
	}
	sendJSON(rw, answer)
}

func (w *world) guard(rw http.ResponseWriter, r *http.Request, next http.Handler) {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	w.mu.Lock()
	scopes, ok := w.valid[token]
	ok = ok && !w.deaf
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
	return endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: w.url + "/mcp", Transport: endpoint.HTTP, Auth: endpoint.Auth{Kind: kind}}, Timeout: endpoint.Timeouts{Start: 20 * time.Second}}
}
