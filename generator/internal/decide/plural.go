package decide

// Plurals of English, for the names of what lists hold.

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// singular returns the singular of a Go name: Entities gives Entity, IDs ID, PullRequests
// PullRequest. A name that is not a plural is returned unchanged.
func singular(name string) string {
	start := lastWord(name)
	head, word := name[:start], name[start:]
	lower := strings.ToLower(word)
	if initialism(lower) != "" {
		return name // DNS, HTTPS
	}
	if one := irregular(lower); one != "" {
		return head + strings.ToUpper(one[:1]) + one[1:]
	}
	single, plural := strings.CutSuffix(word, "s")
	before := strings.ToLower(single)
	switch {
	case !plural || len(single) < 2:
		return name
	case initialism(before) != "":
		return head + single // PRs, IDs
	case hasSuffix(before, "s", "u", "i"):
		return name // address, status, analysis
	case len(before) > 3 && strings.HasSuffix(before, "ie"):
		return head + strings.TrimSuffix(single, "ie") + "y"
	case hasSuffix(before, "sse", "she", "che", "xe", "zze", "tuse", "rue", "iase", "ruse"):
		return head + strings.TrimSuffix(single, "e")
	}
	return head + single
}

// oneOf returns the name of an element of a list: Entity of entities and of entityList. An
// access list is a list by name, whose elements are not accesses.
func oneOf(list string) string {
	of := strings.TrimSuffix(list, "List")
	if of == list || of == "" ||
		strings.Contains(" Access Allow Block Deny Ignore Price Wait ", " "+of[lastWord(of):]+" ") {
		return singular(list)
	}
	return singular(of)
}

// lastWord is where the last word of a Go name begins.
func lastWord(name string) int {
	runes, at := []rune(name), len(name)
	for i := len(runes) - 1; i >= 0; i-- {
		at -= utf8.RuneLen(runes[i])
		if runes[i] == '_' {
			return at + 1
		}
		if unicode.IsUpper(runes[i]) && (i == 0 || !unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && startsWord(runes, i)) {
			return at
		}
	}
	return 0
}

func hasSuffix(word string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(word, end) })
}

// irregular returns the singular of a word that no rule gives, and a word that only
// looks like a plural itself. It returns "" for other words.
func irregular(word string) string {
	switch word {
	case "series", "species", "news", "alias", "canvas", "bias", "atlas", "gas", "lens", "previous":
		return word
	case "movies", "cookies", "caches":
		return word[:len(word)-1]
	case "axes", "analyses":
		return word[:len(word)-2] + "is"
	case "children":
		return "child"
	case "people":
		return "person"
	case "indices":
		return "index"
	case "vertices":
		return "vertex"
	case "matrices":
		return "matrix"
	case "criteria":
		return "criterion"
	}
	return ""
}
