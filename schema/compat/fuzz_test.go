package compat_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/schema/compat"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// FuzzCheck holds two arbitrary schemas against each other.
func FuzzCheck(f *testing.F) {
	for _, c := range readChanges(f, "../testdata/drift", "testdata/labels.json")[:20] {
		f.Add([]byte(c.old), []byte(c.new))
	}
	f.Add([]byte(`{"$ref":"#","not":{"$ref":"#"}}`), []byte(`{"anyOf":[{"$ref":"#"},{"pattern":"(?=x)"}]}`))
	f.Add([]byte(`{"type":"string","pattern":"^(a|b)*$","maxLength":9}`), []byte(`{"enum":["a",1e400],"multipleOf":1e-400}`))
	f.Fuzz(func(t *testing.T, left, right []byte) {
		a, err := jsonschema.Parse(json.RawMessage(left))
		if err != nil {
			return
		}
		b, err := jsonschema.Parse(json.RawMessage(right))
		if err != nil {
			return
		}
		attackVerdict(t, a, b, compat.Check(t.Context(), a, b, nil), 50)
		for _, lens := range []compat.Lens{compat.CallerInput, compat.CallerOutput} {
			attackLens(t, a, b, lens, compat.Check(t.Context(), a, b, &compat.Options{Lens: lens}))
		}
	})
}

// BenchmarkChanged measures the real changes of tools; the median is reported.
func BenchmarkChanged(b *testing.B) {
	dir, labels := "../testdata/drift", "testdata/labels.json"
	if root := os.Getenv("MCPGEN_CORPUS"); root != "" {
		dir, labels = root+"/drift-pairs", root+"/drift-labels.json"
	}
	all := readChanges(b, dir, labels)
	for b.Loop() {
		var took []time.Duration
		for _, c := range all {
			start := time.Now()
			c.check(b, true)
			took = append(took, time.Since(start))
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/median")
		b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "µs/p95")
		b.ReportMetric(float64(took[len(took)-1].Microseconds()), "µs/max")
	}
}
