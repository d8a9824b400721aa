// Small helpers around bodies and time.

package httpx

import (
	"context"
	"io"
	"time"
)

// timeoutOrNone is a bound in time; zero is none.
type timeoutOrNone time.Duration

func (t timeoutOrNone) apply(ctx context.Context) (context.Context, context.CancelFunc) {
	if t == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Duration(t))
}

// closing calls a function after a body is closed.
type closing struct {
	io.ReadCloser
	after func()
}

// Close closes the body.
func (c *closing) Close() error {
	defer c.after()
	return c.ReadCloser.Close()
}
