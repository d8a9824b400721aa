package gateway

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/modelcontextprotocol/go-sdk/auth"
)

// testIssuer is an authorization server with keys that a test rotates.
type testIssuer struct {
	t   *testing.T
	url string

	mu     sync.Mutex
	keys   []jose.JSONWebKey
	signer map[string]jose.SigningKey
	reads  int
	down   bool
	meta   string // the path of its metadata
}

func newIssuer(t *testing.T) *testIssuer {
	s := &testIssuer{t: t, signer: map[string]jose.SigningKey{}, meta: "/.well-known/oauth-authorization-server"}
	s.url = serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case s.down:
			w.WriteHeader(http.StatusBadGateway)
		case r.URL.Path == s.meta:
			_ = json.NewEncoder(w).Encode(map[string]string{"issuer": s.url, "jwks_uri": s.url + "/keys"})
		case r.URL.Path == "/keys":
			s.reads++
			set, err := json.Marshal(map[string]any{"keys": s.keys})
			if err != nil {
				t.Error(err)
			}
			// Keys of a kind that is not known here, and secrets, are skipped.
			_, _ = io.WriteString(w, strings.Replace(string(set), `"keys":[`, `"keys":[{"kty":"XX","kid":"x"},{"kty":"oct","kid":"oct","k":"c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA"},`, 1))
		default:
			http.NotFound(w, r)
		}
	}))
	return s
}

// rotate replaces the keys by one.
func (s *testIssuer) rotate(id string, alg jose.SignatureAlgorithm, private crypto.Signer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys = []jose.JSONWebKey{{Key: private.Public(), KeyID: id, Algorithm: string(alg), Use: "sig"}}
	s.signer[id] = jose.SigningKey{Algorithm: alg, Key: jose.JSONWebKey{Key: private, KeyID: id}}
}

func (s *testIssuer) set(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

func (s *testIssuer) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reads
}

// claims are those of a good token, changed by the pairs.
func (s *testIssuer) claims(pairs ...any) map[string]any {
	c := map[string]any{"iss": s.url, "aud": []string{"x", testResource}, "sub": "ann", "exp": time.Now().Add(time.Hour).Unix(), "scope": "mcp other"}
	for i := 0; i < len(pairs); i += 2 {
		if c[pairs[i].(string)] = pairs[i+1]; pairs[i+1] == nil {
			delete(c, pairs[i].(string))
		}
	}
	return c
}

func (s *testIssuer) token(key string, claims map[string]any) string {
	s.t.Helper()
	signer, err := jose.NewSigner(s.signer[key], nil)
	if err != nil {
		s.t.Fatal(err)
	}
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		s.t.Fatal(err)
	}
	return token
}

const testResource = "http://127.0.0.1/mcp"

