// Tokens: how they are made, and how a session carries them.

package attach

import (
	"context"
	"fmt"
	"net/http"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// Credentials give the token that the requests of one session carry. The methods are
// called from many goroutines. Package token makes Credentials of OAuth token
// sources.
type Credentials interface {
	// Header returns the value of Authorization, which overrides a configured one; ""
	// leaves the configured one. An error fails the request.
	Header(ctx context.Context) (string, error)
	// Challenged is called when a request with this Authorization was answered with
	// 401 or 403, and closes the body of the response. Nil means that the request may
	// be sent again. The time of this call does not count against the server: a
	// person may have to sign in.
	Challenged(ctx context.Context, used string, req *http.Request, resp *http.Response) error
	// Refused is called when the server rejects the token of Challenged, too.
	Refused(used string)
	// Secrets returns the values that are masked in texts of and about the server, in
	// all [credentials.Spellings].
	Secrets() []string
}

// An AuthFunc makes the Credentials of a server when a session with it is opened. It
// returns nil and no error for a server that it does not handle.
type AuthFunc func(ctx context.Context, target AuthTarget) (Credentials, error)

// AuthTarget is a server that needs credentials.
type AuthTarget struct {
	Server string           // configured name
	Caller string           // the caller whose session it is, see [CallerSessions]; "" is the program's own
	URL    string           // with its variables expanded
	Auth   endpoint.Auth    // with its texts expanded: it may hold a secret
	Mask   endpoint.Learner // learns each token; may be nil
}

// credentials masks the errors of Credentials, and pauses the time of an attempt
// during a sign-in.
type credentials struct{ Credentials }

// Header implements httpx.Credentials.
func (c credentials) Header(ctx context.Context) (string, error) {
	value, err := c.Credentials.Header(ctx)
	return value, c.clean(ctx, err)
}

// Challenged implements httpx.Credentials.
func (c credentials) Challenged(ctx context.Context, used string, req *http.Request, resp *http.Response) error {
	defer pauseTimeout(ctx)()
	return c.clean(ctx, c.Credentials.Challenged(ctx, used, req, resp))
}

// Mask implements httpx.Credentials.
func (c credentials) Mask(text string) string { return quote.Mask(text, c.Secrets()) }

func (c credentials) clean(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return &failure{text: c.Mask(quote.Block(err.Error(), 2000)), errs: []error{runtime.ErrAuth, err}}
}

// newCredentials chooses the Credentials of a server, nil if it needs none, and gets the
// first token before anything is sent, so that wrong credentials fail the attach instead
// of the first call.
func newCredentials(ctx context.Context, makers []AuthFunc, target AuthTarget) (*credentials, error) {
	for _, f := range makers {
		made, err := f(ctx, target)
		if err != nil {
			return nil, err
		}
		if made != nil {
			c := &credentials{made}
			_, err = c.Header(ctx)
			return c, err
		}
	}
	if target.Caller != "" {
		return nil, hint.With(fmt.Errorf("this program has no credentials for the caller of this session (%w)", runtime.ErrAuth), "set attach.Options.Auth to a function that makes credentials for AuthTarget.Caller")
	}
	switch kind := target.Auth.Kind; kind {
	case endpoint.AuthAuto, endpoint.AuthNone:
		return nil, nil
	default:
		return nil, hint.With(fmt.Errorf("this program cannot get tokens of the kind %q (%w)", string(kind), runtime.ErrAuth), "set attach.Options.Auth to the sign-in function of the package google or oauth")
	}
}
