// Package oauth signs in to MCP servers with OAuth 2.1, as the protocol requires: the
// server names the authorization server; the client is configured, described by a
// document (see [endpoint.Auth]), or registered during the sign-in; and the code flow
// is secured with PKCE. Tokens are kept in a [Store] on disk and refreshed there, so
// that a person signs in once.
//
// Give the result of [New] to attach:
//
//	host, err := attach.Connect(ctx, servers, &attach.Options{Auth: []attach.AuthFunc{
//		oauth.New(oauth.Options{Store: store, Flow: oauth.Browser(oauth.BrowserOptions{In: os.Stdin, Out: os.Stderr})}),
//	}})
//
// The MCP SDK implements the protocol's part.
package oauth

import (
	"context"
	"net/http"
	"time"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/token"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Options are the settings of [New].
type Options struct {
	// Store keeps tokens between runs. If nil, tokens are kept as long as the session
	// lives.
	Store *Store
	// Flow lets a person sign in. If nil, a server that requires a sign-in fails with
	// NextStep.
	Flow Flow
	// NextStep ends the error of a server that requires a sign-in while Flow is nil,
	// such as "run … on a terminal".
	NextStep string
	// Auto also signs in to servers that are not configured for OAuth
	// ([endpoint.AuthAuto]), as soon as they request it. Without Auto, only the
	// stored token of such a server is used.
	Auto bool
	// ClientName is the name that people see while they sign in. Empty is "mcpgen".
	ClientName string
	// HTTPClient is the client for authorization servers. Nil is a client with limits
	// on time and size, which refuses addresses of this machine and its network for a
	// server from elsewhere.
	HTTPClient *http.Client
}

// New returns the [attach.AuthFunc] for servers of the kinds [endpoint.AuthOAuth] and
// [endpoint.AuthClientCredentials], and for the callers of servers with
// [endpoint.Auth.Callers]. Options.Auto decides about [endpoint.AuthAuto].
//
// The servers of one AuthFunc share its sign-ins: they run one at a time. After a
// sign-in that failed, the page of its server is not shown for a minute.
func New(opts Options) attach.AuthFunc {
	shared := newSignIns(time.Now)
	return token.Func(func(ctx context.Context, target attach.AuthTarget) (token.Authorizer, error) {
		switch {
		case target.Caller == "":
		case target.Auth.Callers.Token == "":
			return nil, nil // only the program's own user signs in
		default:
			return newDelegate(ctx, &opts, target)
		}
		switch target.Auth.Kind {
		case endpoint.AuthClientCredentials:
			return newMachine(ctx, &opts, target)
		case endpoint.AuthOAuth, endpoint.AuthAuto:
			return newPerson(&opts, target, shared)
		}
		return nil, nil
	})
}
