package plain_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/plain"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// TestSeed holds behaviours of the systems that mcpgen serves, by the number of
// their row.
func TestSeed(t *testing.T) {
	t.Run("003-27", TestBlocks)
	t.Run("004-21", TestText)
}

// parseResult reads the result of a tool.
func parseResult(t *testing.T, raw string) *runtime.Result {
	t.Helper()
	r, err := runtime.Request{Method: protocol.MethodCallTool}.ParseResult(json.RawMessage(raw))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// blockCases are content blocks as servers send them, and what a model gets.
var blockCases = []struct{ name, block, want string }{
	{"text", `{"type":"text","text":"hi"}`, "hi"},
	{"empty text", `{"type":"text","text":""}`, ""},
	{"resource", `{"type":"resource","resource":{"uri":"file:///a.txt","mimeType":"text/plain","text":"body"}}`, "[Resource: file:///a.txt] (text/plain)\nbody"},
	{"resource of bytes", `{"type":"resource","resource":{"uri":"file:///a.bin","blob":"AAEC"}}`, "[Resource: file:///a.bin]\n(3 bytes)"},
	{"empty resource", `{"type":"resource","resource":{"uri":"file:///a","text":""}}`, "[Resource: file:///a]"},
	{"link", `{"type":"resource_link","uri":"file:///b.md","name":"b","mimeType":"text/markdown"}`, "[Resource link: file:///b.md] b (text/markdown)"},
	{"bare link", `{"type":"resource_link","uri":"file:///b.md"}`, "[Resource link: file:///b.md]"},
	{"audio", `{"type":"audio","data":"AAEC","mimeType":"audio/wav"}`, "[Audio] (audio/wav)\n(3 bytes)"},
	{"broken image", `{"type":"image","data":"%","mimeType":"image/png"}`, `[image] {"type":"image","data":"%","mimeType":"image/png"}`},
	{"unknown", `{"type": "hologram", "depth": 3}`, `[hologram] {"type":"hologram","depth":3}`},
	{"annotated", `{"type":"text","text":"hi","annotations":{"audience":["user"], "priority":1.0}}`, "hi\n[annotations] {\"audience\":[\"user\"],\"priority\":1.0}"},
	{"annotated with nothing", `{"type":"text","text":"hi","annotations":{}}`, "hi"},
}

func TestBlocks(t *testing.T) {
	for _, c := range blockCases {
		r := parseResult(t, `{"content":[`+c.block+`]}`)
		got := plain.Blocks(r)
		if len(got) != 1 || got[0].Type != protocol.ContentText || got[0].Text != c.want {
			t.Errorf("%s: %+v, want %q", c.name, got, c.want)
		}
	}
	r := parseResult(t, `{"content":[{"type":"image","data":"AAEC","mimeType":"image/png","annotations":{"priority":1}},{"type":"text","text":"below"}]}`)
	got := plain.Blocks(r)
	if len(got) != 3 || got[0].Type != protocol.ContentImage || len(got[0].Data) != 3 || got[1].Text != `[annotations] {"priority":1}` || got[2].Text != "below" {
		t.Errorf("image: %+v", got)
	}
	if got := plain.Text(r); got != "[annotations] {\"priority\":1}\nbelow" {
		t.Errorf("text %q", got)
	}
	if got := plain.Blocks(&runtime.Result{}); got != nil {
		t.Errorf("nothing: %+v", got)
	}
}

// textCases are results, and their text.
var textCases = []struct{ name, result, want string }{
	{"string", `{"content":[],"structuredContent":"as <it> \u2028 is\n"}`, "as <it> \u2028 is\n"},
	{"object", `{"content":[{"type":"text","text":"{}"}],"structuredContent":{"n":9007199254740993,"list":[1.0,"<"]}}`, "{\n  \"n\": 9007199254740993,\n  \"list\": [\n    1.0,\n    \"<\"\n  ]\n}"},
	{"null", `{"content":[],"structuredContent":null}`, ""},
	{"text", `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, "a\nb"},
	{"failed", `{"content":[{"type":"text","text":"no"}],"isError":true}`, "no"},
	{"nothing", `{"content":[]}`, ""},
}

func TestText(t *testing.T) {
	for _, c := range textCases {
		r := parseResult(t, c.result)
		if got := plain.Text(r); got != c.want || r.IsError != (c.name == "failed") {
			t.Errorf("%s: %q (%v), want %q", c.name, got, r.IsError, c.want)
		}
	}
}

// A model is told why, and no command: an agent with a shell could run it.
func TestFailure(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&runtime.CallError{Server: "s", Name: "t", Stage: "drift", Err: &runtime.DriftError{Server: "s", Tool: "t", Rule: "tool-removed"}},
			`s/t: drift: the server's definition differs from the one this code was generated against (tool-removed): a person has to review the change`},
		{hint.With(fmt.Errorf("s/t: gate: %w: no rule allows it", runtime.ErrDenied), "run mcpgen policy grant mcp:s_t"),
			`s/t: gate: denied: no rule allows it: only the person who runs this program can allow it`},
		{&runtime.CallError{Server: "s", Name: "t", Stage: "gate", Err: errors.Join(runtime.ErrDenied, stage.ErrWait)}, "s/t: gate: denied\nthe call is possible later"},
		{hint.New("no room", "run it again"), "no room"},
		{&runtime.RPCError{Code: -32042, Message: "sign in first", Data: []byte(`{"elicitations":[{"mode":"url","url":"https://example.com/a\nb"},{"mode":"form"}]}`)},
			"sign in first (code -32042)\nhttps://example.com/a b"},
	} {
		if got := plain.Failure(tt.err); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}
