package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema/internal/corpus"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

func TestCanonical(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"space and order", " { \"b\" : [ 1 , true , null ] ,\n\"a\" : { } } ", `{"a":{},"b":[1,true,null]}`},
		{"digits stay", `[9007199254740993,1.0,1e400,-0,1E+2]`, `[9007199254740993,1.0,1e400,-0,1E+2]`},
		{"no HTML escapes", `"\u003ca\u003e&\u2028\u2029"`, "\"<a>&\u2028\u2029\""},
		{"RFC 8785 strings", `"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/"`, `"€$\u000f\nA'B\"\\\\\"/"`},
		{"short escapes", `"\b\f\n\r\t\u0008\u000c\u007f"`, "\"\\b\\f\\n\\r\\t\\b\\f\u007f\""},
		{"pair", `"\ud83d\ude00\uD83D\uDE00"`, `"😀😀"`},
		{"lone surrogates", `"\uD800 \udfff\ud800\ud800\udc00"`, "\"\\ud800 \\udfff\\ud800\U00010000\""},
		{"lone before another escape", `"\ud83d\n\ud83dx\ud83d\u0041"`, `"\ud83d\n\ud83dx\ud83dA"`},
		{"RFC 8785 order", `{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`,
			"{\"\\r\":2,\"1\":4,\"\u0080\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\ufb33\":3}"},
		{"order with lone surrogates", `{"\ue000":1,"\ud800":2,"\ud800\udc00":3,"\ud7ff":4,"\udfff":5}`,
			"{\"\ud7ff\":4,\"\\ud800\":2,\"\U00010000\":3,\"\\udfff\":5,\"\ue000\":1}"},
		{"names that differ only in case or marks", `{"k":1,"K":2,"\u212a":3,"":4}`, "{\"\":4,\"K\":2,\"k\":1,\"\u212a\":3}"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Canonical(json.RawMessage(tc.in))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tc.want {
				t.Errorf("Canonical(%s)\n got %s\nwant %s", tc.in, got, tc.want)
			}
			again, err := Canonical(got)
			if err != nil || !bytes.Equal(got, again) {
				t.Errorf("not stable: %s, then %s (%v)", got, again, err)
			}
		})
	}
}

func TestCanonicalRefuses(t *testing.T) {
	many := `{"a":{"list":[{},{`
	for i := range 40 {
		many += `"n` + strings.Repeat("i", i) + `":1,`
	}
	many += `"nii":2}]}}`
	for _, tc := range []struct{ name, in, pointer, reason string }{
		{"duplicate", `{"a":{"b/~":[0,{"x":1,"y":2,"x":3}]}}`, "/a/b~1~0/1/x", "duplicate member name"},
		{"duplicate by escape", `{"a":1,"\u0061":2}`, "/a", "duplicate member name"},
		{"duplicate among many", many, "/a/list/1/nii", "duplicate member name"},
		{"empty", ` `, "", "empty"},
		{"more than one value", `{} {}`, "", `unexpected '{' after the value`},
		{"trailing comma", `{"a":[1,]}`, "/a", "after a comma"},
		{"trailing comma in object", `{"a":1,}`, "", "after a comma"},
		{"missing comma", `{"a":[1 2]}`, "/a", "where , or ] was expected"},
		{"missing colon", `{"a" 1}`, "/a", "where : was expected"},
		{"name", `{a:1}`, "", "where a member name was expected"},
		{"ends in a string", `{"a":"b`, "/a", "ends inside a string"},
		{"ends in a name", `{"a`, "", "ends inside a string"},
		{"ends in an escape", `"\u12`, "", "in an escape"},
		{"bad escape", `"\x41"`, "", "in an escape"},
		{"control", "[\"a\nb\"]", "/0", "control characters must be escaped"},
		{"control after an escape", "[\"\\t\x00\"]", "/0", "control characters must be escaped"},
		{"not UTF-8", "[\"a\xffb\"]", "/0", "not valid UTF-8"},
		{"surrogate in UTF-8", "[\"\xed\xa0\x80\"]", "/0", "not valid UTF-8"},
		{"not UTF-8 after an escape", "[\"\\t\xff\"]", "/0", "not valid UTF-8"},
		{"number", `[1,-]`, "/1", "in a number"},
		{"leading zero", `[01]`, "", "where , or ] was expected"},
		{"fraction", `[1.]`, "/0", "in a number"},
		{"exponent", `[1e]`, "/0", "in a number"},
		{"word", `[nul]`, "/0", "where a value was expected"},
		{"ends", `[1`, "", "the JSON ends"},
		{"many", "[" + strings.Repeat("1,", tree.MaxValues) + "1]", fmt.Sprint("/", tree.MaxValues-1), "too many values"},
		{"deep", strings.Repeat("[", 513), strings.Repeat("/0", 512), "nested more than 512 deep"},
		{"very deep", strings.Repeat(`{"a":`, 100_000), strings.Repeat("/a", 512), "nested more than 512 deep"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Canonical(json.RawMessage(tc.in))
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("Canonical(%.60s) = %v, want an *Error", tc.in, err)
			}
			if e.Pointer != tc.pointer || !strings.Contains(e.Reason, tc.reason) {
				t.Errorf("got %.80q, %q; want %.80q, %q", e.Pointer, e.Reason, tc.pointer, tc.reason)
			}
		})
	}
	if _, err := Canonical(json.RawMessage(strings.Repeat("[", 512) + strings.Repeat("]", 512))); err != nil {
		t.Errorf("512 deep: %v", err)
	}
}

