// Servers that a person signs in to.

package oauth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/token"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// person is the Authorizer of one server.
type person struct {
	opts    *Options
	target  attach.AuthTarget
	client  *http.Client
	key     string
	signIns *signIns

	mu     sync.Mutex
	source *source // nil before the first sign-in
}

func newPerson(opts *Options, target attach.AuthTarget, shared *signIns) (token.Authorizer, error) {
	p := &person{
		opts: opts, target: target, client: clientOf(opts.HTTPClient, isLocal(target.URL)),
		key: keyOf(target.URL, target.Auth.ClientID), signIns: shared,
	}
	if opts.Store != nil {
		e, err := opts.Store.get(p.key)
		if err != nil && target.Auth.Kind != endpoint.AuthAuto {
			return nil, err
		}
		if e != nil && p.bound(e) {
			p.source = p.sourceOf(e)
		}
	}
	if target.Auth.Kind == endpoint.AuthAuto && !opts.Auto && p.source == nil {
		return nil, nil // not requested
	}
	return p, nil
}

// bound reports whether an entry has no configured secret, or belongs to the
// authorization server that the configuration names.
func (p *person) bound(e *entry) bool {
	a := p.target.Auth
	return a.ClientSecret == "" || p.direct() || a.Issuer != "" && e.Issuer == a.Issuer
}

func (p *person) sourceOf(e *entry) *source {
	return &source{store: p.opts.Store, key: p.key, client: p.client, entry: e}
}

// TokenSource implements [token.Authorizer].
func (p *person) TokenSource(context.Context) (oauth2.TokenSource, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.source == nil {
		return nil, nil
	}
	return p.source, nil
}

// Authorize implements [token.Authorizer]: a person signs in. After a 403 they do so
// only if the server reports that more scopes would help.
func (p *person) Authorize(ctx context.Context, req *http.Request, resp *http.Response) error {
	defer resp.Body.Close()
	challenges, err := oauthex.ParseWWWAuthenticate(resp.Header["Www-Authenticate"])
	if err != nil {
		return fmt.Errorf("the server's WWW-Authenticate cannot be read: %w", err)
	}
	if resp.StatusCode == http.StatusForbidden && param(challenges, "error") != "insufficient_scope" {
		return errors.New("this account lacks a permission for this request")
	}
	if p.opts.Flow == nil || p.target.Auth.Kind == endpoint.AuthAuto && !p.opts.Auto {
		step := cmp.Or(p.opts.NextStep, "give the program a token, or run it where a person can sign in")
		return hint.New("no person can sign in here", step)
	}
	p.mu.Lock()
	own := p.source
	p.mu.Unlock()
	key := p.key
	if resp.StatusCode == http.StatusForbidden {
		key += " " + param(challenges, "scope")
	}
	got, err := p.signIns.do(ctx, key, own, func() (*source, error) { return p.begin(ctx, req, resp) })
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.source = got
	p.mu.Unlock()
	return nil
}

// begin runs one sign-in.
func (p *person) begin(ctx context.Context, req *http.Request, resp *http.Response) (*source, error) {
	page, err := p.firstPage(ctx, req, resp)
	if err != nil {
		return nil, clean(err)
	}
	login, err := p.opts.Flow.Begin(ctx, Request{
		Server: p.target.Server, Page: page, RedirectURL: p.target.Auth.RedirectURL, Port: p.target.Auth.CallbackPort,
	})
	if err != nil {
		return nil, fmt.Errorf("the sign-in cannot begin: %w", err)
	}
	shown := &seenLogin{Login: login}
	defer login.Close()
	if p.direct() {
		err = p.signInDirectly(ctx, shown)
	} else {
		err = p.signIn(ctx, shown, req, resp)
	}
	if err != nil && shown.seen {
		return nil, errShown{err}
	}
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.source, nil
}

