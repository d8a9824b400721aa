package safetext_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"two\nlines\tof text":    "two\nlines\tof text",
		"\x1b[2Jgone\u202eback":  "\ufffd[2Jgone\ufffdback",
		strings.Repeat("é", 400): strings.Repeat("é", 250) + "…",
	} {
		if got := safetext.Printable(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// A cut is marked, and never inside a rune.
func TestCut(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"aéb", 2, "a…"}} {
		if got := safetext.Cut(tt.in, tt.n); got != tt.want {
			t.Errorf("%s at %d: got %s", tt.in, tt.n, got)
		}
	}
}

// Each kind of hostile text, as one line, as several lines, and without what is not
// seen.
func TestHostileText(t *testing.T) {
	for _, tt := range []struct{ in, line, text, strip string }{
		{"plain é 日本 🙂", "plain é 日本 🙂", "plain é 日本 🙂", "plain é 日本 🙂"},
		{"a\r\n\tb", "a   b", "a\n\tb", "a\n\tb"},
		{"50%\r51%", "50% 51%", "50%\ufffd51%", "50%\n51%"},
		{"a\u2028b\u0085c", "a\ufffdb\ufffdc", "a\ufffdb\ufffdc", "a\nb\nc"},
		{"\x1b[31mred\x1b[0m\x07", "\ufffd[31mred\ufffd[0m\ufffd", "\ufffd[31mred\ufffd[0m\ufffd", "red"},
		{"\x1b]0;title\x07x", "\ufffd]0;title\ufffdx", "\ufffd]0;title\ufffdx", "x"},
		{"a\u202eb\u200bc\ufeff", "a\ufffdb\ufffdc\ufffd", "a\ufffdb\ufffdc\ufffd", "abc"},
		{"a\u3164b\ufe01c\U000e0041", "a\ufffdb\ufffdc\ufffd", "a\ufffdb\ufffdc\ufffd", "abc"},
		{"\ue000\U000f0000\u0378", "\ufffd\ufffd\ufffd", "\ufffd\ufffd\ufffd", ""},
		{"a\u00a0b\u3000c\u2800d", "a b c d", "a b c d", "a b c d"},
		{"✔\ufe0f", "✔\ufe0f", "✔\ufe0f", "✔\ufe0f"},
		{"bad\xff", "bad\ufffd", "bad\ufffd", "bad\ufffd"},
	} {
		if got := safetext.Line(tt.in); got != tt.line {
			t.Errorf("Line(%q): got %q, want %q", tt.in, got, tt.line)
		}
		if got := safetext.Text(tt.in); got != tt.text {
			t.Errorf("Text(%q): got %q, want %q", tt.in, got, tt.text)
		}
		if got := safetext.Strip(tt.in); got != tt.strip {
			t.Errorf("Strip(%q): got %q, want %q", tt.in, got, tt.strip)
		}
	}
	if got := safetext.Quote("aé\x1b", 3); got != `"aé"…` {
		t.Errorf("got %s", got)
	}
}

func TestJSON(t *testing.T) {
	tests := []struct{ in, want string }{
		{`{"a": [1, "plain 日本 é 🙂"]}` + "\n", `{"a": [1, "plain 日本 é 🙂"]}` + "\n"},
		{"[\"\u202e\u009b\u007f\", \"\u2028x\"]", `["\u202e\u009b\u007f", "\u2028x"]`},
		{"\"a\U000E0041b\"", `"a\udb40\udc41b"`},
		{"", ""},
	}
	for _, tt := range tests {
		got := safetext.JSON([]byte(tt.in))
		if string(got) != tt.want {
			t.Errorf("JSON(%q) = %q, want %q", tt.in, got, tt.want)
		}
		var before, after any
		if json.Unmarshal([]byte(tt.in), &before) == nil && (json.Unmarshal(got, &after) != nil || !reflect.DeepEqual(before, after)) {
			t.Errorf("JSON(%q) is %v, and was %v", tt.in, after, before)
		}
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"plain text", "plain text"},
		{"two\r\nlines\n", "two lines"},
		{"\x1b[31mred\x1b[0m", "red"},
		{"\x1b]0;title\x07after", "after"},
		{"\x1b]8;;http://evil\x1b\\link", "link"},
		{"a\u202eb\u2066c\u200bd\ufeffe", "abcde"},
		{"a\u2028b", "a b"},
		{"bell\x07 nul\x00 del\x7f c1\u009b31m", "bell nul del c131m"},
		{"bad\xffutf8", "bad\ufffdutf8"},
		{"héllo wörld", "héllo wörld"},
		{"\U000e0041tag", "tag"},
		{"\x1b", ""},
		{"\x1b[", ""},
	} {
		if got := safetext.Words(c.in, 1000); got != c.want {
			t.Errorf("Words(%q) = %q, want %q", c.in, got, c.want)
		}
	}
	if got := safetext.Words("ééé", 3); got != "é…" {
		t.Errorf("cut inside a rune: %q", got)
	}
}

func FuzzWords(f *testing.F) {
	f.Add("\x1b[31mred\x1b]0;t\x07")
	f.Add("a\u202eb\xff\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		got := safetext.Words(s, 80)
		if !utf8.ValidString(got) || len(got) > 80+len("…") || strings.ContainsAny(got, "\n\x1b") {
			t.Fatalf("Words(%q) = %q", s, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				t.Fatalf("Words(%q) = %q keeps %U", s, got, r)
			}
		}
	})
}
