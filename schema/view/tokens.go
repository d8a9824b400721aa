package view

// This file counts what a model reads of a tool.

import (
	"encoding/json"

	"github.com/mcpgen/mcpgen/schema"
)

// bytesPerToken is the usual rule of thumb for English and JSON. Models count each in
// their own way.
const bytesPerToken = 4

// Size returns how many bytes a model reads of a tool before it calls it: the name
// that the model sees, the description and the input schema, as compact JSON. A tool
// without an input schema is read as one that takes any object.
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
		return 0 // a definition that was read is JSON
	}
	return len(data)
}

// Tokens returns about how many tokens a text of so many bytes is: the bytes divided
// by 4, rounded up.
func Tokens(size int) int { return (size + bytesPerToken - 1) / bytesPerToken }
