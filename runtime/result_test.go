package runtime_test

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

func TestParseResultTool(t *testing.T) {
	raw, err := os.ReadFile("testdata/all-content.json")
	if err != nil {
		t.Fatal(err)
	}
	r, err := runtime.Request{Method: protocol.MethodCallTool}.ParseResult(raw)
	if err != nil {
		t.Fatal(err)
	}
	want := []runtime.Content{
		{Type: "text", Text: "first é"},
		{Type: "image", Data: []byte("PNG"), MIMEType: "image/png"},
		{Type: "audio", Data: []byte("WAV"), MIMEType: "audio/wav"},
		{Type: "resource", URI: "file:///a.txt", MIMEType: "text/plain", Text: "second"},
		{Type: "resource", URI: "file:///b.bin", Data: []byte{0, 1, 2}},
		{Type: "resource_link", URI: "file:///c", Name: "c", MIMEType: "text/x"},
		{Type: "hologram"},                     // unknown
		{Type: "image", MIMEType: "image/png"}, // bad base64
		{Type: "image", MIMEType: "image/png"}, // data is not a string
		{Type: "text"},                         // text is not a string
		{},                                     // a string
		{},                                     // null
		{},                                     // an object without a type
		{},                                     // a type that is not a string
		{Type: "resource"},                     // no resource in it
		{Type: "image", Data: []byte{}, MIMEType: "image/gif"}, // empty
		{Type: "text", Text: "last"},
	}
	if len(r.Content) != len(want) {
		t.Fatalf("%d blocks, want %d", len(r.Content), len(want))
	}
	for i, got := range r.Content {
		if len(got.Raw) == 0 || !json.Valid(got.Raw) {
			t.Errorf("block %d: Raw %q", i, got.Raw)
		}
		got.Raw = nil
		if !reflect.DeepEqual(got, want[i]) {
			t.Errorf("block %d: got %+v, want %+v", i, got, want[i])
		}
	}
	if r.Text() != "first é\nsecond\nlast" {
		t.Errorf("text %q", r.Text())
	}
	if images := r.Images(); len(images) != 2 || string(images[0].Data) != "PNG" {
		t.Errorf("images %v", images)
	}
	if string(r.Structured) != `{"exact":9007199254740993}` || r.IsError || string(r.Raw) != strings.TrimSpace(string(raw)) {
		t.Errorf("got %s, %v", r.Structured, r.IsError)
	}
	if string(r.Content[6].Raw) != `{"type":"hologram","beam":[1,2.50]}` {
		t.Errorf("unknown block: %s", r.Content[6].Raw)
	}
}

func TestParseResultOtherMethods(t *testing.T) {
	tests := []struct {
		method, in string
		want       []runtime.Content
		structured string
	}{
		{protocol.MethodGetPrompt, `{"description":"d","messages":[
			{"role":"user","content":{"type":"text","text":"hi"}},
			{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"image","data":"UE5H","mimeType":"image/png"}]},
			{"role":7,"content":{"type":"text","text":"b"}},
			{"role":"user"}, "stray"]}`,
			[]runtime.Content{{Role: "user", Type: "text", Text: "hi"}, {Role: "assistant", Type: "text", Text: "a"},
				{Role: "assistant", Type: "image", Data: []byte("PNG"), MIMEType: "image/png"}, {Type: "text", Text: "b"}, {Role: "user"}, {}}, ""},
		{protocol.MethodReadResource, `{"contents":[{"uri":"a:b","mimeType":"text/plain","text":"t"},{"uri":"c:d","blob":"UE5H"},3]}`,
			[]runtime.Content{{Type: "resource", URI: "a:b", MIMEType: "text/plain", Text: "t"},
				{Type: "resource", URI: "c:d", Data: []byte("PNG")}, {Type: "resource"}}, ""},
		{protocol.MethodComplete, `{"completion":{"values":["x","y"],"total":2,"hasMore":false}}`,
			[]runtime.Content{{Type: "text", Text: "x"}, {Type: "text", Text: "y"}}, `{"values":["x","y"],"total":2,"hasMore":false}`},
		{protocol.MethodGetPrompt, `{}`, nil, ""},
		{protocol.MethodReadResource, `{"contents":null}`, nil, ""},
		{protocol.MethodComplete, `{"completion":[]}`, nil, "[]"},
		{protocol.MethodCallTool, `{"content":{"type":"text","text":"no brackets"}}`,
			[]runtime.Content{{Type: "text", Text: "no brackets"}}, ""},
	}
	for _, tt := range tests {
		r, err := runtime.Request{Method: tt.method}.ParseResult(json.RawMessage(tt.in))
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Content {
			r.Content[i].Raw = nil
		}
		if !reflect.DeepEqual(r.Content, tt.want) || string(r.Structured) != tt.structured {
			t.Errorf("%s %s:\ngot  %+v, %s\nwant %+v", tt.method, tt.in, r.Content, r.Structured, tt.want)
		}
	}
}

