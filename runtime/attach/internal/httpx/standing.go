// Streams that outlive their connections: what servers send without being
// asked.
//
// The SDK reads such a stream as if it were one answer. A moment without the
// server, an idle connection that a proxy closes, or a server that holds the
// request without a word would end its session, or its start; and the stream of
// a subscription it never opens again. So it gets one stream that begins at once
// and ends with the session, and the connections behind it come and go here.

package httpx

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
)

// The pauses between connections.
const (
	firstPause = time.Second      // after a connection that brought something
	lastPause  = 30 * time.Second // the longest; they double on the way there
)

// standingBuffer is what a standing stream is read and handed on with: it is held
// as long as the session lives, and mostly idle.
const standingBuffer = 1 << 10

const eventHeader = "Last-Event-ID"

// standing is a stream that outlives its connections.
type standing struct {
	client  *Client
	request *http.Request // to send again and again
	head    *message      // the subscription that is answered; nil for the stream of GET
	out     *io.PipeWriter
	lastID  string
	retry   time.Duration // that the server asked for; 0 is no wish
	stood   bool          // there has been a connection: from then on a 404 is the session's
	told    bool          // the SDK knows that its subscription stands
}

// stand answers a request of the SDK with a standing stream.
func (c *Client) stand(req *http.Request, head *message) *http.Response {
	ctx, cancel := context.WithCancel(req.Context())
	stop := context.AfterFunc(c.life, cancel)
	r, w := io.Pipe()
	s := &standing{client: c, request: req.Clone(ctx), head: head, out: w}
	c.unasked.Store(s)
	go func() {
		defer stop()
		w.CloseWithError(s.run(ctx)) //nolint:errcheck // it returns nil, says its documentation
		c.inbox.ended(s)
	}()
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {mediaStream}}, ContentLength: -1, Request: req,
		Body: &closing{ReadCloser: r, after: cancel},
	}
}

// forward hands events that are no part of an answer to the SDK's session. Where
// it has no stream for them, nobody waits for them either.
func (c *Client) forward(events *bytes.Buffer) {
	if events.Len() == 0 {
		return
	}
	if s := c.unasked.Load(); s != nil {
		if _, err := s.out.Write(events.Bytes()); err != nil { // the session ends
			c.inbox.ended(s)
		}
	}
	events.Reset()
}

// errNoStream is a server that does not offer the stream.
var errNoStream = errors.New("the server has no such stream")

// run keeps a connection until the session ends. A server that has no such
// stream is not asked again: the stream just stays silent.
func (s *standing) run(ctx context.Context) error {
	pause := s.client.firstPause
	for {
		brought, err := s.connection(ctx)
		if errors.Is(err, errNoStream) || errors.Is(err, io.ErrClosedPipe) {
			<-ctx.Done()
		}
		if ctx.Err() != nil {
			return io.EOF
		}
		if brought {
			pause = s.client.firstPause
		}
		if err := sleep(ctx, s.pause(pause, err)); err != nil {
			return io.EOF
		}
		pause = min(2*pause, lastPause)
	}
}

// pause is how long to wait: what the server asked for if it is longer, and a
// little more or less, so that not all clients of a server come back at once.
func (s *standing) pause(d time.Duration, err error) time.Duration {
	var e *Error
	if errors.As(err, &e) {
		d = max(d, e.retryAfter)
	}
	d = min(max(d, s.retry), 10*lastPause)
	return d*4/5 + rand.N(d*2/5+1)
}

// connection opens the stream once and reads it to its end.
func (s *standing) connection(ctx context.Context) (brought bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	resp, err := s.open(ctx)
	if err != nil {
		return false, err
	}
	in := newStream(resp.Body, &streamOptions{client: s.client, ctx: ctx, standing: s, cancel: cancel})
	defer in.Close()
	n, err := io.CopyBuffer(s.out, in, make([]byte, standingBuffer))
	return n > 0, err
}

// open sends the request. The error is errNoStream if it is of no use to send
// it again.
func (s *standing) open(ctx context.Context) (*http.Response, error) {
	req := s.request.Clone(ctx)
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		req.Body = body
	}
	if s.lastID != "" && s.head == nil {
		req.Header.Set(eventHeader, s.lastID)
	}
	resp, err := s.client.send(req, ctx)
	if err != nil {
		return nil, err
	}
	code := resp.StatusCode
	switch {
	case code >= 200 && code < 300 && mediaOf(resp) == mediaStream:
		s.stood = true
		return resp, nil
	case s.passing(code), s.stood && (code == http.StatusNotFound || code == http.StatusBadRequest):
		return nil, s.client.statusError(resp, req)
	}
	_, _ = io.CopyN(io.Discard, resp.Body, maxDrain)
	_ = resp.Body.Close()
	return nil, errNoStream
}

// passing reports whether another try makes sense. A token that is refused may
// be another one by then; nobody is asked to sign in for the sake of a stream
// that nobody waits for.
func (s *standing) passing(code int) bool {
	switch code {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	case http.StatusUnauthorized:
		return s.client.opts.Credentials != nil
	case http.StatusNotImplemented:
		return false
	}
	return code >= 500
}

// sort notes what an event says about the stream itself.
func (s *standing) sort(ev *event) {
	if ev.id != "" {
		s.lastID = ev.id
	}
	if ms, err := strconv.ParseInt(ev.retry, 10, 64); err == nil && ms >= 0 {
		s.retry = max(time.Duration(min(ms, lastPause.Milliseconds()))*time.Millisecond, minRetry)
	}
}

// hands reports whether the SDK gets to see a message. The end of a subscription
// is not for it, since another one follows; nor is a second acknowledgement.
func (s *standing) hands(m *message) bool {
	if m.isAnswer() {
		return false
	}
	if s.head != nil && m.method() == "notifications/subscriptions/acknowledged" {
		first := !s.told
		s.told = true
		return first
	}
	return true
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// lose notes that the server no longer knows the session.
func (c *Client) lose(e *Error) {
	e.Refused = true
	e.Err = runtime.ErrUnavailable
	e.Reason += ": the server no longer knows this session: attach again"
	if c.lost.CompareAndSwap(nil, e) {
		close(c.gone)
	}
}

// Refuse notes that nothing listens at the address any more: whoever comes back
// there does not know the session.
func (c *Client) Refuse(e *Error) {
	if c.lost.CompareAndSwap(nil, e) {
		close(c.gone)
	}
}

// Gone is closed when [Client.Lost] has something to say: also while no call is
// under way, if the server tells on a standing stream.
func (c *Client) Gone() <-chan struct{} { return c.gone }
