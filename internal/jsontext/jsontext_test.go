package jsontext_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// Names come without their escapes, values as they stand.
func TestItems(t *testing.T) {
	m := jsontext.NewItems([]byte(" {\"\\u0061\": [1, 2] , \"b\":1e2} "))
	var got []string
	for m.Next() {
		got = append(got, fmt.Sprintf("%s=%s", m.Key(), m.Value))
	}
	if text := strings.Join(got, " "); text != "a=[1, 2] b=1e2" || m.Err != nil || m.Close() != nil {
		t.Errorf("got %s, %v", text, m.Err)
	}
	m = jsontext.NewItems([]byte(`[1,`))
	for m.Next() {
	}
	if m.Err == nil || m.Err.Error() != "not valid JSON at byte 3" {
		t.Errorf("a cut array: %v", m.Err)
	}
	m = jsontext.NewItems([]byte(`[] x`))
	if m.Next() || m.Err != nil || m.Close() == nil {
		t.Errorf("what follows the array was not seen: %v", m.Err)
	}
}

func TestWhole(t *testing.T) {
	for _, tt := range []struct{ in, want, fails string }{
		{" {} ", "{}", ""},
		{"-0.5e+1", "-0.5e+1", ""},
		{"", "", "empty"},
		{" ", "", "empty"},
		{"{}{}", "", "byte 2"},
		{"01", "", "byte 1"},
		{"\"\x01\"", "", "byte 1"},
		{`"\u123g"`, "", "byte 1"},
		{strings.Repeat("[", jsontext.MaxDepth) + strings.Repeat("]", jsontext.MaxDepth), strings.Repeat("[", jsontext.MaxDepth) + strings.Repeat("]", jsontext.MaxDepth), ""},
		{strings.Repeat("[", jsontext.MaxDepth+1), "", "nested deeper"},
	} {
		got, err := jsontext.Whole([]byte(tt.in))
		if string(got) != tt.want || (err == nil) != (tt.fails == "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
			t.Errorf("%.20q: got %q, %v", tt.in, got, err)
		}
	}
}

// Numbers are exact, in every spelling.
func TestNumbers(t *testing.T) {
	for in, want := range map[string]string{"7": "7", "1.0": "1", "-12e2": "-1200", "-0": "0", "9007199254740993": "9007199254740993", "1844674407370955161500e-2": "18446744073709551615"} {
		if got, err := jsontext.Integer([]byte(in)); got != want || err != nil {
			t.Errorf("%s: got %s, %v", in, got, err)
		}
	}
	if _, err := jsontext.Integer([]byte("15e-1")); err != jsontext.ErrNotInteger {
		t.Errorf("15e-1: %v", err)
	}
	if _, err := jsontext.Integer([]byte("1e999999999")); err == nil {
		t.Error("Integer of 1e999999999 has no error, want one")
	}
	if !jsontext.SameNumber("1.50e1", "15") || jsontext.SameNumber("9007199254740993", "9007199254740992") {
		t.Error("SameNumber: want 1.50e1 equal to 15, and 9007199254740993 not to 9007199254740992")
	}
	if !jsontext.SameNumber("0", "-0.0e7") || jsontext.SameNumber("0", "1e-999999999") {
		t.Error("SameNumber: want 0 equal to -0.0e7, and not to 1e-999999999")
	}
	var n struct{ N int8 }
	if err := jsontext.Unmarshal([]byte(`{"n":1.2e1}`), &n); err != nil || n.N != 12 {
		t.Errorf("got %d, %v", n.N, err)
	}
}

func TestNormalNumber(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "-0.0e7": "0", "1": "1", "1.0": "1", "1e2": "100", "-1.50E1": "-15", "10.50": "10.5", "5e-3": "0.005", "0.5": "0.5", "-2.5e-1": "-0.25", "-0.05": "-0.05",
		"9007199254740993.0": "9007199254740993", "1e-400": "0." + strings.Repeat("0", 399) + "1", "1e999999999": "1e999999999", "10e999999998": "1e999999999", "25e-500": "25e-500",
	} {
		if got := string(jsontext.NormalNumber([]byte(in))); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
	if got := string(jsontext.NormalNumbers([]byte(`{"1.0":[1.0,"2.0",3e1]}`))); got != `{"1.0":[1,"2.0",30]}` {
		t.Error(got)
	}
}