func TestParseResultIsError(t *testing.T) {
	for in, want := range map[string]bool{
		`{}`: false, `{"isError":false}`: false, `{"isError":null}`: false, `{"isError":true}`: true,
		`{"isError":"yes"}`: true, `{"iserror":true}`: false, `{"isError":true,"isError":false}`: false,
	} {
		if r := parseResult(t, in); r.IsError != want {
			t.Errorf("%s: got %v", in, r.IsError)
		}
	}
	if r := parseResult(t, `{"structuredContent":null}`); string(r.Structured) != "null" {
		t.Errorf("null is not absent: %q", r.Structured)
	}
}

func TestParseResultErrors(t *testing.T) {
	for _, tt := range []struct{ method, in, want string }{
		{protocol.MethodCallTool, ``, "the result of tools/call: empty"},
		{protocol.MethodCallTool, `[]`, "want an object, got an array"},
		{protocol.MethodGetPrompt, `null`, "want an object, got null"},
		{protocol.MethodCallTool, `{"content":[}`, "not valid JSON at byte 12"},
		{protocol.MethodCallTool, `{} {}`, "not valid JSON at byte 3"},
		{protocol.MethodCallTool, `{"a":` + strings.Repeat("[", 5000), "nested deeper than 1000 levels"},
		{"tools/list", `{}`, `method "tools/list"`},
	} {
		if _, err := (runtime.Request{Method: tt.method}).ParseResult(json.RawMessage(tt.in)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40s: got %v, want %s", tt.in, err, tt.want)
		}
	}
}

func TestResultDecode(t *testing.T) {
	var v struct{ Login string }
	for _, in := range []string{
		`{"structuredContent":{"login":"x"},"content":[{"type":"text","text":"prose"}]}`,
		`{"content":[{"type":"text","text":"{\"login\":\"x\"}"},{"type":"image","data":""}]}`,
	} {
		v.Login = ""
		if err := parseResult(t, in).Decode(&v); err != nil || v.Login != "x" {
			t.Errorf("%s: got %v, %v", in, v, err)
		}
	}
	for _, in := range []string{`{}`, `{"content":[{"type":"text","text":"prose"}]}`, `{"structuredContent":[]}`} {
		r := parseResult(t, in)
		err := r.Decode(&v)
		de, ok := errors.AsType[*runtime.DecodeError](err)
		if !ok || de.Result != r || !errors.Is(err, runtime.ErrDecode) {
			t.Errorf("%s: got %v", in, err)
		}
	}
	// A generated type keeps its rules, and its place in the error.
	err := parseResult(t, `{"structuredContent":[{"login":"x"},{"login":null}]}`).Decode(new([]owner))
	if de, ok := errors.AsType[*runtime.DecodeError](err); !ok || de.Pointer != "/login" {
		t.Errorf("got %v", err)
	}
}

func TestResultDecodeIntegerSpellings(t *testing.T) {
	r := parseResult(t, `{"structuredContent":{"n":3.0,"list":[1e2,-2E0],"float":1.50,"text":"1.0","far":1e30}}`)
	var v struct {
		N     int8
		List  []int
		Float json.Number
		Far   float64
		Text  string
		Gone  string
	}
	if err := r.Decode(&v); err != nil {
		t.Fatal(err)
	}
	if v.N != 3 || v.List[0] != 100 || v.List[1] != -2 || v.Float != "1.50" || v.Text != "1.0" || v.Far != 1e30 {
		t.Errorf("got %+v", v)
	}
	for _, in := range []string{`{"n":300.0}`, `{"n":1.5}`, `{"n":"x"}`, `{"list":[1e30]}`} {
		r.Structured = json.RawMessage(in)
		if err := r.Decode(&v); !errors.Is(err, runtime.ErrDecode) {
			t.Errorf("%s: got %v", in, err)
		}
	}
}

// owner is a type as mcpgen generates them.
type owner struct {
	Login string `json:"login"`
}

func (x *owner) UnmarshalJSON(b []byte) error {
	type plain owner
	return codec.DecodeObject(b, (*plain)(x), nil)
}

// What is called of the result beside an error does not panic.
func TestMethodsOfNoResult(t *testing.T) {
	var none *runtime.Result
	var v any
	decode := none.Decode(&v)
	data, err := none.JSON()
	bad, ok := errors.AsType[*runtime.DecodeError](decode)
	if none.Text() != "" || none.Images() != nil || data != nil || err == nil || !ok || bad.Result != nil || !errors.Is(decode, runtime.ErrDecode) {
		t.Errorf("%q, %v, %s, %v, %v", none.Text(), none.Images(), data, err, decode)
	}
	if n := reflect.TypeFor[*runtime.Result]().NumMethod(); n != 4 {
		t.Errorf("a Result has %d methods, and this test knows of 4", n)
	}
}
