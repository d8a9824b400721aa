// The output of a stream. A caller that has a message writes as much of it as the
// pipe takes at once. A goroutine writes the rest, and later messages, so that a full
// pipe delays no caller.

package wire

import (
	"bytes"
	"context"
	"io"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"
)

const (
	writeChunk = 64 << 10               // the progress of a long write is visible in steps of this size
	keepBuffer = 16 << 10               // larger buffers are not reused
	flushTime  = 100 * time.Millisecond // how long Close lets the queue drain
	stallTime  = time.Second            // without progress of an abandoned message
)

// message is a waiting message.
type message struct {
	seq  uint64
	rest []byte // the part that has not been written
}

// queue holds the waiting messages, and the progress of the messages before them.
type queue struct {
	c   *Conn
	w   *os.File
	raw syscall.RawConn // of w

	mu      sync.Mutex
	buf     []byte    // for the next message
	waiting []message // while run is active
	size    int       // of waiting, in bytes
	writing bool      // run is active
	last    uint64    // last sequence number given
	started uint64    // up to this one, bytes may have been written
	written uint64    // up to this one, all bytes have been written
	moved   int64     // bytes written
	closed  bool
}

func newQueue(w *os.File) *queue {
	raw, _ := w.SyscallConn() // the error is for no file
	return &queue{w: w, raw: raw}
}

// put sends a line, which the queue owns from now on; mu is held.
func (q *queue) put(line []byte) uint64 {
	q.last++
	q.buf = nil
	if !q.writing {
		n := writeNow(q.raw, line)
		if q.moved += int64(n); n > 0 {
			q.started = q.last
		}
		if n == len(line) {
			q.written = q.last
			if cap(line) <= keepBuffer {
				q.buf = line[:0]
			}
			return q.last
		}
		line, q.writing = line[n:], true
		go q.run()
	}
	q.waiting, q.size = append(q.waiting, message{q.last, line}), q.size+len(line)
	return q.last
}

// endLine turns a message into a line: in JSON a newline is equivalent to a space.
func endLine(message []byte) []byte {
	for _, end := range []byte("\n\r") {
		for i := 0; ; i++ {
			n := bytes.IndexByte(message[i:], end)
			if n < 0 {
				break
			}
			i += n
			message[i] = ' '
		}
	}
	return append(message, '\n')
}

// Drop takes a message back. It reports whether bytes of the message may have been
// written.
func (q *queue) Drop(seq uint64) (sent bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if seq <= q.started {
		return seq != 0
	}
	if i := slices.IndexFunc(q.waiting, func(m message) bool { return m.seq == seq }); i >= 0 {
		q.size -= len(q.waiting[i].rest)
		q.waiting = slices.Delete(q.waiting, i, i+1)
	}
	return false
}

// run writes until no message waits, or until writing fails, which ends the
// connection.
func (q *queue) run() {
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 {
			q.writing, q.waiting = false, nil
			closed := q.closed
			q.mu.Unlock()
			if closed {
				_ = q.w.Close() // the connection has ended
			}
			return
		}
		m := q.waiting[0]
		q.waiting[0] = message{}
		q.waiting, q.size = q.waiting[1:], q.size-len(m.rest)
		begun := q.started == m.seq // by put
		q.started = m.seq
		q.mu.Unlock()
		if err := q.write(m, begun); err != nil {
			_ = q.w.Close() // only the first error is reported
			q.c.Lose(err)
			return
		}
	}
}

// write writes a message and records the progress. Begun says that bytes of it were
// written.
func (q *queue) write(m message, begun bool) error {
	for len(m.rest) > 0 {
		n, err := q.w.Write(m.rest[:min(len(m.rest), writeChunk)])
		q.mu.Lock()
		q.moved += int64(n)
		if m.rest = m.rest[n:]; len(m.rest) == 0 {
			q.written = m.seq
		}
		if begun = begun || n > 0; err != nil && !begun {
			q.started--
		}
		q.closed = q.closed || err != nil
		q.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// close ends the queue. With flush, waiting messages are written if that is fast.
func (q *queue) close(flush bool) {
	q.mu.Lock()
	q.closed = true
	if !flush {
		q.waiting, q.size = nil, 0
	}
	wait := flush && q.writing
	q.mu.Unlock()
	if wait {
		time.AfterFunc(flushTime, func() { _ = q.w.Close() }) // run may have done so
		return
	}
	_ = q.w.Close() // the connection has ended
}

// watch calls stalled if the message seq is abandoned in the middle and makes no
// progress.
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
// queue; messages arrive as lines.
type streamLink struct {
	*queue
	r io.Reader
}

// Open begins to read and to write.
func (l *streamLink) Open(c *Conn) {
	l.c = c
	go c.readStream(l.r)
}

// Call queues a request.
func (l *streamLink) Call(_ context.Context, r *Request) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return 0, nil // the end of the connection, which follows, ends the call
	}
	return l.put(endLine(r.Append(l.buf))), nil
}

// Cancel queues the notification. A peer that stops reading in the middle of the
// request is stuck.
func (l *streamLink) Cancel(id, seq uint64, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.put(append(l.c.AppendCancelled(l.buf, id, reason), '\n'))
	if l.written < seq {
		l.watch(seq, l.moved, func() { l.c.fail(ErrStalled) })
	}
}

// Send queues a message. An answer without room in the queue is dropped.
func (l *streamLink) Send(_ context.Context, method string, line []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return ErrClosed
	}
	if method == "" && int64(l.size+len(line)) > l.c.opts.MaxUnasked {
		go l.c.Dropped(Drops{Unasked: 1}, errUnread) // it takes other locks
		return nil
	}
	l.put(endLine(append(l.buf, line...)))
	return nil
}

// Close ends the queue. The peer sees the end of its input.
func (l *streamLink) Close(flush bool, _ []uint64) { l.close(flush) }
