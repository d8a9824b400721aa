package schema

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema/internal/contract"
	"github.com/mcpgen/mcpgen/schema/internal/corpus"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// a pair of definitions, or of schemas, that have to be equal or not.
type contractPair struct{ name, a, b string }

func checkPairs(t *testing.T, equal bool, wrap func(string) string, kind Kind, pairs []contractPair) {
	t.Helper()
	for _, tc := range pairs {
		a, err := ContractHash(kind, json.RawMessage(wrap(tc.a)))
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		b, err := ContractHash(kind, json.RawMessage(wrap(tc.b)))
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		if (a == b) != equal {
			va, _ := tree.Parse([]byte(wrap(tc.a)))
			vb, _ := tree.Parse([]byte(wrap(tc.b)))
			t.Errorf("%s: equal is %v, want %v\n%s\n%s", tc.name, a == b, equal, contract.Of(string(kind), va, nil), contract.Of(string(kind), vb, nil))
		}
	}
}

func asTool(members string) string { return `{"name":"t",` + members + `}` }
func asSchema(s string) string     { return `{"name":"t","inputSchema":` + s + `}` }
func asProperty(s string) string {
	return `{"name":"t","inputSchema":{"type":"object","properties":{"p":` + s + `}}}`
}
func asIs(s string) string { return s }

func TestToolContract(t *testing.T) {
	checkPairs(t, true, asTool, KindTool, []contractPair{
		{"texts", `"title":"A","description":"B","icons":[{"src":"x"}],"_meta":{"a":1}`, `"description":"C"`},
		{"hints absent", `"annotations":{}`, `"annotations":{"title":"x"}`},
		{"hints written", `"annotations":{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true}`, `"title":""`},
		{"hints null", `"annotations":{"readOnlyHint":null}`, `"annotations":null`},
		{"hints of PHP", `"annotations":[]`, `"annotations":{}`},
		{"hints without a meaning", `"annotations":{"readOnlyHint":true,"destructiveHint":true,"idempotentHint":true}`, `"annotations":{"readOnlyHint":true}`},
		{"task default", `"execution":{"taskSupport":"forbidden"}`, `"title":""`},
		{"task absent", `"execution":{}`, `"execution":null`},
		{"no output", `"outputSchema":null`, `"title":""`},
		{"order", `"inputSchema":{"type":"object","properties":{"a":{},"b":{}}},"x":1`, `"x":1,"inputSchema":{"properties":{"b":{},"a":{}},"type":"object"}`},
	})
	checkPairs(t, false, asTool, KindTool, []contractPair{
		{"read-only", `"annotations":{"readOnlyHint":true}`, `"annotations":{}`},
		{"destructive", `"annotations":{"destructiveHint":false}`, `"annotations":{}`},
		{"idempotent", `"annotations":{"idempotentHint":true}`, `"annotations":{}`},
		{"open world", `"annotations":{"openWorldHint":false}`, `"annotations":{}`},
		{"open world while read-only", `"annotations":{"readOnlyHint":true,"openWorldHint":false}`, `"annotations":{"readOnlyHint":true}`},
		{"text is not a hint", `"annotations":{"readOnlyHint":"false"}`, `"annotations":{}`},
		{"unknown hint", `"annotations":{"costly":true}`, `"annotations":{}`},
		{"list with content", `"annotations":[1]`, `"annotations":[]`},
		{"tasks", `"execution":{"taskSupport":"optional"}`, `"execution":{"taskSupport":"required"}`},
		{"tasks possible", `"execution":{"taskSupport":"optional"}`, `"title":""`},
		{"an output", `"outputSchema":{}`, `"title":""`},
		{"input is not output", `"outputSchema":{"type":"object"}`, `"inputSchema":{"type":"object"}`},
		{"no input", `"inputSchema":null`, `"inputSchema":{}`},
		{"unknown member", `"x":1`, `"x":2`},
	})
	checkPairs(t, false, asIs, KindTool, []contractPair{
		{"name", `{"name":"a"}`, `{"name":"b"}`},
		{"digits", `{"name":"a","x":9007199254740993}`, `{"name":"a","x":9007199254740992}`},
	})
}

