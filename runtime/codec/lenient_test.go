package codec_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

// broken is a type of each kind that a result may break.
type broken struct {
	N      int              `json:"n"`
	S      string           `json:"s,omitzero"`
	F      float64          `json:"f,omitzero"`
	P      *int             `json:"p,omitzero"`
	O      runtime.Opt[int] `json:"o,omitzero"`
	In     *brokenPart      `json:"in,omitzero"`
	List   []int            `json:"list,omitzero"`
	Parts  []brokenPart     `json:"parts,omitzero"`
	Map    map[string]int   `json:"map,omitzero"`
	Pair   *pair            `json:"pair,omitzero"`
	Block  block            `json:"block,omitzero"`
	Blocks blocks           `json:"blocks,omitzero"`
	Tagged *image           `json:"tagged,omitzero"`
	Extra  extraMap         `json:"-"`
}

type brokenPart struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

func (x *broken) UnmarshalJSON(b []byte) error {
	return codec.DecodeObject(b, x, &x.Extra, codec.UnionOf((*block)(nil), decodeBlock))
}

func (x broken) MarshalJSON() ([]byte, error) {
	return codec.EncodeObject(&x, x.Extra, codec.UnionOf((*block)(nil), decodeBlock))
}

// decodeLeniently calls a tool of a lenient server that answers with in, and returns what
// does not fit.
func decodeLeniently(t *testing.T, in string, out any, parts ...codec.Part) ([]string, error) {
	t.Helper()
	answer := runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) {
		return &runtime.Result{Structured: json.RawMessage(in)}, nil
	})
	var misfits []string
	inv := runtime.Chain(answer, codec.OnUnread(func(_ runtime.Request, list []runtime.Unread) {
		for _, u := range list {
			if u.Misfit {
				misfits = append(misfits, u.Pointer+": "+u.Reason)
			}
		}
	}), codec.Lenient("server"))
	var raw runtime.Result
	err := codec.CallTool(t.Context(), inv, codec.ItemRef{Server: "server", Name: "tool"}, nil, out, []runtime.CallOption{runtime.WithRaw(&raw)}, parts...)
	if string(raw.Structured) != in || raw.Lenient {
		t.Errorf("the whole result is %s, %t", raw.Structured, raw.Lenient)
	}
	return misfits, err
}

func TestLenient(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want broken // without Extra
		keep string // its names
		bad  string
	}{
		{in: `{"n":1,"s":"x"}`, want: broken{N: 1, S: "x"}},
		{in: `{"n":"12","s":"x"}`, want: broken{S: "x"}, keep: "n", bad: "/n: want an integer, got a string"},
		{in: `{"n":1.5,"s":7,"f":"a long text in place of a number"}`, keep: "f n s", bad: "/n: want an integer, got a number with a fraction|/s: want a string, got a number|/f: want a number, got a string"},
		{in: `{"s":"x"}`, want: broken{S: "x"}, bad: `: the required member "n" is missing`},
		{in: `{"n":null}`, keep: "n", bad: "/n: want an integer, got null"},
		{in: `{"n":1,"p":true,"o":"x","in":[]}`, want: broken{N: 1}, keep: "in o p", bad: "/p: want an integer, got a boolean|/o: want an integer, got a string|/in: want an object, got an array"},
		{in: `{"n":1,"in":{"id":"7","name":"x"}}`, want: broken{N: 1, In: &brokenPart{Name: "x"}}, bad: "/in/id: want an integer, got a string"},
		{in: `{"n":1,"list":[1,"2",3]}`, want: broken{N: 1, List: []int{1, 0, 3}}, bad: "/list/1: want an integer, got a string"},
		{in: `{"n":1,"list":{"a":1}}`, want: broken{N: 1}, keep: "list", bad: "/list: want an array, got an object"},
		{in: `{"n":1,"parts":[{"id":1,"name":"a"},{"id":"2","name":"b"},7]}`, want: broken{N: 1, Parts: []brokenPart{{1, "a"}, {0, "b"}, {}}}, bad: "/parts/1/id: want an integer, got a string|/parts/2: want an object, got a number"},
		{in: `{"n":1,"map":{"a/b":1,"c":"x"}}`, want: broken{N: 1, Map: map[string]int{"a/b": 1}}, bad: "/map/c: want an integer, got a string"},
		{in: `{"n":1,"pair":["a","x"]}`, want: broken{N: 1}, keep: "pair", bad: "/pair/1: want an integer, got a string"},
		{in: `{"n":1,"pair":{"0":"a","z":1}}`, want: broken{N: 1}, keep: "pair", bad: "/pair: want an array, got an object"},
		{in: `{"n":"x","block":3,"blocks":["w",true]}`, want: broken{Block: number(3), Blocks: blocks{words("w"), flag(true)}}, keep: "n", bad: "/n: want an integer, got a string"},
		{in: `{"n":1,"tagged":{"type":"other","data":"d"}}`, want: broken{N: 1, Tagged: &image{Data: "d"}}, bad: `/tagged/type: want "image", got "other"`},
		{in: `{"n":"x","f":9007199254740993,"more":[1]}`, want: broken{F: 9007199254740992}, keep: "f more n", bad: "/n: want an integer, got a string"},
		{in: `{"n":1,"n":"x"}`, keep: "n", bad: "/n: want an integer, got a string"},
	} {
		var got broken
		bad, err := decodeLeniently(t, tt.in, &got)
		if err != nil || strings.Join(bad, "|") != tt.bad {
			t.Errorf("%s: got %q, %v", tt.in, bad, err)
		}
		if keep := namesOf(got.Extra); keep != tt.keep {
			t.Errorf("%s: Extra has %s, want %s", tt.in, keep, tt.keep)
		}
		extra := got.Extra
		got.Extra = nil
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.in, got, tt.want)
		}
		if got.Extra = extra; tt.keep != "" { // what does not fit is written as it was
			again, err := json.Marshal(got)
			if err != nil {
				t.Errorf("%s: %v", tt.in, err)
			}
			for name, text := range extra {
				if !strings.Contains(string(again), `"`+name+`":`+string(text)) {
					t.Errorf("%s: is written as %s", tt.in, again)
				}
			}
		}
	}
}

