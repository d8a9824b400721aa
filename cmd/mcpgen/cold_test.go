//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
)

// TestInstallInterrupted: a package runner that is interrupted may put away what it
// has half installed; one that does not end is killed; a second signal waits for
// nobody.
func TestInstallInterrupted(t *testing.T) {
	const waits = `echo $$ >ready.tmp; mv ready.tmp ready
while :; do sleep 0.05; done`
	for _, tt := range []struct {
		name, script string
		twice, away  bool
	}{
		{"ends", `trap 'sleep 1; echo done >away; exit 1' TERM
` + waits, false, true},
		{"does not end", `trap '' TERM
` + waits, false, false},
		{"twice", `trap '' TERM
` + waits, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range map[string]string{
				"npx":         "#!/bin/sh\n" + tt.script,
				"mcpgen.yaml": "version: 1\nservers:\n  slow: {command: npx, args: [-y, x]}\n",
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("mcpgen", "generate")
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			runner := awaitPID(t, filepath.Join(dir, "ready"))
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			began := time.Now()
			interrupt := func() error {
				if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
					t.Error(err)
				}
				for wait := 200; wait > 0; wait-- {
					select {
					case err := <-ended:
						return err
					case <-time.After(50 * time.Millisecond):
					}
					if tt.twice && wait%4 == 1 { // once the first has been heard
						_ = cmd.Process.Signal(syscall.SIGINT)
					}
				}
				_ = cmd.Process.Kill()
				return <-ended
			}
			exited := (*exec.ExitError)(nil)
			switch err := interrupt(); {
			case !errors.As(err, &exited):
				t.Errorf("ended with %v", err)
			case tt.twice && exited.Sys().(syscall.WaitStatus).Signal() != syscall.SIGINT:
				t.Errorf("ended with %v, want the signal itself", err)
			case !tt.twice && exited.ExitCode() != exit.Interrupted:
				t.Errorf("ended with %v", err)
			}
			t.Logf("ended after %v", time.Since(began).Round(time.Millisecond))
			awaitGone(t, []int{runner})
			if _, err := os.Stat(filepath.Join(dir, "away")); (err == nil) != tt.away {
				t.Errorf("put away: %v, want %v", err == nil, tt.away)
			}
		})
	}
}

// awaitPID waits for a file with a process id.
func awaitPID(t *testing.T, path string) int {
	t.Helper()
	for range 300 {
		if data, err := os.ReadFile(path); err == nil {
			pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("the runner was never started")
	return 0
}
