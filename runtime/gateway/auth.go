// Authentication of callers over HTTP.

package gateway

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/mcpgen/mcpgen/internal/loopback"
	"github.com/mcpgen/mcpgen/internal/statefile"
	"github.com/mcpgen/mcpgen/runtime/attach"
)

// Auth verifies callers. Make it with [Tokens], [Introspection], [JWT] or [TLS].
type Auth struct {
	byCertificate bool // verify ignores the token
	verify        auth.TokenVerifier
	options       auth.RequireBearerTokenOptions
	about         *oauthex.ProtectedResourceMetadata // nil without an authorization server
	outage        *outage                            // of that server
}

// require lets only requests of verified callers through. The log of to gets the outages of
// the authorization server.
func (a *Auth) require(h http.Handler, to *failures) http.Handler {
	if a.byCertificate {
		h = untilEnd(h)
	}
	verify := a.verify
	if a.outage != nil {
		verify = a.outage.reported(verify, to)
	}
	verified := auth.RequireBearerToken(verify, &a.options)(h)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.byCertificate {
			r.Header.Set("Authorization", "Bearer certificate") // the SDK asks for one
		}
		if profile := r.PathValue("profile"); profile != "" && a.about != nil { // it has metadata of its own
			options := a.options
			options.ResourceMetadataURL += "/" + url.PathEscape(profile)
			auth.RequireBearerToken(verify, &options)(h).ServeHTTP(w, r)
			return
		}
		verified.ServeHTTP(w, r)
	})
}

// untilEnd ends a request, and its connection, once its caller is not to be served any more.
func untilEnd(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		var ended atomic.Bool
		defer onEnd(auth.TokenInfoFromContext(ctx), func() { ended.Store(true); cancel() })()
		h.ServeHTTP(w, r.WithContext(ctx))
		if ended.Load() {
			panic(http.ErrAbortHandler)
		}
	})
}

// metadataPath is where clients look for the metadata of [Path].
const metadataPath = "/.well-known/oauth-protected-resource"

// serveMetadata serves the metadata that names the authorization servers: of the gateway,
// and of its profiles (RFC 9728, section 3: the path of the resource follows the well-known one).
func (a *Auth) serveMetadata(mux *http.ServeMux, hasProfile func(string) bool) {
	if a.about == nil {
		return
	}
	of := func(w http.ResponseWriter, r *http.Request) {
		about := *a.about
		if profile := r.PathValue("profile"); profile != "" {
			if hasProfile == nil || !hasProfile(profile) {
				http.NotFound(w, r)
				return
			}
			about.Resource += "/" + url.PathEscape(profile)
		}
		auth.ProtectedResourceMetadataHandler(&about).ServeHTTP(w, r)
	}
	mux.HandleFunc(metadataPath, of)
	resource, _ := url.Parse(a.about.Resource) // it was checked
	for _, path := range slices.Compact([]string{Path, strings.TrimSuffix(resource.Path, "/")}) {
		if path != "" {
			mux.HandleFunc(metadataPath+path, of)
			mux.HandleFunc(metadataPath+path+"/{profile}", of)
		}
	}
}

// minToken is the length of the shortest accepted token, in bytes.
const minToken = 16

// Tokens verifies callers by shared tokens, which are given by the callers' names.
// Tokens are compared in constant time, and never shown. It is an error if there is
// no caller, if a caller has no name, or if a token is shorter than 16 bytes, has
// spaces or is another caller's, too.
func Tokens(callers map[string]string) (*Auth, error) {
	type known struct {
		name string
		hash [sha256.Size]byte
	}
	var all []known
	for name, token := range callers {
		k := known{name, sha256.Sum256([]byte(token))}
		switch {
		case name == "":
			return nil, errors.New("gateway: a caller has no name")
		case len(token) < minToken || strings.ContainsAny(token, " \t\r\n"):
			return nil, fmt.Errorf("gateway: the token of caller %q is shorter than %d bytes or has spaces: make a token with openssl rand -hex 32", name, minToken)
		case slices.ContainsFunc(all, func(o known) bool { return o.hash == k.hash }):
			return nil, fmt.Errorf("gateway: caller %q has the same token as another caller: give each caller its own token", name)
		}
		all = append(all, k)
	}
	if all == nil {
		return nil, errors.New("gateway: there are no callers")
	}
	return &Auth{
		options: auth.RequireBearerTokenOptions{AllowMissingExpiration: true},
		verify: func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
			hash, found := sha256.Sum256([]byte(token)), -1
			for i := range all {
				if subtle.ConstantTimeCompare(hash[:], all[i].hash[:]) == 1 {
					found = i
				}
			}
			if found < 0 {
				return nil, auth.ErrInvalidToken
			}
			return &auth.TokenInfo{UserID: all[found].name}, nil
		},
	}, nil
}

