package drift

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema/compat"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// TestMixedChanges makes several changes to one schema, in both directions, and
// holds the report to what compat says of the whole: no break is lost among safe
// changes, and no safe change is gated.
func TestMixedChanges(t *testing.T) {
	var snippets [][2]string
	for _, c := range schemaCases() {
		if !strings.HasPrefix(c.before, "=") && !strings.Contains(c.suffix, "schema-") && !strings.HasPrefix(c.suffix, "x-") {
			snippets = append(snippets, [2]string{c.before, c.after}, [2]string{c.after, c.before})
		}
	}
	rounds := 60
	if testing.Short() {
		rounds = 30
	}
	rng := rand.New(rand.NewPCG(1, 2))
	counts := map[string]int{}
	for range rounds {
		before, after := mixSnippets(rng, snippets)
		for _, side := range []string{"input", "output"} {
			for profile, lens := range map[Profile]compat.Lens{Caller: callerLens(side), Strict: compat.Strict} {
				checkMix(t, counts, side, profile, lens, before, after)
			}
		}
	}
	t.Log(counts)
	for _, answer := range []compat.Answer{compat.Contained, compat.NotContained, compat.Unknown} {
		if counts[answer.String()] < 3 {
			t.Errorf("only %d are %s", counts[answer.String()], answer)
		}
	}
}

func callerLens(side string) compat.Lens {
	if side == "input" {
		return compat.CallerInput
	}
	return compat.CallerOutput
}

// mixSnippets makes two schemas of some changes, next to each other and within each other.
func mixSnippets(rng *rand.Rand, snippets [][2]string) (before, after string) {
	var b, a []string
	for i := range 1 + rng.IntN(4) {
		s := snippets[rng.IntN(len(snippets))]
		if rng.IntN(3) == 0 {
			s[1] = s[0]
		}
		wrap := []string{"%s", `{"type":"array","items":%s}`, `{"type":"object","properties":{"q":%s},"required":["q"]}`, `{"anyOf":[%s,{"type":"object","required":["z"]}]}`}[rng.IntN(4)]
		b = append(b, fmt.Sprintf(`"p%d":`+wrap, i, s[0]))
		a = append(a, fmt.Sprintf(`"p%d":`+wrap, i, s[1]))
	}
	if rng.IntN(3) == 0 {
		a = append(a, `"extra":{"type":"string"}`)
	}
	ends := []string{``, `,"additionalProperties":false`, `,"required":["p0"]`}
	object := func(props []string) string {
		return `{"type":"object","properties":{` + strings.Join(props, ",") + `}` + ends[rng.IntN(len(ends))] + `}`
	}
	return object(b), object(a)
}

func checkMix(t *testing.T, counts map[string]int, side string, profile Profile, lens compat.Lens, before, after string) {
	t.Helper()
	c := schemaCase{}
	was, is := snapshotOf(c.tool(side, "="+before)), snapshotOf(c.tool(side, "="+after))
	r := mustCompare(t, was, is, &Options{Profile: profile})
	checkWitnesses(t, r, was, is)
	from, err := jsonschema.Parse(json.RawMessage(before))
	if err != nil {
		t.Fatal(err)
	}
	to, err := jsonschema.Parse(json.RawMessage(after))
	if err != nil {
		t.Fatal(err)
	}
	if side == "output" {
		from, to = to, from
	}
	whole := compat.Check(t.Context(), from, to, &compat.Options{Lens: lens})
	counts[whole.Answer.String()]++
	worst := worstSeverity(labelled{}, r)
	switch {
	case whole.Answer == compat.NotContained && worst != Breaking,
		whole.Answer == compat.Unknown && !worst.AtLeast(Unknown),
		whole.Answer == compat.Contained && worst.AtLeast(Unknown):
		t.Errorf("%s, %s: %s, and the report says %s\n%s\n%s%s", side, profile, whole.Answer, worst, before, after, printReport(r))
	}
}
