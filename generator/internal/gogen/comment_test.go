package gogen

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/build/constraint"
	gdc "go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

func TestComment(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"blank", " \n\t\n ", ""},
		{"a line", "Lists pulls.", "// Lists pulls."},
		{"own line breaks stay", "One.\nTwo.", "// One.\n// Two."},
		{"paragraphs", "One.\n\n\n\nTwo.", "// One.\n//\n// Two."},
		{"line breaks of other systems", "a\r\nb\rc\u2028d\u2029e\u0085f\vg", "// a\n// b\n// c\n// d\n// e\n// f\n// g"},
		{"not a heading", "One.\n\nReturns all values\n\nThree.", "// One.\n//\n// Returns all values.\n//\n// Three."},
		{"a heading", "One.\n\n# Two\n\nThree.", "// One.\n//\n// # Two\n//\n// Three."},
		{"headings without text between", "# One\n### Two\na\n### Three?\nb\n## Four\nc\n### Five", "// # One\n//\n// Two:\n//\n// a\n//\n// Three?\n//\n// b\n//\n// # Four\n//\n// c\n//\n// # Five"},
		{"bold", "**Note:** use **a**, `**b**`, a/**/b and c/**/d, (**e f**).", "// Note: use a, `**b**`, a/**/b and c/**/d, (e f)."},
		{"marks before backquotes", "Give \\`a\\`.\n```\n\\`b\\`\n```", "// Give `a`.\n//\n//\t\\`b\\`"},
		{"a line broken for its length", "It takes a long line of words, and then one more of them, in\n`a` or b. It takes a line of words that is still longer than that line before,\nOf which c.\nD is new.",
			"// It takes a long line of words, and then one more of them, in `a` or b. It takes a line of words that is\n// still longer than that line before, Of which c.\n// D is new."},
		{"list", "Use it:\n- first\n* second\n1. third", "// Use it:\n//\n//   - first\n//   - second\n//   - (1) third"},
		{"a list in a list", "Use:\n- a, which is:\n  - b\n    * c\n  - d\n- e\n 1. f", "// Use:\n//\n//   - a, which is:\n//   - – b\n//   - · c\n//   - – d\n//   - e\n//   - (1) f"},
		{"a numbered list in a list", "1. a\n\t1) b\n\t2) c\n2. d\n   - e", "//  1. a\n//     (1) b\n//     (2) c\n//  2. d\n//     – e"},
		{"a list that is indented", "Use:\n    - a\n      - b\n  - c\n\nText.\n  - d", "// Use:\n//\n//   - a\n//   - – b\n//   - c\n//\n// Text.\n//\n//   - d"},
		{"a sentence with numbers", "As '1. a|b\n2. c|d'. Use it.\n3. e", "// As '1. a|b\n// 2. c|d'. Use it.\n// 3. e"},
		{"a list of ten", "9. a\n10. b\n11. c", "//  9. a\n//  10. b\n//  11. c"},
		{"a second line of an item", "- a,\n  more of a\n- b\n  - c,\n    more of c\n\nText.", "//   - a,\n//     more of a\n//   - b\n//   - – c,\n//     more of c\n//\n// Text."},
		{"tags around parts", "<Purpose>\nLists pulls.\n</Purpose>\n<use_cases>\n- one\n</use_cases>\n<Note>Text.</Note>", "// Lists pulls.\n//\n// # Use cases\n//\n//   - one\n//\n// Note: Text."},
		{"a further paragraph of an item", "- a\n\n  more of a\n\n- b\nmore of b\nText.", "//   - a\n//     more of a\n//   - b\n//     more of b\n//\n// Text."},
		{"text as deep as its list", "    - a\n    Text:\n    - b", "//   - a\n//\n// Text:\n//\n//   - b"},
		{"a docstring", "Finds.\n\n    Args:\n        query: What to\n            find\n        n (int): How many\n\n    Returns:\n        All.", "// Finds.\n//\n// Args:\n//\n//   - query: What to\n//     find\n//   - n (int): How many\n//\n// Returns:\n// All."},
		{"a text that is indented", "\n    Finds all.\n    - a\n\n        x := 1\nText.", "// Finds all.\n//\n//   - a\n//     x := 1\n//\n// Text."},
		{"code is not a docstring", "Do.\n\n    go run x\n    y", "// Do.\n//\n//\tgo run x\n//\ty"},
		{"code before a list", "a\n\n    B c\n- d", "// a\n//\n// B c\n//\n//   - d"},
		{"a value", "Pass:\n{\n  \"a\": [\n    1\n  ]\n}\nText.", "// Pass:\n//\n//\t{\n//\t  \"a\": [\n//\t    1\n//\t  ]\n//\t}\n//\n// Text."},
		{"a table", "So:\n| a | b |\n| - | - |", "// So:\n//\n//\t| a | b |\n//\t| - | - |"},
		{"headings", "One.\n### Two `x` ###\nThree\n## Four", "// One.\n//\n// # Two `x`\n//\n// Three.\n//\n// # Four"},
		{"a heading that is a build line", "a\n\n## +build ignore\n\nb", "// a\n//\n// # +build ignore\n//\n// b"},
		{"a tag that says Deprecated", "a\n<Deprecated>\nuse b\n</Deprecated>", "// a\n//\n// # Deprecated\n//\n// use b"},
		{"a tag that is a directive", "a\n<go-build>\nignore\n</go-build>\n<go>:build x</go>", "// a\n//\n// # Go build\n//\n// ignore\n//\n// Go: :build x"},
		{"a broken sentence", "Finds all that is there, and more than that,\nwhich is good to know of any tool in the world, and\nmuch else.\nIt is good.", "// Finds all that is there, and more than that,\n// which is good to know of any tool in the world, and much else.\n// It is good."},
		{"tags with spaces", "<Purpose>\nLists.\n</Purpose>\n<Use Cases & more>\n* one\n</Use Cases & more>", "// Lists.\n//\n// # Use Cases & more\n//\n//   - one"},
		{"tags that are meant", "Takes <owner>/<repo>.\n<b>\nOr <i>this</i>.", "// Takes <owner>/<repo>.\n// <b>\n// Or <i>this</i>."},
		{"a part inside of another", "<Aa>\nx\n<Bb>y</Cc>\n</Aa>", "// x\n// <Bb>y</Cc>"},
		{"fence", "So:\n```json\n{\"a\":\n\n  1}\n```\nDone.", "// So:\n//\n//\t{\"a\":\n//\n//\t  1}\n//\n// Done."},
		{"closes a block comment", "a */ func init() {} /* b", "// a */ func init() {} /* b"},
		{"jennifer: slashes are written as they are", "//go:build ignore\nvar X int", "// //go:build ignore\n// var X int"},
		{"jennifer: block comment", "/* a */ var X int", "// /* a */ var X int"},
		{"build line", "+build ignore", `// "+build" ignore`},
		{"build line, indented", "    +build ignore", "// \"+build\" ignore"},
		{"build line in a list", "- a\n    +build ignore", "//   - a\n//     \"+build\" ignore"},
		{"build line that only wrapping makes", strings.Repeat("x", commentWidth-1) + " +build ignore", "// " + strings.Repeat("x", commentWidth-1) + "\n// \"+build\" ignore"},
		{"go directive", "go:embed /etc/passwd", `// "go:embed" /etc/passwd`},
		{"line directive", "line /etc/passwd:7", `// "line" /etc/passwd:7`},
		{"plain English", "line 5 is the last\nexport the board as text", "// line 5 is the last\n// export the board as text"},
		{"export", "export Secret", `// "export" Secret`},
		{"generated", "Code generated by hand. DO NOT EDIT.", `// "Code generated" by hand. DO NOT EDIT.`},
		{"deprecated", "Deprecated: use other.", `// "Deprecated:" use other.`},
		{"linters", "nolint:all", `// "nolint:all"`},
		{"cgo", "#cgo LDFLAGS: -lm", `// "#cgo" LDFLAGS: -lm`},
		{"invisible", "a\u202eb\u200bc\ufeffd\x00e\u2066f\u00adg\U000E0041h\u3164i", "// abcdefghi"},
		{"not UTF-8", "a\xffb", "// a\ufffdb"},
		{"emoji", "done ✔️", "// done ✔️"},
		{"spaces", "a\u00a0b\u3000c", "// a b c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := comment(tt.in); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			checkComment(t, tt.in)
		})
	}
}

