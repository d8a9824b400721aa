package decide

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// recursiveSchemas are schemas whose definitions come back to themselves where they are
// combined, with the number of types that they have at most. Each would make a new
// type for each level of the recursion if nothing recognised it.
func recursiveSchemas() map[string]struct {
	raw   string
	types int
} {
	const self = `{"type":"object","properties":{"a":{"$ref":"#/$defs/S"}},"oneOf":[{"properties":{"a":{"$ref":"#/$defs/S"}},"required":["a"]},{"required":["b"]}]}`
	six := joinRange(6, func(i int) string {
		return fmt.Sprintf(`,{"properties":{"p%d":{"$ref":"#/$defs/S"},"a":{"$ref":"#/$defs/S"}},"required":["p%d"]}`, i, i)
	})
	members := strings.TrimSuffix(joinRange(6, func(i int) string { return fmt.Sprintf(`"p%d":{"$ref":"#/$defs/S"},`, i) }), ",")
	return map[string]struct {
		raw   string
		types int
	}{
		"itself in a variant": {`{"$ref":"#/$defs/S","$defs":{"S":` + self + `}}`, 8},
		"six of them":         {`{"$ref":"#/$defs/S","$defs":{"S":{"type":"object","properties":{` + members + `},"oneOf":[{"required":["b"]}` + six + `]}}}`, 20},
		"a reference with words beside it": {`{"$ref":"#/$defs/S","$defs":{"S":{"type":"object","properties":{"a":{"description":"x","$ref":"#/$defs/S"}},
			"oneOf":[{"properties":{"a":{"title":"y","$ref":"#/$defs/S"}},"required":["a"]},{"required":["b"]}]}}}`, 8},
		"two that ask for each other": {`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{
			"A":{"type":"object","properties":{"p":{"allOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}]}}},
			"B":{"type":"object","properties":{"p":{"allOf":[{"$ref":"#/$defs/B"},{"$ref":"#/$defs/A"},{"type":"object","properties":{"q":{}}}]}}}}}`, 8},
		"lists of itself": {`{"$ref":"#/$defs/S","$defs":{"S":{"type":"object","properties":{"a":{"type":"array","items":{"$ref":"#/$defs/S"}}},
			"oneOf":[{"properties":{"a":{"type":"array","items":{"$ref":"#/$defs/S"}}},"required":["a"]},{"required":["b"]}]}}}`, 8},
		"messages": {messageSchema(12), 400},
	}
}

// messageSchema is a schema as converters of protocol definitions write them: each of n
// messages has each other as a member, and says of each alternative once more what
// its member is.
func messageSchema(n int) string {
	ref := func(i int) string { return `{"$ref":"#/definitions/m` + strconv.Itoa(i%n) + `"}` }
	return `{"$ref":"#/definitions/m0","definitions":{` + strings.TrimSuffix(joinRange(n, func(i int) string {
		properties, variants := "", ""
		for j := range n {
			name := `"f` + strconv.Itoa(j) + `":`
			properties += name + ref(i+j) + ","
			if j < 3 {
				variants += `{"properties":{` + name + ref(i+j) + `},"required":["f` + strconv.Itoa(j) + `"]},`
			}
		}
		return fmt.Sprintf(`"m%d":{"type":"object","properties":{%s"not":{"anyOf":[%s]}},"oneOf":[%s]},`, i, properties,
			strings.TrimSuffix(variants, ","), strings.TrimSuffix(variants, ","))
	}), ",") + `}}`
}

func TestRecursiveSchemas(t *testing.T) {
	for name, c := range recursiveSchemas() {
		t.Run(name, func(t *testing.T) {
			for _, b := range sidesOf(t, []byte(c.raw)) {
				if len(b.decls) > c.types {
					t.Errorf("%s: got %d types, want at most %d", b.word, len(b.decls), c.types)
				}
				if len(b.w.list) > 0 {
					t.Errorf("%s: got the warnings %v, want none", b.word, b.w.list)
				}
			}
			s := &schema.Snapshot{Tools: []schema.Item{schemaTool(t, "t", []byte(c.raw))}}
			checkStable(t, Input{Server: Server{Name: "recursive", Snapshot: s}})
		})
	}
}

