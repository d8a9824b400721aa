// How the rows of several files become one list of servers.

package dialect

import (
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
)

// The rules by which a system merges its own files. The files come by
// precedence, the highest first. What does not count stays in the list, with the
// reason.

// FirstWins takes a server whole from the first file that has it.
func FirstWins(files [][]Row) []Row {
	var merged []Row
	at := map[string]int{}
	for _, rows := range files {
		for _, r := range rows {
			merged = AppendFirst(merged, at, r)
		}
	}
	return merged
}

// AppendFirst adds a row, which does not count if one of its name does. Rows
// that their own file leaves out stand for nothing.
func AppendFirst(merged []Row, at map[string]int, r Row) []Row {
	if r.Left != "" {
		return append(merged, r)
	}
	if i, again := at[r.Server.Name]; again {
		r.Left = shadowed(merged[i].Position())
		r.Shadowed = true
	} else {
		at[r.Server.Name] = len(merged)
	}
	return append(merged, r)
}

// LastCounts keeps every row in the order of the files. Of two with one name the
// later one counts, as the tools that are enrolled later replace earlier ones. A
// disabled row stands for nothing where another one of its name is enabled.
func LastCounts(files [][]Row) []Row {
	var merged []Row
	last := map[string]int{}
	for _, r := range slices.Concat(files...) {
		if r.Left == "" && !r.Disabled {
			last[r.Server.Name] = len(merged)
		}
		merged = append(merged, r)
	}
	for i := range merged {
		r := &merged[i]
		if j, ok := last[r.Server.Name]; ok && i != j && r.Left == "" {
			r.Left, r.Shadowed, r.Outranked = shadowed(merged[j].Position()), true, !r.Disabled
		}
	}
	return merged
}

// overlay begins with the last file and lets those before it override servers,
// which keep their place in the order.
func overlay(files [][]Row) []Row {
	var merged, lost []Row
	at := map[string]int{}
	for i := len(files) - 1; i >= 0; i-- {
		for _, r := range files[i] {
			j, again := at[r.Server.Name]
			switch {
			case r.Left != "":
				lost = append(lost, r)
			case again:
				old := merged[j]
				old.Left, old.Shadowed = shadowed(r.Position()), true
				lost = append(lost, old)
				merged[j] = r
			default:
				at[r.Server.Name] = len(merged)
				merged = append(merged, r)
			}
		}
	}
	return append(merged, lost...)
}

func shadowed(p tree.Position) string { return fmt.Sprintf("defined in %s too, which counts", p) }

// Merge merges the rows of several files by the dialect's rule.
func (d Dialect) Merge(files ...[]Row) []Row {
	if d.merge == nil {
		return FirstWins(files)
	}
	return d.merge(files)
}
