package validate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	santhosh "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpgen/mcpgen/schema/validate"
)

// Any schema and any value: no panic, no hang, the same verdict each time, and
// where the library takes the schema as it is, the library's own verdict.
func FuzzValidate(f *testing.F) {
	for _, c := range append(readCorpus(f), readHardSchemas(f)...) {
		if len(c.schema) > 2000 {
			continue
		}
		for _, v := range append(c.valid[:min(1, len(c.valid))], c.invalid[:min(1, len(c.invalid))]...) {
			f.Add([]byte(c.schema), []byte(v))
		}
	}
	f.Add([]byte(`{"anyOf":[{"$ref":"#"},{"not":{"$ref":"#"}}]}`), []byte(`1e400`))
	f.Add([]byte(`{"$dynamicRef":"#a","$recursiveRef":"#","pattern":"(?=a)[^]"}`), []byte(`"a"`))
	f.Fuzz(func(t *testing.T, raw, value []byte) {
		s, err := validate.New(raw)
		if err != nil {
			return
		}
		verdict := s.Validate(value)
		if again := s.Validate(value); fmt.Sprint(again) != fmt.Sprint(verdict) {
			t.Fatalf("%v, then %v", verdict, again)
		}
		if len(s.Problems()) > 0 || errors.Is(verdict, validate.ErrUnchecked) || !json.Valid(value) {
			return
		}
		for _, different := range []string{"nullable", "format", "$schema", "$id", "ynamic", `\`} {
			if bytes.Contains(raw, []byte(different)) {
				return
			}
		}
		plain, err := compileWithLibrary(raw)
		if err != nil {
			return
		}
		v, err := santhosh.UnmarshalJSON(bytes.NewReader(value))
		if err != nil {
			t.Fatal(err)
		}
		if theirs := plain.Validate(v); (theirs == nil) != (verdict == nil) {
			t.Fatalf("we say %v, the library %v", verdict, theirs)
		}
	})
}

// compileWithLibrary compiles a schema as it is.
func compileWithLibrary(raw []byte) (*santhosh.Schema, error) {
	doc, err := santhosh.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	c := santhosh.NewCompiler()
	c.UseLoader(santhosh.SchemeURLLoader{})
	if err := c.AddResource("schema:///plain.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("schema:///plain.json")
}

func BenchmarkNew(b *testing.B) {
	all := readCorpus(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, c := range all {
			if _, err := validate.New(c.schema); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkValidate(b *testing.B) {
	all := readCorpus(b)
	schemas := make([]*validate.Schema, len(all))
	size := 0
	for i, c := range all {
		schemas[i] = mustCompile(b, string(c.schema))
		for _, v := range append(c.valid, c.invalid...) {
			size += len(v)
		}
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for i, c := range all {
			for _, v := range c.valid {
				if err := schemas[i].Validate(v); err != nil {
					b.Fatal(err)
				}
			}
			for _, v := range c.invalid {
				if schemas[i].Validate(v) == nil {
					b.Fatalf("%s fits, want an error", v)
				}
			}
		}
	}
}

// As many schemas as are taken.
func BenchmarkLargest(b *testing.B) {
	var text bytes.Buffer
	text.WriteString(`{"properties":{`)
	for i := range validate.MaxSubschemas - 1 {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `"p%d":{"type":"string"}`, i)
	}
	text.WriteString("}}")
	for b.Loop() {
		mustCompile(b, text.String())
	}
}
