package codec_test

// Unions whose variants nothing but a trial tells apart.

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

// Variants that only a trial tells apart.
type vague interface{ isVague() }

func (vagueA) isVague()     {}
func (vagueB) isVague()     {}
func (vagueMap) isVague()   {}
func (vagueOther) isVague() {}

type (
	vagueA struct {
		A     *string  `json:"a,omitzero"`
		Extra extraMap `json:"-"`
	}
	vagueB struct {
		B *int    `json:"b,omitzero"`
		C *vagueA `json:"c,omitzero"`
	}
	vagueMap   map[string][]int
	vagueOther struct{ json.RawMessage }
)

func (x *vagueA) UnmarshalJSON(b []byte) error {
	return codec.DecodeObject(b, x, &x.Extra)
}

func (x vagueA) MarshalJSON() ([]byte, error) {
	return codec.EncodeObject(&x, x.Extra)
}

func decodeVague(b []byte) (any, error) {
	return codec.DecodeUnion(b, vagueOther{},
		codec.Variant{As: vagueA{}, Kind: "object"},
		codec.Variant{As: vagueB{}, Kind: "object"},
		codec.Variant{As: vagueMap(nil), Kind: "object"},
	)
}

func TestUnionByTrial(t *testing.T) {
	one := json.RawMessage("1")
	for in, want := range map[string]vague{
		`{}`:                    vagueA{},
		`{"a":"x"}`:             vagueA{A: new("x")},
		`{"b":1}`:               vagueB{B: new(1)},
		`{"b":1.0,"c":{"d":1}}`: vagueB{B: new(1), C: &vagueA{Extra: extraMap{"d": one}}},
		`{"b":1,"d":1}`:         vagueA{Extra: extraMap{"b": one, "d": one}}, // B would lose d
		`{"a":[1]}`:             vagueMap{"a": {1}},
		`{"a":1}`:               vagueOther{json.RawMessage(`{"a":1}`)},
	} {
		got, err := decodeVague([]byte(in))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v, %v, want %#v", in, got, err, want)
		}
	}
}

type deep interface{ isDeep() }

func (deepA) isDeep()     {}
func (deepB) isDeep()     {}
func (deepOther) isDeep() {}

type (
	deepA struct {
		Next deep `json:"next,omitzero"`
		Z    int  `json:"z"`
	}
	deepB struct {
		Next deep   `json:"next,omitzero"`
		Z    string `json:"z"`
	}
	deepOther struct{ json.RawMessage }
)

func (x *deepA) UnmarshalJSON(b []byte) error {
	return codec.DecodeObject(b, x, nil, codec.UnionOf((*deep)(nil), decodeDeep))
}

func (x *deepB) UnmarshalJSON(b []byte) error {
	return codec.DecodeObject(b, x, nil, codec.UnionOf((*deep)(nil), decodeDeep))
}

func decodeDeep(b []byte) (any, error) {
	return codec.DecodeUnion(b, deepOther{}, codec.Variant{As: deepA{}, Kind: "object"}, codec.Variant{As: deepB{}, Kind: "object"})
}

