package compat_test

// Edits of known direction at random places of real schemas: the narrower one is
// contained in the wider one, and the wider one is not in the narrower one. The
// table says how often that is found out.

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema/compat"
)

// edit gives a schema two forms of one keyword.
type edit struct {
	keyword      string
	kind         string // type of the schemas that it is made in; "" is any
	wide, narrow string // members that are set; null removes one
}

var edits = []edit{
	{"type", "string", `{"type":["string","null"],"enum":null}`, `{"enum":null}`},
	{"type", "integer", `{"type":"number","multipleOf":null,"enum":null}`, `{"multipleOf":null,"enum":null}`},
	{"nullable", "", `{"nullable":true}`, `{}`},
	{"enum", "string", `{"enum":["a","b","zz"],"pattern":null,"format":null}`, `{"enum":["a","b"],"pattern":null}`},
	{"const", "string", `{"enum":null,"const":null}`, `{"enum":null,"const":"some text"}`},
	{"minimum", "number", `{"minimum":1,"maximum":null}`, `{"minimum":2,"maximum":null}`},
	{"maximum", "number", `{"minimum":null,"maximum":100}`, `{"minimum":null,"maximum":99}`},
	{"exclusiveMinimum", "number", `{"minimum":0,"maximum":null}`, `{"exclusiveMinimum":0,"minimum":null,"maximum":null}`},
	{"exclusiveMaximum", "number", `{"minimum":null,"maximum":7}`, `{"exclusiveMaximum":7,"minimum":null,"maximum":null}`},
	{"multipleOf", "number", `{"multipleOf":3,"minimum":null,"maximum":null,"enum":null}`, `{"multipleOf":6,"minimum":null,"maximum":null,"enum":null}`},
	{"minLength", "string", `{"minLength":null,"enum":null,"pattern":null}`, `{"minLength":1,"enum":null,"pattern":null}`},
	{"maxLength", "string", `{"maxLength":64,"minLength":null,"enum":null,"pattern":null}`, `{"maxLength":63,"minLength":null,"enum":null,"pattern":null}`},
	{"pattern", "string", `{"pattern":"[a-z]","enum":null}`, `{"pattern":"^[a-z]+$","enum":null}`},
	{"required", "object", `{"required":null,"additionalProperties":null}`, `{"required":["a_new_one"],"additionalProperties":null}`},
	{"properties", "object", `{"properties":{"a":{"type":["integer","string"]}},"required":null}`, `{"properties":{"a":{"type":"string"}},"required":null}`},
	{"additionalProperties", "object", `{"additionalProperties":null}`, `{"additionalProperties":false}`},
	{"additionalProperties", "object", `{"additionalProperties":{"type":["string","integer"]}}`, `{"additionalProperties":{"type":"string"}}`},
	{"patternProperties", "object", `{"patternProperties":{"^x-":{"minLength":1}},"additionalProperties":null}`, `{"patternProperties":{"^x":{"minLength":2}},"additionalProperties":null}`},
	{"propertyNames", "object", `{"additionalProperties":null}`, `{"propertyNames":{"pattern":"^[A-Za-z_]+$"},"additionalProperties":null}`},
	{"minProperties", "object", `{"required":null}`, `{"minProperties":1,"required":null}`},
	{"maxProperties", "object", `{"maxProperties":200,"additionalProperties":null}`, `{"maxProperties":199,"additionalProperties":null}`},
	{"dependentRequired", "object", `{"additionalProperties":null,"required":null}`, `{"dependentRequired":{"a_new_one":["another_one"]},"additionalProperties":null,"required":null}`},
	{"dependentSchemas", "object", `{"additionalProperties":null}`, `{"dependentSchemas":{"a_new_one":{"required":["another_one"]}},"additionalProperties":null}`},
	{"items", "array", `{"items":{"type":["string","integer"]}}`, `{"items":{"type":"string"}}`},
	{"prefixItems", "array", `{"items":null,"minItems":null}`, `{"items":null,"minItems":null,"prefixItems":[{"type":"string"}]}`},
	{"minItems", "array", `{"minItems":null,"maxItems":null}`, `{"minItems":1,"maxItems":null}`},
	{"maxItems", "array", `{"maxItems":5}`, `{"maxItems":4}`},
	{"uniqueItems", "array", `{"uniqueItems":null,"maxItems":null}`, `{"uniqueItems":true,"maxItems":null}`},
	{"contains", "array", `{"items":null,"minItems":null,"maxItems":null}`, `{"contains":{"type":"string"},"items":null,"minItems":null,"maxItems":null}`},
	{"minContains", "array", `{"contains":{"type":"string"},"items":null,"minItems":null,"maxItems":null}`, `{"contains":{"type":"string"},"minContains":2,"items":null,"minItems":null,"maxItems":null}`},
	{"maxContains", "array", `{"contains":{"type":"string"},"maxContains":3,"items":null,"minItems":null,"maxItems":null}`, `{"contains":{"type":"string"},"maxContains":2,"items":null,"minItems":null,"maxItems":null}`},
	{"unevaluatedProperties", "object", `{"additionalProperties":null}`, `{"additionalProperties":null,"unevaluatedProperties":false}`},
	{"unevaluatedItems", "array", `{"prefixItems":[{"type":"string"}],"items":null,"minItems":null,"maxItems":null}`, `{"prefixItems":[{"type":"string"}],"unevaluatedItems":false,"items":null,"minItems":null,"maxItems":null}`},
	{"anyOf", "", `{"anyOf":[{"type":"object"},{"type":"array"},{"type":"string"},{"type":"number"},{"type":"boolean"}]}`, `{"anyOf":[{"type":"array","maxItems":0},{"type":"string","maxLength":0},{"type":"null"},{"type":"object","maxProperties":0}]}`},
	{"oneOf", "string", `{"enum":null,"pattern":null,"minLength":null,"maxLength":null,"oneOf":[{"minLength":5},{"maxLength":3}]}`, `{"enum":null,"pattern":null,"minLength":null,"maxLength":null,"oneOf":[{"minLength":6},{"maxLength":3}]}`},
	{"allOf", "string", `{"enum":null,"pattern":null,"minLength":null,"maxLength":null,"allOf":[{"maxLength":40}]}`, `{"enum":null,"pattern":null,"minLength":null,"maxLength":null,"allOf":[{"maxLength":40},{"minLength":3}]}`},
	{"not", "string", `{"enum":null,"pattern":null,"minLength":null,"maxLength":null,"not":{"const":"never"}}`, `{"enum":null,"pattern":null,"minLength":null,"maxLength":null,"not":{"enum":["never","no"]}}`},
	{"if", "string", `{"enum":null,"pattern":null,"minLength":null,"maxLength":null,"if":{"minLength":3},"then":{"pattern":"a"}}`, `{"enum":null,"pattern":null,"minLength":null,"maxLength":null,"if":{"minLength":2},"then":{"pattern":"^a"}}`},
	{"$ref", "string", `{"$ref":"#/$defs/wide_new_one","enum":null,"pattern":null,"minLength":null,"maxLength":null}`, `{"$ref":"#/$defs/narrow_new_one","enum":null,"pattern":null,"minLength":null,"maxLength":null}`},
}

