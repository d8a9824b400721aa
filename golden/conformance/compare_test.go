package main

import "testing"

func TestDifference(t *testing.T) {
	for _, tt := range []struct{ want, got, diff string }{
		{`1`, `1.0`, ""}, {`1e0`, `1`, ""}, {`1000`, `1e3`, ""}, {`0.10`, `1E-1`, ""}, {`-0`, `0.0`, ""}, {`120e-2`, `1.2`, ""},
		{`9007199254740993`, `9007199254740993.0`, ""},
		{`9007199254740993`, `9007199254740992`, "the whole: sent 9007199254740993, came back 9007199254740992"},
		{`1`, `-1`, "the whole: sent 1, came back -1"},
		{`1e999999999999999999999`, `10e999999999999999999998`, ""},
		{`{"a":1,"b":[true,null]}`, `{"b":[true,null],"a":1}`, ""},
		{`{"a":null}`, `{}`, "/a: sent null, came back without it"},
		{`{}`, `{"a/b~":null}`, "/a~1b~0: not sent, came back null"},
		{`{"a":[1,2]}`, `{"a":[1]}`, "/a: sent [1,2], came back [1]"},
		{`{"a":[1,{"b":"x"}]}`, `{"a":[1,{"b":"y"}]}`, `/a/1/b: sent "x", came back "y"`},
		{`"1"`, `1`, `the whole: sent "1", came back 1`},
		{`{}`, `null`, "the whole: sent {}, came back null"},
		{`{}`, ``, `came back as "", which is not JSON: EOF`},
		{`1`, `1 2`, `came back as "1 2", which is not JSON: there is more than one value`},
	} {
		if diff := difference([]byte(tt.want), []byte(tt.got)); diff != tt.diff {
			t.Errorf("%s and %s\ngot  %s\nwant %s", tt.want, tt.got, diff, tt.diff)
		}
	}
}

func TestAsArguments(t *testing.T) {
	for _, tt := range []struct{ schema, want string }{
		{`{"type":"object"}`, `{"type":"object"}`},
		{`{"$ref":"#/$defs/o","$defs":{"o":{"type":"object"}}}`, `{"$ref":"#/$defs/o","$defs":{"o":{"type":"object"}}}`},
		{`true`, `{"properties":{"value":true},"required":["value"],"type":"object"}`},
		{`{"type":"array","items":{"$ref":"#"},"default":{"$ref":"#"}}`,
			`{"properties":{"value":{"default":{"$ref":"#"},"items":{"$ref":"#/properties/value"},"type":"array"}},"required":["value"],"type":"object"}`},
		{`{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#x"},{"$id":"i","$ref":"#/b"}]}`,
			`{"properties":{"value":{"anyOf":[{"$ref":"#/properties/value/$defs/a"},{"$ref":"#x"},{"$id":"i","$ref":"#/b"}]}},"required":["value"],"type":"object"}`},
	} {
		got, _, err := asArguments([]byte(tt.schema))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s\ngot  %s %v\nwant %s", tt.schema, got, err, tt.want)
		}
	}
}

func TestAddMembers(t *testing.T) {
	for _, tt := range []struct {
		v             string
		shallow, deep int
	}{{`{"a":{"b":[{}]}}`, 1, 3}, {`[{},[{"a":{}}]]`, 2, 3}, {`"x"`, 0, 0}} {
		for deep, want := range map[bool]int{false: tt.shallow, true: tt.deep} {
			v, err := decodeExact([]byte(tt.v))
			if err != nil {
				t.Fatal(err)
			}
			if got := addMembers(v, deep); got != want {
				t.Errorf("%s, deep %v: %d, want %d", tt.v, deep, got, want)
			}
		}
	}
}
