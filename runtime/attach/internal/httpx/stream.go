// Event streams: read, bounded, sorted out, and written again for the SDK.

package httpx

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// minRetry is the shortest pause that a server may ask for before a stream is
// taken up again.
const minRetry = 200 * time.Millisecond

const (
	readBuffer = 4 << 10 // for the stream of an answer
	keptBuffer = 4 << 10 // room that a stream keeps between two messages
)

// event is one server-sent event.
type event struct {
	name, id, retry string
	data            []byte
	hasData         bool
}

// streamOptions say what a stream is read for.
type streamOptions struct {
	client   *Client
	ctx      context.Context // of the request below
	exchange *Exchange       // whose answer is in the stream; nil for other streams
	head     *message        // the SDK's own request that is answered; nil for other streams
	standing *standing       // the stream that goes on after this connection; nil for other streams
	direct   bool            // what is no part of the answer goes to the SDK's standing stream
	release  func()          // the answer is here: what happens to the caller no longer matters
	cancel   func()          // ends the request below
}

// stream is the body that the SDK reads.
type stream struct {
	*streamOptions
	body    io.ReadCloser
	in      *bufio.Reader
	out     bytes.Buffer
	kept    *event // that comes after what is in out
	err     error  // returned when out is empty
	settled bool   // the answer has been handed on: only the rest of the body is left
	drained int
	timer   *time.Timer
	room    budget.Room
}

func newStream(body io.ReadCloser, o *streamOptions) *stream {
	size := readBuffer
	if o.standing != nil {
		size = standingBuffer
	}
	return &stream{streamOptions: o, body: body, in: bufio.NewReaderSize(body, size)}
}

// Read gives out the events that the SDK may see.
func (s *stream) Read(p []byte) (int, error) {
	for s.out.Len() == 0 {
		if s.out.Cap() > keptBuffer {
			s.out = bytes.Buffer{} // what waits for hours does not hold its largest message
		}
		if s.err != nil {
			return 0, s.err
		}
		if s.settled {
			s.drain()
			continue
		}
		ev := s.kept
		if s.kept = nil; ev == nil {
			var err error
			if ev, err = s.next(); err != nil {
				s.fail(err)
				continue
			}
			if s.reclaim() {
				s.kept = ev
				continue
			}
		}
		if err := s.sort(ev); err != nil {
			s.fail(err)
		}
	}
	return s.out.Read(p)
}

// Close ends the request.
func (s *stream) Close() error {
	if s.timer != nil {
		s.timer.Stop()
	}
	err := s.body.Close()
	s.cancel()
	s.room.Close()
	s.client.inbox.ended(s)
	return err
}

// answered notes that the answer is here. The caller, who will leave with it,
// no longer ends the request; time does.
func (s *stream) answered() {
	s.settled = true
	s.room.Free()
	if s.release != nil {
		s.release()
	}
	s.timer = time.AfterFunc(drainTimeout, s.cancel)
}

// drain reads the rest of an answered stream, within narrow bounds, so that the
// connection can be used again.
func (s *stream) drain() {
	n, err := io.CopyN(io.Discard, s.in, maxDrain)
	s.drained += int(n)
	if err != nil || s.drained >= maxDrain {
		s.err = io.EOF
	}
}

func (s *stream) fail(err error) {
	s.err = err
	s.room.Free()
	var e *Error
	if !errors.As(err, &e) {
		return
	}
	if s.head != nil {
		s.client.broken.Store(e)
	}
	if s.exchange != nil {
		s.exchange.kill(err)
	}
}

// next reads one event within the bound of a message.
func (s *stream) next() (*event, error) {
	s.room.Free() // of the event before
	ev := new(event)
	size, any := int64(0), false
	for {
		line, err := s.line(s.client.opts.MaxMessage - size)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		read := int64(len(line))
		size += read
		if read == 0 { // the end; what stands before it counts, even without an empty line
			if any {
				return ev, nil
			}
			return nil, io.EOF
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			if any {
				return ev, nil
			}
			size = 0
			continue
		}
		if line[0] == ':' {
			size -= read // a comment that keeps the line open
			continue
		}
		any = true
		if err := s.grow(size); err != nil {
			return nil, err
		}
		ev.set(line)
	}
}

// line reads one line of at most limit bytes.
func (s *stream) line(limit int64) ([]byte, error) {
	var long []byte
	for {
		part, err := s.in.ReadSlice('\n')
		if int64(len(long)+len(part)) > limit {
			return nil, s.client.tooLarge()
		}
		if err == nil && long == nil {
			return part, nil
		}
		if err := s.grow(s.client.opts.MaxMessage - limit + int64(len(long)+len(part))); err != nil {
			return nil, err
		}
		long = append(long, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return long, err
		}
	}
}

// grow waits for room before an event takes more than a little.
func (s *stream) grow(size int64) error {
	if size <= budget.Free {
		return nil
	}
	return s.client.reserve(s.ctx, &s.room, s.cancel)
}

