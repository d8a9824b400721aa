package decide

// Values that the sampler makes of random schemas go through the types that were
// decided for them: none may be lost, whatever a schema combines.

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/sample"
)

// checkValues sends values of both sides of a tool's schema through its types.
// What a number type cannot hold is an error by decision, so it does not count.
func checkValues(t *testing.T, raw json.RawMessage) (n int) {
	t.Helper()
	p, _ := mustPackage(t, Input{Server: Server{Name: "values", Snapshot: &schema.Snapshot{Tools: []schema.Item{schemaTool(t, "t", raw)}}}})
	doc, err := jsonschema.Parse(raw)
	if err != nil || p.Tools[0].Result == nil {
		return 0
	}
	b := newSide(t.Context(), &source{w: newWarner("", ""), it: &item{wire: "t"}, word: "Args"}, doc)
	root, _ := b.views.view(doc.Root)
	joined := root != nil && isUnion(root)
	for v := range sample.Values(doc, nil, &sample.Options{Max: 40, Undeclared: true}) {
		n++
		if err := checkRoundTrip(t, p.Tools[0].Result, v); err != nil && !outOfRange(v) {
			t.Errorf("result %s of %s:\n%v\n%s", v, raw, err, dumpPackage(p))
			return n
		}
	}
	for v := range sample.Values(doc, nil, &sample.Options{Max: 40}) { // undeclared members are not sent
		if v[0] != '{' || joined || strings.Contains(string(raw), `"then"`) {
			continue // where several objects or conditions share members, arguments are typed as they should be sent
		}
		if err := checkRoundTrip(t, &ir.Ref{Kind: ir.Named, Decl: p.Tools[0].Args}, v); err != nil && !outOfRange(v) {
			t.Errorf("arguments %s of %s:\n%v\n%s", v, raw, err, dumpPackage(p))
			return n
		}
	}
	return n
}

// outOfRange reports whether a value holds a number that no float64 holds
// exactly.
func outOfRange(raw json.RawMessage) bool {
	var found bool
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case json.Number:
			_, asInt := goInt(string(v))
			_, asFloat := goFloat(string(v))
			f, _ := v.Float64()
			found = found || !asFloat || !asInt && math.Abs(f) >= 1<<53
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, m := range v {
				walk(m)
			}
		}
	}
	walk(decodeText(string(raw)))
	return found
}

// FuzzValues is the property that the types stand for.
func FuzzValues(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		data, err := json.Marshal(randomSchema(r, 3))
		if err != nil {
			t.Fatal(err)
		}
		checkValues(t, data)
	})
}
