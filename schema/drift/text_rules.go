package drift

// This file is what the rules about text look for. Characters may gate, because
// benign changes never have them; a word alone may not, so a phrase that gates
// takes an order together with its object.

import (
	"regexp"
	"slices"
	"strings"
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

// bidi reports overrides, embeddings and isolates, which no plain text needs.
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

// invisible reports characters without a shape: those of format, those that programs
// leave out when they show a text, selectors of variants, and blanks that are not spaces.
func invisible(r rune) bool {
	switch {
	case r < 0x80 || bidi(r):
		return false
	case r == 0x1D159, r == 0x2800: // a musical note without a head, a Braille pattern without dots
		return true
	case r >= 0xE0000 && r <= 0xE0FFF: // tags, more selectors, and what may become such
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// findInvisible passes over what honest text has: joiners and selectors behind a
// symbol or in scripts that need them, marks of direction in text that runs from
// right to left, a soft hyphen here and there, and blanks in Braille.
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
	case 0xFE0E, 0xFE0F: // behind a symbol, or a key cap's digit
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

// joining reports letters of scripts that are written with joiners.
func joining(r rune) bool {
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Han) || unicode.IsMark(r)
}

// mixedWord returns the first word that has Latin letters beside letters of
// another alphabet that look like them; "" if there is none.
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

// plain writes a text as a model reads it: without what is invisible, with
// lookalikes as Latin letters, in lower case, and with single spaces.
func plain(text string) string {
	var b strings.Builder
	space := false
	for _, r := range text {
		switch {
		case invisible(r) || bidi(r):
			continue
		case unicode.IsSpace(r) || unicode.IsControl(r):
			space = true
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		r = unicode.ToLower(r)
		if ascii, ok := lookalike(r); ok {
			r = ascii
		}
		if r == '’' {
			r = '\''
		}
		b.WriteRune(r)
	}
	return b.String()
}

// phraseRule finds phrases in plain text.
type phraseRule struct {
	rule     *row
	message  string
	patterns []pattern
}

// find returns a phrase that old does not have; "" if there is none.
func (r phraseRule) find(text, old string) string {
	for _, p := range r.patterns {
		if m := p.fresh(text, old); m != "" {
			return strings.TrimSpace(m)
		}
	}
	return ""
}

var (
	overridePattern = newPattern(`\b(?:(?:ignore|disregard|forget)\b(?: \S+){0,3}? (?:previous|prior|above|earlier|preceding|all|any|your|other|system|existing)(?: \S+){0,2}? (?:instructions?|prompts?|rules|guidelines|directives|messages|context)\b|(?:override|bypass)\b(?: \S+){0,2}? (?:previous|prior|above|earlier|preceding|your|system)(?: \S+){0,2}? (?:instructions?|prompts?|guidelines|directives)\b)`)
	rolePattern     = newPattern(`<\|(?:im_start|im_end|system|endoftext)\|>|</?(?:system|assistant|important|admin|secret)>|\[/?(?:inst|system)\]|<<sys>>|### ?(?:system|instruction)s? ?:|\bnew system prompt\b`)
	concealPattern  = newPattern(`\b(?:do not|don't|never|must not|should not|without)(?: \S+){0,2}? (?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|notify|notifying|alert|alerting|disclose|disclosing)\b(?: \S+){0,6}? (?:the |to |any |your )?(?:users?|humans?|anyone|operator)\b|\b(?:hide|conceal|keep)(?: \S+){0,4}? (?:secret |hidden )?from (?:the |any |your )?(?:users?|humans?|operator)\b`)
	secretFile      = `(?:\.ssh/|id_rsa\b|id_ed25519\b|\.aws/credentials|/etc/(?:passwd|shadow)\b|\.netrc\b|\.npmrc\b|\.pypirc\b|\.kube/config|\.gnupg\b|\.docker/config\.json|\.git-credentials|\.env\b|\.cursor/mcp\.json|claude_desktop_config|\.bash_history|login keychain|wallet\.dat)`
	secretPattern   = newPattern(`\b(?:read|cat|open|load|include|send|pass|paste|upload|copy|fetch|attach|provide|contents? of)\b[^.!?]{0,80}?` + secretFile + `|` + secretFile + `[^.!?]{0,60}?\b(?:and (?:send|pass|include|paste|upload|post|attach))\b`)
	sendPattern     = newPattern(`\b(?:send|post|upload|forward|submit|transmit|exfiltrate|leak|deliver|report)\b[^!?]{0,100}?https?://([a-z0-9.-]+)`)
	hostPattern     = regexp.MustCompile(`https?://([a-z0-9.-]+)`)
	weakPattern     = newPattern(`\b(?:jailbreak|developer mode|system prompt|secretly|silently|without asking|without permission|do not ask|regardless of|at all costs|before (?:using|calling) any other tool)\b|<important`)
	wordsPattern    = newPattern(`\b(?:api[ _-]?keys?|passwords?|passphrase|private keys?|access tokens?|secret keys?|seed phrase|credentials)\b`)
	orderPattern    = regexp.MustCompile(`\b(?:must|never|always|instead|do not|don't)\b`)
	blobPattern     = regexp.MustCompile(`[A-Za-z0-9+/_-]{160,}={0,2}|(?:\\x[0-9a-fA-F]{2}){24,}|(?:%[0-9a-fA-F]{2}){40,}`)
)

func phraseRules() []phraseRule {
	return []phraseRule{
		{textInjection, "gives orders to the model", []pattern{overridePattern, rolePattern, concealPattern}},
		{textSecretPath, "asks for a file that holds secrets", []pattern{secretPattern}},
		{textWeakWords, "has words that injected instructions often have", []pattern{weakPattern}},
		{textSecretWords, "names secrets", []pattern{wordsPattern}},
	}
}

// newHost looks for an order to send something to a host that was not named.
func (s *scope) newHost(l located, text string, before []located) {
	if !sendPattern.possible(text) {
		return
	}
	sends := sendPattern.FindAllStringSubmatch(text, maxMatches)
	if sends == nil {
		return
	}
	named := map[string]bool{}
	for _, b := range before {
		for _, old := range hostPattern.FindAllStringSubmatch(plain(b.text), -1) {
			named[old[1]] = true
		}
	}
	for _, m := range sends {
		if !named[m[1]] {
			s.flag(textExfiltrationURL, l, "asks to send something to the new host "+quote(m[1]), "")
			return
		}
	}
}

// nearby is how far from a tool's name an order counts as one about it.
const nearby = 60

// crossTool looks for orders about other tools. Servers often say which of their
// own tools to use instead, so that is a warning; about a tool of another server
// it gates.
func (s *scope) crossTool(l located, text, old string) {
	if name := s.orderedTool(text, old, s.foreign); name != "" {
		s.flag(textCrossTool, l, "gives orders about "+quote(name)+", a tool of another server", "")
		return
	}
	if name := s.orderedTool(text, old, s.names); name != "" {
		s.flag(textCrossTool, l, "gives orders about the tool "+quote(name), Warning)
	}
}

// orderedTool returns the first name beside which an order stands.
func (s *scope) orderedTool(text, old string, names map[string]string) string {
	for start := 0; start < len(text) && len(names) > 0; {
		if !wordByte(text[start]) {
			start++
			continue
		}
		end := start
		for end < len(text) && wordByte(text[end]) {
			end++
		}
		word := strings.TrimRight(text[start:end], ".-/")
		name, ok := names[word]
		if ok && name != s.name && !strings.Contains(old, word) &&
			orderPattern.MatchString(text[max(0, start-nearby):min(len(text), end+nearby)]) {
			return name
		}
		start = end
	}
	return ""
}

// nameSet indexes the names that a text may speak of. One word in lower case may
// be any word of the language.
func nameSet(names []string) map[string]string {
	set := map[string]string{}
	for _, name := range names {
		low := strings.ToLower(name)
		if len(low) >= 5 && (strings.ContainsAny(name, "_-./") || low != name) && set[low] == "" {
			set[low] = name
		}
	}
	return set
}

func wordByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c == '/' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// blob looks for a part that only a program reads. Icons are such parts.
func (s *scope) blob(l located, old string) {
	if strings.HasPrefix(l.path, "/icons") || strings.HasPrefix(l.text, "data:image/") {
		return
	}
	m := blobPattern.FindString(l.text)
	if m == "" || strings.Contains(old, m) || !varied(m) {
		return
	}
	s.flag(textEncodedBlob, l, "has an encoded part: "+quote(m), "")
}

// varied reports whether a text has the letters and digits of an encoded one.
func varied(text string) bool {
	return strings.ContainsAny(text, "0123456789") && slices.ContainsFunc([]rune(text), unicode.IsLetter)
}