// firstPage finds the page where a person would sign in, so that they can be asked
// before this client is registered there; "" if the sign-in registers no client.
func (p *person) firstPage(ctx context.Context, req *http.Request, resp *http.Response) (page string, err error) {
	switch a := p.target.Auth; {
	case a.ClientID != "" && !hasClientDocument(a):
		return "", nil
	case p.direct():
		server, err := find(ctx, p.client, a)
		if err != nil {
			return "", err
		}
		return server.authorize, nil
	}
	found := errors.New("the page is known")
	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		RedirectURL: "http://127.0.0.1/callback", Client: p.client,
		PreregisteredClient: &oauthex.ClientCredentials{ClientID: "unregistered"}, // so the SDK does not register another one
		AuthorizationCodeFetcher: func(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			page = plainAddress(args.URL)
			return nil, found
		},
	})
	if err != nil {
		return "", fmt.Errorf("the sign-in: %w", err)
	}
	if err := handler.Authorize(ctx, req, resp); !errors.Is(err, found) {
		return "", err
	}
	return page, nil
}

// seenLogin records that a page was shown to a person.
type seenLogin struct {
	Login
	seen bool
}

// Authorize implements [Login]. It escapes characters in the page's address that
// could mislead a terminal or a browser.
func (l *seenLogin) Authorize(ctx context.Context, page string) (url.Values, error) {
	l.seen = true
	return l.Login.Authorize(ctx, plainAddress(page))
}

// plainAddress escapes every byte of an address that is not printable ASCII.
func plainAddress(page string) string {
	var b strings.Builder
	for i := range len(page) {
		if c := page[i]; c > ' ' && c <= '~' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// signIn has the SDK find the authorization server and run the flow.
func (p *person) signIn(ctx context.Context, login Login, req *http.Request, resp *http.Response) error {
	config := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL:         login.RedirectURL(),
		RequestRefreshToken: true,
		ScopeFilter:         func(named []string) []string { return p.scopes(named, resp.StatusCode) },
		Client:              p.client,
		AuthorizationCodeFetcher: func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			return follow(ctx, login, args.URL)
		},
		NewTokenSource: func(ctx context.Context, c *oauth2.Config, t *oauth2.Token) (oauth2.TokenSource, error) {
			return p.keep(context.WithoutCancel(ctx), c, t)
		},
	}
	if a := p.target.Auth; a.ClientSecret != "" && a.Issuer == "" {
		return errUnbound(ctx, p.client, req, resp)
	}
	if a := p.target.Auth; a.ClientID != "" && !hasClientDocument(a) {
		config.PreregisteredClient = credentials(a)
	} else {
		metadata := p.registration(login.RedirectURL())
		config.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{Metadata: metadata}
		if a.ClientID != "" { // if the authorization server supports it, the SDK prefers it
			config.ClientIDMetadataDocumentConfig = &auth.ClientIDMetadataDocumentConfig{URL: a.ClientID}
		}
	}
	handler, err := auth.NewAuthorizationCodeHandler(config)
	if err != nil {
		return fmt.Errorf("the sign-in: %w", err)
	}
	if err := handler.Authorize(ctx, req, resp); err != nil {
		return clean(err)
	}
	return nil
}

// follow sends a person to the page and reads the answer.
func follow(ctx context.Context, login Login, page string) (*auth.AuthorizationResult, error) {
	answer, err := login.Authorize(ctx, page)
	if err != nil {
		return nil, err
	}
	if code := answer.Get("error"); code != "" {
		return nil, fmt.Errorf("the authorization server refused: %s",
			safetext.Words(code+": "+answer.Get("error_description"), maxText))
	}
	if answer.Get("code") == "" {
		return nil, hint.New("the authorization server sent no code", "begin again")
	}
	return &auth.AuthorizationResult{Code: answer.Get("code"), State: answer.Get("state"), Iss: answer.Get("iss")}, nil
}

// scopes returns the scopes to request: the configured ones, else the scopes that the
// server names. After a 403, the named ones are added to the granted ones.
func (p *person) scopes(named []string, status int) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	if p.target.Auth.Scopes != nil {
		all = append(all, p.target.Auth.Scopes...)
	}
	if status == http.StatusForbidden && p.source != nil {
		p.source.mu.Lock()
		all = append(all, p.source.entry.Scopes...)
		p.source.mu.Unlock()
	}
	if p.target.Auth.Scopes == nil || status == http.StatusForbidden {
		all = append(all, named...)
	}
	var once []string
	for _, s := range all {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	return once
}

