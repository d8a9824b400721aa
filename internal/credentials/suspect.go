package credentials

// This file finds what looks like a credential in the texts of a server. Many files hold tokens verbatim,
// under any name and inside other texts.

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// assigned matches a secret in a text such as a connection string.
var assigned = regexp.MustCompile(`(?i)\b(?:password|passwd|pwd|secret|token|api[_-]?key)\s?[=:]\s?([^\s;,&'"<>|]{4,})`)

// urlText matches a URL inside a text.
var urlText = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s'"<>]+`)

// scheme matches a header value with a scheme before the credential.
var scheme = regexp.MustCompile(`(?i)^(?:bearer|basic|token|apikey|digest)[\s:]+(\S.*)$`)

// maxSearched bounds the searched part of a text, in bytes.
const maxSearched = 64 << 10

// Tokens returns the parts of a text that look like credentials by themselves: tokens of well-known
// services, and values after password= and similar names. Only the first 64 KiB are searched.
func Tokens(text string) []string {
	text = text[:min(len(text), maxSearched)]
	var found []string
	for _, at := range TokensAt(text) {
		found = append(found, text[at[0]:at[1]])
	}
	for _, m := range assigned.FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	return found
}

// Credentials returns the [Tokens] of a text and the credentials of its URLs: passwords, parameters with
// secret names, and parts of the path and parameters that satisfy [LooksRandom]. They are returned as
// written and, if they contain escapes of URLs, also unescaped; sorted, each once.
func Credentials(text string) []string {
	found := Tokens(text)
	for _, u := range urlText.FindAllString(text[:min(len(text), maxSearched)], -1) {
		for _, part := range inURL(u) {
			found = append(found, part)
			if plain, err := url.PathUnescape(part); err == nil && plain != part {
				found = append(found, plain)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// inURL returns the credentials of a URL, even if the URL cannot be parsed.
func inURL(text string) []string {
	_, rest, _ := strings.Cut(text, "://")
	rest, _, _ = strings.Cut(rest, "#")
	place, query, _ := strings.Cut(rest, "?")
	authority, path, _ := strings.Cut(place, "/")
	var found []string
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		user, password, has := strings.Cut(authority[:at], ":")
		if has {
			found = append(found, password)
		} else if IsCredential(user) {
			found = append(found, user)
		}
	}
	for part := range strings.SplitSeq(path, "/") {
		if LooksRandom(part) {
			found = append(found, part)
		}
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if NamesSecret(name) || LooksRandom(value) {
			found = append(found, value)
		}
	}
	return found
}

// ArgCredentials returns the credentials of a command line: the values of flags with secret names, and
// credentials inside the arguments.
func ArgCredentials(args []string) []string {
	var found []string
	for i, arg := range args {
		found = append(found, Credentials(arg)...)
		flag := strings.HasPrefix(arg, "-")
		name, value, pair := strings.Cut(arg, "=")
		header, content, isHeader := strings.Cut(arg, ":")
		switch {
		case pair && NamesSecret(strings.TrimLeft(name, "-")):
			found = append(found, WithoutScheme(value)...)
		case isHeader && NamesSecret(header) && !strings.HasPrefix(content, "//"):
			found = append(found, WithoutScheme(strings.TrimSpace(content))...)
		case !flag && i > 0 && isFlag(args[i-1]) && NamesSecret(strings.TrimLeft(args[i-1], "-")):
			found = append(found, WithoutScheme(arg)...)
		}
	}
	return found
}

// isFlag reports whether arg is a flag whose value is the next argument.
func isFlag(arg string) bool { return strings.HasPrefix(arg, "-") && !strings.Contains(arg, "=") }

// WithoutScheme returns a value, and also the part after Bearer or a similar scheme.
func WithoutScheme(value string) []string {
	if m := scheme.FindStringSubmatch(value); m != nil {
		return []string{value, m[1]}
	}
	return []string{value}
}

// LooksRandom reports whether a text looks like a random key: twenty bytes or more, only letters, digits,
// -, _, = and %, with at least three letters and three digits.
func LooksRandom(text string) bool {
	letters, digits := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			digits++
		case r < unicode.MaxASCII && unicode.IsLetter(r):
			letters++
		case r != '-' && r != '_' && r != '=' && r != '%':
			return false
		}
	}
	return len(text) >= 20 && digits >= 3 && letters >= 3
}

// IsCredential distinguishes a credential from a word: SORT_KEY may be created_at.
func IsCredential(v string) bool {
	return len(v) >= shortestPart && strings.ContainsAny(v, "0123456789") && strings.ContainsFunc(v, unicode.IsLetter)
}

// IsUUID reports whether a value is a UUID, which is more often a name than a key.
func IsUUID(v string) bool { return uuid.MatchString(v) }

var uuid = regexp.MustCompile(`^(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
