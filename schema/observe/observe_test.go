package observe

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestMerge(t *testing.T) {
	tests := []struct {
		name, values, want string // values one per line
	}{
		{"nothing", ``, ``},
		{"object", `{"n":1,"s":"x","b":true}`, `{"properties":{"b":{"type":"boolean"},"n":{"type":"integer"},"s":{"type":"string"}},"type":"object"}`},
		{"no member is required", "{\"a\":1}\n{\"b\":\"x\"}", `{"properties":{"a":{"type":"integer"},"b":{"type":"string"}},"type":"object"}`},
		{"items are one", `[{"a":1},{"b":null},{"a":1.5}]`, `{"items":{"properties":{"a":{"type":"number"},"b":{"type":"null"}},"type":"object"},"type":"array"}`},
		{"empty array", `[]`, `{"type":"array"}`},
		{"empty object", `{}`, `{"properties":{},"type":"object"}`},
		{"null later", "{\"a\":\"x\"}\n{\"a\":null}", `{"properties":{"a":{"type":["null","string"]}},"type":"object"}`},
		{"nullable object", "{\"a\":1}\nnull", `{"properties":{"a":{"type":"integer"}},"type":["null","object"]}`},
		{"scalars", "1\ntrue\n\"x\"", `{"type":["boolean","integer","string"]}`},
		{"object or text", "{\"a\":1}\n\"x\"\nnull", `{"anyOf":[{"properties":{"a":{"type":"integer"}},"type":"object"},{"type":"string"},{"type":"null"}]}`},
		{"array or object", "{\"a\":1}\n[1]", `{"anyOf":[{"items":{"type":"integer"},"type":"array"},{"properties":{"a":{"type":"integer"}},"type":"object"}]}`},
		{"2^53", `9007199254740992`, `{"type":"integer"}`},
		{"beyond 2^53", "9007199254740993\n-1", `{"format":"int64","type":"integer"}`},
		{"beyond 2^53 or null", "9007199254740993\nnull", `{"format":"int64","type":["integer","null"]}`},
		{"beyond 2^53 and a fraction", "9007199254740993\n0.5", `{}`},
		{"beyond 2^63", "18446744073709551615\n1", `{"format":"uint64","type":"integer"}`},
		{"beyond 2^63 or text", "18446744073709551615\n\"x\"", `{"anyOf":[{"format":"uint64","type":"integer"},{"type":"string"}]}`},
		{"beyond all integers", `123456789012345678901234567890`, `{}`},
		{"beyond all floats", `1e400`, `{}`},
		{"spelled as a float", `1.0`, `{"type":"number"}`},
		{"integer and number", "1\n1.5", `{"type":"number"}`},
		{"member twice", `{"a":1,"a":"x"}`, `{"properties":{"a":{"type":["integer","string"]}},"type":"object"}`},
		{"ids", `{"17":{"a":1},"18":{"b":2}}`, `{"additionalProperties":{"properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"type":"object"},"type":"object"}`},
		{"ids later", "{\"a\":1}\n{\"2026-11-20\":\"x\"}", `{"additionalProperties":{"type":["integer","string"]},"type":"object"}`},
		{"map of maps", `{"a/b":{"1.2.3":true}}`, `{"additionalProperties":{"additionalProperties":{"type":"boolean"},"type":"object"},"type":"object"}`},
		{"15 alike", objectOf(15, `{"x":1}`), ``},
		{"16 alike", objectOf(16, `{"x":1}`), `{"additionalProperties":{"properties":{"x":{"type":"integer"}},"type":"object"},"type":"object"}`},
		{"99 numbers", objectOf(99, `1`), ``},
		{"100 numbers", objectOf(100, `1`), `{"additionalProperties":{"type":"integer"},"type":"object"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := mergeAll(t, splitValues(tt.values)...)
			if tt.want == "" && tt.values != "" {
				if !strings.Contains(string(got), `"properties":{"k0"`) {
					t.Errorf("a map, want a struct: %s", got)
				}
				return
			}
			if string(got) != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// members is an object of n members k0, k1, … of one value.
func objectOf(n int, value string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":%s`, i, value)
	}
	return "{" + b.String()[1:] + "}"
}

func splitValues(lines string) []json.RawMessage {
	var out []json.RawMessage
	for line := range strings.Lines(lines) {
		out = append(out, json.RawMessage(strings.TrimSpace(line)))
	}
	return out
}

func mergeAll(t testing.TB, values ...json.RawMessage) json.RawMessage {
	t.Helper()
	var s json.RawMessage
	for _, v := range values {
		next, err := Merge(s, v)
		if err != nil {
			t.Fatalf("Merge(%s, %s): %v", s, v, err)
		}
		s = next
	}
	return s
}

func TestNamesThatAreData(t *testing.T) {
	for _, name := range []string{"", "1", "-1", "3.14", "2026-11-20", "2026-11-20T10:00:00Z", "10:30", "192.168.0.1:80", "1.2.3",
		"/pets", "app.kubernetes.io/name", "application/json", "https://example.com", "bob@example.com",
		"3f2504e0-4f89-11d3-9a0c-0305e82c3301", "0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe", "507f1f77bcf86cd799439011", strings.Repeat("x", 65)} {
		if !isData(name) {
			t.Errorf("%q: got a field, want data", name)
		}
	}
	for _, name := range []string{"a", "html_url", "$schema", "@type", "value@odata.type", "@odata.nextLink", "Content-Type", "first name", "größe",
		"名前", "x1", "24h", "1. open", "sha256", "feedface", "java.version", "_", "a:b", "is_admin?", strings.Repeat("x", 64)} {
		if isData(name) {
			t.Errorf("%q: got data, want a field", name)
		}
	}
}

func TestDepth(t *testing.T) {
	for _, deep := range []string{
		strings.Repeat(`[`, 9000) + strings.Repeat(`]`, 9000),
		strings.Repeat(`{"a":`, 100) + `1` + strings.Repeat(`}`, 100),
	} {
		s := mergeAll(t, json.RawMessage(deep))
		if again := mergeAll(t, json.RawMessage(deep), json.RawMessage(deep)); string(again) != string(s) {
			t.Errorf("merged twice: %s, once: %s", again, s)
		}
		if strings.Count(string(s), `"type"`) != maxDepth {
			t.Errorf("%d levels, want %d", strings.Count(string(s), `"type"`), maxDepth)
		}
	}
}

func TestTooLarge(t *testing.T) {
	var parts []string
	for i := range 90 {
		parts = append(parts, fmt.Sprintf(`"g%c%c":{%s}`, 'a'+i/10, 'a'+i%10, mixedMembers(i)))
	}
	_, err := Merge(nil, json.RawMessage(`{`+strings.Join(parts, ",")+`}`))
	if err == nil || !strings.Contains(err.Error(), "more than the 10000 that can be observed") {
		t.Errorf("got the error %v, want one that names the limit", err)
	}
}

// mixed are 200 members of which no 16 are alike.
func mixedMembers(i int) string {
	var b strings.Builder
	for j := range 200 {
		fmt.Fprintf(&b, `,"m%dx%d":%s`, i, j, []string{"1", `"x"`, "true", "[]"}[j%4])
	}
	return b.String()[1:]
}

func TestForeignShapes(t *testing.T) {
	for raw, want := range map[string]string{
		`{"type":"string","enum":["a"]}`:                                           `the keyword "enum"`,
		`{"type":"object","properties":{"a":{"type":"string","description":"x"}}}`: `at "/properties/a": the keyword "description"`,
		`{"type":"object","properties":{},"required":["a"]}`:                       `the keyword "required"`,
		`true`: "not observed shapes",
		`{"type":"object","properties":{},"additionalProperties":{}}`: "either properties or additionalProperties",
		`{"properties":{}}`:                   "do not make an observed shape",
		`{"type":"string","format":"date"}`:   `the format "date"`,
		`{"type":"object","type":"string"}`:   "duplicate",
		`{"anyOf":[{}],"type":"string"}`:      "do not make an observed shape",
		`{`:                                   "",
		`{"type":5}`:                          "",
		`{"type":"object","properties":true}`: "",
	} {
		got, err := Merge(json.RawMessage(raw), json.RawMessage(`1`))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %s, %v, want %q", raw, got, err, want)
		}
	}
	for _, value := range []string{``, ` `, `{`, `[1`, `{"a"`, `1 2`, `nul`, `{"a":1}}`, strings.Repeat("[", 100)} {
		if got, err := Merge(nil, json.RawMessage(value)); err == nil || !strings.Contains(err.Error(), "not one JSON value") {
			t.Errorf("%q: got %s, %v; want an error with %q", value, got, err, "not one JSON value")
		}
	}
}

