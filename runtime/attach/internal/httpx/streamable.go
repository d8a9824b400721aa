// The link of streamable HTTP: each message is a POST, and the answer to a request is
// the body of its response, or arrives in a stream.

package httpx

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

const (
	// maxResumes is how often in a row a broken stream is resumed without a new
	// event.
	maxResumes = 3

	resumePause = time.Second            // before a stream is resumed, if the server names no time
	standTime   = 250 * time.Millisecond // after the handshake the first call or subscription waits so long for the standing stream
	farewell    = 300 * time.Millisecond // how long the server may take to receive the cancellations of Close
)

// Streamable implements [wire.Link].
type Streamable struct {
	*client
	joined     atomic.Pointer[membership]
	firstPause time.Duration // between the connections of a standing stream
	standing   atomic.Pointer[opening]
	listening  sync.Map // uint64 → context.CancelFunc: requests that a standing stream answers
}

// membership holds what all requests of a session share.
type membership struct {
	session  string // id; "" if the server gave none
	protocol string // revision that was negotiated; "" before that
}

// NewStreamable returns the link to one server. It fails if the URL cannot be parsed.
func NewStreamable(opts Options) (*Streamable, error) {
	c, err := newClient(opts)
	if err != nil {
		return nil, err
	}
	l := &Streamable{client: c, firstPause: firstPause}
	l.joined.Store(&membership{})
	return l, nil
}

// Use sets the negotiated revision for the requests that follow.
func (l *Streamable) Use(protocol string) {
	l.joined.Store(&membership{l.joined.Load().session, protocol})
}

// Call implements [wire.Link]. If the answer is not a stream, Call returns after it
// has been received.
func (l *Streamable) Call(ctx context.Context, r *wire.Request) (seq uint64, err error) {
	o := &outgoing{method: http.MethodPost, header: l.callHeaders(r), body: r.Append(make([]byte, 0, len(r.Params)+160))}
	switch r.Method {
	case methodListen:
		l.listen(r.ID, o)
		return 1, nil
	case protocol.MethodCallTool, protocol.MethodSubscribe:
		l.awaitStanding(ctx)
	case wire.MethodDiscover:
		o.timeout = probeTimeout
	}
	resp, sent, err := l.do(ctx, o)
	if err != nil {
		return seqOf(l.noteRefusal(sent, err)), err
	}
	l.noteSession(resp)
	switch resp.media() {
	case mediaJSON:
		defer resp.end()
		return 1, l.receiveBody(ctx, r, resp)
	case mediaStream:
		go func() {
			if err := l.follow(ctx, r.ID, resp); err != nil {
				l.conn.Refuse(r.ID, err)
			}
		}()
		return 1, nil
	}
	defer resp.end()
	return 1, l.noMessage(resp)
}

// noteRefusal records that the server of the session is gone: nothing listens at the address
// any more, or a server that does not speak the revision of the session. It returns whether
// the request may have been executed.
func (l *Streamable) noteRefusal(sent bool, err error) bool {
	e, ok := errors.AsType[*Error](err)
	revision := l.joined.Load().protocol
	switch {
	case !ok || revision == "":
	case e.isOfOther(revision):
		e.Reason += ": the server no longer speaks revision " + revision + " of the protocol"
		e.Err, e.Steps = runtime.ErrUnavailable, []string{"attach again"}
		sent = sent && e.RPC == nil // a text with the word "session" may be that of a tool
		l.lose(e)
	case !sent && errors.Is(err, syscall.ECONNREFUSED):
		l.lose(e)
	}
	return sent
}

// noteSession keeps the session ID of the handshake.
func (l *Streamable) noteSession(r *reply) {
	if m := l.joined.Load(); m.protocol == "" && m.session == "" {
		l.joined.Store(&membership{session: r.Header.Get(sessionHeader)})
	}
}

// receiveBody delivers the messages of a body, the answer among them.
func (l *Streamable) receiveBody(ctx context.Context, r *wire.Request, resp *reply) error {
	body, err := l.readBody(ctx, resp)
	if err != nil {
		return err
	}
	if l.conn.Receive(body, l.callOf(r.ID)); !l.conn.Awaits(r.ID) {
		return nil
	}
	if rpc := wire.ErrorIn(body); rpc != nil { // no other request is possible
		return rpc
	}
	if !json.Valid(body) {
		return &Error{Reason: fmt.Sprintf("the answer to %s is not JSON: %q", r.Method, safetext.Words(string(body), 200))}
	}
	return &Error{Reason: fmt.Sprintf("the server answered, but not to this request: %q", safetext.Words(string(body), 200)), Steps: []string{"fix the server, or report the bug to its author"}}
}

// follow reads streams until one has the answer to a request. A stream that breaks is
// resumed after its last event.
func (l *Streamable) follow(ctx context.Context, id uint64, resp *reply) error {
	last, again := "", 0
	for {
		before := last
		pause, err := l.readAnswer(ctx, id, resp, &last)
		if err == nil {
			return nil
		}
		if e, ok := errors.AsType[*Error](err); ok {
			return e
		}
		if last == "" {
			return brokenOff(nil)
		}
		if last != before {
			again = 0
		}
		if again++; again > maxResumes {
			return brokenOff(&Error{Reason: "the stream broke again and again"})
		}
		if err := wire.Pause(ctx, l.life.Done(), pause); err != nil {
			return err
		}
		if resp, err = l.resume(ctx, last); err != nil {
			if e, ok := errors.AsType[*Error](err); ok {
				return brokenOff(e)
			}
			return err
		}
	}
}

