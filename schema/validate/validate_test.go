package validate_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

const draft = `"$schema":"http://json-schema.org/draft-`

func mustCompile(t testing.TB, raw string) *validate.Schema {
	t.Helper()
	s, err := validate.New(json.RawMessage(raw))
	if err != nil {
		t.Fatalf("%.300s: %v", raw, err)
	}
	return s
}

// Each schema with values that fit and values that do not.
func TestKeywords(t *testing.T) {
	for _, c := range []struct {
		name, schema string
		fit, unfit   []string
	}{
		{"true", `true`, []string{"1", "null"}, nil},
		{"false", `false`, nil, []string{"1", "null"}},
		{"anything", `{}`, []string{"1", "null", "{}"}, nil},
		{"exact numbers", `{"maximum":9007199254740992}`, []string{"9007199254740992"}, []string{"9007199254740993", "1e300"}},
		{"integers", `{"type":"integer"}`, []string{"1.0", "1e3", "9223372036854775808"}, []string{"1.5", `"1"`}},
		{"decimal multiples", `{"multipleOf":0.01}`, []string{"1.1", "0.07"}, []string{"1.111"}},
		{"equal numbers", `{"enum":[1,2.50]}`, []string{"1.0", "2.5", "25e-1"}, []string{"1.5"}},
		{"format is an annotation", `{"format":"uuid","contentEncoding":"base64"}`, []string{`"x"`, "5"}, nil},
		{"format of draft 07 too", `{` + draft + `07/schema#","format":"ipv4"}`, []string{`"x"`}, nil},
		{"draft 04 bounds", `{` + draft + `04/schema#","minimum":1,"exclusiveMinimum":true,"maximum":3,"exclusiveMaximum":false}`, []string{"2", "3"}, []string{"1", "4"}},
		{"boolean bounds anywhere", `{"minimum":1,"exclusiveMinimum":true}`, []string{"2"}, []string{"1"}},
		{"draft 04 has no const", `{` + draft + `04/schema#","const":1}`, []string{"2"}, nil},
		{"draft 06 has no if", `{` + draft + `06/schema#","if":true,"then":false}`, []string{"2"}, nil},
		{"draft 07 has no dependentRequired", `{` + draft + `07/schema#","dependentRequired":{"a":["b"]},"dependencies":{"c":["d"]}}`, []string{`{"a":1}`, `{"c":1,"d":1}`}, []string{`{"c":1}`}},
		{"draft 07 has no unevaluatedProperties", `{` + draft + `07/schema#","unevaluatedProperties":false}`, []string{`{"a":1}`}, nil},
		{"draft 07 ignores what stands beside a reference", `{` + draft + `07/schema#","definitions":{"s":{"type":"string"}},"properties":{"a":{"$ref":"#/definitions/s","maxLength":1}}}`, []string{`{"a":"long"}`}, []string{`{"a":1}`}},
		{"2020-12 does not", `{"$defs":{"s":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/s","maxLength":1}}}`, []string{`{"a":"x"}`}, []string{`{"a":"long"}`, `{"a":1}`}},
		{"beside references of references", `{"$defs":{"s":{"type":"string"},"t":{"$ref":"#/$defs/s","minLength":2}},"$ref":"#/$defs/t"}`, []string{`"ab"`}, []string{`"a"`, "1"}},
		{"tuples of draft 07", `{` + draft + `07/schema#","items":[{"type":"string"}],"additionalItems":false}`, []string{`["a"]`, "[]"}, []string{"[1]", `["a",1]`}},
		{"tuples without a draft", `{"items":[{"type":"string"}],"additionalItems":{"type":"null"}}`, []string{`["a",null]`}, []string{"[1]", `["a",1]`}},
		{"draft 07 has no prefixItems", `{` + draft + `07/schema#","prefixItems":[false],"items":{"type":"string"}}`, []string{`["a"]`}, []string{"[1]"}},
		{"dependencies", `{"dependencies":{"a":["b"],"c":{"required":["d"]}}}`, []string{`{"a":1,"b":1}`, `{"c":1,"d":1}`}, []string{`{"a":1}`, `{"c":1}`}},
		{"nullable", `{"type":"string","nullable":true}`, []string{"null", `"a"`}, []string{"1"}},
		{"nullable enum", `{"type":"string","enum":["a"],"nullable":true}`, []string{"null", `"a"`}, []string{`"b"`}},
		{"recursion", `{"type":"object","properties":{"next":{"$ref":"#"}}}`, []string{`{"next":{"next":{}}}`}, []string{`{"next":{"next":1}}`}},
		{"$recursiveRef", `{"$schema":"https://json-schema.org/draft/2019-09/schema","type":"object","properties":{"next":{"$recursiveRef":"#"}}}`, []string{`{"next":{}}`}, []string{`{"next":1}`}},
		{"$dynamicRef", `{"$dynamicAnchor":"n","type":"object","properties":{"next":{"$dynamicRef":"#n"}}}`, []string{`{"next":{}}`}, []string{`{"next":1}`}},
		{"anchors and ids", `{"$id":"https://example.com/a","$defs":{"x":{"$id":"b","$anchor":"y","type":"string"}},"properties":{"p":{"$ref":"https://example.com/b#y"},"q":{"$ref":"b"}}}`, []string{`{"p":"","q":""}`}, []string{`{"p":1}`, `{"q":1}`}},
		{"references by path", `{"properties":{"a/b":{"items":{"type":"string"}},"c":{"$ref":"#/properties/a~1b/items"},"d":{"$ref":"#/components/schemas/D"}},"components":{"schemas":{"D":{"type":"null"}}}}`, []string{`{"c":"","d":null}`}, []string{`{"c":1}`, `{"d":1}`}},
		{"unevaluated beside references", `{"$defs":{"a":{"properties":{"a":true}}},"$ref":"#/$defs/a","unevaluatedProperties":false}`, []string{`{"a":1}`}, []string{`{"b":1}`}},
		{"unevaluated items", `{"prefixItems":[true],"contains":{"type":"string"},"unevaluatedItems":false}`, []string{`[1,"a"]`}, []string{`[1,"a",2]`}},
		{"contains", `{"contains":{"const":1},"minContains":2,"maxContains":3}`, []string{"[1,1]", "[1,1,1,2]"}, []string{"[1]", "[1,1,1,1]"}},
		{"lengths count characters", `{"minLength":2,"maxLength":2}`, []string{`"ab"`, `"😀😀"`}, []string{`"a"`, `"abc"`}},
		{"counts with a fraction of none", `{"minLength":2.0,"maxLength":1e1}`, []string{`"ab"`}, []string{`"a"`, `"aaaaaaaaaaa"`}},
		{"unique items", `{"uniqueItems":true}`, []string{"[1,true,\"1\"]"}, []string{"[1,1.0]", `[{"a":1,"b":2},{"b":2,"a":1}]`}},
		{"names", `{"propertyNames":{"maxLength":1}}`, []string{`{"a":1}`}, []string{`{"ab":1}`}},
		{"ECMA escapes", `{"pattern":"^\\u0041\\cJ\\s\\/\\u{1F600}$"}`, []string{`"A\n\u00a0/😀"`}, []string{`"A\n/😀"`}},
		{"ECMA classes", `{"pattern":"^[\\s\\d-]+$"}`, []string{`"\ufeff1-"`}, []string{`"a"`}},
		{"the last of two members counts", `{"properties":{"a":{"type":"string"}}}`, []string{`{"a":1,"a":"x"}`}, []string{`{"a":"x","a":1}`}},
		{"a metaschema", `{"properties":{"s":{"$ref":"http://json-schema.org/draft-07/schema#"},"t":{"$ref":"https://json-schema.org/draft/2020-12/schema"}}}`, []string{`{"s":{"type":"object","properties":{"a":true}},"t":{"$defs":{"a":{"type":["null"]}}}}`, `{"t":false}`, `{"t":{"pattern":"^(?=a)"}}`}, []string{`{"s":{"properties":{"a":{"type":"text"}}}}`, `{"t":{"minLength":-1}}`, `{"t":1}`}},
		{"names that are odd", `{"properties":{"":{"type":"null"},"~/%":{"type":"null"}},"additionalProperties":false}`, []string{`{"":null,"~/%":null}`}, []string{`{"":1}`, `{"~/%":1}`, `{"x":1}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := mustCompile(t, c.schema)
			if p := s.Problems(); len(p) > 0 {
				t.Errorf("problems: %v", p)
			}
			wantVerdicts(t, s, c.fit, c.unfit)
		})
	}
}

// wantVerdicts fails for a value of fit that does not fit, and for one of unfit that does.
func wantVerdicts(t *testing.T, s *validate.Schema, fit, unfit []string) {
	t.Helper()
	for _, v := range fit {
		if err := s.Validate(json.RawMessage(v)); err != nil {
			t.Errorf("%.300s: got %v, want that it fits", v, err)
		}
	}
	for _, v := range unfit {
		if _, ok := errors.AsType[validate.Errors](s.Validate(json.RawMessage(v))); !ok {
			t.Errorf("%.300s fits, want that it does not", v)
		}
	}
}

// What is broken, or cannot be checked, makes a schema looser and is reported;
// what can be checked is.
func TestLooser(t *testing.T) {
	for _, c := range []struct {
		name, schema, problem string
		fit, unfit            []string
	}{
		{"a keyword of the wrong type", `{"type":5,"maxLength":3}`, "type", []string{"1", `"abc"`}, []string{`"abcd"`}},
		{"an unknown type", `{"type":["string","file"],"maxLength":3}`, "file", []string{"1"}, []string{`"abcd"`}},
		{"counts that are none", `{"minLength":-1,"maxLength":2.5,"minItems":"x","maxItems":1}`, "minLength", []string{`"abcd"`}, []string{"[1,2]"}},
		{"multiples of nothing", `{"multipleOf":0,"maximum":3}`, "multipleOf", []string{"1.5"}, []string{"4"}},
		{"empty unions", `{"anyOf":[],"type":"string"}`, "anyOf", []string{`""`}, []string{"1"}},
		{"a reference to nothing", `{"properties":{"a":{"$ref":"#/$defs/none"},"b":{"type":"string"}}}`, "#/$defs/none", []string{`{"a":1}`}, []string{`{"b":1}`}},
		{"a circle of references", `{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"properties":{"a":{"$ref":"#/$defs/a"},"b":{"type":"string"}}}`, "itself", []string{`{"a":1}`}, []string{`{"b":1}`}},
		{"a circle of unions", `{"anyOf":[{"$ref":"#"},{"type":"string"}],"maxLength":1}`, "itself", []string{"1", `"a"`}, []string{`"ab"`}},
		{"look-ahead", `{"pattern":"^(?!admin)[a-z]+$"}`, "look around", []string{`"user"`}, []string{`"U"`}},
		{"look-behind in a class", `{"pattern":"^[(?!]+(?<=(a|[)]))b$"}`, "look around", []string{`"(b"`}, []string{`"b"`}},
		{"back-reference", `{"pattern":"^(a)\\1$","maxLength":3}`, "RE2", []string{`"b"`}, []string{`"long"`}},
		{"a pattern that is too large", `{"pattern":"(` + strings.Repeat("b", 1000) + `){100}","maxLength":3}`, "too large", []string{`"b"`}, []string{`"long"`}},
		{"names by such a pattern", `{"patternProperties":{"^(?!a)":{"type":"string"}},"additionalProperties":false,"maxProperties":1}`, "RE2", []string{`{"b":1}`}, []string{`{"a":1,"b":1}`}},
		{"not a pattern", `{"not":{"pattern":"(?=a)"},"type":"string"}`, "/not", []string{`"a"`}, []string{"1"}},
		{"not a broken type", `{"not":{"properties":{"a":{"type":"file"}}},"type":"object"}`, "/not", []string{`{"a":1}`, "{}"}, []string{"1"}},
		{"if it cannot be told", `{"if":{"$ref":"#/none"},"then":false,"type":"string"}`, "/if", []string{`"a"`}, []string{"1"}},
		{"only one", `{"oneOf":[{"pattern":"(?=a)"},{"type":"string"}]}`, "/oneOf", []string{`"a"`}, nil},
		{"counted", `{"contains":{"$ref":"#/none"},"maxContains":1}`, "/maxContains", []string{"[1,2]"}, []string{"[]"}},
		{"unevaluated", `{"allOf":[{"$ref":"#/none"}],"unevaluatedProperties":false,"type":"object"}`, "unevaluated", []string{`{"a":1}`}, []string{"1"}},
		{"another dialect", `{"$schema":"https://example.com/mine","type":"string"}`, "example.com", []string{`""`}, []string{"1"}},
		{"a long number", `{"maximum":1e99999,"minimum":` + strings.Repeat("1", 5000) + `,"type":"number"}`, "too long", []string{"1"}, []string{`""`}},
		{"two anchors of one name", `{"$defs":{"a":{"$dynamicAnchor":"x"},"b":{"$dynamicAnchor":"x"}},"properties":{"p":{"$dynamicRef":"#x"}},"type":"object"}`, "#x", []string{`{"p":1}`}, []string{"1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := mustCompile(t, c.schema)
			if p := fmt.Sprint(s.Problems()); !strings.Contains(p, c.problem) {
				t.Errorf("%q is not among the problems %s", c.problem, p)
			}
			wantVerdicts(t, s, c.fit, c.unfit)
		})
	}
}

func TestRefused(t *testing.T) {
	var wide, chain []string
	for i := range validate.MaxSubschemas {
		wide = append(wide, fmt.Sprintf(`"p%d":{"type":"string"}`, i))
	}
	for i := range validate.MaxInPlace + 1 {
		chain = append(chain, fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"}`, i, i+1))
	}
	for name, c := range map[string]struct{ schema, want string }{
		"no JSON":             {`{`, "JSON"},
		"another document":    {`{"properties":{"a":{"$ref":"https://example.com/b.json"}}}`, "not fetched"},
		"in a metaschema":     {`{"$ref":"http://json-schema.org/draft-07/schema#/definitions/schemaArray"}`, "only the whole is known"},
		"a file":              {`{"$ref":"file:///etc/passwd"}`, "not fetched"},
		"a relative document": {`{"$ref":"other.json#/a"}`, "not fetched"},
		"too many schemas":    {`{"properties":{` + strings.Join(wide, ",") + `}}`, "subschemas"},
		"too long a chain":    {`{"$ref":"#/$defs/d0","$defs":{` + strings.Join(chain, ",") + `}}`, "apply to one value"},
		"too deep":            {strings.Repeat(`{"not":`, 200) + "{}" + strings.Repeat("}", 200), "deep"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := validate.New(json.RawMessage(c.schema))
			if e, ok := errors.AsType[*schema.Error](err); !ok || !strings.Contains(e.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// A part of a schema is compiled without the rest, which may be refused.
func TestOf(t *testing.T) {
	doc, err := jsonschema.Parse(json.RawMessage(`{"properties":{"a":{"$ref":"#/$defs/s"},"b":{"$ref":"https://example.com"}},"$defs":{"s":{"type":"string"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := validate.Of(doc, doc.Lookup("/properties/a"))
	if err != nil {
		t.Fatal(err)
	}
	wantVerdicts(t, s, []string{`"a"`}, []string{"1"})
	if _, err := validate.Of(doc, nil); err == nil {
		t.Error("a root with a reference to another document is compiled, want an error")
	}
}

// Beyond the bounds nothing is known.
func TestUnchecked(t *testing.T) {
	anything := mustCompile(t, `{"items":{"$ref":"#"}}`)
	branching := mustCompile(t, `{"anyOf":[{"items":{"$ref":"#"},"contains":{"const":1}},{"items":{"$ref":"#"},"maxItems":0},{"items":{"$ref":"#"}}]}`)
	pattern := mustCompile(t, `{"items":{"pattern":"(x+x{9}x+){50}y"}}`)
	for name, c := range map[string]struct {
		schema *validate.Schema
		value  string
	}{
		"deep":           {anything, strings.Repeat("[", validate.MaxDepth+1) + strings.Repeat("]", validate.MaxDepth+1)},
		"many":           {anything, "[" + strings.Repeat("1,", validate.MaxValues) + "1]"},
		"exponent":       {anything, "1e5000"},
		"small exponent": {anything, "1e-99999999999999999999"},
		"digits":         {anything, strings.Repeat("1", validate.MaxNumber+1)},
		"branching":      {branching, strings.Repeat("[", 40) + strings.Repeat("]", 40)},
		"slow pattern":   {pattern, `["` + strings.Repeat("x", 100_000) + `"]`},
	} {
		if err := c.schema.Validate(json.RawMessage(c.value)); !errors.Is(err, validate.ErrUnchecked) {
			t.Errorf("%s: got %.300v, want %v", name, err, validate.ErrUnchecked)
		}
	}
	deepest := strings.Repeat("[", validate.MaxDepth) + strings.Repeat("]", validate.MaxDepth)
	wantVerdicts(t, anything, []string{deepest, "1e4096", "[1,2]"}, []string{"", "{", "[1,]", "1 2", `"`, "nul", "1e", "--1"})
	wantVerdicts(t, branching, []string{"[[]]"}, nil) // what was spent is there again
}

// What a value may cost grows with its size: a few bytes that a schema leads through in
// circles end soon.
func TestStepsGrowWithTheValue(t *testing.T) {
	circles := mustCompile(t, `{"anyOf":[{"properties":{"a":{"$ref":"#"}},"required":["x"]},{"properties":{"a":{"$ref":"#"}},"required":["y"]}]}`)
	value := strings.Repeat(`{"a":`, 22) + "1" + strings.Repeat("}", 22)
	steps, err := circles.Measure(json.RawMessage(value))
	if !errors.Is(err, validate.ErrUnchecked) || steps > 60_000 {
		t.Errorf("%d bytes take %d steps: %v", len(value), steps, err)
	}
	// A large value that is led through once is checked whole.
	tree := mustCompile(t, `{"type":"object","properties":{"c":{"type":"array","items":{"anyOf":[{"$ref":"#"},{"type":"integer"}]}}}}`)
	large := `{"c":[` + strings.Repeat(`{"c":[1,2,3]},`, 20_000) + `1]}`
	if err := tree.Validate(json.RawMessage(large)); err != nil {
		t.Errorf("a value of %d bytes: %v", len(large), err)
	}
}

func TestConcurrent(t *testing.T) {
	s := mustCompile(t, `{"type":"object","properties":{"n":{"$ref":"#"},"s":{"type":"string","pattern":"^a+$"}},"required":["s"]}`)
	var group sync.WaitGroup
	for range 32 {
		group.Go(func() {
			for range 50 {
				if err := s.Validate(json.RawMessage(`{"s":"aa","n":{"s":"a"}}`)); err != nil {
					t.Error(err)
				}
				if err := s.Validate(json.RawMessage(`{"s":"aa","n":{"s":"b"}}`)); err == nil {
					t.Error("a value that breaks the pattern fits, want an error")
				}
			}
		})
	}
	group.Wait()
}

// The scope of a dynamic reference decides what it leads to.
func TestDynamicScope(t *testing.T) {
	const list = `"list":{"$id":"list","type":"array","items":{"$dynamicRef":"#T"},"$defs":{"T":{"$dynamicAnchor":"T","not":{}}}}`
	const tree = `"tree":{"$id":"tree","$dynamicAnchor":"node","type":"object","properties":{"children":{"type":"array","items":{"$dynamicRef":"#node"}}}}`
	for _, c := range []struct {
		name, schema string
		fit, unfit   []string
	}{
		{
			"two uses of a generic", `{"properties":{"n":{"$ref":"numbers"},"s":{"$ref":"texts"},"l":{"$ref":"list"}},"$defs":{` + list + `,
				"numbers":{"$id":"numbers","$ref":"list","$defs":{"T":{"$dynamicAnchor":"T","type":"number"}}},
				"texts":{"$id":"texts","$ref":"list","$defs":{"T":{"$dynamicAnchor":"T","type":"string"}}}}}`,
			[]string{`{"n":[1],"s":["a"],"l":[]}`}, []string{`{"n":["a"]}`, `{"s":[1]}`, `{"l":[1]}`},
		},
		{
			"an extended tree", `{"$id":"strict","$dynamicAnchor":"node","$ref":"tree","required":["name"],"$defs":{` + tree + `}}`,
			[]string{`{"name":1,"children":[{"name":1}]}`}, []string{`{"name":1,"children":[{}]}`},
		},
		{
			"beside a reference", `{"properties":{"a":{"$ref":"#/$defs/t","$dynamicRef":"#T"}},"$defs":{"t":{"type":"string"},"T":{"$dynamicAnchor":"T","minLength":2}}}`,
			[]string{`{"a":"ab"}`}, []string{`{"a":"a"}`, `{"a":11}`},
		},
		{
			"an $anchor is not dynamic", `{"$id":"https://e.org/root","$ref":"list","$defs":{"foo":{"$dynamicAnchor":"T","type":"string"},
				"list":{"$id":"list","type":"array","items":{"$dynamicRef":"#T"},"$defs":{"T":{"$anchor":"T"}}}}}`,
			[]string{`["a",1]`}, []string{`1`},
		},
		{
			"recursive references", `{"$schema":"https://json-schema.org/draft/2019-09/schema","$id":"https://e.org/strict","$recursiveAnchor":true,"$ref":"tree","required":["name"],"$defs":{
				"tree":{"$id":"tree","$recursiveAnchor":true,"type":"object","properties":{"child":{"$recursiveRef":"#"}}}}}`,
			[]string{`{"name":1,"child":{"name":1}}`}, []string{`{"name":1,"child":{}}`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := mustCompile(t, c.schema)
			if p := s.Problems(); len(p) > 0 {
				t.Errorf("problems: %s", p)
			}
			wantVerdicts(t, s, c.fit, c.unfit)
		})
	}
}
