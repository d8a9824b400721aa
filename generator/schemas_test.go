package generator

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// schemaFiles makes files of pairs of name and text.
func schemaFiles(pairs ...string) []SchemaFile {
	var out []SchemaFile
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, SchemaFile{Name: pairs[i], URI: "file:///s/" + pairs[i], Data: []byte(pairs[i+1])})
	}
	return out
}

var typeLine = regexp.MustCompile(`(?m)^type ([A-Z]\w*) (.*?)( \{|$)`)

// typesOf are the declared types of a source, with what they are.
func typesOf(source []byte) []string {
	var out []string
	for _, m := range typeLine.FindAllSubmatch(source, -1) {
		out = append(out, string(m[1])+" "+string(m[2]))
	}
	return out
}

func TestSchemas(t *testing.T) {
	object := `"type":"object","properties":{"x":{"type":"string"}}`
	for _, test := range []struct {
		name  string
		files []SchemaFile
		want  []string
		has   string // a piece of the source
	}{
		{
			"the file and its definitions",
			schemaFiles("a-file.schema.json", `{`+object+`,"$defs":{"user_id":{"type":"integer"},"IDs":{"type":"array","items":{"$ref":"#/$defs/user_id"}}}}`),
			[]string{"AFile struct", "IDs []int", "UserID = int"}, "",
		}, {
			"a file of definitions alone",
			schemaFiles("defs.json", `{"title":"Definitions","definitions":{"a":{`+object+`}}}`),
			[]string{"A struct"}, "",
		}, {
			"a file that says nothing by its name",
			schemaFiles("schema.json", `{"title":"Wide load",`+object+`}`),
			[]string{"WideLoad struct"}, "",
		}, {
			"a file that refers to its own main definition",
			schemaFiles("pet.json", `{"$ref":"#/definitions/Pet","definitions":{"Pet":{`+object+`}}}`),
			[]string{"Pet struct"}, "",
		}, {
			"another name",
			schemaFiles("pets.json", `{"$ref":"#/definitions/Pet","definitions":{"Pet":{`+object+`}}}`),
			[]string{"Pet struct", "Pets = Pet"}, "",
		}, {
			"definitions of one name in two files",
			schemaFiles("a.json", `{"$defs":{"item":{`+object+`},"only":{`+object+`}}}`, "b.json", `{"$defs":{"item":{`+object+`}}}`),
			[]string{"AItem struct", "BItem struct", "Only struct"}, "",
		}, {
			"files of one name in two folders",
			schemaFiles("a/item.json", `{`+object+`}`, "b/item.json", `{`+object+`}`),
			[]string{"AItem struct", "BItem struct"}, "",
		}, {
			"names that meet after all",
			schemaFiles("a.json", `{"$defs":{"b_c":{`+object+`},"bC":{`+object+`},"b":{"type":"object","properties":{"c":{"enum":["x"]}}}}}`),
			[]string{"ABC struct", "ABC2 struct", "B struct", "BC string"}, "",
		}, {
			"names of generated packages of servers are free",
			schemaFiles("client.json", `{`+object+`,"$defs":{"2fa":{`+object+`}}}`),
			[]string{"Client struct", "X2FA struct"}, "",
		}, {
			"references by $id, by file, and by anchor",
			schemaFiles("x/a.json", `{"$id":"https://example.com/s/a.json","type":"object","properties":{
				"id":{"$ref":"b.json"},"file":{"$ref":"c.json#/$defs/d"},"anchor":{"$ref":"https://example.com/s/b.json#here"},"odd":{"$ref":"c.json#/odd/place"}}}`,
				"y/b.json", `{"$id":"https://example.com/s/b.json",`+object+`,"$defs":{"e":{"$anchor":"here",`+object+`}}}`,
				"x/c.json", `{"$defs":{"d":{`+object+`}},"odd":{"place":{`+object+`}}}`),
			[]string{"A struct", "B struct", "COddPlace struct", "D struct", "E struct"},
			"ID     *B                         `json:\"id,omitzero\"`\n\tFile   *D                         `json:\"file,omitzero\"`\n\tAnchor *E",
		}, {
			"components, older spellings, and a discriminator",
			schemaFiles("api.json", `{"openapi":"3.0.0","components":{"schemas":{
				"Shape":{"oneOf":[{"$ref":"#/components/schemas/Round"},{"$ref":"#/components/schemas/Flat"}],"discriminator":{"propertyName":"kind"}},
				"Round":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"},"r":{"type":"number","nullable":true,"minimum":0,"exclusiveMinimum":true}}},
				"Flat":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"},"a":{"$ref":"#/components/parameters/p/schema"}}}}},
				"parameters":{"p":{"schema":true}}}`),
			[]string{"Flat struct", "Round struct", "Shape interface{ isShape() }", "ShapeOther struct{ json.RawMessage }"},
			"codec.Variant{As: Round{}, Kind: \"object\", Tag: \"kind\", Value: `\"Round\"`}",
		}, {
			"Swagger",
			schemaFiles("api.json", `{"swagger":"2.0","definitions":{"User":{`+object+`}}}`),
			[]string{"User struct"}, "",
		}, {
			"scalars keep what they are",
			schemaFiles("n.json", `{"type":"number","$defs":{"any":true,"time":{"type":"string","format":"date-time"},"level":{"enum":["a","b"]},"size":{"type":"number"}}}`),
			[]string{"Any = json.RawMessage", "Level string", "N = json.Number", "Size = float64", "Time = format.DateTime"}, "",
		},
		{
			"null at the top",
			schemaFiles("s.json", `{"type":["string","null"],"$defs":{"i":{"type":"integer","nullable":true},"time":{"type":["string","null"],"format":"date-time"},
				"list":{"type":["array","null"],"items":{"type":"string"}},"map":{"type":["object","null"],"additionalProperties":{"type":"integer"}},
				"any":true,"no":{"type":"null"},"un":{"oneOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}}}`),
			[]string{"Any = json.RawMessage", "I = *int", "List []string", "Map map[string]int", "No = json.RawMessage", "S = *string", "Time = *format.DateTime",
				"Un interface{ isUn() }", "UnOther struct{ json.RawMessage }", "UnInt int", "UnString string"}, "",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, err := Schemas(context.Background(), "types", test.files, false)
			if err != nil {
				t.Fatal(err)
			}
			source := out.Files[0].Data
			if got := typesOf(source); !slices.Equal(got, test.want) || !bytes.Contains(source, []byte(test.has)) {
				t.Errorf("got %q, want %q and %s in\n%s", got, test.want, test.has, source)
			}
			slices.Reverse(test.files)
			again, err := Schemas(context.Background(), "types", test.files, false)
			if err != nil || !bytes.Equal(again.Files[0].Data, source) {
				t.Errorf("in another order: got %v and other bytes, want the same", err)
			}
		})
	}
}

