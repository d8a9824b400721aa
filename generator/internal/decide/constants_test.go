package decide

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
)

// Constants that are URLs are called after what tells them apart.
func TestAddressNames(t *testing.T) {
	for values, want := range map[string]string{
		`open closed`: " ",
		`https://schema.postman.com/json/collection/v2.1.0/collection.json https://schema.getpostman.com/json/collection/v2.1.0/collection.json`: "Postman Getpostman",
		`https://json-schema.org/draft/2020-12/schema http://json-schema.org/draft-07/schema# other`:                                             "Draft2020_12 Draft07 ",
		`https://example.com/schemas/v2/message.json`:                                                                                            "Message",
		`https://a.com https://a.com/x`:     " ",
		`https://a.com/x http://a.com/x`:    " ",
		`https://a.com/x https://a.com/y x`: "  ",
	} {
		var list []string
		for value := range strings.FieldsSeq(values) {
			list = append(list, `"`+value+`"`)
		}
		if got := strings.Join(addressNames(list), " "); got != want {
			t.Errorf("%s: %q, want %q", values, got, want)
		}
	}
}

// Codes of countries and languages keep their capitals.
func TestCodeNames(t *testing.T) {
	for values, want := range map[string]string{
		"AR AU AT ID US ALL":                 "AR AU AT ID US All",
		"en-AU en-US de-DE id-ID pt-BR auto": "EnAU EnUS DeDE IDID PtBR Auto",
		"OR AND NO":                          "Or And No",
	} {
		var list []string
		for value := range strings.FieldsSeq(values) {
			list = append(list, `"`+value+`"`)
		}
		if got := strings.Join(constantNames(list), " "); got != want {
			t.Errorf("%s: %q, want %q", values, got, want)
		}
	}
}

// They are pinned: no other value changes them, and a lock without them keeps the names that
// its code has.
func TestAddressesArePinned(t *testing.T) {
	const a, b, c = "https://a.example.com/x", "https://b.example.com/x", "https://b.example.com/y"
	listing := func(values ...string) *schema.Snapshot {
		return snapshotOf(t, `{"name":"get","inputSchema":{"type":"object","properties":{"kind":{"enum":["`+strings.Join(values, `","`)+`"]}}}}`)
	}
	constants := func(in Input) map[string]string {
		out := map[string]string{}
		p, _ := mustPackage(t, in)
		for _, typ := range p.Types {
			if typ.Kind == ir.Enum {
				for _, k := range typ.Consts {
					out[strings.Trim(k.Value, `"`)] = k.Go
				}
			}
		}
		return out
	}
	update := func(in Input, now *schema.Snapshot) Input {
		t.Helper()
		before := in.Snapshot
		in.Snapshot = now
		names, err := AssignNames(t.Context(), in, before)
		if err != nil {
			t.Fatal(err)
		}
		in.Locked = lockOf(now, names)
		return in
	}
	first := update(Input{Server: Server{Name: "srv"}}, listing(a, b))
	if got := constants(first); got[a] != "KindA" || got[b] != "KindB" {
		t.Errorf("at first %v", got)
	}
	if got := constants(update(first, listing(b, c, a))); got[a] != "KindA" || got[b] != "KindB" || got[c] != "KindBY" {
		t.Errorf("with another value %v", got)
	}
	if got := constants(update(first, listing(a))); got[a] != "KindA" {
		t.Errorf("with one value %v", got)
	}
	old := first
	old.Locked = lockOf(old.Snapshot, map[ItemID]map[string]string{{schema.KindTool, "get"}: {"/inputSchema/properties/kind/shape": "Kind"}})
	was := constants(old)
	if was[a] != "KindHTTPSAExampleComX" {
		t.Errorf("in a lock without such names %v", was)
	}
	if got := constants(update(old, listing(a, b, c))); got[a] != was[a] || got[b] != was[b] || got[c] != "KindBY" {
		t.Errorf("after an update of that lock %v, was %v", got, was)
	}
	first.Locked = lockOf(first.Snapshot, map[ItemID]map[string]string{{schema.KindTool, "get"}: {
		"/inputSchema/properties/kind/shape": "Kind", `/inputSchema/properties/kind/shape/"` + strings.ReplaceAll(a, "/", "~1") + `"`: "KindB",
	}})
	if _, _, err := Package(t.Context(), first); err == nil || !slices.Contains(strings.Fields(err.Error()), "KindB") {
		t.Errorf("a name that is another value's: %v", err)
	}
}
