package drift

import (
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

// changedTools are tools before and after a change, one for each rule about schemas.
func changedTools(b *testing.B) [][2]*schema.Snapshot {
	b.Helper()
	var out [][2]*schema.Snapshot
	for _, c := range schemaCases() {
		out = append(out, [2]*schema.Snapshot{snapshotOf(c.tool("input", c.before)), snapshotOf(c.tool("input", c.after))})
	}
	return out
}

func BenchmarkChangedTool(b *testing.B) {
	pairs := changedTools(b)
	for i := 0; b.Loop(); i++ {
		p := pairs[i%len(pairs)]
		mustCompare(b, p[0], p[1], nil)
	}
}