// brokenOff returns the error of an answer that ended before its result. Why says why it
// was not resumed; nil if its stream had no event with an ID.
func brokenOff(why *Error) *Error {
	e := &Error{
		Reason: "the server ended its answer before the result", Err: runtime.ErrUnavailable,
		Steps: []string{"before you repeat a call, check whether the server ran it", "read the server's log"},
	}
	if why == nil {
		return e
	}
	e.Reason += ", and cannot resume it: " + why.Reason
	switch why.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		e.Status, e.Err = why.Status, why.Err // as ErrAuth
		e.Steps = append(e.Steps[:1], why.Steps...)
	case http.StatusProxyAuthRequired:
		e.Steps = append(e.Steps[:1], why.Steps...)
	}
	return e
}

// readAnswer reads one stream. It succeeds when no caller waits for the answer any
// more, because the answer has arrived. Last becomes the ID of the last event; pause
// is how long to wait before the stream is resumed.
func (l *Streamable) readAnswer(ctx context.Context, id uint64, resp *reply, last *string) (pause time.Duration, err error) {
	s := l.newStream(resp, readBuffer)
	pause = resumePause
	for {
		ev, err := s.next()
		if err != nil {
			s.close()
			return pause, err
		}
		if ev.id != "" {
			*last = ev.id
		}
		if asked := ev.pause(); asked > 0 {
			pause = asked
		}
		s.unlink() // the caller leaves with the answer; the rest can still be read
		if s.deliver(ev, l.callOf(id)); !l.conn.Awaits(id) {
			s.rest()
			return 0, nil
		}
		s.unlink = context.AfterFunc(ctx, s.cancel)
	}
}

// resume opens the stream of an answer again.
func (l *Streamable) resume(ctx context.Context, last string) (*reply, error) {
	h := l.headers("")
	h["Accept"], h[eventHeader] = []string{mediaStream}, []string{last}
	resp, _, err := l.do(ctx, &outgoing{method: http.MethodGet, header: h})
	if err != nil {
		return nil, err
	}
	if resp.media() != mediaStream {
		defer resp.end()
		return nil, l.noMessage(resp)
	}
	return resp, nil
}

// Send implements [wire.Link]. The SDK gets only errors that prevent the handshake.
func (l *Streamable) Send(ctx context.Context, method string, message []byte) error {
	o := &outgoing{method: http.MethodPost, body: message, timeout: messageTimeout}
	switch {
	case method == wire.MethodCancelled && l.closesStreams():
		return nil
	case method == methodInitialized:
		return l.begin(ctx, o)
	}
	o.header, o.unsigned = l.postHeaders(method), method == wire.MethodCancelled
	_, _ = l.sendOneWay(ctx, o)
	return nil
}

// begin ends the handshake. From then on the server may send unrequested messages.
func (l *Streamable) begin(ctx context.Context, o *outgoing) error {
	l.Use(jsontext.Text(jsontext.Member(l.conn.Handshake(), "protocolVersion"))) // the SDK has parsed it, too
	o.header = l.postHeaders(methodInitialized)
	if _, err := l.sendOneWay(ctx, o); err != nil {
		return err
	}
	h := l.headers("")
	h["Accept"] = []string{mediaStream}
	l.standing.Store(&opening{l.stand(&outgoing{method: http.MethodGet, header: h}), time.Now().Add(standTime)})
	return nil
}

// opening is the standing stream of a session until the server has answered its
// request.
type opening struct {
	answered <-chan struct{}
	until    time.Time // how long calls wait for it
}

// awaitStanding waits until the server has answered the request for the standing
// stream. During a call, the server may send its own requests there, and after a
// subscription its notifications; some servers drop both if no client listens.
func (l *Streamable) awaitStanding(ctx context.Context) {
	o := l.standing.Load()
	if o == nil {
		return
	}
	select {
	case <-o.answered:
	case <-ctx.Done():
		return
	case <-time.After(time.Until(o.until)): // some servers answer only with the first event
	}
	l.standing.CompareAndSwap(o, nil)
}

// callOf returns the ID of the call that the messages beside its answer belong to, 0 if
// they may belong to another call, as before 2026-07-28.
func (l *Streamable) callOf(id uint64) uint64 {
	if l.closesStreams() {
		return id
	}
	return 0
}

// closesStreams reports whether the end of its stream cancels a request, without a
// notification.
func (l *Streamable) closesStreams() bool { return l.joined.Load().protocol >= standardSince }

// Cancel implements [wire.Link].
func (l *Streamable) Cancel(id, _ uint64, reason string) {
	l.endListening(id)
	if !l.closesStreams() {
		go l.sendCancelled(l.last, id, reason)
	}
}

func (l *Streamable) sendCancelled(ctx context.Context, id uint64, reason string) {
	_, _ = l.sendOneWay(ctx, &outgoing{
		method: http.MethodPost, header: l.postHeaders(wire.MethodCancelled), body: l.conn.AppendCancelled(nil, id, reason),
		timeout: messageTimeout, unsigned: true, last: true,
	})
}

// Close implements [wire.Link]. The server is notified in the background; see Wait.
func (l *Streamable) Close(flush bool, open []uint64) {
	l.end()
	go func() {
		defer l.leave()
		if flush {
			l.sayGoodbye(open)
		}
	}()
}

// sayGoodbye cancels the open requests on the server, and ends the session.
func (l *Streamable) sayGoodbye(open []uint64) {
	if !l.closesStreams() {
		ctx, cancel := context.WithTimeout(l.last, farewell)
		defer cancel()
		var sent sync.WaitGroup
		for _, id := range open {
			sent.Go(func() { l.sendCancelled(ctx, id, wire.ErrClosed.Error()) })
		}
		sent.Wait()
	}
	if l.joined.Load().session == "" || l.Lost() != nil {
		return
	}
	_, _ = l.sendOneWay(l.last, &outgoing{method: http.MethodDelete, header: l.headers(""), timeout: deleteTimeout, unsigned: true, last: true})
}
