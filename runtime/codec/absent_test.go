package codec_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/format"
)

// unset holds unions in every place where one can be forgotten.
type unset struct {
	Must   amount              `json:"must"`
	Null   amount              `json:"null" mcp:"null"`
	Maybe  amount              `json:"maybe,omitzero"`
	Odd    amount              `json:"-" mcp:"o\"dd,null"`
	List   []unset             `json:"list,omitzero"`
	Named  map[string]unset    `json:"named,omitzero"`
	Ptr    *unset              `json:"ptr,omitzero"`
	Opt    runtime.Opt[inner]  `json:"opt,omitzero"`
	States []level             `json:"states,omitzero"`
	State  *level              `json:"level,omitzero"`
	Zero   level               `json:"zero,omitzero"`
	Any    any                 `json:"any,omitzero"`
	Amount runtime.Opt[amount] `json:"amount,omitzero"`
}

// level is an enum without "", blank is one with it.
type (
	level string
	blank string
)

func (level) Values() []string { return []string{"open", "closed\x00"} }
func (blank) Values() []string { return []string{"", "full"} }

type other struct{ json.RawMessage }

func (other) isAmount() {}

type unsetMore struct {
	Must amount           `json:"must"`
	More map[string]inner `json:"-"`
}

func (x unsetMore) MarshalJSON() ([]byte, error) { return codec.EncodeObject(&x, x.More) }

type inner struct {
	Must amount `json:"must"`
	Text string `json:"text"`
}

func TestRequiredUnions(t *testing.T) {
	set := float(1)
	var sent []byte
	inv := runtime.InvokerFunc(func(_ context.Context, req runtime.Request) (*runtime.Result, error) {
		sent = req.Args
		return &runtime.Result{}, nil
	})
	for _, tt := range []struct {
		args any
		want string // "" is fine
	}{
		{unset{Must: set}, ""},
		{unset{}, `at "/must"`},
		{&unset{}, `at "/must"`},
		{unset{Must: set, Maybe: set, Null: set, Amount: runtime.Null[amount](), Opt: runtime.Null[inner]()}, ""},
		{unset{Must: set, List: []unset{{Must: set}, {}}}, `at "/list/1/must"`},
		{unset{Must: set, Named: map[string]unset{"a/b": {}}}, `at "/named/a~1b/must"`},
		{unset{Must: set, Ptr: &unset{Must: set, Ptr: &unset{}}}, `at "/ptr/ptr/must"`},
		{unset{Must: set, Opt: runtime.Some(inner{})}, `at "/opt/must"`},
		{unset{Must: set, Opt: runtime.Some(inner{Must: set, Text: "null"})}, ""},
		{unsetMore{Must: set, More: map[string]inner{"x": {}}}, `at "/x/must"`},
		{unset{Must: other{}}, `at "/must": null, but a variant of codec_test.amount is required`},
		{unset{Must: &other{}}, `at "/must"`},
		{unset{Must: other{json.RawMessage(`{"a":null}`)}}, ""},
		{unset{Must: set, Null: other{}}, ""},
		{unset{Must: set, Maybe: other{}}, `at "/maybe"`},
		{unset{Must: set, State: new(level(""))}, `at "/level": "", but one of ["open" "closed\x00"] is required`},
		{unset{Must: set, States: []level{"open", ""}}, `at "/states/1"`},
		{unset{Must: set, States: []level{"odd"}, Named: map[string]unset{"": {Must: set}}}, ""},
		{unset{Must: set, Any: []any{"", blank(""), format.UUID("")}}, ""},
		{unset{Must: set, Any: map[string]any{"a": level("")}}, `at "/any/a"`},
		{map[string]any{"a": nil, "b": []any{nil}}, ""},
	} {
		sent = nil
		_, err := codec.CallToolResult(t.Context(), inv, codec.ItemRef{Server: "s", Name: "t"}, tt.args, nil)
		invalid, ok := errors.AsType[*runtime.InvalidArgsError](err)
		switch {
		case tt.want == "" && (err != nil || sent == nil):
			t.Errorf("%+v: %v", tt.args, err)
		case tt.want != "" && (!ok || sent != nil || !errors.Is(err, runtime.ErrInvalidArgs) || !strings.Contains(invalid.Error(), tt.want[3:])):
			t.Errorf("%+v: got %v, want %s", tt.args, err, tt.want)
		}
	}
}

// nullable holds lists and maps of which nil is null, and others.
type nullable struct {
	List  []string       `json:"list" mcp:"null"`
	Map   map[string]int `json:"map" mcp:"null"`
	Odd   []int          `json:"-" mcp:"o\"dd,null"`
	Plain []string       `json:"plain"`
	Count int            `json:"count,omitzero"`
}

type nullableOther struct{ json.RawMessage }

// Nil is null where the tag says so, an empty list elsewhere; what is empty is not null.
func TestNilListsAndMaps(t *testing.T) {
	for _, tt := range []struct {
		value nullable
		want  string
	}{
		{nullable{}, `{"list":null,"map":null,"o\"dd":null,"plain":[]}`},
		{nullable{[]string{}, map[string]int{}, []int{}, []string{}, 0}, `{"list":[],"map":{},"o\"dd":[],"plain":[]}`},
		{nullable{[]string{"a"}, map[string]int{"b": 1}, []int{2}, []string{"c"}, 3}, `{"list":["a"],"map":{"b":1},"o\"dd":[2],"plain":["c"],"count":3}`},
	} {
		data, err := codec.EncodeValue(tt.value)
		if err != nil || string(data) != tt.want {
			t.Errorf("%+v is %s, %v, want %s", tt.value, data, err, tt.want)
		}
		var back nullable
		if err := codec.DecodeValue(data, &back); err != nil {
			t.Fatal(err)
		}
		again, err := codec.EncodeValue(back)
		if err != nil || string(again) != tt.want {
			t.Errorf("%s comes back as %s, %v", tt.want, again, err)
		}
		v, err := codec.DecodeUnion(data, nullableOther{}, codec.Variant{As: nullable{}, Kind: "object"})
		if _, ok := v.(nullable); !ok || err != nil {
			t.Errorf("%s is a %T, %v", data, v, err)
		}
	}
}
