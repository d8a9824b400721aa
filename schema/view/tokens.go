package view

// This file estimates how much a model reads of a tool.

import (
	"encoding/json"

	"github.com/mcpgen/mcpgen/schema"
)

// bytesPerToken is the common estimate for English and JSON; each model counts differently.
const bytesPerToken = 4

// Size returns the number of bytes that a model reads of a tool before it calls the tool: the name shown to the
// model, the description and the input schema, as compact JSON. A tool without an input schema counts as one
// that accepts any object.
func Size(t schema.Tool, name string) int {
	if t.InputSchema == nil {
		t.InputSchema = json.RawMessage(`{"type":"object"}`)
	}
	data, err := json.Marshal(struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		InputSchema json.RawMessage `json:"inputSchema"`
	}{name, t.Description, t.InputSchema})
	if err != nil {
		return 0 // unreachable: parsed definitions are valid JSON
	}
	return len(data)
}

// Tokens returns the approximate number of tokens in a text of size bytes: size divided by 4, rounded up.
func Tokens(size int) int { return (size + bytesPerToken - 1) / bytesPerToken }