func namesOf(m extraMap) string { return strings.Join(slices.Sorted(maps.Keys(m)), " ") }

// Where nothing fits it is the error that it was, and the result is zero.
func TestLenientNothingFits(t *testing.T) {
	for in, out := range map[string]any{
		`[1]`: new(broken), `{"a":1}`: new([]int), `null`: new(broken), `{"z":1}`: new(pair), `"x"`: new(int), `{"n":`: new(broken),
	} {
		_, err := decodeLeniently(t, in, out)
		if !errors.Is(err, runtime.ErrDecode) || !reflect.ValueOf(out).Elem().IsZero() {
			t.Errorf("%s: got %v, %v", in, out, err)
		}
	}
	var list []int
	if bad, err := decodeLeniently(t, `[1,"x"]`, &list); err != nil || len(bad) != 1 || !reflect.DeepEqual(list, []int{1, 0}) {
		t.Errorf("got %v, %q, %v", list, bad, err)
	}
	var to *broken
	if bad, err := decodeLeniently(t, `{"n":"x"}`, &to); err != nil || len(bad) != 1 || to == nil {
		t.Errorf("got %v, %q, %v", to, bad, err)
	}
}

// Other servers stay strict, and few places of many are reported.
func TestLenientBounds(t *testing.T) {
	strict := runtime.Chain(runtime.InvokerFunc(func(context.Context, runtime.Request) (*runtime.Result, error) {
		return &runtime.Result{Structured: json.RawMessage(`{"n":"x"}`)}, nil
	}), codec.Lenient("other"))
	if err := callTool(t.Context(), strict, nil, new(broken)); !errors.Is(err, runtime.ErrDecode) {
		t.Errorf("got %v", err)
	}
	var list []int
	if bad, err := decodeLeniently(t, "["+strings.Repeat(`"x",`, 100_000)+"1]", &list); err != nil || len(bad) != 100 || len(list) != 100_001 || list[100_000] != 1 {
		t.Errorf("%d places, %d elements, %v", len(bad), len(list), err)
	}
}

// FuzzLenient wants what is not strictly a value of a type to be decoded with a reason,
// or refused.
func FuzzLenient(f *testing.F) {
	for _, seed := range []string{
		`{"n":"x","f":9007199254740993,"more":[1]}`, `{"n":1,"parts":[{"id":"2"},7],"map":{"c":"x"},"pair":["a","x"]}`,
		`{"n":1,"block":{"type":"image"},"blocks":[[]],"tagged":{"v":2},"o":null,"in":{}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) == 0 {
			return // it has no structured content
		}
		var got, strict broken
		misfits, err := decodeLeniently(t, string(in), &got)
		if fits := codec.DecodeValue(in, &strict) == nil; err == nil && fits != (len(misfits) == 0) {
			t.Errorf("strictly it fits: %t; leniently: %q", fits, misfits)
		}
	})
}
