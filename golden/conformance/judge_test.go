package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// judgeOf judges a schema against the type T of some Go source.
func judgeOf(t *testing.T, raw, source string) []string {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "t.go", "package t\nimport \"encoding/json\"\nvar _ json.RawMessage\ntype Opt[T any] struct{ v T }\n"+source, 0)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: rawMessage{}}
	pkg, err := config.Check("t", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.Parse([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge()
	j.doc = doc
	j.visit(doc.Root, pkg.Scope().Lookup("T").Type(), false)
	return j.exceptions
}

// rawMessage is encoding/json as far as it is needed here.
type rawMessage struct{}

func (rawMessage) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, "json")
	name := types.NewTypeName(token.NoPos, p, "RawMessage", nil)
	types.NewNamed(name, types.NewSlice(types.Typ[types.Byte]), nil)
	p.Scope().Insert(name)
	p.MarkComplete()
	return p, nil
}

func TestJudge(t *testing.T) {
	union := "type T struct { V U `json:\"v\"` }\ntype U interface{ u() }\ntype A struct { X string `json:\"x\"` }\nfunc (A) u() {}\ntype S string\nfunc (S) u() {}\n"
	for _, tt := range []struct{ name, schema, source, want string }{
		{"plain", `{"properties":{"a":{"type":"string"}}}`, "type T struct { A *string `json:\"a,omitzero\"` }", ""},
		{"optional", `{"properties":{"a":{"type":["string","null"]}}}`, "type T struct { A Opt[string] `json:\"a\"` }", ""},
		{"any", `{"properties":{"a":{"type":"string"}}}`, "type T struct { A any `json:\"a\"` }", "/properties/a: the type is any"},
		{"raw", `{"properties":{"a":{"type":"array","items":{"type":"integer"}}}}`, "type T struct { A []json.RawMessage `json:\"a\"` }",
			"/properties/a/items: the type is encoding/json.RawMessage"},
		{"untyped", `{"properties":{"a":{},"b":{"type":"object"},"c":{"type":"array"},"d":true}}`,
			"type T struct { A any `json:\"a\"`; B map[string]any `json:\"b\"`; C []any `json:\"c\"`; D json.RawMessage `json:\"d\"` }", ""},
		{"map", `{"type":"object","properties":{"a":{"type":"string"}}}`, "type T map[string]json.RawMessage", "the whole: its properties are in a t.T"},
		{"typed map", `{"type":"object","additionalProperties":{"type":"integer"}}`, "type T map[string]int", ""},
		{"loose map", `{"type":"object","additionalProperties":{"type":"integer"}}`, "type T map[string]any", "/additionalProperties: the type is any"},
		{"extra", `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`,
			"type T struct { A string `json:\"a\"`; Extra map[string]any `json:\"-\"` }", "/additionalProperties: the type is any"},
		{"missing", `{"properties":{"a":{"type":"string"},"b\"":{"type":"string"}}}`, "type T struct{}", "/properties/a: no field"},
		{"union", `{"properties":{"v":{"anyOf":[{"type":"object","properties":{"x":{"type":"string"}}},{"type":"string"}]}}}`, union, ""},
		{"union of any", `{"properties":{"v":{"anyOf":[{"type":"string"},{"type":"object"}]}}}`, "type T struct { V any `json:\"v\"` }", "/properties/v: the type is any"},
		{"a field of a variant", `{"properties":{"v":{"anyOf":[{"type":"object","properties":{"x":{"type":"string"}}},{"type":"string"}]}}}`,
			strings.ReplaceAll(union, "X string", "X any"), "/properties/v/anyOf/0/properties/x: the type is any"},
		{"a tag of a variant", `{"properties":{"v":{"oneOf":[{"type":"object","properties":{"x":{"type":"string"},"k":{"const":"a"}}},{"type":"string"}]}}}`, union, ""},
		{"two with a tag", `{"anyOf":[{"properties":{"k":{"enum":["a","b"]},"x":{"type":"string"}}},{"properties":{"k":{"const":"c"},"y":{"type":"string"}}}]}`,
			"type T interface{ t() }\ntype A struct { K, X string `json:\"k\"` }\nfunc (A) t() {}\ntype B struct { Y any `json:\"y\"` }\nfunc (B) t() {}\n", "/anyOf/0/properties/x: no field; /anyOf/1/properties/y: the type is any"},
		{"variants that look alike", `{"anyOf":[{"properties":{"k":{"const":"a"},"v":{"properties":{"x":{"type":"string"}}}}},{"properties":{"k":{"const":"b"},"v":{"properties":{"y":{"type":"string"}}}}}]}`,
			"type T interface{ t() }\ntype B struct { K string `json:\"k\"`; V struct { Y any `json:\"y\"` } `json:\"v\"` }\nfunc (B) t() {}\ntype A struct { V struct { X string `json:\"x\"` } `json:\"v\"` }\nfunc (A) t() {}\n",
			"/anyOf/1/properties/v/properties/y: the type is any"},
		{"a tag in allOf", `{"anyOf":[{"allOf":[{"properties":{"k":{"type":"string"}}}],"properties":{"k":{"const":"a"},"x":{"type":"string"}}},{"type":"integer"}]}`,
			"type T interface{ t() }\ntype A struct { X string `json:\"x\"` }\nfunc (A) t() {}\n", ""},
		{"merged", `{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]}`,
			"type T struct { A string `json:\"a\"`; B string `json:\"b\"` }", "the whole: a union of objects is one t.T"},
		{"kinds", `{"type":["string","integer"]}`, "type T string", "the whole: a union of kinds is one t.T"},
		{"one kind", `{"anyOf":[{"type":"string","enum":["a"]},{"type":"string"},{"type":"null"}]}`, "type T string", ""},
		{"tuple", `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":{"type":"string"}}`,
			"type T struct { First string; Second any; Rest []any }", "/prefixItems/1: the type is any; /items: the type is any"},
		{"recursion", `{"type":"object","properties":{"n":{"$ref":"#"}}}`, "type T struct { N *T `json:\"n\"` }", ""},
		{"either required", `{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, "type T struct { A string `json:\"a\"` }", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(judgeOf(t, tt.schema, tt.source), "; "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestWrongCase(t *testing.T) {
	for id, want := range map[string]string{
		"UserID": "", "UserIDs": "", "GetHTMLURL": "", "Identity": "", "UTF8": "", "IDToken": "", "APIs": "",
		"UserId": "Id", "UserIds": "Ids", "HtmlURL": "Html", "HTMLUrls": "Urls", "Utf8Text": "Utf8", "Ip4": "Ip4",
	} {
		if got := strings.Join(wrongCase(id), " "); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

// Of any two tools there is a run without the one and with the other.
func TestDrops(t *testing.T) {
	for _, n := range []int{0, 1, 2, maxEach, maxEach + 1, 117, 128} {
		sets := drops(n, false)
		for a := range n {
			for b := range n {
				apart := func(set []int) bool { return slices.Contains(set, a) && !slices.Contains(set, b) }
				if a != b && !slices.ContainsFunc(sets, apart) {
					t.Fatalf("of %d, no run without %d and with %d", n, a, b)
				}
			}
		}
	}
	if n := len(drops(100, true)); n != 100 {
		t.Errorf("%d drops, want 100", n)
	}
}

func TestReport(t *testing.T) {
	r := newReport()
	r.heading("H")
	r.share("good", 999, 1000, 999)
	r.share("none", 0, 0, 1000)
	if r.below() {
		t.Error("below is true, want false: every share reaches its bar")
	}
	r.share("short", 998, 1000, 999)
	r.fail("list", "a\nb")
	if !r.below() {
		t.Error("below is false, want true: 99.8 % is below 99.9 %")
	}
	var b strings.Builder
	r.print(&b, "dir")
	for _, want := range []string{"list: 1, all in", "a\n\tb", "short  998 of 1000  99.80 %", "BELOW", "none to measure"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestComplaints(t *testing.T) {
	got := complaints("# example.com/a\na.go:1: x\n# [example.com/b]\nvet: b.go:2: y\n")
	if len(got) != 2 || got["example.com/a"] != "# example.com/a\na.go:1: x\n" || got["example.com/b"] == "" {
		t.Errorf("%q", got)
	}
}
