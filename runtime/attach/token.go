// The tokens of one session: one at a time is got, and none is ever shown.

package attach

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// tokens implements httpx.Credentials over an Authorizer.
type tokens struct {
	authorizer Authorizer
	turn       chan struct{} // holds one: whoever gets a token, or asks a person

	mu    sync.Mutex
	token *oauth2.Token // the last one; used until it expires
	seen  []seen        // that were handed out, the last ones, to mask

	learns  *endpoint.Mask // the program's, which is told of each; nil is none
	refused *refusal       // the server's, across its sessions
}

// refusal is the last token of a server that was got for a request and then not
// accepted: another one would not be either.
type refusal struct {
	mu    sync.Mutex
	token string // as in Authorization
	until time.Time
}

// signInPause is how long nobody signs in again to a server that does not accept
// the token of a sign-in.
const signInPause = time.Minute

// seen is a token with all of its spellings.
type seen struct {
	token string
	texts []string
}

// maxSeen is how many tokens of the past are still masked.
const maxSeen = 8

// soon is how long before its end a token is no longer used.
const soon = 10 * time.Second

// newTokens returns what gets the tokens of a server; nil if nothing does.
func (o *opener) newTokens(ctx context.Context) (*tokens, error) {
	if o.server.URL == "" {
		return nil, nil
	}
	if source := o.TokenSources[o.server.Name]; source != nil {
		return authorizedBy(fixed{source}), nil
	}
	target := AuthTarget{Server: o.server.Name, URL: o.resolved.URL, Auth: o.resolved.Auth}
	for _, f := range o.Auth {
		a, err := f(ctx, target)
		if err != nil {
			return nil, err
		}
		if a != nil {
			return authorizedBy(a), nil
		}
	}
	switch kind := o.server.Auth.Kind; kind {
	case endpoint.AuthAuto, endpoint.AuthNone:
		return nil, nil
	default:
		return nil, fmt.Errorf("auth: nothing in this program gets tokens of the kind %q: give attach.Options.Auth the function that does, from the package google or oauth (%w)", string(kind), runtime.ErrAuth)
	}
}

// prepareTokens finds out what gets the tokens of a server, and gets the first
// one before anything is sent: what is wrong with the credentials shows at
// attach, and not at the first call.
func (o *opener) prepareTokens(ctx context.Context) (err error) {
	if o.tokens, err = o.newTokens(ctx); err != nil || o.tokens == nil {
		return err
	}
	o.tokens.learns = o.Mask
	if o.refused != nil {
		o.tokens.refused = o.refused
	}
	_, err = o.tokens.Header(ctx)
	return err
}

func authorizedBy(a Authorizer) *tokens {
	return &tokens{authorizer: a, turn: make(chan struct{}, 1), refused: &refusal{}}
}

// Header implements httpx.Credentials. A token that is still good costs nothing;
// otherwise one caller gets a new one, and the others wait for it.
func (t *tokens) Header(ctx context.Context) (string, error) {
	if token := t.current(); token != nil {
		return header(token), nil
	}
	if err := t.lock(ctx); err != nil {
		return "", err
	}
	defer t.unlock()
	return t.now(ctx)
}

// fetch gets a token from the source, which knows no context: whoever waits
// leaves when theirs ends.
func (t *tokens) fetch(ctx context.Context) (string, error) {
	source, err := t.authorizer.TokenSource(ctx)
	if err != nil || source == nil {
		return "", err
	}
	type answer struct {
		token *oauth2.Token
		err   error
	}
	answered := make(chan answer, 1)
	go func() {
		token, err := source.Token()
		answered <- answer{token, err}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case a := <-answered:
		if a.err != nil || a.token == nil || a.token.AccessToken == "" {
			return "", tokenError(a.err)
		}
		t.keep(a.token)
		return header(a.token), nil
	}
}

