package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestWordsChanged shows every word that went or came, wherever it stands.
func TestWordsChanged(t *testing.T) {
	many := strings.Repeat("word ", 30)
	for _, c := range []struct{ before, after, want string }{
		{"Moves the file to the trash.", "Permanently deletes the file and sends it away.",
			"[-Moves-] {+Permanently deletes+} the file [-to the trash.-] {+and sends it away.+}"},
		{many + "one " + many, many + "two " + many, "… word word word word [-one-] {+two+} word word word word …"},
		{many + "a " + many + "b", many + "c " + many + "d",
			"… word word word word [-a-] {+c+} word word word word … word word word word [-b-] {+d+}"},
		{"Lists the files of one folder and no other.", "", "[-Lists the files of one folder and no other.-]"},
		{"a b c d e", "a b  c d e", "the words are the same, and the space between them differs"},
		{"one two", "one three", `was "one two" now "one three"`},
		{"Reads a file from the disk", "Reads a \x1b[31mfile {+not+} from the disk", `Reads a [-file-] {+�[31mfile { +not+ }+} from the disk`},
	} {
		before, _ := json.Marshal(c.before)
		after, _ := json.Marshal(c.after)
		if got := wordsChanged(before, after); got != c.want {
			t.Errorf("from %q to %q: got %q, want %q", c.before, c.after, got, c.want)
		}
	}
}

// FuzzWords: both texts can be read out of what differs and what does not.
func FuzzWords(f *testing.F) {
	f.Add("Moves the file to the trash.", "Deletes the file.")
	f.Add("a b a b a", "b a b a b")
	f.Add("", "a")
	f.Add(strings.Repeat("a ", 1500), strings.Repeat("b ", 1500))
	f.Fuzz(func(t *testing.T, was, now string) {
		a, b := strings.Fields(was), strings.Fields(now)
		var before, after []string
		for _, r := range wordRuns(slices.Clone(a), slices.Clone(b)) {
			before = slices.Concat(before, r.same, r.gone)
			after = slices.Concat(after, r.same, r.came)
		}
		if !slices.Equal(before, a) || !slices.Equal(after, b) {
			t.Errorf("from %q to %q: %q and %q", was, now, before, after)
		}
	})
}
