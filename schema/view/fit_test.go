package view

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/refusal"
	"github.com/mcpgen/mcpgen/schema/internal/corpus"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/sample"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// Providers refuse no tool of real servers, and no keyword that stands below.
func TestFitIsTaken(t *testing.T) {
	all := 0
	check := func(place, name string, raw json.RawMessage) {
		for _, provider := range Providers() {
			v, err := Fit(provider, raw)
			if err != nil {
				t.Fatalf("%s: %v", place, err)
			}
			if why := refusal.Of(provider, name, v.Schema); why != "" {
				t.Errorf("%s: %s refuses it: %s\n%s", place, provider, why, v.Schema)
			}
			checkFit(t, place+" for "+provider, raw, v)
		}
	}
	for server, tools := range corpus.Tools(t, "../../golden/corpus/servers") {
		for _, raw := range tools {
			var tool struct {
				Name        string
				InputSchema json.RawMessage
			}
			if err := json.Unmarshal(raw, &tool); err != nil {
				t.Fatal(err)
			}
			all++
			if v, err := Strict(tool.InputSchema); err == nil {
				if why := refusal.Strict("openai", tool.Name, v.Schema); why != "" {
					t.Errorf("%s.%s: openai refuses it in strict mode: %s\n%s", server, tool.Name, why, v.Schema)
				}
			}
			check(server+"."+tool.Name, tool.Name, tool.InputSchema)
		}
	}
	if all < 200 {
		t.Errorf("there are %d tools", all)
	}
	for _, schema := range hardToFit {
		check(schema, "f", json.RawMessage(schema))
	}
}

// hardToFit are schemas that providers refuse as they are.
var hardToFit = []string{
	`{"type":"object","properties":{"$filter":{"type":"string"},"x[y]":{"type":"integer"},"a b":{},"é":true,"1":{"type":"null"}},"required":["$filter","a b"]}`,
	`{"type":"object","properties":{"a b":{"type":"string"},"a$b":{"type":"string"},"a_b":{"type":"string"},"` + strings.Repeat("long ", 20) + `":{}}}`,
	`{"type":"object","properties":{"a b":{},"c":{}},"dependentRequired":{"a b":["c"],"c":["a b"]}}`,
	`{"type":"object","properties":{"a":{"type":"array"},"b":{"type":["array","null"],"prefixItems":[{"type":"string"}]}}}`,
	`{"type":"object","properties":{"a":{"anyOf":[{"not":{}},{"type":"string"}]},"b":{"not":{"const":1}},"c":{"oneOf":[{"const":"x"},{"const":2}]}}}`,
	`{"type":"object","properties":{"a":{"type":"string","pattern":"^(?=.*x)y"},"b":{"type":"string","pattern":"\\p{L}"},"c":{"type":"string","pattern":"^[a-z]+$"}}}`,
	`{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://example.com/a","type":"object","properties":{"a":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"object","properties":{"next":{"$ref":"#/$defs/T"},"me":{"$ref":"#"}}}}}`,
	`{"type":"object","properties":{"pattern":{"type":["string","integer","null"],"enum":["x",1,null],"maxLength":3}},"patternProperties":{"^(?!x)":{"type":"string"}},"additionalProperties":false}`,
	`{"type":"object","properties":{"u":{"type":"string","format":"uri","minLength":1},"n":{"type":"integer","exclusiveMinimum":0,"multipleOf":2}},"required":["u","v"],"minProperties":1}`,
	`{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{"type":"string"},"b":{"enum":["x","y"]}}}`,
	`{"type":"object","properties":{"a":{"type":["object","string"],"properties":{"k":{"type":"string"}},"required":["k"],"minLength":2}}}`,
	`{"type":"object","properties":{"a":` + deep(`{"type":"object","description":"Five.","properties":{"b":{"type":"string","minLength":1}},"required":["b"]}`) + `}}`,
	`{"type":"object","properties":{"a":{"anyOf":[` + deep(`{"type":"string","minLength":1}`) + `,{"type":"null"}]},"n":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`,
	`{"type":"object","properties":{"a":` + deep(`{"$ref":"#/$defs/T"}`) + `},"$defs":{"T":{"type":"object","properties":{"me":{"$ref":"#/$defs/T"}}}}}`,
	`{"type":"object","properties":{"a":{"type":"array","items":{"type":"array","items":{"$ref":"#/$defs/T"}}}},"$defs":{"T":{"type":"object","properties":{"me":{"$ref":"#/$defs/T"}}}}}`,
	`{"type":"object","properties":{"a":` + deep(`{"additionalProperties":{"type":"object"}}`) + `}}`,
}

// deep returns three arrays around a schema.
func deep(schema string) string {
	return strings.Repeat(`{"type":"array","items":`, 3) + schema + `}}}`
}

// checkFit wants arguments for the view to be those of the schema once more: what the
// schema allows comes back from the names of the view.
func checkFit(t *testing.T, place string, raw json.RawMessage, v View) {
	t.Helper()
	doc, err := jsonschema.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	toView, err := validate.New(v.Schema)
	if err != nil {
		t.Fatal(err)
	}
	server := map[string]string{}
	for model, name := range v.renamed {
		server[name] = model
	}
	for value := range sample.Values(doc, doc.Root, &sample.Options{Max: 8}) {
		var members map[string]json.RawMessage
		if json.Unmarshal(value, &members) != nil {
			continue
		}
		written := map[string]json.RawMessage{}
		for name, member := range members {
			if server[name] != "" {
				name = server[name]
			}
			written[name] = member
		}
		model, err := json.Marshal(written)
		if err != nil {
			t.Fatal(err)
		}
		if err := toView.Validate(model); err != nil {
			t.Errorf("%s: a model may not write %s: %v\n%s", place, model, err, v.Schema)
			return
		}
		back, err := v.Arguments(model)
		var again map[string]json.RawMessage
		if err != nil || json.Unmarshal(back, &again) != nil || !slices.Equal(slices.Sorted(maps.Keys(again)), slices.Sorted(maps.Keys(members))) {
			t.Errorf("%s: %s comes back as %s, %v", place, value, back, err)
		}
	}
}

