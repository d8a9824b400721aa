package audit

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/runtime/event"
)

// asEndless makes this test binary a process that writes until it is killed.
const asEndless = "AUDIT_ENDLESS"

func writeEndlessly(path string) {
	l, err := Open(path, nil)
	for end := time.Now().Add(time.Minute); err == nil && time.Now().Before(end); { // of a test that died
		writeRecords(l, perWriter)
	}
	os.Exit(1)
}

// Processes are killed in the middle of writing, again and again, while another
// one goes on: what that one writes is all there, and every line is whole or told
// to be damaged, with the record behind it found.
func TestKilledWriters(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := openLog(t, path, nil)
	const rounds, own = 5, 20
	for range rounds {
		var killed []*exec.Cmd
		for range 3 {
			cmd := exec.CommandContext(t.Context(), self)
			cmd.Env = append(os.Environ(), asEndless+"="+path)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			killed = append(killed, cmd)
		}
		checkGrows(t, path)
		for range own {
			l.Event(event.Event{Kind: event.Notice, Server: "own", Detail: "alive"})
		}
		for _, cmd := range killed {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // it was killed
		}
	}
	if n := len(readRecords(t, path, Filter{Servers: []string{"own"}})); n != rounds*own {
		t.Errorf("%d records of the one that lives, want %d", n, rounds*own)
	}
	if n, err := Damaged(path); n > rounds*3 || err != nil {
		t.Errorf("%d damaged lines of %d killed processes, %v", n, rounds*3, err)
	}
}

// checkGrows waits until a file has become longer by some lines.
func checkGrows(t *testing.T, path string) {
	t.Helper()
	size := func() int64 {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	before := size()
	for end := time.Now().Add(30 * time.Second); size() < before+64<<10; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after 30s the log has %d bytes, want 64 KiB more than %d", size(), before)
		}
	}
}
