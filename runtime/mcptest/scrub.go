package mcptest

// This file takes secrets out of recordings. Equal secrets get equal
// placeholders, so that a recorded run still makes sense, and nothing can be
// computed back from a placeholder: it is a number.

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/mask"
)

// placeholder is what stands for a secret. Its characters are safe in URLs.
var placeholder = regexp.MustCompile(`~scrubbed-([1-9][0-9]{0,8})~`)

// learnable is the shortest value that is looked for elsewhere once it was found
// in the place of a secret.
const learnable = 8

// maxLearned bounds the values that are looked for everywhere.
const maxLearned = 8192

// scrubber replaces secrets by placeholders.
type scrubber struct {
	known   []string       // longest first
	mask    *mask.Set      // may be nil
	learned mask.Set       // of hosts
	numbers map[string]int // of placeholders, by secret
}

// newScrubber knows the secrets, those of the mask, and those in the environment
// of this process. Given may be nil.
func newScrubber(secrets []string, given *mask.Set) *scrubber {
	s := &scrubber{numbers: map[string]int{}, mask: given}
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

// learn makes a value known, also as what it becomes inside of other texts. Where
// very many are known by now, those are the escapes of URLs alone.
func (s *scrubber) learn(secret string) {
	forms := []string{secret, url.QueryEscape(secret), url.PathEscape(secret)}
	if len(s.known) < maxLearned/2 {
		forms = append(forms, endpoint.Spellings(secret)...)
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

// secret hides a whole value that stands in the place of a secret.
func (s *scrubber) secret(value string) string {
	if value == "" {
		return ""
	}
	if len(value) >= learnable {
		s.learn(value)
	}
	return s.hide(value)
}

// text hides the secrets in a text. What looks like a placeholder is hidden too:
// it is one of another recording.
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
	for _, secret := range slices.Concat(s.known, s.mask.Texts(), s.learned.Texts()) {
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

// replace hides the spans, as one where they overlap or touch.
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

// json hides the secrets in a JSON value. It reports false if that is nested too
// deep.
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
