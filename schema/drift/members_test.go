package drift

import (
	"slices"
	"strings"
	"testing"
)

// A member that another schema still has, or takes, is not said to be gone; and what cannot
// be paired is said once, and not for each member.
func TestMembersThatStay(t *testing.T) {
	const (
		page   = `{"type":"object","required":["id"],"properties":{"id":{"type":"string"},"title":{"type":"string"}},"additionalProperties":false}`
		either = `{"type":"object","properties":{"kind":{"type":"string","enum":["x","y"]},"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}}}`
		ofX    = `{"type":"object","required":["kind","a"],"properties":{"kind":{"const":"x"},"a":{"type":"string"}}}`
		ofY    = `{"type":"object","required":["kind","b","c"],"properties":{"kind":{"const":"y"},"b":{"type":"string"},"c":{"type":"string"}}}`
	)
	for _, c := range []struct{ name, before, after, want string }{
		{"one of two alternatives now", page, `{"anyOf":[` + page + `,{"type":"string"}]}`, "input-union-branch-added"},
		{"described beside them", `{"type":"string","description":"d","default":"x"}`, `{"oneOf":[{"type":"string"},{"type":"null"}],"description":"d","default":"x"}`, "input-union-branch-added"},
		{"behind a reference", page, `{"oneOf":[{"$ref":"#/$defs/page"},{"type":"string"}]}`, "input-union-branch-added"},
		{"the one that is left", `{"anyOf":[` + page + `,{"type":"string"}]}`, page, "input-union-branch-removed"},
		{"changed in it", page, `{"anyOf":[` + strings.Replace(page, `"title":{"type":"string"}`, `"title":{"type":"string","maxLength":3}`, 1) + `,{"type":"string"}]}`,
			"input-max-length-tightened input-union-branch-added"},
		{"alternatives that cannot be paired", either, `{"oneOf":[` + ofX + `,` + ofY + `]}`, "input-union-added"},
		{"of the same, the other way round", `{"oneOf":[` + ofX + `,` + ofY + `]}`, either, "input-union-removed"},
		{"no object any more", page, `{"type":"string"}`, "input-type-changed"},
		{"an open map now", page, `{"type":"object","additionalProperties":true}`, "input-additional-properties-allowed input-property-removed input-property-removed"},
	} {
		whole := func(v string) string {
			return `={"type":"object","properties":{"v":` + v + `},"$defs":{"page":` + page + `}}`
		}
		r := mustCompare(t, snapshotOf(schemaCase{}.tool("input", whole(c.before))), snapshotOf(schemaCase{}.tool("input", whole(c.after))), &Options{})
		var got []string
		for _, f := range r.Servers[0].Changes {
			got = append(got, f.Rule.String())
			if strings.HasPrefix(f.Remedy(), "leave") {
				t.Errorf("%s: %s: %s", c.name, f.Message, f.Remedy())
			}
		}
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %q, want %q:%s", c.name, got, c.want, printReport(r))
		}
	}
}

// A value of a finding's own decides, though its place has a part that cannot be judged.
func TestUndecidedBeside(t *testing.T) {
	before := `={"type":"object","properties":{"e":{"type":"string","pattern":"^(?!a)b"},"s":{"type":"boolean"}}}`
	after := `={"type":"object","properties":{"e":{"type":"string","pattern":"^(?!c)b"}},"additionalProperties":false}`
	r := mustCompare(t, snapshotOf(schemaCase{}.tool("input", before)), snapshotOf(schemaCase{}.tool("input", after)), &Options{})
	for rule, want := range map[string]Severity{"input-property-removed": Breaking, "input-pattern-changed": Unknown} {
		if got := changesOfRule(r, rule); len(got) != 1 || got[0].Severity != want || (want == Breaking) != (got[0].Witness != nil) {
			t.Errorf("%s: want %s:%s", rule, want, printReport(r))
		}
	}
}
