// Package nearest finds the word that a misspelled one was meant to be, for hints
// in errors.
package nearest

import (
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

// longest bounds the words that are compared, in bytes.
const longest = 128

// Of is the known word that word was probably meant to be, or "". Words that differ
// in case, hyphens and underscores only, or of which one begins with the other, are
// nearest; of two that are as near the first one is.
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
		// A word that shares nothing with the known one is not a misspelling.
		if d := levenshtein.ComputeDistance(folded, fold(k)); d < distance && d < len(fold(k)) && d < len(folded) {
			best, distance = k, d
		}
	}
	return best
}

// Question is the question whether the nearest known word was meant, quoted, or "".
func Question(word string, known []string) string {
	if near := Of(word, known); near != "" {
		return "did you mean " + strconv.Quote(near) + "?"
	}
	return ""
}

func fold(word string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(word))
}
