// How the rows of several files become one list of servers.

package config

import (
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/runtime/config/internal/tree"
)

// The rules by which a system merges its own files. The files come by
// precedence, the highest first. What does not count stays in the list, with the
// reason.

// firstWins takes a server whole from the first file that has it.
func firstWins(files [][]row) []row {
	var merged []row
	at := map[string]int{}
	for _, rows := range files {
		for _, r := range rows {
			merged = appendFirst(merged, at, r)
		}
	}
	return merged
}

// appendFirst adds a row, which does not count if one of its name does. Rows
// that their own file leaves out stand for nothing.
func appendFirst(merged []row, at map[string]int, r row) []row {
	if r.left != "" {
		return append(merged, r)
	}
	if i, again := at[r.server.Name]; again {
		r.left = shadowed(merged[i].place)
		r.isShadowed = true
	} else {
		at[r.server.Name] = len(merged)
	}
	return append(merged, r)
}

// lastCounts keeps every row in the order of the files. Of two with one name the
// later one counts, as the tools that are enrolled later replace earlier ones. A
// disabled row stands for nothing where another one of its name is enabled.
func lastCounts(files [][]row) []row {
	var merged []row
	last := map[string]int{}
	for _, r := range slices.Concat(files...) {
		if r.left == "" && !r.disabled {
			last[r.server.Name] = len(merged)
		}
		merged = append(merged, r)
	}
	for i := range merged {
		r := &merged[i]
		if j, ok := last[r.server.Name]; ok && i != j && r.left == "" {
			r.left, r.isShadowed, r.outranked = shadowed(merged[j].place), true, !r.disabled
		}
	}
	return merged
}

// overlay begins with the last file and lets those before it override servers,
// which keep their place in the order.
func overlay(files [][]row) []row {
	var merged, lost []row
	at := map[string]int{}
	for i := len(files) - 1; i >= 0; i-- {
		for _, r := range files[i] {
			j, again := at[r.server.Name]
			switch {
			case r.left != "":
				lost = append(lost, r)
			case again:
				old := merged[j]
				old.left, old.isShadowed = shadowed(r.place), true
				lost = append(lost, old)
				merged[j] = r
			default:
				at[r.server.Name] = len(merged)
				merged = append(merged, r)
			}
		}
	}
	return append(merged, lost...)
}

func shadowed(p place) string { return fmt.Sprintf("defined in %s too, which counts", p) }

// shadowNotice is what is told about a row that another one stands for.
func shadowNotice(r row) Notice {
	return Notice{Path: r.place.path, Line: r.place.line, Column: r.place.column,
		Text: fmt.Sprintf("the server %s is %s", tree.Quote(r.server.Name), r.left)}
}

// leftNotice is what is told about a row that its own system leaves out.
func leftNotice(r row) Notice {
	return Notice{Path: r.place.path, Line: r.place.line, Column: r.place.column,
		Text: fmt.Sprintf("the server %s is left out: %s", tree.Quote(r.server.Name), r.left)}
}
