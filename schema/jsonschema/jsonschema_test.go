package jsonschema

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/corpus"
)

func mustParse(t testing.TB, s string) *Document {
	t.Helper()
	d, err := Parse(json.RawMessage(s))
	if err != nil {
		t.Fatalf("Parse(%.100s): %v", s, err)
	}
	return d
}

// walkSchemas calls f for every schema of the document, references not followed.
func walkSchemas(s *Schema, f func(*Schema)) {
	f(s)
	for _, c := range s.Children(true) {
		walkSchemas(c, f)
	}
}

func TestParseCorpusServers(t *testing.T) {
	schemas := 0
	for server, tools := range corpus.Tools(t, "../../golden/corpus/servers") {
		for _, raw := range tools {
			tool, problems, err := schema.ParseTool(raw)
			if err != nil || len(problems) > 0 {
				t.Errorf("%s: %v %v", server, problems, err)
			}
			for _, s := range []json.RawMessage{tool.InputSchema, tool.OutputSchema} {
				if s == nil {
					continue
				}
				schemas++
				checkDocument(t, server+"/"+tool.Name, s)
			}
		}
	}
	if schemas < 213 {
		t.Errorf("only %d schemas", schemas)
	}
}

func TestParseCorpusHard(t *testing.T) {
	paths, err := filepath.Glob("../../golden/corpus/hard/*.json")
	if err != nil || len(paths) < 37 {
		t.Fatalf("%d hard schemas (%v)", len(paths), err)
	}
	for _, path := range paths {
		var file struct{ Schema json.RawMessage }
		corpus.ReadJSON(t, path, &file)
		checkDocument(t, filepath.Base(path), file.Schema)
	}
}

// checkDocument parses a schema without problems, resolves every reference in
// it, and finds every property of the JSON in the model, in the same order.
func checkDocument(t *testing.T, name string, raw json.RawMessage) {
	t.Helper()
	d, err := Parse(raw)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for _, p := range d.Problems {
		t.Errorf("%s: %v", name, p)
	}
	walkSchemas(d.Root, func(s *Schema) {
		if d.Lookup(s.Pointer) != s {
			t.Errorf("%s: Lookup does not find %q", name, s.Pointer)
		}
		if to, err := d.Resolve(s); err != nil || to.Ref != "" {
			t.Errorf("%s: %v, want a schema that is not a reference", name, err)
		}
		if raw := s.Keywords["properties"]; raw != nil {
			if got, want := namesOf(s.Properties), memberNames(t, raw); !slices.Equal(got, want) {
				t.Errorf("%s: properties %v, want %v", name, got, want)
			}
		}
	})
}

func namesOf(props []Property) []string {
	out := []string{}
	for _, p := range props {
		out = append(out, p.Name)
	}
	return out
}

// memberNames reads the names of an object with encoding/json, in order.
func memberNames(t *testing.T, raw json.RawMessage) []string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(raw)))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		var skip json.RawMessage
		if err := d.Decode(&skip); err != nil {
			t.Fatal(err)
		}
		out = append(out, name.(string))
	}
	return out
}

// field is a part of a schema that was read, and how it is printed.
type field struct {
	name string
	got  any
	want string
}

func wantFields(t *testing.T, fields []field) {
	t.Helper()
	for _, f := range fields {
		if got := fmt.Sprint(f.got); got != f.want {
			t.Errorf("%s: got %s, want %s", f.name, got, f.want)
		}
	}
}

