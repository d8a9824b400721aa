package oauth

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

const (
	metadataPath = "/.well-known/oauth-authorization-server"
	resourcePath = "/.well-known/oauth-protected-resource/mcp"
	leaked       = "hush-issued-secret"
	steering     = "\x1b]0;owned\x07\u202e"
)

// says answers with a status and a body.
func says(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// with answers as the world does, with other members.
func (w *world) with(own http.HandlerFunc, members map[string]any) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		record := httptest.NewRecorder()
		own(record, r)
		var m map[string]any
		_ = json.Unmarshal(record.Body.Bytes(), &m)
		maps.Copy(m, members)
		sendJSON(rw, m)
	}
}

// An authorization server that answers nonsense, or leads elsewhere, costs its server and
// nothing else: no page, no request to a third host, no text that steers a terminal, and
// no secret in the error.
func TestHostileAuthorizationServer(t *testing.T) {
	type hostile struct {
		set   func(w *world, elsewhere string)
		want  string // in the error
		pages int
	}
	at := func(path string, answer http.HandlerFunc) func(*world, string) {
		return func(w *world, _ string) { w.answers = map[string]http.HandlerFunc{path: answer} }
	}
	member := func(name string, value func(elsewhere string) any) func(*world, string) {
		return func(w *world, elsewhere string) {
			w.answers = map[string]http.HandlerFunc{metadataPath: w.with(w.metadata, map[string]any{name: value(elsewhere)})}
		}
	}
	text := func(s string) func(string) any { return func(string) any { return s } }
	long := strings.Repeat("x", 1<<20)
	for name, tt := range map[string]hostile{
		"metadata of another issuer":          {set: member("issuer", text("https://honest.example")), want: "issuer"},
		"metadata that never ends":            {set: at(metadataPath, endless), want: ""},
		"metadata that is not JSON":           {set: at(metadataPath, says(200, "application/json", "{"+steering)), want: ""},
		"no PKCE":                             {set: member("code_challenge_methods_supported", func(string) any { return []string{} }), want: "PKCE"},
		"a page that is a script":             {set: member("authorization_endpoint", text("javascript:alert(1)")), want: "scheme"},
		"a page that is a file":               {set: member("authorization_endpoint", text("file:///etc/passwd")), want: "HTTPS"},
		"a page that is an option":            {set: member("authorization_endpoint", text("--remote-debugging-port=1")), want: "HTTPS"},
		"a page without TLS":                  {set: member("authorization_endpoint", text("http://honest.example/authorize")), want: "HTTPS"},
		"a page with a long address":          {set: member("authorization_endpoint", text("https://honest.example/"+long)), want: ""},
		"a token endpoint without TLS":        {set: member("token_endpoint", text("http://honest.example/token")), want: "HTTPS"},
		"a token endpoint at link-local":      {set: member("token_endpoint", text("https://169.254.169.254/token")), want: "non-public"},
		"registration at link-local":          {set: member("registration_endpoint", text("https://169.254.169.254/register")), want: ""},
		"registration is refused":             {set: at("/register", says(400, "application/json", `{"error":"no`+"\u202e"+`","error_description":"`+long+`"}`)), want: "register"},
		"registration is a page":              {set: at("/register", says(500, "text/html", steering+leaked+long)), want: "register"},
		"registration is nonsense":            {set: at("/register", says(201, "application/json", `{"client_id":5,"client_secret":"`+leaked+`"}`)), want: "register"},
		"registration without an id":          {set: at("/register", says(201, "application/json", `{"client_secret":"`+leaked+`"}`)), want: "register"},
		"a token that is a page":              {set: at("/token", says(500, "text/html", steering+leaked)), want: "no token: HTTP 500 Internal Server Error;", pages: 1},
		"a token refused at length":           {set: at("/token", says(400, "application/json", `{"error":"x","error_description":"`+steering+long+`"}`)), want: "no token", pages: 1},
		"no token":                            {set: at("/token", says(200, "application/json", `{"token_type":"bearer"}`)), want: "token", pages: 1},
		"a token of the wrong type":           {set: at("/token", says(200, "application/json", `{"access_token":{},"token_type":"bearer"}`)), want: "", pages: 1},
		"a life of the wrong type":            {set: at("/token", says(200, "application/json", `{"access_token":"`+leaked+`","expires_in":true}`)), want: "", pages: 1},
		"a token that adds a header":          {set: tokenWith("access_token", leaked+"\r\nHost: elsewhere"), want: "cannot be sent", pages: 1},
		"a token type that adds a header":     {set: tokenWith("token_type", "Bearer x\r\nHost:"), want: "cannot be sent", pages: 1},
		"a token with a space":                {set: tokenWith("access_token", leaked+" x"), want: "cannot be sent", pages: 1},
		"a token as long as a book":           {set: tokenWith("access_token", leaked+strings.Repeat("x", 900<<10)), want: "cannot be sent", pages: 1},
		"a challenge that is not a challenge": {set: challenged("Bearer =\"x"), want: "WWW-Authenticate"},
		"a challenge as long as a book":       {set: challenged("Bearer a=b" + strings.Repeat(",", 500<<10) + "="), want: "WWW-Authenticate"},
		"another answer's issuer": {set: func(w *world, _ string) {
			w.answers = map[string]http.HandlerFunc{"/authorize": w.back(map[string]string{"iss": "https://honest.example"})}
		}, want: "issuer", pages: 1},
		"a refusal at length": {set: func(w *world, _ string) {
			w.answers = map[string]http.HandlerFunc{"/authorize": w.back(map[string]string{"error": "no" + steering, "error_description": strings.Repeat("x", 30<<10)})}
		}, want: "refused", pages: 1},
		"metadata elsewhere": {set: func(w *world, elsewhere string) {
			w.answers = map[string]http.HandlerFunc{resourcePath: func(rw http.ResponseWriter, r *http.Request) {
				http.Redirect(rw, r, strings.Replace(elsewhere, "127.0.0.1", "[::ffff:169.254.169.254]", 1), http.StatusFound)
			}, metadataPath: says(500, "text/html", "x")}
		}, want: ""},
	} {
		for _, store := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, kept %v", name, store), func(t *testing.T) {
				w, v, elsewhere := newWorld(t), &visits{}, newListener(t)
				tt.set(w, elsewhere.url)
				out := &syncBuffer{}
				opts := Options{Flow: Browser(BrowserOptions{Open: v.open, Out: out})}
				if store {
					opts.Store = OpenStore(filepath.Join(t.TempDir(), "tokens.json"))
				}
				h := connect(t, w.server(endpoint.AuthOAuth), opts)
				err := h.Err()
				if !errors.Is(err, runtime.ErrAuth) || !strings.Contains(err.Error(), tt.want) {
					t.Fatalf("got %v, want %q", err, tt.want)
				}
				if v.count() != tt.pages {
					t.Errorf("%d pages, want %d", v.count(), tt.pages)
				}
				if text := err.Error() + out.String(); strings.Contains(text, leaked) || strings.ContainsAny(text, "\x1b\x07\u202e") || len(err.Error()) > 2500 || len(out.String()) > 64<<10 {
					t.Errorf("shown: %.3000q", text)
				}
				if got := elsewhere.got(""); len(got) > 0 {
					t.Errorf("sent elsewhere: %q", got)
				}
				if e, err := OpenStore(opts.pathOf()).get(keyOf(w.url+"/mcp", "")); store && (e != nil || err != nil) {
					t.Errorf("kept %v, %v", e, err)
				}
			})
		}
	}
}