func newRSA(t *testing.T, bits int) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// A token has to be signed by a key of the issuer, for this gateway, and in force.
func TestSignedTokens(t *testing.T) {
	s := newIssuer(t)
	key := newRSA(t, 2048)
	s.rotate("a", jose.RS256, key)
	auth, err := JWT{Resource: testResource, Issuer: s.url, Scopes: []string{"mcp"}}.Auth()
	if err != nil {
		t.Fatal(err)
	}
	g := openGateway(t, nil, nil, processServer(t, "s", "exact"))
	url, _ := serveHTTP(t, g, &HandlerOptions{Auth: auth})
	in := func(d time.Duration) int64 { return time.Now().Add(d).Unix() }
	bare := func(header string) string {
		claims, _ := json.Marshal(s.claims())
		return base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString(claims)
	}
	spki, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	sum := func(text string, secret []byte) string {
		m := hmac.New(sha256.New, secret)
		_, _ = io.WriteString(m, text)
		return text + "." + base64.RawURLEncoding.EncodeToString(m.Sum(nil))
	}
	good := s.token("a", s.claims())
	other := newIssuer(t)
	other.rotate("a", jose.RS256, newRSA(t, 2048))
	for name, c := range map[string]struct {
		token string
		want  int
	}{
		"good":                       {good, 200},
		"one audience":               {s.token("a", s.claims("aud", testResource)), 200},
		"scopes as a list":           {s.token("a", s.claims("scope", nil, "scp", []string{"mcp"})), 200},
		"just expired":               {s.token("a", s.claims("exp", in(-20*time.Second))), 200},
		"almost in force":            {s.token("a", s.claims("nbf", in(20*time.Second), "iat", in(20*time.Second))), 200},
		"expired":                    {s.token("a", s.claims("exp", in(-40*time.Second))), 401},
		"without an end":             {s.token("a", s.claims("exp", nil)), 401},
		"not in force":               {s.token("a", s.claims("nbf", in(time.Minute))), 401},
		"another audience":           {s.token("a", s.claims("aud", "http://127.0.0.1/other")), 401},
		"any audience":               {s.token("a", s.claims("aud", nil)), 401},
		"another issuer":             {s.token("a", s.claims("iss", s.url+"/")), 401},
		"no subject":                 {s.token("a", s.claims("sub", nil)), 401},
		"this machine's user":        {s.token("a", s.claims("sub", "local")), 401},
		"another scope":              {s.token("a", s.claims("scope", "read")), 403},
		"another signer's":           {other.token("a", s.claims()), 401},
		"no signature":               {bare(`{"alg":"none"}`) + ".", 401},
		"no signature, in capitals":  {bare(`{"alg":"NONE","kid":"a"}`) + ".", 401},
		"the public key as a secret": {sum(bare(`{"alg":"HS256","kid":"a"}`), spki), 401},
		"a published secret":         {sum(bare(`{"alg":"HS256","kid":"oct"}`), []byte("secret-secret-secret-secret-secret")), 401},
		"changed":                    {strings.Replace(good, ".", ".e30", 1), 401},
		"another key's id":           {strings.Replace(good, good[:strings.Index(good, ".")], base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"RS256","kid":"b"}`)), 1), 401},
		"long":                       {good + strings.Repeat("A", maxSigned), 401},
		"nonsense":                   {"e30.e30.e30", 401},
	} {
		status, got, header := postJSON(t, url+Path, initialize, "Authorization", "Bearer "+c.token)
		if status != c.want {
			t.Errorf("%s: %d %s, want %d", name, status, got, c.want)
		}
		if status == 401 && !strings.Contains(header.Get("WWW-Authenticate"), `resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource/mcp"`) {
			t.Errorf("%s: %s", name, header.Get("WWW-Authenticate"))
		}
	}
	res, err := http.Get(url + "/.well-known/oauth-protected-resource/mcp")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	about, _ := io.ReadAll(res.Body)
	checkContains(t, string(about), `"resource":"`+testResource+`"`, `"authorization_servers":["`+s.url+`"]`)
	for _, j := range []JWT{{Resource: testResource, Issuer: "http://issuer.example"}, {Resource: testResource, Issuer: s.url, Keys: "http://issuer.example/keys"}, {Issuer: s.url}} {
		if _, err := j.Auth(); err == nil {
			t.Errorf("%+v: no error", j)
		}
	}
}