func TestParseKeywords(t *testing.T) {
	s := mustParse(t, `{
		"$schema":"http://json-schema.org/draft-07/schema#","$id":"https://example.com/s","title":"T","description":"D",
		"type":["object","null"],"required":["b","a","b"],"deprecated":true,"readOnly":true,"writeOnly":true,
		"properties":{"b":{"type":"integer","minimum":9007199254740993,"maximum":1e3,"multipleOf":0.5,"exclusiveMinimum":1,"exclusiveMaximum":2},
			"a":{"type":"string","minLength":1,"maxLength":2,"pattern":"^a","format":"uri","contentEncoding":"base64","contentMediaType":"text/plain","enum":["x",1.0],"default":null,"examples":[1]},
			"c":{"const":null},"d":true,"e":false},
		"patternProperties":{"^x":{}},"additionalProperties":false,"propertyNames":{"maxLength":3},"minProperties":1,"maxProperties":9,
		"if":{},"then":{},"else":{},"not":{},"anyOf":[{},true],"oneOf":[{}],"allOf":[{}],
		"dependentRequired":{"a":["b"]},"dependentSchemas":{"a":{}},"unevaluatedProperties":false,
		"$defs":{"A":{"type":"array","prefixItems":[{}],"items":{},"contains":{},"minContains":1,"maxContains":2,"minItems":3,"maxItems":4,"uniqueItems":true,"unevaluatedItems":false,"contentSchema":{}}},
		"x-foo":{"a":1}}`).Root
	a, b := s.Property("a"), s.Property("b")
	items := s.Defs[0].Schema
	flags := func(s *Schema) []bool { return []bool{s.Deprecated, s.ReadOnly, s.WriteOnly, s.UniqueItems} }
	there := func(schemas ...*Schema) []bool {
		var out []bool
		for _, s := range schemas {
			out = append(out, s != nil)
		}
		return out
	}
	wantFields(t, []field{
		{"types", s.Types, "[object null]"},
		{"required", s.Required, "[b a]"},
		{"required a, c", []bool{s.IsRequired("a"), s.IsRequired("c")}, "[true false]"},
		{"order", namesOf(s.Properties), "[b a c d e]"},
		{"texts", []string{s.Title, s.Description, s.ID}, "[T D https://example.com/s]"},
		{"flags", flags(s), "[true true true false]"},
		{"flags of items", flags(items), "[false false false true]"},
		{"numbers", []json.Number{b.Minimum, b.Maximum, b.MultipleOf, b.ExclusiveMinimum, b.ExclusiveMaximum}, "[9007199254740993 1e3 0.5 1 2]"},
		{"lengths", []json.Number{a.MinLength, a.MaxLength}, "[1 2]"},
		{"string", []string{a.Pattern, a.Format, a.ContentEncoding, a.ContentMediaType}, "[^a uri base64 text/plain]"},
		{"enum", fmt.Sprintf("%s", a.Enum), `["x" 1.0]`},
		{"default", string(a.Default), "null"},
		{"no default", b.Default == nil, "true"},
		{"examples", fmt.Sprintf("%s", a.Examples), "[1]"},
		{"const", string(s.Property("c").Const), "null"},
		{"no const", a.Const == nil, "true"},
		{"true and false", []bool{s.Property("d").IsBool(true), s.Property("e").IsBool(false), s.AdditionalProperties.IsBool(false), s.Bool == nil}, "[true true true true]"},
		{"objects", []json.Number{s.PropertyNames.MaxLength, s.MinProperties, s.MaxProperties}, "[3 1 9]"},
		{"patterns", namesOf(s.PatternProperties), "[^x]"},
		{"conditions", there(s.If, s.Then, s.Else, s.Not, s.UnevaluatedProperties), "[true true true true true]"},
		{"combinations", []int{len(s.AnyOf), len(s.OneOf), len(s.AllOf)}, "[2 1 1]"},
		{"dependents", s.DependentRequired, "map[a:[b]]"},
		{"dependent schemas", namesOf(s.DependentSchemas), "[a]"},
		{"arrays", there(items.Items, items.Contains, items.UnevaluatedItems, items.ContentSchema), "[true true true true]"},
		{"tuple", len(items.PrefixItems), "1"},
		{"counts", []json.Number{items.MinContains, items.MaxContains, items.MinItems, items.MaxItems}, "[1 2 3 4]"},
		{"unknown", string(s.Keywords["x-foo"]), `{"a":1}`},
		{"pointers", []string{a.Pointer, items.PrefixItems[0].Pointer}, "[/properties/a /$defs/A/prefixItems/0]"},
		{"no property", s.Property("x") == nil, "true"},
	})
	if d := mustParse(t, `{"$schema":"x"}`); d.Dialect != "x" {
		t.Errorf("the dialect is %q, want x", d.Dialect)
	}
}

