package codec_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/codec"
)

// The vectors of RFC 6570 are in package decide of the generator, which takes the
// templates apart.
func TestExpandURI(t *testing.T) {
	text := func(name, value string) codec.URIVar { return codec.URIVar{Name: name, Text: &value} }
	list := func(name string, explode bool, values ...string) codec.URIVar {
		return codec.URIVar{Name: name, List: values, Explode: explode}
	}
	undefined := codec.URIVar{Name: "x"}
	for _, tt := range []struct {
		op   string
		vars []codec.URIVar
		want string
	}{
		{"", nil, ""},
		{"?", []codec.URIVar{undefined, list("y", true)}, ""},
		{"", []codec.URIVar{text("owner", "a/b ü")}, "a%2Fb%20%C3%BC"},
		{"+", []codec.URIVar{text("path", "/a b%41%4")}, "/a%20b%41%254"},
		{"#", []codec.URIVar{text("x", "a"), undefined, text("y", "b/c")}, "#a,b/c"},
		{"/", []codec.URIVar{list("tags", true, "x", "", "y&z")}, "/x//y%26z"},
		{"/", []codec.URIVar{list("tags", false, "x", "y")}, "/x,y"},
		{"?", []codec.URIVar{text("page", ""), undefined, text("n", "7")}, "?page=&n=7"},
		{"&", []codec.URIVar{list("file-name", true, "a", "")}, "&file-name=a&file-name="},
		{"?", []codec.URIVar{list("l", false, "", "b")}, "?l=,b"},
		{";", []codec.URIVar{text("x", ""), text("y", "1")}, ";x;y=1"},
		{"", []codec.URIVar{{Name: "u", Text: new("ü12"), Prefix: 2}}, "%C3%BC1"},
		{"+", []codec.URIVar{{Name: "p", Text: new("%41bc"), Prefix: 2}}, "%41b"},
		{"", []codec.URIVar{{Name: "p", Text: new("%41bc"), Prefix: 2}}, "%254"},
	} {
		if got := codec.ExpandURI(tt.op, tt.vars...); got != tt.want {
			t.Errorf("%q of %d variables: %s, want %s", tt.op, len(tt.vars), got, tt.want)
		}
	}
}

// Whatever the values are, nothing comes out that may not stand in a URI, and a
// single value can be read back.
func FuzzExpandURI(f *testing.F) {
	f.Add("?", "name", "50%", 0)
	f.Add("+", "%41", "a%zz\xff", 3)
	f.Fuzz(func(t *testing.T, op, name, value string, prefix int) {
		uri := codec.ExpandURI(op, codec.URIVar{Name: name, Text: &value, Prefix: prefix % 10000},
			codec.URIVar{Name: name, List: []string{value, "b"}, Explode: true})
		for i := range len(uri) {
			if c := uri[i]; c <= ' ' || c > '~' || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
				t.Fatalf("%q of %q: %q may not stand in %q", op, value, c, uri)
			}
		}
		if got, err := url.PathUnescape(codec.ExpandURI("", codec.URIVar{Name: "x", Text: &value})); err != nil || got != value {
			t.Errorf("%q came back as %q, %v", value, got, err)
		}
	})
}
