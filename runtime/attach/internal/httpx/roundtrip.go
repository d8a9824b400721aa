// The round-tripper: what happens to each request and answer.

package httpx

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

const (
	sessionHeader = "Mcp-Session-Id"
	mediaJSON     = "application/json"
	mediaStream   = "text/event-stream"
)

// RoundTrip implements [http.RoundTripper].
func (c *Client) RoundTrip(req *http.Request) (*http.Response, error) {
	if originOf(req.URL) != c.origin {
		return nil, c.foreign(req)
	}
	switch req.Method {
	case http.MethodGet:
		return c.get(req)
	case http.MethodPost:
		return c.post(req)
	}
	ctx, cancel := context.WithTimeout(req.Context(), deleteTimeout)
	defer cancel()
	resp, err := c.send(req.Clone(ctx), nil)
	if err != nil {
		return nil, err
	}
	return emptied(resp), nil
}

// post sends one message.
func (c *Client) post(req *http.Request) (*http.Response, error) {
	head, err := readHead(req)
	if err != nil {
		return nil, err
	}
	x := exchangeOf(req.Context())
	switch {
	case head.name == nil && c.inbox.answered(head.ID):
		return swallowed(req), nil
	case x != nil && len(head.ID) > 0 && head.method() == x.Method:
		resp, err := c.authorized(req, func() (*http.Response, error) { return c.exchange(req, head, x) })
		if err != nil {
			return nil, x.fail(err)
		}
		return resp, nil
	case head.method() == "notifications/cancelled":
		return c.tell(req, timeoutOrNone(messageTimeout)) // nobody waits for it, let alone signs in
	case head.name == nil || len(head.ID) == 0:
		return c.authorized(req, func() (*http.Response, error) { return c.tell(req, timeoutOrNone(messageTimeout)) })
	case c.opts.SSE:
		return c.authorized(req, func() (*http.Response, error) { return c.tell(req, 0) })
	case head.method() == "subscriptions/listen":
		return c.stand(req, head), nil
	}
	return c.authorized(req, func() (*http.Response, error) { return c.handshake(req, head) })
}