func TestParseOlderSpellings(t *testing.T) {
	d := mustParse(t, `{"items":[{"type":"string"},{"type":"number"}],"additionalItems":false,
		"definitions":{"a":{"type":"string"}},"$defs":{"b":{}},
		"dependencies":{"a":["b"],"c":{"required":["d"]}},
		"minimum":0,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false,
		"nullable":true,"example":{"x":1}}`)
	s := d.Root
	wantFields(t, []field{
		{"tuple", []string{s.PrefixItems[0].Pointer, s.PrefixItems[1].Pointer}, "[/items/0 /items/1]"},
		{"after the tuple", s.Items.IsBool(false), "true"},
		{"definitions", namesOf(s.Defs), "[a b]"},
		{"dependencies", s.DependentRequired, "map[a:[b]]"},
		{"schemas in dependencies", namesOf(s.DependentSchemas), "[c]"},
		{"bounds", fmt.Sprintf("%q", []json.Number{s.Minimum, s.ExclusiveMinimum, s.Maximum, s.ExclusiveMaximum}), `["" "0" "9" ""]`},
		{"nullable", s.Nullable, "true"},
		{"example", len(s.Examples), "1"},
		{"problems", d.Problems, "[]"},
	})
}

func TestParseProblems(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{`null`, `: a schema must be an object or a boolean, but is null: any value is allowed`},
		{`[]`, `: a schema must be an object or a boolean, but is an array: any value is allowed`},
		{`{"properties":{"a/b":[]}}`, `/properties/a~1b: a schema must be an object or a boolean, but is an array: any value is allowed`},
		{`{"properties":[]}`, `/properties: must be an object of schemas, but is an array: mcpgen ignores the value`},
		{`{"type":5}`, `/type: must be a type name or an array of them, but is a number: mcpgen ignores the value`},
		{`{"type":["string",null]}`, `/type: must be a type name or an array of them, but is an array: mcpgen ignores the value`},
		{`{"type":"str\u200bing"}`, `/type: "str\u200bing" is not a type of JSON Schema: the keyword is ignored`},
		{`{"type":["string","any"]}`, `/type: "any" is not a type of JSON Schema: the keyword is ignored`},
		{`{"title":5}`, `/title: must be a string, but is a number: mcpgen ignores the value`},
		{`{"minimum":"1"}`, `/minimum: must be a number, but is a string: mcpgen ignores the value`},
		{`{"minimum":true}`, `/minimum: must be a number, but is true: mcpgen ignores the value`},
		{`{"required":true}`, `/required: must be an array of names, but is true: mcpgen ignores the value`},
		{`{"required":["a",5]}`, `/required/1: must be a name, but is a number: mcpgen ignores the value`},
		{`{"enum":"a"}`, `/enum: must be an array, but is a string: mcpgen ignores the value`},
		{`{"anyOf":{}}`, `/anyOf: must be an array of schemas, but is an object: mcpgen ignores the value`},
		{`{"nullable":"yes"}`, `/nullable: must be a boolean, but is a string: mcpgen ignores the value`},
		{`{"$ref":5}`, `/$ref: must be a string, but is a number: mcpgen ignores the value`},
		{`{"dependentRequired":[]}`, `/dependentRequired: must be an object of arrays of names, but is an array: mcpgen ignores the value`},
		{`{"dependentRequired":{"a":1}}`, `/dependentRequired: the dependency on "a" must be an array of names, but is a number: mcpgen ignores the value`},
		{`{"dependencies":1}`, `/dependencies: must be an object, but is a number: mcpgen ignores the value`},
		{`{"pattern":"` + strings.Repeat("a", MaxPattern+1) + `"}`, `/pattern: is longer than 4096 bytes: mcpgen ignores the value`},
	} {
		d := mustParse(t, tc.in)
		if len(d.Problems) != 1 {
			t.Errorf("%.60s: problems %v, want one", tc.in, d.Problems)
			continue
		}
		if got := d.Problems[0].Pointer + ": " + d.Problems[0].Reason; got != tc.want {
			t.Errorf("%.60s:\n got %s\nwant %s", tc.in, got, tc.want)
		}
		if d.Root.Types != nil || d.Root.Pattern != "" || d.Root.Title != "" || d.Root.Minimum != "" {
			t.Errorf("%.60s: the keyword was used", tc.in)
		}
	}
	d := mustParse(t, `{"title":"\ud800","required":["\ud801","a"],"properties":{"\ud800":{},"\ud801":{},"a":{}}}`)
	if d.Root.Title != "\ufffd" || len(d.Problems) != 3 || len(d.Root.Properties) != 1 || len(d.Root.Required) != 1 {
		t.Errorf("lone surrogates: %+v", d.Root)
	}
}

