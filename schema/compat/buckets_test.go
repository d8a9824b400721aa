package compat_test

// Small schemas, and every value of a small world. What is Contained, and what
// has equal contracts, is held to which of the values a validator takes: no part
// of the reasoning is shared.

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/compat"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// probeValues returns values that small schemas tell apart.
func probeValues() []json.RawMessage {
	scalars := []string{`null`, `true`, `false`, `-1`, `0`, `0.5`, `1`, `1.0`, `1.5`, `2`, `3`, `9007199254740993`, `""`, `"a"`, `"b"`, `"ab"`, `"abc"`, `"1"`, `"\n"`, `[]`, `{}`}
	all := append([]string{}, scalars...)
	few := []string{`null`, `0`, `1.5`, `"a"`, `"ab"`, `{}`, `[]`, `false`}
	for _, x := range few {
		all = append(all, `[`+x+`]`, `{"a":`+x+`}`, `{"b":`+x+`}`, `{"c":`+x+`}`, `[[`+x+`]]`, `{"a":{"a":`+x+`}}`, `{"a":[`+x+`]}`, `{"a":{"b":`+x+`}}`, `[{"a":`+x+`}]`)
		for _, y := range few {
			all = append(all, `[`+x+`,`+y+`]`, `{"a":`+x+`,"b":`+y+`}`, `{"a":`+x+`,"c":`+y+`}`, `{"b":`+x+`,"c":`+y+`}`)
		}
	}
	for i := 0; i < 60; i++ {
		all = append(all, fmt.Sprintf(`{"a":%s,"b":%s,"c":%s}`, few[i%8], few[(i/3)%8], few[(i/7)%8]), fmt.Sprintf(`[%s,%s,%s]`, few[i%8], few[(i/3)%8], few[(i/7)%8]))
	}
	out := make([]json.RawMessage, len(all))
	for i, text := range all {
		out[i] = json.RawMessage(text)
	}
	return out
}

