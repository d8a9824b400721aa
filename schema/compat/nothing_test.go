package compat_test

// Schemas that no value fits are contained in everything, as sets go; nobody who
// asks means that.

import (
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/schema/compat"
)

func TestNothingFits(t *testing.T) {
	const y, n, u = compat.Contained, compat.NotContained, compat.Unknown
	member := func(s string) string { return `{"type":"object","properties":{"v":` + s + `},"required":["v"]}` }
	optional := func(s string) string { return `{"type":"object","properties":{"v":` + s + `}}` }
	const (
		overlapping = `{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]}`
		twice       = `{"oneOf":[{"type":"number"},{"type":"number"}]}`
		contrary    = `{"type":"number","enum":["a"]}`
	)
	for _, test := range []struct {
		name                  string
		a, b                  string
		strict, input, output compat.Answer
	}{
		{"objects of which two fit", overlapping, `{"type":"string"}`, u, n, n},
		{"numbers twice", twice, `{"type":"string"}`, u, n, n},
		{"a number that is a text", contrary, `{"type":"string"}`, u, u, u},
		{"a required member", member(twice), member(`{"type":"string"}`), u, n, n},
		{"a required member that is contrary", member(contrary), member(`{"type":"string"}`), u, u, u},
		{"an optional member", optional(twice), optional(`{"type":"string"}`), u, n, n},
		{"an optional member that is contrary", optional(contrary), optional(`{"type":"string"}`), u, u, u},
		{"elements", `{"type":"array","items":` + contrary + `}`, `{"type":"array","items":{"type":"string"}}`, u, u, u},
		{"values of a map", `{"type":"object","additionalProperties":` + contrary + `}`, `{"type":"object","additionalProperties":{"type":"string"}}`, u, u, u},
		{"false", `false`, `{"type":"string"}`, u, u, u},
		{"a required member that is false", member(`false`), member(`{"type":"string"}`), u, u, u},
		{"bounds that cross", optional(`{"type":"integer","minimum":2,"maximum":1}`), optional(`{"type":"string"}`), u, u, u},
		{"parts that exclude each other", optional(`{"allOf":[{"type":"string"},{"type":"integer"}]}`), optional(`{"type":"string"}`), u, u, u},
		{"a negation of everything that is said", optional(`{"type":"string","not":{"type":"string"}}`), optional(`{"type":"boolean"}`), u, u, u},
		{"behind a reference", `{"type":"object","properties":{"v":{"$ref":"#/$defs/d"}},"$defs":{"d":` + contrary + `}}`, optional(`{"type":"string"}`), u, u, u},
		{"in an alternative", `{"anyOf":[` + contrary + `,{"type":"string"}]}`, `{"type":"string"}`, y, y, y},
		{"in every alternative", optional(`{"anyOf":[` + contrary + `,{"type":"integer","enum":[0.5]}]}`), optional(`{"type":"string"}`), u, u, u},

		// What is meant so: a member that may not be there, and what was so before.
		{"an optional member that is false", optional(`false`), optional(`{"type":"string"}`), y, y, y},
		{"an optional member that nothing fits", optional(`{"not":{}}`), optional(`{"type":"string"}`), y, y, y},
		{"no elements", `{"type":"array","items":false}`, `{"type":"array","items":{"type":"string"}}`, y, y, y},
		{"it was so", optional(contrary), optional(`{"type":"integer","enum":["b"]}`), y, y, y},
		{"it was so elsewhere", `{"type":"object","properties":{"v":` + contrary + `,"w":{"type":"integer"}}}`, `{"type":"object","properties":{"v":` + contrary + `,"w":{"type":"number"}}}`, y, y, y},
		{"of which nothing was said", optional(contrary), `{"type":"object"}`, y, y, y},

		// Alternatives of which more than one may fit.
		{"one more alternative fits", `{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]}`,
			`{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"},"c":{"type":"string"}}}]}`, n, y, y},
		{"what fitted one fits two", `{"anyOf":[{"type":"integer"},{"type":"number"}]}`, `{"oneOf":[{"type":"integer"},{"type":"number"}]}`, n, n, y},
		{"beside anyOf", `{"oneOf":[{"type":"number"},{"type":"number"}],"anyOf":[true]}`, `{"type":"string"}`, u, n, n},
		{"with a reference into it", `{"oneOf":[{"type":"number"},{"$ref":"#/oneOf/0"}]}`, `{"type":"string"}`, u, n, n},
		{"negated", `{"type":"integer","not":{"oneOf":[{"minimum":0},{"minimum":1}]}}`, `{"type":"string"}`, n, n, n},
	} {
		for lens, want := range map[compat.Lens]compat.Answer{compat.Strict: test.strict, compat.CallerInput: test.input, compat.CallerOutput: test.output} {
			a, b := parseDocument(t, json.RawMessage(test.a)), parseDocument(t, json.RawMessage(test.b))
			v := compat.Check(t.Context(), a, b, &compat.Options{Lens: lens})
			if v.Answer != want {
				t.Errorf("%s, lens %d: %v, want %v: %q %s %s", test.name, lens, v.Answer, want, v.Pointer, v.Reason, v.Witness)
			}
		}
	}
}

