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
