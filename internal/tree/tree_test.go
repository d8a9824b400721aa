package tree

import (
	"fmt"
	"strings"
	"testing"
)

// printPlaces prints a tree with the place of every key and value.
func printPlaces(n *Node) string {
	var b strings.Builder
	var walk func(n *Node, at Path)
	walk = func(n *Node, at Path) {
		fmt.Fprintf(&b, "%d:%d %s = %s %s\n", n.Pos.Line, n.Pos.Column, at, n.Kind, Quote(n.Text))
		for i, item := range n.List {
			walk(item, at.Index(i))
		}
		for _, m := range n.Members {
			fmt.Fprintf(&b, "%d:%d %s\n", m.Pos.Line, m.Pos.Column, at.Key(m.Name))
			walk(m.Value, at.Key(m.Name))
		}
	}
	walk(n, "")
	return b.String()
}

func TestPlaces(t *testing.T) {
	const want = `1:1  = a mapping ""
2:3 é
2:8 é = a list ""
2:9 é[0] = an integer "1"
2:12 é[1] = a string "ü"
2:17 é[2] = nothing "null"
3:3 b c
3:10 b c = a mapping ""
3:11 b c.d
3:16 b c.d = a boolean "true"
4:3 e
4:8 e = a number "1.5"
`
	want2 := strings.NewReplacer(" é", ` "é"`, " b c", ` "b c"`, " null", "").Replace(want)
	text := "{\n  \"é\": [1, \"ü\", null],\n  \"b c\": {\"d\": true},\n  \"e\": 1.5\n}"
	for name, parse := range map[string]func(*Report, []byte) *Node{"yaml": ParseYAML, "json": ParseJSON} {
		var r Report
		root := parse(&r, []byte(text))
		if len(r.Errors) > 0 {
			t.Fatalf("%s: %v", name, r.Errors)
		}
		if got := printPlaces(root); got != want2 {
			t.Errorf("%s: got\n%swant\n%s", name, got, want2)
		}
	}
}

// TestBounds gives each reader what grows without end.
func TestBounds(t *testing.T) {
	many := strings.Repeat("1,", MaxNodes+1)
	for name, text := range map[string]string{
		"open lists":     strings.Repeat("[", 1<<20),
		"open maps":      strings.Repeat(`{"a":`, 1<<18),
		"closed":         strings.Repeat("[", 1<<16) + strings.Repeat("]", 1<<16),
		"dashes":         strings.Repeat("- ", 1<<14) + "a",
		"questions":      strings.Repeat("? ", 1<<14) + "a",
		"many":           "[" + many + "1]",
		"comment":        "/*" + strings.Repeat("[", 1<<16),
		"string":         `"` + strings.Repeat("[", 1<<16),
		"slash":          strings.Repeat("/", 1<<16),
		"comments":       strings.Repeat("/**/", 1<<16),
		"anchors":        strings.Repeat("&a ", 1<<14),
		"yaml comments":  "a: 1\n" + strings.Repeat("# c\n", 1<<14),
		"keys":           "{" + strings.Repeat("a: {", 100) + "}",
		"deep aliases":   "a: &a [x]\n" + deepAliases(70),
		"tags":           strings.Repeat("!!str ", 1<<14),
		"zero":           "a\x00b",
		"not text":       "a\xffb",
		"utf-16":         "\xff\xfea\x00",
		"escape":         "a: \x1b[31m",
		"merge sequence": "a: {<<: [x, y]}",
	} {
		if ParseYAML(new(Report), []byte(text)) != nil && name != "comment" && name != "slash" && name != "comments" && name != "yaml comments" {
			t.Errorf("%s is YAML", name)
		}
		if ParseJSON(new(Report), []byte(text)) != nil {
			t.Errorf("%s is JSON", name)
		}
	}
}

// deepAliases nests aliases deeper than the text itself is.
func deepAliases(levels int) string {
	var b strings.Builder
	for i := range levels {
		fmt.Fprintf(&b, "k%d: &k%d [*%s]\n", i, i, map[bool]string{true: "a", false: fmt.Sprintf("k%d", i-1)}[i == 0])
	}
	return b.String()
}

