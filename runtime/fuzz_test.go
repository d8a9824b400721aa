package runtime_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

func addSeeds(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.json")
	if err != nil || len(paths) == 0 {
		f.Fatal("no testdata: ", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 4096 {
			f.Add(data)
		}
	}
	for _, s := range []string{
		`{}`, "{\"content\":\"\xff\"}",
		`{"messages":[{"role":"user","content":{"type":"text","text":"t"}}]}`, `{"contents":[{"uri":"a:b","blob":"AA=="}]}`,
		`{"completion":{"values":["x"]}}`, `{"content":[{"type":"image","data":"!"}],"isError":true}`,
	} {
		f.Add([]byte(s))
	}
}

func FuzzParseResult(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, method := range []string{protocol.MethodCallTool, protocol.MethodGetPrompt, protocol.MethodReadResource, protocol.MethodComplete} {
			r, err := runtime.Request{Method: method}.ParseResult(data)
			trimmed := bytes.TrimLeft(data, " \t\r\n")
			valid := json.Valid(data) && trimmed[0] == '{'
			if (err == nil) != valid && !(err != nil && strings.Contains(err.Error(), "nested deeper")) {
				t.Fatalf("%s: got %v, valid %v", method, err, valid)
			}
			if err != nil {
				continue
			}
			if whole, err := jsontext.Whole(data); err != nil || !bytes.Equal(r.Raw, whole) {
				t.Fatalf("%s: raw %q of %q, %v", method, r.Raw, data, err)
			}
			if want := jsontext.Text(jsontext.Member(r.Raw, "resultType")); r.Type != want && r.Type != "task" {
				t.Fatalf("%s: type %q, want %q", method, r.Type, want)
			}
			for _, c := range r.Content {
				if !json.Valid(c.Raw) || !bytes.Contains(data, c.Raw) {
					t.Fatalf("%s: raw block %q", method, c.Raw)
				}
			}
			if r.Structured != nil && !json.Valid(r.Structured) {
				t.Fatalf("%s: structured %q", method, r.Structured)
			}
			_, _, _ = r.Text(), r.Images(), r.Decode(new(owner))
		}
	})
}