// OwnToken returns the token of this machine's user, for the user's own programs. It
// is kept in the file gateway-token, in the folder mcpgen of the user's
// configuration, which only the user can read (mode 0600). A missing token is made,
// and then stays the same. A file that others can read is an error.
func OwnToken(ctx context.Context) (token, path string, err error) {
	if path, err = statefile.Path("gateway-token"); err != nil {
		return "", "", fmt.Errorf("gateway: %w", err)
	}
	f := statefile.File{Path: path, Private: true}
	err = f.Update(ctx, func(content []byte) ([]byte, error) {
		if token = strings.TrimSpace(string(content)); token == "" {
			token = rand.Text()
			content = []byte(token + "\n")
		}
		return content, nil
	})
	if err != nil {
		return "", "", fmt.Errorf("gateway: %w", err)
	}
	return token, path, nil
}

// Introspection verifies tokens by asking their OAuth authorization server (RFC
// 7662). The answer that a token is valid is kept for ten seconds: a token that is revoked may
// be used until then. The gateway is a resource server: its metadata, under
// /.well-known/oauth-protected-resource, names where clients sign in.
type Introspection struct {
	Resource string   // URL of the gateway for callers, such as https://mcp.example.com/mcp; tokens must be for it, or for the address of the profile that they are used at
	Issuer   string   // URL of the authorization server
	Endpoint string   // URL of its introspection endpoint
	ClientID string   // of the gateway there
	Secret   string   // of ClientID
	Scopes   []string // required in a token; nil means none
	// Client sends the requests. Nil is a new client with a timeout of ten seconds.
	Client *http.Client

	outage *outage
}

// Auth returns the verification of callers. It returns an error if an address is
// invalid.
func (i Introspection) Auth() (*Auth, error) {
	i.Client, i.outage = plainClient(i.Client), new(outage)
	return resourceServer(i.Resource, i.Issuer, i.Scopes, rememberAnswers(i.verify, time.Now), i.outage, map[string]string{"introspection endpoint": i.Endpoint})
}

// resourceServer returns the verification of the tokens of an authorization server. No
// such token has the name of this machine's user. Further addresses are checked.
func resourceServer(resource, issuer string, scopes []string, verify auth.TokenVerifier, down *outage, addresses map[string]string) (*Auth, error) {
	addresses["resource"], addresses["issuer"] = resource, issuer
	for _, name := range slices.Sorted(maps.Keys(addresses)) {
		if err := checkAddress(name, addresses[name]); err != nil {
			return nil, err
		}
	}
	about, _ := url.Parse(resource)
	about.Path, about.RawQuery, about.Fragment = metadataPath+about.Path, "", ""
	return &Auth{
		outage: down,
		verify: func(ctx context.Context, token string, r *http.Request) (*auth.TokenInfo, error) {
			info, err := verify(ctx, token, r)
			if err != nil {
				return nil, err
			}
			own := []string{resource} // a token for all of the gateway, or for a profile at its address
			if profile := r.PathValue("profile"); profile != "" {
				own = append(own, resource+"/"+url.PathEscape(profile))
			}
			said := factsOf(info)
			audience := said.audience
			others := slices.DeleteFunc(slices.Clone(audience), func(name string) bool { return slices.Contains(own, name) })
			if info.UserID == local || len(others) == len(audience) {
				return nil, auth.ErrInvalidToken
			}
			said.subject = &attach.Subject{Caller: info.UserID, Token: token, Audience: others, Expiry: info.Expiration}
			info.Extra = said.extra()
			return info, nil
		},
		options: auth.RequireBearerTokenOptions{Scopes: scopes, ResourceMetadataURL: about.String(), ClockSkew: clockSkew, AllowMissingExpiration: true},
		about: &oauthex.ProtectedResourceMetadata{
			Resource: resource, AuthorizationServers: []string{issuer}, ScopesSupported: scopes, BearerMethodsSupported: []string{"header"},
		},
	}, nil
}

// facts are the properties of a caller, apart from its name.
type facts struct {
	audience jwt.Audience                   // all that its token is for
	claims   []string                       // as in runtime.Options
	subject  *attach.Subject                // the token itself, for servers that get tokens made of it; nil without one
	ends     func(end func()) (stop func()) // the watch of its certificate; nil without one
}

// factsKey is the key of the facts in [auth.TokenInfo.Extra].
const factsKey = "facts"

func (f facts) extra() map[string]any { return map[string]any{factsKey: f} }

