package generator

// The short names of nested types, and the lock that remembers them.

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// TypeChoice names a nested type, or gives a number another Go type.
type TypeChoice struct {
	// Key is the Go name of a type, or a place: a tool, args or result, and then the
	// names of members, items for the elements of a list (items/0 in a tuple), and
	// additionalProperties for the values of a map. ~1 is a slash in a name, ~0 a tilde.
	// For a number the tool may be a glob, as in Include.
	Key string
	// Value is an exported Go identifier, or the type of a number: int, int64, uint64,
	// float64, or decimal for json.Number.
	Value string
	// At is where it stands, for errors: file:line:column. It may be empty.
	At string
}

// ShapeName is a short name of a nested type, or the name of something that is named
// after that, with the place that it was given for.
type ShapeName struct {
	Server string // configured name
	Tool   string // wire name
	Place  string // in the tool's definition, as [lockfile.LockedItem.Names] has it
	Go     string
}

// LockShapes returns what is locked of a server with the short names that are its own.
// Locked stays as it is.
func LockShapes(server string, locked *lockfile.LockedServer, shapes []ShapeName) *lockfile.LockedServer {
	out := *locked
	out.Tools = maps.Clone(locked.Tools)
	for _, s := range shapes {
		item, ok := out.Tools[s.Tool]
		if !ok || s.Server != server {
			continue
		}
		if item.Names = maps.Clone(item.Names); item.Names == nil {
			item.Names = map[string]string{}
		}
		item.Names[s.Place] = s.Go
		out.Tools[s.Tool] = item
	}
	return &out
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
		for place, name := range item.Names {
			if strings.HasSuffix(place, "/shape") && !strings.HasSuffix(place, "/properties/shape") {
				out = append(out, ShapeName{server, tool, place, name})
			}
		}
	}
	slices.SortFunc(out, func(x, y ShapeName) int { return cmp.Or(cmp.Compare(x.Go, y.Go), cmp.Compare(x.Tool, y.Tool)) })
	return out
}