func FuzzYAML(f *testing.F) { fuzzParser(f, ParseYAML) }

func FuzzJSON(f *testing.F) { fuzzParser(f, ParseJSON) }

// fuzzParser wants problems or a tree, each with places inside the text, and a tree
// within the limits.
func fuzzParser(f *testing.F, parse func(*Report, []byte) *Node) {
	for _, seed := range []string{
		"", "a: 1", "a: [1, {b: c}]\nd: &x e\nf: *x", "{\"a\": [1, null, true, \"x\\u00e9\"], // c\n}", "a: |\n  b\n c", "\ufeff{}",
		"a: &a\n  b: *a", "? a\n: b", "--- a\n...\n--- b", "[1,2,]", "{\"a\":1,\"a\":2}", "a: !!binary x", "%TAG ! x\n---\n!a b",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var r Report
		root := parse(&r, data)
		if (root == nil) == (len(r.Errors) == 0) {
			t.Fatalf("root %v, errors %v", root, r.Errors)
		}
		lines := strings.Count(string(data), "\n") + strings.Count(string(data), "\r") + strings.Count(string(data), "\u0085") +
			strings.Count(string(data), "\u2028") + strings.Count(string(data), "\u2029") + 2
		for _, e := range r.Errors {
			if e.Line < 0 || e.Line > lines || e.Text == "" {
				t.Errorf("error %+v in %d lines", e, lines)
			}
		}
		if root != nil {
			checkPlaces(t, root, lines, 0)
		}
	})
}

func checkPlaces(t *testing.T, n *Node, lines, depth int) {
	if n.Pos.Line < 1 || n.Pos.Line > lines || n.Pos.Column < 1 || depth > MaxDepth+1 {
		t.Fatalf("node %+v at depth %d in %d lines", n, depth, lines)
	}
	for _, item := range n.List {
		checkPlaces(t, item, lines, depth+1)
	}
	for _, m := range n.Members {
		checkPlaces(t, m.Value, lines, depth+1)
	}
}

func TestAppendJSON(t *testing.T) {
	for file, tests := range map[string]map[string]string{
		"a.json": {`{"a":1.0,"b":[true,null,"\u0041\n"],"a":2}`: `{"a":1.0,"a":2,"b":[true,null,"A\n"]}`, `{`: ``},
		"a.yml":  {"a: 0x10\nb: [.inf, TRUE, ~]\nc: &x {d: e}\nf: *x\n": `{"a":"0x10","b":[".inf",true,null],"c":{"d":"e"},"f":{"d":"e"}}`},
		"a.toml": {"a = 1_000\n[b]\nc = inf\nd = 2026-01-01\n": `{"a":1000,"b":{"c":"inf","d":"2026-01-01"}}`},
	} {
		for text, want := range tests {
			if got := string(Parse(new(Report), file, []byte(text)).AppendJSON(nil)); got != want {
				t.Errorf("%s %q: %s, want %s", file, text, got, want)
			}
		}
	}
}

// JSON of YAML has the digits of the text, and one value for each key.
func TestYAMLAsJSON(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1.50\nb: 18446744073709551617\nc: {}": `{"a":1.50,"b":18446744073709551617,"c":{}}`,
		"[0x10, 1_000, .5, ~, True, 2026-01-02]":  `[16,1000,0.5,null,true,"2026-01-02"]`,
		"a: &x {b: 1}\nc: *x":                     `{"a":{"b":1},"c":{"b":1}}`,
		"a: 1\nb: 2\na: 3":                        `f.yaml:2:1: the key "a" is there twice: remove one`,
		"a: .inf":                                 `f.yaml:2:4: JSON has no number ".inf": write it in decimal digits`,
		"a: [":                                    `f.yaml:3: not valid YAML: did not find expected node content`,
	} {
		got, err := YAMLAsJSON("f.yaml", 1, []byte(text))
		if err != nil {
			got = []byte(err.Error())
		}
		if string(got) != want {
			t.Errorf("%s\nis %s\nnot %s", text, got, want)
		}
	}
}
