package ledger_test

// Processes that die while they write a ledger.

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/ledger"
)

// asWriter makes this test binary a process that appends to the ledger it names, and
// dies at the step that follows after a colon.
const asWriter = "MCPGEN_LEDGER_TEST_WRITER"

// runWriter opens a ledger, enrols two tools, and is gone at a step without a chance to
// clean up. Step "torn" is in the middle of writing.
func runWriter(spec string) {
	path, step, _ := strings.Cut(spec, "|")
	l := ledger.Ledger{}
	for _, tool := range []string{"a", "b"} {
		var err error
		if l, err = l.Enroll(ledger.EnrollRequest{Capability: capabilityOf("killed", tool), At: clock}); err != nil {
			os.Exit(2)
		}
	}
	opts := &ledger.FileOptions{OnRepair: func(error) {}}
	opts.AtStep(func(at string) {
		if at == "write" && step == "torn" {
			writeHalf(path, l.Log()[1])
		}
		if at == step || at == "write" && step == "torn" {
			killSelf()
		}
	})
	f, err := ledger.Open(path, opts)
	if err == nil {
		err = f.Append(l.Log()...)
	}
	if err != nil {
		os.Exit(2)
	}
	os.Exit(0)
}

// writeHalf writes the beginning of an entry, as a system that is stopped does.
func writeHalf(path string, e ledger.Entry) {
	out, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		os.Exit(2)
	}
	line, err := json.Marshal(map[string]any{"run": "r", "entry": e})
	if err != nil {
		os.Exit(2)
	}
	if _, err := out.Write(line[:len(line)/2]); err != nil {
		os.Exit(2)
	}
}

// killSelf ends this process as kill -9 does.
func killSelf() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {}
}

// A writer is killed at every step, in a file whose last line is unfinished already.
// Afterwards the next one gets the lock, what was whole is all there, and the file
// has no damaged line.
func TestFileKilledWriters(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []string{"locked", "aside", "cut", "write", "torn", "written"} {
		t.Run(step, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "ledger.jsonl")
			l := ledgerOf(t, capabilityOf("s", "a"), capabilityOf("s", "b"))
			appendAll(t, openLedger(t, path), l.Log()[0])
			if err := os.WriteFile(path, append(readFile(t, path), `{"run":"torn before`...), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), self)
			cmd.Env = append(os.Environ(), asWriter+"="+path+"|"+step)
			if exit, ok := errors.AsType[*exec.ExitError](cmd.Run()); !ok || exit.ExitCode() == 2 {
				t.Fatalf("the writer was not killed at %q: %v", step, exit)
			}
			repairs := 0
			f, err := ledger.Open(path, &ledger.FileOptions{OnRepair: func(error) { repairs++ }})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			appendAll(t, f, l.Log()[1])
			got := map[string]int{}
			for _, r := range readRuns(t, path, 0) {
				for _, e := range r.Ledger.Log() {
					got[e.Server]++
				}
			}
			killed := map[string]int{"written": 2}[step]
			left := map[string]int{"locked": 1, "aside": 1, "torn": 1}[step]
			if got["s"] != 2 || got["killed"] != killed || repairs != left {
				t.Errorf("entries %v, want 2 and %d of the killed; %d repairs, want %d", got, killed, repairs, left)
			}
			if !bytes.Contains(readFile(t, path+".torn"), []byte("torn before")) {
				t.Error("the file of torn lines lacks the unfinished line, want it kept")
			}
		})
	}
}

// Processes write one ledger at the same time: no line is lost or mixed.
func TestFileManyProcesses(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	var all []*exec.Cmd
	for range 8 {
		cmd := exec.CommandContext(t.Context(), self)
		cmd.Env = append(os.Environ(), asWriter+"="+path+"|none")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	got := readRuns(t, path, 0)
	for _, r := range got {
		wantNames(t, r.Ledger, "killed__a", "killed__b")
	}
	if len(got) != len(all) {
		t.Errorf("%d runs, want %d", len(got), len(all))
	}
}

// Whatever stands in a file, reading it ends, and what is read is written and read
// again to the same bytes.
func FuzzRead(f *testing.F) {
	line := `{"run":"01JA","pid":7,"entry":{"op":"enroll","key":"k","server":"s","capability":{"name":"s__a","server":"s","tool":"a","inputSchema":{"type":"object"}},"seq":1,"at":"2026-01-01T00:00:00.000Z"}}`
	gone := `{"run":"01JA","entry":{"op":"retire","key":"k","server":"s","seq":2,"at":"2026-01-01T00:00:00Z"}}`
	for _, seed := range []string{"", line, line + "\n" + gone + "\n" + line, gone + "\nalien\n" + line[:60], "{\"run\":\"\\ud800\"}\n\x00\n",
		strings.Replace(gone, "2026-01-01T00:00:00Z", "0000-01-01T00:00:00+01:00", 1), strings.Replace(gone, "2026-01-01T00:00:00Z", "9999-12-31T23:59:59-01:00", 1)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		first, damaged, err := ledger.ReadFrom(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range damaged {
			if d.Line < 1 || i > 0 && d.Line <= damaged[i-1].Line || d.Reason == "" {
				t.Errorf("damage %+v", damaged)
			}
		}
		var again bytes.Buffer
		for _, r := range first {
			for _, e := range r.Ledger.Log() {
				line, err := json.Marshal(map[string]any{"run": r.ID, "pid": r.PID, "entry": e})
				if err != nil {
					t.Fatal(err)
				}
				again.Write(append(line, '\n'))
			}
		}
		second, damaged, err := ledger.ReadFrom(&again)
		if err != nil || len(damaged) > 0 || len(second) != len(first) {
			t.Fatalf("read again: %+v, want %+v; %v, %v", second, first, damaged, err)
		}
		for i, r := range second {
			if r.ID != first[i].ID || encodeJSON(t, r.Ledger) != encodeJSON(t, first[i].Ledger) {
				t.Errorf("read again: %s\nwant %s", encodeJSON(t, r.Ledger), encodeJSON(t, first[i].Ledger))
			}
		}
	})
}