func TestOtherContracts(t *testing.T) {
	checkPairs(t, true, asIs, KindPrompt, []contractPair{
		{"texts", `{"name":"p","title":"x","arguments":[{"name":"a","description":"x"}]}`, `{"name":"p","arguments":[{"name":"a","title":"y"}]}`},
		{"order", `{"name":"p","arguments":[{"name":"a"},{"name":"b","required":true}]}`, `{"arguments":[{"name":"b","required":true},{"name":"a"}],"name":"p"}`},
		{"optional", `{"name":"p","arguments":[{"name":"a","required":false}]}`, `{"name":"p","arguments":[{"name":"a"}]}`},
		{"none", `{"name":"p","arguments":[]}`, `{"name":"p"}`},
	})
	checkPairs(t, false, asIs, KindPrompt, []contractPair{
		{"required", `{"name":"p","arguments":[{"name":"a","required":true}]}`, `{"name":"p","arguments":[{"name":"a"}]}`},
		{"argument", `{"name":"p","arguments":[{"name":"a"}]}`, `{"name":"p","arguments":[{"name":"b"}]}`},
		{"one more", `{"name":"p","arguments":[{"name":"a"}]}`, `{"name":"p","arguments":[{"name":"a"},{"name":"b"}]}`},
	})
	for _, kind := range []Kind{KindResource, KindTemplate} {
		checkPairs(t, true, asIs, kind, []contractPair{
			{"texts", `{"uri":"a:b","name":"n","title":"x","description":"y","size":5,"annotations":{"lastModified":"x"}}`, `{"uri":"a:b","name":"n"}`},
		})
		checkPairs(t, false, asIs, kind, []contractPair{
			{"uri", `{"uri":"a:b"}`, `{"uri":"a:c"}`},
			{"template", `{"uriTemplate":"a:{b}"}`, `{"uriTemplate":"a:{c}"}`},
			{"type", `{"uri":"a:b","mimeType":"text/plain"}`, `{"uri":"a:b"}`},
			{"name", `{"uri":"a:b","name":"x"}`, `{"uri":"a:b","name":"y"}`},
		})
	}
}

