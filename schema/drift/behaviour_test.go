package drift

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/compat"
	"github.com/mcpgen/mcpgen/schema/validate"
)

const (
	openTool   = `{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`
	wantedTool = `{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}`
)

func TestAccept(t *testing.T) {
	before, after := snapshotOf(openTool), snapshotOf(wantedTool)
	const rule = "input-property-became-required"
	hash := changesOfRule(mustCompare(t, before, after, nil), rule)[0].Hash
	entry := Accept{Server: "s", Tool: "t", Rule: rule, After: hash, Until: "2027-01-01", Reason: "known"}
	for _, c := range []struct {
		name   string
		change func(*Accept)
		after  *schema.Snapshot
		today  string
		want   []string
	}{
		{"accepted", func(*Accept) {}, after, "2026-12-31", nil},
		{"the last day counts", func(*Accept) {}, after, "2027-01-01", nil},
		{"no clock", func(*Accept) {}, after, "", nil},
		{"expired", func(*Accept) {}, after, "2027-01-02", []string{"accept-expired", rule}},
		{"a date that is none", func(a *Accept) { a.Until = "soon" }, after, "2026-12-31", []string{"accept-expired", rule}},
		{"another server's", func(a *Accept) { a.Server = "x" }, after, "", []string{rule}},
		{"another rule", func(a *Accept) { a.Rule = "tool-removed" }, after, "", []string{"accept-unused", rule}},
		{"another hash", func(a *Accept) { a.After = nothing() }, after, "", []string{"accept-unused", rule}},
		{"a further change", func(*Accept) {}, snapshotOf(strings.Replace(wantedTool, `"name"`, `"description":"b","name"`, 1)), "", []string{"accept-unused", rule, "tool-description-changed"}},
		{"unused", func(*Accept) {}, before, "", []string{"accept-unused"}},
	} {
		e := entry
		c.change(&e)
		r := mustCompare(t, before, c.after, &Options{Ignore: []Accept{e}, Today: c.today})
		var got []string
		for _, change := range r.Servers[0].Changes {
			got = append(got, change.Rule.String())
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestOverrides(t *testing.T) {
	const rule = "input-property-became-required"
	before, after := snapshotOf(openTool), snapshotOf(wantedTool)
	for _, c := range []struct {
		override Override
		want     Severity
	}{
		{Override{Rule: rule, Severity: Off}, Off},
		{Override{Rule: "input-*", Severity: Info}, Info},
		{Override{Rule: rule, Server: "other", Severity: Off}, Breaking},
		{Override{Rule: rule, Tool: "t*", Severity: Warning}, Warning},
		{Override{Rule: rule, Tool: "x*", Severity: Warning}, Breaking},
		{Override{Path: "/inputSchema/properties/*", Severity: Warning}, Warning},
		{Override{Path: "/inputSchema/properties/b", Severity: Warning}, Breaking},
		{Override{Rule: rule, Severity: "loud"}, Breaking},
	} {
		r := mustCompare(t, before, after, &Options{Rules: []Override{c.override}})
		got := Off
		if found := changesOfRule(r, rule); len(found) > 0 {
			got = found[0].Severity
		}
		if got != c.want {
			t.Errorf("%+v: got %s, want %s", c.override, got, c.want)
		}
	}
	last := &Options{Rules: []Override{{Rule: rule, Severity: Warning}, {Rule: "input-*", Severity: Info}}}
	if found := changesOfRule(mustCompare(t, before, after, last), rule); len(found) != 1 || found[0].Severity != Info {
		t.Errorf("of two overrides the last one counts: %+v", found)
	}
}

func TestSecurityIsNotSwitchedOff(t *testing.T) {
	before, after := toolWithHints(`{"readOnlyHint":true}`), toolWithHints(`{}`)
	all := Override{Rule: "hint-readonly-dropped", Severity: Off}
	if r := mustCompare(t, before, after, &Options{Rules: []Override{all}}); r.Verdict != Verdict(Breaking) {
		t.Errorf("switched off for all tools:%s", printReport(r))
	}
	one := all
	one.Tool = "t"
	if r := mustCompare(t, before, after, &Options{Rules: []Override{one}}); r.Verdict != Unchanged {
		t.Errorf("not switched off for one tool:%s", printReport(r))
	}
	for _, rule := range []string{"", "*", "hint-*"} { // covers the tool's other rules alone
		if r := mustCompare(t, before, after, &Options{Rules: []Override{{Rule: rule, Tool: "t", Severity: Off}}}); r.Verdict != Verdict(Breaking) {
			t.Errorf("switched off by the rule %q:%s", rule, printReport(r))
		}
	}
	for _, c := range []struct {
		override Override
		want     string
	}{
		{all, "cannot be switched off"},
		{one, ""},
		{Override{Rule: "nonsense", Severity: Off}, "no rule"},
		{Override{Rule: "tool-added", Severity: "loud"}, "not a severity"},
		{Override{Rule: "tool-added", Severity: Breaking}, ""},
	} {
		err := c.override.Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.override, err)
		}
	}
}

func TestProfiles(t *testing.T) {
	obj := func(props string) string {
		return `{"name":"t","inputSchema":{"type":"object","properties":{` + props + `}}}`
	}
	a, ab := obj(`"a":{"type":"string"}`), obj(`"a":{"type":"string"},"b":{"type":"integer"}`)
	gone := `{"name":"t","inputSchema":{"type":"object","properties":{}}}`
	worded := strings.Replace(a, `"name"`, `"description":"x","name"`, 1)
	spaced := strings.Replace(a, `"name"`, `"description":"","name"`, 1)
	_ = gone
	for _, c := range []struct {
		name, before, after string
		want                map[Profile]Verdict
	}{
		{"an optional argument", a, ab, map[Profile]Verdict{Caller: "info", Strict: "breaking", Source: "info", Model: "breaking", Pin: "breaking"}},
		{"an optional argument is gone", ab, a, map[Profile]Verdict{Caller: "warning", Strict: "warning", Source: "breaking", Model: "breaking", Pin: "breaking"}},
		{"a description", a, worded, map[Profile]Verdict{Caller: "info", Strict: "info", Source: "info", Model: "breaking", Pin: "breaking"}},
		{"spelling", a, strings.Replace(a, `"type":"object"`, `"required":[],"type":"object"`, 1), map[Profile]Verdict{Caller: "unchanged", Strict: "unchanged", Source: "unchanged", Model: "unchanged", Pin: "breaking"}},
		{"white space", a, " " + a, map[Profile]Verdict{Caller: "unchanged", Strict: "unchanged", Source: "unchanged", Model: "unchanged", Pin: "unchanged"}},
		{"an empty description", a, spaced, map[Profile]Verdict{Caller: "info", Pin: "breaking"}},
	} {
		for profile, want := range c.want {
			if r := mustCompare(t, snapshotOf(c.before), snapshotOf(c.after), &Options{Profile: profile}); r.Verdict != want {
				t.Errorf("%s, %s: got %s, want %s:%s", c.name, profile, r.Verdict, want, printReport(r))
			}
		}
	}
}

// A verdict about the schema as a whole is never lost, even where no keyword
// shows it.
func TestWholeSchema(t *testing.T) {
	deep := func(last string) string {
		return `{"name":"t","inputSchema":{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/$defs/x","minLength":1},{"type":"integer"}]}},"$defs":{"x":` + last + `}}}`
	}
	r := mustCompare(t, snapshotOf(deep(`{"type":"string"}`)), snapshotOf(deep(`{"type":"string","maxLength":4}`)), nil)
	if r.Verdict != Verdict(Breaking) {
		t.Errorf("a reference with neighbours: got %s, want breaking:%s", r.Verdict, printReport(r))
	}
	d := &schemaDiff{scope: (&comparer{ctx: t.Context(), opts: &Options{}, profile: Caller}).scope(schema.KindTool, "t", ""), part: Arguments, root: "/inputSchema"}
	d.before, _ = parse(json.RawMessage(`{"type":"string"}`))
	d.after, _ = parse(json.RawMessage(`{"type":"string","maxLength":1}`))
	for _, c := range []struct {
		whole compat.Verdict
		worst Severity
		want  string
	}{
		{compat.Verdict{Answer: compat.NotContained, Witness: json.RawMessage(`"xx"`)}, Warning, "input-schema-changed breaking"},
		{compat.Verdict{Answer: compat.NotContained}, Breaking, ""},
		{compat.Verdict{Answer: compat.Unknown, Reason: "r"}, Info, "input-schema-undecided unknown"},
		{compat.Verdict{Answer: compat.Unknown}, Unknown, ""},
		{compat.Verdict{Answer: compat.Contained}, Off, "input-schema-changed info"},
		{compat.Verdict{Answer: compat.Contained}, Info, ""},
	} {
		d.changes = nil
		d.summary(c.whole, c.worst)
		got := ""
		if len(d.changes) > 0 {
			got = d.changes[0].Rule.String() + " " + string(d.changes[0].Severity)
		}
		if got != c.want {
			t.Errorf("%v, worst %s: got %q, want %q", c.whole.Answer, c.worst, got, c.want)
		}
	}
}

// checkWitnesses holds every breaking finding about a schema to its witness.
func checkWitnesses(t *testing.T, r *Report, before, after *schema.Snapshot) (with, without int) {
	t.Helper()
	was, is := byName(before.Tools), byName(after.Tools)
	for _, c := range r.Servers[0].Changes {
		if c.Kind != schema.KindTool || !c.Rule.Decides() || c.Severity != Breaking {
			continue
		}
		if c.Witness == nil {
			without++
			if !strings.Contains(c.Message, "no witness") {
				t.Errorf("%s %s: neither a witness nor a reason: %s", c.Name, c.Rule, c.Message)
			}
			continue
		}
		with++
		if was[c.Name] == nil || is[c.Name] == nil {
			continue // renamed
		}
		member, from, to := "inputSchema", was[c.Name], is[c.Name]
		if c.Rule.Part() == Results {
			member, from, to = "outputSchema", to, from
		}
		opened := &schema.Item{Raw: bytes.ReplaceAll(from.Raw, []byte(`"oneOf"`), []byte(`"anyOf"`))} // as generated code takes it
		if err := validateValue(t, from, member, c.Witness); err != nil && validateValue(t, opened, member, c.Witness) != nil {
			t.Errorf("%s %s: the witness %s does not fit where it comes from: %v", c.Name, c.Rule, c.Witness, err)
		}
		if err := validateValue(t, to, member, c.Witness); err == nil {
			t.Errorf("%s %s: the witness %s fits where it should not", c.Name, c.Rule, c.Witness)
		}
	}
	return with, without
}

func validateValue(t *testing.T, item *schema.Item, member string, value json.RawMessage) error {
	t.Helper()
	raw := members(item.Raw)[member]
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	s, err := validate.New(raw)
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(value)
}

func TestWitnesses(t *testing.T) {
	with, without := 0, 0
	for _, c := range schemaCases() {
		for _, side := range []string{"input", "output"} {
			before, after := snapshotOf(c.tool(side, c.before)), snapshotOf(c.tool(side, c.after))
			x, y := checkWitnesses(t, mustCompare(t, before, after, &Options{}), before, after)
			with, without = with+x, without+y
		}
	}
	t.Logf("%d breaking findings with a witness, %d without", with, without)
	if without*10 > with {
		t.Errorf("%d of %d breaking findings have no witness", without, with+without)
	}
}

// A witness shows its own finding, not another one of the same schema.
func TestWitnessOfEachFinding(t *testing.T) {
	tool := func(props, rest string) string {
		return `{"name":"t","inputSchema":{"type":"object","additionalProperties":false,"properties":{` + props + `}` + rest + `}}`
	}
	before := tool(`"a":{"enum":["x","y"]},"b":{"type":"array","items":{"type":"object","properties":{"c":{"type":"integer"}}}},"d":{"type":"string"}`, ``)
	after := tool(`"a":{"enum":["x"]},"b":{"type":"array","items":{"type":"object","properties":{"c":{"type":"integer","maximum":5}}}},"e":{"type":"integer"}`, `,"required":["e"]`)
	r := mustCompare(t, snapshotOf(before), snapshotOf(after), nil)
	for rule, want := range map[string]string{
		"input-enum-value-removed":      `"a":"y"`,
		"input-maximum-tightened":       `"b":[{"c":`,
		"input-property-removed":        `"d":`,
		"input-property-added-required": ``,
	} {
		got := changesOfRule(r, rule)
		if len(got) != 1 || got[0].Severity != Breaking || !strings.Contains(string(got[0].Witness), want) || strings.Contains(got[0].Message, "as a whole") {
			t.Errorf("%s: want a witness with %s:%s\n\t%v", rule, want, printReport(r), got)
		}
	}
}

func TestFirstLook(t *testing.T) {
	after := snapshotOf(`{"name":"t","description":"Lists\u200b issues.","inputSchema":{"type":"object","properties":{"a":{"$ref":"https://example.com/s.json"}}}}`)
	for _, c := range []struct {
		name          string
		before, after *schema.Snapshot
		state         string
		rules         []string
	}{
		{"a new server", nil, after, "new", []string{"input-schema-ref-external", "text-invisible"}},
		{"nothing from nothing", nil, nil, "new", nil},
		{"everything gone", after, nil, "checked", []string{"tool-removed"}},
	} {
		r := mustCompare(t, c.before, c.after, nil)
		var rules []string
		for _, change := range r.Servers[0].Changes {
			rules = append(rules, change.Rule.String())
		}
		if r.Servers[0].State != c.state || !slices.Equal(rules, c.rules) {
			t.Errorf("%s: got the state %q and the rules %q, want %q and %q:%s", c.name, r.Servers[0].State, rules, c.state, c.rules, printReport(r))
		}
	}
}

// Text is looked at wherever it stands.
func TestTextIsFoundEverywhere(t *testing.T) {
	const bad = `"ab\u200bcd"`
	before := `{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`
	for _, after := range []string{
		`{"name":"t","title":` + bad + `,"inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`,
		`{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string","enum":[` + bad + `]}}}}`,
		`{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string","const":` + bad + `}}}}`,
		`{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string","default":` + bad + `}}}}`,
		`{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string","examples":[` + bad + `]}}}}`,
		`{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string","$comment":` + bad + `}}}}`,
		`{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"},` + bad + `:{}}}}`,
		`{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}},"outputSchema":{"type":"object","description":` + bad + `}}`,
		`{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}},"annotations":{"title":` + bad + `}}`,
		`{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}},"_meta":{"x":[` + bad + `]}}`,
	} {
		if r := mustCompare(t, snapshotOf(before), snapshotOf(after), nil); len(changesOfRule(r, "text-invisible")) != 1 {
			t.Errorf("not found in %s:%s", after, printReport(r))
		}
		if r := mustCompare(t, snapshotOf(after), snapshotOf(strings.Replace(after, `"name":"t"`, `"name":"t","x":1`, 1)), nil); len(changesOfRule(r, "text-invisible")) != 0 {
			t.Errorf("old text is reported:%s", printReport(r))
		}
	}
	s := snapshotOf()
	s.Instructions = "Lists\u200b."
	s.Prompts = snapshotListing(schema.KindPrompt, `{"name":"p","description":`+bad+`}`).Prompts
	s.Identity = json.RawMessage(`{"name":` + bad + `}`)
	if r := mustCompare(t, nil, s, nil); len(changesOfRule(r, "text-invisible")) != 3 {
		t.Errorf("want a finding in instructions, prompts and identity each:%s", printReport(r))
	}
}

func TestHonestText(t *testing.T) {
	for _, text := range []string{
		"👩\u200d💻 runs code ✔\ufe0f 1\ufe0f\u20e3", "می\u200cخواهم", "क्\u200dष", "Δ of μ-values in °C", "שלום\u200f!", "Donau\u00addampf",
		"Use list_issues to list issues. Important: pages start at 1.",
		"Overrides all branch protection rules.", "Do not show drafts.", "Ignore case in all file names.",
		"Reads the region from the profile of the command line.", "See https://example.com/docs for how to post.",
	} {
		if r := mustCompare(t, toolDescribed("x"), toolDescribed(text), nil); r.Verdict == Verdict(Breaking) {
			t.Errorf("%q: got a breaking change, want none:%s", text, printReport(r))
		}
	}
}

// Renames are claimed with the confidence that the evidence allows.
func TestRenames(t *testing.T) {
	def := func(name, props, description string) string {
		return `{"name":"` + name + `","description":"` + description + `","inputSchema":{"type":"object","properties":{` + props + `}}}`
	}
	query := `"query":{"type":"string"},"limit":{"type":"integer"}`
	two := `"a":{"type":"number"},"b":{"type":"number"}`
	for _, c := range []struct {
		name          string
		before, after []string
		want          string // "" means no claim
	}{
		{"case", []string{def("getUser", query, "a")}, []string{def("get-user", `"x":{}`, "b")}, "certain"},
		{"likely", []string{def("search_issues", query, "Searches issues.")}, []string{def("search_issue", query, "Searches issues.")}, "likely"},
		{"possible", []string{def("search_tools", query, "Searches the tools.")}, []string{def("search_sentry_tools", query, "Searches the tools.")}, "perhaps"},
		{"by its arguments", []string{def("add", two, "Adds two numbers")}, []string{def("get-sum", two, "Returns the sum of two numbers"), def("get-env", "", "Returns the environment")}, "perhaps"},
		{"by arguments that all have", []string{def("list_runs", two, "Lists all runs")}, []string{def("add_label", two, "Sets a label"), def("get_label", two, "Reads a label"), def("drop_label", two, "Takes a label away")}, ""},
		{"several became one", []string{def("read_one", query, "Reads one of them."), def("read_two", query, "Reads two of them.")}, []string{def("read", query, "Reads some of them.")}, ""},
		{"none", []string{def("get_pull_request", query, "Reads one.")}, []string{def("star_repository", `"owner":{}`, "Stars it.")}, ""},
		{"rivals", []string{def("list_items", query, "a")}, []string{def("list_items1", query, "a"), def("list_items2", query, "a")}, ""},
	} {
		got := changesOfRule(mustCompare(t, snapshotOf(c.before...), snapshotOf(c.after...), nil), "tool-renamed")
		switch {
		case c.want == "" && len(got) > 0:
			t.Errorf("%s: got the claim %q, want none", c.name, got[0].Message)
		case c.want != "" && (len(got) != 1 || !strings.Contains(got[0].Message, c.want)):
			t.Errorf("%s: want %s, got %v", c.name, c.want, got)
		}
	}
}

// Whoever confirms a possible rename moves calls to the new item, so its hints and texts are compared.
func TestPossibleRenameIsCompared(t *testing.T) {
	def := func(name, description, annotations string) string {
		return `{"name":"` + name + `","description":"` + description + `","annotations":` + annotations + `,"inputSchema":{"type":"object","properties":{"number":{"type":"integer"}}}}`
	}
	before := def("get_issue", "Gets an issue by its number.", `{"readOnlyHint":true}`)
	after := def("fetch_issue", "Gets an issue by its number, and deletes it if it is old.", `{"readOnlyHint":false,"destructiveHint":true}`)
	r := mustCompare(t, snapshotOf(before), snapshotOf(after), nil)
	if got := changesOfRule(r, "tool-renamed"); len(got) != 1 || !got[0].Possible {
		t.Fatalf("want one possible rename:%s", printReport(r))
	}
	for _, rule := range []string{"hint-readonly-dropped", "tool-description-changed"} {
		if got := changesOfRule(r, rule); len(got) != 1 || got[0].Name != "get_issue" || got[0].Hash != hashOf(json.RawMessage(after)) {
			t.Errorf("want one %s of get_issue, with the hash of the new definition:%s", rule, printReport(r))
		}
	}
}

// Reports can be printed: messages have nothing that acts on a terminal.
func TestMessagesArePrintable(t *testing.T) {
	bad := "\x1b[31m\u202e\n::error::x"
	raw, _ := json.Marshal(bad)
	q := string(raw)
	before := `{"name":"t","inputSchema":{"type":"object","properties":{"a":{"enum":[1]}}}}`
	after := `{"name":"t","inputSchema":{"type":` + q + `,"properties":{` + q + `:{"type":` + q + `,"pattern":` + q + `},"a":{"enum":[` + q + `],"format":` + q + `,` + q + `:1,"$ref":` + q + `}},"required":[` + q + `],"x-mcp-header":` + q + `},` + q + `:1,"icons":[{"src":` + q + `}],"execution":{"taskSupport":` + q + `}}`
	r := mustCompare(t, snapshotOf(before), snapshotOf(after), &Options{Profile: Pin})
	if len(r.Servers[0].Changes) < 10 {
		t.Errorf("got %d changes, want at least 10:%s", len(r.Servers[0].Changes), printReport(r))
	}
	for _, c := range r.Servers[0].Changes {
		if strings.ContainsFunc(c.Message, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%s: the message is not printable: %q", c.Rule, c.Message)
		}
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

func TestJoin(t *testing.T) {
	good, bad := mustCompare(t, snapshotOf(openTool), snapshotOf(openTool), nil), mustCompare(t, snapshotOf(openTool), snapshotOf(wantedTool), nil)
	lost := &Report{Servers: []ServerReport{{Server: "x", Verdict: Unchecked, State: "unreachable", Error: "down"}}}
	for _, c := range []struct {
		name    string
		reports []*Report
		verdict Verdict
		servers int
		breaks  int
	}{
		{"none", nil, Unchanged, 0, 0},
		{"good, nil and bad", []*Report{good, nil, bad}, Verdict(Breaking), 2, 1},
		{"one that could not be checked is worse", []*Report{bad, lost}, Unchecked, 2, 1},
	} {
		r, breaks := Join(c.reports...), 0
		for _, s := range r.Servers {
			for _, change := range s.Changes {
				if change.Severity == Breaking {
					breaks++
				}
			}
		}
		if r.Verdict != c.verdict || len(r.Servers) != c.servers || breaks != c.breaks {
			t.Errorf("%s: got %s, %d servers, %d breaking changes, want %s, %d, %d", c.name, r.Verdict, len(r.Servers), breaks, c.verdict, c.servers, c.breaks)
		}
	}
}
