package decide

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

// A list of values that is the same in very many places of arguments and results has constants under the names
// after some of them, and a warning counts the others. Types keep all their names.
func TestOtherConstantsAreBounded(t *testing.T) {
	var values, members []string
	for i := range 100 {
		values = append(values, fmt.Sprintf(`"v%d"`, i))
	}
	for i := range 60 {
		members = append(members, fmt.Sprintf(`"m%02d":{"enum":[%s]}`, i, strings.Join(values, ",")))
	}
	in := json.RawMessage(`{"type":"object","properties":{` + strings.Join(members, ",") + `}}`)
	p, warnings := mustPackage(t, Input{Server: Server{Name: "s", Snapshot: &schema.Snapshot{Server: "s", Tools: []schema.Item{schemaTool(t, "many", in)}}}})
	types, consts := 0, 0
	for _, n := range p.Tools[0].Synonyms {
		if n.Value == "" {
			types++
		} else {
			consts++
		}
	}
	if types != 2*60 || consts != maxOtherConsts || p.Tools[0].Unnamed != 2*60*100-maxOtherConsts {
		t.Errorf("%d types, %d constants, %d without a name", types, consts, p.Tools[0].Unnamed)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0].String(), "7000 constants have no name after their place") {
		t.Errorf("warnings: %v", warnings)
	}
}
