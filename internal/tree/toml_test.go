package tree

import (
	"fmt"
	"strings"
	"testing"
)

// printTree prints a tree with its places.
func printTree(b *strings.Builder, n *Node, indent string) {
	switch n.Kind {
	case Map:
		fmt.Fprintf(b, "map %d:%d\n", n.Pos.Line, n.Pos.Column)
		for _, m := range n.Members {
			fmt.Fprintf(b, "%s%s %d:%d ", indent, m.Name, m.Pos.Line, m.Pos.Column)
			printTree(b, m.Value, indent+"  ")
		}
	case List:
		fmt.Fprintf(b, "list %d:%d\n", n.Pos.Line, n.Pos.Column)
		for _, e := range n.List {
			fmt.Fprintf(b, "%s- ", indent)
			printTree(b, e, indent+"  ")
		}
	default:
		fmt.Fprintf(b, "%s %q %d:%d\n", n.Kind, n.Text, n.Pos.Line, n.Pos.Column)
	}
}

func TestParseTOML(t *testing.T) {
	var r Report
	root := ParseTOML(&r, []byte(`# comment
model = "x"
[mcp_servers.gh]
command = "npx" # why
args = [
  "-y", # first
  'é', "b"]
env.TOKEN = """t"""
n = 1_000
[mcp_servers."a.b".tools.x]
on = true
[[mcp.server]]
env = { A = "1", B.C = 2.5 }
[[mcp.server]]
at = 2026-01-01
`))
	if r.Errors != nil {
		t.Fatalf("got errors %v, want none", r.Errors)
	}
	var b strings.Builder
	printTree(&b, root, "")
	want := `map 1:1
model 2:1 a string "x" 2:9
mcp_servers 3:2 map 3:2
  gh 3:14 map 3:14
    command 4:1 a string "npx" 4:11
    args 5:1 list 5:1
      - a string "-y" 6:3
      - a string "é" 7:3
      - a string "b" 7:8
    env 8:1 map 8:1
      TOKEN 8:5 a string "t" 8:13
    n 9:1 an integer "1000" 9:5
  a.b 10:14 map 10:14
    tools 10:20 map 10:20
      x 10:26 map 10:26
        on 11:1 a boolean "true" 11:6
mcp 12:3 map 12:3
  server 12:7 list 12:7
    - map 12:7
      env 13:1 map 13:1
        A 13:9 a string "1" 13:13
        B 13:18 map 13:18
          C 13:20 a number "2.5" 13:24
    - map 14:7
      at 15:1 a string "2026-01-01" 15:6
`
	if got := b.String(); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestParseTOMLProblems(t *testing.T) {
	for text, want := range map[string]string{
		"a = 1\na = 2\n":                    "2:1",
		"[a]\nb = hunter2":                  "2:5",
		"é = 'x\n":                          "1:",
		"a = " + strings.Repeat("[", 100):   "nested deeper",
		"a = " + strings.Repeat("[[{'[", 9): "not valid TOML",
		// A string may end with two quotes of its own before its three.
		`a = ["""x""""` + ", " + strings.Repeat("[", 100):  "nested deeper",
		`a = ['''x'''''` + ", " + strings.Repeat("[", 100): "nested deeper",
		"a = \"\\x\"":  "not valid TOML",
		"\x00":         "control character",
		"[a]\n[[a]]\n": "not valid TOML",
	} {
		var r Report
		root := ParseTOML(&r, []byte(text))
		if root != nil || len(r.Errors) != 1 {
			t.Errorf("%q: got %v, %v", text, root, r.Errors)
			continue
		}
		e := r.Errors[0]
		if got := fmt.Sprintf("%d:%d %s", e.Line, e.Column, e.Text); !strings.Contains(got, want) || strings.Contains(got, "hunter2") {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func FuzzParseTOML(f *testing.F) {
	f.Add([]byte("[mcp_servers.a]\ncommand = \"x\"\nargs = ['y']\n"))
	f.Add([]byte("[[mcp.server]]\nname = \"a\"\nenv = { A = \"b\" }\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var r Report
		root := ParseTOML(&r, data)
		if (root == nil) == (len(r.Errors) == 0) {
			t.Errorf("a tree %v and errors %v", root, r.Errors)
		}
	})
}

// Work is bounded by the number of values, not by the size of the file.
func TestParseTOMLMany(t *testing.T) {
	var b strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&b, "[t%d]\na=1\n", i)
	}
	var r Report
	if ParseTOML(&r, []byte(b.String())); len(r.Errors) != 1 || !strings.Contains(r.Errors[0].Text, "more than 20000 values") {
		t.Errorf("got %v", r.Errors)
	}
}
