// Tokens: who makes them, and how a session carries them.

package attach

import (
	"context"
	"net/http"

	"golang.org/x/oauth2"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// An Authorizer gets the tokens that requests to one server carry. Its methods
// are called from many goroutines. The handlers of the MCP SDK's packages auth
// and extauth are Authorizers.
type Authorizer interface {
	// TokenSource returns where the token of a request comes from. Nil: there
	// is none yet, and the request goes out without.
	TokenSource(ctx context.Context) (oauth2.TokenSource, error)
	// Authorize is called with a request and the answer 401 or 403 to it, and
	// gets a token that may help. Nil sends the request again, once. It closes
	// the answer's body. The context is that of the request.
	Authorize(ctx context.Context, req *http.Request, resp *http.Response) error
}

// An AuthFunc makes the Authorizer of a server when it is being attached. Nil
// without an error means that this function has nothing to do with the server.
type AuthFunc func(ctx context.Context, target AuthTarget) (Authorizer, error)

// AuthTarget is a server that tokens are for.
type AuthTarget struct {
	Server string        // configured name
	URL    string        // with its variables expanded
	Auth   endpoint.Auth // with its texts expanded: it may hold a secret
}
