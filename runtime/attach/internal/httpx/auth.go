// Tokens on requests, and another try with another token.

package httpx

import (
	"context"
	"errors"
	"net/http"
)

// Credentials give the token that requests carry. Their methods are called from
// many goroutines.
type Credentials interface {
	// Header returns the value of Authorization, which wins over a configured
	// one; "" leaves that as it is. The error ends the request.
	Header(ctx context.Context) (string, error)
	// Challenged is told that a request with this Authorization was answered
	// with 401 or 403. Nil: another try makes sense. The answer has no body.
	Challenged(ctx context.Context, used string, req *http.Request, resp *http.Response) error
	// Refused is told that the token that Challenged got is not accepted either.
	Refused(used string)
	// Mask makes a text of the server fit to be shown.
	Mask(text string) string
}

// challenge is an answer that asks for other credentials.
type challenge struct {
	used string // the Authorization that was sent
	resp *http.Response
}

// authorized carries out a request, and once more after each kind of answer that
// asks for other credentials, if they can be had. The context of req is the
// caller's: how long an attempt may take does not bound how long a person may
// take to sign in.
func (c *Client) authorized(req *http.Request, attempt func() (*http.Response, error)) (*http.Response, error) {
	resp, err := attempt()
	if c.opts.Credentials == nil {
		return resp, err
	}
	for seen := 0; err != nil; {
		var e *Error
		if !errors.As(err, &e) || e.challenge == nil {
			break
		}
		if e.Status == seen {
			c.opts.Credentials.Refused(e.challenge.used)
			break
		}
		seen = e.Status
		if failed := c.opts.Credentials.Challenged(req.Context(), e.challenge.used, req, e.challenge.resp); failed != nil {
			if req.Context().Err() != nil {
				return nil, req.Context().Err()
			}
			e.Reason += ": " + failed.Error()
			e.Err = failed
			break
		}
		resp, err = attempt()
	}
	return resp, err
}

// authorize puts the token on a request.
func (c *Client) authorize(req *http.Request) error {
	if c.opts.Credentials == nil {
		return nil
	}
	value, err := c.opts.Credentials.Header(req.Context())
	if err != nil {
		if req.Context().Err() != nil {
			return req.Context().Err()
		}
		return &Error{Reason: "no token: " + err.Error(), Err: err, Refused: true}
	}
	if value != "" {
		req.Header.Set("Authorization", value)
	}
	return nil
}

// mask makes a text of the server fit to be shown.
func (c *Client) mask(text string) string {
	if c.opts.Credentials == nil {
		return text
	}
	return c.opts.Credentials.Mask(text)
}
