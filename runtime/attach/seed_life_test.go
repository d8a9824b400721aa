package attach

// Rows about the life of servers: attach, status, crash, shutdown.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
)

func lifeSeeds() map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"000-10": failSoft,
		"000-11": firstCallWaitsForNothing,
		"000-25": dynamicAttach,
		"000-26": independentSessions,
		"001-26": parallelStart,
		"001-27": statusPerServer,
		"001-28": listAtStartup,
		"001-29": stableOrder,
		"001-30": shutdownSequence,
		"001-31": concurrentClose,
		"001-34": TestReload,
		"002-18": failSoft,
		"003-04": sessionScope,
		"003-10": restartOnTheNextCall,
		"003-11": secondFailure,
		"003-12": oneRestartForAll,
		"003-13": pendingFailAtOnce,
		"003-19": TestReconnectGivesUp,
		"003-20": TestSilentProcessIsEnded,
	}
}

// A server that hangs is told of with its stage; the others serve.
func failSoft(t *testing.T) {
	t.Parallel()
	var log events
	bad := withName(processServer(t, "never-init"), "github")
	bad.Timeout.Start = time.Second
	h := connectAll(t, &Options{OnEvent: log.add}, bad, withName(httpServer(t, "echo"), "search"))
	var se *ServerError
	for _, e := range log.all {
		if e.Kind == event.Failed && (e.Server != "github" || !errors.As(e.Err, &se)) {
			t.Errorf("event %+v", e)
		}
	}
	if se == nil || se.Stage != stage.Handshake || !errors.Is(se, runtime.ErrTimeout) {
		t.Errorf("error %v", se)
	}
	tools, err := viewOf(h).Tools()
	if err != nil || len(tools) != 1 || tools[0].Spec().Server != "search" {
		t.Errorf("tools %v, %v", tools, err)
	}
	if err := callOf(t.Context(), h, "search"); err != nil {
		t.Error(err)
	}
}

// When Connect returns the servers are ready: nothing is asked of them before
// the first call.
func firstCallWaitsForNothing(t *testing.T) {
	s, calls := tracedServer(t, "slow-init", "-delay", "200ms")
	h := connectReady(t, s)
	before := methodsOf(calls("message"))
	if err := echo(t.Context(), h); err != nil {
		t.Error(err)
	}
	if got := methodsOf(calls("message"))[len(before):]; !slices.Equal(got, []string{"tools/call"}) || before[len(before)-1] != methodListTools {
		t.Errorf("before %v, then %v", before, got)
	}
}

// Attach and detach tell the tools that came and went.
func dynamicAttach(t *testing.T) {
	h := connectAll(t, nil)
	stream := h.Events(t.Context())
	if err := h.Attach(t.Context(), withName(processServer(t, "mutable"), "github")); err != nil {
		t.Fatal(err)
	}
	if err := h.Detach("github"); err != nil {
		t.Fatal(err)
	}
	_ = h.Close()
	var added, removed []string
	for e := range stream {
		switch e.Kind {
		case event.Attached:
			added = e.Tools
		case event.Detached:
			removed = e.Tools
		}
	}
	if want := []string{"echo", "mutate"}; !slices.Equal(added, want) || !slices.Equal(removed, want) {
		t.Errorf("added %v, removed %v", added, removed)
	}
	t.Run("in flight", TestFaultE24DetachDuringACall)
}

// Two hosts of one definition have a process each.
func independentSessions(t *testing.T) {
	s := processServer(t, "echo")
	one, two := connectReady(t, s), connectReady(t, s)
	if a, b := pids(one)["s"], pids(two)["s"]; a == b || a == 0 || b == 0 {
		t.Errorf("processes %d and %d", a, b)
	}
	_ = one.Close()
	if err := echo(t.Context(), two); err != nil {
		t.Error(err)
	}
}

