// Package token gives sessions the OAuth tokens of an [Authorizer]. In each session
// one caller at a time gets a token, while the others wait for it; every issued token
// is masked.
//
// The packages oauth and google return an AuthFunc for attach; [Sources] returns one
// for token sources of the program:
//
//	attach.Options{Auth: []attach.AuthFunc{token.Sources(map[string]oauth2.TokenSource{"github": source})}}
package token

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

	"github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// An Authorizer gets the tokens that requests to one server carry. The methods are
// called from many goroutines. The handlers of the MCP SDK's packages auth and
// extauth are Authorizers.
type Authorizer interface {
	// TokenSource returns the source of a request's token. Nil: there is no token
	// yet, and the request is sent without one.
	TokenSource(ctx context.Context) (oauth2.TokenSource, error)
	// Authorize is called with a request and its response with status 401 or 403, and
	// gets a token that may help. If it returns nil, the request is sent once more.
	// It closes the body of the response. The context is the request's.
	Authorize(ctx context.Context, req *http.Request, resp *http.Response) error
}

// Func returns an AuthFunc from a function that makes the Authorizer of a server when
// a session is opened. A nil Authorizer without an error means that the function does
// not handle the server.
func Func(authorizer func(ctx context.Context, target attach.AuthTarget) (Authorizer, error)) attach.AuthFunc {
	var refusals sync.Map // string → *refusal: by server
	return func(ctx context.Context, target attach.AuthTarget) (attach.Credentials, error) {
		a, err := authorizer(ctx, target)
		if a == nil || err != nil {
			return nil, err
		}
		refused := &refusal{}
		if target.Caller == "" { // there may be any number of callers
			known, _ := refusals.LoadOrStore(target.Server, refused)
			refused = known.(*refusal)
		}
		return &tokens{authorizer: a, turn: make(chan struct{}, 1), learns: target.Mask, source: target.Server + "\x00" + target.Caller, refused: refused}, nil
	}
}

// Sources gives the tokens of single servers, by name. The Token methods should be
// fast, or cache tokens as [oauth2.ReuseTokenSource] does.
func Sources(sources map[string]oauth2.TokenSource) attach.AuthFunc {
	return Func(func(_ context.Context, target attach.AuthTarget) (Authorizer, error) {
		if source := sources[target.Server]; source != nil && target.Caller == "" {
			return fixed{source}, nil
		}
		return nil, nil
	})
}

// Callers gives the tokens of callers: see [attach.CallerSessions]. Source returns
// the token source of one caller for one server; it is called when a caller's session
// is opened. A nil source without an error means that the caller has none. The
// credentials that a caller sent to this program are not a token for the server:
// exchange them, or look up the caller's own token.
func Callers(source func(ctx context.Context, server, caller string) (oauth2.TokenSource, error)) attach.AuthFunc {
	return Func(func(ctx context.Context, target attach.AuthTarget) (Authorizer, error) {
		if target.Caller == "" {
			return nil, nil
		}
		s, err := source(ctx, target.Server, target.Caller)
		if s == nil || err != nil {
			return nil, err
		}
		return fixed{s}, nil
	})
}

// tokens implements [attach.Credentials] over an Authorizer.
type tokens struct {
	authorizer Authorizer
	turn       chan struct{} // holds one: gets a token, or has a person sign in

	mu    sync.Mutex
	token *oauth2.Token // the last one; used until it expires
	seen  []seen        // the last issued tokens, to mask

	learns  endpoint.Learner // learns each token; may be nil
	source  string           // server and caller: each new token replaces the previous one
	refused *refusal         // the server's, across its sessions
}

// refusal is the last token of a server that was obtained for a request and then
// refused: another one would be refused, too.
type refusal struct {
	mu    sync.Mutex
	token string // as in Authorization
	until time.Time
}

// signInPause is how long no sign-in begins for a server that refused the token of a
// sign-in.
const signInPause = time.Minute

// seen is a token with all of its spellings.
type seen struct {
	token string
	texts []string
}

// maxSeen is how many earlier tokens are still masked.
const maxSeen = 8

// soon is how long before its expiry a token is no longer used.
const soon = 10 * time.Second

// Header implements [attach.Credentials]. A valid token is returned at once;
// otherwise one caller gets a new token, and the others wait for it.
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

// fetch gets a token from the source. The source has no context, so a caller leaves
// when its own context ends.
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
		if err := Check(a.token); err != nil {
			return "", err
		}
		t.keep(a.token)
		return header(a.token), nil
	}
}

