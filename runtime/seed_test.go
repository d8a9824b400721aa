package runtime_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/codec"
)

// TestSeed holds behaviours of the systems that mcpgen serves, by the number of
// their row.
func TestSeed(t *testing.T) {
	t.Run("002-02", func(t *testing.T) { // a spec is exactly the protocol's Tool
		const want = `{"name":"echo","description":"Echo.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}}`
		m := codec.NewManifest("", `{"tools":[`+want+`]}`, codec.ItemRef{Name: "echo", Qualified: "echo"})
		got, err := json.Marshal(m.Specs()[0])
		if err != nil || string(got) != want {
			t.Errorf("got %s, %v", got, err)
		}
	})
	t.Run("002-03", func(t *testing.T) { // text blocks, a JSON value, isError
		r := parseResult(t, `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"structuredContent":{"n":1},"isError":true}`)
		if r.Text() != "a\nb" || string(r.Structured) != `{"n":1}` || !r.IsError {
			t.Errorf("got %+v", r)
		}
		// A block of Covenant's own kind is text, and structured if nothing else is.
		for content, want := range map[string][2]string{
			`[{"type":"text","text":"a"},{"type":"json","value":{"n": 1.50}}]`:    {"a\n{\"n\": 1.50}", `{"n": 1.50}`},
			`[{"type":"json","value":[1]}],"structuredContent":{"n":2}`:           {"[1]", `{"n":2}`},
			`[{"type":"json","value":1},{"type":"json","value":{"type":"text"}}]`: {"1\n{\"type\":\"text\"}", ""},
			`[{"type":"json","value":null}]`:                                      {"null", "null"},
			`[{"type":"json"},{"type":"json","value":"x"}]`:                       {`"x"`, `"x"`},
			`[{"type":"json"}]`: {"", ""},
		} {
			r := parseResult(t, `{"content":`+content+`}`)
			if r.Text() != want[0] || string(r.Structured) != want[1] {
				t.Errorf("%s: %q, %q", content, r.Text(), r.Structured)
			}
			var v any
			if err := r.Decode(&v); (err == nil) != (want[1] != "") {
				t.Errorf("%s: decoded: %v", content, err)
			}
		}
	})
}
