package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema/internal/corpus"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/sample"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// views are all of them, by name.
var views = map[string]func(json.RawMessage) (View, error){
	"Object": Object, "Inline": inline, "Function": function, "Strict": Strict,
}

func TestViews(t *testing.T) {
	for _, test := range []struct{ name, view, schema, want, lost string }{
		{"root without a type", "Object", `{"properties":{"a":{}}}`, `{"type":"object","properties":{"a":{}}}`, ""},
		{"true", "Object", `true`, `{"type":"object"}`, ""},
		{"root that may be null", "Object", `{"type":["object","null"]}`, `{"type":"object"}`, ""},
		{"alternatives stay", "Object", `{"anyOf":[{"required":["a"]}]}`, `{"type":"object","anyOf":[{"required":["a"]}]}`, ""},

		{"definition", "Inline", `{"properties":{"a":{"$ref":"#/definitions/A"}},"definitions":{"A":{"type":"string","x-y":1}}}`,
			`{"properties":{"a":{"type":"string","x-y":1}}}`, ""},
		{"description beside", "Inline", `{"properties":{"a":{"$ref":"#/$defs/A","description":"mine"}},"$defs":{"A":{"type":"string","description":"its"}}}`,
			`{"properties":{"a":{"type":"string","description":"mine"}}}`, ""},
		{"constraint beside", "Inline", `{"properties":{"a":{"$ref":"#/$defs/A","minLength":2}},"$defs":{"A":{"type":"string"}}}`,
			`{"properties":{"a":{"minLength":2,"allOf":[{"type":"string"}]}}}`, ""},
		{"chain", "Inline", `{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/B","title":"A"},"B":{"type":"object","title":"B"}}}`,
			`{"type":"object","title":"A"}`, ""},
		{"circle", "Inline", `{"type":"object","properties":{"n":{"$ref":"#/definitions/Node"}},"definitions":{"Node":{"properties":{"next":{"$ref":"#/definitions/Node"}}}}}`,
			`{"type":"object","properties":{"n":{"$ref":"#/$defs/Node"}},"$defs":{"Node":{"properties":{"next":{"$ref":"#/$defs/Node"}}}}}`, ""},
		{"root in itself", "Inline", `{"properties":{"sub":{"$ref":"#"}}}`, `{"properties":{"sub":{"$ref":"#"}}}`, ""},
		{"anchor", "Inline", `{"items":{"$ref":"#a"},"$defs":{"x":{"$anchor":"a","type":"string"}}}`, `{"items":{"type":"string"}}`, ""},
		{"reference to nothing", "Inline", `{"items":{"$ref":"#/$defs/none"}}`, `{"items":{}}`, "/items $ref"},
		{"reference out", "Inline", `{"items":{"$ref":"https://example.com/a"}}`, `{"items":{}}`, "/items $ref"},
		{"draft 04", "Inline", `{"minimum":3,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false}`, `{"exclusiveMinimum":3,"maximum":9}`, ""},
		{"draft 07", "Inline", `{"items":[{"type":"string"}],"additionalItems":false,"required":["a","a"]}`, `{"prefixItems":[{"type":"string"}],"required":["a"],"items":false}`, ""},
		{"what has not its form", "Inline", `{"type":"odd","properties":{"a":"odd","b":{"minLength":-1,"maximum":1e999,"anyOf":[]},"c":{"enum":"odd","multipleOf":0,"required":[7]}}}`,
			`{"properties":{"a":{},"b":{},"c":{}}}`, " type, /properties/b minLength, /properties/b maximum, /properties/b anyOf, /properties/c enum, /properties/c multipleOf, /properties/c required"},
		{"$ref as a property", "Inline", `{"properties":{"$ref":{"type":"string"}}}`, `{"properties":{"$ref":{"type":"string"}}}`, ""},
		{"$ref in a value", "Inline", `{"default":{"$ref":"#"},"enum":[{"$id":"a"}]}`, `{"default":{"$ref":"#"},"enum":[{"$id":"a"}]}`, ""},
		{"digits", "Inline", `{"maximum":9007199254740993}`, `{"maximum":9007199254740993}`, ""},

		{"dynamic reference", "Inline", `{"items":{"$dynamicRef":"#a"}}`, `{"items":{}}`, "/items $dynamicRef"},
		{"name that a pointer cannot have", "Inline", `{"properties":{"n":{"$ref":"#/$defs/a%20b"}},"$defs":{"a b":{"items":{"$ref":"#/$defs/a%20b"}}}}`,
			`{"properties":{"n":{"$ref":"#/$defs/a_b"}},"$defs":{"a_b":{"items":{"$ref":"#/$defs/a_b"}}}}`, ""},
		{"two definitions of one name", "Inline", `{"properties":{"a":{"$ref":"#/x/N"},"b":{"$ref":"#/y/N"}},"x":{"N":{"items":{"$ref":"#/x/N"}}},"y":{"N":{"not":{"$ref":"#/y/N"}}}}`,
			`{"properties":{"a":{"$ref":"#/$defs/N"},"b":{"$ref":"#/$defs/N_2"}},"x":{"N":{"items":{"$ref":"#/x/N"}}},"y":{"N":{"not":{"$ref":"#/y/N"}}},"$defs":{"N":{"items":{"$ref":"#/$defs/N"}},"N_2":{"not":{"$ref":"#/$defs/N_2"}}}}`, ""},
		{"allOf beside a constraint", "Inline", `{"$ref":"#/$defs/A","minLength":2,"allOf":[{"maxLength":9}],"$defs":{"A":{"type":"string"}}}`,
			`{"minLength":2,"allOf":[{"type":"string"},{"maxLength":9}]}`, ""},

		{"either", "Function", `{"type":"object","anyOf":[{"properties":{"a":{"type":"string"},"b":{}},"required":["a","b"]},{"properties":{"a":{"type":"number"}},"required":["a"]}]}`,
			`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"number"}]},"b":{}},"required":["a"]}`, " anyOf"},
		{"all", "Function", `{"allOf":[{"$ref":"#/$defs/A"},{"properties":{"b":{}},"required":["b"]}],"$defs":{"A":{"properties":{"a":{}},"required":["a"]}}}`,
			`{"type":"object","properties":{"a":{},"b":{}},"required":["a","b"]}`, " allOf"},
		{"if", "Function", `{"type":"object","properties":{"a":{}},"if":{"required":["a"]},"then":{"properties":{"b":{}},"required":["b"]}}`,
			`{"type":"object","properties":{"a":{},"b":{}}}`, " if,  then"},

		{"closed root", "Function", `{"type":"object","properties":{"a":{}},"additionalProperties":false,"anyOf":[{"properties":{"b":{}}}]}`,
			`{"type":"object","properties":{"a":{}},"additionalProperties":false}`, " anyOf"},
		{"three times either", "Function", `{"type":"object","oneOf":[{"properties":{"a":{"const":1}}},{"properties":{"a":{"const":2}}},{"properties":{"a":{"const":1}}}]}`,
			`{"type":"object","properties":{"a":{"anyOf":[{"const":1},{"const":2}]}}}`, " oneOf"},
		{"no alternatives", "Function", `{"type":"object","anyOf":[],"required":["a"]}`, `{"type":"object","required":["a"]}`, " anyOf"},
		{"required beside all", "Function", `{"type":"object","required":["a"],"allOf":[{"required":["a","b"]}]}`, `{"type":"object","required":["a","b"]}`, " allOf"},

		{"strict", "Strict", `{"type":"object","properties":{"a":{"type":"string","minLength":1},"b":{"enum":["x"],"type":"string"},"c":{"const":7}},"required":["a"]}`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"enum":["x",null],"type":["string","null"]},"c":{"anyOf":[{"enum":[7]},{"type":"null"}]}},"required":["a","b","c"],"additionalProperties":false}`,
			"/properties/a minLength"},
		{"no arguments", "Strict", `{"type":"object"}`, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`, ""},
	} {
		t.Run(test.view+"/"+test.name, func(t *testing.T) {
			got, err := views[test.view](json.RawMessage(test.schema))
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Schema) != test.want {
				t.Errorf("got\n%s\nwant\n%s", got.Schema, test.want)
			}
			var lost []string
			for _, l := range got.Lost {
				lost = append(lost, l.Pointer+" "+l.Keyword)
			}
			if strings.Join(lost, ", ") != test.lost {
				t.Errorf("lost %q, want %q", lost, test.lost)
			}
		})
	}
}

