package attach

// Crashes, losses, and how servers come back.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// events collects what a host tells.
type events struct {
	mu  sync.Mutex
	all []event.Event
}

func (e *events) add(ev event.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, ev)
}

// kinds are the kinds of the events of a server, in order; "" is every server.
func (e *events) kinds(server string) []event.Kind {
	e.mu.Lock()
	defer e.mu.Unlock()
	var kinds []event.Kind
	for _, ev := range e.all {
		if server == "" || ev.Server == server {
			kinds = append(kinds, ev.Kind)
		}
	}
	return kinds
}

func (e *events) count(kind event.Kind) int {
	n := 0
	for _, k := range e.kinds("") {
		if k == kind {
			n++
		}
	}
	return n
}

// testTimeout bounds what a test waits for: it is reached by a failure alone.
const testTimeout = time.Minute

// eventually waits until something is so.
func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for deadline := time.Now().Add(testTimeout); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if f() {
			return
		}
	}
	t.Fatalf("after %v it is still not so that %s", testTimeout, what)
}

// fakeClock is a clock that a test moves, and that never waits: it notes for how
// long it was to.
type fakeClock struct {
	mu    sync.Mutex
	t     time.Time
	slept []time.Duration
	hold  chan struct{} // if not nil, what ends each wait
}

func newFakeClock() *fakeClock { return &fakeClock{t: time.Now()} }

func (c *fakeClock) clock() clock { return clock{now: c.now, sleep: c.sleep} }

func (c *fakeClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *fakeClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

func (c *fakeClock) sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	c.slept = append(c.slept, d)
	c.mu.Unlock()
	if c.hold != nil {
		select {
		case <-c.hold:
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

func (c *fakeClock) waits() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.slept)
}

// kill ends a process as an accident does.
func kill(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// echo calls the tool of the well-behaved server.
func echo(ctx context.Context, h *Host) error {
	res, err := callTool(ctx, h, "echo", `{"text":"x"}`)
	if err == nil && res.IsError {
		return errors.New("the tool said no")
	}
	return err
}

// lostState waits until the loss of a server is noted.
func lostState(t *testing.T, h *Host, want ...State) {
	t.Helper()
	eventually(t, fmt.Sprint("state ", want), func() bool { return slices.Contains(want, h.Status()[0].State) })
}

func TestFaultE07CrashAgain(t *testing.T) {
	t.Parallel()
	s, started := tracedServer(t, "crash-after")
	h := connectAll(t, &Options{clock: newFakeClock().clock()}, s) // no second restart is due
	right := 0
	for range 9 {
		if err := echo(t.Context(), h); err == nil {
			right++
		} else if !errors.Is(err, runtime.ErrUnavailable) {
			t.Errorf("error %v", err)
		}
	}
	if starts := len(started("start")); right < 4 || starts != 2 {
		t.Errorf("%d right answers, %d starts", right, starts)
	}
}

// A server that crashes at every call is started again five times at growing
// distances, however often it is called; other calls fail at once and say when one
// may help.
func TestFaultE08CrashLoop(t *testing.T) {
	t.Parallel()
	crashLoop(t, "", []int{1, 2, 7, 27, 87})
}

// crashLoop calls a server that crashes at every call once a second. Restarts is
// at which of the calls it is to be started again.
func crashLoop(t *testing.T, restart endpoint.Restart, restarts []int) {
	t.Helper()
	s, started := tracedServer(t, "crash-loop")
	s.Restart = restart
	var told events
	clk := newFakeClock()
	h := connectAll(t, &Options{OnEvent: told.add, clock: clk.clock()}, s)
	var at []int
	for i := range 150 {
		before := h.Status()[0].Restarts
		err := echo(t.Context(), h)
		if !errors.Is(err, runtime.ErrUnavailable) {
			t.Fatalf("error %v", err)
		}
		checkError(t, err, "exit status 9", "crashed again")
		switch {
		case h.Status()[0].Restarts > before:
			at = append(at, i)
		case len(at) == len(restarts):
			checkError(t, err, "no attempt to start the server again is left", "reload")
		case i > 0:
			checkError(t, err, "the next call can try again", fmt.Sprintf("in %ds", restarts[len(at)]-i))
		}
		clk.advance(time.Second)
	}
	if starts := len(started("start")); !slices.Equal(at, restarts) || starts != 1+len(restarts) {
		t.Errorf("restarts by the calls %v, want %v; %d starts", at, restarts, starts)
	}
	eventually(t, "a notice", func() bool { return told.count(event.Unavailable) > 0 })
	if n := told.count(event.Unavailable); n != 1 {
		t.Errorf("%d notices", n)
	}
	st := h.Status()[0]
	if st.State != Failed || st.Restarts != len(restarts) || st.PID != 0 || st.Tools != 1 {
		t.Errorf("status %+v", st)
	}
	if h.Reload(t.Context(), []endpoint.Server{s}) == nil && len(started("start")) == 1+len(restarts) {
		t.Errorf("Reload has no error, and the server was started %d times, want once more", len(started("start")))
	}
}

// A server that could not be started again works as soon as it can be.
func TestReturnsAfterFailedRestarts(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "starts")
	clk := newFakeClock()
	var told events
	// Four starts fail: the first attempt's and the second's, with each handshake.
	s := processServer(t, "flaky-start", "-n", "4", "-state", state)
	h := connectAll(t, &Options{OnEvent: told.add, clock: clk.clock()}, s)
	checkError(t, echo(t.Context(), h), "exit status 3")
	checkError(t, echo(t.Context(), h), "the next call can try again in 1s")
	if n := told.count(event.Unavailable); n != 1 {
		t.Errorf("%d notices after a failed attempt", n)
	}
	clk.advance(time.Second)
	if err := echo(t.Context(), h); err != nil {
		t.Errorf("once it can be started: %v", err)
	}
}

// A server that does not come up has its attempt when it is first called.
func TestFaultE09FlakyStart(t *testing.T) {
	state := filepath.Join(t.TempDir(), "starts")
	h := connectAll(t, nil, processServer(t, "flaky-start", "-n", "2", "-state", state)) // two: with and without a probe
	checkError(t, h.Err(), "exit status 3")
	if err := echo(t.Context(), h); err != nil {
		t.Errorf("the later call: %v", err)
	}
	if err := h.Err(); err != nil {
		t.Errorf("after it: %v", err)
	}
}

// Attach begins anew where a server has failed for good, and refuses where one
// is there.
func TestFaultE09AttachAgain(t *testing.T) {
	state := filepath.Join(t.TempDir(), "starts")
	s := processServer(t, "flaky-start", "-n", "6", "-state", state)
	h := connectAll(t, nil, s)
	if err := echo(t.Context(), h); err == nil {
		t.Error("the second attempt succeeds, want it to fail: the server starts at the sixth")
	}
	checkError(t, h.Attach(t.Context(), s), "exit status 3")
	if err := h.Attach(t.Context(), s); err != nil {
		t.Errorf("the fourth attempt: %v", err)
	}
	if err := echo(t.Context(), h); err != nil {
		t.Error(err)
	}
	checkError(t, h.Attach(t.Context(), s), `server "s"`, "already attached", "detach the server first")
}

// Many callers at the moment of a crash: one restart, and each gets an answer
// or a typed error; those that came too late for the crash are all answered.
func TestFaultE10CrowdAtTheCrash(t *testing.T) {
	t.Parallel()
	s, started := tracedServer(t, "crash-after", "-n", "100")
	h := connectReady(t, s)
	var right, wrong atomic.Int64
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for range 3 {
				switch err := echo(t.Context(), h); {
				case err == nil:
					right.Add(1)
				case errors.Is(err, runtime.ErrUnavailable):
					wrong.Add(1)
				default:
					t.Errorf("error %v", err)
				}
			}
		})
	}
	all.Wait()
	if starts := len(started("start")); starts != 2 || right.Load() < 128 || wrong.Load() > 64 {
		t.Errorf("%d starts, %d right, %d wrong", starts, right.Load(), wrong.Load())
	}
	if err := echo(t.Context(), h); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// After a restart the listing and its judgement are new.
