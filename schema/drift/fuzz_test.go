package drift

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzCompare compares arbitrary definitions: nothing panics, a report can be
// written, the same input gives the same report, and a surface never differs from
// itself.
func FuzzCompare(f *testing.F) {
	for _, c := range schemaCases() {
		if len(c.before)+len(c.after) < 400 {
			f.Add([]byte(c.tool("input", c.before)), []byte(c.tool("input", c.after)), byte(0))
			f.Add([]byte(c.tool("output", c.before)), []byte(c.tool("output", c.after)), byte(1))
		}
	}
	for _, c := range itemCases() {
		if len(c.before.Tools) == 1 && len(c.after.Tools) == 1 {
			f.Add([]byte(c.before.Tools[0].Raw), []byte(c.after.Tools[0].Raw), byte(2))
		}
	}
	f.Fuzz(func(t *testing.T, before, after []byte, profile byte) {
		if len(before)+len(after) > 1<<14 {
			return
		}
		opts := &Options{
			Profile:  Profiles()[int(profile)%len(Profiles())],
			MaxSteps: 2000,
		}
		was, is := snapshotOf(string(before)), snapshotOf(string(after))
		first, err := json.Marshal(mustCompare(t, was, is, opts))
		if err != nil {
			t.Fatal(err)
		}
		second, err := json.Marshal(mustCompare(t, was, is, opts))
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("two reports: %s\n%s", first, second)
		}
		if r := mustCompare(t, is, is, opts); r.Verdict != Unchanged {
			t.Fatalf("differs from itself:%s", printReport(r))
		}
		mustCompare(t, nil, is, opts)
	})
}
