// Package nearest finds the intended word for a misspelled one, for hints in errors.
package nearest

import (
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

// longest bounds the words that are compared, in bytes.
const longest = 128

// Of returns the known word that word was probably meant to be, or "". Words that only differ in case,
// hyphens and underscores, or of which one begins with the other, are nearest. If several are equally
// near, the first one is returned.
func Of(word string, known []string) string {
	if len(word) > longest {
		return ""
	}
	folded := fold(word)
	best, distance := "", max(2, len(folded)/3)+1
	for _, k := range known {
		if len(k) > longest {
			continue
		}
		if short := min(len(folded), len(fold(k))); short > 2 && folded[:short] == fold(k)[:short] {
			return k // env, environment
		}
		// A word that has at most half of its letters in common with the known one is not a misspelling.
		if d := levenshtein.ComputeDistance(folded, fold(k)); d < distance && 2*shared(folded, fold(k)) > max(len(folded), len(fold(k))) {
			best, distance = k, d
		}
	}
	return best
}

// Question returns a question with the nearest known word, or "".
func Question(word string, known []string) string {
	if near := Of(word, known); near != "" {
		return "did you mean " + strconv.Quote(near) + "?"
	}
	return ""
}

// shared counts the bytes that two words have in common, in any order.
func shared(a, b string) int {
	n := 0
	for _, c := range []byte(a) {
		if i := strings.IndexByte(b, c); i >= 0 {
			n, b = n+1, b[:i]+b[i+1:]
		}
	}
	return n
}

func fold(word string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(word))
}
