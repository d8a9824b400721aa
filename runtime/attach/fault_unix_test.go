//go:build unix

package attach

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// Ctrl-C on a terminal goes to every process of the foreground group. Servers
// have groups of their own: they do not hear it, and the program ends them, each
// once and in its own time.
func TestFaultE19ForegroundGroup(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	trace := filepath.Join(t.TempDir(), "trace")
	cmd := exec.CommandContext(t.Context(), exe, "ignore-sigterm", "-trace", trace)
	cmd.Env = append(os.Environ(), asClient+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fscanln(out, new(string)); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	exit := (*exec.ExitError)(nil)
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("ended with %v", err)
	}
	data, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	var signals []string
	for line := range strings.Lines(string(data)) {
		var e struct {
			Event, Signal string
			PID           int
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		switch e.Event {
		case "signal":
			signals = append(signals, e.Signal)
		case "start":
			checkEnded(t, e.PID)
		}
	}
	if !slices.Equal(signals, []string{"terminated"}) {
		t.Errorf("the server got %q", signals)
	}
}
