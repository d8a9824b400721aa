package compat

import (
	"context"
	"encoding/json"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// InLens reports whether a lens shows a value of a.
func InLens(a, b *jsonschema.Document, lens Lens, value json.RawMessage) bool {
	return newChecker(context.Background(), a, b, &Options{Lens: lens}).inLens(value)
}

// Open returns a document as generated code takes it.
func Open(doc *jsonschema.Document, members bool) *jsonschema.Document { return open(doc, members) }
