package decide

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
)

// afterEdit locks a surface, accepts an edit of it, and returns what is generated then.
func afterEdit(t *testing.T, before, after *schema.Snapshot) (*ir.Package, Input) {
	t.Helper()
	in := Input{Server: Server{Name: "srv", Snapshot: before}}
	names, err := AssignNames(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	in.Locked = lockOf(before, names)
	in.Snapshot = after
	if names, err = AssignNames(t.Context(), in, before); err != nil {
		t.Fatal(err)
	}
	in.Locked = lockOf(after, names)
	p, _ := mustPackage(t, in)
	return p, in
}

func typeNamed(p *ir.Package, name string) *ir.Type {
	i := slices.IndexFunc(p.Types, func(t *ir.Type) bool { return t.Go == name })
	if i < 0 {
		return nil
	}
	return p.Types[i]
}

// typesOf are the names of the nested types.
func typesOf(p *ir.Package) string {
	var names []string
	for _, t := range p.Types {
		if !strings.HasSuffix(t.Go, "Args") && !strings.HasSuffix(t.Go, "Result") {
			names = append(names, t.Go)
		}
	}
	return strings.Join(names, " ")
}

const (
	issueTool = `{"name":"NAME","inputSchema":{"type":"object","properties":{"filter":FILTER}},"outputSchema":{"type":"object",
		"properties":{"issue":{"type":"object","properties":{"state":STATE,"title":{"type":"string"}},"additionalProperties":false}}}}`
	stateEnum  = `{"enum":["open","closed"]}`
	filterType = `{"type":"object","additionalProperties":false,"properties":{"kind":{"enum":["bug","task"]},"limit":{"type":"integer"}}}`
)

func issues(name string, change ...string) string {
	out := strings.NewReplacer(change...).Replace(issueTool)
	return strings.NewReplacer("NAME", name, "FILTER", filterType, "STATE", stateEnum).Replace(out)
}

func TestTypesStayOne(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change []string
		typ    string
		want   string // the note of a constant, or of the last field
		limits int    // of "get"
	}{
		{"value of a result", []string{"STATE", `{"enum":["open","closed","new"]}`}, "State", `StateNew: Only in the tool "list".`, 0},
		{"value gone from a result", []string{"STATE", `{"enum":["open"]}`}, "State", `StateClosed: Only in the tool "get".`, 0},
		{"member of a result", []string{`"title":{"type":"string"}`, `"title":{"type":"string"},"body":{"type":"string"}`}, "Issue", `Only in the tool "list".`, 0},
		{"required member of a result", []string{`"title":{"type":"string"}}`, `"title":{"type":"string"},"body":{"type":"string"}},"required":["body"]`}, "Issue", `Only in the tool "list".`, 0},
		{"member required in a result", []string{`"title":{"type":"string"}}`, `"title":{"type":"string"}},"required":["title"]`}, "Issue", "", 0},
		{"any member of a result", []string{`"additionalProperties":false`, `"additionalProperties":true`}, "Issue", "", 0},
		{"value of an argument", []string{"FILTER", strings.Replace(filterType, `"task"`, `"task","epic"`, 1)}, "Kind", `KindEpic: Only in the tool "list".`, 3},
		{"member of an argument", []string{"FILTER", strings.Replace(filterType, `"limit"`, `"page":{"type":"integer"},"limit"`, 1)}, "Filter", `Only in the tool "list".`, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := snapshotOf(t, issues("get"), issues("list"))
			p, _ := afterEdit(t, before, snapshotOf(t, issues("get"), issues("list", tt.change...)))
			if got := typesOf(p); got != "Filter Issue Kind State" {
				t.Fatalf("the types are %s", got)
			}
			typ := typeNamed(p, tt.typ)
			var notes []string
			for _, k := range typ.Consts {
				notes = append(notes, k.Go+": "+k.Note)
			}
			if typ.Kind == ir.Struct {
				notes = typ.Fields[len(typ.Fields)-1].Doc.Notes
			}
			if tt.want != "" && !slices.Contains(notes, tt.want) {
				t.Errorf("notes are %q, want %q", notes, tt.want)
			}
			if got := typ.Extra != nil; got != strings.HasPrefix(tt.name, "any member") {
				t.Errorf("keeps undeclared members: %t", got)
			}
			for _, tool := range p.Tools {
				want := 0
				if tool.Wire == "get" {
					want = tt.limits
				}
				if len(tool.Limits) != want {
					t.Errorf("%s has the limits %+v, want %d", tool.Wire, tool.Limits, want)
				}
			}
		})
	}
}

