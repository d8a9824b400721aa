// Authorization servers that the configuration names, so that the server need not
// name them.

package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// direct reports whether the configuration names the authorization server.
func (p *person) direct() bool {
	a := p.target.Auth
	return a.MetadataURL != "" || a.AuthorizationURL != "" && a.TokenURL != "" && a.ClientID != ""
}

// named is an authorization server as described by the configuration and the server's
// metadata. The configuration takes precedence.
type named struct {
	issuer                       string // "" if unknown
	authorize, token, registered string
	issuerComes                  bool // answers contain the issuer
}

// find reads the metadata of the authorization server, if the configuration has its
// URL. The configuration vouches for its issuer.
func find(ctx context.Context, client *http.Client, a endpoint.Auth) (*named, error) {
	n := &named{issuer: a.Issuer, authorize: a.AuthorizationURL, token: a.TokenURL}
	if a.MetadataURL == "" {
		return n, nil
	}
	issuer, err := issuerOf(ctx, client, a.MetadataURL)
	if err != nil {
		return nil, err
	}
	m, err := oauthex.GetAuthServerMeta(ctx, a.MetadataURL, issuer, client)
	if err != nil || m == nil {
		return nil, fmt.Errorf("the metadata of the authorization server cannot be used: %w", errors.Join(err, ctx.Err()))
	}
	if a.Issuer != "" && strings.TrimSuffix(m.Issuer, "/") != strings.TrimSuffix(a.Issuer, "/") {
		err := fmt.Errorf("the metadata belongs to the authorization server %q, but issuer names %q", m.Issuer, a.Issuer)
		return nil, hint.With(err, "correct one of the two")
	}
	n.issuer, n.registered, n.issuerComes = m.Issuer, m.RegistrationEndpoint, m.AuthorizationResponseIssParameterSupported
	if n.authorize == "" {
		n.authorize = m.AuthorizationEndpoint
	}
	if n.token == "" {
		n.token = m.TokenEndpoint
	}
	return n, nil
}

// issuerOf returns the issuer that the metadata names.
func issuerOf(ctx context.Context, client *http.Client, at string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return "", err
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var m struct{ Issuer string }
	if resp.StatusCode != http.StatusOK ||
		json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&m) != nil || m.Issuer == "" {
		err := fmt.Errorf("there is no metadata of an authorization server at the metadata url (HTTP %d)", resp.StatusCode)
		return "", hint.With(err, "check that url")
	}
	return m.Issuer, nil
}

// signInDirectly runs the flow with the authorization server of the configuration.
func (p *person) signInDirectly(ctx context.Context, login Login) error {
	server, err := find(ctx, p.client, p.target.Auth)
	if err != nil {
		return clean(err)
	}
	config, err := p.config(ctx, server, login.RedirectURL())
	if err != nil {
		return clean(err)
	}
	verifier, state := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	resource := oauth2.SetAuthURLParam("resource", p.target.URL)
	params := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(verifier), resource}
	if audiences := p.target.Auth.Audiences; len(audiences) > 0 {
		params = append(params, oauth2.SetAuthURLParam("audience", strings.Join(audiences, " ")))
	}
	res, err := follow(ctx, login, config.AuthCodeURL(state, params...))
	switch {
	case err != nil:
		return err
	case res.State != state:
		return hint.New("the answer of the authorization server belongs to another sign-in", "begin again")
	case server.issuer != "" && strings.TrimSuffix(res.Iss, "/") != strings.TrimSuffix(server.issuer, "/") &&
		(res.Iss != "" || server.issuerComes):
		return fmt.Errorf("the answer came from another authorization server, %q, so mcpgen did not use it",
			safetext.Words(res.Iss, 200))
	}
	ours := context.WithValue(ctx, oauth2.HTTPClient, p.client)
	token, err := config.Exchange(ours, res.Code, oauth2.VerifierOption(verifier), resource)
	if err != nil {
		return clean(fmt.Errorf("the authorization server gives no token: %w", err))
	}
	_, err = p.keep(ctx, config, token)
	return err
}

// registerStep is the next step if no authorization server registers the client.
const registerStep = "register a client at the authorization server, and write its id into the key client_id"

// config returns the client: the configured one, or one that it registers.
func (p *person) config(ctx context.Context, server *named, redirect string) (*oauth2.Config, error) {
	a := p.target.Auth
	config := &oauth2.Config{
		ClientID: a.ClientID, ClientSecret: a.ClientSecret, Scopes: a.Scopes, RedirectURL: redirect,
		Endpoint: oauth2.Endpoint{AuthURL: server.authorize, TokenURL: server.token},
	}
	if a.ClientID != "" {
		return config, nil
	}
	if server.registered == "" {
		return nil, hint.New("the authorization server does not register clients", registerStep)
	}
	client, err := oauthex.RegisterClient(ctx, server.registered, p.registration(redirect), p.client)
	if err != nil {
		return nil, fmt.Errorf(notRegistered+": %w", err)
	}
	config.ClientID, config.ClientSecret = client.ClientID, client.ClientSecret
	return config, nil
}
