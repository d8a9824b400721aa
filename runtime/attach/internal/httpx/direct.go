// Requests of ours without the SDK: what it does for a call, beside the JSON that
// is never used, is a few headers. What a server sends in the answer's stream and
// is no part of it still reaches the SDK's session, by its standing stream.

package httpx

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
)

// Route is what the requests of a session have in common.
type Route struct {
	Session  string // id; "" if the server gave none
	Protocol string // revision that was negotiated
	Standard bool   // since 2026-07-28: method and name go into headers, and closing the stream cancels
}

const (
	methodHeader  = "Mcp-Method"
	nameHeader    = "Mcp-Name"
	versionHeader = "Mcp-Protocol-Version"

	resumePause = time.Second // before a broken stream is taken up again, if the server names no time
)

// Plain reports whether a name can stand in a header as it is: others have an
// encoding of their own.
func Plain(name string) bool {
	for i := range len(name) {
		if c := name[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return name != "" && name[0] != ' ' && name[len(name)-1] != ' ' && name[0] != '='
}

// Do carries out an exchange by itself; ctx is of [With]. The outcome is in x.
// The error is that of ctx if it ended first; the server is told then.
func (c *Client) Do(ctx context.Context, x *Exchange, r Route, name string) error {
	x.begin(c.ids.Append(nil, c.lastID.Add(1)))
	err := c.do(ctx, x, r, name)
	if ctx.Err() == nil || x.settled() {
		if err != nil {
			_ = x.fail(plainError(err))
		}
		return nil
	}
	if _, sent, _ := x.Outcome(); sent && !r.Standard {
		go c.cancelled(r, x.id, ctx.Err().Error())
	}
	return ctx.Err()
}

// plainError returns what is below the words of http.Client, which repeat the
// address.
func plainError(err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return err
}

func (c *Client) do(ctx context.Context, x *Exchange, r Route, name string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.opts.URL, nil)
	if err != nil {
		return err
	}
	setBody(req, x.Method, x.id, x.Params)
	r.mark(req)
	req.Header["Content-Type"] = []string{mediaJSON}
	req.Header["Accept"] = []string{mediaJSON + ", " + mediaStream}
	if r.Standard {
		req.Header[methodHeader], req.Header[nameHeader] = []string{x.Method}, []string{name}
	}
	resp, err := c.direct.Do(req)
	if err != nil {
		return err
	}
	if mediaOf(resp) == mediaStream {
		return c.follow(ctx, resp.Body, x, r)
	}
	defer resp.Body.Close()
	if mediaOf(resp) != mediaJSON {
		return c.noMessage(resp)
	}
	body, err := c.readBody(resp, ctx)
	if err != nil {
		return err
	}
	return x.takeFrom(body)
}

// mark puts the session's headers on a request.
func (r *Route) mark(req *http.Request) {
	req.Header[versionHeader] = []string{r.Protocol}
	if r.Session != "" {
		req.Header[sessionHeader] = []string{r.Session}
	}
}

// straight is the way of direct requests: that of others without what it takes to
// find out what they are.
type straight struct{ c *Client }

// RoundTrip implements [http.RoundTripper].
func (s straight) RoundTrip(req *http.Request) (*http.Response, error) {
	if originOf(req.URL) != s.c.origin {
		return nil, s.c.foreign(req)
	}
	x := exchangeOf(req.Context())
	if x == nil {
		return nil, errors.New("a direct request without an exchange")
	}
	return s.c.authorized(req, func() (*http.Response, error) { return s.c.attempt(req, x) })
}

// attempt sends a direct request. The body of the answer is that of a stream, or
// has yet to be read.
func (c *Client) attempt(req *http.Request, x *Exchange) (*http.Response, error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(req.Context()))
	link := context.AfterFunc(req.Context(), cancel)
	out := req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { x.markSent() },
	}))
	body, err := req.GetBody()
	if err != nil {
		cancel()
		return nil, err
	}
	out.Body = body
	resp, err := c.send(out, req.Context())
	if err != nil {
		cancel()
		return nil, err
	}
	switch {
	case redirects(resp):
	case resp.StatusCode < 200 || resp.StatusCode >= 300:
		defer cancel()
		return nil, c.statusError(resp, req)
	case mediaOf(resp) == mediaStream:
		resp.Body = newStream(resp.Body, &streamOptions{client: c, ctx: ctx, exchange: x, release: func() { link() }, cancel: cancel})
		return resp, nil
	}
	resp.Body = &closing{ReadCloser: resp.Body, after: cancel}
	return resp, nil
}

