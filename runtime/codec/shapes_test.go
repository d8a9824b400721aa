package codec_test

// Unions, tuples, tags and odd names, in types of the shape that generated ones
// have.

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

type block interface{ isBlock() }

func (number) isBlock()     {}
func (words) isBlock()      {}
func (flag) isBlock()       {}
func (text) isBlock()       {}
func (image) isBlock()      {}
func (link) isBlock()       {}
func (box) isBlock()        {}
func (pair) isBlock()       {}
func (blocks) isBlock()     {}
func (blockOther) isBlock() {}

type blockOther struct{ json.RawMessage }

func decodeBlock(b []byte) (any, error) {
	return codec.DecodeUnion(b, blockOther{},
		codec.Variant{As: number(0), Kind: "integer"},
		codec.Variant{As: words(""), Kind: "string"},
		codec.Variant{As: flag(false), Kind: "boolean"},
		codec.Variant{As: text{}, Kind: "object", Tag: "type", Value: `"text"`},
		codec.Variant{As: text{}, Kind: "object", Tag: "type", Value: `"words"`},
		codec.Variant{As: image{}, Kind: "object", Tag: "type", Value: `"image"`},
		codec.Variant{As: link{}, Kind: "object", Key: "url"},
		codec.Variant{As: box{}, Kind: "object", Key: "inside"},
		codec.Variant{As: pair{}, Kind: "array"},
		codec.Variant{As: blocks(nil), Kind: "array"},
	)
}

type (
	number int
	words  string
	flag   bool
	blocks []block
)

func (x *blocks) UnmarshalJSON(b []byte) error {
	return codec.DecodeValue(b, (*[]block)(x), codec.UnionOf((*block)(nil), decodeBlock))
}

type text struct {
	Text string `json:"text"`
}

func (x *text) UnmarshalJSON(b []byte) error {
	return codec.DecodeObject(b, x, nil, codec.Tag("type", `"text"`))
}

func (x text) MarshalJSON() ([]byte, error) {
	return codec.EncodeObject(&x, nil, codec.Tag("type", `"text"`))
}

type image struct {
	Data  string   `json:"data"`
	Extra extraMap `json:"-"`
}

func (x *image) UnmarshalJSON(b []byte) error {
	return codec.DecodeObject(b, x, &x.Extra, codec.Tag("type", `"image"`), codec.Tag("v", "1"))
}

func (x image) MarshalJSON() ([]byte, error) {
	return codec.EncodeObject(&x, x.Extra, codec.Tag("type", `"image"`), codec.Tag("v", "1"))
}

type link struct {
	URL string `json:"url"`
}

type box struct {
	Inside block              `json:"inside"`
	Maybe  runtime.Opt[block] `json:"maybe,omitzero"`
	Named  map[string][]block `json:"named,omitzero"`
	Twice  *[2]block          `json:"twice,omitzero"`
	More   map[string]block   `json:"-"`
}

func (x *box) UnmarshalJSON(b []byte) error {
	return codec.DecodeObject(b, x, &x.More, codec.UnionOf((*block)(nil), decodeBlock))
}

func (x box) MarshalJSON() ([]byte, error) {
	return codec.EncodeObject(&x, x.More)
}

type pair struct {
	Name  string   `json:"0"`
	Count *int     `json:"1,omitzero"`
	Rest  []string `json:"-"`
}

func (x *pair) UnmarshalJSON(b []byte) error {
	return codec.DecodeTuple(b, x, &x.Rest)
}

func (x pair) MarshalJSON() ([]byte, error) {
	return codec.EncodeTuple(&x, x.Rest)
}

