package quote

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
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
		if got := Line(c.in, 1000); got != c.want {
			t.Errorf("Line(%q) = %q, want %q", c.in, got, c.want)
		}
	}
	if got := Line("ééé", 3); got != "é…" {
		t.Errorf("cut inside a rune: %q", got)
	}
}

func TestBlockKeepsTheEnd(t *testing.T) {
	if got := Block("first\nsecond\nlast", 11); got != "…second\nlast" {
		t.Errorf("Block = %q", got)
	}
	if got := Block(" one\ntwo \n", 100); got != "one\ntwo" {
		t.Errorf("Block = %q", got)
	}
}

func TestMask(t *testing.T) {
	got := Mask("token tok-12345-long and tok-12345 and 1", []string{"tok-12345", "tok-12345-long", "1", ""})
	if want := "token *** and *** and 1"; got != want {
		t.Errorf("Mask = %q, want %q", got, want)
	}
}

func FuzzLine(f *testing.F) {
	f.Add("\x1b[31mred\x1b]0;t\x07")
	f.Add("a\u202eb\xff\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		got := Line(s, 80)
		if !utf8.ValidString(got) || len(got) > 80+len("…") || strings.ContainsAny(got, "\n\x1b") {
			t.Fatalf("Line(%q) = %q", s, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				t.Fatalf("Line(%q) = %q keeps %U", s, got, r)
			}
		}
	})
}

// A cut must not save a part of a secret from being masked.
func TestMaskAtCuts(t *testing.T) {
	secrets := []string{"s3cret-value"}
	for _, tt := range []struct{ in, want string }{
		{Cut("the token is s3cret-value", 20), "the token is ***…"},
		{Block("the s3cret-value is wrong", 17), "…*** is wrong"},
		{"a; stderr: …ret-value; b s3cre…", "a; stderr: …***; b ***…"},
		{Cut("no secret at all", 5), "no se…"},
		{Cut("a s3c", 4), "a s3…"}, // shorter than what is worth masking
	} {
		if got := Mask(tt.in, secrets); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}
