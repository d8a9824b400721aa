package ledger_test

// Ledgers on disk.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/ledger"
)

// openLedger opens a ledger, and fails the test if something in it is repaired.
func openLedger(t *testing.T, path string) *ledger.File {
	t.Helper()
	f, err := ledger.Open(path, &ledger.FileOptions{OnRepair: func(err error) { t.Errorf("repaired: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// readRuns reads a ledger in which this many lines are damaged.
func readRuns(t *testing.T, path string, damaged int) []ledger.Run {
	t.Helper()
	all, bad, err := ledger.Read(path)
	if err != nil || len(bad) != damaged {
		t.Fatalf("damaged %v, want %d lines; %v", bad, damaged, err)
	}
	return all
}

func appendAll(t *testing.T, f *ledger.File, entries ...ledger.Entry) {
	t.Helper()
	if err := f.Append(entries...); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// What is read back is, to the byte, what was written, however often and in
// whatever order the lines stand in the file.
func TestFileReplays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "ledger.jsonl")
	f := openLedger(t, path)
	l := ledgerOf(t, capabilityOf("s", "a"), capabilityOf("s", "b", "<x>", "\u202efdp.exe"), capabilityOf("other", "c"))
	l = mustLedger(t)(l.WithdrawServer("s", clock))
	l = mustLedger(t)(l.Enroll(ledger.EnrollRequest{Capability: capabilityOf("s", "a", "new"), At: clock}))
	for _, e := range l.Log() {
		appendAll(t, f, e)
	}
	appendAll(t, f, l.Log()...) // again, in one write
	if text := readFile(t, path); bytes.ContainsAny(text, "\u202e") {
		t.Errorf("an invisible character is not escaped: %q", text)
	}
	lines := bytes.SplitAfter(readFile(t, path), []byte("\n"))
	slices.Reverse(lines)
	joined := filepath.Join(t.TempDir(), "joined.jsonl")
	if err := os.WriteFile(joined, bytes.Join(append(lines, readFile(t, path)), nil), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{path, joined} {
		got := readRuns(t, path, 0)
		if len(got) != 1 || got[0].ID != f.Run() || got[0].PID != os.Getpid() || encodeJSON(t, got[0].Ledger) != encodeJSON(t, l) {
			t.Errorf("%s: got %+v\nwant %s", path, got, encodeJSON(t, l))
		}
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// Two files are open at the same time: each sees what the other wrote, and neither
// takes the other's tools away.
func TestFileTwoWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	a, b := openLedger(t, path), openLedger(t, path)
	if b.Run() <= a.Run() {
		t.Errorf("run %s does not come after %s", b.Run(), a.Run())
	}
	var wg sync.WaitGroup
	for i, f := range []*ledger.File{a, b} {
		wg.Go(func() {
			l := ledger.Ledger{}
			for n := range 20 {
				var err error
				l, err = l.Enroll(ledger.EnrollRequest{Capability: capabilityOf(fmt.Sprint("s", i), fmt.Sprint("t", n)), At: clock})
				if err == nil {
					err = f.Append(l.Log()[n])
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	appendAll(t, b, ledger.Entry{Op: ledger.OpRetire, Key: "x", Seq: 21, At: clock})
	both := readRuns(t, path, 0)
	if len(both) != 2 || len(both[0].Ledger.Live()) != 20 || both[0].Ledger.Live()[0].Server != "s0" || len(both[1].Ledger.Live()) != 20 {
		t.Errorf("got %+v", both)
	}
}

// Lines that hold no entry cost themselves alone, and are named.
func TestFileAlienLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	f := openLedger(t, path)
	l := ledgerOf(t, capabilityOf("s", "a"), capabilityOf("s", "b"))
	appendAll(t, f, l.Log()[0])
	alien := []string{
		"not JSON",
		`{"kind":"call","server":"s"}`,
		`{"run":"r","entry":{"op":"rename","key":"k","server":"s","seq":1,"at":"2026-01-01T00:00:00Z"}}`,
		`{"run":"r"}`,
		`{"run":"r","entry":null}`,
		`{"run":"","entry":{"op":"retire","key":"k","server":"s","seq":1,"at":"2026-01-01T00:00:00Z"}}`,
		`[` + strings.Repeat("[", 100_000),
	}
	data := append(readFile(t, path), strings.Join(alien, "\n")+"\n\n"...)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	appendAll(t, f, l.Log()[1])
	got, damaged, err := ledger.Read(path)
	if err != nil || len(got) != 1 || encodeJSON(t, got[0].Ledger) != encodeJSON(t, l) {
		t.Errorf("got %+v, %v", got, err)
	}
	for i, d := range damaged {
		if d.Line != i+2 || d.Reason == "" {
			t.Errorf("damage %+v", d)
		}
	}
	if len(damaged) != len(alien) {
		t.Errorf("%d damaged lines, want %d: %+v", len(damaged), len(alien), damaged)
	}
}

// A torn tail is set aside, reported, and never joined with the next line; one that
// lacks its end alone is an entry.
func TestFileTornTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	f := openLedger(t, path)
	l := ledgerOf(t, capabilityOf("s", "a"), capabilityOf("s", "b"), capabilityOf("s", "c"))
	appendAll(t, f, l.Log()[0])
	whole := len(readFile(t, path))
	appendAll(t, f, l.Log()[1])
	data := readFile(t, path)
	for cut := whole + 1; cut < len(data); cut++ {
		path := filepath.Join(t.TempDir(), "torn.jsonl")
		if err := os.WriteFile(path, data[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		var repaired []error
		next, err := ledger.Open(path, &ledger.FileOptions{OnRepair: func(err error) { repaired = append(repaired, err) }})
		if err != nil {
			t.Fatal(err)
		}
		appendAll(t, next, l.Log()[2])
		_ = next.Close()
		got := readRuns(t, path, 0)
		if cut == len(data)-1 { // only the end of the line is missing
			if len(repaired) != 0 || len(got[0].Ledger.Log()) != 2 {
				t.Fatalf("cut at %d: repaired %v, got %+v", cut, repaired, got)
			}
			continue
		}
		aside := readFile(t, path+".torn")
		if len(repaired) != 1 || len(got[0].Ledger.Log()) != 1 || len(got) != 2 || !bytes.Equal(aside, append(bytes.Clone(data[whole:cut]), '\n')) {
			t.Fatalf("cut at %d: repaired %v, aside %q, got %+v", cut, repaired, aside, got)
		}
	}
}

// What cannot be read back is not written, and what is not a file is not a ledger.
func TestFileRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := ledger.Open(dir, nil); err == nil {
		t.Error("Open of a folder has no error, want one")
	}
	if _, _, err := ledger.Read(dir); err == nil {
		t.Error("Read of a folder has no error, want one")
	}
	path := filepath.Join(dir, "ledger.jsonl")
	f := openLedger(t, path)
	good := ledgerOf(t, capabilityOf("s", "a")).Log()[0]
	bad := good
	bad.Capability = nil
	if err := f.Append(good, bad); err == nil || len(readFile(t, path)) != 0 {
		t.Errorf("error %v, content %q", err, readFile(t, path))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Append(good); !errors.Is(err, ledger.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// A file that is moved away, as log rotation does, is begun anew.
func TestFileRotation(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be moved there")
	}
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	f := openLedger(t, path)
	l := ledgerOf(t, capabilityOf("s", "a"), capabilityOf("s", "b"))
	appendAll(t, f, l.Log()[0])
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	appendAll(t, f, l.Log()[1])
	if old, now := readRuns(t, path+".1", 0), readRuns(t, path, 0); len(old[0].Ledger.Log()) != 1 || len(now[0].Ledger.Log()) != 1 {
		t.Errorf("old %+v, new %+v", old, now)
	}
}