func TestSchemasErrors(t *testing.T) {
	for want, files := range map[string][]SchemaFile{
		`a.json:2:1: no JSON value`:                         schemaFiles("a.json", "\n"),
		`b.json: at "/a": duplicate member name`:            schemaFiles("a.json", `{"type":"string"}`, "b.json", `{"a":1,"a":2}`),
		`a.json: the file has no schema for a value`:        schemaFiles("a.json", `{"openapi":"3.1.0"}`),
		`b.json: the file has no schema for a value`:        schemaFiles("a.json", `{"type":"string"}`, "b.json", `true`),
		`a.json: passed twice`:                              schemaFiles("a.json", `{"type":"string"}`, "a.json", `{"type":"string"}`),
		`schemas are nested more than 128 deep`:             schemaFiles("a.json", strings.Repeat(`{"items":`, 200)+`{}`+strings.Repeat(`}`, 200)),
		`a.json: at "/items/items/items/items/items/items/`: schemaFiles("a.json", strings.Repeat(`{"items":`, 200)+`{}`+strings.Repeat(`}`, 200)),
	} {
		if _, err := Schemas(context.Background(), "types", files, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := Schemas(context.Background(), "type", schemaFiles("a.json", `{"type":"string"}`), false); err == nil {
		t.Error("package type: got no error, want one")
	}
}

func TestSchemasWarnings(t *testing.T) {
	files := schemaFiles("d/a.json", `{"type":"object","required":7,"properties":{"x":{"$ref":"../b.json#/$defs/y"},"z":{"$ref":"#/$defs/none"}}}`)
	out, err := Schemas(context.Background(), "types", files, false)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range out.Warnings {
		got = append(got, w.String())
	}
	want := []string{
		`d/a.json /properties/x: reference "../b.json#/$defs/y": refers to another document, which is not fetched: typed as any value: pass the file that it is in, too`,
		`d/a.json /properties/z: reference "#/$defs/none": there is no schema: typed as any value`,
		`d/a.json /required: must be an array of names, but is a number: mcpgen ignores the value`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := Schemas(context.Background(), "types", files, true); err == nil || !strings.Contains(err.Error(), "/properties/z") {
		t.Errorf("strictly: got %v, want the warnings", err)
	}
}

// A type that is named for its members' sake has no value for null.
func TestSchemasWarnOfNull(t *testing.T) {
	files := schemaFiles("a.json", `{"type":["object","null"],"properties":{"x":{"$ref":"#/$defs/enum"}},"$defs":{
		"enum":{"enum":["a",null]},"tuple":{"type":["array","null"],"prefixItems":[{"type":"string"}],"items":false,"minItems":1},
		"pair":{"type":["array","null"],"prefixItems":[{"type":"string"},{"type":"integer"}],"items":false,"minItems":2},
		"other":{"$ref":"#/$defs/enum"},"some":{"enum":["a","b"]},"untyped":{"properties":{"x":{"type":"string"}}}}}`)
	out, err := Schemas(context.Background(), "types", files, false)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range out.Warnings {
		got = append(got, w.String())
	}
	var want []string
	for _, place := range []string{"", " /$defs/enum", " /$defs/pair", " /$defs/tuple"} {
		want = append(want, "a.json"+place+": null is valid, but the type has no value for null: decode null into a pointer to the type")
	}
	if !slices.Equal(got, want) || !bytes.Contains(out.Files[0].Data, []byte("type Other = *Enum")) {
		t.Errorf("got %q, want %q and a pointer in\n%s", got, want, out.Files[0].Data)
	}
	if _, err := Schemas(context.Background(), "types", files, true); err == nil || !strings.Contains(err.Error(), "a.json /$defs/enum: null is valid") {
		t.Errorf("strictly: got %v, want the warnings", err)
	}
}

// FuzzSchemas reads two files, which refer to each other. What comes out was parsed,
// compared with its plan and type-checked.
func FuzzSchemas(f *testing.F) {
	paths, _ := filepath.Glob("../golden/corpus/hard/*.json")
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, []byte(`{"$defs":{"a":{"$ref":"a.json"}}}`))
	}
	f.Add([]byte(`{"$ref":"b.json#/$defs/a","$id":"x"}`), []byte(`{"$id":"file:///s/a.json","$defs":{"a":{"$ref":"a.json#"}}}`))
	f.Add([]byte(`{"openapi":"","components":{"schemas":{"a/~b":{"$ref":"#/components/schemas/a~1~0b"},"":{"oneOf":[{"$ref":"b.json"}],"discriminator":{"propertyName":"x","mapping":{"":""}}}}}}`), []byte(`{"enum":["*/","\u2028",1.50]}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		files := schemaFiles("a.json", string(a), "b.json", string(b))
		out, err := Schemas(context.Background(), "types", files, false)
		if err != nil {
			if strings.Contains(err.Error(), "defect of mcpgen") {
				t.Fatal(err)
			}
			return
		}
		again, err := Schemas(context.Background(), "types", files, false)
		if err != nil || !bytes.Equal(again.Files[0].Data, out.Files[0].Data) || fmt.Sprint(again.Warnings) != fmt.Sprint(out.Warnings) {
			t.Error("the second run differs from the first")
		}
	})
}