// Nothing is registered, and no port is taken, before a person has agreed; who has agreed
// to one host is asked again for another.
func TestQuestionComesFirst(t *testing.T) {
	for name, direct := range map[string]bool{"found": false, "configured": true} {
		t.Run(name, func(t *testing.T) {
			w, v, out := newWorld(t), &visits{}, &syncBuffer{}
			s := w.server(endpoint.AuthOAuth)
			if direct {
				addressOf(s.Launch).Auth.MetadataURL = w.url + metadataPath
			}
			r, in := io.Pipe()
			go func() {
				out.await("s: wants you to sign in at "+strings.TrimPrefix(w.url, "http://"), "[y/N] ")
				w.mu.Lock()
				if w.registered > 0 {
					t.Error("the client was registered before the question was answered")
				}
				w.mu.Unlock()
				fmt.Fprintln(in, "n")
			}()
			opts := Options{Flow: Browser(BrowserOptions{Open: v.open, Out: out, In: r})}
			h := connect(t, s, opts)
			if err := h.Err(); !errors.Is(err, runtime.ErrAuth) || !strings.Contains(err.Error(), "was not y") || !strings.Contains(err.Error(), "possible in 1m0s") {
				t.Errorf("got %v", err)
			}
			if w.registered > 0 || v.count() > 0 {
				t.Errorf("%d registrations, %d pages", w.registered, v.count())
			}
		})
	}
	w, v, out := newWorld(t), &visits{}, &syncBuffer{}
	n := 0
	w.answers = map[string]http.HandlerFunc{metadataPath: func(rw http.ResponseWriter, r *http.Request) {
		members := map[string]any{}
		if n++; n > 1 {
			members["authorization_endpoint"] = strings.Replace(w.url, "127.0.0.1", "localhost", 1) + "/authorize"
		}
		w.with(w.metadata, members)(rw, r)
	}}
	h := connect(t, w.server(endpoint.AuthOAuth), Options{Flow: Browser(BrowserOptions{Open: v.open, Out: out, In: strings.NewReader("y\n")})})
	if err := h.Err(); err == nil || !strings.Contains(out.String(), "sign in at localhost") || v.count() > 0 {
		t.Errorf("%v, %d pages, asked %q", err, v.count(), out)
	}
}

