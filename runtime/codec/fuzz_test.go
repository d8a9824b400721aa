package codec_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

func seed(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":1,"b":"x","c":[1.5,-0e1],"d":{"e":true,"f":null},"g":[{"h":9007199254740993}]}`,
		`{"b":"\ud800\u00e9\n\"","\u0061":3,"A":4}`, "{\"b\":\"\xff\"}", `{"i":{"k":200,"l":256}}`, `{"a":1e2,"c":[1e400]}`,
	} {
		f.Add([]byte(s))
	}
}

// everyKind has a field of each kind that generated types have.
type everyKind struct {
	A int                `json:"a,omitzero"`
	B string             `json:"b,omitzero"`
	C []float64          `json:"c,omitzero"`
	D *everyKind         `json:"d,omitzero"`
	E bool               `json:"e,omitzero"`
	F *string            `json:"f,omitzero"`
	G []everyKind        `json:"g,omitzero"`
	H uint64             `json:"h,omitzero"`
	I map[string]uint8   `json:"i,omitzero"`
	J json.RawMessage    `json:"j,omitzero"`
	K map[state][]string `json:"k,omitzero"`
}

// FuzzDecodeObject compares with encoding/json: what is valid and what is not,
// the unknown members byte by byte, and the values of everything that both of
// them take in the same sense.
func FuzzDecodeObject(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var extra, want map[string]json.RawMessage
		err := codec.DecodeObject(data, &struct{}{}, &extra)
		if err != nil && strings.Contains(err.Error(), "nested deeper") {
			return
		}
		wantErr := json.Unmarshal(data, &want)
		if want == nil && wantErr == nil {
			wantErr = os.ErrInvalid // null, which encoding/json takes for an object
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("got %v, encoding/json %v", err, wantErr)
		}
		if err != nil {
			return
		}
		if len(extra) != len(want) || len(want) > 0 && !reflect.DeepEqual(extra, want) {
			t.Fatalf("got %q, want %q", extra, want)
		}
		again, err := codec.EncodeObject(struct{}{}, extra)
		if err != nil || !json.Valid(again) {
			t.Fatalf("encoded to %q, %v", again, err)
		}

		var got everyKind
		err = codec.DecodeObject(data, &got, nil)
		if !decodesSame(data) {
			return
		}
		var std everyKind
		if stdErr := json.Unmarshal(data, &std); stdErr != nil {
			return // encoding/json knows fewer spellings of integers
		}
		if err != nil || !reflect.DeepEqual(got, std) {
			t.Fatalf("got %+v, %v\nwant %+v", got, err, std)
		}
	})
}

// decodesSame reports whether data holds nothing that is meant to be read otherwise
// than by encoding/json: null, names twice, or in another case.
func decodesSame(data []byte) bool {
	d := json.NewDecoder(bytes.NewReader(data))
	var v any
	if d.Decode(&v) != nil || bytes.Contains(data, []byte("null")) {
		return false
	}
	members := 0
	var walk func(v any) bool
	walk = func(v any) bool {
		switch v := v.(type) {
		case map[string]any:
			members += len(v)
			for name, value := range v {
				if name != strings.ToLower(name) || strings.ContainsAny(name, "ıſ\u212a") || !walk(value) {
					return false
				}
			}
		case []any:
			for _, value := range v {
				if !walk(value) {
					return false
				}
			}
		}
		return true
	}
	// More colons outside of strings than members: a name stands there twice.
	colons := bytes.Count(regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).ReplaceAll(data, nil), []byte(":"))
	return walk(v) && colons == members
}

func FuzzDecodeInteger(f *testing.F) {
	for _, s := range []string{"0", "-0", "1.0", "1e3", "1E+3", "12.50e1", "-1e-1", "9007199254740993", "9223372036854775807.0",
		"9223372036854775808", "-922337203685477580.8e1", "1e19", "1e20", "0e99", "0.000", "10e-1", "1e-400", "100000000000000000000000e-22"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, literal string) {
		if !regexp.MustCompile(`^-?(0|[1-9][0-9]{0,60})(\.[0-9]{1,60})?([eE][-+]?[0-9]{1,3})?$`).MatchString(literal) {
			return
		}
		var got struct{ N int64 }
		err := codec.DecodeObject([]byte(`{"N":`+literal+`}`), &got, nil)
		want, ok := new(big.Rat).SetString(literal)
		if !ok {
			t.Fatalf("%s: not a number", literal)
		}
		if fits := want.IsInt() && want.Num().IsInt64(); fits != (err == nil) {
			t.Fatalf("%s: got %d, %v", literal, got.N, err)
		}
		if err == nil && want.Num().Int64() != got.N {
			t.Fatalf("%s: got %d", literal, got.N)
		}
		// Decode of a user's own struct takes the same numbers.
		r := &runtime.Result{Structured: json.RawMessage(`{"N":` + literal + `}`)}
		var own struct{ N int64 }
		if ownErr := r.Decode(&own); (ownErr == nil) != (err == nil) || own.N != got.N {
			t.Fatalf("%s: Result.Decode got %d, %v", literal, own.N, ownErr)
		}
	})
}

// FuzzUnion wants every valid value to be of some variant, and each variant to
// come back as itself.
func FuzzUnion(f *testing.F) {
	seed(f)
	for _, s := range []string{`{"type":"text","text":"a"}`, `{"type":"image","data":"","v":1e0,"x":[]}`, `["a",1,"b"]`, `[[1],{"url":"u"}]`,
		`{"inside":{"inside":null},"maybe":2,"named":{"a":[true]},"twice":[1,"b"],"more":1.5}`, `{"b":1.0,"c":{"d":1}}`, `{"a":[1]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := decodeBlock(data)
		if err != nil {
			if json.Valid(data) && !strings.Contains(err.Error(), "nested") {
				t.Fatalf("%s: %v", data, err)
			}
			return
		}
		comesBack(t, got, decodeBlock)
		if vague, err := decodeVague(data); err == nil {
			comesBack(t, vague, decodeVague)
		}
	})
}

func comesBack[X any](t *testing.T, x X, decode func([]byte) (X, error)) {
	t.Helper()
	text, err := codec.EncodeValue(x)
	if err != nil {
		if strings.Contains(err.Error(), "nested") {
			return
		}
		t.Fatalf("%#v: %v", x, err)
	}
	again, err := decode(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	third, err := codec.EncodeValue(again)
	if err != nil || !bytes.Equal(text, third) {
		t.Fatalf("%s became %s, %v", text, third, err)
	}
}
