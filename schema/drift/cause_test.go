package drift

import (
	"fmt"
	"maps"
	"testing"
)

// A finding is breaking only if it refuses a value itself, and its witness is a value that it refuses.
func TestCauses(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		want                map[string]string // by path: severity and witness
	}{
		{
			"members of an open object get types", `{"type":"object","properties":{"r":{"type":"object","additionalProperties":true}},"additionalProperties":false}`,
			`{"type":"object","properties":{"r":{"type":"object","additionalProperties":true,"properties":{"alias":{"type":"string"},"email":{"type":"string"}}},"confirm":{"type":"boolean"}},"additionalProperties":true}`,
			map[string]string{
				"/additionalProperties": "info", "/properties/confirm": "info",
				"/properties/r/properties/alias": `breaking {"r":{"alias":0}}`, "/properties/r/properties/email": `breaking {"r":{"email":0}}`,
			},
		},
		{
			"and the object is open itself", `{"type":"object","properties":{"r":{"type":"object","additionalProperties":true}},"additionalProperties":true}`,
			`{"type":"object","properties":{"r":{"type":"object","additionalProperties":true,"properties":{"alias":{"type":"string"}}},"confirm":{"type":"boolean"},"any":{}},"additionalProperties":true}`,
			map[string]string{
				"/properties/any": "info", "/properties/confirm": `breaking {"confirm":"x"}`,
				"/properties/r/properties/alias": `breaking {"r":{"alias":0}}`,
			},
		},
		{
			"in a shared definition", `{"type":"object","properties":{"r":{"$ref":"#/$defs/r"}},"$defs":{"r":{"type":"object","additionalProperties":true}}}`,
			`{"type":"object","properties":{"r":{"$ref":"#/$defs/r"},"confirm":{"type":"boolean"}},"$defs":{"r":{"type":"object","additionalProperties":true,"properties":{"alias":{"type":"string"}}}}}`,
			map[string]string{"/properties/confirm": "info", "/$defs/r/properties/alias": `breaking {"r":{"alias":0}}`},
		},
		{
			"two bounds of one number", `{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"type":"object","properties":{"n":{"type":"integer","minimum":0,"maximum":9}}}`,
			map[string]string{"/properties/n/minimum": `breaking {"n":-1}`, "/properties/n/maximum": `breaking {"n":10}`},
		},
	} {
		r := mustCompare(t, snapshotOf(schemaCase{}.tool("input", "="+c.before)), snapshotOf(schemaCase{}.tool("input", "="+c.after)), &Options{})
		got := map[string]string{}
		for _, change := range r.Servers[0].Changes {
			got[change.Path[len("/inputSchema"):]] = string(change.Severity)
			if change.Witness != nil {
				got[change.Path[len("/inputSchema"):]] += " " + string(change.Witness)
			}
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, fmt.Sprint(got), fmt.Sprint(c.want))
		}
	}
}