// A server that accepts each token once costs some pages, and not one for each request.
func TestTokensThatDoNotLast(t *testing.T) {
	w, v := newWorld(t), &visits{}
	h := connect(t, w.server(endpoint.AuthOAuth), Options{Flow: Browser(BrowserOptions{Open: v.open})})
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	var last error
	for range 10 {
		w.expire(true)
		last = callTool(t, h)
	}
	if v.count() > maxAgain+1 || !errors.Is(last, runtime.ErrAuth) || !strings.Contains(last.Error(), "soon refused the tokens") {
		t.Errorf("%d pages, %v", v.count(), last)
	}
}

// An authorization server that the configuration names by its addresses and its issuer is
// the one that answers.
func TestIssuerOfConfiguredAddresses(t *testing.T) {
	for answered, want := range map[string]string{"": "", "right": "", "https://honest.example": "another authorization server"} {
		w := newWorld(t)
		if answered == "right" {
			answered = w.url
		}
		if answered != "" {
			w.answers = map[string]http.HandlerFunc{"/authorize": w.back(map[string]string{"iss": answered})}
		}
		s := w.server(endpoint.AuthOAuth)
		addressOf(s.Launch).Auth.ClientID, addressOf(s.Launch).Auth.AuthorizationURL, addressOf(s.Launch).Auth.TokenURL, addressOf(s.Launch).Auth.Issuer = "me", w.url+"/authorize", w.url+"/token", w.url+"/"
		err := connect(t, s, Options{Flow: Browser(BrowserOptions{Open: (&visits{}).open})}).Err()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("iss %q: %v", answered, err)
		}
	}
}

func (o *Options) pathOf() string {
	if o.Store == nil {
		return ""
	}
	return o.Store.Path()
}

// endless answers without an end.
func endless(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	for r.Context().Err() == nil {
		if _, err := io.WriteString(w, `{"x":"`+strings.Repeat(steering, 1000)); err != nil {
			return
		}
	}
}

func tokenWith(name, value string) func(*world, string) {
	return func(w *world, _ string) { w.tokens = func() map[string]any { return map[string]any{name: value} } }
}

func challenged(value string) func(*world, string) {
	return func(w *world, _ string) {
		w.answers = map[string]http.HandlerFunc{"/mcp": func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("WWW-Authenticate", value)
			rw.WriteHeader(http.StatusUnauthorized)
		}}
	}
}

// back sends the browser back with other parameters than a code alone.
func (w *world) back(params map[string]string) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		record := httptest.NewRecorder()
		w.authorize(record, r)
		to, _ := record.Result().Location()
		q := to.Query()
		for name, value := range params {
			q.Set(name, value)
		}
		to.RawQuery = q.Encode()
		http.Redirect(rw, r, to.String(), http.StatusFound)
	}
}
