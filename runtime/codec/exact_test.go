package codec_test

// Numbers that no float64 holds.
//
// Each of them is the same number when it is written again, or an error that says where it
// stands: see TestWholeOrError.

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

type measured struct {
	N     float64              `json:"n,omitzero"`
	P     *float64             `json:"p,omitzero"`
	O     runtime.Opt[float64] `json:"o,omitzero"`
	List  []float64            `json:"list,omitzero"`
	Map   map[string]float64   `json:"map,omitzero"`
	In    *measuredPart        `json:"in,omitzero"`
	I     int                  `json:"i,omitzero"`
	Extra extraMap             `json:"-"`
}

type measuredPart struct {
	N float64 `json:"n"`
}

func (x *measured) UnmarshalJSON(b []byte) error { return codec.DecodeObject(b, x, &x.Extra) }

func (x measured) MarshalJSON() ([]byte, error) { return codec.EncodeObject(&x, x.Extra) }

func TestExactNumbers(t *testing.T) {
	for in, kept := range map[string]string{
		`{"n":0.1,"o":0.30000000000000004,"list":[1e3,1.50]}`:                "",
		`{"n":9007199254740993}`:                                             "n",
		`{"n":9007199254740993.0}`:                                           "n",
		`{"p":0.1000000000000000055511151231257827}`:                         "p",
		`{"o":9007199254740993}`:                                             "o",
		`{"list":[1, 9007199254740993, 2]}`:                                  "list",
		`{"map":{"a":9007199254740993}}`:                                     "map",
		`{"in":{"n":9007199254740993}}`:                                      "in",
		`{"n":1,"in":{"n":1},"i":9007199254740993,"other":9007199254740993}`: "other",
		`{"\u006e":9007199254740993}`:                                        "n",
		`{"n":9007199254740993,"n":1.5}`:                                     "", // the last one counts
		`{"n":1e400}`:                                                        "n",
		`{"n":-1e400}`:                                                       "n",
		`{"p":1e-400}`:                                                       "p",
		`{"p":4.9e-324}`:                                                     "p",
		`{"p":5e-324,"n":1E3,"list":[0e9,-0]}`:                               "",
	} {
		var x measured
		if err := json.Unmarshal([]byte(in), &x); err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if _, ok := x.Extra[kept]; len(x.Extra) > 1 || ok != (kept != "") {
			t.Errorf("%s: Extra is %s", in, x.Extra)
		}
		out, err := json.Marshal(x)
		if err != nil || (strings.Count(in, "9007199254740993") != strings.Count(string(out), "9007199254740993") && !strings.Contains(in, "1.5}")) ||
			strings.Contains(in, "0055511151231257827") != strings.Contains(string(out), "0055511151231257827") ||
			strings.Contains(in, "400") != strings.Contains(string(out), "400") || strings.Contains(in, "4.9e") != strings.Contains(string(out), "4.9e") {
			t.Errorf("%s: became %s, %v", in, out, err)
		}
	}
}

// A field that was set counts, and what somebody else put into Extra is an error as
// ever.
func TestExactNumbersOfChangedFields(t *testing.T) {
	var x measured
	if err := json.Unmarshal([]byte(`{"n":9007199254740993,"list":[9007199254740993],"x":1}`), &x); err != nil {
		t.Fatal(err)
	}
	x.N, x.List[0] = 3, 4
	if out, err := json.Marshal(x); string(out) != `{"n":3,"list":[4],"x":1}` {
		t.Errorf("%s, %v", out, err)
	}
	x.N = 0
	if out, err := json.Marshal(x); string(out) != `{"list":[4],"x":1}` {
		t.Errorf("%s, %v", out, err)
	}
	x.Extra = extraMap{"n": json.RawMessage("3")}
	if out, err := json.Marshal(x); err == nil || !strings.Contains(err.Error(), `"n"`) {
		t.Errorf("%s, %v", out, err)
	}
}

// place is closed: what is not declared is dropped. It is decoded as a part of others, too,
// without its methods.
type place struct {
	Name         string             `json:"name"`
	At           [2]float64         `json:"at"`
	High         *float64           `json:"high,omitzero"`
	Parts        []placePart        `json:"parts,omitzero"`
	ExactNumbers codec.ExactNumbers `json:"-"`
}

type placePart struct {
	N            float64            `json:"n"`
	ExactNumbers codec.ExactNumbers `json:"-"`
}

func (x *place) UnmarshalJSON(b []byte) error { return codec.DecodeObject(b, x, nil) }

func (x place) MarshalJSON() ([]byte, error) { return codec.EncodeObject(&x, nil) }

// scores has members of a type of their own.
type scores struct {
	Name         string               `json:"name,omitzero"`
	Best         *float64             `json:"best,omitzero"`
	Extra        map[string][]float64 `json:"-"`
	ExactNumbers codec.ExactNumbers   `json:"-"`
}

func (x *scores) UnmarshalJSON(b []byte) error { return codec.DecodeObject(b, x, &x.Extra) }

func (x scores) MarshalJSON() ([]byte, error) { return codec.EncodeObject(&x, x.Extra) }

// priceLine is a tuple.
type priceLine struct {
	Name         string             `json:"0"`
	Price        float64            `json:"1"`
	Rest         []float64          `json:"-"`
	ExactNumbers codec.ExactNumbers `json:"-"`
}

func (x *priceLine) UnmarshalJSON(b []byte) error { return codec.DecodeTuple(b, x, &x.Rest) }

func (x priceLine) MarshalJSON() ([]byte, error) { return codec.EncodeTuple(&x, x.Rest) }

