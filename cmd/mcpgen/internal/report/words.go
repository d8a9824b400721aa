// What went and what came in a text, word by word.

package report

import (
	"encoding/json"
	"slices"
	"strings"
)

const (
	fewWords   = 8         // in both texts together: they are shown as they are
	beside     = 4         // words that are shown beside what differs
	maxCompare = 2_000_000 // pairs of words that are compared; beyond them all between the ends has changed
)

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
	var out []string
	runs := wordRuns(a, b)
	for i, r := range runs {
		switch {
		case len(r.gone)+len(r.came) > 0:
			out = append(out, markedWords("[-", r.gone, "-]")...)
			out = append(out, markedWords("{+", r.came, "+}")...)
			continue
		case i == 0 && len(r.same) > beside:
			out = append(out, "…")
			r.same = r.same[len(r.same)-beside:]
		case i+1 == len(runs) && len(r.same) > beside:
			r.same = append(slices.Clone(r.same[:beside]), "…")
		case len(r.same) > 2*beside+1:
			r.same = slices.Concat(r.same[:beside], []string{"…"}, r.same[len(r.same)-beside:])
		}
		out = append(out, markedWords("", r.same, "")...)
	}
	return strings.Join(out, " ")
}

// wordsOf are the words of a text, or of any other value as JSON; none of nil.
func wordsOf(raw json.RawMessage) []string {
	text := ""
	if raw != nil && json.Unmarshal(raw, &text) != nil {
		text = compact(raw)
	}
	return strings.Fields(text)
}

// markedWords makes words printable and puts marks around them. What looks like a mark in a
// word is broken.
func markedWords(open string, words []string, end string) []string {
	if len(words) == 0 {
		return nil
	}
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.NewReplacer("[-", "[ -", "-]", "- ]", "{+", "{ +", "+}", "+ }").Replace(line(w))
	}
	out[0] = open + out[0]
	out[len(out)-1] += end
	return out
}

// wordRun is words that both texts have, or words of the one that stand where the other has
// others.
type wordRun struct{ same, gone, came []string }

// wordRuns takes two texts apart along their longest common sequence of words.
func wordRuns(a, b []string) []wordRun {
	head, tail := 0, 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	end := a[len(a)-tail:]
	runs := []wordRun{{same: a[:head]}}
	a, b = a[head:len(a)-tail], b[head:len(b)-tail]
	if len(a)*len(b) > maxCompare {
		return compactRuns(append(runs, wordRun{gone: a, came: b}, wordRun{same: end}))
	}
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width) // the length of the longest sequence from here on
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			if a[i] == b[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			runs = append(runs, wordRun{same: a[i : i+1]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[(i+1)*width+j] >= common[i*width+j+1]:
			runs = append(runs, wordRun{gone: a[i : i+1]})
			i++
		default:
			runs = append(runs, wordRun{came: b[j : j+1]})
			j++
		}
	}
	return compactRuns(append(runs, wordRun{same: end}))
}

// compactRuns joins runs of one sort and drops empty ones.
func compactRuns(runs []wordRun) []wordRun {
	var out []wordRun
	for _, r := range runs {
		if len(r.same)+len(r.gone)+len(r.came) == 0 {
			continue
		}
		if last := len(out) - 1; last >= 0 && (len(out[last].same) > 0) == (len(r.same) > 0) {
			o := &out[last]
			o.same, o.gone, o.came = append(o.same, r.same...), append(o.gone, r.gone...), append(o.came, r.came...)
			continue
		}
		out = append(out, wordRun{slices.Clip(r.same), slices.Clip(r.gone), slices.Clip(r.came)})
	}
	return out
}