// Of a recursive union, the first variant may be the wrong one on every level. That
// must not double the work on each.
func TestUnionByTrialIsLinear(t *testing.T) {
	text := `{"z":""}`
	for range 300 {
		text = `{"next":` + text + `,"z":""}`
	}
	x, err := decodeDeep([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	levels := 0
	for b, ok := x.(deepB); ok; b, ok = b.Next.(deepB) {
		levels++
	}
	if levels != 301 {
		t.Errorf("%d levels are of the second variant", levels)
	}
}

// Everything that a value can lose on its way through a type.
func TestFits(t *testing.T) {
	type inner struct {
		N int                   `json:"n"`
		M *int                  `json:"m,omitzero"`
		P pair                  `json:"p,omitzero"`
		O runtime.Opt[[]string] `json:"o,omitzero"`
	}
	type closed struct {
		S  string           `json:"s"`
		Z  string           `json:"z,omitzero"`
		F  float64          `json:"f,omitzero"`
		B  []byte           `json:"b,omitzero"`
		I  []inner          `json:"i,omitzero"`
		T  *text            `json:"t,omitzero"`
		A  [2]int           `json:"a"`
		R  json.RawMessage  `json:"r,omitzero"`
		MM map[string]uint8 `json:"mm,omitzero"`
	}
	for in, want := range map[string]bool{
		`{"s":"","a":[1,2.0]}`:                                                              true,
		`{"s":"","a":[1,2],"r":[{}],"b":"aGk=","mm":{"x":255}}`:                             true,
		`{"s":"","a":[1,2],"i":[{"n":1,"m":3,"p":["x",1,"y"],"o":null},{"n":2,"o":["x"]}]}`: true,
		`{"s":"","a":[1,2],"t":{"type":"text","text":""}}`:                                  true,
		`{"s":"","a":[1,2],"f":0.1}`:                                                        true,
		`{"s":"","a":[1,2],"i":[{"n":1,"m":null}]}`:                                         false,
		`{"a":[1,2]}`:                                       false,
		`{"s":null,"a":[1,2]}`:                              false,
		`{"s":"","a":[1]}`:                                  false,
		`{"s":"","a":[1,2],"unknown":1}`:                    false,
		`{"s":"","a":[1,2],"S":1}`:                          false,
		`{"s":"","a":[1,2],"z":""}`:                         false,
		`{"s":"","a":[1,2],"f":9007199254740993}`:           false,
		`{"s":"","a":[1,2],"b":"!"}`:                        false,
		`{"s":"","a":[1,2],"i":null}`:                       false,
		`{"s":"","a":[1,2],"i":[{"n":1,"p":[]}]}`:           false,
		`{"s":"","a":[1,2],"i":[[]]}`:                       false,
		`{"s":"","a":[1,2],"i":[{"n":1,"o":[null]}]}`:       false,
		`{"s":"","a":[1,2],"t":{"text":""}}`:                false,
		`{"s":"","a":[1,2],"t":{"type":"words","text":""}}`: false,
		`{"s":"","a":[1,2],"mm":{"x":256}}`:                 false,
	} {
		got, err := codec.DecodeUnion([]byte(in), json.RawMessage(nil),
			codec.Variant{As: closed{}, Kind: "object"}, codec.Variant{As: extraMap(nil), Kind: "object"})
		if err != nil {
			t.Errorf("%s: %v", in, err)
		}
		if _, ok := got.(closed); ok != want {
			t.Errorf("%s: got %#v", in, got)
		}
	}
}

type (
	card struct {
		Digits string `json:"digits,omitzero"`
	}
	cash struct {
		By  *string `json:"by,omitzero"`
		Sum int     `json:"sum,omitzero"`
	}
)

func (x *card) UnmarshalJSON(b []byte) error {
	return codec.DecodeObject(b, x, nil, codec.Tag("by", `"card"`))
}

func (x card) MarshalJSON() ([]byte, error) {
	return codec.EncodeObject(&x, nil, codec.Tag("by", `"card"`))
}

// An object without its tag is of no variant that always has one: it would be a guess, and encoding
// would add the tag. A tag that may be absent is a field.
func TestUnionWithoutTag(t *testing.T) {
	other := func(text string) any { return vagueOther{json.RawMessage(text)} }
	for in, want := range map[string]any{
		`{"by":"card","digits":"1"}`: card{"1"},
		`{"digits":"1"}`:             other(`{"digits":"1"}`),
		`{"by":null,"digits":"1"}`:   other(`{"by":null,"digits":"1"}`),
		`{"sum":1}`:                  cash{Sum: 1},
		`{"by":"cash"}`:              cash{By: new("cash")},
		`{}`:                         cash{},
	} {
		got, err := codec.DecodeUnion([]byte(in), vagueOther{},
			codec.Variant{As: card{}, Kind: "object", Tag: "by", Value: `"card"`},
			codec.Variant{As: cash{}, Kind: "object", Tag: "by", Value: `"cash"`})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v, %v, want %#v", in, got, err, want)
		}
		if again, err := json.Marshal(got); err != nil || string(again) != in {
			t.Errorf("%s became %s, %v", in, again, err)
		}
	}
	got, err := codec.DecodeUnion([]byte(`{"digits":"1"}`), vagueOther{}, codec.Variant{As: card{}, Kind: "object", Tag: "by", Value: `"card"`})
	if _, ok := got.(vagueOther); err != nil || !ok {
		t.Errorf("the only variant: got %#v, %v", got, err)
	}
}

type amount interface{ isAmount() }

func (float) isAmount()       {}
func (amountOther) isAmount() {}

type (
	float       float64
	amountOther struct{ json.RawMessage }
)

// A float64 that would be another number keeps nobody from reading the right one.
func TestUnionOfInexactNumbers(t *testing.T) {
	for in, exact := range map[string]bool{
		`0.1`: true, `1e21`: true, `123456789012345680`: true, `0.30000000000000004`: true, `1000000000000000000000.0`: true,
		`9007199254740993`: false, `0.1000000000000000055511151231257827`: false, `1e400`: false,
	} {
		got, err := codec.DecodeUnion([]byte(in), amountOther{}, codec.Variant{As: float(0), Kind: "number"})
		if _, ok := got.(float); err != nil || ok != exact {
			t.Errorf("%s: got %#v, %v", in, got, err)
		}
	}
}

// What a part says wrongly about a union is an error where it matters, and no
// panic.
func TestUnionOfMisuse(t *testing.T) {
	stranger := func([]byte) (any, error) { return 1, nil }
	var got struct {
		A amount `json:"a"`
	}
	for _, part := range []codec.Part{
		codec.UnionOf((*amount)(nil), stranger),
		codec.UnionOf(nil, stranger),
		codec.UnionOf(amount(nil), stranger),
		codec.UnionOf(new(float), stranger),
	} {
		if err := codec.DecodeObject([]byte(`{"a":1}`), &got, nil, part); err == nil {
			t.Errorf("got %#v", got)
		}
	}
	nothing := codec.UnionOf((*amount)(nil), func([]byte) (any, error) { return nil, nil })
	got.A = float(1)
	if err := codec.DecodeObject([]byte(`{"a":1}`), &got, nil, nothing); err != nil || got.A != nil {
		t.Error(got.A, err)
	}
}
