package mcptest

// This file knows what looks like a secret. It is meant to find too much rather
// than too little: a placeholder in a recording costs nothing but beauty.

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// isSecretName says whether the value of a member, header, variable or parameter of
// that name is secret. A member that is named key alone is the name of a thing.
func isSecretName(name string) bool {
	return name != "key" && name != "keys" && endpoint.NamesSecret(name)
}

// isSecretNumber says so of numbers, which as a "token" are far more often
// counts.
func isSecretNumber(name string) bool {
	plain := strings.ToLower(name)
	return isSecretName(name) && !strings.Contains(plain, "token") && !strings.Contains(plain, "key")
}

// shape is a pattern of secrets in text: all of it, or its first group.
type shape struct {
	pattern *regexp.Regexp
	// random wants something that is not a plain word.
	random bool
	// learn says that there is no doubt: the value is secret wherever it stands.
	learn bool
}

var shapes = []shape{
	// credentials in a URL: the password of two parts, else the whole
	{pattern: regexp.MustCompile(`://[^\s/?#:"'<>]*:([^\s/?#"'<>]+)@`), learn: true},
	{pattern: regexp.MustCompile(`://([^\s/?#:@"'<>]+)@`)},
	{pattern: regexp.MustCompile(`(?i)\b(?:bearer|basic|digest|token)\s+([A-Za-z0-9._~+/=-]{8,})`), random: true},
	{pattern: regexp.MustCompile(`[?&](?:key|code|sig)=([^&#\s"'<>]+)`)},
}

// assignment is a name with a value in text: token=x, "password": "x",
// --api-key x is not one.
var assignment = regexp.MustCompile(`([A-Za-z][A-Za-z0-9_.-]*)\\?["']?\s*[=:]\s*(?:\\?"([^"\\\n]+)|'([^'\n]+)|([^\s"'&,;)}\]<>\\]+))`)

// span is a part of a text.
type span struct {
	from, to int
	learn    bool
}

// findSecrets finds what looks like a secret in a text.
func findSecrets(text string) []span {
	if isBlob(text) {
		return nil
	}
	var found []span
	for _, at := range endpoint.TokensAt(text) {
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
	// A value may hold the next name: url: https://host/?token=x.
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

// looksRandom reports whether a text does not look like a word of a language.
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

// isBlob says that a text is encoded bytes, an image for instance: those are
// long, and hold by chance what looks like something.
func isBlob(text string) bool {
	return len(text) >= 4096 && !strings.ContainsFunc(text, func(c rune) bool {
		return (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') && c != '+' && c != '/' && c != '='
	})
}
