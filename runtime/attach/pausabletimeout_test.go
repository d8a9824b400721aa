package attach

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// The time that a person takes to sign in does not count.
func TestPausableTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := errors.New("late")
		ctx, cancel := withPausableTimeout(t.Context(), time.Second, late)
		defer cancel()
		time.Sleep(600 * time.Millisecond)
		first := pauseTimeout(ctx)
		second := pauseTimeout(context.WithoutCancel(ctx)) // values are what counts
		time.Sleep(time.Hour)
		first()
		time.Sleep(time.Hour)
		second()
		time.Sleep(300 * time.Millisecond)
		if ctx.Err() != nil {
			t.Fatalf("ended early: %v", context.Cause(ctx))
		}
		time.Sleep(200 * time.Millisecond)
		if context.Cause(ctx) != late {
			t.Errorf("cause %v", context.Cause(ctx))
		}
		pauseTimeout(t.Context())() // no bound, nothing to do
	})
}
