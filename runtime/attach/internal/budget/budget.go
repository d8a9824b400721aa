// Package budget bounds the memory of large messages while they arrive, over all
// servers of a host. A reader that needs more than [Free] reserves at once all the
// memory that it may need, before it uses any, and waits its turn. So no reader that
// holds a part waits for another part, and no message fails because there are many. A
// [Queue] counts messages that wait to be handled.
package budget

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// Free is how many bytes a message may use without a reservation.
const Free = 256 << 10

// lease is how long a message that others wait for may take to arrive.
const lease = time.Minute

// ErrSlow reports a message that took too long to arrive while others waited for its
// room.
var ErrSlow = errors.New("a large message of the server took more than a minute and delayed other messages")

// Budget is a number of bytes. Its methods are safe for concurrent use; a nil Budget
// has no bound.
type Budget struct {
	parent  *Budget
	size    int64
	room    *semaphore.Weighted
	waiting atomic.Int64 // readers that wait for room

	mu   sync.Mutex
	used int64
	peak int64
}

// New returns a budget of size bytes, all of which also count against its parent.
// A nil parent means none.
func New(size int64, parent *Budget) *Budget {
	return &Budget{size: size, parent: parent, room: semaphore.NewWeighted(size)}
}

// Peak returns the most bytes that were reserved at the same time, including
// reservations that wait for a parent.
func (b *Budget) Peak() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.peak
}

// acquire waits for n bytes, or for all of the budget if that is less, and returns
// how many it took.
func (b *Budget) acquire(ctx context.Context, n int64) (int64, error) {
	n = min(n, b.size)
	if !b.room.TryAcquire(n) {
		b.waiting.Add(1)
		defer b.waiting.Add(-1)
		if b.room.Acquire(ctx, n) != nil {
			return 0, context.Cause(ctx)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used += n
	b.peak = max(b.peak, b.used)
	return n, nil
}

func (b *Budget) release(n int64) {
	b.mu.Lock()
	b.used -= n
	b.mu.Unlock()
	b.room.Release(n)
}

// awaited reports whether a reader waits for the budget or its parent.
func (b *Budget) awaited() bool {
	return b != nil && (b.waiting.Load() > 0 || b.parent.awaited())
}

// Room is the reservation of one reader, for one message at a time. The zero value
// holds nothing. Its methods are safe for concurrent use, except for two calls of
// Reserve.
type Room struct {
	mu      sync.Mutex
	release func()
	closed  bool
}

var errClosed = errors.New("the reader is closed")

// Reserve waits for n bytes. It does nothing if there is a reservation already. If
// the message has not arrived after a minute, and other readers wait, it calls slow,
// which must end the reader. The error is ctx's, or says that the room is closed.
func (r *Room) Reserve(ctx context.Context, b *Budget, n int64, slow func()) error {
	r.mu.Lock()
	held, closed := r.release != nil, r.closed
	r.mu.Unlock()
	if closed {
		return errClosed
	}
	if held || b == nil {
		return nil
	}
	release, err := b.reserve(ctx, n)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		release()
		return errClosed
	}
	var timer *time.Timer
	timer = time.AfterFunc(lease, func() {
		if b.awaited() {
			slow()
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.release != nil {
			timer.Reset(lease)
		}
	})
	r.release = func() {
		timer.Stop()
		release()
	}
	return nil
}

// reserve takes n bytes of b and its parents.
func (b *Budget) reserve(ctx context.Context, n int64) (release func(), err error) {
	taken, err := b.acquire(ctx, n)
	if err != nil {
		return nil, err
	}
	if b.parent == nil {
		return func() { b.release(taken) }, nil
	}
	above, err := b.parent.reserve(ctx, n)
	if err != nil {
		b.release(taken)
		return nil, err
	}
	return func() {
		above()
		b.release(taken)
	}, nil
}

// Free returns the reservation: the message has been handled or dropped.
func (r *Room) Free() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.release != nil {
		r.release()
		r.release = nil
	}
}

// Close returns the reservation, and refuses later ones.
func (r *Room) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.Free()
}
