package credentials

// This file detects secret values by their names.

import (
	"slices"
	"strings"
	"unicode"
)

// secretWords end the names of secret values. secretEndings end any word of such a name: GITHUBTOKEN_RO.
// A name that ends in key is secret unless plainKeys has the word before it.
var (
	secretWords = strings.Fields(`pwd pass passcode pin otp cvv cvc jwt bearer auth signature sig pat sessionid accesskey secretkey privatekey key
		session_id auth_code authorization_code verification_code security_code recovery_code`)
	secretEndings = strings.Fields(`password passwd passphrase token secret apikey credential cookie authorization`)
	plainKeys     = strings.Fields(`sort primary foreign partition issue project cache object row public idempotency index group hash map parent`)
)

// about are last words of names that describe a secret instead of containing it. fillers are last words
// that are ignored.
var (
	about   = strings.Fields(`type count limit length size budget mode name expiry expires expiration ttl parallelism used usage endpoint url uri path file dir`)
	fillers = strings.Fields(`value text string plain raw hash base b`)
)

// NamesSecret reports whether the value of a variable, header, member or parameter with this name is
// likely to be secret: token, GITHUB_TOKEN_RO and accessToken are, token_type is not. Only the last 256
// bytes of a name are examined.
func NamesSecret(name string) bool {
	words := nameWords(name)
	for len(words) > 1 && slices.Contains(fillers, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return false
	}
	last, before := words[len(words)-1], strings.Join(words[max(0, len(words)-2):len(words)-1], "")
	for _, end := range []string{last, strings.TrimSuffix(last, "s")} {
		if slices.Contains(about, end) || end == "key" && slices.Contains(plainKeys, before) {
			return false
		}
		if slices.Contains(secretWords, end) || slices.Contains(secretWords, before+"_"+end) {
			return true
		}
	}
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc(secretEndings, func(ending string) bool { return strings.HasSuffix(strings.TrimSuffix(word, "s"), ending) })
	})
}

// longestName bounds the examined part of a name, in bytes.
const longestName = 256

// nameWords splits a name at case changes and at characters that are not letters or digits, and drops a
// number at its end.
func nameWords(name string) []string {
	if len(name) > longestName {
		name = name[len(name)-longestName:]
	}
	var words []string
	runes, from := []rune(name), 0
	cut := func(to int) {
		if from < to {
			words = append(words, strings.ToLower(string(runes[from:to])))
		}
		from = to
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			from = i + 1
		case i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1])):
			cut(i)
		}
	}
	cut(len(runes))
	for len(words) > 1 && strings.Trim(words[len(words)-1], "0123456789") == "" {
		words = words[:len(words)-1]
	}
	if n := len(words); n > 0 {
		words[n-1] = strings.TrimRight(words[n-1], "0123456789")
	}
	return words
}
