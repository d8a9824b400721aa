package compat_test

// Random schemas and random edits: what is Contained is attacked with values,
// what is NotContained has its witness tried by a second validator.

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	google "github.com/google/jsonschema-go/jsonschema"

	"github.com/mcpgen/mcpgen/schema/compat"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/sample"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// attackVerdict tries values of a with b. A Contained that one of them refutes is an
// error, and so is a witness that does not prove what it should.
func attackVerdict(t testing.TB, a, b *jsonschema.Document, v compat.Verdict, most int) {
	t.Helper()
	left, err := validate.Of(a, nil)
	if err != nil {
		return
	}
	right, err := validate.Of(b, nil)
	if err != nil {
		return
	}
	switch v.Answer {
	case compat.Contained:
		for raw := range sample.Values(a, nil, &sample.Options{Max: most, Hints: b, Undeclared: true}) {
			if err := right.Validate(raw); err != nil && left.Validate(raw) == nil {
				t.Errorf("%s\n  is called contained (%s) in\n%s\n  but %s is not: %v", textOf(a), v.Reason, textOf(b), raw, err)
				return
			}
		}
	case compat.NotContained:
		if left.Validate(v.Witness) != nil || right.Validate(v.Witness) == nil {
			t.Errorf("%s\n  in\n%s\n  has no witness %s", textOf(a), textOf(b), v.Witness)
		}
	default:
		if v.Witness != nil || v.Reason == "" {
			t.Errorf("an unknown has a witness, or no reason: %+v", v)
		}
	}
}

