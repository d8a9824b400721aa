package drift

import (
	"slices"
	"testing"
)

// What others found is judged like everything else.
func TestAdd(t *testing.T) {
	before, after := tool(``), tool(`,"description":"x"`)
	found := []Change{
		{Rule: SourceIncompatible, Kind: KindTool, Name: "t", Path: "/inputSchema/properties/a", Message: "a", Hash: "sha256:1"},
		{Rule: SourceZeroValue, Kind: KindTool, Name: "t", Path: "/inputSchema/properties/b", Message: "b", Hash: "sha256:1"},
		{Rule: "tool-removed", Kind: KindTool, Name: "t"},
	}
	accept := Accept{Server: "s", Tool: "t", Rule: SourceZeroValue, After: "sha256:1"}
	tests := []struct {
		name string
		opts Options
		want []string
	}{
		{"caller", Options{}, nil},
		{"source", Options{Profile: Source}, []string{"breaking source-incompatible", "breaking source-zero-value"}},
		{"override", Options{Rules: []Override{{Rule: "source-*", Severity: Warning}}}, []string{"warning source-incompatible", "warning source-zero-value"}},
		{"accepted", Options{Rules: []Override{{Rule: "source-*", Severity: Warning}}, Ignore: []Accept{accept}}, []string{"warning source-incompatible"}},
		{"accepted for nothing", Options{Ignore: []Accept{{Server: "s", Tool: "t", Rule: SourceZeroValue, After: "sha256:2"}}}, []string{"warning accept-unused"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := compared(t, before, after, &tt.opts)
			r.Add("s", found, &tt.opts)
			r.Add("other", found, &tt.opts)
			var got []string
			for _, c := range r.Servers[0].Changes {
				if c.Rule != "tool-description-changed" {
					got = append(got, string(c.Severity)+" "+c.Rule)
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
