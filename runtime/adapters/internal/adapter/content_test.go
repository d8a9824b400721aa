package adapter

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// files begin as files of their types do.
var files = map[string]string{
	"image/png": "\x89PNG\r\n\x1a\n", "image/jpeg": "\xff\xd8\xff", "image/gif": "GIF89a", "image/webp": "RIFF0000WEBPVP",
	"application/pdf": "%PDF-1.7\n", "application/zip": "PK\x03\x04",
}

func result(t *testing.T, text string) *runtime.Result {
	t.Helper()
	res, err := runtime.Request{Method: protocol.MethodCallTool}.ParseResult([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// Each provider is sent as they are the files that it takes, as images and as resources, and
// reads of all others what they are.
func TestMedia(t *testing.T) {
	providers := map[string]Media{"anthropic": Anthropic, "openai": OpenAI, "gemini": Gemini, "any": AnyModel, "text": TextOnly}
	for name, takes := range providers {
		for kind, data := range files {
			encoded := base64.StdEncoding.EncodeToString([]byte(data))
			for _, content := range []string{
				fmt.Sprintf(`{"type":"image","mimeType":%q,"data":%q}`, kind, encoded),
				fmt.Sprintf(`{"type":"resource","resource":{"uri":"file:///a","mimeType":%q,"blob":%q}}`, kind, encoded),
			} {
				blocks, text := takes.content(result(t, `{"content":[`+content+`]}`))
				last := blocks[len(blocks)-1]
				isNative := last.Type != protocol.ContentText
				if isNative != slices.Contains(takes, kind) || isNative && (last.MIMEType != kind || !bytes.Equal(last.Data, []byte(data))) {
					t.Errorf("%s: of %s there is %+v", name, content, last)
				}
				if isNative && (last.Type == protocol.ContentImage) != strings.HasPrefix(kind, "image/") {
					t.Errorf("%s: %s is a block of type %s", name, kind, last.Type)
				}
				if !strings.Contains(text, kind) {
					t.Errorf("%s: the text of %s is %q", name, content, text)
				}
			}
		}
	}
}

// Texts that say what the structured content says are left out, all others stay.
func TestRepeats(t *testing.T) {
	for _, c := range []struct {
		text, structured string
		want             bool
	}{
		{`{"b":2, "a":1}`, `{"a":1,"b":2}`, true},
		{`{"a":9007199254740993}`, `{"a":9007199254740992}`, false},
		{"two words", `{"result":"two words"}`, true},
		{`"two words"`, `{"result":"two words"}`, true},
		{`{"id":1}`, `{"result":[{"id":1},{"id":2}]}`, true},
		{"one", `{"result":["one","two"]}`, true},
		{"one", `{"result":["one"],"total":1}`, false},
		{"Found 2 issues.", `{"result":["one","two"]}`, false},
		{"plain", `"plain"`, true},
		{"", `{}`, false},
	} {
		if got := repeats(c.text, json.RawMessage(c.structured)); got != c.want {
			t.Errorf("%s of %s: %t", c.text, c.structured, got)
		}
	}
	blocks, text := Anthropic.content(result(t, `{"structuredContent":{"a":1},"content":[{"type":"text","text":"{\"a\":1}"},{"type":"text","text":"See also b."}]}`))
	if len(blocks) != 2 || text != "{\n  \"a\": 1\n}\nSee also b." {
		t.Errorf("got %+v, %q", blocks, text)
	}
}

// named is a tool of a name.
type named string

func (n named) Spec() runtime.Spec { return runtime.Spec{Name: string(n)} }

func (n named) Call(context.Context, json.RawMessage, ...runtime.CallOption) (*runtime.Result, error) {
	return &runtime.Result{}, nil
}

// A list that somebody holds stays as it is while tools come and go.
func TestAllIsKept(t *testing.T) {
	tools := &Tools{}
	for _, tool := range []runtime.Tool{named("a"), named("b")} {
		if err := tools.Register("any", tool); err != nil {
			t.Fatal(err)
		}
	}
	held := tools.All()
	if err := tools.Unregister("a"); err != nil {
		t.Fatal(err)
	}
	if err := tools.Register("any", named("c")); err != nil {
		t.Fatal(err)
	}
	if held[0].Spec().Name != "a" || held[1].Spec().Name != "b" || len(tools.All()) != 2 {
		t.Errorf("held %v, now %v", held, tools.All())
	}
}
