package drift

// This file finds text in a language that the server has not used: reviewers may not be able to read it, and
// the word rules may not cover it.

import (
	"strings"
	"sync"
	"unicode"

	"github.com/mcpgen/mcpgen/schema"
)

// functionWords distinguish languages in Latin letters, without accents. A text is in a language if it has
// several of its words.
const functionWords = `
English: the of and to is for with this that be or by it from are not if an use your when
German: der die das und nicht ist mit fur den dem ein eine bei vor nach wird alle diese dieser zu auf aus im zum zur wenn sie werden dann stets immer
French: le la les des et est une dans pour avec vous que qui du au aux sur ne pas tout tous ce cette votre avant toujours
Spanish: el los las una con para que por del al su todo todos esta este antes sin siempre y
Portuguese: os uma com para que por da na ao seu todo todos esta este antes sem sempre nao e
Italian: il lo gli una con per che di della non tutto questo prima sempre e
Dutch: het een van voor met niet alle deze naar altijd dit en worden
Polish: nie jest sie dla przed wszystkie zawsze oraz do na tym przez jako lub jego o i
Turkish: ve bir icin bu ile tum her once daha
Indonesian: dan yang untuk dengan semua ini selalu sebelum dari ke
`

var languagesOf = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(functionWords) {
		language, list, _ := strings.Cut(line, ":")
		for _, word := range strings.Fields(list) {
			m[word] = append(m[word], language)
		}
	}
	return m
})

// languages counts signs of languages: letters by script, and function words by language for Latin letters.
type languages struct {
	letters int
	scripts map[string]int
	words   map[string]map[string]int
}

func (l *languages) read(text string) {
	if l.scripts == nil {
		l.scripts = map[string]int{}
	}
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		l.letters++
		if r >= 0xC0 {
			l.scripts[scriptOf(r)]++
		}
	}
	l.readWords(shown(text))
}

func (l *languages) readWords(text string) {
	if l.words == nil {
		l.words = map[string]map[string]int{}
	}
	between := func(r rune) bool { return !unicode.IsLetter(r) && r != '_' && r != '\'' }
	for word := range strings.FieldsFuncSeq(lower(text), between) {
		for _, language := range languagesOf()[word] {
			if l.words[language] == nil {
				l.words[language] = map[string]int{}
			}
			l.words[language][word]++
		}
	}
}

// scriptOf names the script of a letter. Chinese and Japanese share one.
func scriptOf(r rune) string {
	if unicode.Is(unicode.Latin, r) {
		return "Latin with accents"
	}
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
		return "Chinese or Japanese"
	}
	for _, s := range []string{"Cyrillic", "Arabic", "Hangul", "Devanagari", "Greek",
		"Hebrew", "Thai", "Bengali", "Tamil", "Telugu", "Georgian", "Armenian"} {
		if unicode.Is(unicode.Scripts[s], r) {
			return s
		}
	}
	return ""
}

// The minimum amounts that indicate a language.
const (
	leastLetters = 6
	leastWords   = 3
	leastHome    = 60 // letters of the server's known text
	rare         = 50 // a script with less than one in 50 letters is not the server's
)

// beside returns the name of a language of l that home lacks, or "" if there is none.
func (l *languages) beside(home *languages) string {
	if home.letters < leastHome {
		return ""
	}
	for script, n := range l.scripts {
		if script != "" && n >= leastLetters && rare*home.scripts[script] < home.letters {
			return script
		}
	}
	most, language := len(l.words["English"]), ""
	for name, words := range l.words {
		if len(words) >= leastWords && len(words) > most {
			most, language = len(words), name
		}
	}
	if language == "" || language == "English" || 3*len(home.words[language]) > 2*len(home.words["English"]) {
		return ""
	}
	return language
}

// languagesIn returns the languages of a snapshot.
func languagesIn(s *schema.Snapshot) *languages {
	var all languages
	all.read(s.Instructions)
	for _, kind := range schema.Kinds() {
		for _, item := range *s.List(kind) {
			for _, l := range stringsOf(item.Raw) {
				all.read(l.text)
			}
		}
	}
	return &all
}

// languages notes new text in a language that the server, whose languages are home, has not used.
func (r *reading) languages(home *languages) (notes []note) {
	for _, p := range r.parts {
		var all languages
		all.read(p.fresh)
		name := all.beside(home)
		if name == "" {
			continue
		}
		most, where := 0, p.fresh
		for sentence := range sentences(p.fresh) {
			var l languages
			l.read(sentence)
			if n := l.scripts[name] + len(l.words[name]); n > most {
				most, where = n, sentence
			}
		}
		message := "is in another language than the server's other text, " + name + ": " + quote(where)
		notes = append(notes, flagged(textLanguage, p.located, message))
	}
	return notes
}