// TestLaws merges random values in random order and grouping.
func TestLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		all := make([]json.RawMessage, 1+rng.IntN(6))
		for j := range all {
			all[j] = randomValue(rng)
		}
		checkLaws(t, rng, all)
		if t.Failed() {
			t.Fatalf("round %d: %s", i, all)
		}
	}
}

func checkLaws(t testing.TB, rng *rand.Rand, all []json.RawMessage) {
	t.Helper()
	want := mergeAll(t, all...)
	shuffled := append([]json.RawMessage{}, all...)
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	if got := mergeAll(t, shuffled...); string(got) != string(want) {
		t.Errorf("in another order:\n%s\n%s", got, want)
	}
	if got := mergeAll(t, append(shuffled, all...)...); string(got) != string(want) {
		t.Errorf("everything twice:\n%s\n%s", got, want)
	}
	cut := rng.IntN(len(all) + 1)
	got, err := joined(mergeAll(t, all[cut:]...), mergeAll(t, all[:cut]...))
	if err != nil || string(got) != string(want) {
		t.Errorf("in two parts: %v\n%s\n%s", err, got, want)
	}
	checkValid(t, want, all)
}

// joined is the shape of everything that fits a or b. Empty shapes add nothing.
func joined(a, b json.RawMessage) (json.RawMessage, error) {
	x, err := parse(a)
	if err != nil {
		return nil, err
	}
	y, err := parse(b)
	if err != nil {
		return nil, err
	}
	return finish(join(x, y))
}

