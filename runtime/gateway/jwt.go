// Tokens that an authorization server signs, and its public keys.

package gateway

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/modelcontextprotocol/go-sdk/auth"
)

// JWT verifies tokens that an OAuth authorization server signs (RFC 7519, RFC 9068),
// by the server's public keys. The caller is the subject of the token. The token is
// good until it expires; use [Introspection] if it has to end earlier. As there, the
// gateway is a resource server with metadata.
//
// A signature is made with RSA, ECDSA or Ed25519. The keys are read again when a token
// names an unknown one, at most every ten seconds, and after a quarter of an hour. While
// they cannot be read, the known keys stay in use, for a day at most.
type JWT struct {
	Resource string   // as in [Introspection]: tokens must name it as their audience
	Issuer   string   // URL of the authorization server, exactly as in its tokens
	Keys     string   // URL of its public keys (RFC 7517); "" is the one in its metadata
	Scopes   []string // required in a token; nil means none
	// Client sends the requests. Nil is a new client with a timeout of ten seconds.
	Client *http.Client

	now func() time.Time // nil is time.Now
}

// signatures are the accepted algorithms: a public key is no secret, so all are
// asymmetric.
var signatures = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
}

// Limits of tokens and keys.
const (
	maxSigned  = 16 << 10 // bytes of a token
	minRSA     = 2048     // bits
	keysPause  = 10 * time.Second
	keysAge    = 15 * time.Minute
	keysKept   = 24 * time.Hour
	clockSkew  = 30 * time.Second
	firstPause = time.Second // between attempts to read the first keys
)

// Auth returns the verification of callers. It returns an error if an address is
// invalid. The keys are read with the first token.
func (j JWT) Auth() (*Auth, error) {
	if j.now == nil {
		j.now = time.Now
	}
	keys := &issuerKeys{JWT: j}
	keys.Client = plainClient(j.Client)
	more := map[string]string{}
	if j.Keys != "" {
		more["address of keys"] = j.Keys
	}
	return resourceServer(j.Resource, j.Issuer, j.Scopes, keys.verify, &keys.outage, more)
}

// issuerKeys are the public keys of an authorization server.
type issuerKeys struct {
	JWT
	outage outage

	reading sync.Mutex // one reader at a time

	mu          sync.Mutex
	keys        []jose.JSONWebKey
	read, tried time.Time // the last successful reading, and the last one, with its error
	err         error
}

// verify verifies a token.
func (k *issuerKeys) verify(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	if len(token) > maxSigned {
		return nil, auth.ErrInvalidToken
	}
	parsed, err := jwt.ParseSigned(token, signatures)
	if err != nil || len(parsed.Headers) != 1 {
		return nil, auth.ErrInvalidToken
	}
	keys, err := k.find(parsed.Headers[0])
	if err != nil {
		return nil, err
	}
	var claims jwt.Claims
	var all map[string]json.RawMessage
	verified := false
	for _, key := range keys {
		if parsed.Claims(key, &claims, &all) == nil {
			verified = true
			break
		}
		claims = jwt.Claims{}
	}
	want := jwt.Expected{Issuer: k.Issuer, Time: k.now()}
	if !verified || claims.Expiry == nil || claims.Subject == "" || claims.ValidateWithLeeway(want, clockSkew) != nil {
		return nil, auth.ErrInvalidToken
	}
	known, err := claimsOf(all)
	if err != nil {
		return nil, err
	}
	var scopes []string
	for _, claim := range known {
		if name, word, _ := strings.Cut(claim, "="); name == "scope" || name == "scp" { // scp of Entra ID and Okta
			scopes = append(scopes, word)
		}
	}
	return &auth.TokenInfo{
		UserID: claims.Subject, Scopes: scopes,
		Expiration: claims.Expiry.Time(), Extra: facts{audience: claims.Audience, claims: known}.extra(),
	}, nil
}