// readHead reads id and method of the message that the SDK sends.
func readHead(req *http.Request) (*message, error) {
	if req.GetBody == nil {
		return nil, &Error{Reason: "the request has no body that can be read twice"}
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, err
	}
	defer body.Close()
	data := make([]byte, max(req.ContentLength, 0))
	if _, err := io.ReadFull(body, data); err != nil {
		return nil, err
	}
	var head struct {
		ID     json.RawMessage `json:"id"`
		Method *string         `json:"method"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	return &message{Envelope: wire.Envelope{ID: head.ID}, name: head.Method}, nil
}

// exchange sends our own parameters in the SDK's envelope.
func (c *Client) exchange(req *http.Request, head *message, x *Exchange) (*http.Response, error) {
	x.begin(head.ID)
	ctx, cancel := context.WithCancel(context.WithoutCancel(req.Context()))
	link := context.AfterFunc(req.Context(), cancel)
	out := req.Clone(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { x.markSent() },
	}))
	setBody(out, x.Method, head.ID, x.Params)
	resp, err := c.send(out, req.Context())
	if err != nil {
		cancel()
		return nil, err
	}
	if redirects(resp) {
		resp.Body = &closing{ReadCloser: resp.Body, after: cancel}
		return resp, nil
	}
	if resp.StatusCode < 200 || resp.StatusCode >= 300 {
		defer cancel()
		return nil, c.statusError(resp, req)
	}
	switch mediaOf(resp) {
	case mediaJSON:
		defer cancel()
		defer link()
		body, err := c.readBody(resp, req.Context())
		if err != nil {
			return nil, err
		}
		if err := x.takeFrom(body); err != nil {
			return nil, err
		}
		return withBody(resp, x.shell()), nil
	case mediaStream:
		resp.Body = newStream(resp.Body, &streamOptions{
			client: c, ctx: ctx, exchange: x, release: func() { link() }, cancel: cancel,
		})
		return resp, nil
	}
	defer cancel()
	return nil, c.noMessage(resp)
}

// takeFrom settles the exchange with the answer in a body.
func (x *Exchange) takeFrom(body []byte) error {
	all, err := parse(body)
	if err != nil {
		return &Error{Reason: fmt.Sprintf("the answer is not JSON: %s", quote.Line(err.Error(), 200)), Err: runtime.ErrUnavailable}
	}
	for i := range all {
		if all[i].answers(x.id, len(all) == 1) {
			x.settle(&all[i])
			return nil
		}
	}
	return &Error{Reason: fmt.Sprintf("the server answered, but not to this request: %q: this has to be mended in the server", quote.Line(string(body), 200))}
}

// handshake sends a request of the SDK's own and hands out its result.
func (c *Client) handshake(req *http.Request, head *message) (*http.Response, error) {
	c.broken.Store(nil)
	ctx, cancel := context.WithCancel(req.Context())
	if head.method() == "server/discover" {
		cancel()
		ctx, cancel = context.WithTimeout(req.Context(), probeTimeout)
	}
	resp, err := c.send(req.Clone(ctx), req.Context())
	if err != nil {
		cancel()
		return nil, err
	}
	if redirects(resp) {
		resp.Body = &closing{ReadCloser: resp.Body, after: cancel}
		return resp, nil
	}
	if resp.StatusCode < 200 || resp.StatusCode >= 300 {
		defer cancel()
		e := c.statusError(resp, req)
		if data := head.otherVersion(e.RPC); data != nil {
			return withBody(ok(req), data), nil
		}
		return nil, e
	}
	switch mediaOf(resp) {
	case mediaJSON:
		defer cancel()
		body, err := c.readBody(resp, req.Context())
		if err != nil {
			return nil, err
		}
		data, err := c.takeHandshake(head, body)
		if err != nil {
			return nil, err
		}
		return withBody(resp, data), nil
	case mediaStream:
		resp.Body = newStream(resp.Body, &streamOptions{client: c, ctx: ctx, head: head, cancel: cancel})
		return resp, nil
	}
	defer cancel()
	return nil, c.noMessage(resp)
}

// takeHandshake finds the answer in a body and returns it as the SDK reads it.
func (c *Client) takeHandshake(head *message, body []byte) ([]byte, error) {
	all, err := parse(body)
	if err != nil {
		return nil, &Error{Reason: fmt.Sprintf("the answer to %s is not JSON: %s", head.method(), quote.Line(string(body), 200))}
	}
	for i := range all {
		if m := &all[i]; m.answers(head.ID, len(all) == 1) {
			return c.handshakeAnswer(head, m)
		}
	}
	return nil, &Error{Reason: fmt.Sprintf("the server answered, but not to %s: %q", head.method(), quote.Line(string(body), 200))}
}

func (c *Client) handshakeAnswer(head, m *message) ([]byte, error) {
	if m.Twice {
		return nil, errTwice()
	}
	if len(m.Error) > 0 && string(m.Error) != "null" {
		e := parseRPCError(m.Error)
		if e == nil {
			e = &runtime.RPCError{Message: "the server answered with an error that says nothing"}
		}
		if data := head.otherVersion(e); data != nil {
			return data, nil
		}
		return nil, &Error{Reason: spoken(e), RPC: e, Status: http.StatusOK}
	}
	data := answer(head.ID, m.Result)
	if len(m.Result) == 0 || !decodable(data) {
		return nil, &Error{Reason: fmt.Sprintf("the answer to %s holds no usable result", head.method())}
	}
	if c.opts.OnHandshake != nil {
		c.opts.OnHandshake(head.method(), m.Result)
	}
	return data, nil
}

// get opens a stream.
func (c *Client) get(req *http.Request) (*http.Response, error) {
	x := exchangeOf(req.Context())
	if x == nil && !c.opts.SSE && req.Header.Get(eventHeader) == "" {
		return c.stand(req, nil), nil
	}
	return c.authorized(req, func() (*http.Response, error) { return c.stream(req, x) })
}

// stream opens the stream of the SSE transport, or the broken stream of an
// answer again.
func (c *Client) stream(req *http.Request, x *Exchange) (*http.Response, error) {
	if x != nil && !x.resume() {
		return nil, x.kill(&Error{Reason: "the stream broke again and again before the answer came"})
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(req.Context()))
	link := context.AfterFunc(req.Context(), cancel)
	resp, err := c.send(req.Clone(ctx), req.Context())
	if err != nil {
		cancel()
		return nil, err
	}
	if redirects(resp) {
		resp.Body = &closing{ReadCloser: resp.Body, after: cancel}
		return resp, nil
	}
	if resp.StatusCode < 200 || resp.StatusCode >= 300 || mediaOf(resp) != mediaStream {
		defer cancel()
		if resp.StatusCode >= 200 && resp.StatusCode < 300 {
			err = c.noMessage(resp)
		} else {
			err = c.statusError(resp, req)
		}
		if x != nil {
			return nil, x.kill(err)
		}
		return nil, err
	}
	resp.Body = newStream(resp.Body, &streamOptions{
		client: c, ctx: ctx, exchange: x, release: func() { link() }, cancel: cancel,
	})
	return resp, nil
}

// tell posts a message whose answer, if there is one, does not come in the body.
func (c *Client) tell(req *http.Request, timeout timeoutOrNone) (*http.Response, error) {
	ctx, cancel := timeout.apply(req.Context())
	defer cancel()
	defer context.AfterFunc(c.life, cancel)()
	resp, err := c.send(req.Clone(ctx), req.Context())
	if err != nil {
		return nil, err
	}
	if redirects(resp) {
		return emptied(resp), nil
	}
	if resp.StatusCode < 200 || resp.StatusCode >= 300 {
		return nil, c.statusError(resp, req)
	}
	return emptied(resp), nil
}

// send puts the configured headers on a request and sends it, to the configured
// origin only. Caller is the context of whoever waits; nil if nobody does.
func (c *Client) send(req *http.Request, caller context.Context) (*http.Response, error) {
	if originOf(req.URL) != c.origin {
		return nil, c.foreign(req)
	}
	if c.opts.UserAgent != "" {
		req.Header.Set("User-Agent", c.opts.UserAgent)
	}
	for _, h := range c.opts.Headers {
		if !protocolHeader(h.Name) {
			req.Header.Set(h.Name, h.Value)
		}
	}
	if err := c.authorize(req); err != nil {
		return nil, err
	}
	resp, err := c.base.RoundTrip(req)
	if err != nil {
		if caller != nil && caller.Err() != nil {
			return nil, caller.Err()
		}
		return nil, c.networkError(err)
	}
	return resp, nil
}

func (c *Client) foreign(req *http.Request) *Error {
	return &Error{Reason: fmt.Sprintf("a request to the foreign origin %q was not sent", originOf(req.URL).String())}
}

// protocolHeader reports whether a header belongs to the protocol: a configured
// one would break the session.
func protocolHeader(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Accept", "Content-Type", "Content-Length", "Mcp-Session-Id", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", "Last-Event-Id":
		return true
	}
	return false
}

// readBody reads a whole body within the bound of a message. For a large one it
// waits until there is room.
func (c *Client) readBody(resp *http.Response, caller context.Context) ([]byte, error) {
	defer resp.Body.Close()
	var room budget.Room
	defer room.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, min(budget.Free, c.opts.MaxMessage+1)))
	if err == nil && len(body) == budget.Free {
		if err := c.reserve(caller, &room, func() { _ = resp.Body.Close() }); err != nil {
			return nil, err
		}
		all := bytes.NewBuffer(body)
		_, err = all.ReadFrom(io.LimitReader(resp.Body, c.opts.MaxMessage+1-budget.Free))
		body = all.Bytes()
	}
	switch {
	case err != nil && caller.Err() != nil:
		return nil, caller.Err()
	case err != nil:
		return nil, c.networkError(err)
	case int64(len(body)) > c.opts.MaxMessage:
		return nil, c.tooLarge()
	}
	return body, nil
}

// reserve waits for the room of one large message: growing a buffer takes the old
// and the new one. Slow ends a message that does not arrive.
func (c *Client) reserve(ctx context.Context, room *budget.Room, slow func()) error {
	if err := room.Reserve(ctx, c.opts.Memory, 2*c.opts.MaxMessage, slow); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &Error{Reason: err.Error()}
	}
	return nil
}

// tooLarge counts a message that is too large, and returns the error that it is.
func (c *Client) tooLarge() *Error {
	e := &Error{Reason: fmt.Sprintf("a message of the server is larger than the limit of %d bytes: raise limits.message", c.opts.MaxMessage)}
	c.drop(wire.Drops{Oversized: 1}, e)
	return e
}

// noMessage says what came instead of a message.
func (c *Client) noMessage(resp *http.Response) *Error {
	defer resp.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	said := quoteBody(resp.Header.Get("Content-Type"), body)
	if said == "" {
		said = " without a message"
	}
	return &Error{Reason: fmt.Sprintf("the server answered HTTP %s%s, which is no MCP message: check the path of the url", statusText(resp.StatusCode), said)}
}

func setBody(req *http.Request, method string, id, params json.RawMessage) {
	name, _ := json.Marshal(method)
	b := make([]byte, 0, len(params)+len(id)+len(name)+50)
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	b = append(b, `,"method":`...)
	b = append(b, name...)
	b = append(b, `,"params":`...)
	b = append(b, params...)
	setBytes(req, append(b, '}'))
}

func setBytes(req *http.Request, b []byte) {
	req.ContentLength = int64(len(b))
	req.Body = io.NopCloser(bytes.NewReader(b))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }
}

// redirects reports whether the http.Client will look at where this leads.
func redirects(resp *http.Response) bool {
	switch resp.StatusCode {
	case 301, 302, 303, 307, 308:
		return resp.Header.Get("Location") != ""
	}
	return false
}

func mediaOf(resp *http.Response) string {
	switch h := resp.Header.Get("Content-Type"); h {
	case mediaJSON, mediaStream:
		return h
	}
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return media
}

// ok is an answer of ours in place of the server's.
func ok(req *http.Request) *http.Response {
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {mediaJSON}}, Request: req,
	}
}

func withBody(resp *http.Response, body []byte) *http.Response {
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.ContentLength = int64(len(body))
	return resp
}

// emptied reads the little that an acknowledgement may say, so that the
// connection can be used again.
func emptied(resp *http.Response) *http.Response {
	_, _ = io.CopyN(io.Discard, resp.Body, 4<<10)
	resp.Body.Close()
	resp.Body = http.NoBody
	return resp
}
