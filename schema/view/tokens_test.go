package view_test

import (
	"testing"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/view"
)

func TestTokens(t *testing.T) {
	if view.Tokens(0) != 0 || view.Tokens(1) != 1 || view.Tokens(4) != 1 || view.Tokens(5) != 2 {
		t.Errorf("Tokens of 0, 1, 4 and 5 bytes are %d, %d, %d and %d, want 0, 1, 1 and 2", view.Tokens(0), view.Tokens(1), view.Tokens(4), view.Tokens(5))
	}
	tool, _, err := schema.ParseTool([]byte(`{"name":"f", "title":"not counted", "inputSchema": { "type": "object" }}`))
	if err != nil {
		t.Fatal(err)
	}
	const read = `{"name":"s__f","inputSchema":{"type":"object"}}`
	if got := view.Size(tool, "s__f"); got != len(read) {
		t.Errorf("got %d bytes, want those of %s", got, read)
	}
}
