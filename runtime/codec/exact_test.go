package codec_test

// Numbers that no float64 holds.

import (
	"encoding/json"
	"strings"
	"testing"

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
			strings.Contains(in, "0055511151231257827") != strings.Contains(string(out), "0055511151231257827") {
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