func TestFaultE11ChangedAfterRestart(t *testing.T) {
	state := filepath.Join(t.TempDir(), "starts")
	s, calls := tracedServer(t, "changed-after-restart", "-n", "1", "-state", state)
	var told events
	h := connectAll(t, &Options{OnEvent: told.add}, s)
	sess, err := h.serverState("s").get()
	if err != nil {
		t.Fatal(err)
	}
	pin, _, err := sess.tools.Load().items.contract("removed")
	if err != nil {
		t.Fatal(err)
	}
	call := func() error {
		_, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "removed", Args: json.RawMessage(`{}`), Pin: pin})
		return err
	}
	if err := call(); err != nil {
		t.Fatal(err)
	}
	if err := call(); !errors.Is(err, runtime.ErrUnavailable) {
		t.Fatalf("the crash: %v", err)
	}
	before := len(calls("message"))
	var drift *runtime.DriftError
	if err := call(); !errors.As(err, &drift) || drift.Tool != "removed" {
		t.Fatalf("after the restart: %v", err)
	}
	if after := methodsOf(calls("message")[before:]); slices.Contains(after, "tools/call") {
		t.Errorf("the new process was called: %v", after)
	}
	if n := told.count(event.ToolRemoved); n != 1 {
		t.Errorf("events %v", told.kinds("s"))
	}
	if err := echo(t.Context(), h); err != nil {
		t.Errorf("the tool that stayed: %v", err)
	}
}

