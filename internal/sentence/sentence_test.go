package sentence_test

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/sentence"
)

func TestSentence(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"One. Two.":                   "One.",
		"Version 1.2 of it. More":     "Version 1.2 of it.",
		"Is it? Yes.":                 "Is it?",
		"No end":                      "No end",
		"Files (e.g. texts) go. More": "Files (e.g. texts) go.",
		"検索します。次。":                    "検索します。",
		"A\n\n- list\n- of things.":   "A - list - of things.",
		strings.Repeat("word ", 100):  strings.Repeat("word ", 40) + "…",
	} {
		if got := sentence.First(text, 200); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
