package codec_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

// Lists and maps are never null, at any depth; what may be null is a pointer.
func TestEncodeValue(t *testing.T) {
	type inner struct {
		L []int            `json:"l"`
		M map[string][]int `json:"m,omitzero"`
		F float64          `json:"f,omitempty"`
		B []byte           `json:"b,omitempty"`
	}
	type embeds struct{ inner }
	var none *[]int
	for _, tt := range []struct {
		in   any
		want string
	}{
		{nil, `null`},
		{[]int(nil), `[]`},
		{map[string]int(nil), `{}`},
		{none, `null`},
		{[][]int{nil, {1}}, `[[],[1]]`},
		{[2]map[string][]int{{"a": nil}}, `[{"a":[]},{}]`},
		{[]any{nil, []string(nil), 1.5, "<&>\u2028é\"", uint8(3), true, json.Number("1e400")}, `[null,[],1.5,"<&>\u2028é\"",3,true,1e400]`},
		{inner{M: map[string][]int{"b": nil, "a": {}}}, `{"l":[],"m":{"a":[],"b":[]}}`},
		{&inner{F: 1e21, B: []byte("hi")}, `{"l":[],"f":1e+21,"b":"aGk="}`},
		{map[int]string{1: "a"}, `{"1":"a"}`},
		{embeds{inner{L: []int{1}}}, `{"l":[1]}`},
		{runtime.Some([][]int{nil}), `[[]]`},
		{[]runtime.Opt[int]{runtime.Some(1), {}}, `[1,null]`},
		{json.RawMessage(` { "a" : 1 } `), `{"a":1}`},
	} {
		got, err := codec.EncodeValue(tt.in)
		if err != nil || string(got) != tt.want {
			t.Errorf("%#v: got %s, %v, want %s", tt.in, got, err, tt.want)
		}
	}
	type cycle struct{ Next *cycle }
	loop := &cycle{}
	loop.Next = loop
	for _, tt := range []struct {
		in   any
		want string
	}{
		{loop, "nested deeper than"},
		{[]any{map[string]any{"a/b": make(chan int)}}, `at "/0/a~1b": json: unsupported type`},
		{struct{ R json.RawMessage }{json.RawMessage("{")}, `at "/R": MarshalJSON of `},
	} {
		if got, err := codec.EncodeValue(tt.in); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %s, %v, want %s", got, err, tt.want)
		}
	}
}
