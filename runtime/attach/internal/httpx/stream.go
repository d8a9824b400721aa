// Event streams, read within limits.

package httpx

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
)

// The bounds of the pause that a server may request before a stream is resumed.
const (
	minRetry = 200 * time.Millisecond
	maxRetry = 30 * time.Second
)

const (
	readBuffer = 4 << 10 // of the stream of an answer

	// standingBuffer is the buffer of a stream that lasts as long as the session, and
	// is mostly idle.
	standingBuffer = 1 << 10
)

// event is one server-sent event.
type event struct {
	name, id, retry string
	data            []byte
	hasData         bool
}

// pause returns how long the server wants clients to wait, within bounds; 0 if it
// sets none.
func (ev *event) pause() time.Duration {
	ms, err := strconv.ParseInt(ev.retry, 10, 64)
	if err != nil || ms < 0 {
		return 0
	}
	return max(time.Duration(min(ms, maxRetry.Milliseconds()))*time.Millisecond, minRetry)
}

// stream reads the body of an answer, event by event.
type stream struct {
	*reply
	client *client
	in     *bufio.Reader // of lines that end with LF
	ended  bool          // the last byte that was read is a CR
	begun  bool          // the first line was read
	room   budget.Room
}

func (c *client) newStream(r *reply, buffer int) *stream {
	s := &stream{reply: r, client: c}
	s.in = bufio.NewReaderSize(s, buffer)
	return s
}

// Read reads from the body. Each end of a line, which is LF, CR or CRLF, becomes LF.
func (s *stream) Read(b []byte) (int, error) {
	n, err := s.Body.Read(b)
	if !s.ended && bytes.IndexByte(b[:n], '\r') < 0 {
		return n, err
	}
	kept := 0
	for _, c := range b[:n] {
		after := s.ended
		if s.ended = c == '\r'; s.ended {
			c = '\n'
		} else if after && c == '\n' { // its CR has ended the line
			continue
		}
		b[kept] = c
		kept++
	}
	return kept, err
}

func (s *stream) close() {
	s.end()
	s.room.Close()
}

// rest reads the little that may follow an answer, so that the connection can be
// reused.
func (s *stream) rest() {
	s.room.Free()
	timer := time.AfterFunc(drainTimeout, s.cancel)
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, s.in, maxDrain)
	s.close()
}

// deliver delivers the message in an event of a call's stream, or with 0 of another
// stream; other data is skipped.
func (s *stream) deliver(ev *event, call uint64) {
	if len(bytes.TrimSpace(ev.data)) == 0 {
		return
	}
	if ev.name != "" && ev.name != "message" || !s.client.conn.Receive(ev.data, call) {
		s.client.conn.Skip(ev.data)
	}
}

// next reads one event within the limit of a message.
func (s *stream) next() (*event, error) {
	s.room.Free() // of the previous event
	ev := new(event)
	size, any := int64(0), false
	for {
		line, err := s.line(s.client.opts.MaxMessage - size)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		read := int64(len(line))
		size += read
		if read == 0 { // the end; it also ends an event without an empty line
			if any {
				return ev, nil
			}
			return nil, io.EOF
		}
		line = bytes.TrimSuffix(line, []byte{'\n'})
		if !s.begun {
			s.begun, line = true, bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(line) == 0 {
			if any {
				return ev, nil
			}
			size = 0
			continue
		}
		if line[0] == ':' {
			size -= read // a comment that keeps the connection open
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

// grow waits for room before an event needs more than budget.Free.
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
