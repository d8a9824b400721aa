// The way in of a stream: lines, of a bounded length.

package wire

import (
	"bytes"
	"errors"
	"io"
	"sync/atomic"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
)

const (
	readBuffer = 4 << 10  // at the start, and again after a large message
	largeLine  = 16 << 10 // lines of this size and above are handed on without a copy
	skipBuffer = 64 << 10 // for the rest of a line that is too long
	keptTail   = 512      // of such a line: some servers write the id last
)

// lines cuts a stream into lines.
type lines struct {
	r       io.Reader
	limit   int
	large   func() error // before a line takes more than a little; nil is always
	free    func()       // when it does not any more
	buf     []byte
	start   int // of the line
	scanned int // no newline before this
	end     int // of what was read

	unfinished bool // a line that is too long goes on
}

// errLong is a line above the limit.
var errLong = errors.New("line too long")

// next returns a line without its newline. It is valid until the next call. At
// the end of the stream it returns what is left together with the error. Of a line
// that is too long it returns the beginning and errLong; skip goes on.
func (l *lines) next() ([]byte, error) {
	for {
		if n := bytes.IndexByte(l.buf[l.scanned:l.end], '\n'); n >= 0 {
			line := l.buf[l.start : l.scanned+n]
			l.start = l.scanned + n + 1
			l.scanned = l.start
			if len(line) > l.limit {
				return line, errLong
			}
			return line, nil
		}
		l.scanned = l.end
		if l.end-l.start > l.limit {
			l.unfinished = true
			return l.buf[l.start:l.end], errLong
		}
		if err := l.room(); err != nil {
			return nil, err
		}
		n, err := l.r.Read(l.buf[l.end:])
		l.end += n
		if n == 0 && err != nil {
			rest := l.buf[l.start:l.end]
			l.start = l.end
			return rest, err
		}
	}
}

// skip reads to the end of the line of which next returned the beginning, and
// keeps nothing but its last bytes.
func (l *lines) skip(line []byte) (tail []byte, err error) {
	tail = appendTail(nil, line)
	if !l.unfinished {
		return tail, nil
	}
	l.unfinished = false
	l.buf, l.start, l.scanned, l.end = make([]byte, skipBuffer), 0, 0, 0
	l.small()
	for {
		n, err := l.r.Read(l.buf)
		if i := bytes.IndexByte(l.buf[:n], '\n'); i >= 0 {
			l.start, l.scanned, l.end = i+1, i+1, n
			return appendTail(tail, l.buf[:i]), nil
		}
		tail = appendTail(tail, l.buf[:n])
		if n == 0 && err != nil {
			return tail, err
		}
	}
}

// appendTail returns the last bytes of tail and b.
func appendTail(tail, b []byte) []byte {
	tail = append(tail, b[max(0, len(b)-keptTail):]...)
	return tail[:copy(tail, tail[max(0, len(tail)-keptTail):])]
}

// room makes place for more: by moving the line to the front, or by a larger
// buffer, which never is larger than a line may be, and one read.
func (l *lines) room() error {
	if l.end < len(l.buf) {
		return nil
	}
	size := len(l.buf)
	if used := l.end - l.start; used > size/2 || size == 0 {
		size = max(readBuffer, min(2*size, l.limit+readBuffer))
	}
	if size > budget.Free && l.large != nil {
		if err := l.large(); err != nil {
			return err
		}
	}
	l.move(size)
	return nil
}

// move takes what is not yet returned to the front of a buffer of this size.
func (l *lines) move(size int) {
	to := l.buf
	if size != len(to) {
		to = make([]byte, size)
	}
	n := copy(to, l.buf[l.start:l.end])
	l.buf, l.scanned, l.end, l.start = to, l.scanned-l.start, n, 0
}

// letGo gives the buffer away to who keeps the last line.
func (l *lines) letGo() {
	rest := l.end - l.start
	size := readBuffer
	for size < rest {
		size *= 2
	}
	if size == len(l.buf) {
		size *= 2 // a buffer of its own
	}
	l.move(size)
	l.small()
}

// small gives the room of a large line back.
func (l *lines) small() {
	if l.free != nil && len(l.buf) <= budget.Free {
		l.free()
	}
}

// counted counts what is read.
type counted struct {
	io.Reader
	n *atomic.Int64
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n.Add(int64(max(n, 0)))
	return n, err
}

// NewStream returns a connection over newline-delimited JSON, as on stdio. It
// reads r to its end, also after Close, so that a server that is being shut
// down does not hang on its output. Close closes w, which must end a blocked
// Write.
func NewStream(r io.Reader, w io.WriteCloser, opts Options) *Conn {
	return New(&streamLink{queue: newQueue(w), r: r}, opts)
}

// readStream hands on all lines of r until its end.
func (c *Conn) readStream(r io.Reader) {
	var room budget.Room
	defer room.Close()
	l := &lines{r: counted{r, &c.received}, limit: int(c.opts.MaxMessage), free: room.Free, large: func() error {
		// Growing a buffer takes the old and the new one.
		return room.Reserve(c.ctx, c.opts.Memory, 2*c.opts.MaxMessage, func() { c.fail(budget.ErrSlow) })
	}}
	for {
		line, err := l.next()
		if errors.Is(err, errLong) {
			line, err = nil, c.oversized(l, line)
		}
		select {
		case <-c.done:
			l.buf = nil
			room.Close()
			_, _ = io.Copy(io.Discard, r) // a server that has to end must not hang on its output
			return
		default:
		}
		kept := c.line(line, len(line) >= largeLine)
		if err != nil {
			c.Lose(nil)
			return
		}
		if kept || len(l.buf) > skipBuffer {
			l.letGo()
		}
	}
}

// oversized skips a message that is too long. The request that it answers fails,
// before the message has ended if its beginning names it.
func (c *Conn) oversized(l *lines, line []byte) error {
	tooLong := &SizeError{Limit: c.opts.MaxMessage}
	id, known := c.answeredBy(line)
	if known {
		c.Refuse(id, tooLong)
	}
	tail, err := l.skip(line)
	if !known {
		if id, known = c.answeredAtEnd(tail); known {
			c.Refuse(id, tooLong)
		}
	}
	c.Dropped(Drops{Oversized: 1}, tooLong)
	return err
}

// answeredBy returns the request that a message answers of which only the
// beginning is there.
func (c *Conn) answeredBy(beginning []byte) (id uint64, ok bool) {
	jsontext.Walk(trim(beginning), func(name []byte, from, to int) {
		if string(name) == `"id"` {
			id, ok = c.ids.of(trim(beginning)[from:to])
		}
	})
	return id, ok
}

// answeredAtEnd returns the request that a message answers whose id is its last
// member, but for the version.
func (c *Conn) answeredAtEnd(tail []byte) (uint64, bool) {
	tail, ok := bytes.CutSuffix(bytes.TrimSpace(tail), []byte("}"))
	at := bytes.LastIndex(tail, []byte(`"id"`))
	if !ok || at < 1 {
		return 0, false
	}
	e, ok := scanEnvelope(append(append([]byte("{"), tail[at:]...), '}'))
	if before := bytes.TrimSpace(tail[:at]); !ok || e.method != nil || len(before) == 0 || before[len(before)-1] != ',' {
		return 0, false
	}
	return c.ids.of(e.id)
}
