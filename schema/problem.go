package schema

import (
	"strings"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Error is one thing that is wrong with a definition, a snapshot or a lock: where,
// and why.
type Error = tree.Error

// Problem is something that a server got wrong and that was passed over: the
// member is ignored, the rest is used.
type Problem struct {
	Kind    Kind
	Name    string // of the item
	Pointer string // JSON pointer into the definition
	Reason  string
}

// String gives kind, name and place first, then the reason.
func (p Problem) String() string {
	place := string(p.Kind)
	if p.Name != "" {
		place = strings.TrimSpace(place + " " + tree.Quote(p.Name))
	}
	if p.Pointer != "" {
		place = strings.TrimSpace(place + " at " + tree.Quote(p.Pointer))
	}
	if place == "" {
		return p.Reason
	}
	return place + ": " + p.Reason
}
