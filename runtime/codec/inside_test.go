package codec_test

// Unions in the variants of unions, and variants that have no place for a member.

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/codec"
)

type outer interface{ isOuter() }

func (outerBlock) isOuter()  {}
func (outerAmount) isOuter() {}
func (outerOther) isOuter()  {}

type (
	outerBlock struct {
		Part []block  `json:"part"`
		Next outer    `json:"next,omitzero"`
		More extraMap `json:"-"`
	}
	outerAmount struct {
		Part []amount `json:"part"`
		Next outer    `json:"next,omitzero" mcp:"null"`
	}
	outerOther struct{ json.RawMessage }
)

func (x *outerBlock) UnmarshalJSON(b []byte) error {
	return codec.DecodeObject(b, x, &x.More, codec.UnionOf((*block)(nil), decodeBlock), codec.UnionOf((*outer)(nil), decodeOuter))
}

func (x outerBlock) MarshalJSON() ([]byte, error) { return codec.EncodeObject(&x, x.More) }

func (x *outerAmount) UnmarshalJSON(b []byte) error {
	return codec.DecodeObject(b, x, nil, codec.UnionOf((*amount)(nil), decodeAmount), codec.UnionOf((*outer)(nil), decodeOuter))
}

func decodeAmount(b []byte) (any, error) {
	return codec.DecodeUnion(b, amountOther{}, codec.Variant{As: float(0), Kind: "number"})
}

func decodeOuter(b []byte) (any, error) {
	return codec.DecodeUnion(b, outerOther{}, codec.Variant{As: outerBlock{}, Kind: "object"}, codec.Variant{As: outerAmount{}, Kind: "object"})
}

// What the unions inside of a variant find speaks for it, or against it.
func TestUnionInside(t *testing.T) {
	other := outerOther{json.RawMessage("null")}
	for in, want := range map[string]outer{
		`{"part":["a",true]}`:                     outerBlock{Part: []block{words("a"), flag(true)}},
		`{"part":[1.5]}`:                          outerAmount{Part: []amount{float(1.5)}},
		`{"part":[1.5],"next":null}`:              outerAmount{Part: []amount{float(1.5)}, Next: other},
		`{"part":[1.5],"x":1}`:                    outerBlock{Part: []block{blockOther{json.RawMessage("1.5")}}, More: extraMap{"x": json.RawMessage("1")}},
		`{"part":["a"],"next":{"part":[1.5]}}`:    outerBlock{Part: []block{words("a")}, Next: outerAmount{Part: []amount{float(1.5)}}},
		`{"part":[1.5],"next":{"part":["a"]}}`:    outerAmount{Part: []amount{float(1.5)}, Next: outerBlock{Part: []block{words("a")}}},
		`{"part":[{"type":"video"}]}`:             outerBlock{Part: []block{blockOther{json.RawMessage(`{"type":"video"}`)}}},
		`{"part":1}`:                              outerOther{json.RawMessage(`{"part":1}`)},
		`{"part":[null,1.5],"next":{"part":"a"}}`: outerBlock{Part: []block{nil, blockOther{json.RawMessage("1.5")}}, Next: outerOther{json.RawMessage(`{"part":"a"}`)}},
	} {
		got, err := decodeOuter([]byte(in))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v, %v, want %#v", in, got, err, want)
		}
		if back, err := codec.EncodeValue(got); err != nil || string(back) != in {
			t.Errorf("%s: became %s, %v", in, back, err)
		}
	}
}

// To look into the unions inside must not double the work on each level. Beyond a
// bound nobody looks, and nothing is lost all the same.
func TestUnionInsideIsBounded(t *testing.T) {
	for _, levels := range []int{10, 400} {
		text := strings.Repeat(`{"part":[1.5],"next":`, levels) + `{"part":[1.5]}` + strings.Repeat("}", levels)
		got, err := decodeOuter([]byte(text))
		if _, ok := got.(outerAmount); !ok || err != nil {
			t.Errorf("%d levels: got a %T, %v", levels, got, err)
		}
		if back, err := codec.EncodeValue(got); err != nil || string(back) != text {
			t.Errorf("%d levels: became %s, %v", levels, back, err)
		}
	}
}

// The methods of generated types know no value in no data.
func TestNoData(t *testing.T) {
	for _, err := range []error{new(outerBlock).UnmarshalJSON(nil), new(pair).UnmarshalJSON(nil), new(blocks).UnmarshalJSON(nil)} {
		if err == nil || !strings.Contains(err.Error(), "empty") {
			t.Error(err)
		}
	}
}
