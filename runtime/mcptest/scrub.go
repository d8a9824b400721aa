package mcptest

// This file removes secrets from recordings. Equal secrets get equal placeholders, so that a recorded run
// remains meaningful. A placeholder is a number and reveals nothing about its secret.

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/mcpgen/mcpgen/runtime/mask"
)

// placeholder matches the replacement of a secret. Its characters are safe in URLs.
var placeholder = regexp.MustCompile(`~scrubbed-([1-9][0-9]{0,8})~`)

// learnable is the minimum length of a detected secret that is also searched for elsewhere.
const learnable = 8

// maxLearned bounds the values that are searched for everywhere.
const maxLearned = 8192

// scrubber replaces secrets by placeholders.
type scrubber struct {
	known   []string       // values to hide, longest first
	learned mask.Set       // secrets of hosts
	numbers map[string]int // numbers of placeholders, by secret
}

// newScrubber returns a scrubber for the secrets, and for those in this process's environment.
func newScrubber(secrets []string) *scrubber {
	s := &scrubber{numbers: map[string]int{}}
	for _, secret := range secrets {
		s.learn(secret)
	}
	for _, entry := range os.Environ() {
		if name, value, _ := strings.Cut(entry, "="); isSecretName(name) && len(value) >= learnable {
			s.learn(value)
		}
	}
	return s
}

// learn adds a value with the forms it has inside other texts. If many values are known already, these
// are only the escapes of URLs.
func (s *scrubber) learn(secret string) {
	forms := []string{secret, url.QueryEscape(secret), url.PathEscape(secret)}
	if len(s.known) < maxLearned/2 {
		forms = append(forms, credentials.Spellings(secret)...)
	}
	for _, form := range forms {
		if form != "" && len(s.known) < maxLearned && !slices.Contains(s.known, form) {
			s.known = append(s.known, form)
		}
	}
	slices.SortFunc(s.known, func(a, b string) int { return len(b) - len(a) })
}

// hide returns the placeholder of a secret.
func (s *scrubber) hide(secret string) string {
	n := s.numbers[secret]
	if n == 0 {
		n = len(s.numbers) + 1
		s.numbers[secret] = n
	}
	return fmt.Sprintf("~scrubbed-%d~", n)
}

// secret hides a whole value that has a secret name.
func (s *scrubber) secret(value string) string {
	if value == "" {
		return ""
	}
	if len(value) >= learnable {
		s.learn(value)
	}
	return s.hide(value)
}

// text hides the secrets in a text. Text that looks like a placeholder, perhaps of another recording, is
// hidden too.
func (s *scrubber) text(text string) string {
	found := findSecrets(text)
	for _, f := range found {
		if f.learn && f.to-f.from >= learnable {
			s.learn(text[f.from:f.to])
		}
	}
	for _, m := range placeholder.FindAllStringIndex(text, -1) {
		found = append(found, span{from: m[0], to: m[1]})
	}
	return s.replace(text, append(found, s.findKnown(text)...))
}

func (s *scrubber) findKnown(text string) []span {
	var found []span
	for _, secret := range slices.Concat(s.known, s.learned.Texts()) {
		for from := 0; ; {
			i := strings.Index(text[from:], secret)
			if i < 0 {
				break
			}
			found = append(found, span{from: from + i, to: from + i + len(secret)})
			from += i + len(secret)
		}
	}
	return found
}

// replace replaces the spans by placeholders; spans that overlap or touch become one.
func (s *scrubber) replace(text string, spans []span) string {
	if len(spans) == 0 {
		return text
	}
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	var b strings.Builder
	end := 0
	for i := 0; i < len(spans); {
		from, to := spans[i].from, spans[i].to
		for i++; i < len(spans) && spans[i].from <= to; i++ {
			to = max(to, spans[i].to)
		}
		b.WriteString(text[end:from])
		b.WriteString(s.hide(text[from:to]))
		end = to
	}
	b.WriteString(text[end:])
	return b.String()
}

// json hides the secrets in a JSON value. It returns false if the value is nested too deep.
func (s *scrubber) json(raw json.RawMessage) (json.RawMessage, bool) {
	return rewrite(raw, rewriter{
		text: func(name, text string, secret bool) string {
			if secret {
				return s.secret(text)
			}
			return s.text(text)
		},
		name: s.text,
		number: func(name, digits string) string {
			if isSecretNumber(name) {
				return "0"
			}
			return digits
		},
	})
}
