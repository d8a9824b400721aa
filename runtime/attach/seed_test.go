package attach

import (
	"maps"
	"slices"
	"testing"
)

// TestSeed holds behaviours of the systems that mcpgen serves, by the number of
// the system and the row. Each table is in a file of its own.
func TestSeed(t *testing.T) {
	rows := map[string]func(*testing.T){}
	for _, table := range []map[string]func(*testing.T){lifeSeeds(), fleetSeeds(), transportSeeds(), liveSeeds(), authSeeds()} {
		for row, f := range table {
			if rows[row] != nil {
				t.Errorf("row %s is duplicated", row)
			}
			rows[row] = f
		}
	}
	for _, row := range slices.Sorted(maps.Keys(rows)) {
		t.Run(row, rows[row])
	}
}
