package drift

import (
	"strings"
	"testing"
)

// TestAlike wants members that changed by the same change of their names to be
// judged alike, however short the names are.
func TestAlike(t *testing.T) {
	tool := func(names ...string) string {
		var members, required []string
		for _, n := range names {
			members = append(members, `"`+n+`":{"type":"string"}`)
			required = append(required, `"`+n+`"`)
		}
		return `{"name":"t","inputSchema":{"type":"object","additionalProperties":false,"properties":{` +
			strings.Join(members, ",") + `},"required":[` + strings.Join(required, ",") + `]}}`
	}
	for _, c := range []struct {
		name          string
		before, after []string
		renamed       int
	}{
		{"a drag", []string{"startRef", "endRef"}, []string{"startTarget", "endTarget"}, 2},
		{"with a third of them", []string{"a_ref", "start_ref", "end_ref"}, []string{"a_target", "start_target", "end_target"}, 3},
		{"one of its kind is not a pattern", []string{"endRef"}, []string{"endTarget"}, 0},
		{"two changes that have nothing in common", []string{"endRef", "owner"}, []string{"endTarget", "team"}, 0},
		{"nothing of the name is left", []string{"a", "b"}, []string{"x", "y"}, 0},
	} {
		changes := mustCompare(t, snapshotOf(tool(c.before...)), snapshotOf(tool(c.after...)), nil)
		renamed := changesOfRule(changes, "input-property-renamed")
		if len(renamed) != c.renamed {
			t.Errorf("%s: %d are renamed, want %d\n%s", c.name, len(renamed), c.renamed, printReport(changes))
		}
		for _, r := range renamed {
			if r.Severity != Breaking {
				t.Errorf("%s: %s is %s, want %v", c.name, r.Message, r.Severity, Breaking)
			}
		}
	}
}

// TestHintWords wants a hint that is not written to be called absent, whatever that
// means.
func TestHintWords(t *testing.T) {
	tool := func(annotations string) string {
		return `{"name":"t","inputSchema":{"type":"object"},"annotations":{` + annotations + `}}`
	}
	for _, c := range []struct{ before, after, rule, want string }{
		{`"readOnlyHint":true`, ``, "hint-readonly-dropped", "readOnlyHint was true and is absent"},
		{`"readOnlyHint":true`, `"readOnlyHint":false`, "hint-readonly-dropped", "readOnlyHint was true and is false"},
		{``, `"readOnlyHint":true`, "hint-readonly-claimed", "readOnlyHint was absent and is true"},
		{``, `"destructiveHint":false`, "hint-destructive-lowered", "destructiveHint was absent and is false"},
		{`"destructiveHint":false`, ``, "hint-destructive-raised", "destructiveHint was false and is absent"},
		{`"openWorldHint":false`, ``, "hint-openworld-raised", "openWorldHint was false and is absent"},
		{``, `"idempotentHint":true`, "hint-idempotent-claimed", "idempotentHint was absent and is true"},
	} {
		found := changesOfRule(mustCompare(t, snapshotOf(tool(c.before)), snapshotOf(tool(c.after)), nil), c.rule)
		if len(found) != 1 || found[0].Message != c.want {
			t.Errorf("%s to %s: %+v, want %s: %s", c.before, c.after, found, c.rule, c.want)
		}
	}
}
