package schema

// This file writes JSON in the canonical form that the hashes cover.

import (
	"encoding/json"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Canonical returns raw in its canonical form: members sorted by UTF-16 code units, no whitespace, and strings
// as RFC 8785 writes them. Numbers keep the sender's digits, so 2^53+1 and 1.0 are unchanged. A lone surrogate,
// which RFC 8785 cannot represent, stays a lower-case escape.
//
// The error is an [*Error] with a JSON pointer: for text that is not JSON, for
// strings that are not UTF-8, for duplicate member names, for nesting deeper
// than 512 and for more than 524,288 values.
func Canonical(raw json.RawMessage) ([]byte, error) {
	v, err := tree.Parse(raw)
	if err != nil {
		return nil, err
	}
	v.Sort(tree.CompareUTF16)
	return tree.AppendCanonical(make([]byte, 0, len(raw)), v), nil
}
