package drift

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestOffers holds what is offered as a rename to what a reader sees.
func TestOffers(t *testing.T) {
	const operation = `{"default":"list","description":"The branch operation to perform.","type":"string","enum":["list","create","delete"]}`
	for _, c := range []struct {
		name, before, after string // properties
		want                string // old=new, sorted; ? before what is not certain
	}{
		{"nothing but the name", `"operation":` + operation, `"mode":` + operation, "?operation=mode"},
		{"a name that grew, of several", `"name":{"type":"string","description":"Branch name.","pattern":"^a"},"newName":{"type":"string","description":"New branch name.","pattern":"^a"}`,
			`"branchName":{"type":"string","description":"Branch name."},"newBranchName":{"type":"string","description":"New branch name."}`, "?name=branchName ?newName=newBranchName"},
		{"the separators", `"issueNumber":{"type":"integer"}`, `"issue_number":{"type":"integer"}`, "issueNumber=issue_number"},
		{"another type", `"page":{"type":"integer","description":"Page number"}`, `"after":{"type":"string","description":"Page cursor"}`, ""},
		{"nothing in common", `"branch":{"type":"string","description":"Branch to get contents from"}`, `"ref":{"type":"string","description":"Accepts optional git refs"}`, ""},
		{"two that are as good", `"a":` + operation, `"x":` + operation + `,"y":` + operation, ""},
		{"two old ones", `"x":` + operation + `,"y":` + operation, `"a":` + operation, ""},
		{"by its type alone", `"verbose":{"type":"boolean"}`, `"limit":{"type":"boolean"}`, ""},
		{"behind a reference", `"v":{"$ref":"#/$defs/o"}`, `"w":` + operation, "?v=w"},
	} {
		for _, side := range []string{"input", "output"} {
			whole := func(properties string) string {
				return `={"type":"object","properties":{` + properties + `},"$defs":{"o":` + operation + `}}`
			}
			r := mustCompare(t, snapshotOf(schemaCase{}.tool(side, whole(c.before))), snapshotOf(schemaCase{}.tool(side, whole(c.after))), &Options{})
			var got []string
			for _, f := range changesOfRule(r, side+"-property-renamed") {
				var was, is string
				if json.Unmarshal(f.Before, &was) != nil || json.Unmarshal(f.After, &is) != nil {
					t.Fatalf("%s: no names: %+v", c.name, f)
				}
				mark := ""
				if f.Possible {
					mark = "?"
				}
				if f.Possible != strings.HasPrefix(f.Message, "perhaps ") {
					t.Errorf("%s: %s", c.name, f.Message)
				}
				got = append(got, mark+was+"="+is)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%s, %s: got %q, want %q:%s", c.name, side, got, c.want, printReport(r))
			}
		}
	}
}
