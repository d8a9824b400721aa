package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestWordsChanged shows every word that went or came, wherever it stands.
func TestWordsChanged(t *testing.T) {
	many := func(name string) (text string) {
		for i := range 30 {
			text += fmt.Sprint(name, i, " ")
		}
		return text
	}
	for _, c := range []struct{ before, after, want string }{
		{"Moves the file to the trash.", "Permanently deletes the file and sends it away.",
			"[-Moves-] {+Permanently deletes+} the file [-to the trash.-] {+and sends it away.+}"},
		{many("x") + "one " + many("y"), many("x") + "two " + many("y"), "… x27 x28 x29 [-one-] {+two+} y0 y1 y2 …"},
		{many("x") + "a " + many("y") + "b", many("x") + "c " + many("y") + "d",
			"… x27 x28 x29 [-a-] {+c+} y0 y1 y2 … y27 y28 y29 [-b-] {+d+}"},
		{"@@ -1,2 --- and more words", "@@ -3,4 +++ and more words", "@@ [--1,2 ----] {+-3,4 ++++} and more words"},
		{"Lists the files of one folder and no other.", "", "[-Lists the files of one folder and no other.-]"},
		{"a b c d e", "a b  c d e", "the words are the same, and the space between them differs"},
		{"a b c d", "a b c x", "a b c [-d-] {+x+}"},
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

// FuzzWords: what is left of two texts without the words that went, and those that came, is
// the same.
func FuzzWords(f *testing.F) {
	f.Add("Moves the file to the trash.", "Deletes the file.")
	f.Add("a b a b a", "b a b a b")
	f.Add("", "a")
	f.Add("@@ -1,2 +3,4 @@", "--- +++ @@ -")
	f.Add(strings.Repeat("a ", 1500), strings.Repeat("b ", 1500))
	f.Fuzz(func(t *testing.T, was, now string) {
		a, b := strings.Fields(was), strings.Fields(now)
		if slices.Equal(a, b) {
			return
		}
		left := map[string]int{}
		for _, w := range a {
			left[w]++
		}
		for _, w := range b {
			left[w]--
		}
		for _, r := range wordRuns(a, b) {
			for _, w := range r.words {
				left[w] += map[byte]int{'-': -1, '+': 1}[r.sign]
			}
		}
		for w, n := range left {
			if n != 0 {
				t.Errorf("from %q to %q: %q is %d times too often", was, now, w, n)
			}
		}
	})
}
