package generator

// The short names of nested types, and the lock that remembers them.

import (
	"cmp"
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// TypeChoice is the user's choice for one type.
type TypeChoice = decide.TypeChoice

// ShapeName is a short name of a nested type, or the name of a constant or type that is
// derived from it, with its place in the item's definition.
type ShapeName = ir.ShapeName

// LockShapes returns what is locked of a server with the names that are its own.
// Locked stays as it is.
func LockShapes(server string, locked *lockfile.LockedServer, shapes []ShapeName) *lockfile.LockedServer {
	return decide.WithNames(server, locked, shapes)
}

// NewShapes returns the short names of types that after has and before has not, in order
// of name. Both may be nil.
func NewShapes(server string, before, after *lockfile.LockedServer) []ShapeName {
	known := map[string]bool{}
	for _, n := range lockedShapes(server, before) {
		known[n.Go] = true
	}
	return slices.DeleteFunc(lockedShapes(server, after), func(n ShapeName) bool { return known[n.Go] })
}

// lockedShapes are the short names of types in a lock.
func lockedShapes(server string, locked *lockfile.LockedServer) []ShapeName {
	if locked == nil {
		return nil
	}
	var out []ShapeName
	for tool, item := range locked.Tools {
		for place, name := range decide.Pinned(item).Names {
			if decide.NamesShape(place) {
				out = append(out, ShapeName{Server: server, Tool: tool, Place: place, Go: name})
			}
		}
	}
	slices.SortFunc(out, func(x, y ShapeName) int { return cmp.Or(cmp.Compare(x.Go, y.Go), cmp.Compare(x.Tool, y.Tool)) })
	return out
}