// Pairs that hold wherever a schema may stand.
func TestSchemaContractEqual(t *testing.T) {
	pairs := []contractPair{
		{"docs", `{"type":"string","title":"a","description":"b","examples":["c"],"$comment":"d","deprecated":true}`, `{"type":"string"}`},
		{"true", `true`, `{"description":"anything"}`},
		{"false", `false`, `{"not":{}}`},
		{"required is a set", `{"required":["b","a","b"]}`, `{"required":["a","b"]}`},
		{"required nothing", `{"required":[]}`, `{}`},
		{"type is a set", `{"type":["string","null"]}`, `{"type":["null","string","null"]}`},
		{"single type", `{"type":["string"]}`, `{"type":"string"}`},
		{"integers are numbers", `{"type":["integer","number"]}`, `{"type":"number"}`},
		{"enum is a set", `{"enum":["b","a","b"]}`, `{"enum":["a","b"]}`},
		{"const", `{"const":"a"}`, `{"enum":["a"]}`},
		{"const with its type", `{"const":"a","type":"string"}`, `{"const":"a"}`},
		{"object with its type", `{"const":{"a":1},"type":"object"}`, `{"const":{"a":1}}`},
		{"array with its type", `{"const":[1],"type":"array"}`, `{"const":[1]}`},
		{"boolean with its type", `{"enum":[true,false],"type":"boolean"}`, `{"enum":[true,false]}`},
		{"null with its type", `{"const":null,"type":["null","string"]}`, `{"const":null}`},
		{"enum with its type", `{"enum":[1,2],"type":"integer"}`, `{"enum":[2,1],"type":"number"}`},
		{"long enum with its type", `{"type":"string","enum":["` + strings.Repeat("a", 80) + `"]}`, `{"const":"` + strings.Repeat("a", 80) + `"}`},
		{"null", `{"type":"null"}`, `{"const":null}`},
		{"anyOf of constants", `{"anyOf":[{"const":"a","title":"A"},{"const":"b"}]}`, `{"enum":["a","b"]}`},
		{"oneOf of constants", `{"oneOf":[{"const":"a"},{"const":"b"}]}`, `{"type":"string","enum":["b","a"]}`},
		{"constants with a type beside", `{"type":"string","oneOf":[{"const":"a"},{"const":"b"}]}`, `{"enum":["b","a"]}`},
		{"nullable string", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"type":["string","null"]}`},
		{"nullable with constraints", `{"anyOf":[{"type":"string","minLength":1},{"type":"null"}]}`, `{"type":["null","string"],"minLength":1}`},
		{"nullable by oneOf", `{"oneOf":[{"type":"null"},{"type":"array","items":{"type":"string"}}]}`, `{"type":["array","null"],"items":{"type":"string"}}`},
		{"nullable enum", `{"anyOf":[{"type":"string","enum":["a"]},{"type":"null"}]}`, `{"enum":["a",null]}`},
		{"types", `{"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"}]}`, `{"type":["boolean","number","string"]}`},
		{"branches are a set", `{"anyOf":[{"minimum":1},{"maximum":0},{"minimum":1}]}`, `{"anyOf":[{"maximum":0},{"minimum":1}]}`},
		{"oneOf order", `{"oneOf":[{"required":["a"]},{"required":["b"]}]}`, `{"oneOf":[{"required":["b"]},{"required":["a"]}]}`},
		{"allOf order", `{"allOf":[{"required":["a"]},{"minProperties":1}]}`, `{"allOf":[{"minProperties":1},{"required":["a"]}]}`},
		{"single allOf", `{"allOf":[{"type":"string","minLength":1}]}`, `{"type":"string","minLength":1}`},
		{"single allOf and default", `{"allOf":[{"type":"string"}],"default":"x"}`, `{"type":"string","default":"x"}`},
		{"single anyOf", `{"anyOf":[{"type":"string"}]}`, `{"type":"string"}`},
		{"integer bound", `{"type":"integer","exclusiveMinimum":0}`, `{"type":"integer","minimum":1}`},
		{"upper integer bound", `{"type":"integer","exclusiveMaximum":10}`, `{"type":"integer","maximum":9}`},
		{"big integer bound", `{"type":"integer","exclusiveMinimum":9007199254740992}`, `{"type":"integer","minimum":9007199254740993}`},
		{"numbers", `{"minimum":1.0,"maximum":1e2,"multipleOf":0.10}`, `{"minimum":1,"maximum":100,"multipleOf":1e-1}`},
		{"zero", `{"minimum":-0.0}`, `{"minimum":0e5}`},
		{"nothing demanded", `{"type":"array","minItems":0,"uniqueItems":false}`, `{"type":"array"}`},
		{"nothing demanded of text", `{"minLength":0,"minProperties":0}`, `{}`},
		{"no properties", `{"type":"object","properties":{}}`, `{"type":"object"}`},
		{"any items", `{"type":"array","items":{}}`, `{"type":"array"}`},
		{"open", `{"additionalProperties":{}}`, `{"additionalProperties":true}`},
		{"not nullable", `{"type":"string","nullable":false}`, `{"type":"string"}`},
		{"dependent names", `{"dependentRequired":{"a":["c","b"]}}`, `{"dependentRequired":{"a":["b","c"]}}`},
	}
	checkPairs(t, true, asSchema, KindTool, pairs)
	checkPairs(t, true, asProperty, KindTool, pairs)
	checkPairs(t, true, func(s string) string { return asProperty(`{"type":"array","items":` + s + `}`) }, KindTool, pairs)
	checkPairs(t, true, func(s string) string { return `{"name":"t","outputSchema":{"anyOf":[{"required":["x"]},` + s + `]}}` }, KindTool, pairs)
}

func TestSchemaContractDiffers(t *testing.T) {
	pairs := []contractPair{
		{"a property called description", `{"properties":{"description":{"type":"string"}}}`, `{"properties":{"description":{"type":"number"}}}`},
		{"a property called title", `{"properties":{"title":{}}}`, `{"properties":{}}`},
		{"a property called examples", `{"properties":{"examples":{"type":"string"}},"required":["examples"]}`, `{"required":["examples"]}`},
		{"a property called default", `{"properties":{"default":{"type":"string"}}}`, `{"properties":{"default":{"type":"number"}}}`},
		{"title in a constant", `{"const":{"title":"a"}}`, `{"const":{"title":"b"}}`},
		{"description in an enum", `{"enum":[{"description":"a"}]}`, `{"enum":[{"description":"b"}]}`},
		{"title in a default", `{"default":{"title":"a"}}`, `{"default":{"title":"b"}}`},
		{"order in a constant", `{"const":["a","b"]}`, `{"const":["b","a"]}`},
		{"required in a constant", `{"const":{"required":["a","b"]}}`, `{"const":{"required":["b","a"]}}`},
		{"a definition called title", `{"$ref":"#/$defs/title","$defs":{"title":{"type":"string"}}}`, `{"$ref":"#/$defs/title","$defs":{"title":{"type":"number"}}}`},
		{"a pattern called title", `{"patternProperties":{"title":{"type":"string"}}}`, `{"patternProperties":{"title":{"type":"number"}}}`},
		{"required", `{"required":["a"]}`, `{"required":["a","b"]}`},
		{"type", `{"type":"integer"}`, `{"type":"number"}`},
		{"null", `{"type":["string","null"]}`, `{"type":"string"}`},
		{"enum", `{"enum":["a"]}`, `{"enum":["a","b"]}`},
		{"enum of another type", `{"enum":["1"]}`, `{"enum":[1]}`},
		{"enum that the type cuts", `{"enum":["a",1],"type":"string"}`, `{"enum":["a",1]}`},
		{"object of another type", `{"const":{},"type":"array"}`, `{"const":{}}`},
		{"array of another type", `{"const":[],"type":"object"}`, `{"const":[]}`},
		{"boolean of another type", `{"const":true,"type":"string"}`, `{"const":true}`},
		{"null of another type", `{"const":null,"type":"string"}`, `{"const":null}`},
		{"is 1.0 an integer", `{"enum":[1.0],"type":"integer"}`, `{"enum":[1.0]}`},
		{"long number", `{"enum":[1.5` + strings.Repeat("0", 80) + `],"type":"integer"}`, `{"enum":[1.5` + strings.Repeat("0", 80) + `]}`},
		{"long texts", `{"enum":["` + strings.Repeat("a", 80) + `"]}`, `{"enum":["` + strings.Repeat("a", 81) + `"]}`},
		{"long default", `{"default":"` + strings.Repeat("a", 80) + `"}`, `{"default":"` + strings.Repeat("a", 81) + `"}`},
		{"enum and const", `{"enum":["a","b"],"const":"a"}`, `{"enum":["a","b"]}`},
		{"default", `{"type":"string","default":"a"}`, `{"type":"string","default":"b"}`},
		{"default gone", `{"type":"string","default":"a"}`, `{"type":"string"}`},
		{"null as default", `{"default":null}`, `{}`},
		{"implicitly open", `{"type":"object"}`, `{"type":"object","additionalProperties":true}`},
		{"closed", `{"additionalProperties":false}`, `{"additionalProperties":true}`},
		{"declared", `{"properties":{"a":{}}}`, `{"properties":{}}`},
		{"nullable of OpenAPI", `{"type":"string","nullable":true}`, `{"type":["string","null"]}`},
		{"nullable of OpenAPI and nothing", `{"type":"string","nullable":true}`, `{"type":"string"}`},
		{"nullable with const", `{"anyOf":[{"type":"string","not":{"const":"a"}},{"type":"null"}]}`, `{"type":["string","null"],"not":{"const":"a"}}`},
		{"nullable by allOf", `{"allOf":[{"type":"string"},{"type":"null"}]}`, `{"type":["string","null"]}`},
		{"oneOf of equal constants", `{"oneOf":[{"const":"a"},{"const":"a"}]}`, `{"enum":["a"]}`},
		{"oneOf of equal numbers", `{"oneOf":[{"const":1},{"const":1.0}]}`, `{"enum":[1,1.0]}`},
		{"oneOf of types that meet", `{"oneOf":[{"type":"integer"},{"type":"number"}]}`, `{"type":"number"}`},
		{"a branch that is nullable", `{"const":"a","oneOf":[{"type":"string","nullable":true}]}`, `{"const":"a","nullable":true}`},
		{"a reference that is nullable", `{"type":"string","allOf":[{"enum":["a"],"nullable":true}]}`, `{"type":"string","enum":["a"],"nullable":true}`},
		{"oneOf twice the same", `{"oneOf":[{"minimum":1},{"minimum":1}]}`, `{"oneOf":[{"minimum":1}]}`},
		{"oneOf twice the same beside another", `{"oneOf":[{"minimum":1},{"minimum":1},{"maximum":5}]}`, `{"oneOf":[{"minimum":1},{"maximum":5}]}`},
		{"anyOf is not oneOf", `{"anyOf":[{"minimum":1},{"maximum":5}]}`, `{"oneOf":[{"minimum":1},{"maximum":5}]}`},
		{"allOf is not anyOf", `{"anyOf":[{"minimum":1},{"maximum":5}]}`, `{"allOf":[{"minimum":1},{"maximum":5}]}`},
		{"allOf beside properties", `{"properties":{"a":{}},"additionalProperties":false,"allOf":[{"properties":{"b":{}}}]}`, `{"properties":{"a":{},"b":{}},"additionalProperties":false}`},
		{"two defaults", `{"allOf":[{"type":"string","default":"a"}],"default":"b"}`, `{"type":"string","default":"b"}`},
		{"number bound", `{"type":"number","exclusiveMinimum":0}`, `{"type":"number","minimum":1}`},
		{"bound of integer or text", `{"type":["integer","string"],"exclusiveMinimum":0}`, `{"type":["number","string"],"minimum":1}`},
		{"half bound", `{"type":"integer","exclusiveMinimum":0.5}`, `{"type":"integer","minimum":1.5}`},
		{"both bounds", `{"type":"integer","exclusiveMinimum":0,"minimum":5}`, `{"type":"integer","minimum":1}`},
		{"big numbers", `{"minimum":9007199254740993}`, `{"minimum":9007199254740992}`},
		{"boolean bound", `{"minimum":0,"exclusiveMinimum":true}`, `{"minimum":0}`},
		{"min", `{"minLength":1}`, `{"minLength":0}`},
		{"items", `{"items":{"type":"string"}}`, `{"items":{}}`},
		{"items and what was evaluated", `{"items":{},"unevaluatedItems":false}`, `{"unevaluatedItems":false}`},
		{"no items", `{"items":false}`, `{}`},
		{"tuple order", `{"prefixItems":[{"type":"string"},{"type":"number"}]}`, `{"prefixItems":[{"type":"number"},{"type":"string"}]}`},
		{"pattern", `{"pattern":"a"}`, `{"pattern":"b"}`},
		{"format", `{"format":"date"}`, `{"format":"uri"}`},
		{"header", `{"x-mcp-header":"A"}`, `{}`},
		{"unknown keyword", `{"foo":1}`, `{"foo":2}`},
		{"dependencies", `{"dependentRequired":{"a":["b"]}}`, `{"dependentRequired":{"b":["a"]}}`},
		{"if", `{"if":{"required":["a"]},"then":{"required":["b"]}}`, `{"if":{"required":["a"]},"then":{"required":["c"]}}`},
		{"not a schema", `{"properties":{"a":[]}}`, `{"properties":{"a":{}}}`},
		{"not a list", `{"required":"a"}`, `{"required":["a"]}`},
		{"dialect", `{"$schema":"http://json-schema.org/draft-04/schema#","type":"string"}`, `{"type":"string"}`},
		{"not", `{"not":{}}`, `{}`},
		{"not and more", `{"not":{},"default":1}`, `false`},
	}
	checkPairs(t, false, asSchema, KindTool, pairs)
	for i, p := range pairs { // references are relative to the root
		if strings.Contains(p.a, "$ref") || strings.Contains(p.a, "$schema") {
			pairs[i] = contractPair{"", "1", "2"}
		}
	}
	checkPairs(t, false, asProperty, KindTool, pairs)
	checkPairs(t, false, func(s string) string { return `{"name":"t","outputSchema":{"allOf":[{"required":["x"]},` + s + `]}}` }, KindTool, pairs)
}

func TestReferenceContract(t *testing.T) {
	const list = `{"type":"object","properties":{"v":{},"next":{"$ref":"#/$defs/L"}}}`
	checkPairs(t, true, asSchema, KindTool, []contractPair{
		{"inlined", `{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string"}}}`, `{"properties":{"a":{"type":"string"}}}`},
		{"definitions", `{"properties":{"a":{"$ref":"#/definitions/A"}},"definitions":{"A":{"type":"string"}}}`, `{"properties":{"a":{"$ref":"#/$defs/B"}},"$defs":{"B":{"type":"string"}}}`},
		{"unreachable", `{"type":"object","$defs":{"A":{"type":"string"}}}`, `{"type":"object"}`},
		{"docs beside it", `{"items":{"$ref":"#/$defs/A","description":"x"},"$defs":{"A":{"type":"string","title":"y"}}}`, `{"items":{"type":"string"}}`},
		{"default beside it", `{"items":{"$ref":"#/$defs/A","default":"x"},"$defs":{"A":{"type":"string"}}}`, `{"items":{"type":"string","default":"x"}}`},
		{"wrapped", `{"items":{"allOf":[{"$ref":"#/$defs/A"}],"default":"x"},"$defs":{"A":{"type":"string"}}}`, `{"items":{"type":"string","default":"x"}}`},
		{"nullable", `{"items":{"anyOf":[{"$ref":"#/$defs/A"},{"type":"null"}]},"$defs":{"A":{"type":"string"}}}`, `{"items":{"type":["null","string"]}}`},
		{"chain", `{"items":{"$ref":"#/$defs/A"},"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"type":"string"}}}`, `{"items":{"type":"string"}}`},
		{"pointer", `{"properties":{"a":{"type":"string"},"b":{"$ref":"#/properties/a"}}}`, `{"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`},
		{"escaped pointer", `{"items":{"$ref":"#/$defs/a~1b%20c"},"$defs":{"a/b c":{"type":"string"}}}`, `{"items":{"type":"string"}}`},
		{"anchor", `{"items":{"$ref":"#x"},"$defs":{"A":{"$anchor":"x","type":"string"}}}`, `{"items":{"type":"string"}}`},
		{"recursion", `{"properties":{"l":{"$ref":"#/$defs/L"}},"$defs":{"L":` + list + `}}`,
			strings.ReplaceAll(`{"$defs":{"M":`+list+`},"properties":{"l":{"$ref":"#/$defs/L"}}}`, "$defs/L", "$defs/M")},
		{"recursion by the root", `{"type":"object","properties":{"next":{"$ref":"#"}},"title":"a"}`, `{"type":"object","properties":{"next":{"$ref":"#"}}}`},
		{"mutual recursion", `{"items":{"$ref":"#/$defs/A"},"$defs":{"A":{"properties":{"b":{"$ref":"#/$defs/B"}}},"B":{"properties":{"a":{"$ref":"#/$defs/A"}}}}}`,
			`{"items":{"$ref":"#/$defs/X"},"$defs":{"Y":{"properties":{"a":{"$ref":"#/$defs/X"}}},"X":{"properties":{"b":{"$ref":"#/$defs/Y"}}}}}`},
		{"remote, reworded", `{"items":{"$ref":"x.json","title":"a"}}`, `{"items":{"$ref":"x.json"}}`},
		{"draft 07 at the root", `{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/A","definitions":{"A":{"type":"object"}}}`, `{"type":"object"}`},
		{"own id", `{"$id":"https://example.com/a","items":{"$ref":"#/$defs/A"},"$defs":{"A":{"type":"string"}}}`, `{"items":{"type":"string"}}`},
	})
	checkPairs(t, false, asSchema, KindTool, []contractPair{
		{"other target", `{"items":{"$ref":"#/$defs/A"},"$defs":{"A":{"type":"string"},"B":{"type":"number"}}}`, `{"items":{"$ref":"#/$defs/B"},"$defs":{"A":{"type":"string"},"B":{"type":"number"}}}`},
		{"target changed", `{"items":{"$ref":"#/$defs/A"},"$defs":{"A":{"type":"string"}}}`, `{"items":{"$ref":"#/$defs/A"},"$defs":{"A":{"type":"number"}}}`},
		{"constraint beside it", `{"items":{"$ref":"#/$defs/A","minLength":1},"$defs":{"A":{"type":"string"}}}`, `{"items":{"$ref":"#/$defs/A"},"$defs":{"A":{"type":"string"}}}`},
		{"broken", `{"items":{"$ref":"#/$defs/A"},"$defs":{"B":{}}}`, `{"items":{},"$defs":{"B":{}}}`},
		{"remote", `{"items":{"$ref":"https://example.com/a"}}`, `{"items":{"$ref":"https://example.com/b"}}`},
		{"remote, definition changed", `{"items":{"$ref":"x.json#/a"},"$defs":{"A":{"type":"string"}}}`, `{"items":{"$ref":"x.json#/a"},"$defs":{"A":{"type":"number"}}}`},
		{"own scope", `{"items":{"$ref":"a"},"$defs":{"A":{"$id":"a","type":"string"}}}`, `{"items":{"$ref":"a"},"$defs":{"A":{"$id":"a","type":"number"}}}`},
		{"recursion ends elsewhere", `{"properties":{"a":{"properties":{"b":{"$ref":"#"}}}}}`, `{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"properties":{"b":{"$ref":"#/$defs/A"}}}}}`},
		{"recursion in the tail", `{"items":{"$ref":"#/$defs/L"},"$defs":{"L":` + list + `}}`, `{"items":{"$ref":"#/$defs/L"},"$defs":{"L":` + strings.Replace(list, `"v":{}`, `"v":{"type":"string"}`, 1) + `}}`},
		{"recursion and none", `{"items":{"$ref":"#"}}`, `{"items":{"items":{}}}`},
		{"order of branches that are referred to", `{"anyOf":[{"minLength":1},{"maximum":1}],"items":{"$ref":"#/anyOf/0"},"not":{"$ref":"x.json"}}`, `{"anyOf":[{"maximum":1},{"minLength":1}],"items":{"$ref":"#/anyOf/0"},"not":{"$ref":"x.json"}}`},
		{"examples that are referred to", `{"examples":[{"minLength":1}],"items":{"$ref":"#/examples/0"},"not":{"$ref":"x.json"}}`, `{"examples":[{"minLength":2}],"items":{"$ref":"#/examples/0"},"not":{"$ref":"x.json"}}`},
		{"dynamic", `{"items":{"$dynamicRef":"#a"},"$defs":{"A":{"$dynamicAnchor":"a","type":"string"}}}`, `{"items":{"$dynamicRef":"#a"},"$defs":{"A":{"$dynamicAnchor":"a","type":"number"}}}`},
	})
}

