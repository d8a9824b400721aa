package sample

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

func sampleValues(t testing.TB, raw string, opts *Options) []string {
	t.Helper()
	var all []string
	for v := range Values(parseDocument(t, json.RawMessage(raw)), nil, opts) {
		all = append(all, string(v))
	}
	return all
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		name, schema string
		want         []string // all of them, among others
	}{
		{"true", `true`, []string{`"text"`, "null", "true", "{}", "[]", "9007199254740993"}},
		{"false", `false`, nil},
		{"const", `{"const":{"a":[1,null]}}`, []string{`{"a":[1,null]}`}},
		{"enum", `{"enum":["a",1,null]}`, []string{`"a"`, "1", "null"}},
		{"enum with types", `{"type":["string","null"],"enum":["a",1,null]}`, []string{`"a"`, "null"}},
		{"two enums", `{"allOf":[{"enum":[1,2]},{"enum":[2,3]}]}`, []string{"2"}},
		{"nullable", `{"type":"string","nullable":true}`, []string{`"text"`, `""`, "null"}},
		{"integer", `{"type":"integer"}`, []string{"1", "0", "-1", "9007199254740993", "-9007199254740993", "9223372036854775807"}},
		{"bounds", `{"type":"integer","minimum":5,"exclusiveMaximum":9}`, []string{"5", "6", "8", "7"}},
		{"huge bounds", `{"type":"integer","minimum":9007199254740993,"maximum":9007199254740994}`, []string{"9007199254740993", "9007199254740994"}},
		{"fractions", `{"type":"number","minimum":0.1,"maximum":0.2}`, []string{"0.1", "0.2", "0.15"}},
		{"multiple", `{"type":"number","multipleOf":0.25,"minimum":1}`, []string{"1", "1.25"}},
		{"draft 04 bounds", `{"$schema":"http://json-schema.org/draft-04/schema#","type":"integer","minimum":3,"exclusiveMinimum":true,"maximum":5}`, []string{"4", "5"}},
		{"lengths", `{"type":"string","minLength":2,"maxLength":4}`, []string{`"ab"`, `"abc"`, `"abcd"`, `"text"`}},
		{"pattern", `{"type":"string","pattern":"^(foo|ba[rz])-\\d{2,}$"}`, []string{`"foo-01"`, `"bar-10"`}},
		{"format", `{"type":"string","format":"uuid"}`, []string{`"123e4567-e89b-42d3-a456-426614174000"`}},
		{"format of templates", `{"type":"string","format":"uri-template"}`, []string{`"https://example.com/{id}"`}},
		{"format of addresses", `{"type":"string","format":"ipv6"}`, []string{`"2001:db8::1"`}},
		{"format of pointers", `{"type":"string","format":"json-pointer"}`, []string{`"/a/b"`, `""`}},
		{"unknown format", `{"type":"string","format":"colour"}`, []string{`"text"`}},
		{"union", `{"oneOf":[{"type":"string"},{"type":"object","properties":{"a":{"const":1}},"required":["a"]},{"type":"array","items":{"type":"boolean"}}]}`,
			[]string{`"text"`, `{"a":1}`, `[true]`, `[]`, `[true,false]`}},
		{"exclusive union", `{"oneOf":[{"type":"integer"},{"type":"number","minimum":10}]}`, []string{"1", "0"}},
		{"required and not", `{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"null"}},"required":["a"]}`,
			[]string{`{"a":true}`, `{"a":true,"b":null}`, `{"a":false}`}},
		{"map", `{"type":"object","additionalProperties":{"type":"integer"},"minProperties":1}`, []string{`{"key":1}`, `{"key":1,"another key":1}`}},
		{"names", `{"type":"object","propertyNames":{"enum":["x","y"]},"additionalProperties":{"const":1},"minProperties":1}`, []string{`{"x":1}`, `{"x":1,"y":1}`}},
		{"names by pattern", `{"type":"object","patternProperties":{"^x-":{"type":"boolean"}},"additionalProperties":false}`, []string{`{"x-":true}`}},
		{"undeclared but required", `{"type":"object","required":["a"]}`, []string{`{"a":"text"}`}},
		{"dependent", `{"type":"object","properties":{"a":{"const":1},"b":{"const":2}},"dependentRequired":{"a":["b"]}}`, []string{"{}", `{"a":1,"b":2}`, `{"b":2}`}},
		{"dependent schema", `{"type":"object","properties":{"a":{"const":1}},"dependentSchemas":{"a":{"properties":{"b":{"const":2}},"required":["b"]}}}`, []string{"{}", `{"a":1,"b":2}`}},
		{"conditional", `{"type":"object","properties":{"k":{"enum":["a","b"]}},"required":["k"],"if":{"properties":{"k":{"const":"a"}}},"then":{"required":["x"]},"else":{"required":["y"]}}`,
			[]string{`{"k":"a","x":"text"}`, `{"k":"b","y":"text"}`}},
		{"not", `{"type":"string","not":{"const":"text"}}`, []string{`""`}},
		{"tuple", `{"type":"array","prefixItems":[{"type":"boolean"},{"enum":["a","b"]}],"items":false,"minItems":2}`, []string{`[true,"a"]`, `[false,"a"]`, `[true,"b"]`}},
		{"tuple of draft 07", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"array","items":[{"type":"boolean"}],"additionalItems":{"const":7}}`, []string{"[true]", "[true,7]", "[]"}},
		{"unique", `{"type":"array","items":{"enum":[1,2,3]},"uniqueItems":true,"minItems":3}`, []string{"[1,2,3]"}},
		{"contains", `{"type":"array","contains":{"const":5},"minContains":1}`, []string{"[5]"}},
		{"counted", `{"type":"array","items":{"const":0},"minItems":2,"maxItems":3}`, []string{"[0,0]", "[0,0,0]"}},
		{"several multiples", `{"allOf":[{"multipleOf":4},{"multipleOf":6},{"multipleOf":10}],"type":"integer","minimum":1}`, []string{"60", "120"}},
		{"multiple of integers", `{"type":"integer","multipleOf":1.5,"minimum":1}`, []string{"3", "6"}},
		{"integer of numbers", `{"allOf":[{"type":"number"},{"type":["integer","string"]}],"maximum":9}`, []string{"1", "9"}},
		{"no common type", `{"allOf":[{"type":"number"},{"type":"string"}]}`, nil},
		{"many members", `{"type":"object","minProperties":4,"additionalProperties":{"const":1}}`, []string{`{"key":1,"another key":1,"key3":1,"key4":1}`}},
		{"unevaluated members", `{"type":"object","minProperties":1,"unevaluatedProperties":{"const":7}}`, []string{`{"key":7}`}},
		{"pattern without a text", `{"type":"string","pattern":"^a{300}$"}`, nil},
		{"pattern of repetitions", `{"type":"string","pattern":"^(?:ab){3}$"}`, []string{`"ababab"`}},
		{"reference to nothing", `{"type":"object","properties":{"a":{"$ref":"#/$defs/none"}}}`, []string{`{}`, `{"a":"text"}`}},
		{"recursion", `{"type":"object","properties":{"next":{"$ref":"#"}}}`, []string{"{}", `{"next":{}}`, `{"next":{"next":{}}}`}},
		{"endless recursion", `{"type":"object","properties":{"next":{"$ref":"#"}},"required":["next"]}`, nil},
		{"a circle", `{"anyOf":[{"$ref":"#"},{"type":"boolean"}]}`, []string{"true", "false"}},
		{"unevaluated", `{"allOf":[{"properties":{"a":{"const":1}},"required":["a"]}],"properties":{"b":{"const":2}},"unevaluatedProperties":false}`, []string{`{"a":1}`, `{"b":2,"a":1}`}},
		{"odd names", `{"type":"object","properties":{"":{"const":1},"a\"\\\u0000":{"const":2}},"required":["","a\"\\\u0000"]}`, []string{`{"":1,"a\"\\\u0000":2}`}},
		{"examples and default", `{"type":"string","examples":["main"],"default":"dev","enum":["dev","main","x"]}`, []string{`"main"`, `"dev"`, `"x"`}},
		{"examples and default that do not fit", `{"type":"integer","examples":["main"],"default":{},"minimum":3}`, []string{"3", "4"}},
		{"nothing fits", `{"type":"integer","minimum":3,"maximum":2}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := sampleValues(t, c.schema, nil)
			for _, want := range c.want {
				if !slices.Contains(got, want) {
					t.Errorf("%s is not among %.600q", want, got)
				}
			}
			if c.want == nil && len(got) > 0 {
				t.Errorf("got %.600q, want none", got)
			}
			wantFitting(t, c.schema, got)
		})
	}
}

