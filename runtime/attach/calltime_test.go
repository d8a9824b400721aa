package attach

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Which calls show that a process hangs.
func TestSilence(t *testing.T) {
	const own = time.Minute
	server := endpoint.Server{Timeout: endpoint.Timeouts{Call: own}}
	type call struct {
		limit   time.Duration // 0: the server's
		from    int           // step at which it begins; it ends at its place in the list
		hear    int64         // what arrives before its end
		ok      bool          // it is answered, or its caller's context ends
		partial bool          // a part of its time went by before
	}
	for name, c := range map[string]struct {
		calls []call
		at    int // the call that ends the process; -1: none
	}{
		"three in a row":           {[]call{{}, {from: 1}, {from: 2}}, 2},
		"longer limits":            {[]call{{limit: 2 * own}, {from: 1, limit: -1}, {from: 2, limit: own}}, -1}, // the one without has no end by time
		"as long as the server's":  {[]call{{limit: own}, {from: 1, limit: own}, {from: 2, limit: 2 * own}}, 2},
		"a caller's short limits":  {[]call{{limit: 1}, {from: 1, limit: 1}, {from: 2, limit: 1}, {from: 3, limit: 1}}, -1},
		"all at the same time":     {[]call{{}, {}, {}, {}}, -1},
		"a sign of life":           {[]call{{}, {from: 1}, {from: 2, hear: 1}, {from: 3}, {from: 4}}, -1},
		"and silence after it":     {[]call{{}, {from: 1, hear: 1}, {from: 2}, {from: 3}, {from: 4}}, 4},
		"a caller that gives up":   {[]call{{}, {from: 1}, {from: 2, ok: true}, {from: 3}}, 3},
		"after waiting":            {[]call{{}, {from: 1}, {from: 2, partial: true}, {from: 3, partial: true}}, -1},
		"one with more time waits": {[]call{{}, {from: 1}, {from: 2}, {from: 3}, {limit: 9 * own}}, -1},
	} {
		t.Run(name, func(t *testing.T) {
			q, at, heard := new(silence), -1, int64(7)
			type begun struct {
				ct     *callTime
				number uint64
				heard  int64
			}
			open := map[int]begun{}
			for step, one := range c.calls {
				for i, other := range c.calls {
					if other.from == step && i >= step {
						ct := newCallTime(t.Context(), server, runtime.Options{Timeout: other.limit})
						ct.whole = ct.whole && !other.partial
						open[i] = begun{ct, q.begin(ct), heard}
					}
				}
				b := open[step]
				heard += one.hear
				b.ct.stop()
				if !one.ok && b.ct.limit > 0 {
					up, cancel := context.WithCancelCause(t.Context())
					cancel(errCallTimeout)
					b.ct.ctx = up
				}
				if q.end(b.ct, b.number, b.heard, heard) && at < 0 {
					at = step
				}
			}
			if at != c.at {
				t.Errorf("ended by call %d, want %d", at, c.at)
			}
		})
	}
}

// timed is a transport whose calls take their time; then it is lost, or answers.
type timed struct {
	transport
	takes time.Duration
	over  chan struct{} // closed when it is lost; nil: it answers
	lose  func()
}

func (c *timed) Call(ctx context.Context, _ string, _ json.RawMessage, _ wire.CallOptions) (json.RawMessage, error) {
	if err := wire.Pause(ctx, nil, c.takes); err != nil {
		return nil, &wire.Error{Err: err}
	}
	if c.over != nil {
		c.lose()
		close(c.over)
		return nil, &wire.Error{Err: errors.New("lost")}
	}
	return json.RawMessage(`{"completion":{"values":[]}}`), nil
}

func (c *timed) done() <-chan struct{}          { return c.over }
func (c *timed) Skipped() (int, string)         { return 0, "" }
func (c *timed) SkippedSince(int) (int, string) { return 0, "" }

// A call has one time for all that it does: the attempt that is lost, the wait
// until the server is back, and the attempt after it.
func TestOneTimeForAll(t *testing.T) {
	for name, c := range map[string]struct {
		limit time.Duration
		took  time.Duration
		ok    bool
	}{
		"enough":       {2 * time.Second, 1800 * time.Millisecond, true},
		"not enough":   {1500 * time.Millisecond, 1500 * time.Millisecond, false},
		"not to wait":  {time.Second, time.Second, false},
		"the server's": {0, 1700 * time.Millisecond, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := endpoint.Server{Name: "s", Launch: &endpoint.Process{Command: "x"}, Timeout: endpoint.Timeouts{Call: 1700 * time.Millisecond}}
				again := func(next runtime.Invoker) runtime.Invoker { // a caller's limit holds for it, too
					return runtime.InvokerFunc(func(ctx context.Context, req runtime.Request) (*runtime.Result, error) {
						res, err := next.Invoke(ctx, req)
						if err != nil && req.Options.Timeout > 0 {
							return next.Invoke(ctx, req)
						}
						return res, err
					})
				}
				h, err := Connect(t.Context(), nil, &Options{Middleware: []runtime.Middleware{again}})
				if err != nil {
					t.Fatal(err)
				}
				defer h.Close()
				s := h.keeper.newServerState(server)
				h.states["s"], h.order = s, []string{"s"}
				answering := &session{transport: &timed{takes: 600 * time.Millisecond}, opener: &opener{server: server}}
				losing := &session{transport: &timed{takes: 600 * time.Millisecond, over: make(chan struct{}), lose: func() {
					s.mu.Lock()
					defer s.mu.Unlock()
					s.session, s.status.State, s.reconnecting = nil, Lost, &reconnect{done: make(chan struct{})}
					time.AfterFunc(600*time.Millisecond, func() {
						s.mu.Lock()
						defer s.mu.Unlock()
						s.session, s.status.State = answering, Ready
						s.finishReconnect(nil)
					})
				}}, opener: &opener{server: server}}
				s.session, s.status.State, s.reconnecting = losing, Ready, nil
				defer func() { s.mu.Lock(); s.session = nil; s.mu.Unlock() }()
				began := time.Now()
				_, err = h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodComplete, Name: "x",
					Args: json.RawMessage(`{"argument":{"name":"a","value":""}}`), Options: runtime.Options{Timeout: c.limit}})
				if took := time.Since(began); took != c.took || (err == nil) != c.ok || err != nil && !errors.Is(err, runtime.ErrTimeout) {
					t.Errorf("%v after %v, want %v", err, took, c.took)
				}
				time.Sleep(time.Second) // what comes back does
			})
		})
	}
}
