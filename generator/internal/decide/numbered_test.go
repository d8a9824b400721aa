package decide

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

// Resources that differ in a number have one function, also when one of them goes. A lock
// that has them by themselves keeps their functions.
func TestNumberedResources(t *testing.T) {
	listing := func(numbers ...int) *schema.Snapshot {
		s := &schema.Snapshot{}
		for _, n := range numbers {
			uri := fmt.Sprintf("test://static/%d/text", n)
			raw := fmt.Sprintf(`{"uri":%q,"name":"Resource %d","mimeType":"text/plain"}`, uri, n)
			s.Resources = append(s.Resources, schema.Item{Kind: schema.KindResource, Name: uri, Raw: json.RawMessage(raw)})
		}
		return s
	}
	names := func(in Input) (out []string) {
		p, _ := mustPackage(t, in)
		for _, r := range p.Resources {
			out = append(out, fmt.Sprint(r.Go, " ", r.Before, "#", r.After))
		}
		return out
	}
	in := Input{Server: Server{Name: "srv", Snapshot: listing(1, 2, 10)}}
	if got := names(in); !slices.Equal(got, []string{"ReadResource test://static/#/text"}) {
		t.Fatalf("got %q, want one function", got)
	}
	lockIn(t, &in, nil)
	for _, item := range in.Locked.Resources {
		if Pinned(item).Names[numberedKey] != "ReadResource" {
			t.Errorf("the lock has %s, want the name", item.Go)
		}
	}
	before := in.Snapshot
	in.Snapshot = listing(2, 11)
	lockIn(t, &in, before)
	if got := names(in); !slices.Equal(got, []string{"ReadResource test://static/#/text"}) {
		t.Errorf("when the first is gone: got %q, want the same function", got)
	}

	old := Input{Server: Server{Name: "srv", Snapshot: listing(1, 2)}}
	lockIn(t, &old, nil)
	before, old.Snapshot = old.Snapshot, listing(1, 2, 3)
	lockIn(t, &old, before)
	if got := names(old); !slices.Equal(got, []string{"ReadResource1 #", "ReadResource2 #", "ReadResource3 #"}) {
		t.Errorf("of a lock without the set: got %q, want three functions", got)
	}
}
