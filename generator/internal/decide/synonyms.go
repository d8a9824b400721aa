package decide

import (
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// maxOtherConsts bounds the constants of a tool that are declared once more, under the
// names after their places: a list of values that is the same in a thousand places has
// each value a thousand times.
const maxOtherConsts = 5000

// boundSynonyms leaves out the other names of constants beyond the bound, all of a type
// or none. Types keep theirs.
func (t *tool) boundSynonyms(w *warner) {
	count := 0
	for d := range t.decls() {
		consts := 0
		for _, n := range d.synonyms {
			if n.Value != "" {
				consts++
			}
		}
		if count+consts <= maxOtherConsts {
			count += consts
			continue
		}
		t.unnamed += consts
		d.synonyms = slices.DeleteFunc(slices.Clone(d.synonyms), func(n ir.Synonym) bool { return n.Value != "" })
	}
	if t.unnamed > 0 && t.wanted {
		w.add(t.wire, "", fmt.Sprintf("%d constants have no name after their place, beside the %d that have", t.unnamed, count), "use those of their types")
	}
}
