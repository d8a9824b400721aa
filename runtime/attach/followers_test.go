package attach

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"
)

// A server may say that a resource is another before its answer to who follows it.
func TestToldBeforeTheAnswer(t *testing.T) {
	for _, modern := range []bool{false, true} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		follows := newFollowers()
		session := updateSession{
			isModern: modern, closing: func() bool { return true },
			send: func(ctx context.Context, method, _ string, _ json.RawMessage) error {
				follows.tell("file:///r")
				if method == methodListen {
					<-ctx.Done()
				}
				return ctx.Err()
			},
		}
		ended := make(chan error, 1)
		go func() { ended <- follows.follow(ctx, session, "file:///r", cancel) }()
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("modern %v: Follow ended with %v, want the end of its context after the first update", modern, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("modern %v: Follow does not end", modern)
		}
	}
}