func TestUnion(t *testing.T) {
	other := func(s string) block { return blockOther{json.RawMessage(s)} }
	for in, want := range map[string]block{
		`7`:                               number(7),
		`1e3`:                             number(1000),
		`1.5`:                             other(`1.5`),
		`"a"`:                             words("a"),
		`true`:                            flag(true),
		`null`:                            other(`null`),
		`99999999999999999999`:            other(`99999999999999999999`),
		`{"type":"text","text":"a"}`:      text{"a"},
		`{"text":"a","type":"te\u0078t"}`: text{"a"},
		`{"type":"image","text":"a","type":"text"}`: other(`{"type":"image","text":"a","type":"text"}`), // it contradicts itself
		`{"type":"text"}`:                    other(`{"type":"text"}`),
		`{"type":"text","text":1}`:           other(`{"type":"text","text":1}`),
		`{"type":"image","data":"","v":1.0}`: image{},
		`{"type":"image","data":"","v":2}`:   other(`{"type":"image","data":"","v":2}`),
		`{"type":"image","data":"","x":2}`:   image{Extra: extraMap{"x": json.RawMessage("2")}},
		`{"type":"video","url":"u"}`:         other(`{"type":"video","url":"u"}`), // a link would lose its type
		`{"url":"u"}`:                        link{"u"},
		`{"uri":"u"}`:                        other(`{"uri":"u"}`),
		`{}`:                                 other(`{}`),
		`["a"]`:                              pair{Name: "a"},
		`["a",1]`:                            pair{Name: "a", Count: new(1)},
		`["a",1,"b","c"]`:                    pair{Name: "a", Count: new(1), Rest: []string{"b", "c"}},
		`["a","b"]`:                          blocks{words("a"), words("b")},
		`[]`:                                 blocks{},
		`[1,[null,{"url":"u"}]]`:             blocks{number(1), blocks{nil, link{"u"}}},
		`{"inside":{"inside":1}}`:            box{Inside: box{Inside: number(1)}},
		`{"inside":1,"maybe":null,"x":"y"}`:  box{Inside: number(1), Maybe: runtime.Null[block](), More: map[string]block{"x": words("y")}},
		`{"inside":[],"maybe":2,"named":{"a":[true]},"twice":[1,"b"]}`: box{Inside: blocks{}, Maybe: runtime.Some[block](number(2)),
			Named: map[string][]block{"a": {flag(true)}}, Twice: &[2]block{number(1), words("b")}},
	} {
		got, err := decodeBlock([]byte(in))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v, %v, want %#v", in, got, err, want)
		}
		again, err := json.Marshal(got)
		if err != nil {
			t.Errorf("%s: %v", in, err)
		}
		back, err := decodeBlock(again)
		if err != nil || !reflect.DeepEqual(back, want) {
			t.Errorf("%s: became %s, then %#v, %v", in, again, back, err)
		}
	}
	for _, bad := range []string{``, `{`, `[1,]`, `{"type":"text","text":"a"} x`} {
		if got, err := decodeBlock([]byte(bad)); err == nil {
			t.Errorf("%s: got %#v", bad, got)
		}
	}
}

