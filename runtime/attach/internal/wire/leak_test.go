package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"testing"
	"time"
)

// Servers that stop listening hold neither a call nor the end up.
func TestDeafServers(t *testing.T) {
	for mode, params := range map[string]string{"no-read": `{"x":"` + repeat("x", 4<<20) + `"}`, "close-stdin": `{}`} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			c, p := startServer(t, Options{}, mode)
			if _, err := c.Call(t.Context(), "tools/list", nil, CallOptions{}); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if mode == "close-stdin" {
				waitClosed(t, c)
			}
			_, err := c.Call(ctx, "tools/call", json.RawMessage(params), CallOptions{})
			var e *Error
			if !errors.As(err, &e) || e.Sent != (mode == "no-read") {
				t.Errorf("%v (%T)", err, err)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
			now, hurry := context.WithCancel(t.Context())
			hurry()
			if err := p.Shutdown(now); err != nil {
				t.Error(err)
			}
		})
	}
}

// waitClosed writes until the server has closed its input.
func waitClosed(t *testing.T, c *Conn) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); c.Err() == nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("after 10s the connection has not ended")
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		_, _ = c.Call(ctx, "ping", nil, CallOptions{}) // only the write matters
		cancel()
	}
	var le *LostError
	if !errors.As(c.Err(), &le) {
		t.Errorf("ended with %v", c.Err())
	}
}

// What was queued before Close still leaves.
func TestCloseFlushes(t *testing.T) {
	c, p := connect(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	call := startCall(ctx, c, `{}`)
	p.next()
	cancel()
	receive(t, call)
	_ = c.Close()
	if g := p.next(); g.Method != "notifications/cancelled" {
		t.Errorf("message %s", g.line)
	}
	if _, err := p.read(); !errors.Is(err, io.EOF) {
		t.Errorf("the peer's input: %v", err)
	}
}

func TestNothingIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	c, _ := startServer(t, Options{}, "hang-on-call")
	for range 1000 {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Microsecond)
		if _, err := c.Call(ctx, "tools/call", nil, CallOptions{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		cancel()
	}
	if len(c.calls) != 0 {
		t.Errorf("%d calls are still waiting", len(c.calls))
	}
	_ = c.Close()
	for range 100 {
		r, w := io.Pipe()
		c := NewStream(r, nowhere(t), Options{})
		_ = c.Close()
		_ = w.Close()
	}
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, before %d", runtime.NumGoroutine(), before)
}