// sidesOf makes the types of a schema on both sides of a tool.
func sidesOf(t testing.TB, raw []byte) []*side {
	t.Helper()
	var out []*side
	for _, word := range []string{"Args", "Result"} {
		doc, err := jsonschema.Parse(raw)
		if err != nil {
			t.Skip(err)
		}
		b := newSide(t.Context(), &source{w: newWarner("", ""), it: &item{wire: "t"}, word: word, at: "/inputSchema", results: word == "Result"}, doc)
		if word == "Args" {
			b.args()
		} else {
			b.result()
		}
		out = append(out, b)
	}
	return out
}

// TestInvolvedSchemas builds schemas that can be combined in more ways than anybody
// can count. They take a bounded number of steps, and say that their types are wide.
func TestInvolvedSchemas(t *testing.T) {
	const n = 24
	// Each definition leads to two others: the sets of definitions that hold at the
	// same time are all that there are.
	subsets := `{"type":"object","properties":{"r":{"allOf":[{"$ref":"#/$defs/d0"},{"$ref":"#/$defs/d1"}]}},"$defs":{` + strings.TrimSuffix(joinRange(n, func(i int) string {
		other := i
		if i == 0 {
			other = n / 2
		}
		return fmt.Sprintf(`"d%d":{"type":"object","properties":{"x":{"$ref":"#/$defs/d%d"},"y":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},"n%d":{"type":"string"}}},`,
			i, (i+1)%n, (i+1)%n, other, i)
	}), ",") + `}}`
	// Every way to take one of each: a product of unions.
	product := `{"type":"object","properties":{"p":{"allOf":[` + strings.TrimSuffix(joinRange(12, func(i int) string {
		return fmt.Sprintf(`{"oneOf":[{"properties":{"a%d":{"type":"string"}},"required":["a%d"]},{"properties":{"b%d":{"type":"integer"}},"required":["b%d"]}]},`, i, i, i, i)
	}), ",") + `]}}}`
	// Many members, each once more in every variant of every definition.
	many := strings.TrimSuffix(joinRange(400, func(i int) string { return fmt.Sprintf(`"p%d":{"$ref":"#/$defs/S"},`, i) }), ",")
	wide := `{"$ref":"#/$defs/S","$defs":{"S":{"type":"object","properties":{` + many + `},"oneOf":[` + strings.TrimSuffix(joinRange(150, func(i int) string {
		return fmt.Sprintf(`{"properties":{"p%d":{"type":"object","properties":{"q%d":{"$ref":"#/$defs/S"}}}},"required":["p%d"]},`, i, i, i)
	}), ",") + `]}}}`
	// One long text beside each of many members.
	words := `{"type":"object","properties":{` + strings.TrimSuffix(joinRange(5000, func(i int) string {
		return fmt.Sprintf(`"p%d":{"$ref":"#/$defs/T"},`, i)
	}), ",") + `},"$defs":{"T":{"type":"string","description":"` + strings.Repeat("lorem ipsum ", 1000) + `"}}}`
	for name, raw := range map[string]string{"subsets": subsets, "product": product, "wide": wide, "words": words} {
		t.Run(name, func(t *testing.T) {
			for _, b := range sidesOf(t, []byte(raw)) {
				checkBounds(t, b)
			}
			s := &schema.Snapshot{Tools: []schema.Item{schemaTool(t, "t", []byte(raw))}}
			p, warnings := mustPackage(t, Input{Server: Server{Name: "involved", Snapshot: s}})
			if len(warnings) == 0 {
				t.Error("got no warning, want one that says what is wide")
			}
			text := 0
			for _, d := range p.Types {
				text += len(d.Doc.Server)
				for _, f := range d.Fields {
					text += len(f.Doc.Server)
				}
			}
			if text > 2*maxWords {
				t.Errorf("got %d bytes of docs, want at most %d", text, 2*maxWords)
			}
		})
	}
}

// checkBounds wants a side that took no more than one tool can have.
func checkBounds(t *testing.T, b *side) {
	t.Helper()
	if b.budget.steps > maxSteps || len(b.views.joint) > maxSteps {
		t.Errorf("%s: %d steps, %d schemas", b.word, b.budget.steps, len(b.views.joint))
	}
	lines := 0
	for _, d := range b.decls {
		lines += len(d.t.Fields) + len(d.t.Variants) + len(d.t.Consts)
	}
	if len(b.decls) > maxTypes+1 || lines > 4*maxLines {
		t.Errorf("%s: %d types, %d lines", b.word, len(b.decls), lines)
	}
}

