// Servers that the program signs in to with its own secret.

package oauth

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/auth/extauth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/token"
)

// machine is the Authorizer of one server. It does not store tokens, since the secret
// gets new ones at any time.
type machine struct {
	handler auth.OAuthHandler // nil if the configuration names the token URL
	target  attach.AuthTarget
	client  *http.Client

	mu     sync.Mutex // the handler has none
	source oauth2.TokenSource
}

func newMachine(ctx context.Context, opts *Options, target attach.AuthTarget) (token.Authorizer, error) {
	a := target.Auth
	if a.ClientID == "" || a.ClientSecret == "" {
		return nil, hint.New("client credentials need a client id and a client secret", "add them")
	}
	client := clientOf(opts.HTTPClient, isLocal(target.URL))
	if a.MetadataURL != "" {
		server, err := find(ctx, client, a)
		if err != nil {
			return nil, clean(err)
		}
		a.TokenURL = server.token
	}
	if a.TokenURL != "" {
		config := &clientcredentials.Config{
			ClientID: a.ClientID, ClientSecret: a.ClientSecret, TokenURL: a.TokenURL, Scopes: a.Scopes,
		}
		lasting := context.WithValue(context.Background(), oauth2.HTTPClient, client)
		return &machine{source: config.TokenSource(lasting)}, nil
	}
	config := &extauth.ClientCredentialsHandlerConfig{Credentials: credentials(a), HTTPClient: client}
	handler, err := extauth.NewClientCredentialsHandler(config)
	if err != nil {
		return nil, fmt.Errorf("the sign-in: %w", err)
	}
	return &machine{handler: handler, target: target, client: client}, nil
}

// TokenSource implements [token.Authorizer].
func (m *machine) TokenSource(context.Context) (oauth2.TokenSource, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.source, nil
}

// Authorize implements [token.Authorizer].
func (m *machine) Authorize(ctx context.Context, req *http.Request, resp *http.Response) error {
	if m.handler == nil || resp.StatusCode == http.StatusForbidden && !wantsScope(resp) {
		_ = resp.Body.Close()
		return hint.New("the server does not accept the token of this client", "check its id, its secret and its scopes")
	}
	if m.target.Auth.Issuer == "" {
		_ = resp.Body.Close()
		return errUnbound(ctx, m.client, req, resp)
	}
	if err := m.ask(resp); err != nil {
		return err
	}
	// The handler's token source keeps the context for all refreshes; the client
	// bounds the time of its requests.
	done := make(chan error, 1)
	go func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		err := m.handler.Authorize(context.WithoutCancel(ctx), req, resp)
		if err == nil {
			m.source, err = m.handler.TokenSource(ctx)
		}
		done <- err
	}()
	select {
	case err := <-done:
		return clean(err)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ask replaces the scopes in the server's challenge by the configured ones: the
// handler requests the scopes of the challenge.
func (m *machine) ask(resp *http.Response) error {
	if m.target.Auth.Scopes == nil {
		return nil
	}
	challenges, err := oauthex.ParseWWWAuthenticate(resp.Header["Www-Authenticate"])
	if err != nil {
		return fmt.Errorf("the server's WWW-Authenticate cannot be read: %w", err)
	}
	text := "Bearer scope=" + strconv.Quote(strings.Join(m.target.Auth.Scopes, " "))
	if at := param(challenges, "resource_metadata"); at != "" {
		text += ", resource_metadata=" + strconv.Quote(at)
	}
	resp.Header.Set("Www-Authenticate", text)
	return nil
}

func wantsScope(resp *http.Response) bool {
	challenges, err := oauthex.ParseWWWAuthenticate(resp.Header["Www-Authenticate"])
	return err == nil && param(challenges, "error") == "insufficient_scope"
}

// errUnbound is the error of a client secret without a configured authorization
// server. The server itself names one, and must not decide where the secret is sent.
func errUnbound(ctx context.Context, client *http.Client, req *http.Request, resp *http.Response) error {
	named := ""
	challenges, err := oauthex.ParseWWWAuthenticate(resp.Header["Www-Authenticate"])
	if at := param(challenges, "resource_metadata"); err == nil && at != "" {
		m, err := oauthex.GetProtectedResourceMetadata(ctx, at, req.URL.String(), client)
		if err == nil && len(m.AuthorizationServers) > 0 {
			named = fmt.Sprintf("; the server names %q, which is correct only if your client is registered there",
				safetext.Words(m.AuthorizationServers[0], 200))
		}
	}
	return hint.New(
		"mcpgen does not send the client secret, because the configuration names no authorization server"+named,
		"define the MCP server in mcpgen.yaml, with auth.oauth.issuer")
}
