package validate_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/mcpgen/mcpgen/schema/validate"
)

// What is said of a value that does not fit.
func TestReasons(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{`{"type":"string"}`, `1`, `must be a string, is a number`},
		{`{"type":["null","integer","object"]}`, `1.5`, `must be an object, an integer or null, has a fraction`},
		{`{"type":"string","nullable":true}`, `1`, `must be a string or null, is a number`},
		{`{"properties":{"a":{"items":{"type":"string"}}}}`, `{"a":["x",1]}`, `at "/a/1": must be a string, is a number`},
		{`{"properties":{"a/b~":{"type":"string"}}}`, `{"a/b~":1}`, `at "/a~1b~0": must be a string, is a number`},
		{`{"required":["b","a"]}`, `{}`, `lacks the members "a", "b"`},
		{`{"properties":{"a":true},"additionalProperties":false}`, `{"b":1,"c":2}`, "at \"/b\": is not a member that the schema allows\nat \"/c\": is not a member that the schema allows"},
		{`{"enum":["open","closed",1,null]}`, `2`, `must be "open", "closed", 1 or null`},
		{`{"enum":[1,2,3,4,5,6,7,8,9,10]}`, `0`, `must be one of 1, 2, 3, 4, 5, 6, 7, 8 and 2 more`},
		{`{"const":{"a":1}}`, `2`, `must be {"a":1}`},
		{`{"minimum":9007199254740993}`, `9007199254740992`, `must be at least 9007199254740993`},
		{`{"exclusiveMaximum":0.1}`, `1`, `must be less than 0.1`},
		{`{"multipleOf":0.25}`, `1.1`, `must be a multiple of 0.25`},
		{`{"minLength":1}`, `""`, `must have at least 1 character, has 0`},
		{`{"pattern":"^a$"}`, `"secret"`, `must match the pattern "^a$"`},
		{`{"maxItems":2}`, `[1,2,3]`, `must have at most 2 elements, has 3`},
		{`{"uniqueItems":true}`, `[1,2,1]`, `elements 0 and 2 are equal, and must not be`},
		{`{"contains":{"const":1}}`, `[2]`, `has no element of the kind that the schema wants`},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, `lacks the member "b", required beside "a"`},
		{`{"propertyNames":{"maxLength":1}}`, `{"ab":1}`, `has a member "ab", whose name the schema does not allow: it must have at most 1 character, has 2`},
		{`{"not":{"const":1}}`, `1`, `fits a schema that it must not fit`},
		{`{"properties":{"a":false}}`, `{"a":1}`, `at "/a": the schema allows no value here`},
		{`{"anyOf":[{"type":"string"},{"type":"array"},{"type":"null"}]}`, `1`, `must be an array, a string or null, is a number`},
		{`{"oneOf":[{"type":"integer"},{"minimum":1}]}`, `2`, `fits alternatives 1 and 2, and must fit only one`},
		{`{"anyOf":[{"type":"string"},{"type":"object","required":["a"]}]}`, `{}`, `lacks the member "a"`},
		{`{"oneOf":[{"properties":{"t":{"const":"x"},"a":{"type":"string"}},"required":["t"]},{"properties":{"t":{"const":"y"},"a":{"type":"number"}},"required":["t"]}]}`,
			`{"t":"x","a":1}`, `at "/a": must be a string, is a number`},
		{`{"oneOf":[{"required":["a"]},{"required":["b"]}]}`, `{}`, `matches none of the 2 alternatives: lacks the member "a"; or lacks the member "b"`},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"type":"string"}]}}}`, `1`, `must be a string, is a number`},
		{`{}`, `{`, `not JSON: unexpected EOF`},
	} {
		err := mustCompile(t, c.schema).Validate(json.RawMessage(c.value))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s, %s:\n got %v\nwant %s", c.schema, c.value, err, c.want)
		}
		if strings.Contains(c.value, "secret") && strings.Contains(err.Error(), "secret") {
			t.Errorf("the value is quoted: %v", err)
		}
	}
}

// Texts from schemas and values are short and printable in errors.
func TestReasonsArePrintable(t *testing.T) {
	nasty := "\x1b[31m\u202e\u2028\n::error::" + strings.Repeat("é", 10_000)
	text, err := json.Marshal(nasty)
	if err != nil {
		t.Fatal(err)
	}
	name := string(text)
	for _, c := range []struct{ schema, value string }{
		{`{"enum":[` + name + `]}`, `1`},
		{`{"const":{` + name + `:` + name + `}}`, `1`},
		{`{"required":[` + name + `]}`, `{}`},
		{`{"additionalProperties":false}`, `{` + name + `:1}`},
		{`{"propertyNames":{"maxLength":1}}`, `{` + name + `:1}`},
		{`{"additionalProperties":{"type":"string"}}`, `{` + name + `:1}`},
	} {
		err := mustCompile(t, c.schema).Validate(json.RawMessage(c.value))
		if err == nil {
			t.Fatalf("%.60s: fits", c.schema)
		}
		if len(err.Error()) > 600 {
			t.Errorf("%.60s: %d bytes", c.schema, len(err.Error()))
		}
		for _, r := range err.Error() {
			if !unicode.IsPrint(r) {
				t.Errorf("%.60s: %q in %q", c.schema, r, err)
			}
		}
	}
	s := mustCompile(t, `{"pattern":"^\u001b(?!x)$","properties":{"a":{"$ref":"#/\u202e"}},"$schema":`+name+`}`)
	for _, p := range s.Problems() {
		for _, r := range p.String() {
			if !unicode.IsPrint(r) {
				t.Errorf("%q in %q", r, p)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	s := mustCompile(t, `{"items":{"type":"string"},"maxItems":3}`)
	err := s.Validate(json.RawMessage("[" + strings.Repeat("1,", 100) + "1]"))
	all, ok := errors.AsType[validate.Errors](err)
	if !ok || len(all) != validate.MaxErrors {
		t.Fatalf("got %d errors: %v", len(all), err)
	}
	first, ok := errors.AsType[*validate.Error](err)
	if !ok || first.Pointer != "" || first.Reason != "must have at most 3 elements, has 101" {
		t.Errorf("the first is %v", first)
	}
	for range 20 { // in one order
		if again := s.Validate(json.RawMessage("[" + strings.Repeat("1,", 100) + "1]")); again.Error() != err.Error() {
			t.Fatalf("got %v, then %v", err, again)
		}
	}
}
