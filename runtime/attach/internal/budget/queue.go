// What waits to be handled.

package budget

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/mcpgen/mcpgen/internal/hint"
)

// roomTime is how long the reader of a connection waits for room in a queue.
const roomTime = 2 * time.Second

// ErrFull is a message that a queue had no room for in time.
var ErrFull = hint.New("the server sends more without being asked than is handled in time, so that messages of it are dropped", "raise limits.queue if it should be allowed to")

// Queue counts the bytes of what a server sent without being asked and nobody has
// handled yet. Its methods are safe for concurrent use.
type Queue struct {
	limit int64
	room  *semaphore.Weighted
	full  atomic.Bool // there was no room in time: until there is some, nobody waits
}

// NewQueue returns a queue of at most limit bytes.
func NewQueue(limit int64) *Queue {
	return &Queue{limit: limit, room: semaphore.NewWeighted(limit)}
}

// Take takes n bytes. Where there is no room for them it waits a moment, which holds up
// the reader and so the server. After a message for which there was none in time, the
// next ones do not wait. It is false at once when ctx ends.
func (q *Queue) Take(ctx context.Context, n int64) bool {
	if q.room.TryAcquire(n) {
		q.full.Store(false)
		return true
	}
	if q.full.Load() || n > q.limit {
		return false
	}
	within, cancel := context.WithTimeout(ctx, roomTime)
	defer cancel()
	taken := q.room.Acquire(within, n) == nil
	q.full.Store(!taken && ctx.Err() == nil)
	return taken
}

// Give gives n bytes back: they have been handled, or let go.
func (q *Queue) Give(n int64) { q.room.Release(n) }
