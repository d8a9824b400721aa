package compat

import (
	"context"
	"encoding/json"

	"github.com/mcpgen/mcpgen/schema"
)

// InLens reports whether a lens shows a value of a.
func InLens(a, b *schema.Document, lens Lens, value json.RawMessage) bool {
	return newChecker(context.Background(), a, b, &Options{Lens: lens}).inLens(value)
}

// Open returns b as a decoder takes it.
func Open(b *schema.Document) (*schema.Document, error) { return open(b) }
