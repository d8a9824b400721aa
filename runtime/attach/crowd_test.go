package attach

// Many servers and many callers at once.

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// A thousand calls at the same time over twenty servers, of which one crashes
// again and again, one is too slow, and one changes its tool in the middle: each
// call ends with its own answer, or with the error that its server has earned.
func TestCrowd(t *testing.T) {
	var servers []endpoint.Server
	for i := range 20 {
		var s endpoint.Server
		switch {
		case i == 0:
			s = processServer(t, "crash-after", "-n", "10")
		case i == 1:
			s = processServer(t, "late-response", "-delay", "2s")
			s.Timeout.Call = 300 * time.Millisecond
		case i == 2:
			s = processServer(t, "mutable")
		case i < 8:
			s = processServer(t, "reorder")
		default:
			s = httpServer(t, "echo")
		}
		servers = append(servers, withName(s, fmt.Sprintf("s%02d", i)))
	}
	h := connectAll(t, nil, servers...)
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	sess, err := h.serverState("s02").get()
	if err != nil {
		t.Fatal(err)
	}
	pin, _, err := sess.tools.Load().items.contract("echo")
	if err != nil {
		t.Fatal(err)
	}
	earned := map[string]error{"s00": runtime.ErrUnavailable, "s01": runtime.ErrTimeout, "s02": runtime.ErrDrift}
	var answers, errs [20]atomic.Int64
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range 1000 {
		all.Go(func() {
			<-start
			n := i % 20
			server, args := fmt.Sprintf("s%02d", n), fmt.Sprintf(`{"text":"call %d"}`, i)
			req := runtime.Request{Server: server, Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(args), Pin: pin}
			if n == 2 && i == 502 {
				req.Name, req.Pin = "mutate", ""
				req.Args = json.RawMessage(`{"remove":["echo"],"add":[{"name":"echo","inputSchema":{"type":"object","required":["more"],"properties":{"more":{"type":"string"}}}}],"notify":1,"code":-32602}`)
			}
			res, err := h.Invoke(t.Context(), req)
			switch want := earned[server]; {
			case err == nil && req.Name == "mutate":
			case err == nil && string(res.Structured) == args:
				answers[n].Add(1)
			case err == nil:
				t.Errorf("%s got the answer %s to %s", server, res.Structured, args)
			case want == nil || !errors.Is(err, want) && !(n == 1 && errors.Is(err, runtime.ErrUnavailable)):
				t.Errorf("%s: %v", server, err)
			default:
				errs[n].Add(1)
			}
		})
	}
	close(start)
	all.Wait()
	for n := 3; n < 20; n++ {
		if got := answers[n].Load(); got != 50 {
			t.Errorf("s%02d answered %d of 50", n, got)
		}
	}
	if answers[0].Load() == 0 || errs[0].Load() == 0 || answers[1].Load() != 0 || answers[2].Load()+errs[2].Load() != 49 {
		t.Errorf("crashing %d/%d, slow %d/%d, drifting %d/%d", answers[0].Load(), errs[0].Load(), answers[1].Load(), errs[1].Load(), answers[2].Load(), errs[2].Load())
	}
	// The one that drifted says so from now on; what needs no pin still works.
	req := runtime.Request{Server: "s02", Method: protocol.MethodCallTool, Name: "echo", Args: json.RawMessage(`{"text":"x"}`), Pin: pin}
	eventually(t, "drift", func() bool { _, err := h.Invoke(t.Context(), req); return errors.Is(err, runtime.ErrDrift) })
	for n := 3; n < 20; n++ {
		if err := callOf(t.Context(), h, fmt.Sprintf("s%02d", n)); err != nil {
			t.Error(err)
		}
	}
}

// One that crashes at each call does not touch the others.
func TestFaultE21OneCrashes(t *testing.T) {
	t.Parallel()
	h := connectAll(t, nil, withName(processServer(t, "crash-loop"), "bad"), withName(processServer(t, "echo"), "a"), withName(processServer(t, "echo"), "b"))
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 500 {
				if err := callOf(t.Context(), h, string(rune('a'+i%2))); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 20 {
		if err := callOf(t.Context(), h, "bad"); !errors.Is(err, runtime.ErrUnavailable) {
			t.Errorf("error %v", err)
		}
	}
	all.Wait()
}

// Two hosts over one configuration at once do not know of each other.
func TestFaultE25TwoHosts(t *testing.T) {
	t.Parallel()
	servers := []endpoint.Server{withName(processServer(t, "echo"), "a"), withName(processServer(t, "echo"), "b")}
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			h := connectAll(t, nil, servers...)
			for i := range 100 {
				if err := callOf(t.Context(), h, string(rune('a'+i%2))); err != nil {
					t.Error(err)
				}
			}
			_ = h.Close()
		})
	}
	all.Wait()
}
