package compat

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// hostileSchemas are schemas of a few lines whose smallest values fit into no memory, or
// whose patterns multiply. Each has a twin that differs where it hurts.
func hostileSchemas() map[string][2]string {
	doubled := func(kind string) string {
		var b strings.Builder
		b.WriteString(`{"type":"object","required":["x"],"properties":{"x":{"$ref":"#/$defs/d0"}},"$defs":{`)
		for i := range 40 {
			fmt.Fprintf(&b, `"d%d":{"type":"object","required":["a","b"],"properties":{"a":{"$ref":"#/$defs/d%d"},"b":{"$ref":"#/$defs/d%d"}}},`, i, i+1, i+1)
		}
		return b.String() + `"d40":{"type":"` + kind + `"}}}`
	}
	nested := func(kind string) string {
		const level = `{"type":"array","minItems":1000,"items":`
		return strings.Repeat(level, 6) + `{"type":"` + kind + `"}` + strings.Repeat("}", 6)
	}
	patterns := func(kind string) string {
		var properties, matches []string
		for i := range 150 {
			properties = append(properties, fmt.Sprintf(`"a%d":{"type":"%s"}`, i, kind))
			matches = append(matches, fmt.Sprintf(`"^a.*%d":{"type":"string"}`, i))
		}
		return `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"patternProperties":{` + strings.Join(matches, ",") + `}}`
	}
	return map[string][2]string{
		"doubled at each level": {doubled("string"), doubled("integer")},
		"nested lists":          {nested("string"), nested("integer")},
		"many patterns":         {patterns("string"), patterns("boolean")},
	}
}

// A hostile schema costs bounded memory, and gets an answer.
func TestHostileSchemas(t *testing.T) {
	for name, twins := range hostileSchemas() {
		var docs [2]*jsonschema.Document
		for i, text := range twins {
			doc, err := jsonschema.Parse([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			docs[i] = doc
		}
		var after runtime.MemStats
		v := Check(t.Context(), docs[0], docs[1], nil)
		runtime.GC()
		runtime.ReadMemStats(&after)
		if v.Answer == Contained {
			t.Errorf("%s: %+v", name, v)
		}
		if len(v.Witness) > maxBuilt {
			t.Errorf("%s: a witness of %d bytes", name, len(v.Witness))
		}
		// Memory that the program took from the system at its peak, what was there
		// before included.
		if got := after.HeapSys; got > 1<<30 {
			t.Errorf("%s: the heap grew to %d MB", name, got>>20)
		}
	}
}
