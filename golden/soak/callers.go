package main

// What happens to the host: calls, and everything that gets in their way.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

func newRandom(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// pause waits up to most, or until ctx ends.
func pause(ctx context.Context, r *rand.Rand, most time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Duration(r.Int64N(int64(most)))):
	}
}

// call calls servers at random, each time with a text of its own, and looks at
// what comes back.
func (s *soak) call(ctx context.Context, r *rand.Rand) {
	for n := 0; ctx.Err() == nil; n++ {
		server := s.fleet.servers[r.IntN(len(s.fleet.servers))]
		text := fmt.Sprintf("%s/%016x/%d", server.endpoint.Name, r.Uint64(), n)
		args, _ := json.Marshal(map[string]string{"text": text}) // strings can always be encoded
		req := runtime.Request{Server: server.endpoint.Name, Method: protocol.MethodCallTool, Name: "echo", Args: args}
		if r.IntN(50) == 0 {
			req.Options.Timeout = time.Duration(1+r.IntN(100)) * time.Millisecond
		}
		result, err := s.host.Invoke(ctx, req)
		if ctx.Err() != nil {
			return
		}
		s.tally.add(server, text, result, err)
		pause(ctx, r, 100*time.Millisecond)
	}
}

// disturb kills processes, changes listings, takes servers out and puts them back.
func (s *soak) disturb(ctx context.Context, r *rand.Rand) {
	for ctx.Err() == nil {
		pause(ctx, r, 4*time.Second)
		server := s.fleet.servers[r.IntN(len(s.fleet.servers))]
		name := server.endpoint.Name
		switch what := r.IntN(4); {
		case what == 0:
			if pid := s.pid(name); pid != 0 {
				if p, err := os.FindProcess(pid); err == nil && p.Kill() == nil {
					s.tally.happened("process killed")
				}
			}
		case what == 1 && server.mode == "mutable":
			change := fmt.Sprintf(`{"remove":["extra"],"add":[{"name":"extra","description":"%d","inputSchema":{"type":"object"}}],"notify":3}`, r.Int())
			_, _ = s.host.Invoke(ctx, runtime.Request{Server: name, Method: protocol.MethodCallTool, Name: "mutate", Args: json.RawMessage(change)})
			s.tally.happened("listing changed")
		case what == 2:
			if s.host.Detach(name) == nil {
				pause(ctx, r, 200*time.Millisecond)
				_ = s.host.Attach(ctx, server.endpoint) // what did not come up is called all the same
				s.tally.happened("detached and attached")
			}
		case what == 3:
			// A changed endpoint is attached afresh, the others stay.
			servers := s.fleet.endpoints()
			for i := range servers {
				if p, ok := servers[i].Launch.(*endpoint.Process); ok && servers[i].Name == name {
					changed := *p
					changed.Env = append(slices.Clone(p.Env), endpoint.Var{Name: "SOAK", Value: fmt.Sprint(r.Int())})
					servers[i].Launch = &changed
				}
			}
			_ = s.host.Reload(ctx, servers)
			s.tally.happened("reloaded")
		}
	}
}

func (s *soak) pid(server string) int {
	for _, st := range s.host.Status() {
		if st.Server == server && st.State == attach.Ready {
			return st.PID
		}
	}
	return 0
}

// tally counts what became of calls.
type tally struct {
	mu       sync.Mutex
	calls    int
	good     map[bool]int // by whether the server is sound
	failures map[string]int
	events   map[string]int
	wrong    []string // answers that are another call's, or that nobody gave
	untyped  []string
}

func newTally() *tally {
	return &tally{good: map[bool]int{}, failures: map[string]int{}, events: map[string]int{}}
}

func (t *tally) total() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.calls
}

func (t *tally) happened(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.events[what]++
}

// sentinels are the errors that a program can tell apart.
var sentinels = []error{
	runtime.ErrNotAttached, runtime.ErrUnavailable, runtime.ErrTimeout, runtime.ErrInvalidArgs, runtime.ErrDecode,
	runtime.ErrAuth, runtime.ErrDenied, runtime.ErrDrift, runtime.ErrRPC, context.Canceled, context.DeadlineExceeded,
}

func (t *tally) add(s server, text string, result *runtime.Result, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls++
	if err == nil {
		t.good[s.sound]++
		var got struct{ Text string }
		if s.exact && (json.Unmarshal(result.Structured, &got) != nil || got.Text != text) {
			t.wrong = append(t.wrong, fmt.Sprintf("%s: asked %q, got %.100q", s.endpoint.Name, text, result.Raw))
		}
		return
	}
	var call *runtime.CallError
	if !errors.As(err, &call) {
		t.untyped = append(t.untyped, fmt.Sprintf("%s: %v", reflect.TypeOf(err), err))
		return
	}
	for _, known := range sentinels {
		if errors.Is(err, known) {
			t.failures[fmt.Sprintf("%s: %v", call.Stage, known)]++
			return
		}
	}
	t.failures[call.Stage+": the session"]++
	if call.Stage == "" {
		t.untyped = append(t.untyped, err.Error())
	}
}