// small writes a schema of few keywords with few values each, so that many mean
// the same and many more are contained in each other.
func (r *random) small(depth int) string {
	if depth == 0 {
		return r.pick(`{"type":"string"}`, `{"type":"integer"}`, `{"type":"number"}`, `{"type":["string","null"]}`, `{}`, `true`, `false`, `{"const":"a"}`, `{"enum":["a",null]}`,
			`{"const":1}`, `{"enum":[0,1]}`, `{"type":"object"}`, `{"type":"null"}`, `{"minimum":1}`, `{"type":"string","nullable":true}`, `{"required":["a"]}`, `{"minLength":1}`, `{"pattern":"^a"}`, `{"maxItems":1}`, `{"type":"array"}`, `{"not":{"type":"string"}}`, `{"enum":["b",1,{"a":0}]}`, `{"$ref":"#"}`, `{"$ref":"#/$defs/d"}`)
	}
	sub := func() string { return r.small(depth - 1) }
	keywords := map[string]string{}
	for range 1 + r.IntN(3) {
		switch r.IntN(24) {
		case 0, 1:
			keywords["type"] = r.pick(`"object"`, `"array"`, `"string"`, `"integer"`, `["integer","null"]`, `["object","null"]`, `["string","object"]`, `"number"`)
		case 2:
			keywords["properties"] = r.pick(fmt.Sprintf(`{"a":%s}`, sub()), fmt.Sprintf(`{"a":%s,"b":%s}`, sub(), sub()), `{}`)
		case 3:
			keywords["required"] = r.pick(`["a"]`, `["a","b"]`, `["b","a"]`, `[]`, `["c"]`)
		case 4:
			keywords["additionalProperties"] = r.pick(`false`, `true`, sub())
		case 5:
			keywords["items"] = sub()
		case 6:
			keywords["prefixItems"] = r.pick(fmt.Sprintf(`[%s]`, sub()), fmt.Sprintf(`[%s,%s]`, sub(), sub()))
		case 7, 8:
			keywords[r.pick("anyOf", "oneOf", "allOf")] = fmt.Sprintf(`[%s,%s]`, sub(), sub())
		case 9:
			keywords[r.pick("anyOf", "oneOf", "allOf")] = fmt.Sprintf(`[%s]`, sub())
		case 10:
			keywords["not"] = sub()
		case 11:
			keywords["enum"] = r.pick(`["a","b"]`, `["b","a"]`, `[1,0]`, `[null,"a"]`, `[{"a":0},[]]`, `[1.0]`, `[true,false]`)
		case 12:
			keywords["const"] = r.pick(`"a"`, `1`, `null`, `{"a":0}`, `[]`)
		case 13:
			keywords[r.pick("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")] = r.pick(`0`, `1`, `1.5`, `2`)
		case 14:
			keywords[r.pick("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")] = r.pick(`0`, `1`, `2`)
		case 15:
			keywords["pattern"] = r.pick(`"^a"`, `"^a$"`, `"b"`, `"^[ab]+$"`, `"."`)
		case 16:
			keywords["if"] = sub()
			keywords[r.pick("then", "else")] = sub()
		case 17:
			keywords["$ref"] = r.pick(`"#"`, `"#/$defs/d"`, `"#/$defs/e"`)
		case 18:
			keywords["patternProperties"] = fmt.Sprintf(`{%q:%s}`, r.pick("^a", "^[ab]", "c"), sub())
		case 19:
			keywords["propertyNames"] = sub()
		case 20:
			keywords[r.pick("unevaluatedProperties", "unevaluatedItems")] = r.pick(`false`, sub())
		case 21:
			keywords[r.pick("dependentSchemas", "dependentRequired")] = ""
			delete(keywords, "dependentRequired")
			if _, ok := keywords["dependentSchemas"]; ok {
				keywords["dependentSchemas"] = fmt.Sprintf(`{"a":%s}`, sub())
			} else {
				keywords["dependentRequired"] = r.pick(`{"a":["b"]}`, `{"c":["a"]}`)
			}
		case 22:
			keywords["contains"] = sub()
			keywords[r.pick("minContains", "maxContains")] = r.pick(`0`, `1`, `2`)
		case 23:
			keywords[r.pick("uniqueItems", "nullable", "title")] = r.pick(`true`, `false`)
		}
	}
	var members []string
	for _, name := range sortedKeys(keywords) {
		members = append(members, fmt.Sprintf("%q:%s", name, keywords[name]))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// rooted adds what references of small schemas lead to, and a dialect to some.
func (r *random) rooted(s string) string {
	if !strings.HasPrefix(s, "{") {
		return s
	}
	if r.IntN(4) == 0 && s != "{}" {
		s = strings.TrimSuffix(s, "}") + `,"$schema":` + r.pick(`"http://json-schema.org/draft-07/schema#"`, `"http://json-schema.org/draft-04/schema#"`, `"https://json-schema.org/draft/2019-09/schema"`) + "}"
	}
	defs := fmt.Sprintf(`"$defs":{"d":%s,"e":%s}`, r.small(0), r.pick(`{"$ref":"#/$defs/d"}`, `{"type":"string"}`, `{"properties":{"a":{"$ref":"#/$defs/e"}}}`))
	if !strings.Contains(s, "$defs") {
		return s
	}
	return strings.TrimSuffix(s, "}") + "," + defs + "}"
}

// citizen is a small schema with the values of the world that fit it.
type citizen struct {
	text string
	doc  *jsonschema.Document
	fits []bool
}

func (c *citizen) within(other *citizen) int {
	for i, fits := range c.fits {
		if fits && !other.fits[i] {
			return i
		}
	}
	return -1
}

func generateCitizens(t *testing.T, r *random, n int, values []json.RawMessage) []*citizen {
	t.Helper()
	var all []*citizen
	for len(all) < n {
		c := &citizen{text: r.rooted(r.small(1 + r.IntN(2)))}
		doc, err := jsonschema.Parse(json.RawMessage(c.text))
		if err != nil {
			continue
		}
		v, err := validate.Of(doc, nil)
		if err != nil || len(v.Problems()) > 0 {
			continue
		}
		c.doc, c.fits = doc, make([]bool, len(values))
		for i, value := range values {
			c.fits[i] = v.Validate(value) == nil
		}
		all = append(all, c)
	}
	return all
}

func TestSmallWorld(t *testing.T) {
	values := probeValues()
	r := &random{Rand: rand.New(rand.NewPCG(uint64(fromEnv("MCPGEN_SEED", 0)), 77))}
	all := generateCitizens(t, r, fromEnv("MCPGEN_ROUNDS", 250), values)
	counts := map[compat.Answer]int{}
	byContract := map[string]*citizen{}
	same := 0
	for i, a := range all {
		hash, err := schema.ContractHash(schema.KindTool, json.RawMessage(`{"name":"t","inputSchema":`+a.text+`}`))
		if err != nil {
			t.Fatal(err)
		}
		if b := byContract[hash]; b == nil {
			byContract[hash] = a
		} else if b.text != a.text {
			same++
			if at := max(a.within(b), b.within(a)); at >= 0 {
				t.Errorf("equal contracts, but %s fits only one of\n%s\n%s", values[at], a.text, b.text)
			}
		}
		for k := range 4 {
			b := all[(i+1+k*k*7)%len(all)]
			if k == 3 {
				b = generateCitizens(t, r, 1, values)[0]
			}
			v := compat.Check(t.Context(), a.doc, b.doc, nil)
			counts[v.Answer]++
			at := a.within(b)
			switch {
			case v.Answer == compat.Contained && at >= 0:
				t.Errorf("%s\n  is called contained (%s) in\n%s\n  but %s is not", a.text, v.Reason, b.text, values[at])
			case v.Answer == compat.Unknown && at >= 0:
				t.Logf("unknown (%s), and %s would have shown it:\n%s\n%s", v.Reason, values[at], a.text, b.text)
			}
		}
	}
	t.Logf("%v; %d pairs with equal contracts", counts, same)
}
