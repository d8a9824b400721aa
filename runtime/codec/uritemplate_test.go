package codec_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

// vectors is testdata/rfc6570.json.
type vectors struct {
	Variables  json.RawMessage
	Expansions map[string]string
	Invalid    map[string]string // template -> the place in its error
}

func readVectors(t testing.TB) vectors {
	t.Helper()
	data, err := os.ReadFile("testdata/rfc6570.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Expansions) < 100 || len(v.Invalid) < 20 {
		t.Fatal("the test vectors are not whole")
	}
	return v
}

func TestExpandURI(t *testing.T) {
	v := readVectors(t)
	for template, want := range v.Expansions {
		if got, err := codec.ExpandURI(template, v.Variables); got != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", template, got, err, want)
		}
	}
	for template, place := range v.Invalid {
		got, err := codec.ExpandURI(template, v.Variables)
		if err == nil || !strings.Contains(err.Error(), ": "+place+": ") {
			t.Errorf("%s: %q, %v; want an error at %s", template, got, err, place)
		}
		if strings.HasPrefix(template, "{") && !strings.Contains(got, "{") {
			t.Errorf("%s: the text that cannot be read is lost: %q", template, got)
		}
	}
}

func TestExpandURIWithValuesOfGo(t *testing.T) {
	type vars struct {
		Owner string   `json:"owner"`
		Page  *string  `json:"page,omitzero"`
		Tags  []string `json:"tags,omitzero"`
		N     int      `json:"n,omitzero"`
	}
	const template = "repo://{owner}/tree{/tags*}{?page,n}"
	for _, tt := range []struct {
		vars any
		want string
	}{
		{vars{}, "repo:///tree"},
		{vars{Owner: "a/b ü"}, "repo://a%2Fb%20%C3%BC/tree"},
		{vars{Owner: "o", Page: new(""), Tags: []string{"x", "", "y&z"}, N: 7}, "repo://o/tree/x//y%26z?page=&n=7"},
		{map[string]any{"owner": "<>", "page": true, "n": 1.5, "tags": []any{nil, 1}}, "repo://%3C%3E/tree/1?page=true&n=1.5"},
		{nil, "repo:///tree"},
	} {
		got, err := codec.ExpandURI(template, tt.vars)
		if got != tt.want || err != nil {
			t.Errorf("%+v: %s, %v; want %s", tt.vars, got, err, tt.want)
		}
		if again := codec.TemplateURI(template, tt.vars); again != got {
			t.Errorf("%+v: TemplateURI says %s", tt.vars, again)
		}
	}
	for literal, want := range map[string]string{
		"file:///a b": "file:///a%20b", "x:ü%41%4": "x:%C3%BC%41%254", "x:\"\\^`<|>": "x:%22%5C%5E%60%3C%7C%3E", "": "",
		"{file-name}": "f.txt", "{+p:2}": "%41b", "{u:2}": "%C3%BC1",
	} {
		got, err := codec.ExpandURI(literal, map[string]string{"file-name": "f.txt", "p": "%41bc", "u": "ü12"})
		if got != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", literal, got, err, want)
		}
	}
}

func TestExpandURIOfWrongVariables(t *testing.T) {
	for _, tt := range []struct {
		template string
		vars     any
		want     string
		pointer  string
	}{
		{"a{x}{y}", map[string]any{"x": []any{[]int{1}}, "y": "z"}, "a{x}z", "/x"},
		{"a{?x}", map[string]any{"x": map[string]any{"k": map[string]int{}}}, "a{?x}", "/x"},
		{"a{x:3}", map[string]any{"x": []string{"abcd"}}, "a{x:3}", "/x"},
		{"a{x}", []string{"x"}, "a{x}", ""},
		{"a{x}", make(chan int), "a{x}", ""},
	} {
		got, err := codec.ExpandURI(tt.template, tt.vars)
		if got != tt.want || !errors.Is(err, runtime.ErrInvalidArgs) {
			t.Errorf("%s: %s, %v; want %s", tt.template, got, err, tt.want)
		}
		if bad, ok := errors.AsType[*runtime.InvalidArgsError](err); ok && bad.Pointer != tt.pointer {
			t.Errorf("%s: the error points at %q, want %q", tt.template, bad.Pointer, tt.pointer)
		}
	}
}

// FuzzExpandURI expands any template. Whatever it is, a URI comes back that holds
// nothing which may not stand in one, and expanding it again changes nothing.
func FuzzExpandURI(f *testing.F) {
	v := readVectors(f)
	for template := range v.Expansions {
		f.Add(template, "value")
	}
	for template := range v.Invalid {
		f.Add(template, "50%")
	}
	f.Fuzz(func(t *testing.T, template, value string) {
		uri, err := codec.ExpandURI(template, map[string]any{"x": value, "list": []string{value, "b"}, "keys": map[string]string{value: value}})
		if err != nil {
			if uri == "" && template != "" {
				t.Errorf("%q: %v, and nothing is left of it", template, err)
			}
			return
		}
		for i := range len(uri) {
			if c := uri[i]; c <= ' ' || c > '~' || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
				t.Fatalf("%q with %q: %q may not stand in %q", template, value, c, uri)
			}
		}
		if again, err := codec.ExpandURI(uri, nil); again != uri || err != nil {
			t.Errorf("%q with %q: %q, then %q, %v", template, value, uri, again, err)
		}
		if got, err := url.PathUnescape(codec.TemplateURI("{x}", map[string]string{"x": value})); err != nil || got != strings.ToValidUTF8(value, "\ufffd") && len(got) < len(value) {
			t.Errorf("%q came back as %q, %v", value, got, err)
		}
	})
}