func TestDialectContract(t *testing.T) {
	with := func(dialect, rest string) string { return `{"$schema":"` + dialect + `",` + rest + `}` }
	const d07, d19, d20 = "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema"
	checkPairs(t, true, asSchema, KindTool, []contractPair{
		{"the default", with(d20, `"items":{"type":"string"},"format":"x"`), `{"items":{"type":"string"},"format":"x"}`},
		{"the default with a fragment", with(d20+"#", `"type":"object"`), `{"type":"object"}`},
		{"the same in draft 07", with(d07, `"type":"object","properties":{"a":{"type":"string","minLength":1}}`), `{"type":"object","properties":{"a":{"type":"string","minLength":1}}}`},
		{"the same in 2019-09", with(d19, `"type":"object"`), `{"type":"object"}`},
		{"draft 07, both spellings", with(d07, `"format":"date"`), with("https://json-schema.org/draft-07/schema", `"format":"date"`)},
	})
	checkPairs(t, false, asSchema, KindTool, []contractPair{
		{"tuples", with(d07, `"items":[{"type":"string"}]`), with(d20, `"items":[{"type":"string"}]`)},
		{"formats", with(d07, `"format":"date"`), with(d20, `"format":"date"`)},
		{"prefixItems", with(d07, `"prefixItems":[{}]`), with(d20, `"prefixItems":[{}]`)},
		{"siblings", with(d07, `"items":{"$ref":"#/$defs/A","minLength":1},"$defs":{"A":{"type":"string"}}`), with(d20, `"items":{"$ref":"#/$defs/A","minLength":1},"$defs":{"A":{"type":"string"}}`)},
		{"siblings in draft 07", with(d07, `"format":"x","items":{"$ref":"#/$defs/A","minLength":1},"$defs":{"A":{"type":"string"}}`), with(d07, `"format":"x","items":{"allOf":[{"$ref":"#/$defs/A"}],"minLength":1},"$defs":{"A":{"type":"string"}}`)},
		{"a draft without const", with("http://json-schema.org/draft-04/schema#", `"type":"string","const":"a"`), with("http://json-schema.org/draft-04/schema#", `"const":"a"`)},
		{"a draft with flags for bounds", with("http://json-schema.org/draft-04/schema#", `"type":"integer","exclusiveMinimum":0`), with("http://json-schema.org/draft-04/schema#", `"type":"integer","minimum":1`)},
		{"unknown dialect", with("https://example.com/d", `"type":"object"`), `{"type":"object"}`},
		{"no text", `{"$schema":5}`, `{}`},
	})
}