func textOf(doc *jsonschema.Document) string {
	if doc.Root.Bool != nil {
		return fmt.Sprint(*doc.Root.Bool)
	}
	raw, err := json.Marshal(doc.Root.Keywords)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// secondValidator reports whether another validator agrees with a witness; unsure if it
// does not take the schemas.
func secondValidator(a, b *jsonschema.Document, witness json.RawMessage) (agrees, sure bool) {
	var value any
	if json.Unmarshal(witness, &value) != nil {
		return false, true
	}
	fits := func(doc *jsonschema.Document) (bool, bool) {
		var s google.Schema
		if json.Unmarshal([]byte(textOf(doc)), &s) != nil {
			return false, false
		}
		resolved, err := s.Resolve(nil)
		if err != nil {
			return false, false
		}
		return resolved.Validate(value) == nil, true
	}
	left, ok := fits(a)
	right, also := fits(b)
	return left && !right, ok && also
}

// random writes schemas.
type random struct {
	*rand.Rand
}

func (r *random) pick(options ...string) string { return options[r.IntN(len(options))] }

func (r *random) schema(depth int) string {
	if depth <= 0 {
		return r.pick(`{"type":"string"}`, `{"type":"integer"}`, `true`, `{"type":"boolean"}`, `{"type":["null","number"]}`,
			`{"enum":["a","b",1,null]}`, `{"const":"a"}`, `{"type":"string","minLength":1}`, `{"minimum":2}`, `{}`)
	}
	var keywords []string
	seen := map[string]bool{}
	for range 1 + r.IntN(3) {
		for _, k := range r.keyword(depth - 1) {
			name, _, _ := strings.Cut(k, ":")
			if !seen[name] {
				seen[name] = true
				keywords = append(keywords, k)
			}
		}
	}
	return "{" + strings.Join(keywords, ",") + "}"
}

func (r *random) keyword(depth int) []string {
	n := func(most int) int { return r.IntN(most) }
	sub := func() string { return r.schema(depth) }
	switch r.IntN(26) {
	case 0, 1, 2:
		return []string{`"type":` + r.pick(`"string"`, `"integer"`, `"number"`, `"object"`, `"array"`, `["string","null"]`, `"boolean"`, `["object","array"]`)}
	case 3:
		return []string{`"enum":` + r.pick(`["a","b"]`, `["a"]`, `[1,2,3]`, `[1.0,"a",{"a":1}]`, `[[],{}]`, `[true,null]`)}
	case 4:
		return []string{`"const":` + r.pick(`"a"`, `1`, `{"a":1}`, `[1]`, `null`, `false`)}
	case 5:
		return []string{fmt.Sprintf(`"minimum":%d`, n(4)), fmt.Sprintf(`"exclusiveMaximum":%d.5`, n(6))}
	case 6:
		return []string{`"type":"integer"`, fmt.Sprintf(`"maximum":%d`, n(5)), fmt.Sprintf(`"exclusiveMinimum":%d`, n(4)-2)}
	case 7:
		return []string{`"multipleOf":` + r.pick("1", "2", "3", "0.5", "1.5", "6", "0.1")}
	case 8:
		return []string{fmt.Sprintf(`"minLength":%d`, n(4)), fmt.Sprintf(`"maxLength":%d`, n(5))}
	case 9:
		return []string{`"type":"string"`, `"pattern":` + r.pick(`"^a"`, `"^[a-c]+$"`, `"b"`, `"^.{2}$"`, `"^(a|bb)*$"`, `"\\d"`, `"^\\w+$"`, `"\\bx"`, `"^(?i)ab$"`, `"[^a]"`)}
	case 10, 11, 12:
		return []string{`"type":"object"`, fmt.Sprintf(`"properties":{"a":%s,"b":%s}`, sub(), sub()), `"required":` + r.pick(`["a"]`, `["b"]`, `[]`, `["a","c"]`)}
	case 13:
		return []string{`"additionalProperties":` + r.pick("false", "false", sub())}
	case 14:
		return []string{fmt.Sprintf(`"patternProperties":{%s:%s}`, r.pick(`"^a"`, `"b$"`, `"."`, `"^[ab]$"`), sub())}
	case 15:
		return []string{`"propertyNames":` + r.pick(`{"pattern":"^a"}`, `{"enum":["a","b"]}`, `{"maxLength":1}`, `{"minLength":2}`)}
	case 16:
		return []string{fmt.Sprintf(`"minProperties":%d`, n(3)), fmt.Sprintf(`"maxProperties":%d`, n(4))}
	case 17:
		return []string{`"dependentRequired":` + r.pick(`{"a":["b"]}`, `{"b":["c"]}`)}
	case 18:
		return []string{`"type":"array"`, `"items":` + sub(), fmt.Sprintf(`"minItems":%d`, n(3))}
	case 19:
		return []string{fmt.Sprintf(`"prefixItems":[%s,%s]`, sub(), sub()), fmt.Sprintf(`"maxItems":%d`, n(4))}
	case 20:
		return []string{`"uniqueItems":` + r.pick("true", "false"), `"contains":` + sub(), fmt.Sprintf(`"minContains":%d`, n(3)), fmt.Sprintf(`"maxContains":%d`, n(3))}
	case 21:
		return []string{fmt.Sprintf(`"anyOf":[%s,%s]`, sub(), sub())}
	case 22:
		return []string{fmt.Sprintf(`"oneOf":[%s,%s]`, sub(), sub())}
	case 23:
		return []string{fmt.Sprintf(`"allOf":[%s,%s]`, sub(), sub())}
	case 24:
		return []string{r.pick(`"not":`+sub(), fmt.Sprintf(`"if":%s,"then":%s,"else":%s`, sub(), sub(), sub()), fmt.Sprintf(`"dependentSchemas":{"a":%s}`, sub()))}
	}
	return []string{r.pick(`"$ref":"#"`, `"nullable":true`, `"unevaluatedProperties":false`, `"unevaluatedItems":false`, `"$ref":"#/properties/a"`, `"title":"x"`)}
}

// edit changes a schema in one place.
func (r *random) edit(raw string) string {
	var v any
	if json.Unmarshal([]byte(raw), &v) != nil {
		return raw
	}
	v = r.change(v, 3)
	out, err := json.Marshal(v)
	if err != nil {
		return raw
	}
	return string(out)
}

func (r *random) change(v any, depth int) any {
	m, ok := v.(map[string]any)
	if !ok || depth == 0 {
		return v
	}
	if r.IntN(2) == 0 || len(m) == 0 {
		var more map[string]any
		if k := r.keyword(1); len(k) > 0 && json.Unmarshal([]byte("{"+k[0]+"}"), &more) == nil {
			maps.Copy(m, more)
		}
		return m
	}
	i := r.IntN(len(m))
	for _, name := range sortedKeys(m) {
		if i--; i >= 0 {
			continue
		}
		if r.IntN(3) == 0 || name == "const" {
			delete(m, name)
		} else {
			m[name] = r.change(m[name], depth-1)
		}
		break
	}
	return m
}

func TestRandomSchemas(t *testing.T) {
	counts := map[compat.Answer]int{}
	disagree := 0
	for seed := range fromEnv("MCPGEN_ROUNDS", 300) {
		r := &random{Rand: rand.New(rand.NewPCG(uint64(seed), uint64(fromEnv("MCPGEN_SEED", 0))))}
		left := r.schema(3)
		right := r.schema(3)
		if seed%4 != 0 {
			right = r.edit(left)
		}
		a, err := jsonschema.Parse(json.RawMessage(left))
		if err != nil {
			continue
		}
		b, err := jsonschema.Parse(json.RawMessage(right))
		if err != nil {
			continue
		}
		for range 2 {
			v := compat.Check(t.Context(), a, b, nil)
			counts[v.Answer]++
			attackVerdict(t, a, b, v, 100)
			if v.Answer == compat.NotContained && !strings.Contains(left+right, "$ref") {
				if agrees, sure := secondValidator(a, b, v.Witness); sure && !agrees && !strings.Contains(left+right, "nullable") {
					disagree++
					t.Logf("second validator: %s\n%s\n%s", left, right, v.Witness)
				}
			}
			a, b = b, a
		}
	}
	t.Logf("%v, %d witnesses that the second validator does not see", counts, disagree)
}