func TestParseBounds(t *testing.T) {
	nested := func(n int) string {
		return strings.Repeat(`{"items":`, n) + "true" + strings.Repeat("}", n)
	}
	many := func(n int) string {
		return `{"anyOf":[` + strings.TrimSuffix(strings.Repeat("{},", n), ",") + `]}`
	}
	mustParse(t, nested(maxSchemaDepth-1))
	mustParse(t, many(maxSubschemas-1))
	long := strings.Repeat("x", 1<<20)
	for _, tc := range []struct{ name, in, want string }{
		{"depth", nested(maxSchemaDepth), "schemas are nested more than 128 deep"},
		{"count", many(maxSubschemas), `at "/anyOf/49999": more than 50000 subschemas`},
		{"names", `{"properties":{"` + long + `":` + many(100) + `}}`, "too long for its size"},
		{"duplicate", `{"properties":{"a":{"type":"x","type":"y"}}}`, `at "/properties/a/type": duplicate member name`},
		{"json depth", `{"const":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`, "nested more than 512 deep"},
		{"not JSON", `{`, "the JSON ends"},
	} {
		_, err := Parse(json.RawMessage(tc.in))
		if e := (*schema.Error)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %.200v", tc.name, err)
		}
	}
}

func TestResolve(t *testing.T) {
	d := mustParse(t, `{"$id":"https://example.com/root.json","$defs":{
		"a":{"type":"string"},"a/b~c d":{"type":"number"},"chain":{"$ref":"#/$defs/a"},
		"anchored":{"$anchor":"here","type":"boolean"},
		"own":{"$id":"own.json","type":"array","$defs":{"x":{"type":"integer"}},"items":{"$ref":"#/$defs/x"}},
		"d7":{"$id":"#old","type":"null"},
		"loop":{"$ref":"#/$defs/pool"},"pool":{"$ref":"#/$defs/loop"},"self":{"$ref":"#/$defs/self"},
		"twice1":{"$anchor":"twice"},"twice2":{"$anchor":"twice"}},
		"components":{"schemas":{"U":{"type":"object","properties":{"v":{"$ref":"#/components/schemas/V"}}},"V":{"type":"string"}}},
		"properties":{"p":{"type":"object","properties":{"q":{"type":"integer"}}},"enum":{"enum":["x"]}}}`)
	for ref, want := range map[string]string{
		"#":                                      "",
		"":                                       "",
		"#/$defs/a":                              "/$defs/a",
		"#/$defs/a~1b~0c%20d":                    "/$defs/a~1b~0c d",
		"#/%24defs/a":                            "/$defs/a",
		"#/$defs/chain":                          "/$defs/a",
		"#here":                                  "/$defs/anchored",
		"#old":                                   "/$defs/d7",
		"own.json":                               "/$defs/own",
		"own.json#/$defs/x":                      "/$defs/own/$defs/x",
		"https://example.com/own.json":           "/$defs/own",
		"https://example.com/root.json#/$defs/a": "/$defs/a",
		"root.json":                              "",
		"#/properties/p/properties/q":            "/properties/p/properties/q",
		"#/components/schemas/U":                 "!there is no schema", // nothing in the document refers to it
		"#/components/schemas/V":                 "!there is no schema",
		"#/$defs/missing":                        "!there is no schema",
		"#missing":                               "!no schema has this $anchor",
		"#twice":                                 "!two schemas have this $anchor",
		"#/$defs/loop":                           "!only refer to each other",
		"#/$defs/self":                           "!only refer to each other",
		"https://example.com/other.json":         "!refers to another document, which is not fetched",
		"file:///etc/passwd":                     "!refers to another document, which is not fetched",
		"://x":                                   "!is not a URI reference",
	} {
		if ref == "" {
			continue // an empty reference is not a reference
		}
		got, err := d.Resolve(&Schema{Pointer: "/here", Ref: ref, base: d.Root.base})
		if reason, bad := strings.CutPrefix(want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), reason) || !strings.HasPrefix(err.Error(), "at ") {
				t.Errorf("%s: %v, want %s", ref, err, reason)
			}
			continue
		}
		if err != nil || got.Pointer != want {
			t.Errorf("%s: %v %v, want %s", ref, got, err, want)
		}
	}
	inner := d.Lookup("/$defs/own").Items
	if got, err := d.Resolve(inner); err != nil || got.Pointer != "/$defs/own/$defs/x" {
		t.Errorf("a reference within its own $id: %v, %v; want %q", got, err, "/$defs/own/$defs/x")
	}
	if got, err := d.Resolve(d.Root); err != nil || got != d.Root {
		t.Errorf("no reference: %v, %v; want the schema itself", got, err)
	}
}

