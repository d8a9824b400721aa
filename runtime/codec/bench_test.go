package codec_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

// The benchmarks compare generated decoding with json.Unmarshal of the same
// structs without methods and without Extra.

type plainPull struct {
	Number    int          `json:"number"`
	Title     string       `json:"title"`
	State     string       `json:"state"`
	Draft     bool         `json:"draft,omitzero"`
	CreatedAt string       `json:"created_at"`
	Additions int          `json:"additions,omitzero"`
	URL       string       `json:"html_url"`
	User      *plainUser   `json:"user"`
	Labels    []plainLabel `json:"labels,omitzero"`
	Body      *string      `json:"body,omitzero"`
}

type plainUser struct {
	Login string `json:"login"`
	ID    int64  `json:"id"`
	Admin bool   `json:"site_admin,omitzero"`
}

type plainLabel struct {
	Name  string `json:"name"`
	Color string `json:"color"`
}

type pull struct {
	Number    int      `json:"number"`
	Title     string   `json:"title"`
	State     state    `json:"state"`
	Draft     bool     `json:"draft,omitzero"`
	CreatedAt string   `json:"created_at"`
	Additions int      `json:"additions,omitzero"`
	URL       string   `json:"html_url"`
	User      *user    `json:"user"`
	Labels    []label  `json:"labels,omitzero"`
	Body      *string  `json:"body,omitzero"`
	Extra     extraMap `json:"-"`
}

type extraMap = map[string]json.RawMessage

func (x *pull) UnmarshalJSON(b []byte) error {
	type plain pull
	return codec.DecodeObject(b, (*plain)(x), &x.Extra)
}

type user struct {
	Login string   `json:"login"`
	ID    int64    `json:"id"`
	Admin bool     `json:"site_admin,omitzero"`
	Extra extraMap `json:"-"`
}

func (x *user) UnmarshalJSON(b []byte) error {
	type plain user
	return codec.DecodeObject(b, (*plain)(x), &x.Extra)
}

type label struct {
	Name  string   `json:"name"`
	Color string   `json:"color"`
	Extra extraMap `json:"-"`
}

func (x *label) UnmarshalJSON(b []byte) error {
	type plain label
	return codec.DecodeObject(b, (*plain)(x), &x.Extra)
}

const onePull = `{"number":1234,"title":"Fix the thing that broke","state":"open","draft":false,` +
	`"created_at":"2026-01-02T03:04:05Z","additions":17,"html_url":"https://example.com/o/r/pull/1234",` +
	`"user":{"login":"someone","id":9007199254740993,"site_admin":false},` +
	`"labels":[{"name":"bug","color":"ff0000"},{"name":"help wanted","color":"00ff00"}],` +
	`"body":"A longer text, with a line\nand another one, and some more words so that it has a usual length."}`

// flat is the root of a result: one generated type with 12 scalar members.
type flat struct {
	A, B, C, D, E, F int
	G, H, I, J, K, L string
	Extra            extraMap `json:"-"`
}

func (x *flat) UnmarshalJSON(b []byte) error {
	type plain flat
	return codec.DecodeObject(b, (*plain)(x), &x.Extra)
}

type plainFlat struct {
	A, B, C, D, E, F int
	G, H, I, J, K, L string
}

const oneFlat = `{"A":1,"B":22,"C":333,"D":4444,"E":55555,"F":666666,"G":"seven","H":"eight","I":"nine","J":"ten","K":"eleven","L":"twelve"}`

// plainBlock is what one would write in place of a union.
type plainBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
	Data string `json:"data"`
}

var manyBlocks = "[" + strings.TrimSuffix(strings.Repeat(`{"type":"text","text":"some words of text"},{"type":"image","data":"aGVsbG8="},`, 20), ",") + "]"

// numbers are as a model of language makes them: with all the digits of a float64.
type numbers struct {
	Model        string             `json:"model"`
	Values       []float64          `json:"values"`
	ExactNumbers codec.ExactNumbers `json:"-"`
}

func (x *numbers) UnmarshalJSON(b []byte) error { return codec.DecodeObject(b, x, nil) }

type plainNumbers struct {
	Model  string    `json:"model"`
	Values []float64 `json:"values"`
}

var manyNumbers = `{"model":"m","values":[` + strings.TrimSuffix(strings.Repeat("0.30000000000000004,-0.0023517,1.5,", 100), ",") + `]}`

func BenchmarkDecode(b *testing.B) {
	list := "[" + strings.TrimSuffix(strings.Repeat(onePull+",", 30), ",") + "]"
	unknown := strings.TrimSuffix(oneFlat, "}")
	for i := range 12 {
		unknown += fmt.Sprintf(`,"unknown_%d":"something"`, i)
	}
	unknown += "}"
	b.Run("flat/plain", func(b *testing.B) { decodeLoop[plainFlat](b, oneFlat) })
	b.Run("flat/object", func(b *testing.B) { decodeLoop[flat](b, oneFlat) })
	b.Run("unknown/plain", func(b *testing.B) { decodeLoop[plainFlat](b, unknown) })
	b.Run("unknown/object", func(b *testing.B) { decodeLoop[flat](b, unknown) })
	b.Run("pull/plain", func(b *testing.B) { decodeLoop[plainPull](b, onePull) })
	b.Run("pull/object", func(b *testing.B) { decodeLoop[pull](b, onePull) })
	b.Run("list/plain", func(b *testing.B) { decodeLoop[[]plainPull](b, list) })
	b.Run("list/object", func(b *testing.B) { decodeLoop[[]pull](b, list) })
	b.Run("blocks/plain", func(b *testing.B) { decodeLoop[[]plainBlock](b, manyBlocks) })
	b.Run("blocks/union", func(b *testing.B) { decodeLoop[blocks](b, manyBlocks) })
	b.Run("numbers/plain", func(b *testing.B) { decodeLoop[plainNumbers](b, manyNumbers) })
	b.Run("numbers/exact", func(b *testing.B) { decodeLoop[numbers](b, manyNumbers) })
	b.Run("list/CallTool", func(b *testing.B) {
		res := &runtime.Result{Structured: json.RawMessage(list)}
		inv := runtime.InvokerFunc(func(_ context.Context, _ runtime.Request) (*runtime.Result, error) { return res, nil })
		b.SetBytes(int64(len(list)))
		b.ReportAllocs()
		for b.Loop() {
			var out []pull
			if err := codec.CallTool(b.Context(), inv, codec.ItemRef{Server: "s", Name: "t"}, nil, &out, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func decodeLoop[T any](b *testing.B, text string) {
	data := []byte(text)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		var out T
		if err := json.Unmarshal(data, &out); err != nil {
			b.Fatal(err)
		}
	}
}