// keep starts to use a new token, and stores it.
func (p *person) keep(ctx context.Context, c *oauth2.Config, t *oauth2.Token) (*source, error) {
	e := &entry{
		Server: p.target.URL, Issuer: p.target.Auth.Issuer, ClientID: c.ClientID, ClientSecret: c.ClientSecret,
		TokenURL: c.Endpoint.TokenURL, AuthStyle: int(c.Endpoint.AuthStyle), Scopes: c.Scopes,
	}
	if granted, ok := t.Extra("scope").(string); ok && granted != "" {
		e.Scopes = strings.Fields(granted)
	}
	if err := e.take(t); err != nil {
		return nil, err
	}
	s := p.sourceOf(e)
	p.mu.Lock()
	p.source = s
	p.mu.Unlock()
	if p.opts.Store != nil {
		if err := p.opts.Store.put(ctx, p.key, e); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// registration returns the metadata by which a client is registered at an
// authorization server.
func (p *person) registration(redirect string) *oauthex.ClientRegistrationMetadata {
	return &oauthex.ClientRegistrationMetadata{
		ClientName: cmp.Or(p.opts.ClientName, "mcpgen"), RedirectURIs: []string{redirect},
		GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"},
	}
}

// notRegistered begins the errors of a failed registration, the SDK's and this
// package's.
const notRegistered = "failed to register client"

// maxText bounds the quoted text of an authorization server, in bytes.
const maxText = 500

// clean bounds an error and removes the body of the answer from it, since the body
// may repeat what was sent and contain secrets.
func clean(err error) error {
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		reason := []string{refused.ErrorCode, refused.ErrorDescription}
		if refused.Response != nil {
			reason = append([]string{"HTTP " + refused.Response.Status}, reason...)
		}
		reason = slices.DeleteFunc(reason, func(s string) bool { return s == "" })
		return fmt.Errorf("the authorization server gives no token: %s", safetext.Words(strings.Join(reason, ": "), maxText))
	}
	if refused, ok := errors.AsType[*oauthex.ClientRegistrationError](err); ok {
		return fmt.Errorf("the authorization server does not register this client: %s",
			safetext.Words(refused.ErrorCode+": "+refused.ErrorDescription, maxText))
	}
	if address, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("the authorization server cannot be reached: %w", address.Err)
	}
	switch {
	case err == nil:
		return nil
	case strings.HasPrefix(err.Error(), notRegistered):
		return hint.New("the authorization server does not register this client, and its answer cannot be used", registerStep)
	case len(err.Error()) > maxText:
		return errors.New(safetext.Words(err.Error(), maxText))
	}
	return err
}

func credentials(a endpoint.Auth) *oauthex.ClientCredentials {
	c := &oauthex.ClientCredentials{ClientID: a.ClientID, Issuer: a.Issuer}
	if a.ClientSecret != "" {
		c.ClientSecretAuth = &oauthex.ClientSecretAuth{ClientSecret: a.ClientSecret}
	}
	return c
}

// param returns a parameter of the first challenge that has it.
func param(challenges []oauthex.Challenge, name string) string {
	for _, c := range challenges {
		if v := c.Params[name]; v != "" {
			return v
		}
	}
	return ""
}

// hasClientDocument reports whether the client ID is the https address of a document
// that describes the client. Authorization servers read that document in place of a
// registration (draft-ietf-oauth-client-id-metadata-document, SEP-991). An ID with a
// secret or an issuer belongs to a client that is already registered.
func hasClientDocument(a endpoint.Auth) bool {
	u, err := url.Parse(a.ClientID)
	return err == nil && u.Scheme == "https" && u.Host != "" && strings.Trim(u.Path, "/") != "" &&
		a.ClientSecret == "" && a.Issuer == ""
}
