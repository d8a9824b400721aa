package decide

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
)

// randomSchema makes a schema of every keyword that types look at, with names and
// values that like to meet.
func randomSchema(r *rand.Rand, depth int) any {
	names := []string{"a", "a_b", "a-b", "aB", "A", "extra", "Extra", "2fa", "", "a,b", "-", "type", "item", "value", "marshal_json", "搜索", "a/b", "a~b", "x*/"}
	types := []any{"string", "integer", "number", "boolean", "null", "object", "array", []any{"string", "null"}, []any{"object", "null"}, []any{"integer", "number"}, []any{"string", "object"}}
	scalars := []any{"a", "A", "a b", "", "+1", "x*/", 0, 1, -1, 1.5, 1e21, 4294967296, true, false, nil, map[string]any{"a": 1}, []any{1}}
	refs := []string{"#", "#/$defs/a", "#/$defs/b", "#/$defs/a_b", "#/properties/a", "#/$defs/a/properties/a", "#/nope", "https://example.com"}
	pick := func(list []any) any { return list[r.IntN(len(list))] }
	name := func() string { return names[r.IntN(len(names))] }
	sub := func() any { return randomSchema(r, depth-1) }
	if r.IntN(20) == 0 || depth <= 0 {
		return []any{true, false, map[string]any{"type": pick(types)}, map[string]any{"$ref": refs[r.IntN(len(refs))]}}[r.IntN(4)]
	}
	s := map[string]any{}
	if r.IntN(4) > 0 {
		s["type"] = pick(types)
	}
	list := func() []any {
		var out []any
		for range 1 + r.IntN(3) {
			out = append(out, sub())
		}
		return out
	}
	for range 1 + r.IntN(3) {
		switch r.IntN(21) {
		case 0, 1, 2, 3, 4:
			props := map[string]any{}
			for range r.IntN(5) {
				props[name()] = sub()
			}
			s["type"], s["properties"], s["required"] = "object", props, []any{name(), name()}
		case 5, 6:
			s["type"], s["items"] = "array", sub()
		case 7:
			s["enum"] = []any{pick(scalars), pick(scalars), pick(scalars)}
		case 8:
			s["const"] = pick(scalars)
		case 9:
			s["additionalProperties"] = sub()
		case 10:
			s["$ref"] = refs[r.IntN(len(refs))]
		case 11:
			s[[]string{"anyOf", "oneOf", "allOf"}[r.IntN(3)]] = list()
		case 12:
			s["prefixItems"] = list()
		case 13:
			s["patternProperties"] = map[string]any{"^x": sub()}
		case 14:
			s["$defs"] = map[string]any{"a": sub(), "b": sub(), "a_b": sub()}
		case 16:
			s["if"], s["then"], s["else"] = sub(), sub(), sub()
		case 17:
			s["unevaluatedProperties"], s["dependentSchemas"] = sub(), map[string]any{name(): sub()}
		case 18:
			s["type"], s["prefixItems"], s["minItems"] = "array", list(), r.IntN(3)
			s["items"] = []any{false, true, sub()}[r.IntN(3)]
		case 19, 20:
			tag := name()
			var branches []any
			for range 2 + r.IntN(2) {
				branches = append(branches, map[string]any{
					"type": "object", "properties": map[string]any{tag: map[string]any{"const": pick(scalars)}, name(): sub()},
					"required": []any{tag, name()}, "additionalProperties": r.IntN(2) == 0,
				})
			}
			s["oneOf"] = append(branches, []any{map[string]any{"type": "null"}, sub(), map[string]any{"type": "string"}}[r.IntN(3)])
		case 15:
			s["minimum"], s["minLength"], s["default"], s["description"] = r.IntN(3)-1, r.IntN(2), pick(scalars), "Words.\n*/ +build x"
		}
	}
	return s
}

// FuzzRandomSchema builds packages of random schemas and checks what the
// compiler would, and that the lock reproduces them.
func FuzzRandomSchema(f *testing.F) {
	for seed := range uint64(100) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		s := &schema.Snapshot{}
		for _, name := range []string{"list_prs", "list-prs", "list_prs_args_a"} {
			data, err := json.Marshal(randomSchema(r, 4))
			if err != nil {
				t.Fatal(err)
			}
			if data[0] != '{' {
				data = []byte(`{"type":"object"}`)
			}
			s.Tools = append(s.Tools, schemaTool(t, name, data))
		}
		checkStable(t, Input{Server: Server{Name: "random", Snapshot: s}})
	})
}

// checkStable checks that a package compiles and that its own lock changes
// nothing.
func checkStable(t *testing.T, in Input) {
	t.Helper()
	p, _ := mustPackage(t, in)
	if err := checkCompiles(p); err != nil {
		t.Fatal(err)
	}
	names, err := AssignNames(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	in.Locked = lockOf(in.Snapshot, names)
	again, _ := mustPackage(t, in)
	if dumpPackage(p) != dumpPackage(again) {
		t.Fatalf("with its own lock the package changes:\n%s\n%s", dumpPackage(p), dumpPackage(again))
	}
	if more, err := AssignNames(t.Context(), in, in.Snapshot); err != nil || !reflect.DeepEqual(more, names) {
		t.Fatalf("the lock does not settle: %v, then %v (%v)", names, more, err)
	}
}
