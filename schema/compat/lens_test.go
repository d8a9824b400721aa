package compat_test

// What each lens makes a difference of.

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema/compat"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/sample"
	"github.com/mcpgen/mcpgen/schema/validate"
)

func TestLens(t *testing.T) {
	const y, n = compat.Contained, compat.NotContained
	for _, test := range []struct {
		name                  string
		a, b                  string
		strict, input, output compat.Answer
	}{
		{"an optional member is added", `{"type":"object","properties":{"a":true}}`,
			`{"type":"object","properties":{"a":true,"b":{"type":"string"}}}`, n, y, y},
		{"members were explicitly open", `{"type":"object","properties":{"a":true},"additionalProperties":true}`,
			`{"type":"object","properties":{"a":true,"b":{"type":"string"}}}`, n, n, n},
		{"a map stays a map", `{"type":"object"}`, `{"type":"object","properties":{"b":{"type":"string"}}}`, n, n, n},
		{"it was closed", `{"type":"object","properties":{"a":true}}`,
			`{"type":"object","properties":{"a":true},"additionalProperties":false}`, n, y, y},
		{"a closed one grows", `{"type":"object","properties":{"a":true,"b":true},"additionalProperties":false}`,
			`{"type":"object","properties":{"a":true},"additionalProperties":false}`, n, n, y},
		{"in an allOf", `{"allOf":[{"type":"object","properties":{"a":true}},{"properties":{"b":true}}]}`,
			`{"type":"object","properties":{"a":true,"b":true},"additionalProperties":false}`, n, y, y},
		{"in a closed alternative", `{"type":"object","properties":{"k":{"const":"x"},"more":true},"required":["k"],"additionalProperties":false}`,
			`{"oneOf":[{"type":"object","properties":{"k":{"const":"x"}},"required":["k"],"additionalProperties":false},{"type":"null"}]}`, n, n, y},
		{"a map of one kind", `{"type":"object","additionalProperties":{"type":"integer"}}`,
			`{"type":"object","additionalProperties":{"type":"string"}}`, n, n, n},
		{"a member became required", `{"type":"object","properties":{"a":true}}`,
			`{"type":"object","properties":{"a":true},"required":["a"]}`, n, n, n},
		{"deep", `{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"b":true}}}}}`,
			`{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"b":true,"c":{"type":"string"}}}}}}`, n, y, y},
		{"negated", `{"type":"object","properties":{"a":true}}`,
			`{"type":"object","not":{"properties":{"a":true,"b":true},"required":["b"]}}`, n, y, y},
	} {
		for lens, want := range map[compat.Lens]compat.Answer{compat.Strict: test.strict, compat.CallerInput: test.input, compat.CallerOutput: test.output} {
			a, b := parseDocument(t, json.RawMessage(test.a)), parseDocument(t, json.RawMessage(test.b))
			v := compat.Check(t.Context(), a, b, &compat.Options{Lens: lens})
			if v.Answer != want {
				t.Errorf("%s, lens %d: %v, want %v: %s %s", test.name, lens, v.Answer, want, v.Reason, v.Witness)
			}
		}
	}
}

// TestRandomLenses attacks what is contained under a lens with the values that
// the lens shows.
func TestRandomLenses(t *testing.T) {
	counts := map[compat.Answer]int{}
	for seed := range fromEnv("MCPGEN_ROUNDS", 150) {
		r := &random{Rand: rand.New(rand.NewPCG(uint64(seed), 3+uint64(fromEnv("MCPGEN_SEED", 0))))}
		left := r.schema(3)
		right := r.edit(r.edit(left))
		a, b := parseDocument(t, json.RawMessage(left)), parseDocument(t, json.RawMessage(right))
		for _, lens := range []compat.Lens{compat.CallerInput, compat.CallerOutput} {
			v := compat.Check(t.Context(), a, b, &compat.Options{Lens: lens})
			counts[v.Answer]++
			attackLens(t, a, b, lens, v)
		}
	}
	t.Log(counts)
}

func attackLens(t *testing.T, a, b *jsonschema.Document, lens compat.Lens, v compat.Verdict) {
	t.Helper()
	opened := compat.Open(a, false)
	right, err := validate.Of(compat.Open(b, lens == compat.CallerOutput), nil)
	if err != nil {
		return
	}
	exact, err := validate.Of(b, nil)
	if err != nil {
		return
	}
	if v.Answer == compat.NotContained {
		fits := right.Validate(v.Witness) == nil
		if lens == compat.CallerInput { // or what fitted exactly one alternative does so no more
			fits = fits && (exact.Validate(v.Witness) == nil || !compat.InLens(a, b, lens, v.Witness))
		}
		if fits || !compat.InLens(opened, b, lens, v.Witness) {
			t.Errorf("%s in %s, lens %d: no witness %s", textOf(a), textOf(b), lens, v.Witness)
		}
		return
	}
	if v.Answer != compat.Contained {
		return
	}
	for raw := range sample.Values(opened, nil, &sample.Options{Max: 80, Hints: b, Undeclared: true}) {
		if right.Validate(raw) != nil && compat.InLens(opened, b, lens, raw) {
			t.Errorf("%s\n in %s\n lens %d is refuted by %s", textOf(a), textOf(b), lens, raw)
			return
		}
	}
}

func TestBounds(t *testing.T) {
	wide := func(keyword string, n int) string {
		var all []string
		for i := range n {
			all = append(all, `{"type":"object","properties":{"k`+strings.Repeat("x", i%7)+`":{"type":"string","minLength":`+string(rune('0'+i%10))+`}}}`)
		}
		return `{"` + keyword + `":[` + strings.Join(all, ",") + `]}`
	}
	a, b := parseDocument(t, json.RawMessage(wide("anyOf", 200))), parseDocument(t, json.RawMessage(wide("oneOf", 200)))
	ended, end := context.WithCancel(t.Context())
	end()
	matching := func(pattern string) *jsonschema.Document {
		return parseDocument(t, json.RawMessage(`{"type":"string","pattern":"`+pattern+`"}`))
	}
	for _, test := range []struct {
		name   string
		ctx    context.Context
		a, b   *jsonschema.Document
		steps  int // that it may take
		most   int // that it takes
		gaveUp bool
	}{
		{"few steps", t.Context(), a, b, 100, 2_000, true},
		{"a context that has ended", ended, a, b, 0, 2_000, true},
		{"no schema", t.Context(), nil, b, 0, 0, false},
		{"patterns with many states", t.Context(), matching(`^(a|b)*a(a|b){14}$`), matching(`^(a|b)*b(a|b){13}$`), 0, compat.DefaultSteps * 3 / 2, false},
	} {
		v := compat.Check(test.ctx, test.a, test.b, &compat.Options{MaxSteps: test.steps})
		if v.Answer == compat.Contained || v.Reason == "" {
			t.Errorf("%s: got %v because %q, want another answer than contained, with a reason", test.name, v.Answer, v.Reason)
		}
		if v.Steps > test.most || v.GaveUp != test.gaveUp {
			t.Errorf("%s: took %d steps and gave up: %t, want at most %d and %t", test.name, v.Steps, v.GaveUp, test.most, test.gaveUp)
		}
	}
}
