// The bytes of messages that wait to be handled.

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

// ErrFull reports a message for which a queue had no room in time.
var ErrFull = hint.New("the server sends messages faster than they are handled, so some are dropped", "if the server has to send that many, raise limits.queue")

// Queue counts the bytes of unrequested messages of a server that have not been
// handled yet. Its methods are safe for concurrent use.
type Queue struct {
	limit int64
	room  *semaphore.Weighted
	full  atomic.Bool // there was no room in time: Take does not wait until there is
}

// NewQueue returns a queue of at most limit bytes.
func NewQueue(limit int64) *Queue {
	return &Queue{limit: limit, room: semaphore.NewWeighted(limit)}
}

// Take takes n bytes. If there is no room, it waits a moment, which delays the reader
// and so the server. After a message that found no room in time, the next ones do not
// wait. It returns false, and at once when ctx ends.
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

// Give returns n bytes: their message has been handled or dropped.
func (q *Queue) Give(n int64) { q.room.Release(n) }