// What differs in its references alone is as it was sent.
func TestAsSent(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"properties":{"a":{"$ref":"#/definitions/A"}},"definitions":{"A":{"type":"string"}}}`: true,
		`{"items":{"$ref":"#/nothing"}}`:        false,
		`{"minLength":-1}`:                      false,
		`{"items":[{}]}`:                        false,
		`{"minimum":3,"exclusiveMinimum":true}`: false,
		`{"properties":{"a":5}}`:                false,
		`{"required":["a","a"]}`:                false,
	} {
		if v, err := inline(json.RawMessage(schema)); err != nil || v.asSent != want {
			t.Errorf("%s: %v, %v; want %v", schema, v.asSent, err, want)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, test := range []struct{ view, schema, want string }{
		{"Object", `{"type":"string"}`, `at "/type": the arguments of a tool are an object, and the schema does not allow one`},
		{"Object", `false`, `the schema of the arguments is false, which no object fits`},
		{"Function", `{`, `the JSON ends where a member name was expected`},
		{"Strict", `{"type":"object","properties":{"a":{}}}`, `at "/properties/a": strict mode cannot say this: a value of any type`},
		{"Strict", `{"type":"object","properties":{"a":{"type":"object"}}}`, `at "/properties/a": strict mode cannot say this: an object with members of any name`},
		{"Strict", `{"type":"object","additionalProperties":{"type":"string"}}`, `at "/additionalProperties": strict mode cannot say this: members of any name`},
		{"Strict", `{"type":"object","properties":{"a":{"type":"array"}}}`, `at "/properties/a": strict mode cannot say this: an array of any values`},
		{"Strict", `{"type":"object","properties":{"a":{"type":"string","not":{}}}}`, `at "/properties/a/not": strict mode cannot say this: the keyword "not"`},
		{"Strict", `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"}],"oneOf":[{"type":"string"}]}}}`, `at "/properties/a/oneOf": strict mode cannot say this: both anyOf and oneOf`},
		{"Strict", `{"type":"object","properties":{"a":` + strings.Repeat(`{"type":"array","items":`, 11) + `{"type":"string"}` + strings.Repeat(`}`, 11) + `}}`, `it is more than 10 levels deep`},
		{"Strict", `{"type":"object","properties":{"a":{"enum":[` + numberedList(1001, `%d`) + `]}}}`, `at "/properties/a": strict mode cannot say this: more than 1000 members of enums`},
		{"Strict", `{"type":"object","properties":{` + numberedList(5001, `"p%d":{"type":"string"}`) + `}}`, `strict mode cannot say this: more than 5000 properties`},
	} {
		_, err := views[test.view](json.RawMessage(test.schema))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s of %s: got the error %v, want %q", test.view, test.schema, err, test.want)
		}
	}
}