// A minute of health gives the attempt back; less does not, and some systems
// want one for good, or none.
func TestRestartIsGivenBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		restart endpoint.Restart
		health  time.Duration
		crashes int // that are survived
	}{
		{endpoint.RestartHealthy, time.Minute, 7},
		{endpoint.RestartHealthy, 59 * time.Second, 5},
		{endpoint.RestartOnce, time.Hour, 1},
		{endpoint.RestartNever, time.Hour, 0},
	} {
		t.Run(fmt.Sprint(c.restart, c.health), func(t *testing.T) {
			t.Parallel()
			s, started := tracedServer(t, "crash-after", "-n", "1")
			s.Restart = c.restart
			clk := newFakeClock()
			h := connectAll(t, &Options{clock: clk.clock()}, s)
			for range 7 {
				_ = echo(t.Context(), h)
				clk.advance(c.health)
				if err := echo(t.Context(), h); err == nil {
					t.Error("the call has no error, want that of a server that crashes")
				}
				lostState(t, h, Lost, Failed)
				clk.advance(time.Minute) // that is not one of health
			}
			_ = echo(t.Context(), h)
			if got := len(started("start")); got != 1+c.crashes {
				t.Errorf("%d starts, want %d", got, 1+c.crashes)
			}
		})
	}
}

// Whoever waits for a restart may give up without ending it for the others.
func TestWaitingForARestart(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "starts")
	s := processServer(t, "slow-start", "-delay", "700ms", "-state", state)
	s.Timeout.Call = 20 * time.Second
	h := connectReady(t, s)
	pid := h.Status()[0].PID
	kill(t, pid)
	lostState(t, h, Lost)
	impatient, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	patient := make(chan error, 1)
	go func() { patient <- echo(t.Context(), h) }()
	if err := echo(impatient, h); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the impatient one: %v", err)
	}
	if err := <-patient; err != nil {
		t.Errorf("the patient one: %v", err)
	}
	if now := h.Status()[0].PID; now == pid || now == 0 {
		t.Errorf("process %d after %d", now, pid)
	}
}

// Detach and Close end the waiting for a restart.
func TestClosedWhileRestarting(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*Host) error{
		"Close":  (*Host).Close,
		"Detach": func(h *Host) error { return h.Detach("s") },
	} {
		t.Run(name, func(t *testing.T) {
			s, started := tracedServer(t, "slow-init", "-delay", "300ms")
			h := connectReady(t, s)
			kill(t, h.Status()[0].PID)
			lostState(t, h, Lost)
			waiting := make(chan error, 1)
			go func() { waiting <- echo(t.Context(), h) }()
			eventually(t, "a second process", func() bool { return len(started("start")) > 1 })
			if err := end(h); err != nil {
				t.Error(err)
			}
			if err := <-waiting; !errors.Is(err, runtime.ErrNotAttached) {
				t.Errorf("error %v", err)
			}
			for _, e := range started("start") {
				var pid int
				if err := json.Unmarshal(e["pid"], &pid); err != nil {
					t.Fatal(err)
				}
				checkEnded(t, pid)
			}
		})
	}
}

// A process that hangs is ended after three calls that it left without an
// answer, and the next call starts it again.
func TestSilentProcessIsEnded(t *testing.T) {
	s, started := tracedServer(t, "hang-on-call")
	s.Timeout.Call = 100 * time.Millisecond
	h := connectReady(t, s)
	pid := h.Status()[0].PID
	for range 3 {
		if err := echo(t.Context(), h); !errors.Is(err, runtime.ErrTimeout) {
			t.Errorf("error %v", err)
		}
	}
	checkEnded(t, pid)
	lostState(t, h, Lost)
	checkError(t, h.Status()[0].Err, "3 calls in a row")
	if len(started("start")) != 1 {
		t.Errorf("the server was started %d times before the call, want once", len(started("start")))
	}
	if _, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "echo", Options: runtime.Options{Timeout: 50 * time.Millisecond}}); !errors.Is(err, runtime.ErrTimeout) {
		t.Errorf("error %v", err)
	}
	eventually(t, "another process for the next call", func() bool { return len(started("start")) == 2 })
}

// A caller that gives up says nothing about the server, whether it is by its
// context or by the timeout of the call: those of others go on.
func TestImpatienceEndsNobody(t *testing.T) {
	t.Parallel()
	h := connectReady(t, processServer(t, "hang-on-call"))
	pid := h.Status()[0].PID
	inFlight, end := context.WithCancel(t.Context())
	other := make(chan error, 1)
	go func() { other <- echo(inFlight, h) }()
	for range 4 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_ = echo(ctx, h)
		cancel()
		_, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "echo", Options: runtime.Options{Timeout: 20 * time.Millisecond}})
		if !errors.Is(err, runtime.ErrTimeout) {
			t.Errorf("error %v", err)
		}
	}
	if st := h.Status()[0]; st.State != Ready || st.PID != pid || st.Restarts != 0 {
		t.Errorf("state %s, process %d of %d, %v", st.State, st.PID, pid, st.LastErr)
	}
	end()
	if err := <-other; !errors.Is(err, context.Canceled) {
		t.Errorf("the other call: %v", err)
	}
}

// What a restarted server is asked before its first call.
func TestRestartShakesHandsAgain(t *testing.T) {
	s, calls := tracedServer(t, "crash-after", "-n", "1")
	h := connectReady(t, s)
	_, _, err := echo(t.Context(), h), echo(t.Context(), h), echo(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(methodsOf(calls("message")), " ")
	one := "initialize notifications/initialized tools/list tools/call"
	// Which revision works is known by now.
	if want := "server/discover " + one + " tools/call " + one; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
