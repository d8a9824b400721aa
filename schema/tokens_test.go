package schema

import (
	"testing"
)

func TestTokens(t *testing.T) {
	if Tokens(0) != 0 || Tokens(1) != 1 || Tokens(4) != 1 || Tokens(5) != 2 {
		t.Error("tokens are bytes by 4, rounded up")
	}
	tool, _, err := ParseTool([]byte(`{"name":"f", "title":"not counted", "inputSchema": { "type": "object" }}`))
	if err != nil {
		t.Fatal(err)
	}
	const read = `{"name":"s__f","inputSchema":{"type":"object"}}`
	if got := tool.Size("s__f"); got != len(read) {
		t.Errorf("got %d bytes, want those of %s", got, read)
	}
}
