package decide

// What the constants of an enum are called behind their type.

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// codes are countries, and languages with a country: their capitals stay in names if an enum has
// enough of them.
var codes = regexp.MustCompile(`^([a-z]{2}-)?[A-Z]{2}$`)

const enoughCodes = 5

// constantNames are what constants are called behind their type. A symbol in front of a
// value is read out if another value is the same without it: -title beside title, which
// ask for different orders, is MinusTitle.
func constantNames(values []string) []string {
	names := make([]string, len(values))
	var odd []int // those with a symbol in front
	count := 0
	for _, value := range values {
		if codes.MatchString(constantText(value)) {
			count++
		}
	}
	for i, value := range values {
		text := constantText(value)
		names[i] = part(text)
		if count >= enoughCodes && codes.MatchString(text) {
			names[i] = text
			if language, country, ok := strings.Cut(text, "-"); ok {
				names[i] = part(language) + country
			}
		}
		if first, _ := utf8.DecodeRuneInString(text); first != ' ' && symbolName(first) != "" {
			odd = append(odd, i)
		}
	}
	if odd == nil {
		return names
	}
	plain := slices.Clone(names)
	for _, i := range odd {
		for k, name := range plain {
			if k != i && name == plain[i] {
				first, _ := utf8.DecodeRuneInString(constantText(values[i]))
				names[i] = join(symbolName(first), name)
				break
			}
		}
	}
	return names
}

// constantText returns the text that a constant is named after: the text of a string, the
// spelling of anything else.
func constantText(value string) string {
	var text string
	if value[0] == '"' && json.Unmarshal([]byte(value), &text) == nil {
		return text
	}
	return value
}

// addressNames returns the names of constants that are URLs, without their type's name: the
// words of host and path in which the URLs differ; for a single URL, the name of a definition
// at that URL. A name is "" for other constants. All are "" if these words are not enough.
func addressNames(values []string) []string {
	names, none := constantNames(values), make([]string, len(values))
	words := make([][]string, len(values))
	count, urls := map[string]int{}, 0
	for i, value := range values {
		if words[i] = addressWords(constantText(value)); words[i] != nil {
			urls++
			for _, word := range slices.Compact(slices.Sorted(slices.Values(words[i]))) {
				count[word]++
			}
		}
	}
	for i, of := range words {
		switch own := slices.DeleteFunc(slices.Clone(of), func(word string) bool { return count[word] == urls }); {
		case of == nil:
		case urls == 1:
			names[i] = part(telling(constantText(values[i])))
		case len(own) == 0:
			return none
		default:
			names[i] = part(strings.Join(own, " "))
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(names)))) < len(names) {
		return none
	}
	for i, of := range words {
		if of == nil {
			names[i] = ""
		}
	}
	return names
}

// addressWords returns the labels of the host and the parts of the path of a URL; nil for other
// texts.
func addressWords(text string) []string {
	_, address, ok := strings.Cut(text, "://")
	if !ok || strings.ContainsAny(text, " \n") {
		return nil
	}
	host, rest, _ := strings.Cut(address, "/")
	words := strings.Split(host, ".")
	return append(words, strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune("/?#&=", r) })...)
}