func TestContractIsBounded(t *testing.T) {
	// A hundred definitions, each twice in the next: 2^100 subschemas inlined.
	var laughs strings.Builder
	laughs.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
	for i := range 100 {
		n := string(rune('0'+i/10)) + string(rune('0'+i%10))
		m := string(rune('0'+(i+1)/10)) + string(rune('0'+(i+1)%10))
		laughs.WriteString(`"d` + strings.TrimPrefix(n, "0") + `":{"prefixItems":[{"$ref":"#/$defs/d` + strings.TrimPrefix(m, "0") + `"},{"$ref":"#/$defs/d` + strings.TrimPrefix(m, "0") + `"}]},`)
	}
	laughs.WriteString(`"d:0":{"type":"string"}}}`)
	// Forty definitions that all refer to each other: 40! paths.
	var web strings.Builder
	web.WriteString(`{"$ref":"#/$defs/0","$defs":{`)
	for i := range 40 {
		if i > 0 {
			web.WriteByte(',')
		}
		web.WriteString(`"` + string(rune('0'+i)) + `":{"prefixItems":[`)
		for j := range 40 {
			if j > 0 {
				web.WriteByte(',')
			}
			web.WriteString(`{"$ref":"#/$defs/` + string(rune('0'+j)) + `"}`)
		}
		web.WriteString(`]}`)
	}
	web.WriteString(`}}`)
	chain := `{"$ref":"#/$defs/a","$defs":{"a":` + strings.Repeat(`{"items":`, 200) + `{"$ref":"#/$defs/a"}` + strings.Repeat("}", 200) + `}}`
	for name, s := range map[string]string{"laughs": laughs.String(), "web": strings.ReplaceAll(web.String(), `\`, `\\`), "chain": chain} {
		a, err := ContractHash(KindTool, json.RawMessage(asSchema(s)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		b, _ := ContractHash(KindTool, json.RawMessage(asSchema(strings.Replace(s, "prefixItems", "items", 1))))
		if a == b && name != "chain" {
			t.Errorf("%s: a change does not show", name)
		}
	}
}

// Real changes of real tools: none that is proven to break a caller may have
// an equal contract, and all that only reword have.
func TestContractOfRealChanges(t *testing.T) {
	var labels map[string]string
	corpus.ReadJSON(t, "testdata/drift/labels.json", &labels)
	counts := map[string]int{}
	for _, file := range slices.Sorted(maps.Keys(labels)) {
		var pair struct{ Before, After json.RawMessage }
		corpus.ReadJSON(t, filepath.Join("testdata/drift", file), &pair)
		before, err := ContractHash(KindTool, pair.Before)
		if err != nil {
			t.Fatal(err)
		}
		after, err := ContractHash(KindTool, pair.After)
		if err != nil {
			t.Fatal(err)
		}
		label := labels[file]
		counts[label]++
		if before == after {
			counts[label+" equal"]++
		}
		if label == "breaking" && before == after {
			t.Errorf("%s breaks callers, but its contract is equal", file)
		}
	}
	t.Log(counts)
	if counts["breaking"] < 30 || counts["none equal"]+counts["docs equal"] < 5 {
		t.Errorf("the sample is too small to say anything: %v", counts)
	}
}

// The order of its files, and what its _meta says, are not part of a skill's contract.
func TestSkillContract(t *testing.T) {
	const a, b = `{"uri":"skill://a/SKILL.md","digest":"sha256:aa","size":3}`, `{"uri":"skill://a/b","digest":"sha256:aa","size":1}`
	wrap := func(members string) string { return `{"uri":"skill://a/SKILL.md",` + members + `}` }
	checkPairs(t, true, wrap, KindSkill, []contractPair{
		{"order", `"resources":[` + a + `,` + b + `]`, `"resources":[` + b + `,` + a + `]`},
		{"meta", `"resources":"dynamic","_meta":{"x":1}`, `"resources":"dynamic"`},
	})
	checkPairs(t, false, wrap, KindSkill, []contractPair{
		{"a file", `"resources":[` + a + `]`, `"resources":[` + a + `,` + b + `]`},
		{"a digest", `"resources":[` + a + `]`, `"resources":[` + strings.Replace(a, "aa", "bb", 1) + `]`},
		{"frontmatter", `"frontmatter":{"a":1}`, `"frontmatter":{"a":2}`},
	})
}
