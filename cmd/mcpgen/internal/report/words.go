// What went and what came in a text, word by word.

package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// fewWords in both texts together are shown as they are.
const fewWords = 8

// wordsChanged shows how two values differ: [-what went-], {+what came+}, and some words around it;
// of a few words, what was and what is. Nothing that differs is left out.
func wordsChanged(before, after json.RawMessage) string {
	a, b := wordsOf(before), wordsOf(after)
	switch {
	case len(a)+len(b) < fewWords:
		was, now := compact(before), compact(after)
		return strings.TrimSpace(map[bool]string{true: "was " + was + " "}[before != nil] + map[bool]string{true: "now " + now}[after != nil])
	case slices.Equal(a, b):
		return "the words are the same, and the space between them differs"
	}
	marks := map[byte][2]string{'-': {"[-", "-]"}, '+': {"{+", "+}"}}
	breaking := strings.NewReplacer("[-", "[ -", "-]", "- ]", "{+", "{ +", "+}", "+ }") // what looks like a mark
	var out []string
	for _, r := range wordRuns(a, b) {
		for i, w := range r.words {
			r.words[i] = breaking.Replace(line(w))
		}
		out = append(out, marks[r.sign][0]+strings.Join(r.words, " ")+marks[r.sign][1])
	}
	return strings.Join(out, " ")
}

// wordsOf returns the words of a text, or of any other value as JSON.
func wordsOf(raw json.RawMessage) []string {
	text := ""
	if raw != nil && json.Unmarshal(raw, &text) != nil {
		text = compact(raw)
	}
	return strings.Fields(text)
}

// wordRun is a run of words that went (sign -), came (sign +), or surround those in both
// texts (sign space). "…" is for words that are left out.
type wordRun struct {
	sign  byte
	words []string
}

// wordRuns takes two texts apart that differ, as if each word were a line.
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