// tokenError says what it means that there is no token. A grant that is no
// longer valid is no error: the request goes out without a token, and the answer
// to it begins the next sign-in.
func tokenError(err error) error {
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused) && refused.ErrorCode == "invalid_grant":
		return nil
	case errors.As(err, &refused):
		// Its own text repeats the answer's body.
		status := ""
		if refused.Response != nil {
			status = " with HTTP " + refused.Response.Status
		}
		return &failure{
			text: fmt.Sprintf("the authorization server refused to give a token%s (%s): sign in again, or check the client's id and secret",
				status, quote.Line(strings.TrimSpace(refused.ErrorCode+" "+refused.ErrorDescription), 200)),
			errs: []error{runtime.ErrAuth},
		}
	case err != nil:
		return &failure{text: quote.Block(err.Error(), 1000), errs: []error{runtime.ErrAuth, err}}
	}
	return &failure{text: "the source of tokens gave no token", errs: []error{runtime.ErrAuth}}
}

// Challenged implements httpx.Credentials: one caller asks for another token,
// the others find it.
func (t *tokens) Challenged(ctx context.Context, used string, req *http.Request, resp *http.Response) error {
	if err := t.lock(ctx); err != nil {
		return err
	}
	defer t.unlock()
	if now, err := t.now(ctx); err == nil && now != "" && now != used {
		return nil // somebody else got it meanwhile
	}
	if left := t.refused.left(used); left > 0 {
		_ = resp.Body.Close()
		return &failure{
			text: fmt.Sprintf("the server does not accept the token that it was just given: check the account and its scopes; the next sign-in is possible in %v", left.Round(time.Second)),
			errs: []error{runtime.ErrAuth},
		}
	}
	goOn := pauseTimeout(ctx)
	err := t.authorizer.Authorize(ctx, req, resp)
	goOn()
	if err != nil {
		return &failure{text: t.Mask(quote.Block(err.Error(), 2000)), errs: []error{runtime.ErrAuth, err}}
	}
	t.mu.Lock()
	t.token = nil // the source has another one
	t.mu.Unlock()
	return nil
}

// Refused implements httpx.Credentials.
func (t *tokens) Refused(used string) {
	t.refused.mu.Lock()
	defer t.refused.mu.Unlock()
	t.refused.token, t.refused.until = used, time.Now().Add(signInPause)
}

// left returns how long nobody signs in for the sake of this token.
func (r *refusal) left(used string) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if used == "" || used != r.token {
		return 0
	}
	return max(0, time.Until(r.until))
}

// now returns the token to use. The caller has the turn.
func (t *tokens) now(ctx context.Context) (string, error) {
	if token := t.current(); token != nil {
		return header(token), nil
	}
	return t.fetch(ctx)
}

// Mask implements httpx.Credentials.
func (t *tokens) Mask(text string) string {
	return quote.Mask(text, t.secrets())
}

// secrets are the tokens that were handed out, in all of their spellings.
func (t *tokens) secrets() []string {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []string
	for _, s := range t.seen {
		all = append(all, s.texts...)
	}
	return all
}

// current returns the token in use; nil if it has run out.
func (t *tokens) current() *oauth2.Token {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.token == nil || t.token.Expiry.IsZero() || time.Until(t.token.Expiry) < soon {
		return nil // one without an end may be changed by its source at any time
	}
	return t.token
}

func (t *tokens) keep(token *oauth2.Token) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.token = token
	for _, secret := range []string{token.AccessToken, token.RefreshToken} {
		if len(secret) < 8 || slices.ContainsFunc(t.seen, func(s seen) bool { return s.token == secret }) {
			continue
		}
		t.seen = append(t.seen, seen{secret, endpoint.Spellings(secret)})
		t.learns.Add(secret)
	}
	if n := len(t.seen); n > maxSeen {
		t.seen = slices.Delete(t.seen, 0, n-maxSeen)
	}
}

func (t *tokens) lock(ctx context.Context) error {
	select {
	case t.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *tokens) unlock() { <-t.turn }

// header is the value of Authorization. Authorization servers spell the type as
// they like.
func header(token *oauth2.Token) string { return token.Type() + " " + token.AccessToken }

// fixed is an Authorizer of a source that a program gave.
type fixed struct{ source oauth2.TokenSource }

// TokenSource implements [Authorizer].
func (f fixed) TokenSource(context.Context) (oauth2.TokenSource, error) { return f.source, nil }

// Authorize implements [Authorizer].
func (f fixed) Authorize(_ context.Context, _ *http.Request, resp *http.Response) error {
	_ = resp.Body.Close()
	return fmt.Errorf("the server does not accept the token of its source: check that it is valid there, and its scopes")
}
