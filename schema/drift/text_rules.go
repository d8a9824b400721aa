package drift

// This file finds deceptive characters, which honest changes never contain.

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// characterRule finds characters.
type characterRule struct {
	rule    *row
	message string
	find    func(text string) []rune
}

func characterRules() []characterRule {
	return []characterRule{
		{textInvisible, "invisible characters", findInvisible},
		{textBidi, "characters that change the direction of reading", func(s string) []rune { return runesOf(s, bidi) }},
		{textHidden, "blanks that push text out of sight", blanks},
		{textControl, "control characters", func(s string) []rune { return runesOf(s, control) }},
	}
}

func runesOf(text string, is func(rune) bool) []rune {
	var out []rune
	for _, r := range text {
		if is(r) {
			out = append(out, r)
		}
	}
	return out
}

// The shortest runs of blanks that no layout needs: within a line, before a line, and line ends.
const (
	manyBlanks = 32
	manyBefore = 100
	manyLines  = 8
)

// blanks returns the longest run of blanks before text, if it exceeds any plausible layout.
func blanks(text string) []rune {
	var longest, run []rune
	for _, r := range text {
		if unicode.IsSpace(r) || invisible(r) {
			run = append(run, r)
			continue
		}
		if len(run) > len(longest) {
			longest = run
		}
		run = nil
	}
	lines := strings.Count(string(longest), "\n")
	if lines >= manyLines || len(longest) >= manyBefore || lines == 0 && len(longest) >= manyBlanks {
		return longest
	}
	return nil
}

// bidi reports overrides, embeddings and isolates, which plain text does not need.
func bidi(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }

func control(r rune) bool {
	switch r {
	case '\t', '\n', '\r':
		return false
	case 0x2028, 0x2029:
		return true
	}
	return unicode.Is(unicode.Cc, r)
}

// invisible reports characters without a visible form: format characters, default-ignorable characters,
// variation selectors, and blanks that are not spaces.
func invisible(r rune) bool {
	switch {
	case r < 0x80 || bidi(r):
		return false
	case r == 0x1D159, r == 0x2800: // a musical symbol without a notehead, a Braille pattern without dots
		return true
	case r >= 0xE0000 && r <= 0xE0FFF: // tags, more selectors, and reserved code points
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// findInvisible ignores characters that honest text contains: joiners and selectors after a symbol or in
// scripts that need them, direction marks in right-to-left text, an occasional soft hyphen, and Braille blanks.
func findInvisible(text string) []rune {
	var out []rune
	runes := []rune(text)
	for i, r := range runes {
		if !invisible(r) {
			continue
		}
		before := rune(0)
		if i > 0 {
			before = runes[i-1]
		}
		if !honest(r, before) {
			out = append(out, r)
		}
	}
	return out
}

func honest(r, before rune) bool {
	switch r {
	case 0xFE0E, 0xFE0F: // after a symbol or a key cap's digit
		return unicode.IsSymbol(before) || unicode.IsPunct(before) || unicode.IsDigit(before)
	case 0x200D:
		return before == 0xFE0F || before >= 0x1F000 || unicode.IsSymbol(before) || joining(before)
	case 0x200C:
		return joining(before)
	case 0x200E, 0x200F, 0x061C:
		return unicode.In(before, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana)
	case 0x00AD:
		return unicode.IsLetter(before)
	case 0x2800:
		return before > 0x2800 && before <= 0x28FF
	}
	return false
}

// joining reports letters of scripts that use joiners.
func joining(r rune) bool {
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Han) ||
		unicode.IsMark(r)
}

// mixedWord returns the first word that mixes Latin letters with look-alike letters of another alphabet, or ""
// if there is none.
func mixedWord(text string) string {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		latin, alike := false, false
		for _, r := range word {
			_, looks := lookalike(unicode.ToLower(r))
			latin = latin || unicode.Is(unicode.Latin, r) && !looks
			alike = alike || looks && r < 0xFF00
		}
		if latin && alike {
			return word
		}
	}
	return ""
}

// blob notes text that only programs read. Icons are exempt.
func blob(l located, old string) []note {
	if strings.HasPrefix(l.path, "/icons") || strings.HasPrefix(l.text, "data:image/") {
		return nil
	}
	m := blobPattern().FindString(l.text)
	if m == "" || strings.Contains(old, m) || !varied(m) {
		return nil
	}
	n := flagged(textEncodedBlob, l, "has an encoded part: "+quote(m))
	n.severity = Warning
	return []note{n}
}

// varied reports whether a text contains both letters and digits, as encoded data does.
func varied(text string) bool {
	return strings.ContainsAny(text, "0123456789") && slices.ContainsFunc([]rune(text), unicode.IsLetter)
}

var blobPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[A-Za-z0-9+/_-]{160,}={0,2}|(?:\\x[0-9a-fA-F]{2}){24,}|(?:%[0-9a-fA-F]{2}){40,}`)
})