// Code behind a list would be read as a part of it.
func TestCodeBehindAList(t *testing.T) {
	for in, want := range map[string]string{
		"It takes:\n- one\n- two": "// It takes:\n//\n//   - one\n//   - two\n//\n// For example:\n//\n//\tx.T(ctx)",
		"Text.":                   "// Text.\n//\n//\tx.T(ctx)",
	} {
		got := comment(in, "```\nx.T(ctx)\n```")
		source := "package x\n\n" + got + "\nfunc f() {}\n"
		formatted, err := format.Source([]byte(source))
		if got != want || err != nil || string(formatted) != source {
			t.Errorf("got\n%s\nformatted %v\n%s", got, err, formatted)
		}
	}
}

func TestCommentWraps(t *testing.T) {
	for _, word := range []string{"word ", "x "} {
		for _, line := range strings.Split(comment(strings.Repeat(word, 500)), "\n") {
			if len(line) > len("// ")+commentWidth {
				t.Errorf("%d columns: %s", len(line), line)
			}
		}
	}
	if got := comment(strings.Repeat("x", 1000)); strings.Count(got, "\n") != 4 {
		t.Errorf("a word of 1000 letters became %d lines", strings.Count(got, "\n")+1)
	}
}

func TestCommentIsCut(t *testing.T) {
	got := comment(strings.Repeat("ab ü\n", 8<<20/6))
	if len(got) > 4*longestText || !strings.HasSuffix(got, cutNote) {
		t.Errorf("%d bytes, ending in %q", len(got), got[len(got)-80:])
	}
	if got := comment(strings.Repeat("ab ü\n", longestText/6+1)); !strings.HasSuffix(got, cutNote) {
		t.Errorf("a little too long, it ends in %q", got[len(got)-80:])
	}
}

