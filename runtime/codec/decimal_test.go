package codec_test

// A json.Number is the text of a number, in every position, and nothing else.

import (
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

type priced struct {
	N     json.Number                `json:"n"`
	P     *json.Number               `json:"p"`
	Z     json.Number                `json:"z,omitzero"`
	O     runtime.Opt[json.Number]   `json:"o,omitzero"`
	List  []json.Number              `json:"list,omitzero"`
	Nulls []*json.Number             `json:"nulls,omitzero"`
	Pair  [2]json.Number             `json:"pair,omitzero"`
	Map   map[string]json.Number     `json:"map,omitzero"`
	In    *pricedPart                `json:"in,omitzero"`
	Extra map[string]json.RawMessage `json:"-"`
}

type pricedPart struct {
	N json.Number `json:"n,omitzero"`
}

func (x *priced) UnmarshalJSON(b []byte) error { return codec.DecodeObject(b, x, &x.Extra) }

func (x priced) MarshalJSON() ([]byte, error) { return codec.EncodeObject(&x, x.Extra) }

func TestDecimals(t *testing.T) {
	for _, text := range []string{
		`{"n":0.1,"p":null}`,
		`{"n":9007199254740993,"p":9007199254740993.0}`,
		`{"n":-0.0,"p":1e400,"z":0,"o":null}`,
		`{"n":12.50,"p":12.500,"z":1E+2,"o":0.30000000000000004,"list":[0,0.10,9007199254740993],"nulls":[null,0.1],"pair":[1,0.1],"map":{"a":0.10},"in":{"n":0.1}}`,
	} {
		var x priced
		if err := json.Unmarshal([]byte(text), &x); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if len(x.Extra) > 0 {
			t.Errorf("%s: Extra is %s", text, x.Extra)
		}
		if out, err := codec.EncodeValue(x); err != nil || string(out) != text {
			t.Errorf("%s: became %s, %v", text, out, err)
		}
	}
}

func TestDecimalsThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		`{"n":"1","p":null}`:          `at "/n": want a number, got a string`,
		`{"n":null,"p":null}`:         `at "/n": want a number, got null`,
		`{"n":1,"p":true}`:            `at "/p": want a number, got a boolean`,
		`{"n":1,"p":1,"list":[1,[]]}`: `at "/list/1": want a number, got an array`,
	} {
		var x priced
		if err := json.Unmarshal([]byte(text), &x); err == nil || err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	one := json.Number("1")
	for want, x := range map[string]priced{
		`at "/n": want a number, got an empty json.Number; zero is "0"`:            {},
		`at "/n": want a number such as 12.50, got the json.Number "12,50"`:        {N: "12,50"},
		`at "/p": want a number such as 12.50, got the json.Number "NaN"`:          {N: one, P: new(json.Number("NaN"))},
		`at "/z": want a number such as 12.50, got the json.Number " 1"`:           {N: one, Z: " 1"},
		`at "/o": want a number such as 12.50, got the json.Number "+1"`:           {N: one, O: runtime.Some(json.Number("+1"))},
		`at "/list/1": want a number such as 12.50, got the json.Number "01"`:      {N: one, List: []json.Number{"1", "01"}},
		`at "/map/a": want a number such as 12.50, got the json.Number "null"`:     {N: one, Map: map[string]json.Number{"a": "null"}},
		`at "/in/n": want a number such as 12.50, got the json.Number "1\n,\"a\""`: {N: one, In: &pricedPart{"1\n,\"a\""}},
		`at "/pair/0": want a number, got an empty json.Number; zero is "0"`:       {N: one, Pair: [2]json.Number{"", "1"}},
	} {
		if out, err := codec.EncodeValue(x); err == nil || err.Error() != want {
			t.Errorf("want %s\ngot %s, %v", want, out, err)
		}
	}
}