// wantFitting fails for values that do not fit and for values that come twice.
func wantFitting(t *testing.T, raw string, got []string) {
	t.Helper()
	s, err := validate.New(json.RawMessage(raw))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, v := range got {
		if err := s.Validate(json.RawMessage(v)); err != nil {
			t.Errorf("got %.300s, want a value that fits: %v", v, err)
		}
		if seen[v] {
			t.Errorf("got %.300s twice, want every value once", v)
		}
		seen[v] = true
	}
}

// However few values are taken, they come from all members and alternatives.
func TestInTurn(t *testing.T) {
	var branches, members []string
	for _, c := range "abcdefghijklmnop" {
		branches = append(branches, `{"type":"object","properties":{"tag":{"const":"`+string(c)+`"},"x":{"type":"integer"},"y":{"type":"string"}},"required":["tag"]}`)
		members = append(members, `"`+string(c)+`":{"type":["string","integer","null"]}`)
	}
	union := strings.Join(sampleValues(t, `{"oneOf":[`+strings.Join(branches, ",")+`]}`, &Options{Max: 16}), "\n")
	object := strings.Join(sampleValues(t, `{"type":"object","properties":{`+strings.Join(members, ",")+`}}`, &Options{Max: 40}), "\n")
	for _, c := range "abcdefghijklmnop" {
		if !strings.Contains(union, `"tag":"`+string(c)+`"`) {
			t.Errorf("no value of branch %c", c)
		}
		if !strings.Contains(object, `{"`+string(c)+`":1}`) {
			t.Errorf("member %c is not varied", c)
		}
	}
}

