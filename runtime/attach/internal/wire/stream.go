// The way in of a stream: lines, of a bounded length.

package wire

import (
	"bytes"
	"errors"
	"io"
	"sync/atomic"
)

const (
	readBuffer = 4 << 10  // at the start, and again after a large message
	largeLine  = 16 << 10 // lines of this size and above are handed on without a copy
)

// lines cuts a stream into lines.
type lines struct {
	r       io.Reader
	limit   int
	buf     []byte
	start   int // of the line
	scanned int // no newline before this
	end     int // of what was read
}

// errLong is a line above the limit.
var errLong = errors.New("line too long")

// next returns a line without its newline. It is valid until the next call. At
// the end of the stream it returns what is left together with the error.
func (l *lines) next() ([]byte, error) {
	for {
		if n := bytes.IndexByte(l.buf[l.scanned:l.end], '\n'); n >= 0 {
			line := l.buf[l.start : l.scanned+n]
			l.start = l.scanned + n + 1
			l.scanned = l.start
			if len(line) > l.limit {
				return nil, errLong
			}
			return line, nil
		}
		l.scanned = l.end
		if l.end-l.start > l.limit {
			return nil, errLong
		}
		l.room()
		n, err := l.r.Read(l.buf[l.end:])
		l.end += n
		if n == 0 && err != nil {
			rest := l.buf[l.start:l.end]
			l.start = l.end
			return rest, err
		}
	}
}

// room makes place for more: by moving the line to the front, or by a larger
// buffer, which never is larger than a line may be, and one read.
func (l *lines) room() {
	if l.end < len(l.buf) {
		return
	}
	size := len(l.buf)
	if used := l.end - l.start; used > size/2 || size == 0 {
		size = max(readBuffer, min(2*size, l.limit+readBuffer))
	}
	l.move(size)
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

// readStream hands on all lines of r until its end.
func (c *Conn) readStream(r io.Reader) {
	l := &lines{r: counted{r, &c.received}, limit: int(c.opts.MaxMessage)}
	for {
		line, err := l.next()
		if errors.Is(err, errLong) {
			c.fail(&SizeError{Limit: c.opts.MaxMessage})
		}
		select {
		case <-c.done:
			l.buf = nil
			_, _ = io.Copy(io.Discard, r) // a server that is told to end must not hang on its output
			return
		default:
		}
		large := len(line) >= largeLine
		c.line(line, large)
		if err != nil {
			c.lose(nil)
			return
		}
		if large {
			l.letGo()
		}
	}
}
