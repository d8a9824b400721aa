package drift

// This file reads text_words.txt, the words of the signals.

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// concept is an ingredient of a signal: a meaning expressed by words of several languages, or a token such as
// an address.
type concept string

// words are the stems of each concept; the file says how they are written.
//
//go:embed text_words.txt
var words string

// stem is one entry of the table.
type stem struct {
	concept
	text        string
	word, whole bool // word: must start a word; whole: must also end one
}

// stems returns the table, with its words in the form of shown text.
var stems = sync.OnceValue(func() []stem {
	var out []stem
	var of concept
	for line := range strings.Lines(words) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if name, isName := strings.CutSuffix(strings.TrimSpace(line), ":"); isName {
			of = concept(name)
			continue
		}
		for entry := range strings.SplitSeq(line, ",") {
			text, open := strings.CutSuffix(strings.TrimSpace(entry), "*")
			s := stem{concept: of, text: lower(shown(text))}
			first, _ := utf8.DecodeRuneInString(text)
			s.word = unicode.In(first, unicode.Latin, unicode.Cyrillic)
			s.whole = s.word && !open
			if s.text != "" {
				out = append(out, s)
			}
		}
	}
	return out
})