// Each provider's form of a schema, by its bytes.
func TestFit(t *testing.T) {
	for _, c := range []struct{ provider, schema, want, note string }{
		{"anthropic", `{"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string"}}}`, "", ""},
		{"gemini", `{"type": "object", "properties": {"a": {"type": "string"}}}`, "", ""},
		{"anthropic", `{"type":"object","properties":{"$filter":{"type":"string","description":"OData."},"é":true,"ok":{}},"required":["$filter"]}`,
			`{"type":"object","properties":{"filter":{"type":"string","description":"OData.\nThe server's name of this argument is \"$filter\"."},` +
				`"_":{"description":"The server's name of this argument is \"é\"."},"ok":{}},"required":["filter"]}`, ""},
		{"bedrock", `{"type":"object","properties":{"a b":{},"a_b":{}},"additionalProperties":false,"minProperties":1}`,
			`{"type":"object","properties":{"a_b_c8687a08":{"description":"The server's name of this argument is \"a b\"."},"a_b":{}}}`, "minProperties: 1"},
		{"openai", `{"type":"object","properties":{"a":{"type":"array"},"b":{"type":"string","pattern":"(?=x)"}}}`,
			`{"type":"object","properties":{"a":{"type":"array","items":{}},"b":{"type":"string","description":"pattern: \"(?=x)\""}}}`, ""},
		{"gemini", `{"type":"object","properties":{"a":{"oneOf":[{"const":"x"},{"type":["integer","null"],"enum":[1,null]}],"x-vendor":1},"u":{"type":"string","format":"uri"}}}`,
			`{"type":"object","properties":{"a":{"anyOf":[{"enum":["x"],"type":"string"},{"anyOf":[{"type":"integer"},{"type":"null"}],"description":"enum: [1,null]"}]},` +
				`"u":{"type":"string","description":"format: \"uri\""}}}`, ""},
		{"gemini", `{"type":"object","properties":{"a":` + deep(`{"type":"object","description":"Five.","properties":{"b":{"type":"string"}},"required":["b"]}`) + `}}`,
			`{"type":"object","properties":{"a":` + deep(`{"description":"Five.\nschema: {\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"string\"}},\"required\":[\"b\"]}"}`) + `}}`, ""},
		{"openai", `{"type":"object","properties":{"a":` + deep(deep(deep(`{"type":"object"}`))) + `}}`, "", ""},
		{"mistral", `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":{}}}`, `{"type":"object","properties":{"a":{}}}`, ""},
		{"any", `{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{"$ref":"#/$defs/A"},"b":{}},"$defs":{"A":{"type":"string"}}}`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{}}}`, `anyOf: [{"required":["a"]},{"required":["b"]}]`},
	} {
		if c.want == "" {
			c.want = c.schema
		}
		v, err := Fit(c.provider, json.RawMessage(c.schema))
		if err != nil || string(v.Schema) != c.want || v.Note != c.note {
			t.Errorf("%s: %s\ngot  %s %q, %v\nwant %s %q", c.provider, c.schema, v.Schema, v.Note, err, c.want, c.note)
		}
	}
	if v, err := Fit("any", json.RawMessage(`{"type":"object","properties":{"a":{"$ref":"#/$defs/Gone"}}}`)); err != nil || len(v.Lost) != 1 || v.Lost[0].Keyword != "$ref" {
		t.Errorf("a reference that leads nowhere: lost %v, %v", v.Lost, err)
	}
	if _, err := Fit("gemni", json.RawMessage(`{}`)); err == nil || !strings.Contains(err.Error(), "anthropic, openai, gemini, bedrock, mistral, any") {
		t.Errorf("an unknown provider: %v", err)
	}
}

// Names come back; what a model writes beside them stays, and two names of one argument are not made one.
func TestFitArguments(t *testing.T) {
	v, err := Fit("anthropic", json.RawMessage(`{"type":"object","properties":{"$filter":{},"x[y]":{}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{`{"filter":9007199254740993,"x_y":{"filter":1}}`, `{"$filter":9007199254740993,"x[y]":{"filter":1}}`},
		{`{ "other": 1 }`, `{ "other": 1 }`},
		{`{"filter":1,"$filter":2}`, `{"filter":1,"$filter":2}`},
		{`[1]`, `[1]`},
	} {
		if got, err := v.Arguments(json.RawMessage(c[0])); err != nil || string(got) != c[1] {
			t.Errorf("%s: got %s, %v, want %s", c[0], got, err, c[1])
		}
	}
}

// Each row says what, where from and when.
func TestRules(t *testing.T) {
	for _, r := range rules {
		if r.says == "" || len(r.source) < 20 || !regexp.MustCompile(`^20\d\d-\d\d(-\d\d)?$`).MatchString(r.date) {
			t.Errorf("the row is not whole: %+v", r)
		}
	}
}
