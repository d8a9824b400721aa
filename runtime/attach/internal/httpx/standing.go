// Streams that outlive their connections, for unrequested messages of a server.
//
// A short outage, an idle connection that a proxy closes, or a server that leaves the
// request unanswered must not end the session, or delay its start. So this file opens
// connections again by itself, without reporting it.

package httpx

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// The pauses between connections.
const (
	firstPause = time.Second      // after a connection that delivered something
	lastPause  = 30 * time.Second // the longest pause; pauses double up to it
)

// standing is a stream that outlives its connections.
type standing struct {
	link    *Streamable
	request *outgoing // sent for each connection
	lastID  string
	retry   time.Duration // that the server requested; 0 if it did not
	stood   bool          // there has been a connection: from now on a 404 is about the session

	answered func() // called when the first request is answered; may be nil
}

// stand opens a standing stream, in the background. The channel is closed when the
// server has answered, or when the session has ended.
func (l *Streamable) stand(o *outgoing) (answered <-chan struct{}) {
	o.unsigned = true // no call waits for the stream, so it begins no sign-in
	ctx, done := context.WithCancel(l.life)
	s := &standing{link: l, request: o, answered: done}
	go s.run(l.life)
	return ctx.Done()
}

// listen opens a standing stream that answers a request, until the request is
// cancelled. A server without such a stream has refused the request.
func (l *Streamable) listen(id uint64, o *outgoing) {
	ctx, cancel := context.WithCancel(l.life)
	l.listening.Store(id, cancel)
	o.unsigned = true
	s := &standing{link: l, request: o}
	go func() {
		if s.run(ctx); ctx.Err() == nil {
			l.conn.Refuse(id, errNoStream)
		}
		l.endListening(id)
	}()
}

func (l *Streamable) endListening(id uint64) {
	if cancel, ok := l.listening.LoadAndDelete(id); ok {
		cancel.(context.CancelFunc)()
	}
}

// errNoStream reports a server that does not offer the stream.
var errNoStream = errors.New("the server does not offer this stream")

// run keeps a connection until the session ends. A server without such a stream is
// not asked again: the stream just stays silent.
func (s *standing) run(ctx context.Context) {
	pause := s.link.firstPause
	for {
		brought, err := s.connection(ctx)
		if errors.Is(err, errNoStream) || ctx.Err() != nil {
			return
		}
		if brought {
			pause = s.link.firstPause
		}
		if wire.Pause(ctx, nil, s.pause(pause, err)) != nil {
			return
		}
		pause = min(2*pause, lastPause)
	}
}

// pause returns how long to wait: the longer of d and the server's request, varied at
// random so that not all clients of a server return at once.
func (s *standing) pause(d time.Duration, err error) time.Duration {
	if e, ok := errors.AsType[*Error](err); ok {
		d = max(d, e.retryAfter)
	}
	d = min(max(d, s.retry), 10*lastPause)
	return d*4/5 + rand.N(d*2/5+1)
}

// connection opens the stream once and reads it to its end.
func (s *standing) connection(ctx context.Context) (brought bool, err error) {
	resp, err := s.open(ctx)
	if s.answered != nil {
		s.answered()
	}
	if err != nil {
		return false, err
	}
	in := s.link.newStream(resp, standingBuffer)
	defer in.close()
	for {
		ev, err := in.next()
		if err != nil {
			return brought, err
		}
		s.note(ev)
		in.deliver(ev, 0)
		brought = brought || ev.hasData
	}
}

// open sends the request. The error is errNoStream if sending it again is useless.
func (s *standing) open(ctx context.Context) (*reply, error) {
	if s.lastID != "" && s.request.method == http.MethodGet {
		s.request.header[eventHeader] = []string{s.lastID}
	}
	resp, _, err := s.link.do(ctx, s.request)
	var e *Error
	switch {
	case err == nil && resp.media() == mediaStream:
		s.stood = true
		return resp, nil
	case err == nil:
		resp.end()
		return nil, errNoStream
	case errors.Is(err, errRedirect):
		return nil, errNoStream
	case !errors.As(err, &e), e.Status == 0, s.passing(e.Status):
		return nil, err
	case s.stood && e.forgotten:
		s.link.lose(e)
		return nil, err
	case s.stood && (e.Status == http.StatusNotFound || e.Status == http.StatusBadRequest):
		return nil, err
	}
	return nil, errNoStream
}

// passing reports whether another attempt may succeed. By then a refused token may
// have been replaced.
func (s *standing) passing(code int) bool {
	switch code {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	case http.StatusUnauthorized:
		return s.link.opts.Credentials != nil
	case http.StatusNotImplemented:
		return false
	}
	return code >= 500
}

// note keeps the ID and the pause of an event.
func (s *standing) note(ev *event) {
	if ev.id != "" {
		s.lastID = ev.id
	}
	if asked := ev.pause(); asked > 0 {
		s.retry = asked
	}
}