// The first sentence that describes something begins the comment, and is there once.
func TestSynopsis(t *testing.T) {
	for in, want := range map[string]string{
		"Lists pulls":                      "// X calls the tool: Lists pulls.",
		"Lists pulls (e.g. mine). As JSON": "// X calls the tool: Lists pulls (e.g. mine).\n//\n// As JSON",
		"You MUST call it first. ALWAYS. Lists pulls, as they\nare. Now": "// X calls the tool: Lists pulls, as they are.\n//\n// You MUST call it first. ALWAYS. Now",
		"🚨 IMPORTANT: call it.\n- a\n\nFor example, that.\nLists pulls.": "// X calls the tool: Lists pulls.\n//\n// 🚨 IMPORTANT: call it.\n//\n//   - a\n//\n// For example, that.",
		"<Purpose>\nLists pulls.\n</Purpose>\n<Use>\nb\n</Use>":          "// X calls the tool: Lists pulls.\n//\n// # Use\n//\n// b",
		"# Title\n\nThis tool gives the ID that is REQUIRED.":            "// X calls the tool: This tool gives the ID that is REQUIRED.\n//\n// # Title",
		"Lists:\n- a": "// X calls the tool.\n//\n// Lists:\n//\n//   - a",
		"Lists all that is in a folder:\n- a\n\nIn other words, b.": "// X calls the tool: Lists all that is in a folder:\n//\n//   - a\n//\n// In other words, b.",
		"Which of these are there:\n\nb":                            "// X calls the tool.\n//\n// Which of these are there:\n//\n// b",
		"NEVER do it.":                                              "// X calls the tool.\n//\n// NEVER do it.",
		"":                                                          "// X calls the tool.",
		"🎯 Purpose\n 1. Lists pulls of a\n    repository.\n\n📦 What it returns:\n 1. b": "// X calls the tool: Lists pulls of a repository.\n//\n// # What it returns\n//\n//  1. b",
		"🛡️ Guards:\n 1. Only a.\n\n🎯 Purpose:\n 1. Lists pulls.\n 2. Sorts them.":      "// X calls the tool: Lists pulls.\n//\n// # Guards\n//\n//  1. Only a.\n//\n// # Purpose\n//\n//  1. Sorts them.",
		"Deprecated: no longer there.": "// X calls the tool: Deprecated: no longer there.",
	} {
		if got := docOf(ir.Doc{Server: in}, limit{}, "X calls the tool."); got != want {
			t.Errorf("%q: got\n%s\nwant\n%s", in, got, want)
		}
	}
}

