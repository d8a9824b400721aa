package decide

import (
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

func TestBeyondInt64(t *testing.T) {
	for bounds, want := range map[string]bool{
		`{"minimum":0,"maximum":18446744073709551615}`:              true,
		`{"minimum":0,"exclusiveMaximum":18446744073709551616}`:     true,
		`{"minimum":0,"exclusiveMaximum":1.8446744073709551616e19}`: true,
		`{"exclusiveMinimum":0,"maximum":9223372036854775808}`:      true,
		`{"minimum":9223372036854775808}`:                           true,
		`{"minimum":0,"maximum":9e18,"exclusiveMaximum":1e19}`:      false,
		`{"minimum":0,"exclusiveMaximum":9223372036854775808}`:      false,
		`{"minimum":0,"maximum":9223372036854775807}`:               false,
		`{"minimum":0,"maximum":18446744073709551616}`:              false, // no type of Go holds it
		`{"minimum":-1,"maximum":18446744073709551615}`:             false,
		`{"exclusiveMinimum":-5,"maximum":18446744073709551615}`:    false,
		`{"minimum":0}`:                                  false,
		`{"maximum":18446744073709551615}`:               false,
		`{"minimum":18446744073709551616}`:               false,
		`{"minimum":9223372036854775808,"maximum":1e99}`: false,
	} {
		d, err := jsonschema.Parse(json.RawMessage(bounds))
		if err != nil {
			t.Fatal(err)
		}
		if got := beyondInt64(d.Root); got != want {
			t.Errorf("beyondInt64(%s) = %v, want %v", bounds, got, want)
		}
	}
}
