// Removed and added words of a text.

package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// fewWords is the number of words in both texts below which they are shown verbatim.
const fewWords = 8

// wordsChanged shows how two values differ: [-removed-], {+added+}, and some surrounding words. If there
// are few words, it shows both values. All differences are shown.
func wordsChanged(before, after json.RawMessage) string {
	a, b := wordsOf(before), wordsOf(after)
	switch {
	case len(a)+len(b) < fewWords:
		var values []string
		if before != nil {
			values = append(values, "was "+compact(before))
		}
		if after != nil {
			values = append(values, "now "+compact(after))
		}
		return strings.Join(values, " ")
	case slices.Equal(a, b):
		return "the words are the same, and the space between them differs"
	}
	var out []string
	for _, r := range wordRuns(a, b) {
		out = append(out, r.String())
	}
	return strings.Join(out, " ")
}

// wordsAdded shows a new text.
func wordsAdded(words []string) string { return wordRun{'+', words}.String() }

// wordsOf returns the words of a string, or of another value's JSON.
func wordsOf(raw json.RawMessage) []string {
	text := ""
	if raw != nil && json.Unmarshal(raw, &text) != nil {
		text = compact(raw)
	}
	return strings.Fields(text)
}

// wordRun is a run of removed words (sign -), added words (sign +), or surrounding words of both texts
// (sign space). "…" replaces omitted words.
type wordRun struct {
	sign  byte
	words []string
}

// String returns the words in the marks of their sign. Marks in the text are changed.
func (r wordRun) String() string {
	marks := map[byte][2]string{'-': {"[-", "-]"}, '+': {"{+", "+}"}}
	breaking := strings.NewReplacer("[-", "[ -", "-]", "- ]", "{+", "{ +", "+}", "+ }")
	var words []string
	for _, w := range r.words {
		words = append(words, breaking.Replace(line(w)))
	}
	return marks[r.sign][0] + strings.Join(words, " ") + marks[r.sign][1]
}

// wordRuns compares two different texts as if each word were a line.
func wordRuns(a, b []string) []wordRun {
	lines := func(words []string) []byte { return []byte(strings.Join(append(slices.Clone(words), ""), "\n")) }
	_, hunks, _ := strings.Cut(string(diff.Diff("", lines(a), "", lines(b))), "\n@@")
	var runs []wordRun
	add := func(sign byte, word string) {
		if last := len(runs) - 1; last >= 0 && runs[last].sign == sign {
			runs[last].words = append(runs[last].words, word)
		} else {
			runs = append(runs, wordRun{sign, []string{word}})
		}
	}
	seen := 0 // of a
	for text := range strings.Lines("@@" + hunks) {
		if text[0] != '@' {
			add(text[0], text[1:len(text)-1])
			continue
		}
		start, n := 0, 0
		if _, err := fmt.Sscanf(text, "@@ -%d,%d", &start, &n); err == nil && start > 1 {
			add(' ', "…")
		}
		seen = max(start, 1) - 1 + n
	}
	if seen < len(a) {
		add(' ', "…")
	}
	return runs
}