func TestTuple(t *testing.T) {
	for in, want := range map[string]string{
		`[]`:          "want an array of at least 1 elements, got 0",
		`{}`:          "want an array, got an object",
		`[1]`:         `at "/0": want a string, got a number`,
		`["",1,"",2]`: `at "/3": want a string, got a number`,
		`[""`:         "not valid JSON",
	} {
		var x pair
		if err := x.UnmarshalJSON([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", in, err, want)
		}
	}
	if err := codec.DecodeTuple([]byte(`["",1,2]`), &pair{}, nil); err == nil || !strings.Contains(err.Error(), "at most 2 elements, got 3") {
		t.Errorf("got %v", err)
	}
	for want, x := range map[string]pair{
		`["a"]`:        {Name: "a"},
		`["a",0]`:      {Name: "a", Count: new(0)},
		`["a",0,"<b"]`: {Name: "a", Count: new(0), Rest: []string{"<b"}},
	} {
		got, err := x.MarshalJSON()
		if err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
	if _, err := json.Marshal(pair{Rest: []string{"b"}}); err == nil || !strings.Contains(err.Error(), "element 1 (Count) must be set, because a later element is set") {
		t.Errorf("got %v", err)
	}
}

// A list or a map of a tuple is null if its tag says so, as a member of an object is.
func TestNullInTuple(t *testing.T) {
	type row struct {
		Name string         `json:"0"`
		List []string       `json:"1" mcp:"null"`
		Map  map[string]int `json:"2" mcp:"null"`
		More []string       `json:"3"`
	}
	const want = `["a",null,null,[]]`
	got, err := codec.EncodeTuple(row{Name: "a"}, []string(nil))
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	x := row{List: []string{"b"}}
	if err := codec.DecodeTuple([]byte(want), &x, nil); err != nil || !reflect.DeepEqual(x, row{Name: "a", More: []string{}}) {
		t.Errorf("got %#v, %v", x, err)
	}
}

type oddNames struct {
	Quote *int     `json:"-" mcp:"a\"b,omitzero"`
	Tick  int      "json:\"-\" mcp:\"back`tick,\""
	Comma *int     `json:"-" mcp:"a,b,omitzero"`
	Empty *int     `json:"-" mcp:",omitzero"`
	Lines []string `json:"-" mcp:"new\nline\t😀,"`
	OK    int      `json:"ok"`
	Extra extraMap `json:"-"`
}

func (x *oddNames) UnmarshalJSON(b []byte) error {
	return codec.DecodeObject(b, x, &x.Extra)
}

func (x oddNames) MarshalJSON() ([]byte, error) {
	return codec.EncodeObject(&x, x.Extra)
}

func TestOddNames(t *testing.T) {
	for want, x := range map[string]oddNames{
		"{\"back`tick\":0,\"new\\nline\\t😀\":[],\"ok\":0}": {Lines: []string{}},
		"{\"a\\\"b\":1,\"back`tick\":2,\"a,b\":3,\"\":4,\"new\\nline\\t😀\":[\"<\"],\"ok\":5,\"Quote\":6}": {
			Quote: new(1), Tick: 2, Comma: new(3), Empty: new(4), Lines: []string{"<"}, OK: 5, Extra: extraMap{"Quote": json.RawMessage("6")}},
	} {
		got, err := x.MarshalJSON()
		if err != nil || string(got) != want {
			t.Errorf("got  %s, %v\nwant %s", got, err, want)
		}
		var back oddNames
		if err := json.Unmarshal(got, &back); err != nil || !reflect.DeepEqual(back, x) {
			t.Errorf("%s: got %+v, %v", got, back, err)
		}
	}
	var x oddNames
	if err := json.Unmarshal([]byte(`{"ok":1}`), &x); err == nil || !strings.Contains(err.Error(), `"back`+"`"+`tick", "new\nline\t😀" are missing`) {
		t.Errorf("got %v", err)
	}
	_, err := json.Marshal(oddNames{Extra: extraMap{"a,b": nil}})
	if err == nil || !strings.Contains(err.Error(), `extra members "a,b" are fields of the type`) {
		t.Errorf("got %v", err)
	}
	if _, err := codec.EncodeObject(struct {
		A int `json:"-" mcp:"a"`
	}{}, nil); err == nil || !strings.Contains(err.Error(), "needs a comma after the name") {
		t.Errorf("got %v", err)
	}
}

func TestTags(t *testing.T) {
	_, err := json.Marshal(image{Extra: extraMap{"v": nil, "data": nil, "x": nil}})
	if err == nil || !strings.Contains(err.Error(), `extra members "data", "v" are fields of the type`) {
		t.Errorf("got %v", err)
	}
	for in, want := range map[string]string{
		`{"type":"text","data":""}`:       `at "/type": want "image", got "text"`,
		`{"type":["image"],"data":""}`:    `at "/type": want "image", got an array`,
		`{"v":10e-1,"data":""}`:           "",
		`{"v":1.1,"data":"","type":null}`: `at "/v": want 1, got a number`,
	} {
		var x image
		if err := json.Unmarshal([]byte(in), &x); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: got %v, want %s", in, err, want)
		}
	}
}