func (ev *event) set(line []byte) {
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "event":
		ev.name = string(value)
	case "id":
		if !bytes.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) { // it becomes a header
			ev.id = string(value)
		}
	case "retry":
		ev.retry = string(value)
	case "data":
		if ev.hasData {
			ev.data = append(ev.data, '\n')
		}
		ev.data, ev.hasData = append(ev.data, value...), true
	}
}

// sort decides what becomes of an event.
func (s *stream) sort(ev *event) error {
	if s.exchange != nil && ev.id != "" {
		s.exchange.sawEvent(ev.id)
	}
	if s.standing != nil {
		s.standing.sort(ev)
		ev.id, ev.retry = "", "" // the SDK never takes this stream up again
	}
	if !s.carries(ev) {
		s.write(ev, nil)
		return nil
	}
	data, marker, err := s.message(ev.data)
	if err != nil {
		return err
	}
	s.write(ev, data)
	if marker != nil {
		s.write(new(event), marker)
	}
	return nil
}

// carries reports whether an event carries a message. What else has data is skipped.
func (s *stream) carries(ev *event) bool {
	if len(bytes.TrimSpace(ev.data)) == 0 {
		return false
	}
	if ev.name != "" && ev.name != "message" {
		s.client.skip(ev.data)
		return false
	}
	return true
}

// reclaim writes a marker for what earlier streams have left; see [inbox].
func (s *stream) reclaim() bool {
	way := s.way()
	if way == nil {
		return false
	}
	marker := s.client.inbox.reclaim(way)
	if marker != nil {
		s.write(new(event), marker)
	}
	return marker != nil
}

// way is the stream by which the SDK gets what is no part of an answer; nil if it
// does not get that.
func (s *stream) way() any {
	switch {
	case s.standing != nil:
		return s.standing
	case !s.direct:
		return s
	}
	if standing := s.client.unasked.Load(); standing != nil {
		return standing
	}
	return nil
}

// message returns what the SDK gets to see of a message, and the marker that comes
// behind it; nil for nothing.
func (s *stream) message(data []byte) (seen, marker []byte, err error) {
	all, err := parse(data)
	if err != nil || len(all) != 1 {
		s.client.skip(data)
		return nil, nil, nil
	}
	m := &all[0]
	switch {
	case s.exchange != nil && m.answers(s.exchange.id, false):
		s.exchange.settle(m)
		s.answered()
		return s.exchange.shell(), nil, nil
	case s.head != nil && m.answers(s.head.ID, false):
		s.answered()
		seen, err = s.client.handshakeAnswer(s.head, m)
		return seen, nil, err
	case s.exchange != nil && s.exchange.progressed(m):
		return nil, nil, nil
	case s.standing != nil && !s.standing.hands(m):
		return nil, nil, nil
	case m.Twice, m.isAnswer():
		s.client.skip(data)
		return nil, nil, nil
	}
	plain := m.bytes()
	msg, err := jsonrpc.DecodeMessage(plain)
	if err != nil { // it would end the SDK's session
		s.client.skip(data)
		return nil, nil, nil
	}
	if r, ok := msg.(*jsonrpc.Request); ok {
		marker = s.admit(r, plain)
		if marker == nil {
			return nil, nil, nil
		}
	}
	return plain, marker, nil
}

// admit takes the bytes of what nobody asked for. It returns the marker that comes
// behind it; nil for a message that is dropped.
func (s *stream) admit(r *jsonrpc.Request, plain []byte) (marker []byte) {
	way := s.way()
	if way == nil {
		return nil // nobody waits for it
	}
	if marker = s.client.inbox.accept(way, r, int64(len(plain)), s.ctx.Done()); marker == nil && s.ctx.Err() == nil {
		s.client.drop(wire.Drops{Unasked: 1}, budget.ErrFull)
	}
	return marker
}

// write writes an event for the SDK, in the only form that it reads without
// fail.
func (s *stream) write(ev *event, data []byte) {
	if ev.id != "" {
		fmt.Fprintf(&s.out, "id: %s\n", ev.id)
	}
	if ms, err := strconv.ParseInt(ev.retry, 10, 64); err == nil {
		fmt.Fprintf(&s.out, "retry: %d\n", max(ms, minRetry.Milliseconds()))
	}
	if len(data) > 0 {
		fmt.Fprintf(&s.out, "data: %s\n", flat(data))
	}
	if s.out.Len() > 0 {
		s.out.WriteByte('\n')
	}
}

// flat turns the line breaks of a message, which can only be white space in
// JSON, into spaces.
func flat(data []byte) []byte {
	if !bytes.ContainsAny(data, "\r\n") {
		return data
	}
	flat := bytes.Clone(data)
	for i, c := range flat {
		if c == '\r' || c == '\n' {
			flat[i] = ' '
		}
	}
	return flat
}