func TestResolveOutsideKeywords(t *testing.T) {
	d := mustParse(t, `{"properties":{"u":{"$ref":"#/components/schemas/U"},"no":{"$ref":"#/components/schemas/3"}},
		"components":{"schemas":{"U":{"properties":{"v":{"$ref":"#/components/schemas/V"},"l":{"$ref":"#/x/1"}}},"V":{"type":"string"},"3":5}},"x":[1,{"type":"null"}]}`)
	u, err := d.Resolve(d.Root.Property("u"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := d.Resolve(u.Property("v"))
	if err != nil || v.Types[0] != "string" {
		t.Errorf("%v, %v; want %q", v, err, "string")
	}
	if l, err := d.Resolve(u.Property("l")); err != nil || l.Types[0] != "null" {
		t.Errorf("%v, %v; want %q", l, err, "null")
	}
	if _, err := d.Resolve(d.Root.Property("no")); err == nil {
		t.Error("Resolve of a number has no error, want one")
	}
}

// Metaschemas are known without being fetched, each as one schema, under all their addresses.
func TestResolveMetaschema(t *testing.T) {
	d := mustParse(t, `{"$schema":"https://json-schema.org/draft/2020-12/schema","properties":{
		"a":{"$ref":"http://json-schema.org/draft-07/schema#"},"b":{"$ref":"https://json-schema.org/draft-07/schema"},
		"c":{"$ref":"https://json-schema.org/schema"},"d":{"$ref":"http://json-schema.org/draft-07/schema#/definitions/x"},
		"e":{"$ref":"http://json-schema.org/draft-03/schema"},"own":{"$id":"https://json-schema.org/draft-06/schema","type":"null"},
		"f":{"$ref":"https://json-schema.org/draft-06/schema"}}}`)
	for name, want := range map[string]string{
		"a": "http://json-schema.org/draft-07/schema", "b": "http://json-schema.org/draft-07/schema",
		"c": "https://json-schema.org/draft/2020-12/schema", "d": "!part of a metaschema", "e": "!not fetched", "f": "",
	} {
		got, err := d.Resolve(d.Root.Property(name))
		if reason, bad := strings.CutPrefix(want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), reason) {
				t.Errorf("%s: %v, want %s", name, err, reason)
			}
			continue
		}
		if err != nil || got.Metaschema != want {
			t.Errorf("%s: %+v, %v; want the metaschema %q", name, got, err, want)
		}
	}
	a, _ := d.Follow(d.Root.Property("a"))
	if b, _ := d.Follow(d.Root.Property("b")); a != b {
		t.Error("two addresses of a metaschema lead to two schemas")
	}
	if s := d.Lookup("/properties/own"); s.Metaschema != "" || !slices.Equal(s.Types, []string{"null"}) {
		t.Errorf("%+v, want the document's own schema", s)
	}
}

