package drift

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

// snapshotOf makes a snapshot of definitions, without checking them.
func snapshotOf(tools ...string) *schema.Snapshot {
	s := &schema.Snapshot{Server: "s"}
	for _, raw := range tools {
		s.Tools = append(s.Tools, itemOf(schema.KindTool, "name", raw))
	}
	return s
}

func itemOf(kind schema.Kind, member, raw string) schema.Item {
	var m map[string]any
	_ = json.Unmarshal([]byte(raw), &m) // broken definitions have the name t
	name, ok := m[member].(string)
	if !ok {
		name = "t"
	}
	return schema.Item{Kind: kind, Name: name, Raw: json.RawMessage(raw)}
}

// changesOfRule returns the changes of one rule.
func changesOfRule(r *Report, rule string) []Change {
	var out []Change
	for _, s := range r.Servers {
		for _, c := range s.Changes {
			if c.Rule.String() == rule {
				out = append(out, c)
			}
		}
	}
	return out
}

// printReport shows a report in failures.
func printReport(r *Report) string {
	var b strings.Builder
	for _, c := range r.Servers[0].Changes {
		fmt.Fprintf(&b, "\n\t%s %s %s %s %s: %s", c.Severity, c.Rule, c.Kind, c.Name, c.Path, c.Message)
	}
	return b.String()
}

// schemaCase is one change of a schema. A snippet that begins with = is the whole
// schema, others are a property's. In and out are what a caller is told.
type schemaCase struct {
	suffix, before, after string
	in, out               Severity
}

