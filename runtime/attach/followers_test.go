package attach

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// telling tells of a change before it answers, and answers what listens at the end.
type telling struct {
	transport
	follows *followers
}

func (telling) done() <-chan struct{} { return nil }

func (t telling) Call(ctx context.Context, method string, _ json.RawMessage, _ wire.CallOptions) (json.RawMessage, error) {
	t.follows.tell("file:///r")
	if method == methodListen {
		<-ctx.Done()
	}
	return json.RawMessage(`{}`), ctx.Err()
}

// A server may say that a resource is another before its answer to who follows it.
func TestToldBeforeTheAnswer(t *testing.T) {
	for _, isModern := range []bool{false, true} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		follows := newFollowers()
		session := &session{transport: telling{follows: follows}, opener: &opener{}, protocol: map[bool]string{false: legacy, true: modern}[isModern]}
		session.closing.Store(true)
		ended := make(chan error, 1)
		go func() { ended <- follows.follow(ctx, session, "file:///r", cancel) }()
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("modern %v: Follow ended with %v, want the end of its context after the first update", isModern, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("modern %v: Follow does not end", isModern)
		}
	}
}
