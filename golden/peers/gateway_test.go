//go:build peers

package peers

// A gateway over HTTP.

import (
	"bufio"
	"os/exec"
	"regexp"
	"syscall"
	"testing"
	"time"
)

// served starts a gateway over HTTP, and returns its address.
func served(t *testing.T, line []string) string {
	t.Helper()
	cmd := exec.Command(line[0], append(line[1:], "--http", "127.0.0.1:0", "--open")...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		late := time.AfterFunc(20*time.Second, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
		defer late.Stop()
		_ = cmd.Wait() // terminated: the error says so
	})
	at := regexp.MustCompile(`at (http://[^\s;]+)`)
	address := make(chan string, 1)
	go func() {
		defer close(address)
		for lines := bufio.NewScanner(said); lines.Scan(); {
			if m := at.FindStringSubmatch(lines.Text()); m != nil {
				address <- m[1]
			}
		}
	}()
	select {
	case a, ok := <-address:
		if !ok {
			t.Fatal("the gateway ended before it said its address")
		}
		return a
	case <-time.After(60 * time.Second):
		t.Fatal("after 60s the gateway has not said its address")
	}
	return ""
}