func schemaCases() []schemaCase {
	const none = Off
	obj := func(members string) string { return `={"type":"object",` + members + `}` }
	shut := func(members string) string { return obj(`"additionalProperties":false,` + members) }
	a, ab := `"properties":{"a":{"type":"string"}}`, `"properties":{"a":{"type":"string"},"b":{"type":"integer"}}`
	return []schemaCase{
		{"property-added-required", obj(a), obj(ab + `,"required":["b"]`), Breaking, Info},
		{"property-added-required-with-default", obj(a), obj(`"properties":{"a":{"type":"string"},"b":{"default":1}},"required":["b"]`), Breaking, Info},
		{"property-added-optional", obj(a), obj(ab), Info, Info},
		{"property-added-optional", shut(a), shut(ab), Info, Info},
		{"property-removed", obj(ab), obj(a), Warning, Warning},
		{"property-removed", shut(ab), shut(a), Breaking, Warning},
		{"property-removed", obj(ab + `,"required":["b"]`), obj(a), Warning, Breaking},
		{"property-became-required", obj(a), obj(a + `,"required":["a"]`), Breaking, Info},
		{"property-became-optional", obj(a + `,"required":["a"]`), obj(a), Info, Breaking},
		{"property-renamed", shut(`"properties":{"userName":{"type":"string"}}`), shut(`"properties":{"user_name":{"type":"string"}}`), Breaking, Warning},
		{"type-changed", `{"type":"string"}`, `{"type":"integer"}`, Breaking, Breaking},
		{"type-widened", `{"type":"integer"}`, `{"type":"number"}`, Info, Breaking},
		{"type-narrowed", `{"type":"number"}`, `{"type":"integer"}`, Breaking, Info},
		{"type-narrowed", `{"type":"number"}`, `false`, Breaking, Info},
		{"nullable-added", `{"type":"string"}`, `{"type":["string","null"]}`, Info, Breaking},
		{"nullable-removed", `{"type":["string","null"]}`, `{"type":"string"}`, Breaking, Info},
		{"enum-value-added", `{"enum":["a"]}`, `{"enum":["a","b"]}`, Info, Breaking},
		{"enum-value-removed", `{"enum":["a","b"]}`, `{"enum":["a"]}`, Breaking, Info},
		{"enum-constraint-added", `{"type":"string"}`, `{"type":"string","enum":["a"]}`, Breaking, Info},
		{"enum-constraint-removed", `{"type":"string","enum":["a"]}`, `{"type":"string"}`, Info, Breaking},
		{"const-changed", `{"const":"a"}`, `{"const":"b"}`, Breaking, Breaking},
		{"minimum-tightened", `{"type":"integer"}`, `{"type":"integer","minimum":1}`, Breaking, Info},
		{"minimum-relaxed", `{"type":"integer","minimum":9007199254740993}`, `{"type":"integer","minimum":9007199254740992}`, Info, Breaking},
		{"maximum-tightened", `{"type":"integer","maximum":10}`, `{"type":"integer","maximum":9}`, Breaking, Info},
		{"maximum-relaxed", `{"type":"integer","maximum":9}`, `{"type":"integer","maximum":10}`, Info, Breaking},
		{"exclusive-minimum-tightened", `{"type":"number"}`, `{"type":"number","exclusiveMinimum":1.5}`, Breaking, Info},
		{"exclusive-minimum-relaxed", `{"type":"number","exclusiveMinimum":2}`, `{"type":"number","exclusiveMinimum":1.5}`, Info, Breaking},
		{"exclusive-maximum-tightened", `{"type":"number"}`, `{"type":"number","exclusiveMaximum":1}`, Breaking, Info},
		{"exclusive-maximum-relaxed", `{"type":"number","exclusiveMaximum":1}`, `{"type":"number"}`, Info, Breaking},
		{"multiple-of-tightened", `{"type":"integer","multipleOf":2}`, `{"type":"integer","multipleOf":4}`, Breaking, Info},
		{"multiple-of-relaxed", `{"type":"integer","multipleOf":4}`, `{"type":"integer","multipleOf":2}`, Info, Breaking},
		{"multiple-of-relaxed", `{"type":"integer","multipleOf":4}`, `{"type":"integer","multipleOf":3}`, Breaking, Breaking},
		{"min-length-tightened", `{"type":"string"}`, `{"type":"string","minLength":1}`, Breaking, Info},
		{"min-length-relaxed", `{"type":"string","minLength":2}`, `{"type":"string","minLength":1}`, Info, Breaking},
		{"max-length-tightened", `{"type":"string"}`, `{"type":"string","maxLength":3}`, Breaking, Info},
		{"max-length-relaxed", `{"type":"string","maxLength":3}`, `{"type":"string"}`, Info, Breaking},
		{"min-items-tightened", `{"type":"array"}`, `{"type":"array","minItems":1}`, Breaking, Info},
		{"min-items-relaxed", `{"type":"array","minItems":1}`, `{"type":"array"}`, Info, Breaking},
		{"max-items-tightened", `{"type":"array"}`, `{"type":"array","maxItems":1}`, Breaking, Info},
		{"max-items-relaxed", `{"type":"array","maxItems":1}`, `{"type":"array"}`, Info, Breaking},
		{"min-properties-tightened", `{"type":"object"}`, `{"type":"object","minProperties":1}`, Breaking, Info},
		{"min-properties-relaxed", `{"type":"object","minProperties":1}`, `{"type":"object"}`, Info, Breaking},
		{"max-properties-tightened", `{"type":"object","additionalProperties":{}}`, `{"type":"object","additionalProperties":{},"maxProperties":1}`, Breaking, Info},
		{"max-properties-relaxed", `{"type":"object","additionalProperties":{},"maxProperties":1}`, `{"type":"object","additionalProperties":{}}`, Info, Breaking},
		{"unique-items-tightened", `{"type":"array"}`, `{"type":"array","uniqueItems":true}`, Breaking, Info},
		{"unique-items-relaxed", `{"type":"array","uniqueItems":true}`, `{"type":"array"}`, Info, Breaking},
		{"min-contains-tightened", `{"type":"array","contains":{"const":1}}`, `{"type":"array","contains":{"const":1},"minContains":2}`, "", ""},
		{"min-contains-relaxed", `{"type":"array","contains":{"const":1},"minContains":2}`, `{"type":"array","contains":{"const":1}}`, "", ""},
		{"max-contains-tightened", `{"type":"array","contains":{"const":1}}`, `{"type":"array","contains":{"const":1},"maxContains":2}`, "", ""},
		{"max-contains-relaxed", `{"type":"array","contains":{"const":1},"maxContains":2}`, `{"type":"array","contains":{"const":1}}`, "", ""},
		{"contains-tightened", `{"type":"array"}`, `{"type":"array","contains":{"const":1}}`, Breaking, Info},
		{"contains-relaxed", `{"type":"array","contains":{"const":1}}`, `{"type":"array"}`, Info, Breaking},
		{"contains-changed", `{"type":"array","contains":{"const":1}}`, `{"type":"array","contains":{"const":2}}`, Breaking, Breaking},
		{"pattern-added", `{"type":"string"}`, `{"type":"string","pattern":"^a+$"}`, Breaking, Info},
		{"pattern-removed", `{"type":"string","pattern":"^a+$"}`, `{"type":"string"}`, Info, Breaking},
		{"pattern-changed", `{"type":"string","pattern":"^a+$"}`, `{"type":"string","pattern":"^[ab]+$"}`, Info, Breaking},
		{"pattern-changed", `{"type":"string","pattern":"^(?!x)a+$"}`, `{"type":"string","pattern":"^(?!x)b+$"}`, Unknown, Unknown},
		{"format-added", `{"type":"string"}`, `{"type":"string","format":"uri"}`, Warning, Info},
		{"format-changed", `{"type":"string","format":"uri"}`, `{"type":"string","format":"email"}`, Warning, Warning},
		{"format-removed", `{"type":"string","format":"uri"}`, `{"type":"string"}`, Info, Warning},
		{"content-encoding-changed", `{"type":"string"}`, `{"type":"string","contentEncoding":"base64"}`, Warning, Warning},
		{"content-media-type-changed", `{"type":"string"}`, `{"type":"string","contentMediaType":"text/html"}`, Warning, Warning},
		{"content-schema-changed", `{"type":"string","contentMediaType":"application/json"}`, `{"type":"string","contentMediaType":"application/json","contentSchema":{"type":"object"}}`, Warning, Warning},
		{"default-added", `{"type":"integer"}`, `{"type":"integer","default":1}`, Info, Info},
		{"default-changed", `{"type":"integer","default":2}`, `{"type":"integer","default":1}`, Warning, Info},
		{"default-removed", `{"type":"integer","default":2}`, `{"type":"integer"}`, Warning, Info},
		{"additional-properties-closed", obj(a), shut(a), Info, Info},
		{"additional-properties-opened", shut(a), obj(a), Info, Info},
		{"additional-properties-forbidden", obj(`"additionalProperties":true,` + a), shut(a), Breaking, Info},
		{"additional-properties-allowed", shut(a), obj(`"additionalProperties":true,` + a), Info, Info},
		{"map-value-narrowed", obj(`"additionalProperties":true`), obj(`"additionalProperties":{"type":"string"}`), Breaking, Info},
		{"map-value-widened", obj(`"additionalProperties":{"type":"string"}`), obj(`"additionalProperties":true`), Info, Breaking},
		{"property-names-added", obj(`"additionalProperties":true`), obj(`"additionalProperties":true,"propertyNames":{"maxLength":2}`), Breaking, Info},
		{"property-names-removed", obj(`"additionalProperties":true,"propertyNames":{"maxLength":2}`), obj(`"additionalProperties":true`), Info, Breaking},
		{"pattern-properties-added", obj(`"additionalProperties":true`), obj(`"additionalProperties":true,"patternProperties":{"^x":{"type":"string"}}`), Breaking, Info},
		{"pattern-properties-removed", obj(`"additionalProperties":true,"patternProperties":{"^x":{"type":"string"}}`), obj(`"additionalProperties":true`), Info, Breaking},
		{"unevaluated-properties-changed", obj(a), obj(`"unevaluatedProperties":{"type":"string"},` + a), "", ""},
		{"unevaluated-items-changed", `{"type":"array"}`, `{"type":"array","unevaluatedItems":{"type":"string"}}`, "", ""},
		{"dependent-required-added", obj(ab), obj(ab + `,"dependentRequired":{"a":["b"]}`), Breaking, Info},
		{"dependent-required-removed", obj(ab + `,"dependentRequired":{"a":["b"]}`), obj(ab), Info, Breaking},
		{"dependent-schemas-added", obj(ab), obj(ab + `,"dependentSchemas":{"a":{"required":["b"]}}`), Breaking, Info},
		{"dependent-schemas-removed", obj(ab + `,"dependentSchemas":{"a":{"required":["b"]}}`), obj(ab), Info, Breaking},
		{"items-added", `{"type":"array"}`, `{"type":"array","items":{"type":"string"}}`, Breaking, Info},
		{"items-removed", `{"type":"array","items":{"type":"string"}}`, `{"type":"array"}`, Info, Breaking},
		{"tuple-position-added", `{"type":"array"}`, `{"type":"array","prefixItems":[{"type":"string"}]}`, Breaking, Info},
		{"tuple-position-removed", `{"type":"array","prefixItems":[{"type":"string"}]}`, `{"type":"array"}`, Info, Breaking},
		{"union-added", `{"type":"string"}`, `{"anyOf":[{"type":"integer"},{"type":"null"}]}`, Breaking, Breaking},
		{"union-branch-added", `{"type":"string"}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, Info, Breaking},
		{"union-removed", `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `{"type":"boolean"}`, Breaking, Breaking},
		{"union-branch-removed", `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `{"type":"string"}`, Breaking, Info},
		{"union-branch-added", `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`, Info, Breaking},
		{"union-branch-removed", `{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`, `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, Breaking, Info},
		{"oneof-branch-added", `{"oneOf":[{"type":"string","maxLength":3},{"type":"integer"}]}`, `{"oneOf":[{"type":"string","maxLength":3},{"type":"integer"},{"type":"string","minLength":5}]}`, Info, Breaking},
		{"oneof-branch-added", `{"oneOf":[{"type":"string","maxLength":3},{"type":"integer"}]}`, `{"oneOf":[{"type":"string","maxLength":3},{"type":"integer"},{"maxLength":3,"type":["string","null"]}]}`, Breaking, Breaking},
		{"oneof-branch-removed", `{"oneOf":[{"type":"string","maxLength":3},{"type":"integer"},{"type":"string","minLength":5}]}`, `{"oneOf":[{"type":"string","maxLength":3},{"type":"integer"}]}`, Breaking, Info},
		{"allof-member-added", `{"allOf":[{"type":"string"}]}`, `{"allOf":[{"type":"string"},{"maxLength":2}]}`, Breaking, Info},
		{"allof-member-removed", `{"allOf":[{"type":"string"},{"maxLength":2}]}`, `{"allOf":[{"type":"string"}]}`, Info, Breaking},
		{"if-then-else-added", obj(ab), obj(ab + `,"if":{"required":["a"]},"then":{"required":["b"]}`), "", ""},
		{"if-then-else-removed", obj(ab + `,"if":{"required":["a"]},"then":{"required":["b"]}`), obj(ab), "", ""},
		{"if-then-else-changed", obj(ab + `,"if":{"required":["a"]},"then":{"required":["b"]}`), obj(ab + `,"if":{"required":["b"]},"then":{"required":["a"]}`), "", ""},
		{"not-added", `{"type":"string"}`, `{"type":"string","not":{"const":"x"}}`, Breaking, Info},
		{"not-removed", `{"type":"string","not":{"const":"x"}}`, `{"type":"string"}`, Info, Breaking},
		{"not-changed", `{"type":"string","not":{"const":"x"}}`, `{"type":"string","not":{"const":"y"}}`, Breaking, Breaking},
		{"recursion-introduced", obj(`"properties":{"a":{"type":"object","properties":{"a":{"type":"string"}}}}`), obj(`"properties":{"a":{"$ref":"#"}}`), "", ""},
		{"recursion-removed", obj(`"properties":{"a":{"$ref":"#"}}`), obj(`"properties":{"a":{"type":"object","properties":{"a":{"type":"string"}}}}`), "", ""},
		{"schema-dialect-changed", `={"$schema":"http://json-schema.org/draft-07/schema#","type":"object","additionalProperties":false}`, `={"type":"object"}`, Info, Info},
		{"schema-ref-broken", `{"type":"string"}`, `{"$ref":"#/$defs/gone"}`, Breaking, Breaking},
		{"schema-keyword-unknown-changed", `{"type":["object","boolean"]}`, `{"$ref":"http://json-schema.org/draft-07/schema#"}`, Unknown, Unknown},
		{"schema-ref-external", `{"type":"string"}`, `{"$ref":"https://example.com/schema.json"}`, Breaking, Breaking},
		{"schema-invalid", `{"type":"string"}`, `{"type":"strin"}`, Breaking, Breaking},
		{"schema-degraded", obj(ab), `={"$schema":"http://json-schema.org/draft-07/schema#"}`, Breaking, Breaking},
		{"no-value-fits", `{"type":"string"}`, `{"type":"number","enum":["a"]}`, Breaking, Breaking},
		{"schema-enriched", `={"type":"object"}`, obj(ab), "", ""},
		{"schema-keyword-unknown-changed", `{"type":"string"}`, `{"type":"string","mystery":1}`, Unknown, Unknown},
		{"schema-extension-changed", `{"type":"string"}`, `{"type":"string","x-order":1}`, Info, Info},
		{"docs-changed", `{"type":"string","description":"a"}`, `{"type":"string","description":"b","maxLength":7}`, Info, Info},
		{"x-mcp-header-added", `{"type":"string"}`, `{"type":"string","x-mcp-header":"Region"}`, Breaking, none},
		{"x-mcp-header-changed", `{"type":"string","x-mcp-header":"Region"}`, `{"type":"string","x-mcp-header":"Zone"}`, Breaking, none},
		{"x-mcp-header-removed", `{"type":"string","x-mcp-header":"Region"}`, `{"type":"string"}`, Info, none},
		{"schema-too-complex", `{"type":"string"}`, strings.Repeat(`{"items":`, 140) + `{}` + strings.Repeat(`}`, 140), Unknown, Unknown},
	}
}

func (c schemaCase) tool(side, snippet string) string {
	whole, ok := strings.CutPrefix(snippet, "=")
	if !ok {
		whole = `{"type":"object","properties":{"p":` + snippet + `}}`
	}
	if side == "output" {
		return `{"name":"t","inputSchema":{"type":"object"},"outputSchema":` + whole + `}`
	}
	return `{"name":"t","inputSchema":` + whole + `}`
}

func TestSchemaRules(t *testing.T) {
	for _, c := range schemaCases() {
		for side, want := range map[string]Severity{"input": c.in, "output": c.out} {
			rule := side + "-" + c.suffix
			before, after := snapshotOf(c.tool(side, c.before)), snapshotOf(c.tool(side, c.after))
			if len(changesOfRule(mustCompare(t, before, after, &Options{Profile: Pin}), rule)) == 0 {
				t.Errorf("%s: not found from %s to %s:%s", rule, c.before, c.after, printReport(mustCompare(t, before, after, &Options{Profile: Pin})))
				continue
			}
			r := mustCompare(t, before, after, &Options{})
			got := changesOfRule(r, rule)
			switch {
			case want == "":
				if r.Verdict == Unchanged {
					t.Errorf("%s: nothing to see", rule)
				}
			case want == Off && len(got) > 0, want != Off && (len(got) == 0 || got[0].Severity != want):
				t.Errorf("%s: want %s from %s to %s:%s", rule, want, c.before, c.after, printReport(r))
			}
		}
	}
}

// TestBounds holds bounds to what they say, however they are written.
func TestBounds(t *testing.T) {
	const max, min = `"maximum":9007199254740991`, `"minimum":-9007199254740991`
	for _, c := range []struct {
		name, before, after string
		caller, strict      Severity
		findings            int
	}{
		{"the largest safe integer", `{"type":"integer"}`, `{"type":"integer",` + max + `}`, Info, Breaking, 1},
		{"both of them", `{"type":"integer"}`, `{"type":"integer",` + min + `,` + max + `}`, Info, Breaking, 2},
		{"with a minimum that was there", `{"type":"integer","minimum":1}`, `{"type":"integer","minimum":1,` + max + `}`, Info, Breaking, 1},
		{"of integers or null", `{"type":["integer","null"]}`, `{"type":["integer","null"],` + max + `}`, Info, Breaking, 1},
		{"of elements", `{"type":"array","items":{"type":"integer"}}`, `{"type":"array","items":{"type":"integer",` + max + `}}`, Info, Breaking, 1},
		{"of numbers", `{"type":"number"}`, `{"type":"number",` + max + `}`, Breaking, Breaking, 1},
		{"one less", `{"type":"integer"}`, `{"type":"integer","maximum":9007199254740990}`, Breaking, Breaking, 1},
		{"beside one that breaks", `{"type":"integer"}`, `{"type":"integer",` + max + `,"multipleOf":2}`, Breaking, Breaking, 2},
		{"beyond none and at one", `{"type":"integer","exclusiveMinimum":0}`, `{"type":"integer","minimum":1}`, Off, Off, 0},
		{"at one and beyond none", `{"type":"integer","minimum":1}`, `{"type":"integer","exclusiveMinimum":0}`, Off, Off, 0},
		{"below ten", `{"type":"integer","exclusiveMaximum":10}`, `{"type":"integer","maximum":9.5}`, Off, Off, 0},
		{"twice", `{"type":"number","exclusiveMinimum":0}`, `{"type":"number","exclusiveMinimum":0,"minimum":0}`, Off, Off, 0},
		{"of numbers it is not so", `{"type":"number","exclusiveMinimum":0}`, `{"type":"number","minimum":1}`, Breaking, Breaking, 2},
		{"multiples of one", `{"type":"integer"}`, `{"type":"integer","multipleOf":1}`, Off, Off, 0},
		{"no length at all", `{"type":"string"}`, `{"type":"string","minLength":0}`, Off, Off, 0},
	} {
		before, after := snapshotOf(schemaCase{}.tool("input", c.before)), snapshotOf(schemaCase{}.tool("input", c.after))
		for profile, want := range map[Profile]Severity{Caller: c.caller, Strict: c.strict} {
			r := mustCompare(t, before, after, &Options{Profile: profile})
			if got := worstSeverity(labelled{}, r); got != want && (got != "" || want != Off) {
				t.Errorf("%s, %s: got %s, want %s:%s", c.name, profile, got, want, printReport(r))
			}
			n := 0
			for _, f := range r.Servers[0].Changes {
				if f.Rule.Part() == Arguments {
					n++
				}
				if f.Severity == Info && profile == Caller && strings.Contains(f.Message, "2^53") && f.Witness == nil {
					t.Errorf("%s: %s has no witness", c.name, f.Rule)
				}
			}
			if profile == Caller && n != c.findings {
				t.Errorf("%s: got %d findings, want %d:%s", c.name, n, c.findings, printReport(r))
			}
		}
	}
}

// TestMovedAlternatives: an alternative that a reference led to, and that stands in place
// now, is not gone, and has no part in what another change breaks.
func TestMovedAlternatives(t *testing.T) {
	const inline = `{"type":"object","properties":{"kind":{"type":"string","enum":["a","b"]},"x":{"type":"string"}},"required":["kind"]}`
	before := `={"type":"object","properties":{"v":{"anyOf":[{"$ref":"#/$defs/one"},{"type":"string"}]},"n":{"type":"integer"}},"$defs":{"one":` + inline + `}}`
	after := `={"type":"object","properties":{"v":{"anyOf":[{"type":"string"},` + inline + `]},"n":{"type":"integer","maximum":3}}}`
	for _, side := range []string{"input", "output"} {
		r := mustCompare(t, snapshotOf(schemaCase{}.tool(side, before)), snapshotOf(schemaCase{}.tool(side, after)), &Options{})
		for _, c := range r.Servers[0].Changes {
			if strings.Contains(c.Rule.String(), "branch") || side == "input" && c.Rule.String() != "input-maximum-tightened" && c.Severity.AtLeast(Warning) {
				t.Errorf("%s:%s", c.Rule, printReport(r))
			}
		}
	}
}

// TestSilentRules holds rules to what they are not about.
func TestSilentRules(t *testing.T) {
	for _, c := range []struct{ suffix, before, after string }{
		{"schema-degraded", `={"properties":{"foo":true},"additionalProperties":true}`, `={"additionalProperties":true}`},
		{"schema-degraded", `={"type":"object","properties":{"a":{"type":"string"}}}`, `={"type":"object","additionalProperties":{}}`},
		{"map-value-narrowed", `={"type":"object","additionalProperties":true}`, `={"type":"object","additionalProperties":{}}`},
		{"map-value-narrowed", `={"type":"object","additionalProperties":{"type":"string"}}`, `={"type":"object","additionalProperties":{}}`},
		{"no-value-fits", `{"type":"number","enum":["b"]}`, `{"type":"number","enum":["a"]}`},
		{"no-value-fits", `{"type":"number"}`, `{"oneOf":[{"type":"number"},{"type":"number"}]}`},
		{"no-value-fits", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":false}}`},
	} {
		for _, side := range []string{"input", "output"} {
			r := mustCompare(t, snapshotOf(schemaCase{}.tool(side, c.before)), snapshotOf(schemaCase{}.tool(side, c.after)), &Options{})
			if len(changesOfRule(r, side+"-"+c.suffix)) > 0 {
				t.Errorf("from %s to %s:%s", c.before, c.after, printReport(r))
			}
		}
	}
}

// fired returns the rules that the tables of this package fire.
func TestEveryRuleIsFired(t *testing.T) {
	fired := map[string]bool{
		// Reached where the walk finds nothing: see TestWholeSchema.
		"input-schema-changed": true, "output-schema-changed": true,
		"input-schema-undecided": true, "output-schema-undecided": true,
	}
	fired[SourceIncompatible.String()], fired[SourceZeroValue.String()] = true, true // TestAdd insists
	fired[SurfaceBudgetExceeded.String()] = true                                     // TestExceed insists
	for _, c := range schemaCases() {
		fired["input-"+c.suffix], fired["output-"+c.suffix] = true, true // TestSchemaRules insists
	}
	for _, c := range itemCases() {
		fired[c.rule] = true // TestItemRules insists
	}
	for _, r := range Rules() {
		if !fired[r.String()] {
			t.Errorf("no test fires %s", r)
		}
		delete(fired, r.String())
		if r.Doc() == "" || r.Class() == "" || r.Severity(Caller) == "" || r.Severity(Pin) != Breaking {
			t.Errorf("%s: incomplete", r)
		}
	}
	for id := range fired {
		t.Errorf("%s is tested and not in the catalogue", id)
	}
}

// mustCompare is Compare, which fails with its context alone.
func mustCompare(t testing.TB, before, after *schema.Snapshot, opts *Options) *Report {
	t.Helper()
	r, err := Compare(t.Context(), before, after, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
