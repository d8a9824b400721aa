//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
)

// TestFaultE18Interrupted ends a generate in the middle of its listings: the old files
// stay whole, nothing is left behind, and no server lives on, nor the server
// behind a wrapper such as npx.
func TestFaultE18Interrupted(t *testing.T) {
	tests := []struct {
		signal syscall.Signal
		code   int // -1: ended by the signal
	}{
		{syscall.SIGINT, exit.Interrupted},
		{syscall.SIGTERM, exit.Terminated},
		{syscall.SIGKILL, -1},
	}
	for _, tt := range tests {
		t.Run(tt.signal.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeProject(t, dir)
			trace := filepath.Join(dir, "trace.jsonl")
			before := printTree(t, dir)

			var stderr bytes.Buffer
			cmd := exec.Command("mcpgen", "generate")
			cmd.Dir, cmd.Stderr = dir, &stderr
			cmd.Env = append(os.Environ(), "TRACE="+trace)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pids := awaitListings(t, trace, 2)
			began := time.Now()
			if err := cmd.Process.Signal(tt.signal); err != nil {
				t.Fatal(err)
			}
			err := cmd.Wait()
			if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != tt.code {
				t.Errorf("ended with %v, want code %d\n%s", err, tt.code, &stderr)
			}
			t.Logf("ended after %v", time.Since(began).Round(time.Millisecond))
			awaitGone(t, pids)
			if err := os.Remove(trace); err != nil {
				t.Fatal(err)
			}
			if after := printTree(t, dir); after != before {
				t.Errorf("the files changed:\nbefore\n%s\nafter\n%s", before, after)
			}
		})
	}
}

// TestFaultE18Twice: a second signal ends the program at once, while its servers
// take their time, and they end all the same.
func TestFaultE18Twice(t *testing.T) {
	t.Parallel()
	dir := makeProject(t, "echo")
	if err := os.WriteFile(filepath.Join(dir, "more.yaml"), []byte(`version: 1
servers:
  stubborn: {command: mcptestserver, args: [ignore-sigterm, -trace, "${env:TRACE}"]}
  slow: {command: mcptestserver, args: [slow-list, -trace, "${env:TRACE}"]}
`), 0o644); err != nil {
		t.Fatal(err)
	}
	trace := filepath.Join(t.TempDir(), "trace.jsonl")
	cmd := exec.Command("mcpgen", "generate", "--config", "more.yaml")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TRACE="+trace)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pids := awaitListings(t, trace, 2)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for range 200 { // the second one counts once the first has been heard
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			break
		}
		select {
		case err := <-ended:
			exit := (*exec.ExitError)(nil)
			if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGINT {
				t.Errorf("ended with %v, want the signal itself", err)
			}
			awaitGone(t, pids)
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Error("the process runs after the second signal, want it ended")
	_ = cmd.Process.Kill()
	<-ended
}

// writeProject writes a project with a locked server and two that never finish
// their listings, one of them behind a wrapper.
func writeProject(t *testing.T, dir string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := writeModule(dir, root); err != nil {
		t.Fatal(err)
	}
	const locked = "version: 1\nservers:\n  echo: {command: mcptestserver, args: [echo]}\n"
	config := filepath.Join(dir, "mcpgen.yaml")
	if err := os.WriteFile(config, []byte(locked), 0o644); err != nil {
		t.Fatal(err)
	}
	first := exec.Command("mcpgen", "generate")
	first.Dir = dir
	if out, err := first.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const more = `  direct: {command: mcptestserver, args: [slow-list, -trace, "${env:TRACE}"]}
  wrapped: {command: sh, args: [-c, 'mcptestserver slow-list -trace "$0"; true', "${env:TRACE}"]}
`
	if err := os.WriteFile(config, []byte(locked+more), 0o644); err != nil {
		t.Fatal(err)
	}
}

// awaitListings waits until n servers are asked for their tools, and returns
// the ids of all processes that wrote to the trace.
func awaitListings(t *testing.T, trace string, n int) []int {
	t.Helper()
	for range 300 {
		data, _ := os.ReadFile(trace)
		if bytes.Count(data, []byte(`"tools/list"`)) >= n {
			seen := map[int]bool{}
			var pids []int
			for line := range strings.Lines(string(data)) {
				var e struct{ PID int }
				if json.Unmarshal([]byte(line), &e) == nil && e.PID > 0 && !seen[e.PID] {
					seen[e.PID] = true
					pids = append(pids, e.PID)
				}
			}
			return pids
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the traces of the servers have no tools/list")
	return nil
}

// awaitGone waits for the processes to end, as long as a shutdown may take.
func awaitGone(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		gone := false
		for range 160 {
			if gone = hasEnded(pid); gone {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		if !gone {
			t.Errorf("process %d is still there", pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// hasEnded reports whether a process is gone. A zombie, whose new parent has not
// looked yet, is gone too.
func hasEnded(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && bytes.Contains(stat, []byte(") Z "))
}

// printTree prints every file below dir with its content.
func printTree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %v\n%s\n", path, info.ModTime(), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestInterruptedInput ends commands that wait for what somebody may never type.
func TestInterruptedInput(t *testing.T) {
	for _, args := range [][]string{{"call", "a/b", "--args", "-"}, {"observe", "a/b", "--args", "-"}, {"secrets", "set", "x"}} {
		for _, end := range []string{"signal", "timeout"} {
			t.Run(args[0]+" "+end, func(t *testing.T) {
				t.Parallel()
				in, feed, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				defer in.Close()
				defer feed.Close()
				var stderr bytes.Buffer
				cmd := exec.Command("mcpgen", args...)
				cmd.Dir, cmd.Stdin, cmd.Stderr = t.TempDir(), in, &stderr
				want, text := exit.Server, "error: not done after 200ms\nhelp: raise --timeout\n"
				if end == "timeout" {
					cmd.Args = append(cmd.Args, "--timeout", "200ms")
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				if end == "signal" {
					want, text = exit.Interrupted, "error: interrupted\n"
					// More than a pipe holds: written once it is being read.
					if _, err := feed.Write(make([]byte, 200<<10)); err != nil {
						t.Fatal(err)
					}
					if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
						t.Fatal(err)
					}
				}
				err = cmd.Wait()
				if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != want || stderr.String() != text {
					t.Errorf("ended with %v and %q, want code %d and %q", err, &stderr, want, text)
				}
			})
		}
	}
}
