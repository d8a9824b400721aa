// Streams that outlive their connections: what servers send without being
// asked.
//
// A moment without the server, an idle connection that a proxy closes, or a server
// that holds the request without a word must not end the session, or its start. So
// the connections come and go here, and nobody else hears of it.

package httpx

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

// The pauses between connections.
const (
	firstPause = time.Second      // after a connection that brought something
	lastPause  = 30 * time.Second // the longest; they double on the way there
)

// standing is a stream that outlives its connections.
type standing struct {
	link    *Streamable
	request *outgoing // to send again and again
	lastID  string
	retry   time.Duration // that the server asked for; 0 if it did not
	stood   bool          // there has been a connection: from then on a 404 is the session's

	answered func() // called when the first request is answered; may be nil
}

// stand opens a standing stream, in the background. The channel is closed when the server has
// answered, or the session has ended.
func (l *Streamable) stand(o *outgoing) (answered <-chan struct{}) {
	o.unsigned = true // no sign-in is begun for a stream that no call waits for
	ctx, done := context.WithCancel(l.life)
	s := &standing{link: l, request: o, answered: done}
	go s.run(l.life)
	return ctx.Done()
}

// listen opens a standing stream that answers a request, until that is not wanted any
// more. A server that has no such stream has refused the request.
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

// errNoStream is a server that does not offer the stream.
var errNoStream = errors.New("the server has no such stream")

// run keeps a connection until the session ends. A server that has no such
// stream is not asked again: the stream just stays silent.
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
		if sleep(ctx, ctx, s.pause(pause, err)) != nil {
			return
		}
		pause = min(2*pause, lastPause)
	}
}

// pause is how long to wait: what the server asked for if it is longer, and a
// little more or less, so that not all clients of a server come back at once.
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
		in.deliver(ev)
		brought = brought || ev.hasData
	}
}

// open sends the request. The error is errNoStream if it is of no use to send
// it again.
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

// passing reports whether another try makes sense. A token that is refused may
// be another one by then.
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

// note keeps what an event says about the stream itself.
func (s *standing) note(ev *event) {
	if ev.id != "" {
		s.lastID = ev.id
	}
	if asked := ev.pause(); asked > 0 {
		s.retry = asked
	}
}
