// Package oauth signs in to MCP servers with OAuth 2.1, as the protocol wants it:
// the authorization server is found by asking the server, the client is the one
// that is configured, or is described by a document (see [endpoint.Auth]), or is
// registered on the way, and the code flow is secured with PKCE. Tokens are kept in a [Store] on disk and refreshed there, so that a
// person signs in once.
//
// Give what [New] returns to attach:
//
//	host, err := attach.Connect(ctx, servers, &attach.Options{Auth: []attach.AuthFunc{
//		oauth.New(oauth.Options{Store: store, Flow: oauth.Browser(oauth.BrowserOptions{In: os.Stdin, Out: os.Stderr})}),
//	}})
//
// The protocol's part of it is the MCP SDK's.
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
	// Store keeps tokens between runs. Nil keeps them for as long as the
	// session lives.
	Store *Store
	// Flow lets a person sign in. Nil: nobody can, and a server that wants it
	// fails with NextStep.
	Flow Flow
	// NextStep ends the error of a server that a person has to sign in to while
	// Flow is nil, such as "run … on a terminal".
	NextStep string
	// Auto signs in to servers that are not configured for it, too
	// ([endpoint.AuthAuto]), as soon as they ask. Without it such a server's
	// stored token is used, and nothing else is done for it.
	Auto bool
	// ClientName is what people see while they sign in. Empty is "mcpgen".
	ClientName string
	// HTTPClient speaks to authorization servers. Nil is one that is bounded in
	// time and size, and does not reach addresses of this machine and its
	// network for a server from elsewhere.
	HTTPClient *http.Client
}

// New returns the [attach.AuthFunc] of servers of the kinds [endpoint.AuthOAuth]
// and [endpoint.AuthClientCredentials], and of [endpoint.AuthAuto] as
// Options.Auto says.
//
// The servers of one AuthFunc share its sign-ins: there is one at a time, and
// after one that failed nobody is shown a page of that server for a minute.
func New(opts Options) attach.AuthFunc {
	shared := newSignIns(time.Now)
	return token.Func(func(ctx context.Context, target attach.AuthTarget) (token.Authorizer, error) {
		if target.Caller != "" {
			return nil, nil // the sign-ins are those of the program's own user
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
