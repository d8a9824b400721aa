// What waits to be handled.

package budget

import (
	"errors"
	"sync"
	"time"
)

// roomTime is how long the reader of a connection waits for room in a queue.
const roomTime = 2 * time.Second

// ErrFull is a message that a queue had no room for in time.
var ErrFull = errors.New("the server sends more without being asked than is handled in time: messages of it are dropped; raise limits.queue if it should be allowed to")

// Queue counts the bytes of what a server sent without being asked and nobody has
// handled yet. Its methods are safe for concurrent use.
type Queue struct {
	mu    sync.Mutex
	limit int64
	held  int64
	full  bool          // there was no room in time: until there is some, nobody waits
	room  chan struct{} // closed when bytes are given back
}

// NewQueue returns a queue of at most limit bytes.
func NewQueue(limit int64) *Queue { return &Queue{limit: limit, room: make(chan struct{})} }

// Take takes n bytes if there is room for them.
func (q *Queue) Take(n int64) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.take(n)
}

// take is Take; mu is held.
func (q *Queue) take(n int64) bool {
	if q.held+n > q.limit {
		return false
	}
	q.held += n
	q.full = false
	return true
}

// Wait is Take that waits a moment for room, which holds up the reader and so the
// server. After a message for which there was none in time, the next ones do not
// wait. It is false at once when done is closed.
func (q *Queue) Wait(done <-chan struct{}, n int64) bool {
	timer := time.NewTimer(roomTime)
	defer timer.Stop()
	for {
		q.mu.Lock()
		taken, hopeless, room := q.take(n), q.full || n > q.limit, q.room
		q.mu.Unlock()
		if taken || hopeless {
			return taken
		}
		select {
		case <-room:
		case <-done:
			return false
		case <-timer.C:
			q.mu.Lock()
			q.full = true
			q.mu.Unlock()
			return false
		}
	}
}

// Give gives n bytes back: they have been handled, or let go.
func (q *Queue) Give(n int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held -= n
	close(q.room)
	q.room = make(chan struct{})
}

// Held returns how many bytes are taken.
func (q *Queue) Held() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.held
}
