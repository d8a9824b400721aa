package jsonschema

import (
	"encoding/json"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// keywordOf is the keyword that fills a field of Schema by its name.
func keywordOf(field string) string {
	switch field {
	case "Types":
		return "type"
	case "Defs":
		return "$defs"
	case "ID":
		return "$id"
	case "Ref", "Anchor":
		return "$" + strings.ToLower(field)
	}
	return strings.ToLower(field[:1]) + field[1:]
}

// Every field of Schema is in the lists of keywords: those with schemas in Holders, those
// with numbers in Bounds or Counts.
func TestKeywordLists(t *testing.T) {
	s := &Schema{}
	filled := reflect.ValueOf(s).Elem()
	var schemas, numbers []string
	for i := range filled.NumField() {
		field, name := filled.Field(i), keywordOf(filled.Type().Field(i).Name)
		if !filled.Type().Field(i).IsExported() || slices.Contains([]string{"pointer", "bool", "metaschema", "keywords", "problems"}, name) {
			continue
		}
		if !Known(name) {
			t.Errorf("the keyword %q fills a field and is not Known", name)
		}
		switch field.Interface().(type) {
		case *Schema:
			field.Set(reflect.ValueOf(&Schema{Title: name}))
		case []*Schema:
			field.Set(reflect.ValueOf([]*Schema{{Title: name}}))
		case []Property:
			field.Set(reflect.ValueOf([]Property{{Name: "a", Schema: &Schema{Title: name}}}))
		case json.Number:
			numbers = append(numbers, name)
			continue
		default:
			continue
		}
		schemas = append(schemas, name)
	}
	var held, children, bounding []string
	for h := range s.Holders {
		held = append(held, h.Keyword)
		if named := tree.Holds(h.Keyword) == tree.HoldsNamed; named != (h.Named != nil) || tree.Holds(h.Keyword) == tree.HoldsNone {
			t.Errorf("%q holds %v", h.Keyword, tree.Holds(h.Keyword))
		}
	}
	for _, child := range s.Children(true) {
		children = append(children, child.Title)
	}
	for _, n := range s.Bounds() {
		bounding = append(bounding, n.Keyword)
	}
	for _, n := range s.Counts() {
		bounding = append(bounding, n.Keyword)
	}
	for _, list := range []struct {
		name      string
		got, want []string
	}{
		{"Holders, and $defs", append(held, "$defs"), schemas},
		{"Children", children, schemas},
		{"Bounds and Counts", bounding, numbers},
	} {
		if got, want := slices.Sorted(slices.Values(list.got)), slices.Sorted(slices.Values(list.want)); !slices.Equal(got, want) {
			t.Errorf("%s:\ngot  %q\nwant %q", list.name, got, want)
		}
	}
	if Known("x-mine") || Known("") {
		t.Error(`Known is true of "x-mine" or "", want false`)
	}
}

// All yields every schema once, whatever holds it.
func TestAllSchemas(t *testing.T) {
	doc := mustParse(t, `{"title":"root","properties":{"a":{"title":"a","items":{"title":"items"}}},"anyOf":[{"title":"any"},true],"$defs":{"d":{"title":"def"}}}`)
	var titles []string
	for s := range doc.Root.All {
		titles = append(titles, s.Title)
	}
	slices.Sort(titles)
	if want := []string{"", "a", "any", "def", "items", "root"}; !slices.Equal(titles, want) {
		t.Errorf("got the schemas %q, want %q", titles, want)
	}
	for s := range doc.Root.All {
		if s != doc.Root {
			t.Errorf("the first schema is at %q, want the root", s.Pointer)
		}
		break
	}
}

// A draft has the keywords of its time, and nothing beside a $ref before 2019-09.
func TestDraftKeywords(t *testing.T) {
	const everything = `"const":1,"contains":{},"minContains":2,"if":{},"then":{},"unevaluatedItems":{},"dependentRequired":{"a":["b"]},"contentSchema":{},"minLength":1`
	for _, test := range []struct {
		name, dialect, schema string
		want                  []string // of const, contains, minContains, then, unevaluatedItems, dependentRequired, contentSchema, minLength
	}{
		{"no draft", "", everything, []string{"const", "contains", "minContains", "then", "unevaluatedItems", "dependentRequired", "minLength"}},
		{"2019-09", "https://json-schema.org/draft/2019-09/schema", everything, []string{"const", "contains", "minContains", "then", "unevaluatedItems", "dependentRequired", "minLength"}},
		{"07", "http://json-schema.org/draft-07/schema#", everything, []string{"const", "contains", "then", "minLength"}},
		{"06", "http://json-schema.org/draft-06/schema#", everything, []string{"const", "contains", "minLength"}},
		{"04", "http://json-schema.org/draft-04/schema#", everything, []string{"minLength"}},
		{"dependencies of 07", "http://json-schema.org/draft-07/schema#", `"dependencies":{"a":["b"]}`, []string{"dependentRequired"}},
		{"then without if", "", `"then":{},"minContains":1,"minLength":1`, []string{"minLength"}},
		{"beside a $ref of 07", "http://json-schema.org/draft-07/schema#", `"$ref":"#/definitions/a","minLength":1`, nil},
		{"beside a $ref of 2020-12", "", `"$ref":"#/$defs/a","minLength":1`, []string{"minLength"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			raw := `{` + test.schema + `}`
			if test.dialect != "" {
				raw = `{"$schema":"` + test.dialect + `",` + test.schema + `}`
			}
			doc := mustParse(t, raw)
			draft, known := doc.Draft()
			if !known {
				t.Errorf("%q is not known", test.dialect)
			}
			s := draft.Effective(doc.Root)
			var got []string
			for _, k := range []struct {
				keyword string
				there   bool
			}{
				{"const", s.Const != nil}, {"contains", s.Contains != nil}, {"minContains", s.MinContains != ""}, {"then", s.Then != nil},
				{"unevaluatedItems", s.UnevaluatedItems != nil}, {"dependentRequired", len(s.DependentRequired) > 0},
				{"contentSchema", s.ContentSchema != nil}, {"minLength", s.MinLength != ""},
			} {
				if k.there {
					got = append(got, k.keyword)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("draft %d keeps %q, want %q", draft, got, test.want)
			}
			if s.Ref != doc.Root.Ref || s.Pointer != doc.Root.Pointer {
				t.Errorf("draft %d: the reference is %q at %q, want %q at %q", draft, s.Ref, s.Pointer, doc.Root.Ref, doc.Root.Pointer)
			}
		})
	}
}

// Before 2020-12 prefixItems says nothing, and a list in items beside it was not meant as
// the tuple. Before 2019-09 dependencies says what dependentRequired and dependentSchemas do.
func TestDraftTuplesAndDependencies(t *testing.T) {
	const tuple = `"prefixItems":[{"type":"string"}],"items":[{"type":"number"}]`
	const dependencies = `"dependencies":{"a":["b"],"c":{"type":"object"}},"dependentRequired":{"d":["e"]},"dependentSchemas":{"f":{}}`
	for _, test := range []struct {
		name, dialect, schema     string
		prefixItems               int
		items                     bool
		dependentRequired, others []string
	}{
		{"tuple of 07", "http://json-schema.org/draft-07/schema#", tuple, 0, false, nil, nil},
		{"items of 07", "http://json-schema.org/draft-07/schema#", `"prefixItems":[{}],"items":{}`, 0, true, nil, nil},
		{"prefixItems of 2020-12", "https://json-schema.org/draft/2020-12/schema", `"prefixItems":[{}],"items":{}`, 1, true, nil, nil},
		{"dependencies of 07", "http://json-schema.org/draft-07/schema#", dependencies, 0, false, []string{"a"}, []string{"c"}},
		{"no dependencies of 07", "http://json-schema.org/draft-07/schema#", `"dependentRequired":{"d":["e"]},"dependentSchemas":{"f":{}}`, 0, false, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc := mustParse(t, `{"$schema":"`+test.dialect+`",`+test.schema+`}`)
			draft, _ := doc.Draft()
			s := draft.Effective(doc.Root)
			if len(s.PrefixItems) != test.prefixItems || (s.Items != nil) != test.items {
				t.Errorf("%d prefixItems, items %v, want %d, %v", len(s.PrefixItems), s.Items != nil, test.prefixItems, test.items)
			}
			if got := slices.Sorted(maps.Keys(s.DependentRequired)); !slices.Equal(got, test.dependentRequired) {
				t.Errorf("dependentRequired has %q, want %q", got, test.dependentRequired)
			}
			if got := namesOf(s.DependentSchemas); !slices.Equal(got, test.others) {
				t.Errorf("dependentSchemas has %q, want %q", got, test.others)
			}
		})
	}
}

func TestDrafts(t *testing.T) {
	for dialect, want := range map[string]struct {
		draft Draft
		known bool
	}{
		"": {2020, true},
		"https://json-schema.org/draft/2020-12/schema": {2020, true},
		"http://json-schema.org/schema#":               {2020, true},
		"http://json-schema.org/draft-07/schema":       {7, true},
		"https://json-schema.org/draft-07/schema#":     {7, true},
		"http://json-schema.org/draft-03/schema#":      {2020, false},
		"draft-07": {2020, false},
	} {
		draft, known := (&Document{Dialect: dialect}).Draft()
		if draft != want.draft || known != want.known {
			t.Errorf("$schema %q: got draft %d, known %t, want %d, %t", dialect, draft, known, want.draft, want.known)
		}
	}
}

func TestNumbers(t *testing.T) {
	long := strings.Repeat("9", maxDigits)
	for _, test := range []struct {
		number, rational string // "" is nil
		count            int    // -1: none
	}{
		{"", "", -1},
		{"0", "0", 0},
		{"3.0", "3", 3},
		{"1e2", "100", 100},
		{"0.5", "1/2", -1},
		{"-1", "-1", -1},
		{"1073741825", "1073741825", MaxCount},
		{long, long, MaxCount},
		{long + "9", "", -1},
		{"1e1001", "", -1},
		{"1e-1001", "", -1},
		{"1e99999999999999999999", "", -1},
		{"one", "", -1},
	} {
		got := ""
		if r := Rational(json.Number(test.number)); r != nil {
			got = r.RatString()
		}
		if got != test.rational {
			t.Errorf("Rational(%.20q) is %.20q, want %.20q", test.number, got, test.rational)
		}
		if count := Count(json.Number(test.number), -1); count != test.count {
			t.Errorf("Count(%.20q) is %d, want %d", test.number, count, test.count)
		}
	}
	for _, test := range []struct {
		r    *big.Rat
		want string // "": it cannot be written
	}{
		{big.NewRat(1, 2), "0.5"}, {big.NewRat(-3, 1), "-3"}, {big.NewRat(1, 3), ""},
		{new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 4*maxDigits+1)), ""},
	} {
		if got, ok := Decimal(test.r); got != test.want || ok != (test.want != "") {
			t.Errorf("Decimal(%.20s) is %q, %t, want %q", test.r, got, ok, test.want)
		}
	}
}

