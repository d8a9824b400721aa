// What happens to servers when the program that started them is killed, and
// when its threads end.

package proc

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestFaultE16ParentKilled(t *testing.T) {
	for _, mode := range []string{"echo", "ignore-eof", "ignore-sigterm", "wrapper", "grandchild", "daemon", "double-fork"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			want := map[string]int{"wrapper": 1, "grandchild": 2, "daemon": 2, "double-fork": 2}[mode]
			if want > 0 {
				needShell(t)
			}
			trace := filepath.Join(t.TempDir(), "trace")
			cmd := exec.Command(os.Args[0], mode, "-trace", trace)
			cmd.Env = append(os.Environ(), asParent+"=1")
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(out).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			leader, err := strconv.Atoi(strings.TrimSpace(line))
			if err != nil {
				t.Fatal(err)
			}
			pids := waitFamily(t, trace, leader, max(want, 1))
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // killed
			expectGone(t, append(pids, groupOf(t, leader)...)...)
		})
	}
}

// A server that crashes takes with it what left its group, also what nothing leads
// to any more, and what does not have the mark but a parent that has it.
func TestCrashLeavesNothing(t *testing.T) {
	for _, mode := range []string{"daemon", "double-fork"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			trace := filepath.Join(t.TempDir(), "trace")
			p := startServer(t, mode, "-trace", trace)
			waitForAnswer(t, p)
			left := tracedPIDs(t, trace, "child", "child")
			if len(left) != 1 || !isRunning(left[0]) {
				t.Fatalf("the server started %v", left)
			}
			if state, ok := readProcess(left[0]); !ok || state.group == p.PID() || (mode == "double-fork" && state.parent == p.PID()) {
				t.Fatalf("it did not get away: %+v", state)
			}
			if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			waitDone(t, p)
			expectGone(t, left...) // what was killed is there until the kernel has let it go
		})
	}
}

// The mark of one server finds nothing of another one, and nothing of a program
// that has a like variable of its own.
func TestMarksDiffer(t *testing.T) {
	kept := startServer(t, "double-fork")
	waitForAnswer(t, kept)
	other := startServer(t, "double-fork")
	waitForAnswer(t, other)
	if err := other.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	waitForAnswer(t, kept)
	found := kept.group.strays()
	if len(found) != 1 {
		t.Errorf("%d descendants of the other server are left, want 1", len(found))
	}
	for _, p := range found {
		_ = p.Release()
	}
}

// waitFamily waits until n processes have shown themselves in the trace.
func waitFamily(t *testing.T, trace string, leader, n int) []int {
	t.Helper()
	waitTraced(t, trace)
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		pids := append(tracedPIDs(t, trace, "start", "pid"), tracedPIDs(t, trace, "child", "child")...)
		if len(pids) >= n {
			return append(pids, leader)
		}
	}
	t.Fatalf("after 10s the trace has no start of all processes that are wanted")
	return nil
}

// groupOf lists the members of a process group.
func groupOf(t *testing.T, group int) []int {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		_, after, _ := strings.Cut(string(data), ") ")
		if fields := strings.Fields(after); len(fields) > 2 && fields[2] == strconv.Itoa(group) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

// The parent-death signal fires when the thread that started a process ends.
func TestFaultE17ThreadsMayEnd(t *testing.T) {
	p := startServer(t, "echo")
	waitForAnswer(t, p)
	var all sync.WaitGroup
	for range 1000 {
		all.Go(func() {
			runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		})
	}
	all.Wait()
	waitForAnswer(t, p)
}

// waitIgnores waits until a process ignores or catches a signal: a shell needs a
// moment to get to its trap.
func waitIgnores(t *testing.T, pid int, sig syscall.Signal) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			name, mask, _ := strings.Cut(strings.TrimSpace(line), ":\t")
			if name != "SigIgn" && name != "SigCgt" {
				continue
			}
			if bits, err := strconv.ParseUint(mask, 16, 64); err == nil && bits>>(sig-1)&1 == 1 {
				return
			}
		}
	}
	t.Fatalf("process %d does not ignore %v", pid, sig)
}

