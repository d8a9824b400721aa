//go:build unix

// Real processes: how they start, fail and end.

package proc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
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

	"github.com/mcpgen/mcpgen/golden/testserver"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// asParent makes the test binary the parent of a server.
const asParent = "PROC_TEST_PARENT"

func TestMain(m *testing.M) {
	if os.Getenv(asParent) != "" {
		os.Exit(runParent(os.Args[1:]))
	}
	os.Exit(testserver.Run(m.Run))
}

// runParent starts a server, says its process id and waits to be killed.
func runParent(args []string) int {
	p, err := Start(serverSpec(args...), 0)
	if err != nil {
		os.Stderr.WriteString(err.Error())
		return 1
	}
	os.Stdout.WriteString(strconv.Itoa(p.PID()) + "\n")
	_, _ = io.Copy(io.Discard, p.Stdout()) // until the server ends
	time.Sleep(time.Minute)
	return 0
}

// envOf is an environment of KEY=VALUE.
func envOf(pairs ...string) (env []endpoint.Var) {
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		env = append(env, endpoint.Var{Name: name, Value: value})
	}
	return env
}

func serverSpec(args ...string) endpoint.Process {
	return endpoint.Process{Command: testserver.Program(), Args: args}
}

// startServer starts the test server. What is left of it when the test ends is killed.
func startServer(t *testing.T, args ...string) *Process {
	t.Helper()
	p, err := Start(serverSpec(args...), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Kill()
		waitDone(t, p)
	})
	return p
}

func waitDone(t *testing.T, p *Process) {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(10 * time.Second):
		t.Fatalf("process %d has not ended", p.PID())
	}
}

// waitForAnswer waits until the server answers, so that it has started what it starts.
func waitForAnswer(t *testing.T, p *Process) {
	t.Helper()
	if _, err := io.WriteString(p.Stdin(), `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(p.Stdout()).ReadString('\n'); err != nil || !strings.Contains(line, `"id":1`) {
		t.Fatalf("answer %q, %v; stderr: %s", line, err, p.Stderr())
	}
}

// tracedPIDs returns the process ids of all events of a kind in a trace.
func tracedPIDs(t *testing.T, path, event, member string) []int {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for line := range bytes.Lines(data) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // it is being written
		}
		var e map[string]any
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		if e["event"] == event {
			pids = append(pids, int(e[member].(float64)))
		}
	}
	return pids
}

// isRunning tells whether a process runs; one that only waits to be reaped does not.
func isRunning(pid int) bool {
	if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil {
		_, after, _ := bytes.Cut(stat, []byte(") "))
		return !bytes.HasPrefix(after, []byte("Z")) && !bytes.HasPrefix(after, []byte("X"))
	}
	return runtime.GOOS != "linux" && syscall.Kill(pid, 0) == nil
}

func expectGone(t *testing.T, pids ...int) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for _, pid := range pids {
		for isRunning(pid) {
			if time.Now().After(deadline) {
				_ = syscall.Kill(pid, syscall.SIGKILL) // ours: leave nothing behind
				t.Errorf("process %d is still there", pid)
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain := write("plain", "#!/bin/sh\n", 0o600)
	lost := write("lost", "#!/no/such/interpreter\n", 0o700)
	text := write("text", "hello\n", 0o700)
	for _, tt := range []struct {
		name string
		r    endpoint.Process
		want []string
	}{
		{"missing", endpoint.Process{Command: "no-such-server", Env: envOf("PATH=/bin:/usr/bin")}, []string{`"no-such-server"`, `"."`, "not found in the PATH", "/bin:/usr/bin"}},
		{"no PATH", endpoint.Process{Command: "sh"}, []string{"no PATH"}},
		{"missing path", endpoint.Process{Command: dir + "/none", Dir: dir}, []string{"none", dir, "does not exist"}},
		{"relative path", endpoint.Process{Command: "./none", Dir: dir}, []string{dir + "/none does not exist"}},
		{"not executable", endpoint.Process{Command: plain}, []string{"not executable", "chmod +x"}},
		{"not executable in PATH", endpoint.Process{Command: "plain", Env: envOf("PATH=" + dir)}, []string{"not executable"}},
		{"directory", endpoint.Process{Command: dir}, []string{"is a directory"}},
		{"no interpreter", endpoint.Process{Command: lost}, []string{"interpreter", "not found"}},
		{"no program", endpoint.Process{Command: text}, []string{"not a program for this machine"}},
		{"a command line", endpoint.Process{Command: "sh -c 'x y'", Env: envOf("PATH=/bin")}, []string{"with a space", `command: sh, args: ["-c","'x","y'"]`}},
		{"a command line with a slash", endpoint.Process{Command: dir + "/sh -c a/b", Dir: dir, Env: envOf("PATH=/bin")}, []string{`"sh -c a/b" in "`, `command: sh, args: ["-c","a/b"]`}},
		{"a path with a space", endpoint.Process{Command: dir + "/no such"}, []string{"no such does not exist"}},
		{"empty", endpoint.Process{}, []string{"command is empty"}},
		{"no working directory", endpoint.Process{Command: "/bin/sh", Dir: dir + "/none"}, []string{"/bin/sh", dir + "/none", "working directory does not exist"}},
		{"working directory is a file", endpoint.Process{Command: "/bin/sh", Dir: plain}, []string{"not a directory"}},
		{"too large", endpoint.Process{Command: "/bin/sh", Args: []string{strings.Repeat("x", 1<<20)}}, []string{"too large"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Start(tt.r, 0)
			var se *StartError
			if !errors.As(err, &se) {
				t.Fatalf("error %v (%T)", err, err)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not contain %q", err, want)
				}
			}
			if checked := Check(tt.r); checked != nil && checked.Error() != err.Error() {
				t.Errorf("before the start: %q, at the start: %q", checked, err)
			}
		})
	}
}

