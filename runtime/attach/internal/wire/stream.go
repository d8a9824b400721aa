// The input of a stream: lines of a bounded length.

package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
)

const (
	readBuffer = 4 << 10   // a line that fits is not copied before it is parsed
	maxPiece   = 256 << 10 // of a line that is put together: it is copied once, and no more is kept than its length
	keptTail   = 512       // of a line that is too long: some servers write the id last
)

// lines splits a stream into lines.
type lines struct {
	r          *bufio.Reader
	limit      int
	large      func() error // called before a line uses more than budget.Free
	unfinished bool         // the current line is too long and goes on
}

// errLong reports a line above the limit.
var errLong = errors.New("line too long")

// next returns a line without its newline. If own is false, the line is valid until
// the next call. At the end of the stream it returns the rest together with the
// error. For a line that is too long it returns the beginning and errLong; skip reads
// the rest.
func (l *lines) next() (line []byte, own bool, err error) {
	var pieces [][]byte
	for size := 0; ; {
		part, goesOn, err := l.part(size > 0)
		size += len(part)
		switch {
		case size > l.limit:
			l.unfinished = goesOn
			return bytes.Join(append(pieces, part), nil), false, errLong
		case pieces == nil && !goesOn:
			return part, false, err
		case size > budget.Free:
			if err := l.large(); err != nil {
				return nil, false, err
			}
		}
		last := len(pieces) - 1
		if last < 0 || len(part) > cap(pieces[last])-len(pieces[last]) {
			pieces = append(pieces, make([]byte, 0, max(len(part), min(2*size, maxPiece))))
			last++
		}
		pieces[last] = append(pieces[last], part...)
		if !goesOn {
			return bytes.Join(pieces, nil), true, err
		}
	}
}

// part reads to the end of a line, or as much as fits into the buffer. Of a long line
// it reads what is available, so that its length shows at once.
func (l *lines) part(long bool) (part []byte, goesOn bool, err error) {
	if !long {
		part, err = l.r.ReadSlice('\n')
	} else if _, err = l.r.Peek(1); err == nil {
		part, _ = l.r.Peek(l.r.Buffered())
		if end := bytes.IndexByte(part, '\n'); end >= 0 {
			part = part[:end+1]
		}
		_, _ = l.r.Discard(len(part))
	}
	if errors.Is(err, bufio.ErrBufferFull) {
		err = nil
	}
	part, ended := bytes.CutSuffix(part, []byte{'\n'})
	return part, err == nil && !ended, err
}

// skip reads the rest of a line whose beginning next returned, and returns only its
// last bytes.
func (l *lines) skip(line []byte) (tail []byte, err error) {
	tail = appendTail(nil, line)
	for l.unfinished {
		var part []byte
		part, l.unfinished, err = l.part(true)
		tail = appendTail(tail, part)
	}
	return tail, err
}

// appendTail returns the last keptTail bytes of tail and b.
func appendTail(tail, b []byte) []byte {
	tail = append(tail, b[max(0, len(b)-keptTail):]...)
	return tail[:copy(tail, tail[max(0, len(tail)-keptTail):])]
}

// counted counts the bytes that are read.
type counted struct {
	io.Reader
	n *atomic.Int64
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n.Add(int64(max(n, 0)))
	return n, err
}

// NewStream returns a connection over newline-delimited JSON, as on stdio. It reads r
// to its end, also after Close, so that a server that is shutting down does not block
// on its output. W is a pipe of [os.Pipe]: Conn.Close closes it, which ends a blocked
// Write.
func NewStream(r io.Reader, w *os.File, opts Options) *Conn {
	return New(&streamLink{queue: newQueue(w), r: r}, opts)
}

// readStream delivers all lines of r until its end.
func (c *Conn) readStream(r io.Reader) {
	var room budget.Room
	defer room.Close()
	l := &lines{r: bufio.NewReaderSize(counted{r, &c.received}, readBuffer), limit: int(c.opts.MaxMessage), large: func() error {
		// A growing buffer needs the old and the new one.
		return room.Reserve(c.ctx, c.opts.Memory, 2*c.opts.MaxMessage, func() { c.fail(budget.ErrSlow) })
	}}
	for {
		line, own, err := l.next()
		if errors.Is(err, errLong) {
			line, err = nil, c.oversized(l, line, room.Free)
		}
		select {
		case <-c.Done():
			room.Close()
			_, _ = io.Copy(io.Discard, r) // a server that has to end must not block on its output
			return
		default:
		}
		c.line(line, own)
		room.Free()
		if err != nil {
			c.Lose(nil)
			return
		}
	}
}

// oversized skips a message that is too long, and returns its room. The request that
// the message answers fails, at once if the beginning of the message has the ID.
func (c *Conn) oversized(l *lines, line []byte, free func()) error {
	tooLong := hint.With(fmt.Errorf("%w of %d bytes", ErrTooLarge, c.opts.MaxMessage), "raise limits.message")
	id, known := c.answeredBy(line)
	if known {
		c.Refuse(id, tooLong)
	}
	tail := appendTail(nil, line)
	line = nil
	free()
	tail, err := l.skip(tail)
	if !known {
		if id, known = c.answeredAtEnd(tail); known {
			c.Refuse(id, tooLong)
		}
	}
	c.Dropped(Drops{Oversized: 1}, tooLong)
	return err
}

// answeredBy returns the request that a message answers, from the beginning of the
// message.
func (c *Conn) answeredBy(beginning []byte) (id uint64, ok bool) {
	jsontext.Walk(trim(beginning), func(name []byte, from, to int) {
		if string(name) == `"id"` {
			id, ok = c.ids.of(trim(beginning)[from:to])
		}
	})
	return id, ok
}

// answeredAtEnd returns the request that a message answers, if its ID is the last
// member, or the last before the version.
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