// All begin before the first is ready.
func parallelStart(t *testing.T) {
	var log events
	var servers []endpoint.Server
	for i := range 3 {
		servers = append(servers, withName(processServer(t, "slow-init", "-delay", "300ms"), fmt.Sprint("slow", i)))
	}
	h := connectAll(t, &Options{OnEvent: log.add}, append(servers, withName(httpServer(t, "echo"), "quick"))...)
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	begun := 0
	for _, e := range log.all {
		if !strings.HasPrefix(e.Server, "slow") {
			continue
		}
		if e.Kind == event.Attached {
			break
		}
		begun++
	}
	if begun != len(servers) {
		t.Errorf("%d of %d slow servers began before the first was ready: %v", begun, len(servers), log.kinds(""))
	}
	if last := log.all[len(log.all)-1]; last.Server == "quick" {
		t.Errorf("the last event is %s of the quick server, want one of a slow server", last.Kind)
	}
}

func statusPerServer(t *testing.T) {
	nowhere := httpServer(t, "echo")
	addressOf(nowhere).URL, addressOf(nowhere).Transport = strings.TrimSuffix(addressOf(nowhere).URL, "/mcp")+"/sse", endpoint.HTTP
	h := connectAll(t, nil, withName(processServer(t, "echo"), "good"), withName(endpoint.Server{Launch: &endpoint.Process{Command: "/no/such/program"}}, "missing"), withName(nowhere, "nowhere"))
	want := map[string]State{"good": Ready, "missing": Failed, "nowhere": Failed}
	for _, st := range h.Status() {
		if st.State != want[st.Server] || (st.Err == nil) != (st.State == Ready) {
			t.Errorf("%s: %s, %v", st.Server, st.State, st.Err)
		}
	}
	if err := callOf(t.Context(), h, "good"); err != nil {
		t.Error(err)
	}
}

func listAtStartup(t *testing.T) {
	h := connectAll(t, nil, withName(processServer(t, "list-error"), "bad"), withName(processServer(t, "echo"), "good"))
	st := h.Status()
	if st[0].State != Failed || st[0].Server != "bad" || st[1].State != Ready || st[1].Tools != 1 {
		t.Errorf("status %+v", st)
	}
	checkError(t, st[0].Err, "cannot list")
}

// Servers come in the order in which they were given, and tools in the same one however
// they are listed.
func stableOrder(t *testing.T) {
	for seed := range 20 {
		var log events
		var servers []endpoint.Server
		for _, name := range []string{"c", "a", "b"} {
			servers = append(servers, withName(httpServer(t, "huge-list", "-n", "30", "-shuffle", fmt.Sprint(seed+1)), name))
		}
		h := connectAll(t, &Options{OnEvent: log.add}, servers...)
		var names []string
		for _, st := range h.Status() {
			names = append(names, st.Server)
		}
		if strings.Join(names, "") != "cab" {
			t.Errorf("servers %v", names)
		}
		for _, e := range log.all {
			if e.Kind == event.Attached && (len(e.Tools) != 30 || !slices.IsSorted(e.Tools)) {
				t.Errorf("tools %v", e.Tools)
			}
		}
		_ = h.Close()
	}
}

// timeOf is how long f takes.
func timeOf(f func()) time.Duration {
	began := time.Now()
	f()
	return time.Since(began)
}

// SIGTERM, three seconds, SIGKILL; who obeys is not waited for. There is a
// margin above for machines that are busy, and none below.
func shutdownSequence(t *testing.T) {
	t.Parallel()
	stubborn, obedient := connectReady(t, processServer(t, "ignore-sigterm")), connectReady(t, processServer(t, "ignore-eof"))
	pid := pids(stubborn)["s"]
	if d := timeOf(func() { _ = obedient.Close() }); d >= 3*time.Second {
		t.Errorf("the obedient one took %v", d)
	}
	if d := timeOf(func() { _ = stubborn.Close() }); d < 3*time.Second || d >= closeTimeout {
		t.Errorf("the stubborn one took %v", d)
	}
	checkEnded(t, pid)
}

// All at once: three stubborn ones take as long as one, and not until the host gives up.
func concurrentClose(t *testing.T) {
	t.Parallel()
	h := connectAll(t, nil, withName(processServer(t, "ignore-sigterm"), "a"), withName(processServer(t, "ignore-sigterm"), "b"), withName(processServer(t, "ignore-sigterm"), "c"))
	all := pids(h)
	if d := timeOf(func() { _ = h.Close() }); d < 3*time.Second || d >= closeTimeout {
		t.Errorf("it took %v", d)
	}
	for _, pid := range all {
		checkEnded(t, pid)
	}
}