func TestOptions(t *testing.T) {
	const open = `{"type":"object","properties":{"a":{"type":"string"}}}`
	if got := sampleValues(t, open, &Options{Max: 3}); len(got) != 3 {
		t.Errorf("Max: got %d values, want 3", len(got))
	}
	for _, v := range sampleValues(t, open, &Options{MaxBytes: 12}) {
		if len(v) > 12 {
			t.Errorf("MaxBytes: got %s, want at most 12 bytes", v)
		}
	}
	const undeclared = `{"undeclared":{"list":[1,null,"x"]}}`
	if got := sampleValues(t, open, &Options{Undeclared: true}); !slices.Contains(got, undeclared) {
		t.Errorf("Undeclared: got %q, want %s among them", got, undeclared)
	}
	const closed = `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`
	if got := sampleValues(t, closed, &Options{Undeclared: true}); slices.Contains(got, undeclared) {
		t.Errorf("Undeclared: got %q of a closed object, want no %s", got, undeclared)
	}
}

// The work is counted as it is done, and ends when there is nothing left to spend.
func TestSpend(t *testing.T) {
	const many = `{"type":"object","properties":{"a":{"enum":["x","y","z"]},"b":{"type":"integer"},"c":{"type":"string"}}}`
	for _, c := range []struct {
		name  string
		steps int
		most  int // values
	}{
		{"nothing to spend", 0, 0},
		{"enough", 1 << 30, defaultMax},
	} {
		left, spent := c.steps, 0
		got := sampleValues(t, many, &Options{Spend: func(steps int) bool {
			spent += steps
			left -= steps
			return left > 0
		}})
		if len(got) > c.most || c.most > 0 && len(got) == 0 {
			t.Errorf("%s: got %d values, want up to %d", c.name, len(got), c.most)
		}
		if spent == 0 {
			t.Errorf("%s: no work was counted", c.name)
		}
	}
}

// A schema that is tried with the hints of another tells the two apart.
func TestHints(t *testing.T) {
	for _, c := range []struct{ before, after string }{
		{`{"type":"integer"}`, `{"type":"integer","maximum":4711}`},
		{`{"type":"string"}`, `{"type":"string","maxLength":37}`},
		{`{"type":"string"}`, `{"type":"string","not":{"const":"forbidden"}}`},
		{`{"type":"object"}`, `{"type":"object","properties":{"limit":{"type":"integer"}}}`},
		{`{"type":"object","properties":{"a":{"type":"number"}}}`, `{"type":"object","properties":{"a":{"type":"number","exclusiveMinimum":-12.5}}}`},
	} {
		after, err := validate.New(json.RawMessage(c.after))
		if err != nil {
			t.Fatal(err)
		}
		hints, err := jsonschema.Parse(json.RawMessage(c.after))
		if err != nil {
			t.Fatal(err)
		}
		refused := false
		for _, v := range sampleValues(t, c.before, &Options{Hints: hints}) {
			refused = refused || after.Validate(json.RawMessage(v)) != nil
		}
		if !refused {
			t.Errorf("no value of %s is refused by %s", c.before, c.after)
		}
	}
}