// tokenError returns the error of a missing token. A grant that is no longer valid is
// not an error: the request is sent without a token, and its response begins the next
// sign-in.
func tokenError(err error) error {
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused) && refused.ErrorCode == "invalid_grant":
		return nil
	case errors.As(err, &refused):
		// The text of the error repeats the body of the answer.
		status := ""
		if refused.Response != nil {
			status = " with HTTP " + refused.Response.Status
		}
		return hint.With(fmt.Errorf("the authorization server refused to give a token%s (%s)",
			status, safetext.Words(strings.TrimSpace(refused.ErrorCode+" "+refused.ErrorDescription), 200)), "sign in again", "check the client's id and secret")
	case err != nil:
		return err
	}
	return errors.New("the program's token source gave no token")
}

// Challenged implements [attach.Credentials]: one caller gets another token, and the
// others use it.
func (t *tokens) Challenged(ctx context.Context, used string, req *http.Request, resp *http.Response) error {
	if err := t.lock(ctx); err != nil {
		return err
	}
	defer t.unlock()
	if now, err := t.now(ctx); err == nil && now != "" && now != used {
		return nil // another caller got it meanwhile
	}
	if left := t.refused.left(used); left > 0 {
		_ = resp.Body.Close()
		return hint.With(fmt.Errorf("the server does not accept the token that it was just given; the next sign-in is possible in %v", left.Round(time.Second)), "check the account and its scopes")
	}
	if n := len(strings.Join(resp.Header.Values("WWW-Authenticate"), "")); n > maxChallenge {
		_ = resp.Body.Close()
		return hint.With(fmt.Errorf("the server's WWW-Authenticate has %d bytes, but mcpgen reads at most %d", n, maxChallenge), "ask the operator of the server")
	}
	if err := t.authorizer.Authorize(ctx, req, resp); err != nil {
		return err
	}
	t.mu.Lock()
	t.token = nil // the source has another one
	t.mu.Unlock()
	return nil
}

// Refused implements [attach.Credentials].
func (t *tokens) Refused(used string) {
	t.refused.mu.Lock()
	defer t.refused.mu.Unlock()
	t.refused.token, t.refused.until = used, time.Now().Add(signInPause)
}

// left returns how long no sign-in begins because of this token.
func (r *refusal) left(used string) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if used == "" || used != r.token {
		return 0
	}
	return max(0, time.Until(r.until))
}

// now returns the token to use. The caller must hold the turn.
func (t *tokens) now(ctx context.Context) (string, error) {
	if token := t.current(); token != nil {
		return header(token), nil
	}
	return t.fetch(ctx)
}

// Secrets implements [attach.Credentials].
func (t *tokens) Secrets() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []string
	for _, s := range t.seen {
		all = append(all, s.texts...)
	}
	return all
}

// current returns the token in use; nil if it expires soon.
func (t *tokens) current() *oauth2.Token {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.token == nil || t.token.Expiry.IsZero() || time.Until(t.token.Expiry) < soon {
		return nil // a source may replace a token without an expiry at any time
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
		t.seen = append(t.seen, seen{secret, credentials.Spellings(secret)})
		if t.learns != nil {
			t.learns.AddToken(t.source, secret)
		}
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

// maxToken bounds a token that is sent with a request, in bytes: no server reads a
// longer header.
const maxToken = 64 << 10

// Check returns an error if a token cannot be sent in a header: it is longer than
// maxToken, or the token or its type has a space, a line break or another byte that
// is not printable ASCII. The error does not show the token.
func Check(token *oauth2.Token) error {
	plain := func(s string) bool {
		return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
	}
	switch {
	case len(token.AccessToken) > maxToken:
		return hint.With(fmt.Errorf("the token cannot be sent: it has %d bytes, more than %d", len(token.AccessToken), maxToken), "ask the operator of the authorization server")
	case !plain(token.AccessToken) || !plain(token.TokenType):
		return hint.New("the token cannot be sent: it or its type has spaces, line breaks or other characters that no header may have", "ask the operator of the authorization server")
	}
	return nil
}

// maxChallenge bounds a server's description of the credentials that it requires, in
// bytes: the time to parse it grows with the square of its length.
const maxChallenge = 8 << 10

// header returns the value of Authorization. Authorization servers vary the spelling
// of the type.
func header(token *oauth2.Token) string { return token.Type() + " " + token.AccessToken }

// fixed is an Authorizer for a source of the program.
type fixed struct{ source oauth2.TokenSource }

// TokenSource implements [Authorizer].
func (f fixed) TokenSource(context.Context) (oauth2.TokenSource, error) { return f.source, nil }

// Authorize implements [Authorizer].
func (f fixed) Authorize(_ context.Context, _ *http.Request, resp *http.Response) error {
	_ = resp.Body.Close()
	return hint.New("the server does not accept the token from the program's token source", "check that the token is valid for the server and has the scopes it needs")
}