// find returns the keys that may have made a signature. The error wraps
// [auth.ErrInvalidToken] if there is none.
func (k *issuerKeys) find(header jose.Header) ([]jose.JSONWebKey, error) {
	found, age := k.known(header)
	if found != nil && age < keysKept {
		if age > keysAge {
			go func() { // the issuer may be down or slow
				if k.reading.TryLock() {
					defer k.reading.Unlock()
					_ = k.load() // the keys stay in use
				}
			}()
		}
		return found, nil
	}
	k.reading.Lock()
	err := k.load()
	k.reading.Unlock()
	if err != nil {
		return nil, err
	}
	if found, _ = k.known(header); found == nil {
		return nil, auth.ErrInvalidToken
	}
	return found, nil
}

// known returns the known keys of a signature, and the time since they were read. A
// token without a key's ID may be of any key.
func (k *issuerKeys) known(header jose.Header) (found []jose.JSONWebKey, age time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, key := range k.keys {
		if (header.KeyID == "" || key.KeyID == header.KeyID) && (key.Algorithm == "" || key.Algorithm == header.Algorithm) {
			found = append(found, key)
		}
	}
	return found, k.now().Sub(k.read)
}

// load reads the keys, unless they have just been read. The error says that they are
// not known. The caller holds reading.
func (k *issuerKeys) load() error {
	k.mu.Lock()
	since, err, pause := k.now().Sub(k.tried), k.err, keysPause
	if k.keys == nil {
		pause = firstPause
	}
	k.mu.Unlock()
	if since < pause {
		return err
	}
	keys, err := k.fetch()
	if err != nil {
		err = k.outage.begin(fmt.Errorf("the keys of the authorization server cannot be read: %w", err))
	} else {
		k.outage.end()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tried, k.err = k.now(), err
	if err == nil {
		k.keys, k.read = keys, k.tried
	}
	return err
}

// fetch reads the public keys for signatures. It skips other keys and weak ones. A
// set without a usable key is an error.
func (k *issuerKeys) fetch() ([]jose.JSONWebKey, error) {
	address, err := k.address()
	if err != nil {
		return nil, err
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := k.get(address, &set); err != nil {
		return nil, err
	}
	var keys []jose.JSONWebKey
	for _, raw := range set.Keys {
		var key jose.JSONWebKey
		if json.Unmarshal(raw, &key) != nil || !key.IsPublic() || !key.Valid() || key.Use != "" && key.Use != "sig" {
			continue
		}
		if p, ok := key.Key.(*rsa.PublicKey); ok && p.N.BitLen() < minRSA {
			continue
		}
		keys = append(keys, key)
	}
	if keys == nil {
		return nil, fmt.Errorf("%s: there is no key for signatures", address)
	}
	return keys, nil
}

// address returns the URL of the keys. Without a configured one, it is in the issuer's
// metadata (RFC 8414, OpenID Connect Discovery).
func (k *issuerKeys) address() (string, error) {
	if k.Keys != "" {
		return k.Keys, nil
	}
	issuer, err := url.Parse(k.Issuer)
	if err != nil {
		return "", err
	}
	path := strings.TrimSuffix(issuer.Path, "/")
	for _, at := range []string{"/.well-known/oauth-authorization-server" + path, path + "/.well-known/openid-configuration"} {
		of := *issuer
		of.Path, of.RawPath, of.RawQuery, of.Fragment = at, "", "", ""
		var about struct {
			Issuer string `json:"issuer"`
			Keys   string `json:"jwks_uri"`
		}
		switch err = k.get(of.String(), &about); {
		case err != nil:
		case about.Issuer != k.Issuer:
			err = fmt.Errorf("%s: the metadata belongs to another issuer", of.String())
		default:
			if err = checkAddress("address of keys", about.Keys); err == nil {
				return about.Keys, nil
			}
		}
	}
	return "", err
}

// get reads a JSON document.
func (k *issuerKeys) get(address string, into any) error {
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	return readJSON(k.Client, req, into)
}
