package decide

// What the constants of an enum are called behind their type.

import (
	"encoding/json"
	"slices"
	"unicode/utf8"
)

// constantNames are what constants are called behind their type. A symbol in front of a
// value is read out if another value is the same without it: -title beside title, which
// ask for different orders, is MinusTitle.
func constantNames(values []string) []string {
	names := make([]string, len(values))
	var odd []int // those with a symbol in front
	for i, value := range values {
		text := constantText(value)
		names[i] = part(text)
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
