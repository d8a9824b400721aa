package drift

import (
	"fmt"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

// A lock has the members of a definition in another order than the server that listed it:
// what is said of two surfaces does not depend on that.
func TestOrderOfMembers(t *testing.T) {
	said := func(before, after *schema.Snapshot) []string {
		var out []string
		for _, s := range mustCompare(t, before, after, &Options{MaxSteps: 1}).Servers {
			for _, c := range s.Changes {
				out = append(out, fmt.Sprint(c.Rule, " ", c.Name, " ", c.Path))
			}
		}
		slices.Sort(out)
		return out
	}
	sorted := func(s *schema.Snapshot) *schema.Snapshot {
		locked := *s
		locked.Tools = slices.Clone(s.Tools)
		for i := range locked.Tools {
			raw, err := schema.Canonical(locked.Tools[i].Raw)
			if err != nil {
				return s // a definition that cannot be canonical is none that is locked
			}
			locked.Tools[i].Raw = raw
		}
		return &locked
	}
	n := 0
	for name, pair := range realPairs(t) {
		if pair[0] == nil {
			continue
		}
		n++
		if want, got := said(pair[0], pair[1]), said(sorted(pair[0]), pair[1]); !slices.Equal(got, want) {
			for _, line := range got {
				if !slices.Contains(want, line) {
					t.Errorf("%s: only where the members before are sorted: %s", name, line)
				}
			}
			for _, line := range want {
				if !slices.Contains(got, line) {
					t.Errorf("%s: only where they are not: %s", name, line)
				}
			}
		}
	}
	if n < 50 {
		t.Errorf("%d pairs, want those of the corpus", n)
	}
}
