// Package google gets tokens from Google's application default credentials, for
// servers that are configured with them (auth.google_oauth).
//
// Give [Auth] to attach:
//
//	host, err := attach.Connect(ctx, servers, &attach.Options{Auth: []attach.AuthFunc{google.Auth}})
package google

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/token"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// A FindFunc finds credentials for scopes and returns the source of their tokens. The
// tokens are refreshed long after ctx has ended.
type FindFunc func(ctx context.Context, scopes ...string) (oauth2.TokenSource, error)

// Auth is the [attach.AuthFunc] of servers of the kind [endpoint.AuthGoogle]. It
// looks for the default credentials of this machine, in the order that Google
// documents: GOOGLE_APPLICATION_CREDENTIALS, the credentials of gcloud, the metadata
// server.
func Auth(ctx context.Context, target attach.AuthTarget) (attach.Credentials, error) {
	return New(find)(ctx, target)
}

// New is like [Auth], with another way to find credentials.
func New(find FindFunc) attach.AuthFunc {
	return token.Func(func(ctx context.Context, target attach.AuthTarget) (token.Authorizer, error) {
		if target.Auth.Kind != endpoint.AuthGoogle || target.Caller != "" { // the account is the program's
			return nil, nil
		}
		if err := checkScopes(target.Auth.Scopes); err != nil {
			return nil, err
		}
		// The source keeps the context for all refreshes.
		source, err := find(context.WithoutCancel(ctx), target.Auth.Scopes...)
		if err != nil {
			return nil, notFound(err)
		}
		return &authorizer{source: oauth2.ReuseTokenSource(nil, &hinted{source})}, nil
	})
}

func find(ctx context.Context, scopes ...string) (oauth2.TokenSource, error) {
	credentials, err := google.FindDefaultCredentials(ctx, scopes...)
	if err != nil {
		return nil, err
	}
	return credentials.TokenSource, nil
}

// checkScopes requires at least one scope, and no empty one: without scopes, Google
// would return a token that grants no access.
func checkScopes(scopes []string) error {
	if len(scopes) == 0 {
		return hint.New("google_oauth: scopes is required and has no default", "list the scopes that the server needs, such as https://www.googleapis.com/auth/cloud-platform")
	}
	for i, scope := range scopes {
		if strings.TrimSpace(scope) == "" {
			return hint.With(fmt.Errorf("google_oauth: scopes[%d] is empty", i), "remove it", "write a scope")
		}
	}
	return nil
}

// notFound adds the next step to an error of the credentials.
func notFound(err error) error {
	return hint.With(fmt.Errorf("google application default credentials: %w (%w)", err, runtime.ErrAuth), "run gcloud auth application-default login", "set GOOGLE_APPLICATION_CREDENTIALS to a key file")
}

// hinted is a source whose errors have a next step.
type hinted struct{ source oauth2.TokenSource }

// Token returns a token.
func (h *hinted) Token() (*oauth2.Token, error) {
	token, err := h.source.Token()
	if err != nil {
		return nil, notFound(err)
	}
	return token, nil
}

type authorizer struct{ source oauth2.TokenSource }

// TokenSource implements [token.Authorizer].
func (a *authorizer) TokenSource(context.Context) (oauth2.TokenSource, error) { return a.source, nil }

// Authorize implements [token.Authorizer]: no other token is available.
func (a *authorizer) Authorize(_ context.Context, _ *http.Request, resp *http.Response) error {
	_ = resp.Body.Close()
	return hint.With(fmt.Errorf("the server does not accept the token of Google's application default credentials (%w)", runtime.ErrAuth), "check the scopes, and that this account has access")
}
