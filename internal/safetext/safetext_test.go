package safetext_test

import (
	"strings"
	"testing"

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