func sessionScope(t *testing.T) {
	h := connectAll(t, nil, withName(processServer(t, "echo"), "a"), withName(processServer(t, "echo"), "b"))
	all := pids(h)
	_ = h.Close()
	for name, pid := range all {
		if pid == 0 {
			t.Errorf("%s has no process", name)
		}
		checkEnded(t, pid)
	}
}

func restartOnTheNextCall(t *testing.T) {
	s, started := tracedServer(t, "crash-after", "-n", "1")
	h := connectReady(t, s)
	pid := pids(h)["s"]
	if err := echo(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	if err := echo(t.Context(), h); err == nil {
		t.Fatal("the call has no error, want that of a server that crashes")
	}
	lostState(t, h, Lost)
	checkEnded(t, pid)
	if n := len(started("start")); n != 1 {
		t.Errorf("%d processes before the next call", n)
	}
	if err := echo(t.Context(), h); err != nil {
		t.Error(err)
	}
	if now := pids(h)["s"]; now == pid || now == 0 || len(started("start")) != 2 {
		t.Errorf("process %d after %d, %d starts", now, pid, len(started("start")))
	}
}

// Two processes, whether the second crashes or does not even start; then no
// more, and one notice.
func secondFailure(t *testing.T) {
	t.Run("crash-always", func(t *testing.T) { crashLoop(t, endpoint.RestartOnce, []int{1}) })
	// A process that ends in the handshake is one start, and one that a probe would
	// end comes up with its first one.
	for mode, up := range map[string]bool{"crash-on-init": false, "discover-exit": true} {
		t.Run(mode, func(t *testing.T) {
			s, started := tracedServer(t, mode)
			s.Restart = endpoint.RestartOnce
			h := connectAll(t, nil, s)
			if n := len(started("start")); n != 1 || (h.Err() == nil) != up {
				t.Errorf("%d processes, %v", n, h.Err())
			}
		})
	}
	t.Run("no return", func(t *testing.T) {
		state := filepath.Join(t.TempDir(), "starts")
		var log events
		s := processServer(t, "no-return", "-state", state)
		s.Restart = endpoint.RestartOnce
		h := connectAll(t, &Options{OnEvent: log.add}, s)
		for range 5 {
			if err := echo(t.Context(), h); !errors.Is(err, runtime.ErrUnavailable) {
				t.Errorf("error %v", err)
			}
		}
		// Calls do not wait for those who are told.
		eventually(t, "a notice", func() bool { return log.count(event.Unavailable) > 0 })
		if n := log.count(event.Unavailable); n != 1 || log.count(event.Restarting) != 1 {
			t.Errorf("%d notices, events %v", n, log.kinds("s"))
		}
		data, err := os.ReadFile(state)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(data), "\n"); n != 2 {
			t.Errorf("%d processes", n)
		}
	})
}

// Ten callers, one new process.
func oneRestartForAll(t *testing.T) {
	s, started := tracedServer(t, "slow-init", "-delay", "200ms")
	h := connectReady(t, s)
	kill(t, pids(h)["s"])
	lostState(t, h, Lost)
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			if err := echo(t.Context(), h); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := len(started("start")); n != 2 {
		t.Errorf("%d processes", n)
	}
}

// The calls in flight end with the process, long before their time is up.
func pendingFailAtOnce(t *testing.T) {
	s, calls := tracedServer(t, "hang-on-call")
	s.Timeout.Call = time.Hour
	h := connectReady(t, s)
	errs := make(chan error, 3)
	for range 3 {
		go func() { errs <- echo(t.Context(), h) }()
	}
	eventually(t, "three calls", func() bool {
		return strings.Count(strings.Join(methodsOf(calls("message")), " "), "tools/call") == 3
	})
	kill(t, pids(h)["s"])
	for range 3 {
		err := <-errs
		if !errors.Is(err, runtime.ErrUnavailable) {
			t.Errorf("error %v", err)
		}
		checkError(t, err, "killed")
	}
}
