package drift

// The same input gives the same report: whatever else the machine does, and
// however often it is asked. What bounds the work is counted, and ends with the
// context.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

// encodeReport is a report as it is written.
func encodeReport(t testing.TB, r *Report) []byte {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestSameReportUnderLoad judges real changes alone, and then all at the same
// time on one thread, so that each is interrupted by the others: every report is
// the same, byte for byte, and none is unknown. DRIFT_PAIRS names a folder of
// changes, as for TestCorpusPairs.
func TestSameReportUnderLoad(t *testing.T) {
	dir, known := findCorpus(t)
	files := slices.Sorted(maps.Keys(known))
	pairs := make([][2]*schema.Snapshot, len(files))
	alone := make([][]byte, len(files))
	for i, file := range files {
		var p pairFile
		readJSON(t, filepath.Join(dir, file), &p)
		pairs[i] = [2]*schema.Snapshot{snapshotOfSide(t, p.Kind, p.Before), snapshotOfSide(t, p.Kind, p.After)}
		r := mustCompare(t, pairs[i][0], pairs[i][1], nil)
		alone[i] = encodeReport(t, r)
		if r.GaveUp {
			t.Errorf("%s: the steps are not enough", file)
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var all sync.WaitGroup
	for i, p := range pairs {
		all.Go(func() {
			r, err := Compare(t.Context(), p[0], p[1], nil)
			if err != nil {
				t.Error(err)
			} else if again := encodeReport(t, r); !bytes.Equal(again, alone[i]) {
				t.Errorf("%s: alone:\n%s\nbeside others:\n%s", files[i], alone[i], again)
			}
		})
	}
	all.Wait()
}

// endsAfter is a context that ends when it was looked at so many times.
type endsAfter struct {
	context.Context
	looks *atomic.Int64
	at    int64
}

func (c endsAfter) Err() error {
	if c.looks.Add(1) > c.at {
		return context.Canceled
	}
	return nil
}

// entangledSchema is a schema that takes many steps to compare with another one.
func entangledSchema(n, bound int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`{"type":"object","properties":{"k%d":{"type":"string","minLength":%d},"deep":{"$ref":"#"}},"required":["k%d"]}`, i%7, i%bound, (i+1)%7))
	}
	return `{"name":"t","inputSchema":{"type":"object","oneOf":[` + strings.Join(all, ",") + `]}}`
}

// The context is looked at while a schema is judged: Compare looks no more than a
// few times after it has ended, wherever that is.
func TestCompareEndsWithItsContext(t *testing.T) {
	before, after := snapshotOf(entangledSchema(30, 5)), snapshotOf(entangledSchema(30, 4))
	looks := &atomic.Int64{}
	if _, err := Compare(endsAfter{t.Context(), looks, 1 << 60}, before, after, nil); err != nil {
		t.Fatal(err)
	}
	whole := looks.Load()
	if whole < 200 {
		t.Fatalf("the context is looked at %d times: the change is too simple for this test", whole)
	}
	for _, at := range []int64{0, 1, 2, 5, 20, 100, whole / 2, whole - 1} {
		looks.Store(0)
		r, err := Compare(endsAfter{t.Context(), looks, at}, before, after, nil)
		if r != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("after %d looks: %v", at, err)
		}
		if more := looks.Load() - at; more > 100 {
			t.Errorf("after %d looks: %d more", at, more)
		}
	}
}

// Steps that are not enough make what is not decided unknown, never safe, and the
// report says so; the work stays within a small multiple of them.
func TestFewSteps(t *testing.T) {
	before, after := snapshotOf(entangledSchema(30, 5)), snapshotOf(entangledSchema(30, 4))
	for _, steps := range []int{1, 100, 1_000} {
		r := mustCompare(t, before, after, &Options{MaxSteps: steps})
		if !r.GaveUp || !Severity(r.Verdict).AtLeast(Unknown) {
			t.Errorf("%d steps: %s, gave up %v", steps, r.Verdict, r.GaveUp)
		}
		again := mustCompare(t, before, after, &Options{MaxSteps: steps})
		if !bytes.Equal(encodeReport(t, r), encodeReport(t, again)) {
			t.Errorf("%d steps: two reports differ", steps)
		}
	}
}
