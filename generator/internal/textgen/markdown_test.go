package textgen

import (
	"strings"
	"testing"
	"unicode"
)

func TestInline(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"plain words, and (more).", "plain words, and (more)."},
		{"a\nb\r\nc\u2028d", "a b c d"},
		{"a|b", `a\|b`},
		{`a\|b`, `a\\\|b`},
		{"<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
		{"&lt;b&gt;", "&amp;lt;b&amp;gt;"},
		{"<!-- x -->", `&lt;\!-- x --&gt;`},
		{"[click](javascript:alert(1))", `\[click\](javascript:alert(1))`},
		{"![x](http://evil.example/p.png)", `\!\[x\](http\://evil.example/p.png)`},
		{"see https://evil.example and www.evil.example", `see https\://evil.example and www\.evil.example`},
		{"[x]: http://evil.example", `\[x\]: http\://evil.example`},
		{"# heading", `\# heading`},
		{"- item", `\- item`},
		{"+ item", `\+ item`},
		{"12. item", `12\. item`},
		{"3) item", `3\) item`},
		{"12.", `12\.`},
		{"1.5 times", `1\.5 times`},
		{"---", `\---`},
		{"===", `\=\=\=`},
		{"```go", "\\`\\`\\`go"},
		{"~~~", `\~\~\~`},
		{"**bold** _it_", `\*\*bold\*\* \_it\_`},
		{"a\u202eb\u200bc\ufeffd\u2066e\u00ade", "abcdee"},
		{"a\x00b\x1b[31mc", "abc"},
		{"\u3164\u115f\ufe0fx", "x"},
		{"{{template}} ${x} $y$", `\{\{template\}\} \$\{x\} \$y\$`},
		{"@someone a@b.example", "&#64;someone a&#64;b.example"},
		{"", ""},
	} {
		if got := inline(tt.in); got != tt.want {
			t.Errorf("%q\ngot  %q\nwant %q", tt.in, got, tt.want)
		}
	}
}

func TestQuoted(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{" \n\n ", ""},
		{"one", "> one"},
		{"one\ntwo\n\n\n\nthree\n", "> one\\\n> two\n>\n> three"},
		{"- a\n  * b\n\t1) c\n  text\n  2 d", "> \\- a\\\n> &nbsp;&nbsp;\\* b\\\n> &nbsp;&nbsp;&nbsp;&nbsp;1\\) c\\\n> text\\\n> 2 d"},
		{"    code\n\ttab", "> code\\\n> tab"},
		{"x\n---\n> y\n```\nz\n```", "> x\\\n> \\---\\\n> &gt; y\\\n> \\`\\`\\`\\\n> z\\\n> \\`\\`\\`"},
		{"ends with \\\nnext", "> ends with \\\\\\\n> next"},
	} {
		if got := quoted(tt.in); got != tt.want {
			t.Errorf("%q\ngot  %q\nwant %q", tt.in, got, tt.want)
		}
	}
}

func TestCode(t *testing.T) {
	for in, want := range map[string]string{
		"list_prs": "`list_prs`", "a`b": "a\\`b", "a|b": `a\|b`, " a": "a", "": "", "a\nb": "a b", "a\u202eb": "ab",
	} {
		if got := code(in); got != want {
			t.Errorf("code(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestBrief(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"First thing. Second.\nThird", "First thing."},
		{"No end", "No end"},
		{strings.Repeat("x", maxBrief), strings.Repeat("x", maxBrief)},
	} {
		if got := brief(tt.in); got != tt.want {
			t.Errorf("brief(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := brief(strings.Repeat("word ", 100)); len(got) > maxBrief+4 || !strings.HasSuffix(got, "…") {
		t.Errorf("got %d bytes %q, want at most %d and an ellipsis", len(got), got, maxBrief+4)
	}
}

// A fence is longer than all fences in the code.
func TestGoCode(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"a", "```go\na\n```"},
		{"a ` b", "```go\na ` b\n```"},
		{"a\n````\nb", "`````go\na\n````\nb\n`````"},
	} {
		if got := goCode(tt.in); got != tt.want {
			t.Errorf("goCode(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// Whatever the text, a line stays a line, every mark is escaped and nothing is
// invisible.
func FuzzInline(f *testing.F) {
	for _, s := range []string{"a|b\n# c", "<b>&amp;", "\\`*_{}[]!", "1. x", "\u202e\u2028", "www.x http://y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := inline(s)
		for i, r := range got {
			switch {
			case r == '\n', r == '<', r == '>', r == unicode.ReplacementChar, !unicode.IsPrint(r):
				t.Fatalf("%q has %q", got, r)
			case strings.ContainsRune("`*_~|[]!$", r) && !isEscaped(got, i):
				t.Fatalf("%q has a bare %q", got, r)
			}
		}
		if at := strings.Index(got, "://"); at >= 0 && !isEscaped(got, at) || strings.HasPrefix(got, "#") {
			t.Fatalf("%q from %q", got, s)
		}
	})
}

// isEscaped says that an odd number of backslashes stands before i.
func isEscaped(s string, i int) bool {
	n := 0
	for i > 0 && s[i-1] == '\\' {
		i, n = i-1, n+1
	}
	return n%2 == 1
}
