// The way out of a stream: a queue of bytes and the one goroutine that writes
// it, so that no caller is held up by a full pipe, and messages that are ready
// together leave in one write.

package wire

import (
	"bytes"
	"context"
	"io"
	"sync"
	"time"
)

const (
	writeChunk = 64 << 10               // progress of a long write is seen in steps of this size
	keepBuffer = 16 << 10               // larger buffers are not kept for later
	flushTime  = 100 * time.Millisecond // how long Close lets the queue drain
	stallTime  = time.Second            // without progress of an abandoned message
)

// span is the place of one message in a buffer.
type span struct {
	seq uint64
	end int // it begins where the one before ends
}

// queue is the bytes that wait, and how far those before them have come.
type queue struct {
	w    io.WriteCloser
	wake chan struct{}

	mu      sync.Mutex
	buf     []byte // waiting
	spans   []span // of the messages in buf
	last    uint64 // sequence number given last
	started uint64 // up to here, bytes may have left
	written uint64 // up to here, all bytes have left
	moved   int64  // bytes that have left
	closed  bool
}

func newQueue(w io.WriteCloser) *queue { return &queue{w: w, wake: make(chan struct{}, 1)} }

// commit makes what was appended to buf a message; mu is held.
func (q *queue) commit() uint64 {
	q.last++
	q.spans = append(q.spans, span{q.last, len(q.buf)})
	Wake(q.wake)
	return q.last
}

// endLine makes buf[from:] one line: in JSON a newline can only stand where any
// other space can.
func endLine(buf []byte, from int) []byte {
	for _, end := range []byte("\n\r") {
		for i := from; ; i++ {
			n := bytes.IndexByte(buf[i:], end)
			if n < 0 {
				break
			}
			i += n
			buf[i] = ' '
		}
	}
	return append(buf, '\n')
}

// Drop takes a message back. It reports whether bytes of it may have left.
func (q *queue) Drop(seq uint64) (sent bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if seq <= q.started {
		return seq != 0
	}
	from := 0
	for i, s := range q.spans {
		if s.seq != seq {
			from = s.end
			continue
		}
		q.buf = append(q.buf[:from], q.buf[s.end:]...)
		q.spans = append(q.spans[:i], q.spans[i+1:]...)
		for j := i; j < len(q.spans); j++ {
			q.spans[j].end -= s.end - from
		}
		break
	}
	return false
}

// run writes until the queue is closed and empty, or until writing fails, which it
// tells lose.
func (q *queue) run(lose func(error)) {
	var out []byte
	var spans []span
	for range q.wake {
		for {
			q.mu.Lock()
			if cap(out) > keepBuffer {
				out = nil
			}
			out, q.buf = q.buf, out[:0]
			spans, q.spans = q.spans, spans[:0]
			q.started = q.last
			closed := q.closed
			q.mu.Unlock()
			if len(out) == 0 {
				if closed {
					_ = q.w.Close() // the connection is over
					return
				}
				break
			}
			if err := q.write(out, spans); err != nil {
				_ = q.w.Close() // the first error is the one that counts
				lose(err)
				return
			}
		}
	}
}

// write writes all of out, and keeps track of how far it came.
func (q *queue) write(out []byte, spans []span) error {
	for begin, done := 0, 0; done < len(out); {
		n, err := q.w.Write(out[done:min(len(out), done+writeChunk)])
		done += max(n, 0)
		if n <= 0 && err == nil {
			err = io.ErrShortWrite
		}
		q.mu.Lock()
		q.moved += int64(max(n, 0))
		for len(spans) > 0 && spans[0].end <= done {
			q.written, begin, spans = spans[0].seq, spans[0].end, spans[1:]
		}
		if err != nil {
			q.closed, q.started = true, q.written
			if done > begin {
				q.started = spans[0].seq
			}
		}
		q.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// close ends the queue. With flush, what waits is written if that takes no time.
func (q *queue) close(flush bool) {
	q.mu.Lock()
	q.closed = true
	if !flush {
		q.buf, q.spans = nil, nil
	}
	q.mu.Unlock()
	Wake(q.wake)
	if flush {
		time.AfterFunc(flushTime, func() { _ = q.w.Close() }) // the writer may have done so
		return
	}
	_ = q.w.Close() // the connection is over
}

// watch calls stalled if the message seq is abandoned in the middle and does
// not move on.
func (q *queue) watch(seq uint64, moved int64, stalled func()) {
	time.AfterFunc(stallTime, func() {
		q.mu.Lock()
		now, over := q.moved, q.closed || q.written >= seq
		q.mu.Unlock()
		switch {
		case over:
		case now == moved:
			stalled()
		default:
			q.watch(seq, now, stalled)
		}
	})
}

// streamLink is the link of stdio: requests and the SDK's messages leave through one
// queue, and come in as lines.
type streamLink struct {
	*queue
	r io.Reader
	c *Conn
}

// Open begins to read and to write.
func (l *streamLink) Open(c *Conn) {
	l.c = c
	go l.run(c.Lose)
	go c.readStream(l.r)
}

// Call queues a request.
func (l *streamLink) Call(_ context.Context, r *Request) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return 0, nil // the connection's end, which is on its way, ends the call
	}
	from := len(l.buf)
	l.buf = endLine(r.Append(l.buf), from)
	return l.commit(), nil
}

// Cancel queues the notification. A peer that does not read on in the middle of the
// request is stuck.
func (l *streamLink) Cancel(id, seq uint64, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.buf = append(l.c.AppendCancelled(l.buf, id, reason), '\n')
	l.commit()
	if l.written < seq {
		l.watch(seq, l.moved, func() { l.c.fail(ErrStalled) })
	}
}

// Send queues a message. An answer that there is no room for is dropped.
func (l *streamLink) Send(_ context.Context, method string, line []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return ErrClosed
	}
	if method == "" && int64(len(l.buf)+len(line)) > l.c.opts.MaxUnasked {
		go l.c.Dropped(Drops{Unasked: 1}, errUnread) // it takes other locks
		return nil
	}
	from := len(l.buf)
	l.buf = endLine(append(l.buf, line...), from)
	l.commit()
	return nil
}

// Close ends the queue. That its input ends tells the peer that nothing is wanted.
func (l *streamLink) Close(flush bool, _ []uint64) { l.close(flush) }