// fromEnv returns a number that an environment variable may set, to test more
// than every day: MCPGEN_EDITS of a keyword, MCPGEN_ROUNDS from MCPGEN_SEED on.
func fromEnv(name string, usual int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return usual
}

// realSchemas returns the schemas of the tools of real servers.
func realSchemas(t testing.TB) []json.RawMessage {
	t.Helper()
	files, err := filepath.Glob("../../golden/corpus/servers/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no servers: %v", err)
	}
	var all []json.RawMessage
	for _, file := range files {
		var server struct{ Tools []definition }
		readJSON(t, file, &server)
		for _, d := range server.Tools {
			for _, raw := range []json.RawMessage{d.InputSchema, d.OutputSchema} {
				if len(raw) > 0 && len(raw) < 20_000 && string(raw) != "null" {
					all = append(all, raw)
				}
			}
		}
	}
	return all
}

// schemasOfType returns the schemas of one type in a schema, where narrower is narrower
// for the whole.
func schemasOfType(m map[string]any, kind string, into []map[string]any) []map[string]any {
	if s, _ := m["type"].(string); kind == "" && m["$ref"] == nil && m["anyOf"] == nil && m["enum"] == nil && m["const"] == nil || s == kind || kind == "number" && s == "integer" {
		if m["$ref"] == nil && m["const"] == nil && m["anyOf"] == nil && m["oneOf"] == nil && m["not"] == nil {
			into = append(into, m)
		}
	}
	for _, key := range []string{"properties", "items", "additionalProperties", "anyOf", "allOf"} {
		switch v := m[key].(type) {
		case map[string]any:
			if key != "properties" {
				into = schemasOfType(v, kind, into)
				continue
			}
			for _, name := range sortedKeys(v) {
				if p, ok := v[name].(map[string]any); ok {
					into = schemasOfType(p, kind, into)
				}
			}
		case []any:
			for _, branch := range v {
				if p, ok := branch.(map[string]any); ok && key == "allOf" {
					into = schemasOfType(p, kind, into)
				}
			}
		}
	}
	return into
}