// An independent road to the same bytes: a map, sorted by encoding/json.
func TestCanonicalAgreesWithEncodingJSON(t *testing.T) {
	for server, tools := range corpus.Tools(t, "../golden/corpus/servers") {
		for _, raw := range tools {
			got, err := Canonical(raw)
			if err != nil {
				t.Fatalf("%s: %v", server, err)
			}
			d := json.NewDecoder(bytes.NewReader(raw))
			d.UseNumber()
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatal(err)
			}
			var want bytes.Buffer
			e := json.NewEncoder(&want)
			e.SetEscapeHTML(false)
			if err := e.Encode(v); err != nil {
				t.Fatal(err)
			}
			if w := strings.TrimSuffix(want.String(), "\n"); string(got) != w {
				t.Errorf("%s\n got %.200s\nwant %.200s", server, got, w)
			}
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{"b":[1,2.50,"\u2028\ud800"],"a":null}`, `{"a":1,"a":2}`, `"\ud83d\ude00"`, `[[[`, `1e400`, "\"\xff\""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Canonical(data)
		if err != nil {
			if e := (*Error)(nil); !errors.As(err, &e) {
				t.Fatalf("not an *Error: %v", err)
			}
			return
		}
		if !json.Valid(data) || !json.Valid(got) {
			t.Fatalf("%q became %q, one of them is not JSON", data, got)
		}
		again, err := Canonical(got)
		if err != nil || !bytes.Equal(got, again) {
			t.Fatalf("%q is not stable: %q (%v)", got, again, err)
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, data, "", "  "); err != nil {
			t.Fatal(err)
		}
		if pretty, err := Canonical(indented.Bytes()); err != nil || !bytes.Equal(got, pretty) {
			t.Fatalf("%q reads as %q after printing (%v)", got, pretty, err)
		}
	})
}

func BenchmarkFullHash(b *testing.B) { benchmarkTools(b, FullHash) }
func BenchmarkContractHash(b *testing.B) {
	benchmarkTools(b, func(raw json.RawMessage) (string, error) { return ContractHash(KindTool, raw) })
}

// BenchmarkFullHashByMaps is the road over encoding/json and maps, to compare.
func BenchmarkFullHashByMaps(b *testing.B) {
	benchmarkTools(b, func(raw json.RawMessage) (string, error) {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			return "", err
		}
		text, err := json.Marshal(v)
		return tree.Digest(text), err
	})
}

// benchmarkTools hashes the 117 tools of one server per operation.
func benchmarkTools(b *testing.B, hash func(json.RawMessage) (string, error)) {
	tools := corpus.Tools(b, "../golden/corpus/servers")["github"]
	b.ReportAllocs()
	for b.Loop() {
		for _, raw := range tools {
			if _, err := hash(raw); err != nil {
				b.Fatal(err)
			}
		}
	}
}
