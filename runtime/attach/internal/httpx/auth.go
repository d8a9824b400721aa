// Tokens on requests, and another try with another token.

package httpx

import (
	"context"
	"net/http"
)

// Credentials give the token that requests carry. Their methods are called from
// many goroutines.
type Credentials interface {
	// Header returns the value of Authorization, which wins over a configured
	// one; "" leaves that as it is. The error ends the request.
	Header(ctx context.Context) (string, error)
	// Challenged is called when a request with this Authorization was answered
	// with 401 or 403. Nil: another try makes sense. The answer has no body.
	Challenged(ctx context.Context, used string, req *http.Request, resp *http.Response) error
	// Refused is called when the token that Challenged got is not accepted either.
	Refused(used string)
	// Mask makes a text of the server fit to be shown.
	Mask(text string) string
}

// challenge is an answer that asks for other credentials.
type challenge struct {
	used string // the Authorization that was sent
	req  *http.Request
	resp *http.Response
}

// renew asks for other credentials after an answer that wants them. It reports whether
// another try makes sense; if not, e says why. Seen is the status of the last answer
// that was asked about: for each kind there is one try.
func (c *client) renew(ctx context.Context, e *Error, seen *int) (again bool) {
	if e.Status == *seen {
		c.opts.Credentials.Refused(e.challenge.used)
		return false
	}
	*seen = e.Status
	if err := c.opts.Credentials.Challenged(ctx, e.challenge.used, e.challenge.req, e.challenge.resp); err != nil {
		e.Reason += ": " + err.Error()
		e.Err = err
		return false
	}
	return true
}

// authorize puts the token on a request of a caller.
func (c *client) authorize(ctx context.Context, req *http.Request) error {
	if c.opts.Credentials == nil {
		return nil
	}
	value, err := c.opts.Credentials.Header(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &Error{Reason: "no token: " + err.Error(), Err: err, Refused: true}
	}
	if value != "" {
		req.Header.Set("Authorization", value)
	}
	return nil
}

// mask makes a text of the server fit to be shown.
func (c *client) mask(text string) string {
	if c.opts.Credentials == nil {
		return text
	}
	return c.opts.Credentials.Mask(text)
}