// made returns a schema with an edit at the place of that number; nil if it
// has none.
func (e edit) made(t testing.TB, raw json.RawMessage, at int, members string) json.RawMessage {
	t.Helper()
	var root, set map[string]any
	if json.Unmarshal(raw, &root) != nil || json.Unmarshal([]byte(members), &set) != nil {
		t.Fatalf("want two objects, got %s and %s", raw, members)
	}
	all := schemasOfType(root, e.kind, nil)
	if len(all) == 0 {
		return nil
	}
	place := all[at%len(all)]
	for name, value := range set {
		if value == nil {
			delete(place, name)
		} else {
			place[name] = value
		}
	}
	if e.keyword == "$ref" {
		defs, _ := root["$defs"].(map[string]any)
		if defs == nil {
			defs = map[string]any{}
		}
		defs["wide_new_one"] = map[string]any{"type": "string"}
		defs["narrow_new_one"] = map[string]any{"type": "string", "minLength": 4}
		root["$defs"] = defs
	}
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	out, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEdits(t *testing.T) {
	schemas := realSchemas(t)
	table := map[string]*[2][3]int{}
	for i, e := range edits {
		if table[e.keyword] == nil {
			table[e.keyword] = &[2][3]int{}
		}
		r := rand.New(rand.NewPCG(uint64(i), 1))
		most := fromEnv("MCPGEN_EDITS", 12)
		for made, tried := 0, 0; made < most && tried < 50*most; tried++ {
			raw, at := schemas[r.IntN(len(schemas))], r.IntN(1000)
			narrow, wide := e.made(t, raw, at, e.narrow), e.made(t, raw, at, e.wide)
			if narrow == nil {
				continue
			}
			a, b := parseDocument(t, narrow), parseDocument(t, wide)
			if compat.Nothing(t.Context(), a, b, nil) != nil {
				continue // the edit contradicts what stands there
			}
			made++
			up, down := compat.Check(t.Context(), a, b, nil), compat.Check(t.Context(), b, a, nil)
			table[e.keyword][0][up.Answer]++
			table[e.keyword][1][down.Answer]++
			attackVerdict(t, a, b, up, 40)
			attackVerdict(t, b, a, down, 40)
			if up.Answer != compat.Contained {
				t.Errorf("%s: %v at %q: %s %s\n  narrow %s\n  wide %s\nwant\n%v", e.keyword, up.Answer, up.Pointer, up.Reason, up.Witness, narrow, wide, compat.Contained)
			}
			if down.Answer == compat.Contained {
				t.Errorf("%s: wide is called contained in narrow: %s\n  narrow %s\n  wide %s", e.keyword, down.Reason, narrow, wide)
			}
			if down.Answer == compat.Unknown {
				t.Logf("%s: %q %s\n  narrow %s\n  wide %s", e.keyword, down.Pointer, down.Reason, narrow, wide)
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-22s %30s   %30s\n%-22s %s   %s\n", "", "narrow in wide", "wide in narrow", "keyword", "unknown contained not", "unknown contained not")
	names := sortedKeys(table)
	for _, name := range names {
		cell := table[name]
		fmt.Fprintf(&b, "%-22s %7d %9d %3d   %7d %9d %3d\n", name, cell[0][0], cell[0][1], cell[0][2], cell[1][0], cell[1][1], cell[1][2])
	}
	t.Log(b.String())
}

func sortedKeys[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