// TestDecided holds pairs of small schemas to what was found by hand, each way.
func TestDecided(t *testing.T) {
	const y, n = compat.Contained, compat.NotContained
	for _, test := range []struct {
		a, b     string
		up, down compat.Answer
	}{
		// One of several enumerations.
		{`{"enum":[1,3]}`, `{"oneOf":[{"enum":[1,2]},{"enum":[3,4]}]}`, y, n},
		{`{"enum":[1,2,3]}`, `{"oneOf":[{"enum":[1,2]},{"enum":[2,3]}]}`, n, y},
		{`{"oneOf":[{"enum":["a","b"]},{"enum":["b","c"]}]}`, `{"enum":["a","c"]}`, y, y},
		{`{"oneOf":[{"enum":["a","b"]},{"enum":["b","c"]}]}`, `{"enum":["a","c","d"]}`, y, n},
		{`{"oneOf":[{"enum":["a","b"]},{"enum":["b","c"]}]}`, `{"oneOf":[{"const":"a"},{"const":"c"}]}`, y, y},
		{`{"enum":[{"k":"a"},{"k":"b"}]}`, `{"oneOf":[{"properties":{"k":{"const":"a"}},"required":["k"]},{"properties":{"k":{"const":"b"}},"required":["k"]}]}`, y, n},
		{`{"type":"integer","minimum":1,"maximum":4}`, `{"oneOf":[{"enum":[1,2]},{"enum":[3,4]}]}`, y, y},
		{`{"type":"boolean"}`, `{"oneOf":[{"const":true},{"const":false}]}`, y, y},
		// What is ruled out.
		{`{"type":"string","not":{"minLength":3}}`, `{"type":"string","maxLength":2}`, y, y},
		{`{"type":"string","not":{"maxLength":2}}`, `{"type":"string","minLength":3}`, y, y},
		{`{"type":"string","not":{"maxLength":2}}`, `{"type":"string","minLength":4}`, n, y},
		{`{"not":{"minLength":3}}`, `{"type":"string"}`, y, n},
		{`{"type":"string","not":{"enum":["a","b"]}}`, `{"type":"string","not":{"enum":["a"]}}`, y, n},
		{`{"type":"string","pattern":"^[ab]$","not":{"enum":["a"]}}`, `{"const":"b"}`, y, y},
		{`{"enum":["a","b"],"not":{"enum":["a"]}}`, `{"const":"b"}`, y, y},
		{`{"enum":["a","b"],"not":{"const":"a"}}`, `{"oneOf":[{"const":"b"},{"const":"c"}]}`, y, n},
		{`{"type":"string","not":{"pattern":"^a"}}`, `{"type":"string","not":{"pattern":"^ab"}}`, y, n},
		{`{"type":"string","not":{"pattern":"^[^a]"},"minLength":1}`, `{"type":"string","pattern":"^a"}`, y, y},
		{`{"type":"integer","not":{"minimum":5}}`, `{"type":"integer","maximum":4}`, y, y},
		{`{"type":"number","not":{"exclusiveMaximum":5}}`, `{"type":"number","minimum":5}`, y, y},
		{`{"not":{"type":["string","null"]}}`, `{"type":["number","boolean","array","object"]}`, y, y},
		{`{"type":"string","not":{"type":"string","minLength":3}}`, `{"maxLength":2}`, y, n},
		{`{"type":["string","integer"],"not":{"type":"string"}}`, `{"type":"integer"}`, y, y},
		{`{"type":"array","not":{"minItems":2}}`, `{"type":"array","maxItems":1}`, y, y},
		{`{"type":"object","not":{"minProperties":1}}`, `{"type":"object","maxProperties":0}`, y, y},
		{`{"type":"object","not":{"required":["a"]}}`, `{"type":"object","properties":{"a":false}}`, y, y},
		{`{"type":"string","not":{"anyOf":[{"minLength":5},{"maxLength":2}]}}`, `{"type":"string","minLength":3,"maxLength":4}`, y, y},
		{`{"type":"string","not":{"not":{"minLength":2}}}`, `{"type":"string","minLength":2}`, y, y},
		{`{"type":"integer","minimum":1,"maximum":3,"not":{"const":2}}`, `{"enum":[1,3]}`, y, y},
		// Many.
		{`{"type":"array","minItems":10662}`, `{"type":"array","minItems":10661}`, y, n},
		{`{"type":"array","minItems":10662,"items":{"type":"string"}}`, `{"type":"array","items":{"type":"string","minLength":1}}`, n, n},
		{`{"type":"array","minItems":4096}`, `{"type":"array","maxItems":4095}`, n, n},
		{`{"type":"array","maxItems":10662}`, `{"type":"array","maxItems":10661}`, n, y},
		{`{"type":"string","minLength":20000}`, `{"type":"string","minLength":20001}`, n, y},
	} {
		a, b := parseDocument(t, json.RawMessage(test.a)), parseDocument(t, json.RawMessage(test.b))
		up, down := compat.Check(t.Context(), a, b, nil), compat.Check(t.Context(), b, a, nil)
		if up.Answer != test.up {
			t.Errorf("%s in %s: %v, want %v: %s %.80s", test.a, test.b, up.Answer, test.up, up.Reason, up.Witness)
		}
		if down.Answer != test.down {
			t.Errorf("%s in %s: %v, want %v: %s %.80s", test.b, test.a, down.Answer, test.down, down.Reason, down.Witness)
		}
		attackVerdict(t, a, b, up, 100)
		attackVerdict(t, b, a, down, 100)
	}
}