// A text of more lines ends at a paragraph, an item or a sentence, and says where the rest is.
func TestLimit(t *testing.T) {
	line := "*W" + strings.Repeat("ord w", 19) + "ord"
	for in, want := range map[string]string{
		"a\n\nb\n\nc\n\nd":                                    "a\n\nb\n\nc\n\nd",
		"a\n\nb\n\nc\n\nd\n\ne":                               "a\n\nb\n\nc\n\nmore: mcpgen list x/y",
		"- a\n- b\n- c\n- d\n- e\n- f\n- g\n- h":              "  - a\n  - b\n  - c\n  - d\n  - e\n\nmore: mcpgen list x/y",
		"a\n\n# B\n\nc:\n\n- d\n- e\n- f":                     "a\n\n# B\n\nc: …\n\nmore: mcpgen list x/y",
		strings.Repeat(line+"\n", 4) + "*A. b\n" + line:       strings.Repeat(line+"\n", 4) + "*A. b\n" + line,
		"a\n\n| b | c |\n" + strings.Repeat("| - | - |\n", 9): "a\n\n\t| b | c |\n\t| - | - |\n\t…\n\nmore: mcpgen list x/y",
		strings.Repeat(line+"\n", 9):                          strings.Repeat(line+"\n", 4) + line + " …\n\nmore: mcpgen list x/y",
	} {
		if got := strings.Join(text{words: in, limit: limit{7, "mcpgen list x/y"}}.lines(), "\n"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// What go/doc/comment reads in comments of real texts is what was meant: it prints the same, and
// the further lines of items are in them.
func TestGoDocReadsLists(t *testing.T) {
	files, err := filepath.Glob("../../../golden/corpus/servers/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	lists := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).FindAll(data, -1) {
			var in string
			if json.Unmarshal(m, &in) == nil {
				lists += checkLists(t, in)
			}
		}
	}
	for _, in := range []string{"- a\n  b\n\n  c\n- d", "x:\n    - a\n      b\n    - c\n\n      d", "1. a\n   b\n2. c\n\n   d"} {
		lists += checkLists(t, in)
	}
	if lists < 10 {
		t.Errorf("only %d lists", lists)
	}
}

func checkLists(t *testing.T, in string) (lists int) {
	t.Helper()
	written := strings.Join(layout(in), "\n")
	doc, printer := new(gdc.Parser).Parse(written), new(gdc.Printer)
	if got := strings.TrimSpace(string(printer.Comment(doc))); got != strings.TrimSpace(written) {
		t.Errorf("%q: written\n%s\nread\n%s", in, written, got)
	}
	items := ""
	for _, b := range doc.Content {
		if l, ok := b.(*gdc.List); ok {
			lists++
			for _, item := range l.Items {
				items += strings.Join(strings.Fields(string(printer.Comment(&gdc.Doc{Content: item.Content}))), " ") + "\n"
			}
		}
	}
	inside, indent := false, 0
	for line := range strings.SplitSeq(safetext.Strip(in), "\n") {
		words := strings.Join(strings.Fields(unmarked(line)), " ")
		if listItem.MatchString(line) {
			inside, indent = true, indentation(line)
		} else if words != "" && indentation(line) < indent+2 {
			inside = false
		} else if inside && !strings.Contains(items, words) {
			t.Errorf("%q: %q is not in an item of\n%s", in, words, written)
		}
	}
	return lists
}

func TestDeprecatedIsOurs(t *testing.T) {
	got := commentOf(text{words: "Deprecated: the server says so."}, text{words: "Deprecated: renamed.", ours: true})
	if want := "// \"Deprecated:\" the server says so.\n//\n// Deprecated: renamed."; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func FuzzComment(f *testing.F) {
	for _, seed := range []string{
		"a\n- b\n  - c\n    d\n1) e", "```\n+build x", "\t+build x\n\ty", "# Head\n\ntext", "[a]: http://b", "*/", "//go:build x",
		"- a\n\n\n  +build x", "You MUST a.\n\nLists b.\n\n+build x", "<A b>\nc\n</A b>", "## go:build x", "{\n+build x\n}", "a:\n  b: +build c", "|+build|",
		"a\r+build b", "   1. a\n+build b", "a\n    b\n+build c", "# +build x", "[x]: +build y", "-  \t+build",
	} {
		f.Add(seed)
	}
	f.Fuzz(checkComment)
}

// checkComment checks comments of a text: alone, and behind a sentence of ours, cut.
func checkComment(t *testing.T, in string) {
	checkWritten(t, in, comment(in))
	checkWritten(t, in, docOf(ir.Doc{Server: in}, limit{4, "mcpgen list 'a b'/c"}, "X calls the tool."))
}

// checkWritten puts a comment in every place where a file can have one.
func checkWritten(t *testing.T, in, c string) {
	for line := range strings.SplitSeq(c, "\n") {
		rest, ok := strings.CutPrefix(line, "//")
		if c != "" && (!ok || rest != "" && rest[0] != ' ' && rest[0] != '\t') {
			t.Fatalf("%q is not a plain comment line", line)
		}
		if constraint.IsPlusBuild(line) || safetext.Strip(line) != line {
			t.Fatalf("%q is a build line, or has invisible characters", line)
		}
	}
	source := c + "\n\n" + c + "\npackage p\n\n" + c + "\nconst A = 1\n\n" + c + "\ntype T struct {\n" + c + "\nF int\n" + c + "\nG int\n}\n\n" + c + "\nfunc (T) M() {}\n"
	once, err := format.Source([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(once, []byte("//go:build")) && !strings.Contains(in, "//go:build") {
		t.Fatalf("a build line came out:\n%s", once)
	}
	tree, err := parser.ParseFile(token.NewFileSet(), "p.go", once, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Decls) != 3 {
		t.Fatalf("got %d declarations, want 3:\n%s", len(tree.Decls), once)
	}
	for _, group := range tree.Comments {
		for _, c := range group.List {
			if !strings.HasPrefix(c.Text, "//") || constraint.IsGoBuild(c.Text) || constraint.IsPlusBuild(c.Text) {
				t.Fatalf("%q is not a plain comment line of the formatted file", c.Text)
			}
		}
	}
	if ast.IsGenerated(tree) {
		t.Fatalf("the file says that it is generated:\n%s", once)
	}
	twice, err := format.Source(once)
	if err != nil || !bytes.Equal(once, twice) {
		t.Fatalf("formatting is not stable: %v\n%q\n%q", err, once, twice)
	}
}