// References to places where no keyword holds a schema are found in large objects, too.
func TestResolveInLargeObjects(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		b.WriteString(`,"n` + strings.Repeat("x", i) + `":{"type":"integer"}`)
	}
	doc := mustParse(t, `{"components":{"User":{"type":"string"}`+b.String()+`},"properties":{"a":{"$ref":"#/components/User"},"b":{"$ref":"#/components/nxxx"},"c":{"$ref":"#/components/none"}}}`)
	for name, want := range map[string]string{"a": "string", "b": "integer"} {
		if s, err := doc.Resolve(doc.Root.Property(name)); err != nil || !slices.Equal(s.Types, []string{want}) {
			t.Errorf("the reference of %q leads to %+v, %v, want the type %s", name, s, err, want)
		}
	}
	if _, err := doc.Resolve(doc.Root.Property("c")); err == nil {
		t.Error("Resolve of a reference to nothing has no error, want one")
	}
}

// The bounds of several schemas leave what each of them allows.
func TestInterval(t *testing.T) {
	for _, test := range []struct {
		name    string
		schemas []string
		in, out []string // numbers that are in it, and that are not
	}{
		{"no bounds", []string{`{}`}, []string{"0", "-1e9", "0.1"}, nil},
		{"minimum", []string{`{"minimum":2}`}, []string{"2", "2.5"}, []string{"1.9"}},
		{"open ends", []string{`{"exclusiveMinimum":2,"exclusiveMaximum":3}`}, []string{"2.5"}, []string{"2", "3"}},
		{"the narrower one", []string{`{"minimum":2,"maximum":9}`, `{"minimum":1,"maximum":5}`}, []string{"2", "5"}, []string{"1", "6"}},
		{"open beside closed", []string{`{"minimum":2}`, `{"exclusiveMinimum":2}`}, []string{"2.1"}, []string{"2"}},
		{"multiples of both", []string{`{"multipleOf":4}`, `{"multipleOf":0.6}`}, []string{"12", "0", "-24"}, []string{"4", "6"}},
		{"bounds that make no sense", []string{`{"multipleOf":-2,"minimum":1e5000}`}, []string{"3"}, nil},
	} {
		var i Interval
		for _, raw := range test.schemas {
			i.Narrow(mustParse(t, raw).Root)
		}
		for _, number := range test.in {
			if !i.Contains(Rational(json.Number(number))) {
				t.Errorf("%s: %s is not in the interval, want it in", test.name, number)
			}
		}
		for _, number := range test.out {
			if i.Contains(Rational(json.Number(number))) {
				t.Errorf("%s: %s is in the interval, want it out", test.name, number)
			}
		}
	}
}