func TestPointers(t *testing.T) {
	for name, token := range map[string]string{"plain": "plain", "a/b~c": "a~1b~0c", "~1": "~01"} {
		if got := jsontext.EscapePointer(name); got != token || jsontext.UnescapePointer(token) != name {
			t.Errorf("%s: got %s, and %s back", name, got, jsontext.UnescapePointer(token))
		}
	}
}

func TestKinds(t *testing.T) {
	for raw, want := range map[string][2]string{
		`"s"`: {"string", "a string"}, `{}`: {"object", "an object"}, `[1]`: {"array", "an array"}, `-1`: {"number", "a number"},
		`true`: {"boolean", "a boolean"}, `false`: {"boolean", "a boolean"}, `null`: {"null", "null"},
	} {
		if got := [2]string{jsontext.TypeOf([]byte(raw)), jsontext.KindOf([]byte(raw))}; got != want {
			t.Errorf("%s: got %q, want %q", raw, got, want)
		}
	}
}

// Strings are read as encoding/json reads them. What is not JSON is refused, or read
// somehow: messages are taken apart before anybody knows that they are valid.
func FuzzUnquote(f *testing.F) {
	for _, raw := range []string{
		`""`, `"plain"`, `"\"\\\/\b\f\n\r\t"`, `"a\u00e9b"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ude00x"`, `"\ud83d\ud83d\ude00"`, `"\ud83d\n"`,
		`"\uD800\u0041"`, `"é\u2028"`, "\"\xff\\n\xff\xff\"", `"\ufffd"`, `1`,
		`"\0"`, `"\"`, `"\u"`, `"\u12"`, `"\ud83d\u"`, `"\ud83d\ude0"`, `"\ud83d\udexx"`, `"\ud83d\"`, `"\u+123"`, `"\`, `"`,
	} {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		raw = slices.Clip(raw) // else a read behind its end finds the spare bytes of its buffer
		got, ok := jsontext.Unquote(raw)
		_ = jsontext.Plain(raw)
		if ok && !utf8.ValidString(got) {
			t.Errorf("%q: got %q, which is not UTF-8", raw, got)
		}
		raw, err := jsontext.Whole(raw)
		if err != nil {
			return
		}
		var want string
		isString := json.Unmarshal(raw, &want) == nil && raw[0] == '"'
		if got, ok := jsontext.Unquote(raw); got != want || ok != isString {
			t.Errorf("%s: got %q, %t, want %q, %t", raw, got, ok, want, isString)
		}
	})
}

// Messages are taken apart before anybody knows that they are JSON: whatever they are, no
// part is outside of them. Each seed is also cut at every byte, and has each byte replaced.
func FuzzForeign(f *testing.F) {
	for _, raw := range []string{
		`{"a":{"_meta":1},"\0":"\u12"}`, `[1,"\`, `{"a":1,"a":2}`, `["\ud83d\u",{"`, `"`, ``,
		`{"jsonrpc":"2.0","id":"mcpgen-1","result":{"_meta":{"progressToken":1.5e3},"content":[{"text":"\u00e9\ud83d\ude00\n"}]}}`,
	} {
		f.Add([]byte(raw))
		for i := range len(raw) {
			f.Add([]byte(raw[:i]))
			for _, b := range []byte("\\\"{}[]:,0u\xff") {
				f.Add([]byte(raw[:i] + string([]byte{b}) + raw[i+1:]))
			}
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		raw = slices.Clip(raw)
		names := []string{"a", "_meta"}
		object := jsontext.Walk(raw, func(name []byte, from, to int) {
			if from > to || to > len(raw) {
				t.Errorf("%q: a member is at %d to %d", raw, from, to)
			}
			names = append(names, jsontext.Text(name))
			_ = jsontext.Plain(raw[from:to])
		})
		for _, name := range names {
			_ = jsontext.Member(raw, name)
			if object {
				_ = jsontext.AppendMember(nil, raw, `"`+name+`"`, func(b []byte) []byte { return append(b, '1') })
			}
		}
		_, _, _ = jsontext.Members(raw)
		_, _ = jsontext.Elements(raw)
		_ = jsontext.Compact(raw)
		jsontext.Each(raw, func(item []byte) { _ = jsontext.Text(item) })
	})
}
