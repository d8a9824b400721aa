// What to try instead of a word that is not known, for hints.

package tree

import (
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/nearest"
)

func itoa(i int) string { return strconv.Itoa(i) }

// Suggest is a hint for a word that is not one of known: the nearest one, or all
// of them if none is near.
func Suggest(word string, known []string) string {
	if question := nearest.Question(word, known); question != "" || len(known) == 0 {
		return question
	}
	return "known here: " + strings.Join(known, ", ")
}