func TestStartIsExact(t *testing.T) {
	dir := t.TempDir()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\npwd\nfor a; do echo \"$a\"; done\necho \"VAR=$VAR\"\ncat\n"
	if err := os.WriteFile(filepath.Join(dir, "server"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	args := []string{"x; touch EVIL", "$(touch EVIL)", "`touch EVIL`", "", "a b"}
	for _, command := range []string{"./server", "server"} {
		p, err := Start(endpoint.Process{Command: command, Args: args, Dir: dir, Env: envOf("PATH="+dir+":/usr/bin:/bin", "VAR=one", "VAR=two")}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(p.Stdin(), "input\n"); err != nil {
			t.Fatal(err)
		}
		_ = p.Stdin().Close()
		out, err := io.ReadAll(p.Stdout())
		if err != nil {
			t.Fatal(err)
		}
		want := dir + "\n" + strings.Join(args, "\n") + "\nVAR=two\ninput\n"
		if string(out) != want {
			t.Errorf("%s: output %q, want %q", command, out, want)
		}
		waitDone(t, p)
		var ee *ExitError
		if !errors.As(p.Err(), &ee) || ee.Code != 0 || p.Err().Error() != "exit status 0" {
			t.Errorf("end: %v", p.Err())
		}
		if err := p.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "EVIL")); err == nil {
		t.Error("the file EVIL is there, so a shell read the arguments, want none")
	}
}

func TestEmptyEnvironment(t *testing.T) {
	t.Setenv("PROC_TEST_SECRET", "secret")
	env, err := exec.LookPath("env")
	if err != nil {
		t.Skip("no program env: ", err)
	}
	p, err := Start(endpoint.Process{Command: env}, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Shutdown(t.Context())
	if out, _ := io.ReadAll(p.Stdout()); strings.TrimSpace(string(out)) != p.group.mark {
		t.Errorf("environment %q, want nothing but %q", out, p.group.mark)
	}
}

func TestCrash(t *testing.T) {
	p := startServer(t, "crash-on-start")
	if err := p.Err(); err != nil && p.PID() == 0 {
		t.Error(err)
	}
	waitDone(t, p)
	if got, want := p.Err().Error(), "exit status 3; stderr: EVIL_API_KEY is not set"; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
	p = startServer(t, "ignore-eof")
	waitForAnswer(t, p)
	if err := p.Err(); err != nil {
		t.Errorf("a running process has ended: %v", err)
	}
	if err := syscall.Kill(p.PID(), syscall.SIGSEGV); err != nil {
		t.Fatal(err)
	}
	waitDone(t, p)
	var ee *ExitError
	if !errors.As(p.Err(), &ee) || ee.Code == 0 {
		t.Errorf("end: %v", p.Err())
	}
}

// A server that ends by itself takes what it started with it.
func TestCrashEndsGroup(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	p := startServer(t, "grandchild", "-trace", trace)
	waitForAnswer(t, p)
	if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	waitDone(t, p)
	if _, err := io.Copy(io.Discard, p.Stdout()); err != nil {
		t.Error(err)
	}
	expectGone(t, tracedPIDs(t, trace, "child", "child")...)
}

func TestShutdown(t *testing.T) {
	for _, mode := range []string{"echo", "never-init", "ignore-eof", "ignore-sigterm", "grandchild", "wrapper", "daemon", "double-fork"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			trace := filepath.Join(t.TempDir(), "trace")
			p := startServer(t, mode, "-trace", trace)
			if mode == "never-init" {
				waitTraced(t, trace)
			} else {
				waitForAnswer(t, p)
			}
			if (mode == "daemon" || mode == "double-fork") && runtime.GOOS != "linux" {
				t.Skip("sessions of their own are followed on Linux only")
			}
			var all sync.WaitGroup
			for range 3 {
				all.Go(func() {
					if err := p.Shutdown(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if p.Err() == nil {
				t.Error("Shutdown returned, and the process has no exit status yet")
			}
			pids := append(tracedPIDs(t, trace, "start", "pid"), tracedPIDs(t, trace, "child", "child")...)
			expectGone(t, pids...)
			if _, err := p.Stdin().Write([]byte("x")); err == nil {
				t.Error("a write to standard input succeeds after Shutdown, want it closed")
			}
			if err := p.Shutdown(t.Context()); err != nil {
				t.Error("second Shutdown:", err)
			}
			p.Kill() // must be harmless
		})
	}
}

func waitTraced(t *testing.T, path string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
	}
	t.Fatal("after 10s the trace has no start of the server")
}

func TestShutdownHurries(t *testing.T) {
	p := startServer(t, "ignore-sigterm")
	waitForAnswer(t, p)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	var ee *ExitError
	if !errors.As(p.Err(), &ee) || ee.Status != "signal: killed" {
		t.Errorf("end: %v", p.Err())
	}
}

func TestStderrFlood(t *testing.T) {
	p := startServer(t, "noise-stderr-flood", "-size", "8MiB")
	waitForAnswer(t, p)
	if got := len(p.Stderr()); got != tailSize {
		t.Errorf("%d bytes of standard error kept, want %d", got, tailSize)
	}
	p.stderr.mu.Lock()
	defer p.stderr.mu.Unlock()
	if got := cap(p.stderr.kept); got > 3*tailSize {
		t.Errorf("%d bytes of memory for standard error", got)
	}
}

// A write into a full pipe ends when the process is shut down.
func TestBlockedWrite(t *testing.T) {
	p := startServer(t, "sleep")
	failed := make(chan error, 1)
	go func() {
		_, err := p.Stdin().Write(make([]byte, 4<<20))
		failed <- err
	}()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	if err := <-failed; err == nil {
		t.Error("the blocked write has no error after Shutdown, want one")
	}
}

func TestLastLines(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "",
		"\n\n":                    "",
		"one\n":                   "one",
		"one\n\n  two\r\n":        "one | two",
		"\x1b[31mred\x1b[0m\n":    "red",
		"a\u202eb\u2066\x00\tc":   "ab c",
		"\xff\xfebad":             "\ufffd\ufffdbad",
		strings.Repeat("x\n", 99): strings.Repeat("x | ", 11) + "x",
		"npm warn config a\nno key\nnpm notice b": "no key",
		"npm error code E404\nnpm error 404\nnpm error 404 no such package\nnpm error A complete log of this run can be found in: /x\n": "npm error code E404 | npm error 404 no such package",
		"npm warn config a\n": "npm warn config a",
		"Error: no key\n" + strings.Repeat("    at Module._compile (node:internal/modules:1:1)\n", 30) + "\nNode.js v20":                                                                                  "Error: no key | Node.js v20",
		"Traceback (most recent call last):\n  File \"s.py\", line 1, in <module>\nModuleNotFoundError: No module named mcp\n":                                                                            "Traceback (most recent call last): | ModuleNotFoundError: No module named mcp",
		"panic: no key\n\ngoroutine 1 [running]:\nmain.main()\n\t/x/main.go:3 +0x18\nnet/http.(*conn).serve(0xc0)\n\t/x/y.go:7 +0x1\ncreated by net/http.(*Server).Serve in goroutine 1\nexit status 2\n": "panic: no key | exit status 2",
		"thread 'main' panicked at src/main.rs:2:5:\nno key\nstack backtrace:\n   0: rust_begin_unwind\n             at /rustc/x\n":                                                                       "thread 'main' panicked at src/main.rs:2:5: | no key | stack backtrace:",
		"ZodError: [\n  {\n    \"path\": [\"KEY\"]\n": `ZodError: [ | { | "path": ["KEY"]`,
	} {
		if got := lastLines(in); got != want {
			t.Errorf("lastLines(%q) = %q, want %q", in, got, want)
		}
	}
	if got := lastLines(strings.Repeat("é", 9000)); len(got) > quoteBytes+len("…") || !strings.HasPrefix(got, "…é") {
		t.Errorf("a long line gives %d bytes: %.20q", len(got), got)
	}
}

func TestNothingIsLeft(t *testing.T) {
	cycle := func() {
		p, err := Start(endpoint.Process{Command: "cat", Env: envOf(os.Environ()...)}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(p.Stdin(), "line\n"); err != nil {
			t.Error(err)
		}
		if line, err := bufio.NewReader(p.Stdout()).ReadString('\n'); err != nil {
			t.Errorf("answer %q, %v", line, err)
		}
		if err := p.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	}
	cycle()
	goroutines, files := runtime.NumGoroutine(), openFiles(t)
	for range 200 {
		cycle()
	}
	for range 100 {
		if runtime.NumGoroutine() <= goroutines && openFiles(t) <= files {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got := runtime.NumGoroutine(); got > goroutines {
		t.Errorf("%d goroutines, before %d", got, goroutines)
	}
	if got := openFiles(t); got > files {
		t.Errorf("%d open files, before %d", got, files)
	}
	if children := childPIDs(t); len(children) > 0 {
		t.Errorf("children are left: %v", children)
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// childPIDs lists this program's children, also those that wait to be reaped.
func childPIDs(t *testing.T) []int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return nil
	}
	var pids []int
	tasks, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		data, err := os.ReadFile(task)
		if err != nil {
			continue
		}
		for field := range strings.FieldsSeq(string(data)) {
			pid, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}