// follow reads streams until the answer is in one of them: a stream that breaks
// is taken up again after its last event.
func (c *Client) follow(ctx context.Context, body io.ReadCloser, x *Exchange, r Route) error {
	for {
		pause, err := c.readStream(body, x)
		if x.settled() || ctx.Err() != nil {
			return err
		}
		var e *Error
		if errors.As(err, &e) {
			return e
		}
		last := x.lastEvent()
		if last == "" {
			return &Error{Reason: "the server ended its answer before the result", Err: runtime.ErrUnavailable}
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
		if body, err = c.resume(ctx, x, r, last); err != nil {
			return err
		}
	}
}

// readStream reads one stream, to the answer or its end. Pause is how long to
// wait before it is taken up again.
func (c *Client) readStream(body io.ReadCloser, x *Exchange) (pause time.Duration, err error) {
	pause = resumePause
	s, ok := body.(*stream)
	if !ok {
		_ = body.Close()
		return pause, errors.New("no stream")
	}
	s.direct = true
	for {
		ev, err := s.next()
		if err != nil {
			_ = s.Close()
			return pause, err
		}
		if ms, err := strconv.ParseInt(ev.retry, 10, 64); err == nil {
			pause = min(max(time.Duration(ms)*time.Millisecond, minRetry), lastPause)
		}
		ev.id, ev.retry = c.noteEvent(x, ev.id), ""
		if s.reclaim() {
			c.forward(&s.out)
		}
		err = s.sort(ev)
		if s.settled {
			go s.rest()
			return 0, err
		}
		if err != nil {
			_ = s.Close()
			return pause, err
		}
		c.forward(&s.out)
	}
}

// noteEvent keeps the id of an event, for a resumption. The SDK gets to see the
// event without it.
func (c *Client) noteEvent(x *Exchange, id string) string {
	if id != "" {
		x.sawEvent(id)
	}
	return ""
}

// rest reads the little that may follow an answer, so that the connection can be
// used again.
func (s *stream) rest() {
	for s.err == nil {
		s.drain()
	}
	_ = s.Close()
}

// resume opens the stream of an answer again.
func (c *Client) resume(ctx context.Context, x *Exchange, r Route, last string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.opts.URL, nil)
	if err != nil {
		return nil, err
	}
	r.mark(req)
	req.Header.Set("Accept", mediaStream)
	req.Header.Set(eventHeader, last)
	resp, err := c.authorized(req, func() (*http.Response, error) { return c.stream(req, x) })
	if err != nil {
		return nil, err
	}
	if redirects(resp) {
		_ = resp.Body.Close()
		return nil, &Error{Reason: "the server redirects the rest of its answer, which is not followed"}
	}
	return resp.Body, nil
}

// cancelled tells the server that nobody waits for an answer any more.
func (c *Client) cancelled(r Route, id json.RawMessage, reason string) {
	ctx, cancel := context.WithTimeout(c.life, messageTimeout)
	defer cancel()
	params, err := json.Marshal(map[string]any{"requestId": id, "reason": reason})
	if err != nil {
		return // ids and texts always can be written
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.opts.URL, nil)
	if err != nil {
		return
	}
	setBytes(req, fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":%s}`, params))
	r.mark(req)
	req.Header.Set("Content-Type", mediaJSON)
	req.Header.Set("Accept", mediaJSON+", "+mediaStream)
	if resp, err := c.send(req, nil); err == nil {
		_ = emptied(resp)
	}
}