// validates asks a validator that knows nothing of this package.
func checkValid(t testing.TB, shape json.RawMessage, values []json.RawMessage) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(shape)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("shape.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("shape.json")
	if err != nil {
		t.Fatalf("%s: %v", shape, err)
	}
	for _, value := range values {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(value)))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(v); err != nil {
			t.Errorf("%s does not fit its own shape %s: %v", value, shape, err)
		}
	}
}

// randomValue makes small values that often share names, and sometimes have so
// many members, or such names, that objects become maps.
func randomValue(rng *rand.Rand) json.RawMessage {
	text, err := json.Marshal(randomTree(rng, 3))
	if err != nil {
		panic(err)
	}
	return text
}

func randomTree(rng *rand.Rand, depth int) any {
	if depth > 0 {
		switch rng.IntN(4) {
		case 0:
			list := make([]any, rng.IntN(4))
			for i := range list {
				list[i] = randomTree(rng, depth-1)
			}
			return list
		case 1, 2:
			return randomObject(rng, depth)
		}
	}
	scalars := []any{nil, true, "x", 1, -5, 1.5, json.Number("1e3"), json.Number("9007199254740993"), json.Number("18446744073709551615"), json.Number("1e999")}
	return scalars[rng.IntN(len(scalars))]
}

func randomObject(rng *rand.Rand, depth int) map[string]any {
	out := map[string]any{}
	n := rng.IntN(5)
	if depth == 3 && rng.IntN(4) == 0 {
		n = 12 + rng.IntN(8) // about as many as make a map
	}
	for range n {
		name := fmt.Sprintf("f%d", rng.IntN(20))
		if rng.IntN(30) == 0 {
			name = fmt.Sprint(rng.IntN(20))
		}
		out[name] = randomTree(rng, depth-1)
	}
	return out
}

func FuzzMerge(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"a":1}`, `{"a":"x","b":[{"c":null}]}`}, {`[1,2.5]`, `[]`}, {`{"1":{}}`, `null`},
		{`{"\ud800":1,"":2}`, `"\u0000"`}, {`1e400`, `-0`}, {`[[[[]]]]`, `{"a":{"a":{"a":{}}}}`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		ab, err := Merge(nil, a)
		if err == nil {
			ab, err = Merge(ab, b)
		}
		if err != nil {
			return
		}
		if ba := mergeAll(t, b, a); string(ab) != string(ba) {
			t.Fatalf("%s\n%s", ab, ba)
		}
		if again := mergeAll(t, a, b, a, b); string(ab) != string(again) {
			t.Fatalf("%s\n%s", ab, again)
		}
	})
}

func FuzzJoin(f *testing.F) {
	for _, seed := range []string{`{}`, `{"type":"object","properties":{"a":{"type":["null","string"]}}}`, `{"anyOf":[{"type":"array","items":{}},{"type":"null"}]}`, `{"type":"object","additionalProperties":{"type":"integer","format":"uint64"}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, a []byte) {
		once, err := joined(a, nil)
		if err != nil {
			return
		}
		twice, err := joined(once, a)
		if err != nil || string(once) != string(twice) {
			t.Fatalf("%v\n%s\n%s", err, once, twice)
		}
	})
}
