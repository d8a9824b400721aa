// Tokens for servers that are made of the tokens of this program's callers.

package oauth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/token"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// delegate is the Authorizer of one caller's session with a server. A request carries
// the token that was made of its call's token, so that two tokens of one caller
// keep their different rights. Requests outside of calls carry the last one. Package
// token calls one method at a time.
type delegate struct {
	target   attach.AuthTarget
	exchange *clientcredentials.Config // without the caller's token; nil: the caller's token is passed through
	purpose  string                    // what exchanged tokens are for
	client   *http.Client

	last attach.Subject
	made map[string]exchanged // by the caller's token
}

// exchanged is the result of an exchange.
type exchanged struct {
	token       *oauth2.Token
	since, good time.Time // good until
}

// Limits of exchanged tokens.
const (
	maxExchanged  = 16              // of one session
	exchangedLife = 5 * time.Minute // if no answer says how long a token is good
	exchangedSoon = 10 * time.Second
	exchangePause = time.Minute // before a refused token is exchanged again
)

// Values of RFC 8693.
const (
	grantExchange   = "urn:ietf:params:oauth:grant-type:token-exchange"
	typeAccessToken = "urn:ietf:params:oauth:token-type:access_token"
	typeJWT         = "urn:ietf:params:oauth:token-type:jwt"
)

func newDelegate(ctx context.Context, opts *Options, target attach.AuthTarget) (token.Authorizer, error) {
	d, a := &delegate{target: target, made: map[string]exchanged{}}, target.Auth
	if a.Callers.Token == endpoint.TokenPassThrough {
		if a.Callers.Audience == "" {
			return nil, hint.New("callers' tokens are passed through only to a named audience", "set auth.callers.audience")
		}
		return d, nil
	}
	if a.ClientID == "" || a.ClientSecret == "" {
		return nil, hint.New("an exchange of callers' tokens needs a client id and a client secret",
			"set client_id and client_secret")
	}
	d.client = clientOf(opts.HTTPClient, true) // the configuration names all addresses
	server, err := find(ctx, d.client, a)
	if err != nil {
		return nil, clean(err)
	}
	if server.token == "" {
		return nil, hint.New("there is no address for the exchange of callers' tokens", "set a token url")
	}
	d.exchange = &clientcredentials.Config{
		ClientID: a.ClientID, ClientSecret: a.ClientSecret, TokenURL: server.token, Scopes: a.Callers.Scopes,
		EndpointParams: url.Values{
			"grant_type": {grantExchange}, "subject_token_type": {typeAccessToken},
			"requested_token_type": {typeAccessToken},
		},
	}
	d.purpose = cmp.Or(a.Callers.Audience, target.URL)
	if a.Callers.Audience != "" {
		d.exchange.EndpointParams.Set("audience", d.purpose)
	} else {
		d.exchange.EndpointParams.Set("resource", d.purpose)
	}
	return d, nil
}

// TokenSource implements [token.Authorizer].
func (d *delegate) TokenSource(ctx context.Context) (oauth2.TokenSource, error) {
	s, err := d.subject(ctx)
	if err != nil {
		return nil, err
	}
	d.last = s
	made := &oauth2.Token{AccessToken: s.Token}
	if d.exchange != nil {
		if d.target.Mask != nil {
			d.target.Mask.AddToken(d.target.Server+"\x00"+d.target.Caller+"\x00subject", s.Token)
		}
		if made, err = d.exchanged(ctx, s); err != nil {
			return nil, err
		}
	}
	return oauth2.StaticTokenSource(made), nil
}

// subject returns the caller's token for a request.
func (d *delegate) subject(ctx context.Context) (attach.Subject, error) {
	s, known := attach.SubjectOf(ctx)
	if !known {
		s = d.last
	}
	c, why, step := d.target.Auth.Callers, "", "call again with a new token"
	switch {
	case s.Token == "":
		why = "this server needs a token of an authorization server, and the caller sent no such token"
		step = "verify callers with mcpgen serve --issuer"
	case s.Caller != d.target.Caller:
		why = "the token and the session belong to different callers"
	case !s.Expiry.IsZero() && !time.Now().Before(s.Expiry):
		why = "the caller's token has expired"
	case c.Token == endpoint.TokenPassThrough && !slices.Contains(s.Audience, c.Audience):
		why = fmt.Sprintf("the caller's token is not passed through: its audience must name both %q and this program",
			c.Audience)
		step = "call with a token for both, or set auth.callers.token to exchange"
	default:
		return s, nil
	}
	return attach.Subject{}, hint.New(why, step)
}

// exchanged returns the token for the server that a caller's token was exchanged for.
func (d *delegate) exchanged(ctx context.Context, s attach.Subject) (*oauth2.Token, error) {
	now := time.Now()
	for subject, e := range d.made {
		if !now.Before(e.good) || len(d.made) >= maxExchanged && subject != s.Token {
			delete(d.made, subject)
		}
	}
	if e, known := d.made[s.Token]; known {
		return e.token, nil
	}
	config := *d.exchange
	config.EndpointParams = maps.Clone(config.EndpointParams)
	config.EndpointParams.Set("subject_token", s.Token)
	got, err := config.Token(context.WithValue(ctx, oauth2.HTTPClient, d.client))
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		step := "at the authorization server, allow this client to exchange tokens for " + d.purpose
		// Without an error code, it is not an answer of OAuth.
		if refused, ok := errors.AsType[*oauth2.RetrieveError](err); !ok || refused.ErrorCode == "" {
			step = "try again later, and read the log of the authorization server"
		}
		return nil, hint.New("the authorization server did not exchange the caller's token: "+clean(err).Error(), step)
	}
	issued, _ := got.Extra("issued_token_type").(string)
	switch {
	case got.AccessToken == s.Token:
		err = errors.New("it is the caller's own token")
	case !strings.EqualFold(got.Type(), "Bearer"), issued != "" && issued != typeAccessToken && issued != typeJWT:
		err = errors.New("it is not a bearer token")
	}
	if err != nil {
		err = fmt.Errorf("mcpgen does not use the token that the authorization server gave "+
			"in exchange for the caller's token: %w", err)
		return nil, hint.With(err, "ask the operator of the authorization server")
	}
	good := now.Add(exchangedLife)
	switch {
	case !got.Expiry.IsZero():
		good = got.Expiry.Add(-exchangedSoon)
	case !s.Expiry.IsZero():
		good = s.Expiry
	}
	if !s.Expiry.IsZero() && s.Expiry.Before(good) {
		good = s.Expiry
	}
	e := exchanged{token: &oauth2.Token{AccessToken: got.AccessToken}, since: now, good: good}
	d.made[s.Token] = e
	return e.token, nil
}

// Authorize implements [token.Authorizer]: a token that was good for a while may have
// been revoked, so the caller's is exchanged again.
func (d *delegate) Authorize(ctx context.Context, _ *http.Request, resp *http.Response) error {
	_ = resp.Body.Close()
	s, err := d.subject(ctx)
	if err != nil {
		return err
	}
	e, known := d.made[s.Token]
	if known && resp.StatusCode == http.StatusUnauthorized && time.Since(e.since) > exchangePause {
		delete(d.made, s.Token)
		return nil
	}
	return hint.New("the server does not accept the token that was made for this caller",
		"check the audience and the scopes of the token")
}
