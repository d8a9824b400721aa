package schema

import (
	"strings"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Error is one defect of a definition, a snapshot or a lock, with its place.
type Error = tree.Error

// Problem is a tolerated mistake of a server: the member is ignored, the rest is used.
type Problem struct {
	Kind    Kind
	Name    string // of the item
	Pointer string // JSON pointer into the definition
	Reason  string
}

// String returns kind, name and place, then the reason.
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
