package live_test

import (
	"maps"
	"slices"
	"testing"
)

// TestSeed holds behaviours of the systems that mcpgen serves, by the number of their
// row: their own files, opened by the system's name, with real processes behind them.
func TestSeed(t *testing.T) {
	for _, table := range []map[string]func(*testing.T){
		scarabRows(),
		coreAgentRows(),
		covenantRows(),
		indusrRows(),
		tallowRows(),
		tallowEventRows(),
	} {
		for _, row := range slices.Sorted(maps.Keys(table)) {
			t.Run(row, table[row])
		}
	}
}