// numberedList writes n elements by their numbers.
func numberedList(n int, format string) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(format, i))
	}
	return strings.Join(all, ",")
}

func TestArguments(t *testing.T) {
	strict, err := Strict(json.RawMessage(`{"type":"object","required":["a","n"],"properties":{
		"a":{"type":"string"},"b":{"type":"string"},"n":{"type":["string","null"]},
		"list":{"type":"array","items":{"oneOf":[
			{"type":"object","properties":{"kind":{"const":"x"},"size":{"type":"integer"}},"required":["kind"]},
			{"type":"object","properties":{"kind":{"const":"y"},"size":{"type":["integer","null"]}},"required":["kind"]}]}},
		"next":{"$ref":"#"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ sent, want string }{
		{`{"a":"", "b":null, "n":null, "list":null, "next":null}`, `{"a":"","n":null}`},
		{`{"a":"","n":"","b":"","list":[{"kind":"x","size":null},{"kind":"y","size":null},{"kind":"x","size":9007199254740993}],"next":null}`,
			`{"a":"","n":"","b":"","list":[{"kind":"x"},{"kind":"y","size":null},{"kind":"x","size":9007199254740993}]}`},
		{`{"a":"","b":"","n":"","list":null,"next":{"a":"","b":null,"n":null,"list":null,"next":null}}`,
			`{"a":"","b":"","n":"","next":{"a":"","n":null}}`},
		{`{"a": "as it is"}`, `{"a": "as it is"}`},
		{`{"list":null,"other":null}`, `{"other":null}`},
		{`{"list":[{"kind":"z","size":null}],"b":null}`, `{"list":[{"kind":"z","size":null}]}`},
		{`{"list":{"not":null},"next":[null],"b":null}`, `{"list":{"not":null},"next":[null]}`},
		{`[null]`, `[null]`},
	} {
		got, err := strict.Arguments(json.RawMessage(test.sent))
		if err != nil || string(got) != test.want {
			t.Errorf("sent %s: got %s, %v, want %s", test.sent, got, err, test.want)
		}
	}
	if _, err := strict.Arguments(json.RawMessage(`{`)); err == nil {
		t.Error("Arguments of text that is not JSON has no error, want one")
	}
}

// TestDoubling keeps the references of definitions that double each other, and of
// those that hold each other in a long row.
func TestDoubling(t *testing.T) {
	var double, nested strings.Builder
	double.WriteString(`{"type":"object","properties":{"a":{"$ref":"#/$defs/d40"}},"$defs":{"d0":{"type":"string"}`)
	nested.WriteString(`{"type":"object","properties":{"a":{"$ref":"#/$defs/d100"}},"$defs":{"d0":{"type":"string"}`)
	for i := range 100 {
		fmt.Fprintf(&nested, `,"d%d":{"items":{"$ref":"#/$defs/d%d"}}`, i+1, i)
	}
	for i := range 40 {
		fmt.Fprintf(&double, `,"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"items":{"$ref":"#/$defs/d%d"}}]}`, i+1, i, i)
	}
	for _, text := range []string{double.String() + "}}", nested.String() + "}}"} {
		for name, view := range views {
			v, err := view(json.RawMessage(text))
			if name == "Strict" {
				continue // an array without a type is of any type
			}
			if err != nil || len(v.Schema) > 4<<20 {
				t.Errorf("%s: %d bytes, %v", name, len(v.Schema), err)
			}
			if name == "Inline" && !strings.Contains(string(v.Schema), `"$ref":"#/$defs/d40"`) && !strings.Contains(string(v.Schema), `"$ref":"#/$defs/d100"`) {
				t.Errorf("Inline: no references are left in %d bytes", len(v.Schema))
			}
		}
	}
}

// TestCorpus makes every view of every tool of real servers: the same bytes each
// time, and what the server's schema allows stays allowed.
func TestCorpus(t *testing.T) {
	made, all := map[string]int{}, 0
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
			for name, view := range views {
				if checkView(t, server+"."+tool.Name+" "+name, name, tool.InputSchema, view) {
					made[name]++
				}
			}
		}
	}
	t.Logf("of %d tools: %v", all, made)
	if made["Strict"]*3 < all || made["Function"] != all {
		t.Errorf("views could be made of %v of %d tools", made, all)
	}
}

func checkView(t *testing.T, place, name string, raw json.RawMessage, view func(json.RawMessage) (View, error)) bool {
	v, err := view(raw)
	if err != nil {
		if name != "Strict" {
			t.Errorf("%s: %v, want no error: Strict alone may refuse", place, err)
		}
		return false
	}
	again, err := view(slices.Clone(raw))
	if err != nil || !bytes.Equal(v.Schema, again.Schema) || !slices.Equal(v.Lost, again.Lost) {
		t.Errorf("%s: the second view differs: %s and %s, %v", place, v.Schema, again.Schema, err)
	}
	checker, err := validate.New(v.Schema)
	if err != nil {
		t.Errorf("%s: not a schema: %v", place, err)
		return false
	}
	if problems := checker.Problems(); len(problems) > 0 && name != "Object" {
		t.Errorf("%s: problems: %v", place, problems)
	}
	from, to := raw, checker
	if name == "Strict" {
		if from = v.Schema; v.Lost != nil {
			return true
		}
		if to, err = validate.New(raw); err != nil {
			t.Fatal(err)
		}
	}
	doc, err := jsonschema.Parse(from)
	if err != nil {
		t.Fatal(err)
	}
	for value := range sample.Values(doc, doc.Root, &sample.Options{Max: 40}) {
		sent, err := v.Arguments(value)
		if err != nil {
			t.Fatal(err)
		}
		if err := to.Validate(sent); err != nil {
			t.Errorf("%s: %s is allowed by one of server and view, and %s not by the other, %s: %v", place, value, sent, v.Schema, err)
			break
		}
	}
	return true
}

func FuzzViews(f *testing.F) {
	for _, tools := range corpus.Tools(f, "../../golden/corpus/servers") {
		for _, raw := range tools[:min(len(tools), 3)] {
			var tool struct{ InputSchema json.RawMessage }
			if json.Unmarshal(raw, &tool) == nil {
				f.Add([]byte(tool.InputSchema), []byte(`{"a":null}`))
			}
		}
	}
	f.Add([]byte(`{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"},{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}}}`), []byte(`{}`))
	all := maps.Clone(views)
	for _, provider := range Providers() {
		all["Fit for "+provider] = func(raw json.RawMessage) (View, error) { return Fit(provider, raw) }
	}
	f.Fuzz(func(t *testing.T, raw, args []byte) {
		for name, view := range all {
			v, err := view(raw)
			if err != nil {
				continue
			}
			if _, err := jsonschema.Parse(v.Schema); err != nil {
				t.Errorf("%s of %s is not a schema: %s: %v", name, raw, v.Schema, err)
			}
			if _, err := v.Arguments(args); err == nil && v.loose != nil && !json.Valid(args) {
				t.Errorf("%s took the arguments %q", name, args)
			}
		}
	})
}
