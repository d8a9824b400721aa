package gotext

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// closers may follow the full stop of a sentence.
const closers = ")]}\"'`*_”’»"

// Sentence ends words with a full stop, so that others can follow. What ends in another
// mark, also before a bracket or a quote that closes, stays as it is.
func Sentence(words string) string {
	words = strings.TrimSpace(words)
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(words, closers))
	if words == "" || strings.ContainsRune(".!?…:;,-–—=|。！？：；，", last) {
		return words
	}
	return words + "."
}

// Ended reports whether a line ends a sentence.
func Ended(line string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line, closers))
	return strings.ContainsRune(".!?:", last)
}

var (
	// order is in a sentence that instructs a model and describes nothing.
	order = regexp.MustCompile(`\b(?:MUST|ALWAYS|NEVER|DO NOT)\b|^[^\pL\pN<]*(?i:you|always|never|do not|don't|prefer|before|please|` +
		`note|use (?:this|when|it|only)|(?:run|call|use) this tool)\b`)
	// shout is in a sentence that is little more than such an instruction.
	shout = regexp.MustCompile(`\b(?:IMPORTANT|CRITICAL|MANDATORY|REQUIRED|WARNING)\b|(?:\b\p{Lu}{2,}\W+){3}`)
	// subject begins a sentence that describes, loud as it may be.
	subject = regexp.MustCompile(`^(?:This|The) (?:\S+ )?(?:tool|server) `)
	// joint begins a sentence that needs the one before it.
	joint = regexp.MustCompile(`^(?i:for (?:example|instance)|this (?:is|means|ensures)|in this|if|when|however|otherwise|then|it|they|these|also|thus|so)\b`)
)

// Describes takes the first sentence that describes something out of a paragraph, and skips
// orders to a model before it. It returns "" if there is no such sentence. Begun is set if
// the paragraph follows other sentences.
func Describes(paragraph string, begun bool) (sentence, rest string) {
	for at := 0; at < len(paragraph); begun = true {
		end := at + sentenceEnd(paragraph[at:])
		words := strings.Join(strings.Fields(paragraph[at:end]), " ")
		ordered := order.MatchString(words) || shout.MatchString(words) && !subject.MatchString(words) || begun && joint.MatchString(words)
		if !ordered && strings.Contains(words, " ") && !strings.HasSuffix(words, ":") {
			before, behind := strings.TrimSpace(paragraph[:at]), strings.TrimSpace(paragraph[end:])
			if before != "" && behind != "" {
				before += " "
			}
			return Sentence(words), before + behind
		}
		at = end
	}
	return "", paragraph
}

// Introduces reports whether a paragraph is one sentence that describes what a list after it
// goes on with.
func Introduces(paragraph string) bool {
	return sentenceEnd(paragraph) == len(paragraph) && strings.HasSuffix(paragraph, ":") && len(strings.Fields(paragraph)) > 4 &&
		!order.MatchString(paragraph) && !shout.MatchString(paragraph)
}

// abbreviation ends in a full stop that ends no sentence.
var abbreviation = regexp.MustCompile(`(?i)(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|no|\pL)\.$`)

// sentenceEnd returns the end of the first sentence of a text and of the white space after it.
func sentenceEnd(text string) int {
	for i := 0; i < len(text); i++ {
		if strings.IndexByte(".!?", text[i]) < 0 {
			continue
		}
		behind := strings.TrimLeft(text[i+1:], closers)
		next := strings.TrimLeftFunc(behind, unicode.IsSpace)
		first, _ := utf8.DecodeRuneInString(next)
		if next == "" || len(next) < len(behind) && !unicode.IsLower(first) && !abbreviation.MatchString(text[max(0, i-10):i+1]) {
			return len(text) - len(next)
		}
	}
	return len(text)
}