// FuzzHostileSchemas reads bytes as a few definitions that refer to each other,
// and combines them in every way that a schema can.
func FuzzHostileSchemas(f *testing.F) {
	for _, seed := range []string{
		"", "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09", "oneOf allOf anyOf", strings.Repeat("\x03\x11\x27", 40), strings.Repeat("abcdefghij", 20),
		strings.Repeat("\xff\x80\x41\x07", 64), strings.Repeat("\x01\x02\x01\x05\x09\x03\x01\x04", 50),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<12 {
			return
		}
		raw := (&grammar{data: data, definitions: 1 + len(data)%7}).document()
		if !json.Valid(raw) {
			t.Fatalf("the grammar made invalid JSON: %s", raw)
		}
		for _, b := range sidesOf(t, raw) {
			checkBounds(t, b)
		}
		s := &schema.Snapshot{Tools: []schema.Item{schemaTool(t, "t", raw)}}
		if p, _ := mustPackage(t, Input{Server: Server{Name: "fuzz", Snapshot: s}}); len(p.Types) < 500 {
			if err := checkCompiles(p); err != nil {
				t.Errorf("the types do not compile: %v\n%s", err, raw)
			}
		}
	})
}

// grammar writes schemas that refer to each other, as bytes choose.
type grammar struct {
	data        []byte
	definitions int
	depth       int
}

func (g *grammar) choose(n int) int {
	if len(g.data) == 0 {
		return 0
	}
	c := int(g.data[0]) % n
	g.data = g.data[1:]
	return c
}

func (g *grammar) document() []byte {
	defs := joinRange(g.definitions, func(i int) string { return fmt.Sprintf(`"d%d":%s,`, i, g.object()) })
	return []byte(`{"$ref":"#/$defs/d0","$defs":{` + strings.TrimSuffix(defs, ",") + `}}`)
}

func (g *grammar) ref() string { return fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, g.choose(g.definitions)) }

func (g *grammar) schema() string {
	if g.depth > 3 || len(g.data) == 0 {
		return g.ref()
	}
	g.depth++
	defer func() { g.depth-- }()
	switch g.choose(10) {
	case 0:
		return `{"type":"array","items":` + g.schema() + `}`
	case 1:
		return `{"type":["string","null"]}`
	case 2:
		return `{"allOf":[` + g.schema() + `,` + g.schema() + `]}`
	case 3:
		return `{"anyOf":[` + g.schema() + `,` + g.schema() + `]}`
	case 4:
		return `{"const":` + strconv.Itoa(g.choose(3)) + `}`
	case 5:
		return g.object()
	case 6:
		return `{"$ref":"#/$defs/d` + strconv.Itoa(g.choose(g.definitions)) + `","properties":{"a":` + g.schema() + `}}`
	}
	return g.ref()
}

func (g *grammar) object() string {
	g.depth++
	defer func() { g.depth-- }()
	members := map[string]string{"type": `"object"`, "properties": g.properties()} // no keyword twice
	for range g.choose(4) {
		switch g.choose(6) {
		case 0:
			members["oneOf"] = `[{"properties":` + g.properties() + `,"required":["a"]},{"properties":` + g.properties() + `,"required":["b"]}]`
		case 1:
			members["allOf"] = `[` + g.schema() + `,` + g.schema() + `]`
		case 2:
			members["if"], members["then"] = `{"required":["a"]}`, `{"properties":`+g.properties()+`}`
		case 3:
			members["additionalProperties"] = g.schema()
		case 4:
			members["patternProperties"] = `{"^x":` + g.schema() + `}`
		case 5:
			members["unevaluatedProperties"] = g.schema()
		}
	}
	return objectOf(members)
}

func (g *grammar) properties() string {
	members := map[string]string{}
	for range 1 + g.choose(3) {
		members[string('a'+rune(g.choose(4)))] = g.schema()
	}
	return objectOf(members)
}

// objectOf writes an object with members in order of name.
func objectOf(members map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		out = append(out, quoteJSON(name)+":"+members[name])
	}
	return "{" + strings.Join(out, ",") + "}"
}
