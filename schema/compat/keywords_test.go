package compat_test

// Each keyword in both directions: adding or tightening it is not contained,
// removing or relaxing it is.

import (
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/schema/compat"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

func TestKeywords(t *testing.T) {
	for _, test := range []struct {
		keyword      string
		narrow, wide string // every value of narrow is one of wide, and not the other way round
	}{
		{"boolean", `{"properties":{"a":false}}`, `true`},
		{"type", `{"type":"string"}`, `{}`},
		{"type", `{"type":"integer"}`, `{"type":"number"}`},
		{"type", `{"type":"string"}`, `{"type":["string","null"]}`},
		{"type", `{"type":"string"}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`},
		{"nullable", `{"type":"string"}`, `{"type":"string","nullable":true}`},
		{"enum", `{"enum":["a"]}`, `{"enum":["a","b"]}`},
		{"enum", `{"enum":[1.0]}`, `{"enum":[1,2]}`},
		{"enum", `{"enum":["a","b"]}`, `{"type":"string"}`},
		{"enum", `{"type":"boolean"}`, `{"enum":[true,false,null]}`},
		{"enum", `{"type":"integer","minimum":1,"maximum":3}`, `{"enum":[3,2,1,0]}`},
		{"enum", `{"enum":["a","bb"],"maxLength":1}`, `{"enum":["a","b"]}`},
		{"const", `{"const":{"a":1}}`, `{"type":"object","required":["a"]}`},
		{"const", `{"const":1}`, `{"type":"integer"}`},
		{"minimum", `{"type":"integer","minimum":2}`, `{"type":"integer","minimum":1}`},
		{"minimum", `{"type":"number","minimum":9007199254740993}`, `{"type":"number","minimum":9007199254740992}`},
		{"maximum", `{"type":"number","maximum":1}`, `{"type":"number","maximum":1.1}`},
		{"exclusiveMinimum", `{"type":"number","exclusiveMinimum":0}`, `{"type":"number","minimum":0}`},
		{"exclusiveMaximum", `{"type":"number","exclusiveMaximum":5}`, `{"type":"number","maximum":5}`},
		{"multipleOf", `{"type":"number","multipleOf":6}`, `{"type":"number","multipleOf":3}`},
		{"multipleOf", `{"type":"number","multipleOf":0.1}`, `{"type":"number"}`},
		{"minLength", `{"type":"string","minLength":2}`, `{"type":"string","minLength":1}`},
		{"minLength", `{"type":"string","pattern":"^.{2,}$"}`, `{"type":"string","minLength":2}`},
		{"maxLength", `{"type":"string","maxLength":2}`, `{"type":"string","maxLength":3}`},
		{"maxLength", `{"type":"string","pattern":"^[a-z]{1,3}$"}`, `{"type":"string","maxLength":3}`},
		{"pattern", `{"type":"string","pattern":"^a"}`, `{"type":"string","pattern":"a"}`},
		{"pattern", `{"type":"string","pattern":"^[a-f0-9]{8}$"}`, `{"type":"string","pattern":"^[a-z0-9]+$"}`},
		{"pattern", `{"type":"string","pattern":"^\\d+$"}`, `{"type":"string","pattern":"^\\w*$"}`},
		{"pattern", `{"enum":["ab","ac"]}`, `{"type":"string","pattern":"^a"}`},
		{"pattern", `{"type":"string","pattern":"\\bx\\b"}`, `{"type":"string","pattern":"x"}`},
		{"required", `{"type":"object","required":["a","b"]}`, `{"type":"object","required":["a"]}`},
		{"maxProperties", `{"type":"object","maxProperties":1}`, `{"type":"object"}`},
		{"contains", `{"type":"array","contains":{"type":"string"}}`, `{"type":"array","minItems":1}`},
		{"properties", `{"type":"object","properties":{"a":{"type":"integer"}}}`, `{"type":"object","properties":{"a":{"type":"number"}}}`},
		{"properties", `{"type":"object","properties":{"a":{"properties":{"b":{"minLength":2}}}}}`, `{"type":"object","properties":{"a":{"properties":{"b":{"minLength":1}}}}}`},
		{"additionalProperties", `{"type":"object","additionalProperties":false}`, `{"type":"object"}`},
		{"additionalProperties", `{"type":"object","additionalProperties":{"type":"string"}}`, `{"type":"object","additionalProperties":{"type":["string","null"]}}`},
		{"additionalProperties", `{"type":"object","properties":{"a":true},"additionalProperties":false}`, `{"type":"object","properties":{"a":true,"b":true},"additionalProperties":false}`},
		{"patternProperties", `{"type":"object","patternProperties":{"^x":{"type":"string"}}}`, `{"type":"object","patternProperties":{"^xy":{"type":"string"}}}`},
		{"patternProperties", `{"type":"object","patternProperties":{"^[a-c]$":true},"additionalProperties":false}`, `{"type":"object","patternProperties":{"^[a-z]$":true},"additionalProperties":false}`},
		{"propertyNames", `{"type":"object","propertyNames":{"maxLength":2}}`, `{"type":"object","propertyNames":{"maxLength":3}}`},
		{"propertyNames", `{"type":"object","properties":{"abc":true},"additionalProperties":false}`, `{"type":"object","propertyNames":{"pattern":"^[a-z]+$"}}`},
		{"minProperties", `{"type":"object","minProperties":2}`, `{"type":"object","minProperties":1}`},
		{"minProperties", `{"type":"object","required":["a","b"]}`, `{"type":"object","minProperties":2}`},
		{"maxProperties", `{"type":"object","maxProperties":2}`, `{"type":"object","maxProperties":3}`},
		{"maxProperties", `{"type":"object","properties":{"a":true},"additionalProperties":false}`, `{"type":"object","maxProperties":1}`},
		{"dependentRequired", `{"type":"object","dependentRequired":{"a":["b","c"]}}`, `{"type":"object","dependentRequired":{"a":["b"]}}`},
		{"dependentRequired", `{"type":"object","required":["b"]}`, `{"type":"object","dependentRequired":{"a":["b"]}}`},
		{"dependentSchemas", `{"type":"object","dependentSchemas":{"a":{"required":["b"]}}}`, `{"type":"object"}`},
		{"dependentSchemas", `{"type":"object","required":["b"]}`, `{"type":"object","dependentSchemas":{"a":{"required":["b"]}}}`},
		{"items", `{"type":"array","items":{"type":"integer"}}`, `{"type":"array","items":{"type":"number"}}`},
		{"items", `{"type":"array","items":false}`, `{"type":"array","maxItems":3}`},
		{"prefixItems", `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]}`, `{"type":"array","prefixItems":[{"type":"string"}]}`},
		{"prefixItems", `{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"}}`, `{"type":"array","items":{"type":["string","integer"]}}`},
		{"minItems", `{"type":"array","minItems":2}`, `{"type":"array","minItems":1}`},
		{"maxItems", `{"type":"array","maxItems":2}`, `{"type":"array","maxItems":3}`},
		{"uniqueItems", `{"type":"array","uniqueItems":true}`, `{"type":"array"}`},
		{"uniqueItems", `{"type":"array","maxItems":1}`, `{"type":"array","uniqueItems":true}`},
		{"contains", `{"type":"array","contains":{"const":1}}`, `{"type":"array","contains":{"type":"integer"}}`},
		{"contains", `{"type":"array","items":{"const":1},"minItems":1}`, `{"type":"array","contains":{"const":1}}`},
		{"minContains", `{"type":"array","contains":{"const":1},"minContains":2}`, `{"type":"array","contains":{"const":1}}`},
		{"maxContains", `{"type":"array","contains":{"const":1},"maxContains":2}`, `{"type":"array","contains":{"const":1},"maxContains":3}`},
		{"anyOf", `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `{"anyOf":[{"type":"integer"},{"type":"string"},{"type":"null"}]}`},
		{"anyOf", `{"type":["string","integer"]}`, `{"anyOf":[{"type":"number"},{"type":"string"}]}`},
		{"anyOf", `{"enum":["a","b"]}`, `{"anyOf":[{"const":"a"},{"const":"b"},{"const":"c"}]}`},
		{"anyOf", `{"type":"object","properties":{"k":{"enum":["a","b"]}},"required":["k"]}`, `{"anyOf":[{"properties":{"k":{"const":"a"}}},{"properties":{"k":{"const":"b"}}},{"type":"null"}]}`},
		{"oneOf", `{"oneOf":[{"type":"string"}]}`, `{"oneOf":[{"type":"string"},{"type":"integer"}]}`},
		{"oneOf", `{"oneOf":[{"properties":{"k":{"const":"a"}},"required":["k"],"type":"object"}]}`, `{"oneOf":[{"properties":{"k":{"const":"a"}},"required":["k"],"type":"object"},{"properties":{"k":{"const":"b"}},"required":["k"],"type":"object"}]}`},
		{"oneOf", `{"type":"integer","minimum":5}`, `{"oneOf":[{"type":"integer","minimum":3},{"type":"integer","maximum":1}]}`},
		{"oneOf", `{"oneOf":[{"type":"integer"},{"type":"number"}]}`, `{"type":"number"}`},
		{"allOf", `{"allOf":[{"type":"string"},{"minLength":1}]}`, `{"type":"string"}`},
		{"allOf", `{"type":"integer","minimum":3}`, `{"allOf":[{"type":"number"},{"minimum":2}]}`},
		{"not", `{"type":"string"}`, `{"not":{"type":"integer"}}`},
		{"not", `{"not":{"type":"number"}}`, `{"not":{"type":"integer"}}`},
		{"not", `{"type":"string","minLength":3}`, `{"type":"string","not":{"maxLength":1}}`},
		{"if", `{"type":"object","required":["b"]}`, `{"type":"object","if":{"required":["a"]},"then":{"required":["b"]}}`},
		{"if", `{"if":{"type":"string"},"then":{"minLength":2},"else":{"type":"integer"}}`, `{"if":{"type":"string"},"then":{"minLength":1},"else":{"type":"number"}}`},
		{"$ref", `{"$ref":"#/$defs/a","$defs":{"a":{"type":"integer"}}}`, `{"type":"number"}`},
		{"$ref", `{"type":"object","properties":{"next":{"$ref":"#"},"v":{"type":"integer"}},"required":["v"]}`, `{"type":"object","properties":{"next":{"$ref":"#"},"v":{"type":"number"}}}`},
		{"$ref", `{"$defs":{"t":{"type":"array","items":{"$ref":"#/$defs/t"},"maxItems":2}},"$ref":"#/$defs/t"}`, `{"type":"array","items":{"type":"array","items":{"$ref":"#"}}}`},
		{"unevaluatedProperties", `{"type":"object","properties":{"a":true},"unevaluatedProperties":false}`, `{"type":"object","properties":{"a":true}}`},
		{"unevaluatedProperties", `{"allOf":[{"properties":{"a":true}},{"$ref":"#/$defs/b"}],"unevaluatedProperties":false,"$defs":{"b":{"properties":{"b":true}}}}`,
			`{"allOf":[{"properties":{"a":true,"b":true}},{"properties":{"c":true}}],"unevaluatedProperties":false}`},
		{"anyOf", `{"type":"integer","minimum":0,"maximum":10}`, `{"anyOf":[{"type":"integer","maximum":5},{"type":"number","minimum":5.5,"maximum":11}]}`},
		{"anyOf", `{"type":"string","minLength":1,"maxLength":9}`, `{"anyOf":[{"maxLength":4},{"minLength":5,"maxLength":9}]}`},
		{"oneOf", `{"type":"object","properties":{"a":{"type":"integer"}}}`, `{"oneOf":[{"type":"object","required":["a"],"properties":{"a":{"type":["integer","null"]}}},{"type":"object","not":{"required":["a"]}}]}`},
		{"dependencies", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","dependencies":{"a":["b"]}}`, `{"type":"object"}`},
	} {
		narrow, wide := parseDocument(t, json.RawMessage(test.narrow)), parseDocument(t, json.RawMessage(test.wide))
		v := compat.Check(t.Context(), narrow, wide, nil)
		if v.Answer != compat.Contained {
			t.Errorf("%s: %s in %s: got %v at %q, %s %s, want contained", test.keyword, test.narrow, test.wide, v.Answer, v.Pointer, v.Reason, v.Witness)
		}
		attackVerdict(t, narrow, wide, v, 200)
		v = compat.Check(t.Context(), wide, narrow, nil)
		if v.Answer != compat.NotContained {
			t.Errorf("%s: %s in %s: got %v at %q, %s %s, want not contained", test.keyword, test.wide, test.narrow, v.Answer, v.Pointer, v.Reason, v.Witness)
		}
		attackVerdict(t, wide, narrow, v, 200)
	}
}

// Schemas that allow the same values in other words are contained in each other.
func TestOtherWords(t *testing.T) {
	for _, test := range []struct{ keyword, one, other string }{
		{"minimum", `{"type":"integer","exclusiveMinimum":0}`, `{"type":"integer","minimum":0.5,"multipleOf":1}`},
		{"unevaluatedItems", `{"type":"array","prefixItems":[true],"unevaluatedItems":false}`, `{"type":"array","maxItems":1}`},
	} {
		one, other := parseDocument(t, json.RawMessage(test.one)), parseDocument(t, json.RawMessage(test.other))
		for _, pair := range [][2]*jsonschema.Document{{one, other}, {other, one}} {
			v := compat.Check(t.Context(), pair[0], pair[1], nil)
			if v.Answer != compat.Contained {
				t.Errorf("%s: %s in %s: got %v at %q, %s %s, want contained", test.keyword, textOf(pair[0]), textOf(pair[1]), v.Answer, v.Pointer, v.Reason, v.Witness)
			}
			attackVerdict(t, pair[0], pair[1], v, 200)
		}
	}
}
