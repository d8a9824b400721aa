package mcptest

// This file detects secrets. It prefers false positives: an unnecessary placeholder in a recording does
// no harm.

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/internal/credentials"
)

// isSecretName reports whether the value of a member, header, variable or parameter with this name is
// secret. A member named just key is usually the name of a thing.
func isSecretName(name string) bool {
	return name != "key" && name != "keys" && credentials.NamesSecret(name)
}

// isSecretNumber is isSecretName for numbers: a number named "token" is usually a count.
func isSecretNumber(name string) bool {
	plain := strings.ToLower(name)
	return isSecretName(name) && !strings.Contains(plain, "token") && !strings.Contains(plain, "key")
}

// shape is a pattern for secrets in text. The secret is the whole match, or its first group.
type shape struct {
	pattern *regexp.Regexp
	// random requires the secret not to be a plain word.
	random bool
	// learn marks certain secrets: the value is hidden everywhere.
	learn bool
}

var shapes = []shape{
	// Credentials in a URL: the password of user:password, else the whole.
	{pattern: regexp.MustCompile(`://[^\s/?#:"'<>]*:([^\s/?#"'<>]+)@`), learn: true},
	{pattern: regexp.MustCompile(`://([^\s/?#:@"'<>]+)@`)},
	{pattern: regexp.MustCompile(`(?i)\b(?:bearer|basic|digest|token)\s+([A-Za-z0-9._~+/=-]{8,})`), random: true},
	{pattern: regexp.MustCompile(`[?&](?:key|code|sig)=([^&#\s"'<>]+)`)},
}

// assignment matches a name with a value in text: token=x or "password": "x", but not --api-key x.
var assignment = regexp.MustCompile(`([A-Za-z][A-Za-z0-9_.-]*)\\?["']?\s*[=:]\s*(?:\\?"([^"\\\n]+)|'([^'\n]+)|([^\s"'&,;)}\]<>\\]+))`)

// span is a part of a text.
type span struct {
	from, to int
	learn    bool
}

// findSecrets returns the parts of a text that look like a secret.
func findSecrets(text string) []span {
	if isBlob(text) {
		return nil
	}
	var found []span
	for _, at := range credentials.TokensAt(text) {
		found = append(found, span{at[0], at[1], true})
	}
	for _, s := range shapes {
		for _, m := range s.pattern.FindAllStringSubmatchIndex(text, -1) {
			from, to := m[0], m[1]
			if len(m) > 2 {
				from, to = m[2], m[3]
			}
			if !s.random || looksRandom(text[from:to]) {
				found = append(found, span{from, to, s.learn})
			}
		}
	}
	if !strings.ContainsAny(text, "=:") {
		return found
	}
	// A value may contain the next name: url: https://host/?token=x.
	for from := 0; ; {
		m := assignment.FindStringSubmatchIndex(text[from:])
		if m == nil {
			return found
		}
		if !isSecretName(text[from+m[2] : from+m[3]]) {
			from += m[3]
			continue
		}
		for g := 4; g < len(m); g += 2 {
			if m[g] >= 0 {
				found = append(found, span{from: from + m[g], to: from + m[g+1]})
			}
		}
		from += m[1]
	}
}

// looksRandom reports whether a text does not look like a natural word.
func looksRandom(s string) bool {
	var lower, upper, other bool
	for i, r := range s {
		switch {
		case unicode.IsLower(r):
			lower = true
		case unicode.IsUpper(r):
			upper = upper || i > 0
		default:
			other = other || r != '-' && r != '.'
		}
	}
	return other || lower && upper || len(s) >= 24
}

// isBlob reports whether a text is encoded binary data, such as an image. Such texts are long, and match
// patterns by chance.
func isBlob(text string) bool {
	return len(text) >= 4096 && !strings.ContainsFunc(text, func(c rune) bool {
		return (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') && c != '+' && c != '/' && c != '='
	})
}
