package drift

// This file tells which of the items that are gone and those that are new are
// the same under another name.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
)

// How alike two items have to be, from 0 to 1.
const (
	likely   = 0.85
	possible = 0.60
)

// maxPairs bounds how many pairs are compared when much was replaced.
const maxPairs = 10_000

// maxCompared bounds the names whose edit distance is taken, in runes.
const maxCompared = 256

// rename is a claim that an item has another name.
type rename struct {
	before, after *schema.Item
	score         float64 // 1 is certain
}

func (r rename) confidence() string {
	switch {
	case r.score >= 1:
		return "certain: only case and separators differ"
	case r.score >= likely:
		return fmt.Sprintf("likely: %.0f %% alike", 100*r.score)
	}
	return fmt.Sprintf("possible: %.0f %% alike", 100*r.score)
}

// matchNames pairs items, the most alike first. An item is in one pair at most,
// and what has two partners that are equally alike has none.
func matchNames(gone, added []*schema.Item, likeness func(a, b *schema.Item) float64) []rename {
	var all []rename
	folded := make([]string, len(added))
	for j, a := range added {
		folded[j] = fold(a.Name)
	}
	compared := 0
	for _, b := range gone {
		name := fold(b.Name)
		for j, a := range added {
			if name == folded[j] {
				all = append(all, rename{b, a, 1})
				continue
			}
			if compared++; compared > maxPairs {
				continue
			}
			if score := min(likeness(b, a), 0.99); score >= possible {
				all = append(all, rename{b, a, score})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y rename) int { return cmp.Compare(y.score, x.score) })
	taken := map[*schema.Item]bool{}
	var out []rename
	for _, r := range all {
		if taken[r.before] || taken[r.after] || rivals(r, all, taken) {
			continue
		}
		taken[r.before], taken[r.after] = true, true
		out = append(out, r)
	}
	return out
}

// rivals reports whether another pair makes as good a claim to one of the two.
func rivals(r rename, all []rename, taken map[*schema.Item]bool) bool {
	return slices.ContainsFunc(all, func(o rename) bool {
		return o.score == r.score && (o.before == r.before) != (o.after == r.after) && !taken[o.before] && !taken[o.after]
	})
}

// RenamedTools returns the tools that are the same under another name, by the
// name before: those whose tool-renamed says certain or likely. What is merely
// possible is not in it. Nil means none.
func RenamedTools(before, after *schema.Snapshot) map[string]string {
	_, gone, added := split(orEmpty(before).Tools, orEmpty(after).Tools)
	var out map[string]string
	for _, r := range matchNames(gone, added, toolLikeness) {
		if r.score >= likely {
			if out == nil {
				out = map[string]string{}
			}
			out[r.before.Name] = r.after.Name
		}
	}
	return out
}

func drop(items []*schema.Item, item *schema.Item) []*schema.Item {
	return slices.DeleteFunc(slices.Clone(items), func(i *schema.Item) bool { return i == item })
}

// likeness says how alike two items are; shape compares their definitions. A name
// alone is not evidence: items of one server are often named alike.
func likeness(b, a *schema.Item, shape func(b, a json.RawMessage) float64) float64 {
	names := similarity(fold(b.Name), fold(a.Name))
	if names < 0.4 {
		return 0
	}
	words := wordLikeness(jsontext.Text(members(b.Raw)["description"]), jsontext.Text(members(a.Raw)["description"]))
	return 0.5*names + 0.3*shape(b.Raw, a.Raw) + 0.2*words
}

// toolLikeness is 0 of tools that cannot be read.
func toolLikeness(b, a *schema.Item) float64 {
	was, _, errBefore := schema.ParseTool(b.Raw)
	now, _, errAfter := schema.ParseTool(a.Raw)
	if errBefore != nil || errAfter != nil {
		return 0
	}
	return likeness(b, a, func(_, _ json.RawMessage) float64 { return shapeLikeness(was.InputSchema, now.InputSchema) })
}

// shapeLikeness compares the declared members.
func shapeLikeness(b, a json.RawMessage) float64 {
	was, is := members(members(b)["properties"]), members(members(a)["properties"])
	if len(was) == 0 && len(is) == 0 {
		return 1
	}
	shared := 0.0
	for name, sub := range was {
		switch other, ok := is[name]; {
		case ok && equalJSON(members(sub)["type"], members(other)["type"]):
			shared++
		case ok:
			shared += 0.5
		}
	}
	return shared / float64(len(union(was, is)))
}

// wordLikeness compares texts by the words they share.
func wordLikeness(b, a string) float64 {
	words := func(s string) map[string]json.RawMessage {
		set := map[string]json.RawMessage{}
		for w := range strings.FieldsFuncSeq(strings.ToLower(s[:min(len(s), 4096)]), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			set[w] = nil
		}
		return set
	}
	return overlap(words(b), words(a))
}

// overlap is how much of two sets is in both.
func overlap(a, b map[string]json.RawMessage) float64 {
	all := len(union(a, b))
	if all == 0 {
		return 1
	}
	return float64(len(a)+len(b)-all) / float64(all)
}

// fold takes case and separators out of a name.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r == ' ' || r == '/' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// similarity is 1 less the edit distance over the longer length.
func similarity(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	if len(x) == 0 && len(y) == 0 {
		return 1
	}
	if len(x) > maxCompared || len(y) > maxCompared {
		return 0
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return 1 - float64(row[len(y)])/float64(max(len(x), len(y)))
}

// skeleton writes a name with letters that look alike folded into one.
func skeleton(name string) string {
	return strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		if ascii, ok := lookalike(unicode.ToLower(r)); ok {
			return ascii
		}
		if r == '-' || r == '_' || r == '.' {
			return '_'
		}
		return unicode.ToLower(r)
	}, strings.NewReplacer("rn", "m", "vv", "w", "0", "o", "1", "l", "I", "l").Replace(name))
}

// lookalike returns the Latin letter that a letter of another alphabet looks like.
func lookalike(r rune) (rune, bool) {
	if r < utf8.RuneSelf { // most letters of most texts
		return 0, false
	}
	// Pairs: the letter, and what it looks like.
	const pairs = "аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwɡgⅼlαaοoρpνvιiτtκkօoոnսuցgհhӏlıi"
	for i, o := range []rune(pairs) {
		if i%2 == 0 && o == r {
			return []rune(pairs)[i+1], true
		}
	}
	switch {
	case r >= 0xFF01 && r <= 0xFF5E: // full width
		return unicode.ToLower(r - 0xFEE0), true
	case r >= 0x1D400 && r <= 0x1D6A3: // of mathematics: 13 alphabets in capitals and small letters
		return 'a' + (r-0x1D400)%26, true
	case r >= 0x24B6 && r <= 0x24E9: // in circles
		return 'a' + (r-0x24B6)%26, true
	case r >= 0x1F130 && r <= 0x1F189 && (r-0x1F130)%32 < 26: // in squares and dark circles
		return 'a' + (r-0x1F130)%32, true
	}
	return 0, false
}