// An edit leaves a type alone that has a name and happens to equal the edited place.
func TestNeighboursStayAsTheyAre(t *testing.T) {
	more := strings.Replace(filterType, `"limit"`, `"page":{"type":"integer"},"limit"`, 1)
	other := issues("find")
	before := snapshotOf(t, other, issues("get", "FILTER", more), issues("list", "FILTER", more))
	p, in := afterEdit(t, before, snapshotOf(t, other, issues("get", "FILTER", more), issues("list")))
	find, get := typeNamed(p, "FindFilter"), typeNamed(p, "Filter")
	if find == nil || get == nil || len(find.Fields) != 2 || len(get.Fields) != 3 {
		t.Errorf("the types are %s: %+v and %+v", typesOf(p), find, get)
	}
	if got := Pinned(in.Locked.Tools["list"]).Names["/inputSchema/properties/filter/like"]; got != "Filter" {
		t.Errorf("the type of list is like %q", got)
	}
}

// A union stays one if a variant gets a required member.
func TestUnionsStayOne(t *testing.T) {
	const event = `{"anyOf":[{"type":"object","properties":{"type":{"const":"made"},"at":{"type":"string"}},"required":["type"]},
		{"type":"object","properties":{"type":{"const":"gone"},"why":{"type":"string"}},"required":["type"]}]}`
	more := strings.Replace(event, `"why":{"type":"string"}},"required":["type"`, `"why":{"type":"string"},"by":{"type":"string"}},"required":["type","by"`, 1)
	before := snapshotOf(t, issues("get", "STATE", event), issues("list", "STATE", event))
	p, _ := afterEdit(t, before, snapshotOf(t, issues("get", "STATE", event), issues("list", "STATE", more)))
	if got := typesOf(p); got != "Filter Issue Kind State StateGone StateMade" {
		t.Errorf("the types are %s", got)
	}
}

// A member that code reads at one place as always there stays so, if another place has it no longer or not always.
func TestRequiredStaysRequired(t *testing.T) {
	required := func(name string) string {
		return strings.Replace(issues(name), `"additionalProperties":false}}}}`, `"required":["title"],"additionalProperties":false}}}}`, 1)
	}
	for name, change := range map[string][]string{"optional": nil, "gone": {`,"title":{"type":"string"}`, ""}} {
		t.Run(name, func(t *testing.T) {
			p, _ := afterEdit(t, snapshotOf(t, required("get"), required("list")), snapshotOf(t, required("get"), issues("list", change...)))
			typ := typeNamed(p, "Issue")
			if got := fieldOf(typ, "title"); got == nil || got.Presence != ir.Required || typeNamed(p, "ListIssue") == nil {
				t.Errorf("the types are %s, and the title of Issue is %+v", typesOf(p), got)
			}
		})
	}
}

// What one type cannot hold is two, and what is around it, too.
func TestTypesDivide(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change []string
		typ    string
	}{
		{"a type that changed", []string{"STATE", `{"type":"string"}`}, "Issue"},
		{"a member that may contain itself", []string{`"title":{"type":"string"}`, `"title":{"type":"string"},"more":{"type":["object","null"],"properties":{"x":{"type":"string"}}}`}, "Issue"},
		{"a member that may be null", []string{`"title":{"type":"string"}}`, `"title":{"type":"string"},"body":{"type":["string","null"]}},"required":["body"]`}, "Issue"},
		{"an argument that is required", []string{"FILTER", strings.Replace(filterType, `"properties":{`, `"required":["page"],"properties":{"page":{"type":"integer"},`, 1)}, "Filter"},
		{"any argument", []string{"FILTER", strings.Replace(filterType, "false", "true", 1)}, "Filter"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := snapshotOf(t, issues("get"), issues("list"), issues("show"))
			tools := map[string]string{"get": issues("get"), "list": issues("list"), "show": issues("show")}
			for edited := range tools { // the name was given for the place in get
				after := maps.Clone(tools)
				after[edited] = issues(edited, tt.change...)
				p, _ := afterEdit(t, before, snapshotOf(t, after["get"], after["list"], after["show"]))
				own := exported(edited) + tt.typ
				if typeNamed(p, own) == nil {
					t.Errorf("the types are %s, want also %s", typesOf(p), own)
				}
				for _, typ := range p.Types {
					for _, f := range typ.Fields {
						if name := f.Type.Base().Decl; name != nil && strings.HasSuffix(name.Go, tt.typ) && (name.Go == tt.typ) == (typ.Tool == edited) {
							t.Errorf("%s has a field of type %s, and the edited tool is %s", typ.Go, name.Go, edited)
						}
					}
				}
			}
		})
	}
}