// In the drafts up to 07 an $id beside a $ref counts as little as anything there.
func TestResolveIDBesideRef(t *testing.T) {
	const defs = `"definitions":{"outer":{"$id":"http://a.example/x.json","type":"string"},"inner":{"$id":"x.json","type":"number"}},
		"$id":"http://a.example/base/","allOf":[{"$id":"http://a.example/","$ref":"x.json"}]}`
	for dialect, want := range map[string]string{
		"http://json-schema.org/draft-07/schema#":      "number",
		"http://json-schema.org/draft-06/schema":       "number",
		"https://json-schema.org/draft/2019-09/schema": "string",
		"": "string",
	} {
		d := mustParse(t, `{"$schema":"`+dialect+`",`+defs)
		got, err := d.Resolve(d.Root.AllOf[0])
		if err != nil || !slices.Equal(got.Types, []string{want}) {
			t.Errorf("%q: %v, %v, want a %s", dialect, got, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"type":["object","null"],"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"enum":[1,1.0]}}}`,
		`{"items":[{},true],"$id":"a","$anchor":"b","anyOf":[{"$ref":"#b"},{"$ref":"#"}]}`,
		`{"allOf":[{"$ref":"#/x/y"}],"x":{"y":{"const":null,"exclusiveMinimum":true,"minimum":0}}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Parse(data)
		_, canonicalErr := schema.Canonical(data)
		if canonicalErr != nil {
			if err == nil {
				t.Fatalf("accepted what is not canonical: %v", canonicalErr)
			}
			return
		}
		wrapped := append(append([]byte(`{"name":"t","inputSchema":`), data...), '}')
		hash, hashErr := schema.ContractHash(schema.KindTool, wrapped)
		if hashErr == nil {
			if canonical, err := schema.Canonical(wrapped); err == nil {
				if again, _ := schema.ContractHash(schema.KindTool, canonical); again != hash {
					t.Fatalf("the contract depends on the order of members: %q", data)
				}
			}
		}
		if err != nil {
			return
		}
		walkSchemas(d.Root, func(s *Schema) {
			if to, err := d.Resolve(s); (to == nil) == (err == nil) {
				t.Fatalf("%q: %v and %v", s.Ref, to, err)
			}
		})
	})
}

func ExampleParse() {
	d, err := Parse(json.RawMessage(`{"properties":{"to":{"$ref":"#/$defs/Name"}},"$defs":{"Name":{"type":"string","minLength":"1"}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	to, err := d.Resolve(d.Root.Property("to"))
	fmt.Println(to.Pointer, to.Types, err)
	fmt.Println(d.Problems[0])
	// Output:
	// /$defs/Name [string] <nil>
	// at "/$defs/Name/minLength": must be a number, but is a string: mcpgen ignores the value
}

// References lead from the beginning of the document, also where a part of it is looked at.
func TestRootWithin(t *testing.T) {
	doc, err := Parse([]byte(`{"$defs":{"a":{"type":"string"}},"properties":{"p":{"anyOf":[{"$ref":"#/$defs/a"}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*Document{doc, doc.Edited(func(_, _ *Schema) {})} {
		part := *d
		part.Root = d.Lookup("/properties/p")
		if s, err := part.Resolve(part.Root.AnyOf[0]); err != nil || s != d.Lookup("/$defs/a") {
			t.Errorf("got %v, %v", s, err)
		}
	}
}

// Each of the resources refers to all others: there are more scopes than can be told apart.
func TestBoundIsBounded(t *testing.T) {
	var defs, all []string
	for i := range 24 {
		all = append(all, fmt.Sprintf(`{"$ref":"r%d"}`, i))
	}
	for i := range 24 {
		defs = append(defs, fmt.Sprintf(`"r%d":{"$id":"r%[1]d","$dynamicRef":"#a%[1]d","anyOf":[%s],"$defs":{"a":{"$dynamicAnchor":"a%[1]d"}}}`, i, strings.Join(all, ",")))
	}
	doc := mustParse(t, `{"$ref":"r0","$defs":{`+strings.Join(defs, ",")+`}}`)
	if doc.Bound() != doc {
		t.Error("a document with 2^24 scopes was bound")
	}
}