// guardPID returns the process id of the guard, 0 for none.
func guardPID() int {
	guarded.mu.Lock()
	defer guarded.mu.Unlock()
	if guarded.shell == nil {
		return 0
	}
	return guarded.shell.Process.Pid
}

// All servers share one guard, which is there while one of them is.
func TestGuard(t *testing.T) {
	needShell(t)
	first, second := startServer(t, "ignore-sigterm"), startServer(t, "echo")
	waitForAnswer(t, first)
	guard := guardPID()
	if members := groupOf(t, guard); len(members) != 1 {
		t.Errorf("the guard's group has members %v, want it alone", members)
	}
	for _, pid := range []int{guard, first.PID()} {
		waitIgnores(t, pid, syscall.SIGTERM)
	}
	first.group.terminate()
	waitForAnswer(t, first)
	if err := second.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if now := guardPID(); now != guard || !isRunning(guard) {
		t.Errorf("with one server left the guard is %d, want %d as before", now, guard)
	}
	first.Kill()
	waitDone(t, first)
	if now := guardPID(); now != 0 || isRunning(guard) {
		t.Errorf("without servers the guard is %d, want none", now)
	}
}

// When its input ends, the guard kills what it was told of, and knows nothing of
// groups that are gone. One that was killed itself, or does not read, is replaced.
func TestGuardKills(t *testing.T) {
	needShell(t)
	for _, tt := range []struct {
		name  string
		fault syscall.Signal // that befalls the first guard
	}{{"whole", 0}, {"killed", syscall.SIGKILL}, {"stopped", syscall.SIGSTOP}} {
		t.Run(tt.name, func(t *testing.T) {
			trace := filepath.Join(t.TempDir(), "trace")
			gone := startServer(t, "echo")
			daemon := startServer(t, "daemon", "-trace", trace)
			waitForAnswer(t, daemon)
			first := guardPID()
			if err := syscall.Kill(first, tt.fault); err != nil {
				t.Fatal(err)
			}
			switch tt.fault {
			case syscall.SIGKILL:
				expectGone(t, first)
			case syscall.SIGSTOP:
				_ = guarded.leash.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
				_, _ = guarded.leash.Write(make([]byte, 1<<20)) // until the pipe is full
			}
			if err := gone.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
			if replaced := guardPID() != first; replaced != (tt.fault != 0) {
				t.Errorf("the guard was replaced: %t", replaced)
			}
			stranger := exec.Command("sleep", "60")
			stranger.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if err := stranger.Start(); err != nil {
				t.Fatal(err)
			}
			defer stranger.Wait()
			defer stranger.Process.Kill()
			guarded.remove(stranger.Process.Pid) // a group that is not guarded, as one that is taken back twice
			stubborn := startServer(t, "ignore-eof")
			_ = guarded.leash.Close() // as the end of this program does
			waitDone(t, stubborn)
			waitDone(t, daemon)
			expectGone(t, append(tracedPIDs(t, trace, "child", "child"), daemon.PID(), stubborn.PID())...)
			if !isRunning(stranger.Process.Pid) {
				t.Error("the guard killed a group that is not a server's")
			}
		})
	}
}

func needShell(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("without a shell there is no guard: ", err)
	}
}

// Looks at what runs are shared by those who ask together, and by nobody who asks
// after a look began.
func TestSharedLook(t *testing.T) {
	processes()
	before := table.shown
	table.mu.Lock()
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { processes() })
	}
	for table.asked.Load() < before+20 {
		runtime.Gosched()
	}
	table.mu.Unlock()
	all.Wait()
	if table.shown != before+20 {
		t.Errorf("the last look was for %d, want one look for all 20", table.shown-before)
	}
	p := startServer(t, "echo")
	if !slices.ContainsFunc(processes(), func(q process) bool { return q.pid == p.PID() && q.mark == p.group.mark }) {
		t.Error("a look does not show a server that was started before it")
	}
}