// A place of arguments behind a union is found by the members of objects. If variants have
// members that they do not declare, limits cannot find it, and the type is one of its own.
func TestUnclearPlaces(t *testing.T) {
	const closed = `{"anyOf":[{"type":"object","properties":{"a":{"type":"string"},"state":STATE}},
		{"type":"object","properties":{"b":{"type":"string"},"state":STATE}}]}`
	open := strings.Replace(closed, `"properties"`, `"additionalProperties":{"type":"integer"},"properties"`, 1)
	for filter, want := range map[string]struct{ values, limits int }{closed: {3, 7}, open: {2, 0}} {
		before := snapshotOf(t, issues("get", "FILTER", filter), issues("list", "FILTER", filter))
		after := snapshotOf(t, issues("get", "FILTER", filter), issues("list", "FILTER", strings.Replace(filter, "STATE", `{"enum":["open","closed","new"]}`, 1)))
		p, _ := afterEdit(t, before, after)
		if typ := typeNamed(p, "State"); typ == nil || len(typ.Consts) != want.values {
			t.Errorf("State is %+v, want %d values", typ, want.values)
		}
		for _, tool := range p.Tools {
			if len(tool.Limits) != want.limits {
				t.Errorf("%s has the limits %+v, want %d", tool.Wire, tool.Limits, want.limits)
			}
		}
	}
}

// The lock says which types belong together, and nothing but what fits.
func TestLikeIsChecked(t *testing.T) {
	const key = "/outputSchema/properties/issue/properties/state/like"
	before := snapshotOf(t, issues("get"), issues("list"))
	_, in := afterEdit(t, before, snapshotOf(t, issues("get"), issues("list", "STATE", `{"enum":["open","new"]}`)))
	if got := Pinned(in.Locked.Tools["list"]).Names[key]; got != "State" {
		t.Fatalf("the lock says %q", got)
	}
	in.Locked.Tools["list"] = withName(in.Locked.Tools["list"], key, "Filter")
	if _, _, err := Package(t.Context(), in); err == nil || !strings.Contains(err.Error(), "which does not fit the schema of this type") {
		t.Errorf("got %v", err)
	}
}

// A member that is a struct at one place and a map at another stays the struct, if that takes
// what the map does: also if the place with the map is the one that the name was given for.
func TestMapsStayStructs(t *testing.T) {
	const access = `"access":{"type":"object","properties":{"type":{"type":"string"}}}`
	for more, want := range map[string]string{
		`"additionalProperties":{}`:                "Access Filter Issue Network State",
		`"additionalProperties":{"type":"string"}`: "Access Filter Issue Network State",
		`"title":"The struct takes declared ones"`: "Access Filter GetFilter Issue Network State",
	} {
		tool := func(name, members string) string {
			return issues(name, "FILTER", `{"type":"object","properties":{"network":{"type":"object","properties":{`+members+`},`+more+`}},"examples":[{"network":{"mtu":"1500"}}]}`)
		}
		before := snapshotOf(t, tool("get", access), tool("list", access))
		p, in := afterEdit(t, before, snapshotOf(t, tool("get", ""), tool("list", access)))
		if got := typesOf(p); !sameWords(got, want) {
			t.Errorf("%s: the types are %s, want %s", more, got, want)
		}
		list := typeNamed(p, "ListArgs").Fields[0].Type
		if list.Base().Decl.Go != "Filter" {
			t.Errorf("%s: the filter of list is %s", more, list.Base().Decl.Go)
		}
		in.Types = []TypeChoice{{Key: "get/args/filter/network/access", Value: "Door"}}
		if _, _, err := Package(t.Context(), in); err == nil {
			t.Errorf("%s: a type that get has no longer was named", more)
		}
	}
}

func sameWords(x, y string) bool {
	return slices.Equal(slices.Sorted(strings.FieldsSeq(x)), slices.Sorted(strings.FieldsSeq(y)))
}

// Without the tool that has the name, the others keep it.
func TestTypesStayWithoutTheirHome(t *testing.T) {
	before := snapshotOf(t, issues("get"), issues("list"), issues("find"))
	_, in := afterEdit(t, before, snapshotOf(t, issues("get"), issues("list", "STATE", `{"enum":["open","new"]}`), issues("find", "STATE", `{"enum":["open","closed","lost"]}`)))
	in.Exclude = []string{"find"}
	p, _ := mustPackage(t, in)
	typ := typeNamed(p, "State")
	if typ == nil || len(typ.Consts) != 3 {
		t.Errorf("State is %+v, want the values of the two tools", typ)
	}
}