// untyped is what arguments are of which the schema says nothing.
type untyped struct {
	Any   any              `json:"any"`
	List  []any            `json:"list"`
	Map   map[string]any   `json:"map"`
	Opt   runtime.Opt[any] `json:"opt,omitzero"`
	Extra map[string]any   `json:"-"`
}

func (x *untyped) UnmarshalJSON(b []byte) error { return codec.DecodeObject(b, x, &x.Extra) }

func (x untyped) MarshalJSON() ([]byte, error) { return codec.EncodeObject(&x, x.Extra) }

// TestWholeOrError decodes numbers of all kinds in all positions.
func TestWholeOrError(t *testing.T) {
	const whole, refused = true, false
	positions := []struct {
		text string // with a number at each #
		kind func() any
		room bool
	}{
		{`{"name":"a","at":[1.5,#]}`, func() any { return new(place) }, whole},
		{`{"name":"a","at":[1,2],"high":#}`, func() any { return new(place) }, whole},
		{`{"name":"a","at":[1,2],"parts":[{"n":1},{"n":#}]}`, func() any { return new(place) }, whole},
		{`[{"name":"a","at":[#,#]}]`, func() any { return new([]place) }, whole},
		{`{"a":{"name":"a","at":[#,#]}}`, func() any { return new(map[string]*place) }, whole},
		{`{"name":"a","best":#}`, func() any { return new(scores) }, whole},
		{`{"best":1,"a":[1,#],"b":[2]}`, func() any { return new(scores) }, whole},
		{`["a",#]`, func() any { return new(priceLine) }, whole},
		{`["a",#,1,#]`, func() any { return new(priceLine) }, whole},
		{`#`, func() any { return new(json.Number) }, whole},
		{`[1,#]`, func() any { return new([]json.Number) }, whole},
		{`#`, func() any { return new(float64) }, refused},
		{`[1,#]`, func() any { return new([]float64) }, refused},
		{`{"a":#}`, func() any { return new(map[string]*float64) }, refused},
		{`{"n":#}`, func() any { return new(measuredPart) }, refused},
		{`{"p":#}`, func() any { return new(measured) }, whole},
		{`{"any":#,"list":[1,#],"map":{"a":[#]},"opt":#,"x":#}`, func() any { return new(untyped) }, whole},
		{`[1,#]`, func() any { return new([]any) }, whole},
	}
	for _, number := range []struct {
		text  string
		exact bool
	}{
		{"0", true}, {"1.0", true}, {"0.1", true}, {"-12.50", true}, {"1e3", true}, {"5e-324", true}, {"0.30000000000000004", true},
		{"9007199254740993", false}, {"-9007199254740993", false}, {"9007199254740993.0", false}, {"0.1000000000000000055511151231257827", false},
		{"1e400", false}, {"-1e400", false}, {"1e-400", false}, {"4.9e-324", false}, {"1e999999999", false},
		{"98249283749234923498293171823948729348710298301928331", false}, {"18446744073709551600.1", false},
	} {
		for _, at := range positions {
			in, x := strings.ReplaceAll(at.text, "#", number.text), at.kind()
			err := codec.DecodeValue([]byte(in), x)
			if !number.exact && at.room == refused {
				if err == nil || !strings.Contains(err.Error(), number.text[:4]) || !strings.Contains(err.Error(), "types:") {
					t.Errorf("%s as %T: %v, want an error that says what to write under types:", in, x, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s as %T: %v", in, x, err)
				continue
			}
			out, err := codec.EncodeValue(x)
			if err != nil || !sameNumbers(t, in, string(out)) {
				t.Errorf("%s as %T became %s, %v", in, x, out, err)
			}
		}
	}
}

// sameNumbers compares JSON values by the exact values of their numbers.
func sameNumbers(t *testing.T, a, b string) bool {
	t.Helper()
	read := func(text string) any {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return v
	}
	return same(read(a), read(b))
}

func same(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && jsontext.SameNumber(string(a), string(b))
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, same)
	}
	return a == b
}

// What ExactNumbers has for another value counts for nothing.
func TestExactNumbersBesideChangedFields(t *testing.T) {
	var p place
	decode(t, `{"name":"a","at":[9007199254740993,1],"high":1e400,"more":1}`, &p)
	if len(p.ExactNumbers) != 2 || string(p.ExactNumbers["at"]) != "[9007199254740993,1]" {
		t.Errorf("ExactNumbers is %s", p.ExactNumbers)
	}
	p.At[1], p.ExactNumbers["name"], p.ExactNumbers["other"] = 2, json.RawMessage(`"b"`), json.RawMessage(`3`)
	if out, err := json.Marshal(p); string(out) != `{"name":"a","at":[9007199254740992,2],"high":1e400}` {
		t.Errorf("%s, %v", out, err)
	}
	decode(t, `{"name":"a","at":[1,2]}`, &p)
	if p.ExactNumbers != nil {
		t.Errorf("ExactNumbers is %s after another value", p.ExactNumbers)
	}
	var s scores
	decode(t, `{"a":[9007199254740993],"b":[9007199254740993]}`, &s)
	s.Extra["a"] = []float64{1}
	delete(s.Extra, "b")
	if out, err := json.Marshal(s); string(out) != `{"a":[1]}` {
		t.Errorf("%s, %v", out, err)
	}
	var line priceLine
	decode(t, `["a",9007199254740993,9007199254740995]`, &line)
	line.Price, line.Rest = 1, nil
	if out, err := json.Marshal(line); string(out) != `["a",1]` {
		t.Errorf("%s, %v", out, err)
	}
}

func decode(t *testing.T, text string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}
