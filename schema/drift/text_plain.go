package drift

// This file writes text as a model reads it. It undoes compatibility forms, look-alike letters, invisible
// characters and encodings, so that the signals of text_signals.go can ignore them.

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// shown returns a text as it is read: in compatibility form (NFKC) without accents and invisible characters,
// with single spaces and line breaks, and with Latin letters for look-alikes. Invisible tag characters become
// the letters that they encode.
func shown(text string) string {
	var b strings.Builder
	space := ""
	for _, r := range norm.NFKD.String(text) {
		if r > 0xE0020 && r < 0xE007F {
			r -= 0xE0000
		}
		switch {
		case r >= 0x300 && r <= 0x36F, r >= 0x64B && r <= 0x652, invisible(r), bidi(r): // accents, Arabic vowels
			continue
		case r == '\n' || r == 0x2028 || r == 0x2029:
			space = "\n"
			continue
		case unicode.IsSpace(r) || unicode.IsControl(r):
			space = cmp.Or(space, " ")
			continue
		}
		if b.Len() > 0 {
			b.WriteString(space)
		}
		space = ""
		b.WriteRune(mark(r))
	}
	return latin(norm.NFC.String(b.String()))
}

// mark returns plain quotation marks and letters for typographic and squared ones.
func mark(r rune) rune {
	switch {
	case r == '’' || r == '‘' || r == '´' || r == '`':
		return '\''
	case r >= 0x1F130:
		if ascii, ok := lookalike(r); ok {
			return ascii
		}
	}
	return r
}

// latin rewrites words in Latin letters if they have Latin letters already or consist of look-alikes only.
func latin(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return text
	}
	out := []rune(text)
	for start := 0; start < len(out); start++ {
		end, plain, alike, letters := start, 0, 0, 0
		for ; end < len(out) && unicode.IsLetter(out[end]); end++ {
			letters++
			if _, looks := lookalike(unicode.ToLower(out[end])); looks {
				alike++
			} else if unicode.Is(unicode.Latin, out[end]) {
				plain++
			}
		}
		if alike > 0 && (plain > 0 || alike == letters) {
			for i, r := range out[start:end] {
				if ascii, ok := lookalike(unicode.ToLower(r)); ok {
					out[start+i] = ascii
				}
			}
		}
		start = max(start, end-1)
	}
	return string(out)
}

// lower returns a text in lower case in which every letter keeps its byte position.
func lower(text string) string {
	return strings.Map(func(r rune) rune {
		if low := unicode.ToLower(r); utf8.RuneLen(low) == utf8.RuneLen(r) {
			return low
		}
		return r
	}, text)
}

// code is an encoding that hides text from human readers.
type code struct {
	name   string
	form   pattern
	decode func(string) string // "" if undecodable
}

// maxDecoded bounds the decoded places of one text, for each code.
const maxDecoded = 200

