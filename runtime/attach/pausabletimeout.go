// The time that a server has to get ready. It excludes the time that a person takes
// to sign in.

package attach

import (
	"context"
	"sync"
	"time"
)

// pausableTimeout is a timeout that can be paused.
type pausableTimeout struct {
	mu     sync.Mutex
	timer  *time.Timer
	left   time.Duration
	since  time.Time // when it last resumed
	paused int       // sign-ins in progress
}

type pausableTimeoutKey struct{}

// withPausableTimeout returns a context that ends after d, with this cause, or with its
// parent. It has no Deadline, since that may move.
func withPausableTimeout(parent context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	p := &pausableTimeout{left: d, since: time.Now()}
	p.timer = time.AfterFunc(d, func() { cancel(cause) })
	return context.WithValue(ctx, pausableTimeoutKey{}, p), func() {
		p.timer.Stop()
		cancel(nil)
	}
}

// pauseTimeout pauses the timeout of a context until the returned function is called.
func pauseTimeout(ctx context.Context) (goOn func()) {
	p, ok := ctx.Value(pausableTimeoutKey{}).(*pausableTimeout)
	if !ok {
		return func() {}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.paused++; p.paused == 1 && p.timer.Stop() {
		p.left -= time.Since(p.since)
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.paused--; p.paused == 0 {
			p.since = time.Now()
			p.timer.Reset(max(p.left, 0))
		}
	}
}
