package runtime_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
)

// TestSeed holds behaviours of the systems that mcpgen serves, by the number of
// their row.
func TestSeed(t *testing.T) {
	t.Run("002-02", func(t *testing.T) { // a spec is exactly the protocol's Tool
		const want = `{"name":"echo","description":"Echo.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}}`
		m := runtime.NewManifest("", `{"tools":[`+want+`]}`, runtime.Pinned{Tool: "echo", Name: "echo"})
		got, err := json.Marshal(m.Specs()[0])
		if err != nil || string(got) != want {
			t.Errorf("got %s, %v", got, err)
		}
	})
	t.Run("003-27", TestBlocks)
	t.Run("004-21", TestOutcome)
	t.Run("002-03", func(t *testing.T) { // text blocks, a JSON value, isError
		r := parse(t, `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"structuredContent":{"n":1},"isError":true}`)
		if r.Text() != "a\nb" || string(r.Structured) != `{"n":1}` || !r.IsError {
			t.Errorf("got %+v", r)
		}
	})
}