// Keys are read again when a token names an unknown one, but not for each such token;
// without their issuer they stay in use for a day.
func TestKeysOfIssuer(t *testing.T) {
	s := newIssuer(t)
	s.meta = "/.well-known/openid-configuration"
	var later atomic.Int64 // the clock runs ahead
	now := func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	wait := func(d time.Duration) { later.Add(int64(d)) }
	k := &issuerKeys{JWT: JWT{Resource: testResource, Issuer: s.url, Client: plainClient(nil), now: now}}
	verify := func(token string) error {
		info, err := k.verify(t.Context(), token, nil)
		if err == nil && info.UserID != "ann" {
			t.Errorf("got %+v", info)
		}
		return err
	}
	check := func(what, token string, want error, reads int) {
		t.Helper()
		if err := verify(token); !errors.Is(err, want) || s.count() != reads {
			t.Errorf("%s: got %v after %d readings, want %v after %d", what, err, s.count(), want, reads)
		}
	}
	long := func(key string) string { return s.token(key, s.claims("exp", now().Add(100*time.Hour).Unix())) }
	elliptic256, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, edwards, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s.rotate("a", jose.ES256, elliptic256)
	s.set(true)
	if err := verify(long("a")); err == nil || errors.Is(err, auth.ErrInvalidToken) {
		t.Errorf("the issuer is down: got %v", err)
	}
	s.set(false)
	wait(2 * time.Second)
	first := long("a")
	check("the first key", first, nil, 1)
	check("again", first, nil, 1)
	s.rotate("b", jose.EdDSA, edwards)
	second := long("b")
	check("a new key, at once", second, auth.ErrInvalidToken, 1)
	wait(keysPause)
	check("a new key", second, nil, 2)
	check("the old key", first, auth.ErrInvalidToken, 2)
	for range 20 {
		check("unknown keys", first, auth.ErrInvalidToken, 2)
	}
	s.set(true)
	wait(keysAge + time.Second)
	for range 5 {
		check("the issuer is down", second, nil, 2)
		func() { // waits until the reading in the background is over
			k.reading.Lock()
			defer k.reading.Unlock()
		}()
		wait(time.Hour)
	}
	wait(keysKept)
	if err := verify(second); err == nil || errors.Is(err, auth.ErrInvalidToken) {
		t.Errorf("after a day: got %v", err)
	}
	s.set(false)
	s.rotate("weak", jose.RS256, newRSA(t, 1024))
	wait(keysPause)
	if err := verify(long("weak")); err == nil {
		t.Error("a key of 1024 bits is accepted")
	}
}

// A profile at its own address is a resource of its own: with metadata, and with tokens that
// are for it alone or for the whole gateway.
func TestResourceOfProfile(t *testing.T) {
	issuer := newIssuer(t)
	issuer.rotate("k", jose.RS256, newRSA(t, 2048))
	a, err := JWT{Issuer: issuer.url, Resource: testResource}.Auth()
	if err != nil {
		t.Fatal(err)
	}
	has := func(name string) bool { return name == "review" || name == "write" }
	g := openGateway(t, nil, &Options{HasProfile: has}, processServer(t, "s", "exact"))
	url, _ := serveHTTP(t, g, &HandlerOptions{Auth: a})
	about := func(path string) (status int, resource string) {
		res, err := http.Get(url + metadataPath + path)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		var m struct{ Resource string }
		_ = json.NewDecoder(res.Body).Decode(&m)
		return res.StatusCode, m.Resource
	}
	for path, want := range map[string]string{"": testResource, Path: testResource, Path + "/review": testResource + "/review", Path + "/none": ""} {
		if status, got := about(path); got != want || (status == http.StatusOK) != (want != "") {
			t.Errorf("metadata of %q: %d %q, want %q", path, status, got, want)
		}
	}
	for _, tc := range []struct {
		path, audience string
		ok             bool
	}{
		{"", testResource, true}, {"/review", testResource, true}, {"/review", testResource + "/review", true},
		{"/write", testResource + "/review", false}, {"", testResource + "/review", false}, {"/review", "x", false},
	} {
		body, header := modernCall("s__exact", `{"n":1}`)
		status, _, headers := postJSON(t, url+Path+tc.path, body, append(header, "Authorization", "Bearer "+issuer.token("k", issuer.claims("aud", tc.audience)))...)
		if (status == http.StatusOK) != tc.ok {
			t.Errorf("a token for %s at %s: %d", tc.audience, tc.path, status)
		}
		if asks := headers.Get("Www-Authenticate"); !tc.ok && !strings.Contains(asks, metadataPath+"/mcp"+tc.path+`"`) {
			t.Errorf("%s: %s", tc.path, asks)
		}
	}
}
