// The nearest known word, for hints.

package tree

import (
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

func itoa(i int) string { return strconv.Itoa(i) }

// Suggest is a hint for a word that is none of known: the nearest one, or all
// of them if none is near.
func Suggest(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return "did you mean " + Quote(near) + "?"
	}
	if len(known) == 0 {
		return ""
	}
	return "known here: " + strings.Join(known, ", ")
}

// Nearest is the known word that word was probably meant to be, or "". Words
// that differ in case, hyphens and underscores only, or of which one begins with
// the other, are nearest.
func Nearest(word string, known []string) string {
	if len(word) > maxShown {
		return ""
	}
	folded := fold(word)
	best, distance := "", max(2, len(folded)/3)+1
	for _, k := range known {
		if len(k) > maxShown {
			continue
		}
		if short := min(len(folded), len(fold(k))); short > 2 && folded[:short] == fold(k)[:short] {
			return k // env, environment
		}
		// A word that shares nothing with the known one is no misspelling.
		if d := levenshtein.ComputeDistance(folded, fold(k)); d < distance && d < len(fold(k)) && d < len(folded) {
			best, distance = k, d
		}
	}
	return best
}

func fold(word string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(word))
}
