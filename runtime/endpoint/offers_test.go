package endpoint

import (
	"encoding/json"
	"strings"
	"testing"
)

// Whatever is declared is read back as it was.
func TestOffers(t *testing.T) {
	for i := range 16 {
		o := Offers{i&1 != 0, i&2 != 0 && i&1 != 0, i&4 != 0, i&8 != 0}
		raw := o.Capabilities()
		if got := OffersOf(raw); got != o || !json.Valid(raw) {
			t.Errorf("%+v: %s is read as %+v", o, raw, got)
		}
		if beyond := o.Beyond(o); beyond != nil {
			t.Errorf("%+v has %v beyond itself", o, beyond)
		}
	}
	for raw, want := range map[string]Offers{
		"": {}, "null": {}, "[]": {}, "{}": {}, `{"elicitation":true}`: {}, `{"tasks":{}}`: {},
		`{"elicitation":{}}`: {Forms: true}, // before there were pages
		`{"roots":{"listChanged":true},"sampling":{"tools":{}}}`: {Roots: true, Sampling: true},
	} {
		if got := OffersOf(json.RawMessage(raw)); got != want {
			t.Errorf("%s is read as %+v, want %+v", raw, got, want)
		}
	}
	all := Offers{true, true, true, true}
	for o, want := range map[Offers]string{
		{}:                            "elicitation sampling roots",
		{Forms: true}:                 "elicitation.url sampling roots",
		{Forms: true, Pages: true}:    "sampling roots",
		{Sampling: true, Roots: true}: "elicitation",
	} {
		if got := strings.Join(all.Beyond(o), " "); got != want {
			t.Errorf("beyond %+v: %s, want %s", o, got, want)
		}
	}
	if got := all.String(); got != "{elicitation: true, sampling: true, roots: true}" {
		t.Error(got)
	}
	if got := (Offers{Forms: true}).String(); got != "{elicitation: form}" {
		t.Error(got)
	}
}

func TestProtocolValid(t *testing.T) {
	for _, r := range append(Revisions(), "") {
		if err := (Server{Name: "s", Launch: &Process{Command: "x"}, Protocol: r}).Validate(); err != nil {
			t.Error(err)
		}
	}
	if err := (Server{Name: "s", Launch: &Process{Command: "x"}, Protocol: "newest"}).Validate(); err == nil || !strings.Contains(err.Error(), strings.Join(Revisions(), ", ")) {
		t.Errorf("got %v", err)
	}
}
