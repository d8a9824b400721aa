package runtime_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
)

func TestOpt(t *testing.T) {
	type inner struct {
		A runtime.Opt[string] `json:"a,omitzero"`
	}
	type outer struct {
		N runtime.Opt[int]              `json:"n,omitzero"`
		S runtime.Opt[[]int]            `json:"s,omitzero"`
		I runtime.Opt[inner]            `json:"i,omitzero"`
		M map[string]runtime.Opt[int64] `json:"m,omitzero"`
	}
	for _, tt := range []struct {
		json string
		want outer
	}{
		{`{}`, outer{}},
		{`{"n":null,"s":null,"i":null}`, outer{N: runtime.Null[int](), S: runtime.Null[[]int](), I: runtime.Null[inner]()}},
		{`{"n":0,"s":[],"i":{}}`, outer{N: runtime.Some(0), S: runtime.Some([]int{}), I: runtime.Some(inner{})}},
		{`{"i":{"a":null}}`, outer{I: runtime.Some(inner{A: runtime.Null[string]()})}},
		{`{"i":{"a":"x"},"m":{"big":9007199254740993,"none":null}}`, outer{I: runtime.Some(inner{A: runtime.Some("x")}),
			M: map[string]runtime.Opt[int64]{"big": runtime.Some[int64](9007199254740993), "none": runtime.Null[int64]()}}},
	} {
		var got outer
		if err := json.Unmarshal([]byte(tt.json), &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %+v", tt.json, got)
		}
		back, err := json.Marshal(tt.want)
		if err != nil || string(back) != tt.json {
			t.Errorf("got %s, %v, want %s", back, err, tt.json)
		}
	}
	v, ok := runtime.Some("x").Get()
	if v != "x" || !ok || runtime.Some("").IsZero() || runtime.Some("").IsNull() || !runtime.Null[string]().IsNull() {
		t.Errorf("Some: got %q, %v; want x, true, and IsZero and IsNull of Null alone", v, ok)
	}
	if v, ok := runtime.Null[int]().Get(); v != 0 || ok {
		t.Errorf("Null: got %d, %v, want 0, false", v, ok)
	}
	kept := runtime.Some(1)
	for _, bad := range []string{`"x"`, `{`, ``, `1.5`} {
		if err := kept.UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
	if v, _ := kept.Get(); v != 1 {
		t.Errorf("after an error the value is %d, want 1 as before", v)
	}
	if b, err := json.Marshal(runtime.Opt[int]{}); err != nil || string(b) != "null" {
		t.Errorf("absent outside of a struct: %s, %v", b, err)
	}
}
