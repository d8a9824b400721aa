// One HTTP request: its headers, its token and its response.

package httpx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

const (
	mediaJSON   = "application/json"
	mediaStream = "text/event-stream"
)

// outgoing is one HTTP request.
type outgoing struct {
	method   string
	url      string      // "" is the configured one
	header   http.Header // of the protocol
	body     []byte
	timeout  time.Duration // of each attempt, with its answer; 0 means none
	unsigned bool          // do not begin a sign-in for it
	last     bool          // may still be in progress after Close
}

// reply is an answer whose status is a success.
type reply struct {
	*http.Response
	ctx    context.Context    // of the request
	cancel context.CancelFunc // ends it
	unlink func() bool        // detaches the request from the caller's context
}

// end closes the body and ends the request.
func (r *reply) end() {
	r.unlink()
	_ = r.Body.Close()
	r.cancel()
}

// media returns the type of the body.
func (r *reply) media() string {
	switch h := r.Header.Get("Content-Type"); h {
	case mediaJSON, mediaStream:
		return h
	}
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return media
}

// do sends a request, and again after each kind of answer that requests other
// credentials, if they can be obtained: the timeout of an attempt does not bound the
// time of a sign-in. Sent reports whether the server may have acted on the request.
// The error is that of ctx if it ended, or else an [*Error].
func (c *client) do(ctx context.Context, o *outgoing) (_ *reply, sent bool, err error) {
	for seen := 0; ; {
		var written atomic.Bool
		req, r, err := c.prepare(ctx, o, &written)
		if err != nil {
			return nil, false, err
		}
		r.Response, err = c.http.Do(req)
		if err == nil && r.StatusCode >= 200 && r.StatusCode < 300 {
			return r, true, nil
		}
		e := c.failure(req, r.Response, err)
		r.unlink()
		r.cancel()
		if e.challenge != nil && c.opts.Credentials != nil && !o.unsigned && c.renew(ctx, e, &seen) {
			continue
		}
		sent = written.Load() && !e.Refused
		if ctx.Err() != nil {
			return nil, sent, ctx.Err()
		}
		if e.forgotten && !o.unsigned { // a request without a caller may be refused for other reasons
			c.lose(e)
		}
		return nil, sent, e
	}
}

// prepare makes the request of one attempt, and the reply for its response.
func (c *client) prepare(ctx context.Context, o *outgoing, written *atomic.Bool) (*http.Request, *reply, error) {
	url := o.url
	if url == "" {
		url = c.opts.URL
	}
	life, r := c.life, &reply{}
	if o.last {
		life = c.last
	}
	if o.timeout > 0 {
		r.ctx, r.cancel = context.WithTimeout(life, o.timeout)
	} else {
		r.ctx, r.cancel = context.WithCancel(life)
	}
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { written.Store(true) }}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(r.ctx, trace), o.method, url, bytes.NewReader(o.body))
	if err == nil {
		err = c.complete(ctx, o, req)
	}
	if err != nil {
		r.cancel()
		return nil, nil, err
	}
	r.unlink = context.AfterFunc(ctx, r.cancel)
	return req, r, nil
}

// complete sets the headers of a request, and refuses one to another origin.
func (c *client) complete(ctx context.Context, o *outgoing, req *http.Request) error {
	if o.url != "" && originOf(req.URL) != c.origin {
		return &Error{Reason: fmt.Sprintf("a request to the foreign origin %q was not sent", originOf(req.URL).String()), Refused: true}
	}
	req.Header = make(http.Header, len(c.header)+len(o.header)+1)
	maps.Copy(req.Header, c.header)
	maps.Copy(req.Header, o.header)
	return c.authorize(ctx, req)
}

// failure returns the error of a response, or of a missing one.
func (c *client) failure(req *http.Request, resp *http.Response, err error) *Error {
	if err == nil {
		return c.statusError(resp, req)
	}
	if e, ok := errors.AsType[*Error](err); ok { // a redirect
		return e
	}
	return c.networkError(err)
}

// sendOneWay sends a message that has no answer, or whose answer arrives elsewhere.
func (c *client) sendOneWay(ctx context.Context, o *outgoing) (sent bool, err error) {
	r, sent, err := c.do(ctx, o)
	if err != nil {
		return sent, err
	}
	_, _ = io.CopyN(io.Discard, r.Body, 4<<10) // lets the connection be reused
	r.end()
	return true, nil
}

// readBody reads a whole body within the limit of a message. A large body waits until
// there is room.
func (c *client) readBody(ctx context.Context, r *reply) ([]byte, error) {
	var room budget.Room
	defer room.Close()
	all := new(bytes.Buffer)
	all.Grow(int(min(max(r.ContentLength, 0), budget.Free)) + bytes.MinRead)
	_, err := all.ReadFrom(io.LimitReader(r.Body, min(budget.Free, c.opts.MaxMessage+1)))
	if err == nil && all.Len() == budget.Free {
		if err := c.reserve(ctx, &room, r.cancel); err != nil {
			return nil, err
		}
		_, err = all.ReadFrom(io.LimitReader(r.Body, c.opts.MaxMessage+1-budget.Free))
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, c.networkError(err)
	case int64(all.Len()) > c.opts.MaxMessage:
		return nil, c.tooLarge()
	}
	return all.Bytes(), nil
}

// reserve waits for the room of one large message. It takes twice the limit, since a
// growing buffer needs the old and the new one. Slow ends a message that does not
// arrive.
func (c *client) reserve(ctx context.Context, room *budget.Room, slow func()) error {
	if err := room.Reserve(ctx, c.opts.Memory, 2*c.opts.MaxMessage, slow); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &Error{Reason: err.Error()}
	}
	return nil
}

// tooLarge counts a message that is too large, and returns its error.
func (c *client) tooLarge() *Error {
	e := &Error{Reason: fmt.Sprintf("a message of the server is larger than the limit of %d bytes", c.opts.MaxMessage), Steps: []string{"raise limits.message"}}
	c.conn.Dropped(wire.Drops{Oversized: 1}, e)
	return e
}

// noMessage returns the error of a response that is not a message.
func (c *client) noMessage(r *reply) *Error {
	body, _ := io.ReadAll(io.LimitReader(r.Body, 64<<10))
	said := quoteBody(r.Header.Get("Content-Type"), body)
	if said == "" {
		said = " without a body"
	}
	return &Error{Reason: fmt.Sprintf("the server sent no MCP message, but HTTP %s%s", statusText(r.StatusCode), said), Steps: []string{"check the path of the url"}}
}
