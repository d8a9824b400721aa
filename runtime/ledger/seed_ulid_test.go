package ledger_test

// The row about keys that sort by time.

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/mcpgen/mcpgen/runtime/ledger"
)

func seedULID(t *testing.T) {
	last := ""
	for range 10_000 {
		key, err := ledger.NewULID(clock)
		if err != nil {
			t.Fatal(err)
		}
		if key <= last || len(key) != 26 {
			t.Fatalf("%s does not come after %s", key, last)
		}
		last = key
	}
	if later, err := ledger.NewULID(clock.Add(time.Millisecond)); err != nil || later <= last {
		t.Errorf("%s does not come after %s: %v", later, last, err)
	}
	if _, err := ledger.NewULID(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)); err == nil {
		t.Error("NewULID of the year 1 has no error, want one")
	}
	steppingULIDs(t)
	parallelULIDs(t)
	enrolledULIDs(t)
}

// enrolledULIDs: two ledgers of one process that write into one file within one
// millisecond leave keys there that rise from line to line, of that very time.
func enrolledULIDs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	f := openLedger(t, path)
	at := time.Now().Add(24 * time.Hour) // after all keys that this process has made
	var two [2]ledger.Ledger
	for i := range 400 {
		key, err := ledger.NewULID(at)
		if err != nil {
			t.Fatal(err)
		}
		l := mustLedger(t)(two[i%2].Enroll(ledger.EnrollRequest{Capability: capabilityOf("s", fmt.Sprintf("t%03d", i)), Key: key, At: at}))
		log := l.Log()
		appendAll(t, f, log[len(log)-1])
		two[i%2] = l
	}
	last := ""
	for line := range strings.Lines(string(readFile(t, path))) {
		var e struct{ Entry ledger.Entry }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		key := e.Entry.Key
		id, err := ulid.ParseStrict(key)
		if err != nil || id.Time() != ulid.Timestamp(at) || key <= last {
			t.Fatalf("%s after %s, of %d, want %d: %v", key, last, id.Time(), ulid.Timestamp(at), err)
		}
		last = key
	}
	if last == "" {
		t.Error("no key was written, want at least one")
	}
}

// steppingULIDs: keys rise while the clock is set back, and time counts again
// once it has caught up.
func steppingULIDs(t *testing.T) {
	last, violations := "", 0
	start := time.Now().Add(time.Hour) // after all keys that this process has made
	for i := range 1000 {
		at := start.Add(time.Duration(i) * time.Millisecond)
		if i >= 500 {
			at = at.Add(-10 * time.Second)
		}
		key, err := ledger.NewULID(at)
		if err != nil {
			t.Fatal(err)
		}
		if key <= last {
			violations++
		}
		last = max(last, key)
	}
	if violations > 0 {
		t.Errorf("%d of 1000 keys do not come after the one before", violations)
	}
	later := start.Add(time.Minute)
	key, err := ledger.NewULID(later)
	if err != nil || key <= last {
		t.Fatalf("%s does not come after %s: %v", key, last, err)
	}
	if id, err := ulid.ParseStrict(key); err != nil || id.Time() != ulid.Timestamp(later) {
		t.Errorf("%s is of %d, want %d: %v", key, id.Time(), ulid.Timestamp(later), err)
	}
}

// parallelULIDs: within each goroutine the keys rise, and none comes twice.
func parallelULIDs(t *testing.T) {
	var (
		mu   sync.Mutex
		seen = map[string]bool{}
		wg   sync.WaitGroup
	)
	for range 8 {
		wg.Go(func() {
			last := ""
			for range 1250 {
				key, err := ledger.NewULID(clock)
				mu.Lock()
				if err != nil || key <= last || seen[key] {
					t.Errorf("%s after %s: %v", key, last, err)
				}
				seen[key] = true
				mu.Unlock()
				last = key
			}
		})
	}
	wg.Wait()
}
