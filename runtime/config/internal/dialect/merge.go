// Merging the rows of several files into one list of servers.

package dialect

import (
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// The rules by which a system merges its own files. The files come by precedence, the highest first. Rows
// without effect stay in the list, with the reason.

// FirstWins takes each server whole from the first file that has it.
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

// AppendFirst adds a row. The row has no effect if an earlier row has its name. Rows that their own file
// excludes do not take a name.
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

// Concatenate keeps every row in file order. If rows have the same name, the last one counts. If all of
// them are from systems that attach both, each counts: the first one keeps the name, and the others get
// the name of a namesake. A disabled row is ignored if an enabled row has its name.
func Concatenate(files [][]Row) []Row {
	merged := slices.Concat(files...)
	ids, enabled := map[string]bool{}, map[string][]int{}
	for i := range merged {
		r := &merged[i]
		ids[r.Server.Name] = true
		if r.Left == "" && !r.Disabled {
			enabled[r.Server.Name] = append(enabled[r.Server.Name], i)
		}
	}
	for i := range merged {
		r := &merged[i]
		all := enabled[r.Server.Name]
		if r.Left != "" || len(all) == 0 {
			continue
		}
		first, last := all[0], all[len(all)-1]
		attached := !r.Disabled && !slices.ContainsFunc(all, func(i int) bool {
			d, _ := Named(merged[i].Server.Source.Format)
			return !d.Flag
		})
		switch {
		case attached && i != first:
			r.Namesake = merged[first].Position()
			name := r.Server.Name
			for n := 1; ids[r.Server.Name]; n++ {
				r.Server.Name = naming.Namesake(name, r.Server.Source.Scope, n)
			}
			ids[r.Server.Name] = true
		case !attached && i != last:
			r.Left, r.Shadowed = shadowed(merged[last].Position()), true
		}
	}
	return merged
}

// overlay starts with the last file. Earlier files override its servers, which keep their place in the
// order.
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

func shadowed(p tree.Position) string {
	return fmt.Sprintf("also defined in %s, and that definition wins", p)
}

// Merge merges the rows of several files by the dialect's rule.
func (d Dialect) Merge(files ...[]Row) []Row {
	if d.merge == nil {
		return FirstWins(files)
	}
	return d.merge(files)
}
