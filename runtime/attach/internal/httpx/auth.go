// Tokens of requests, and another attempt with another token.

package httpx

import (
	"context"
	"net/http"
)

// Credentials give the tokens of requests, as those of package attach do.
type Credentials interface {
	Header(ctx context.Context) (string, error)
	// Challenged gets an answer without a body.
	Challenged(ctx context.Context, used string, req *http.Request, resp *http.Response) error
	Refused(used string)
	// Mask makes a text of the server fit to be shown.
	Mask(text string) string
}

// challenge is an answer that requests other credentials.
type challenge struct {
	used string // the Authorization that was sent
	req  *http.Request
	resp *http.Response
}

// renew gets other credentials after an answer that requests them. It reports whether
// the request may be sent again; if not, e says why. Seen is the status of the last
// answer that credentials were renewed for: each status gets one attempt.
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

// authorize adds the token to a request.
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