var codes = sync.OnceValue(func() []code {
	number := regexp.MustCompile(`&#(?:[xX]([0-9a-fA-F]{1,6})|([0-9]{1,7}));?|(?:\\u\{?|\\x|%)([0-9a-fA-F]{2,6})\}?`)
	numbers := func(s string) string {
		return number.ReplaceAllStringFunc(s, func(s string) string {
			m := number.FindStringSubmatch(s)
			digits, base := m[1]+m[3], 16
			if m[2] != "" {
				digits, base = m[2], 10
			}
			n, _ := strconv.ParseUint(digits, base, 32) // the pattern matches only digits
			if strings.HasPrefix(s, "%") || strings.HasPrefix(s, `\x`) {
				return string([]byte{byte(n)})
			}
			return string(rune(n))
		})
	}
	only := func(keep func(rune) bool) func(string) string {
		return func(s string) string {
			return strings.Map(func(r rune) rune {
				if keep(r) {
					return r
				}
				return -1
			}, s)
		}
	}
	digits := only(func(r rune) bool { return unicode.Is(unicode.ASCII_Hex_Digit, r) })
	return []code{
		{"numbers", newPattern(`(?:&#[xX]?[0-9a-fA-F]{1,7};?\s?){4,}`), numbers},
		{"escapes", newPattern(`(?:\\u\{?[0-9a-fA-F]{4,6}\}?|\\x[0-9a-fA-F]{2}){4,}`), numbers},
		{"escapes", newPattern(`(?:[a-zA-Z+]{0,2}%[0-9a-fA-F]{2}){6,}[a-zA-Z]*`), numbers},
		{"hex", newPattern(`(?:(?:0x)?[0-9a-fA-F]{2}[ :,]?){10,}`), func(s string) string {
			raw, _ := hex.DecodeString(digits(strings.ReplaceAll(s, "0x", "")))
			return string(raw)
		}},
		{"bits", newPattern(`(?:[01]{8} ?){6,}`), func(s string) string {
			var out []byte
			for s = only(unicode.IsDigit)(s); len(s) >= 8; s = s[8:] {
				n, _ := strconv.ParseUint(s[:8], 2, 8) // the pattern matches only bits
				out = append(out, byte(n))
			}
			return string(out)
		}},
		{"base64", newPattern(`[A-Za-z0-9+/_-]{16,}`), func(s string) string {
			s = strings.NewReplacer("-", "+", "_", "/").Replace(s)
			raw, _ := base64.RawStdEncoding.DecodeString(s)
			return string(raw)
		}},
		{"single letters", newPattern(`(?m)(?:^|[^\pL\pN])[\pL\pN](?:[ ._*|·•-]{1,3}[\pL\pN]){7,}(?:$|[^\pL\pN])`),
			only(func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })},
	}
})

// decoded is a part of a text that was encoded.
type decoded struct {
	code string // "" if the part may be ordinary text
	text string
}

// decode returns the parts of a shown text that decode to readable text.
func decode(text string) []decoded {
	var out []decoded
	for _, c := range codes() {
		if !c.form.possible(text) {
			continue
		}
		for _, written := range c.form.FindAllString(text, maxDecoded) {
			if plain := shown(c.decode(written)); readable(plain) {
				out = append(out, decoded{c.name, plain})
			}
		}
	}
	for sentence := range sentences(text) {
		if digitInWord(sentence) {
			out = append(out, decoded{"", digitsToLetters.Replace(sentence)})
		}
		if english(sentence) > 0 {
			continue
		}
		turned := []rune(sentence)
		slices.Reverse(turned)
		for _, d := range []decoded{{"rot13", strings.Map(rot13, sentence)}, {"reverse", string(turned)}} {
			if english(d.text) > 1 {
				out = append(out, d)
			}
		}
	}
	return out
}

// readable reports whether a decoded text is text: mostly letters, without unprintable characters.
func readable(text string) bool {
	letters, digits, all := 0, 0, 0
	for _, r := range text {
		all++
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r) || r == ' ':
			letters++
		case unicode.IsDigit(r):
			digits++
		case r == utf8.RuneError || r != '\n' && !unicode.IsGraphic(r):
			return false
		}
	}
	return letters >= 4 && 2*letters >= all && 10*(letters+digits) >= 7*all
}

// digitInWord reports whether a digit or sign occurs between letters.
func digitInWord(text string) bool {
	for i := 1; i < len(text)-1; i++ {
		if strings.IndexByte("013457@$", text[i]) >= 0 && asciiLetter(text[i-1]) && asciiLetter(text[i+1]) {
			return true
		}
	}
	return false
}

func asciiLetter(c byte) bool { return c|' ' >= 'a' && c|' ' <= 'z' }

var digitsToLetters = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a",
	"5", "s", "7", "t", "@", "a", "$", "s")

func rot13(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return 'a' + (r-'a'+13)%26
	case r >= 'A' && r <= 'Z':
		return 'A' + (r-'A'+13)%26
	}
	return r
}

// english counts common English function words.
func english(text string) int {
	var l languages
	l.readWords(text)
	return len(l.words["English"])
}
