package drift

// This file pairs removed items with new items that are the same under another name.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
)

// The minimum likeness of two items, from 0 to 1.
const (
	likely   = 0.85
	possible = 0.60
)

// maxPairs bounds the number of compared pairs when many items were replaced.
const maxPairs = 10_000

// maxCompared bounds the length, in runes, of names whose edit distance is computed.
const maxCompared = 256

// rename is a claim that an item was renamed.
type rename struct {
	before, after *schema.Item
	score         float64 // 1 is certain
	evidence      string  // set if the rename is only possible
}

func (r rename) confidence() string {
	if r.score >= 1 {
		return "certain: only case and separators differ"
	}
	return fmt.Sprintf("likely: %.0f %% alike", 100*r.score)
}

// matchNames pairs items, the most alike first. Each item is in at most one pair; an item with two similarly
// likely partners is in none.
func matchNames(gone, added []*schema.Item, weigh func(b, a *schema.Item) rename) []rename {
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
				all = append(all, rename{before: b, after: a, score: 1})
				continue
			}
			if compared++; compared > maxPairs {
				continue
			}
			if r := weigh(b, a); r.score > possible-ahead && r.evidence != "" {
				r.before, r.after, r.score = b, a, min(r.score, 0.99)
				all = append(all, r)
			}
		}
	}
	return best(all, func(r rename) claim {
		needs := claim{r.before.Name, r.after.Name, r.score, possible, 0}
		if r.score < likely {
			needs.margin = ahead
		}
		return needs
	})
}

// claim is a pair of names for [best]: its score, the score it needs, and the lead it needs over rival claims.
type claim struct {
	before, after        string
	score, worth, margin float64
}

// best returns the best pairs, with each name at most once. It omits a pair if another claim to one of its
// names has a similar score: if several items became one, none of them was renamed to it.
func best[T any](all []T, of func(T) claim) []T {
	slices.SortStableFunc(all, func(x, y T) int { return cmp.Compare(of(y).score, of(x).score) })
	var claims []claim
	for _, one := range all {
		claims = append(claims, of(one))
	}
	before, after := map[string]bool{}, map[string]bool{}
	var out []T
	for i, c := range claims {
		if c.score < c.worth || before[c.before] || after[c.after] || slices.ContainsFunc(claims, func(o claim) bool {
			as := o.score == c.score || o.score > c.score-c.margin
			return as && (o.before == c.before) != (o.after == c.after) && !before[o.before] && !after[o.after]
		}) {
			continue
		}
		before[c.before], after[c.after] = true, true
		out = append(out, all[i])
	}
	return out
}

// RenamedTools returns the new names of renamed tools, by old name: those whose tool-renamed change is certain
// or likely. Merely possible renames are omitted.
func RenamedTools(before, after *schema.Snapshot) map[string]string {
	_, gone, added := split(orEmpty(before).Tools, orEmpty(after).Tools)
	out := map[string]string{}
	for _, r := range matchNames(gone, added, toolLikeness(gone, added)) {
		if r.score >= likely {
			out[r.before.Name] = r.after.Name
		}
	}
	return out
}

func drop(items []*schema.Item, item *schema.Item) []*schema.Item {
	return slices.DeleteFunc(slices.Clone(items), func(i *schema.Item) bool { return i == item })
}

// itemLikeness weighs pairs of items by names, texts and members of the arguments. A name alone is not
// evidence, because items of one server often have similar names. Nor are arguments that many items share.
func itemLikeness(items []*schema.Item,
	arguments func(item *schema.Item) map[string]json.RawMessage) func(b, a *schema.Item) rename {
	known, holders := map[*schema.Item]map[string]json.RawMessage{}, map[string]int{}
	for _, item := range items {
		known[item] = arguments(item)
		for name := range known[item] {
			holders[name]++
		}
	}
	return func(b, a *schema.Item) rename {
		if known[b] == nil || known[a] == nil {
			return rename{}
		}
		names, words := similarity(fold(b.Name), fold(a.Name)), descriptionLikeness(b.Raw, a.Raw)
		shape, shared := shapeLikeness(known[b], known[a], func(string) float64 { return 1 })
		var out rename
		if names >= 0.4 {
			out.score = 0.5*names + 0.3*shape + 0.2*words
		}
		rarity := func(name string) float64 { return 2 / float64(holders[name]) }
		if rare, _ := shapeLikeness(known[b], known[a], rarity); shared > 1 {
			out.score = max(out.score, min(0.6*rare+0.15*names+0.25*words, likely-0.01))
		}
		out.evidence = evidence(names, shape, words, len(known[b]))
		return out
	}
}

