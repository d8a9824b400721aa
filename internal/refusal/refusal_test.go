package refusal_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/refusal"
)

// Each provider refuses what is known that it refuses, and takes what it takes.
func TestOf(t *testing.T) {
	property := func(schema string) string { return `{"type":"object","properties":{"p":` + schema + `}}` }
	for _, c := range []struct{ provider, schema, want string }{
		{"anthropic", `{"type":"object","properties":{"$filter":{}}}`, "the argument $filter"},
		{"anthropic", `{"type":"object","properties":{"p":{"properties":{"$filter":{}}}}}`, ""},
		{"anthropic", `{"type":"object","anyOf":[{}]}`, "at the root: anyOf"},
		{"anthropic", `{"type":["object","null"]}`, "the root is not an object"},
		{"anthropic", property(`{"type":"odd"}`), "/properties/p: the type odd"},
		{"anthropic", property(`{"minimum":"1"}`), "/properties/p: minimum is no such number"},
		{"anthropic", property(`{"$ref":"#/$defs/Gone"}`), "leads nowhere"},
		{"anthropic", property(`{"items":[{}]}`), "/properties/p/items is no schema"},
		{"openai", `{"type":"object","properties":{"$filter":{}}}`, ""},
		{"openai", property(`{"type":["array","null"]}`), "missing items"},
		{"openai", property(`{"anyOf":[{"not":{}}]}`), "/properties/p/anyOf/0: a schema must have a type"},
		{"openai", property(`{"pattern":"(?=x)y"}`), "the pattern"},
		{"gemini", property(`{"const":1}`), "Unknown name const"},
		{"gemini", property(`{"type":["string","null"]}`), "a list of types"},
		{"gemini", property(`{"type":"string","format":"uri"}`), "the format uri"},
		{"gemini", property(`{"enum":[1]}`), "an enum"},
		{"gemini", `{"type":"object","required":["q"]}`, "not defined: q"},
		{"gemini", property(`{"type":"array","items":{"type":"array","items":{"type":"array","items":{"type":"string"}}}}`), ""},
		{"gemini", property(`{"type":"array","items":{"type":"array","items":{"type":"array","items":{"type":"object"}}}}`), "nesting depth"},
		{"any", property(`{"anyOf":[{"type":"array","items":{"type":"array","items":{"type":"array","items":{}}}},{"type":"null"}]}`), "nesting depth"},
		{"bedrock", `{"type":"object","additionalProperties":false}`, "additionalProperties"},
		{"mistral", `{"type":"object","$schema":"x"}`, "$schema"},
		{"any", `{"type":"object","properties":{"a.b":{}}}`, "the argument a.b"},
		{"other", `{}`, "not known"},
	} {
		if why := refusal.Of(c.provider, "f", json.RawMessage(c.schema)); (why == "") != (c.want == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %s: got %q, want %q", c.provider, c.schema, why, c.want)
		}
	}
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"],"additionalProperties":false}`:      "",
		`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`:                                "not required",
		`{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string","minLength":1}},"required":["a"]}`: "/properties/a: minLength",
	} {
		if why := refusal.Strict("openai", "f", json.RawMessage(schema)); (why == "") != (want == "") || !strings.Contains(why, want) {
			t.Errorf("strict: %s: got %q, want %q", schema, why, want)
		}
	}
	if refusal.Strict("gemini", "f", json.RawMessage(`{"type":"object"}`)) == "" {
		t.Error("Gemini takes a strict tool, want it refused")
	}
	if refusal.Of("openai", "a.b", json.RawMessage(`{"type":"object"}`)) == "" {
		t.Error("the name a.b is taken, want it refused")
	}
}