func TestExample(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`{"type":"object","properties":{"owner":{"type":"string","examples":["octo"]},"page":{"type":"number","minimum":1},"state":{"enum":["open","closed"]}},"required":["owner","page","state"]}`,
			`{"owner":"octo","page":1,"state":"open"}`},
		{`{"type":"object","properties":{"a":{"type":"string","default":"main"},"b":{"type":"array","items":{"type":"integer"}}}}`, `{"a":"main","b":[1]}`},
		{`{"type":"object"}`, `{}`},
		{`{"type":"array","items":{"type":"string","format":"date"}}`, `["2024-01-02"]`},
		{`{"type":"object","properties":{"next":{"$ref":"#"},"v":{"type":"integer"}},"required":["v"]}`, `{"v":1}`},
		{`{"type":"object","example":{"a":1},"required":["a"]}`, `{"a":1}`},
		{`{"$id":"ints","$ref":"list","$defs":{"t":{"$dynamicAnchor":"T","type":"integer"},"list":{"$id":"list","type":"array","minItems":1,"items":{"$dynamicRef":"#T"},"$defs":{"t":{"$dynamicAnchor":"T","not":{}}}}}}`, `[1]`},
		{`{}`, `"text"`},
	} {
		got, ok := Example(json.RawMessage(c.schema))
		if !ok || string(got) != c.want {
			t.Errorf("%s: got %s, want %s", c.schema, got, c.want)
		}
	}
	for _, raw := range []string{``, `false`, `{"$ref":"https://example.com/x"}`, `{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}`} {
		if got, ok := Example(json.RawMessage(raw)); ok {
			t.Errorf("%q: got %s, want none", raw, got)
		}
	}
}

// Schemas that grow without a bound give few values, and soon.
func TestHostile(t *testing.T) {
	var wide []string
	for range 2000 {
		wide = append(wide, `{"$ref":"#/$defs/node"}`)
	}
	union := strings.Join(wide[:60], ",")
	for name, raw := range map[string]string{
		"union of unions": `{"$defs":{"node":{"anyOf":[{"type":"object","properties":{"a":{"anyOf":[` + union + `]},"b":{"anyOf":[` + union + `]},"c":{"$ref":"#"}}},{"type":"array","items":{"anyOf":[` + union + `]}}]}},"$ref":"#/$defs/node"}`,
		"doubling":        doublingSchema(40),
		"long required":   `{"type":"array","minItems":1000000}`,
		"long string":     `{"type":"string","minLength":1000000000}`,
		"huge exponent":   `{"type":"number","minimum":1e-999999999,"maximum":1e999999999,"multipleOf":1e-400}`,
		"pattern":         `{"type":"string","pattern":"((a{0,100}){0,100}b{0,10}){9}"}`,
	} {
		t.Run(name, func(t *testing.T) {
			size := 0
			for v := range Values(parseDocument(t, json.RawMessage(raw)), nil, nil) {
				size += len(v)
			}
			if size > defaultMax*defaultMaxBytes {
				t.Errorf("got %d bytes, want at most %d", size, defaultMax*defaultMaxBytes)
			}
		})
	}
}

// doublingSchema returns a schema whose full value doubles with each definition.
func doublingSchema(n int) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/a","$defs":{"` + strings.Repeat("a", n+1) + `":{"type":"string"}`)
	for i := 1; i <= n; i++ {
		next := `{"$ref":"#/$defs/` + strings.Repeat("a", i+1) + `"}`
		b.WriteString(`,"` + strings.Repeat("a", i) + `":{"type":"object","properties":{"l":` + next + `,"r":` + next + `},"required":["l","r"]}`)
	}
	b.WriteString("}}")
	return b.String()
}

func FuzzValues(f *testing.F) {
	for _, c := range readSubjects(f) {
		if len(c.schema) < 3000 {
			f.Add([]byte(c.schema))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		doc, err := jsonschema.Parse(raw)
		if err != nil {
			return
		}
		s, err := validate.New(raw)
		n := 0
		for v := range Values(doc, nil, &Options{Max: 32, Undeclared: true, Hints: doc}) {
			if n++; err != nil || s.Validate(v) != nil {
				t.Fatalf("%s does not fit: %v", v, err)
			}
		}
		if n > 32 {
			t.Fatalf("%d values", n)
		}
		Example(raw)
	})
}

func BenchmarkValues(b *testing.B) {
	all := readSubjects(b)
	for b.Loop() {
		for _, c := range all {
			for range Values(parseDocument(b, c.schema), nil, nil) {
				continue
			}
		}
	}
}