// factsOf returns what is known of a caller; nothing without a token.
func factsOf(info *auth.TokenInfo) (f facts) {
	if info != nil {
		f, _ = info.Extra[factsKey].(facts)
	}
	return f
}

// onBehalf returns the context for a request of a caller: see [attach.Subject].
func onBehalf(ctx context.Context, extra *mcp.RequestExtra) context.Context {
	if extra != nil {
		if s := factsOf(extra.TokenInfo).subject; s != nil {
			return s.Context(ctx)
		}
	}
	return ctx
}

// local is the caller name of this machine's user, as in package policy.
const local = "local"

// checkAddress returns an error unless an address is an https URL, or one of this
// machine.
func checkAddress(name, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && loopback.Is(u.Host)) {
		return fmt.Errorf("gateway: %s %q: want an https URL", name, address)
	}
	return nil
}

// plainClient returns the given client, or one that follows no redirects and waits ten seconds.
func plainClient(given *http.Client) *http.Client {
	if given != nil {
		return given
	}
	return &http.Client{Timeout: 10 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// Bounds of the answers that rememberAnswers keeps.
const (
	validTime   = 10 * time.Second
	mostAnswers = 10_000
)

// rememberAnswers asks verify about a valid token again only after validTime, or when the
// token expires. With mostAnswers tokens it forgets all.
func rememberAnswers(verify auth.TokenVerifier, now func() time.Time) auth.TokenVerifier {
	type answer struct {
		info  auth.TokenInfo
		until time.Time
	}
	var mu sync.Mutex
	answers := map[[sha256.Size]byte]answer{}
	return func(ctx context.Context, token string, r *http.Request) (*auth.TokenInfo, error) {
		key := sha256.Sum256([]byte(token))
		mu.Lock()
		known, ok := answers[key]
		mu.Unlock()
		if !ok || !now().Before(known.until) {
			info, err := verify(ctx, token, r)
			if err != nil {
				return nil, err
			}
			known = answer{*info, now().Add(validTime)}
			if at := info.Expiration; !at.IsZero() && at.Before(known.until) {
				known.until = at
			}
			mu.Lock()
			if len(answers) >= mostAnswers {
				clear(answers)
			}
			answers[key] = known
			mu.Unlock()
		}
		info := known.info
		info.Extra = maps.Clone(info.Extra) // the caller may add to it
		return &info, nil
	}
}

// maxAnswer bounds an answer of the authorization server, in bytes.
const maxAnswer = 1 << 20

// readJSON decodes the answer to a request, as each of several values.
func readJSON(c *http.Client, req *http.Request, into ...any) error {
	res, err := c.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	for _, v := range into {
		err = cmp.Or(err, json.Unmarshal(answer, v))
	}
	if res.StatusCode != http.StatusOK {
		err = errors.New(res.Status)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", res.Request.URL.Redacted(), err)
	}
	return nil
}

// verify asks the authorization server about a token.
func (i Introspection) verify(ctx context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	failed := func(cause error) error {
		if ctx.Err() != nil { // the caller has left
			return ctx.Err()
		}
		return i.outage.begin(fmt.Errorf("the authorization server does not say whether tokens are valid: %w", cause))
	}
	form := url.Values{"token": {token}, "token_type_hint": {"access_token"}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, i.Endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, failed(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	req.SetBasicAuth(url.QueryEscape(i.ClientID), url.QueryEscape(i.Secret))
	var said struct {
		Active   bool            `json:"active"`
		Subject  string          `json:"sub"`
		Username string          `json:"username"`
		ClientID string          `json:"client_id"`
		Scope    string          `json:"scope"`
		Expires  int64           `json:"exp"`
		Issuer   string          `json:"iss"`
		Audience json.RawMessage `json:"aud"`
	}
	var all map[string]json.RawMessage
	if err := readJSON(i.Client, req, &said, &all); err != nil {
		return nil, failed(err)
	}
	i.outage.end()
	var audience jwt.Audience
	_ = json.Unmarshal(said.Audience, &audience) // a token without one could be for any resource
	user := said.Subject
	if user == "" {
		user = said.Username + "\x00" + said.ClientID
	}
	switch {
	case !said.Active, user == "\x00", said.Issuer != "" && said.Issuer != i.Issuer:
		return nil, auth.ErrInvalidToken
	}
	known, err := claimsOf(all)
	if err != nil {
		return nil, err
	}
	info := &auth.TokenInfo{UserID: user, Scopes: strings.Fields(said.Scope), Extra: facts{audience: audience, claims: known}.extra()}
	if said.Expires != 0 {
		info.Expiration = time.Unix(said.Expires, 0)
	}
	return info, nil
}
