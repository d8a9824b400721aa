package compat_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema/compat"
)

// The same question has the same answer each time, with the same reason, witness
// and number of steps: nothing depends on the order of a map.
func TestSameAnswerEachTime(t *testing.T) {
	var names, required, depend []string
	for i := range 12 {
		names = append(names, fmt.Sprintf(`"m%d":{"type":"string","pattern":"^a{%d,}$"}`, i, i+1))
		required = append(required, fmt.Sprintf(`"m%d"`, i))
		depend = append(depend, fmt.Sprintf(`"m%d":["x%d"]`, i, i))
	}
	object := `{"type":"object","properties":{` + strings.Join(names, ",") + `}`
	for name, pair := range map[string][2]string{
		"many that became required beside others": {object + `}`, object + `,"dependentRequired":{` + strings.Join(depend, ",") + `}}`},
		"required members without a value":        {object + `,"required":[` + strings.Join(required, ",") + `],"minProperties":14}`, object + `,"maxProperties":13}`},
	} {
		a, b := parseDocument(t, json.RawMessage(pair[0])), parseDocument(t, json.RawMessage(pair[1]))
		for _, steps := range []int{0, 50, 200} {
			first := compat.Check(t.Context(), a, b, &compat.Options{MaxSteps: steps})
			for range 20 {
				if again := compat.Check(t.Context(), a, b, &compat.Options{MaxSteps: steps}); !reflect.DeepEqual(again, first) {
					t.Fatalf("%s, %d steps:\n%+v\n%+v", name, steps, first, again)
				}
			}
		}
	}
}