// evidence describes the signs for a pair.
func evidence(names, shape, words float64, members int) string {
	var out []string
	say := func(much float64, whole, most string) {
		switch {
		case much == 1:
			out = append(out, whole)
		case much > 0.5:
			out = append(out, most)
		}
	}
	say(names, "the same name", "much the same name")
	if members > 0 {
		say(shape, "the same arguments", "most of the arguments")
	}
	say(words, "the same text", "much the same text")
	return strings.Join(out, ", ")
}

// toolLikeness weighs pairs of tools. Unreadable tools have no members.
func toolLikeness(gone, added []*schema.Item) func(b, a *schema.Item) rename {
	return itemLikeness(slices.Concat(gone, added), func(item *schema.Item) map[string]json.RawMessage {
		tool, _, err := schema.ParseTool(item.Raw)
		if err != nil {
			return nil
		}
		declared := map[string]json.RawMessage{}
		maps.Copy(declared, members(members(tool.InputSchema)["properties"]))
		return declared
	})
}

// shapeLikeness compares declared members by weight, and counts the members that exist on both sides.
func shapeLikeness(was, is map[string]json.RawMessage,
	weight func(name string) float64) (likeness float64, shared int) {
	if len(was) == 0 && len(is) == 0 {
		return 1, 0
	}
	both, all := 0.0, 0.0
	for _, name := range union(was, is) {
		all += weight(name)
	}
	for name, sub := range was {
		other, ok := is[name]
		switch {
		case !ok:
			continue
		case equalJSON(members(sub)["type"], members(other)["type"]):
			both += weight(name)
		default:
			both += weight(name) / 2
		}
		shared++
	}
	return both / all, shared
}

// descriptionLikeness compares the descriptions of two items.
func descriptionLikeness(b, a json.RawMessage) float64 {
	x, y := jsontext.Text(members(b)["description"]), jsontext.Text(members(a)["description"])
	return max(wordLikeness(x, y), wordLikeness(firstSentence(x), firstSentence(y)))
}

// wordLikeness compares texts by the words they share.
func wordLikeness(b, a string) float64 {
	words := func(s string) map[string]json.RawMessage {
		set := map[string]json.RawMessage{}
		space := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
		for w := range strings.FieldsFuncSeq(strings.ToLower(s[:min(len(s), 4096)]), space) {
			set[w] = nil
		}
		return set
	}
	return overlap(words(b), words(a))
}

// overlap returns the share of the union of two sets that is in both.
func overlap(a, b map[string]json.RawMessage) float64 {
	all := len(union(a, b))
	if all == 0 {
		return 1
	}
	return float64(len(a)+len(b)-all) / float64(all)
}

// fold removes case and separators from a name.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r == ' ' || r == '/' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// similarity returns 1 minus the edit distance divided by the longer length.
func similarity(a, b string) float64 {
	switch longer := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b)); {
	case longer == 0:
		return 1
	case longer > maxCompared:
		return 0
	default:
		return 1 - float64(levenshtein.ComputeDistance(a, b))/float64(longer)
	}
}

// skeleton maps letters of a name that look alike to one letter.
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

// lookalike returns the Latin letter that r resembles.
func lookalike(r rune) (rune, bool) {
	if r < utf8.RuneSelf { // fast path: ASCII
		return 0, false
	}
	// Pairs of a letter and the Latin letter that it resembles.
	const pairs = "аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwɡgⅼlαaοoρpνvιiτtκkօoոnսuցgհhӏlıi"
	for i, o := range []rune(pairs) {
		if i%2 == 0 && o == r {
			return []rune(pairs)[i+1], true
		}
	}
	switch {
	case r >= 0xFF01 && r <= 0xFF5E: // full-width letters
		return unicode.ToLower(r - 0xFEE0), true
	case r >= 0x1D400 && r <= 0x1D6A3: // mathematical letters: 13 alphabets in capitals and small letters
		return 'a' + (r-0x1D400)%26, true
	case r >= 0x24B6 && r <= 0x24E9: // circled letters
		return 'a' + (r-0x24B6)%26, true
	case r >= 0x1F130 && r <= 0x1F189 && (r-0x1F130)%32 < 26: // squared and negative circled letters
		return 'a' + (r-0x1F130)%32, true
	}
	return 0, false
}
