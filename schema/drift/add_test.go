package drift

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

// What others found is judged like everything else.
func TestAdd(t *testing.T) {
	before, after := toolWith(``), toolWith(`,"description":"x"`)
	found := []Change{
		{Rule: SourceIncompatible, Kind: schema.KindTool, Name: "t", Path: "/inputSchema/properties/a", Message: "a", Hash: "sha256:1"},
		{Rule: SourceZeroValue, Kind: schema.KindTool, Name: "t", Path: "/inputSchema/properties/b", Message: "b", Hash: "sha256:1"},
		{Rule: toolRemoved.about(Item), Kind: schema.KindTool, Name: "t"},
	}
	accept := Accept{Server: "s", Tool: "t", Rule: SourceZeroValue.String(), After: "sha256:1"}
	tests := []struct {
		name string
		opts Options
		want []string
	}{
		{"caller", Options{}, nil},
		{"source", Options{Profile: Source}, []string{"breaking source-incompatible", "breaking source-zero-value"}},
		{"override", Options{Rules: []Override{{Rule: "source-*", Severity: Warning}}}, []string{"warning source-incompatible", "warning source-zero-value"}},
		{"accepted", Options{Rules: []Override{{Rule: "source-*", Severity: Warning}}, Ignore: []Accept{accept}}, []string{"warning source-incompatible"}},
		{"accepted for nothing", Options{Ignore: []Accept{{Server: "s", Tool: "t", Rule: SourceZeroValue.String(), After: "sha256:2"}}}, []string{"warning accept-unused"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := mustCompare(t, before, after, &tt.opts)
			r.Add("s", found, &tt.opts)
			r.Add("other", found, &tt.opts)
			var got []string
			for _, c := range r.Servers[0].Changes {
				if c.Rule.row != toolDescriptionChanged {
					got = append(got, string(c.Severity)+" "+c.Rule.String())
				}
			}
			slices.Sort(got)
			slices.Sort(tt.want)
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if want := verdict(r.Servers[0].Changes); r.Verdict != want || r.Servers[0].Verdict != want {
				t.Errorf("verdicts %s and %s, want %s", r.Verdict, r.Servers[0].Verdict, want)
			}
		})
	}
}

// A budget that is exceeded is breaking in every profile, and is accepted for one size.
func TestExceed(t *testing.T) {
	found := []Change{
		{Rule: SurfaceBudgetExceeded, Kind: KindServer, Message: "too much", Hash: "sha256:1"},
		{Rule: SourceIncompatible, Kind: schema.KindTool, Name: "t"},
	}
	api := Accept{Server: "s", Tool: "t", Rule: SourceZeroValue.String(), After: "sha256:2"} // for Add alone to report
	for _, tt := range []struct {
		name  string
		opts  Options
		found []Change
		want  string
	}{
		{"caller", Options{Ignore: []Accept{api}}, found, "breaking surface-budget-exceeded"},
		{"model", Options{Profile: Model}, found, "breaking surface-budget-exceeded"},
		{"override", Options{Rules: []Override{{Rule: SurfaceBudgetExceeded.String(), Severity: Warning}}}, found, "warning surface-budget-exceeded"},
		{"accepted", Options{Ignore: []Accept{{Server: "s", Rule: SurfaceBudgetExceeded.String(), After: "sha256:1"}}}, found, ""},
		{"accepted for nothing", Options{Ignore: []Accept{{Server: "s", Rule: SurfaceBudgetExceeded.String(), After: "sha256:1"}}}, nil, "warning accept-unused"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := mustCompare(t, toolWith(``), toolWith(``), &tt.opts)
			r.Exceed("s", tt.found, &tt.opts)
			got := ""
			for _, c := range r.Servers[0].Changes {
				got += string(c.Severity) + " " + c.Rule.String()
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestWeighKeepsLines: changes of the Go API that differ in nothing but the lines that they
// break stay apart.
func TestWeighKeepsLines(t *testing.T) {
	change := func(line int) Change {
		return Change{Rule: SourceIncompatible, Kind: schema.KindTool, Name: "t", Message: "gone", Effect: Breaks, CallSites: []CallSite{{Line: line}}}
	}
	r := &Report{Servers: []ServerReport{{Server: "s", Changes: []Change{change(1), change(2)}}}}
	r.Weigh(func(string) *Options { return nil })
	if got := r.Servers[0].Changes; len(got) != 2 {
		t.Errorf("%d changes, want one for each line", len(got))
	}
}

// TestWeigh makes severities of what changes do to a Go module. What was said of the
// rule, and accepted, counts as before.
func TestWeigh(t *testing.T) {
	change := func(e Effect) Change {
		return Change{Rule: outputSchemaAdded.about(Item), Severity: Info, Class: ClassWire, Kind: schema.KindTool, Name: "t", Hash: nothing(), Effect: e}
	}
	bound := func(value string, sites ...CallSite) Change {
		return Change{Rule: maximum.tightened.about(Arguments), Severity: Info, Kind: schema.KindTool, Name: "t", After: json.RawMessage(value), CallSites: sites}
	}
	text := func(read bool) Change {
		return Change{Rule: toolDescriptionChanged.about(Item), Severity: Info, Kind: schema.KindTool, Name: "t", Hash: nothing(), Read: read}
	}
	for _, c := range []struct {
		name   string
		change Change
		opts   *Options
		want   Verdict
	}{
		{"a text that no model reads", text(false), nil, "info"},
		{"a text that models read", text(true), nil, "warning"},
		{"an override of a text", text(true), &Options{Rules: []Override{{Rule: "tool-description-changed", Severity: Info}}}, "info"},
		{"a text that is accepted", text(true), &Options{Ignore: []Accept{{Server: "s", Tool: "t", Rule: "tool-description-changed", After: nothing()}}}, Unchanged},
		{"a bound that no line exceeds", bound("9007199254740991"), nil, "info"},
		{"a bound that a line exceeds", bound("9007199254740991", CallSite{Line: 1}), nil, "breaking"},
		{"another bound", bound("9", CallSite{Line: 1}), nil, "info"},
		{"nothing is known", change(""), nil, "info"},
		{"a line breaks", change(Breaks), nil, "breaking"},
		{"a line may break", change(MayBreak), &Options{}, "unknown"},
		{"an override", change(Breaks), &Options{Rules: []Override{{Rule: "output-*", Severity: Warning}}}, "warning"},
		{"switched off", change(MayBreak), &Options{Rules: []Override{{Rule: "output-schema-added", Severity: Off}}}, Unchanged},
		{"accepted", change(Breaks), &Options{Ignore: []Accept{{Server: "s", Tool: "t", Rule: "output-schema-added", After: nothing()}}}, Unchanged},
	} {
		r := &Report{Servers: []ServerReport{{Server: "s", Changes: []Change{c.change}}, {Server: "late", Verdict: Unchecked, Changes: []Change{}}}}
		r.Weigh(func(string) *Options { return c.opts })
		if got := r.Servers[0].Verdict; got != c.want || r.Verdict != Unchecked || r.Servers[1].Verdict != Unchecked {
			t.Errorf("%s: %s, want %s (%+v)", c.name, got, c.want, r)
		}
	}
}
