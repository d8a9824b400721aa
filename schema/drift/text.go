package drift

// This file finds new text anywhere in a definition and applies the rules of text_rules.go. Descriptions are
// not the only text that models read: names, constants, examples and defaults count too.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// The minimum growth of text that counts as a jump.
const (
	jumpFactor = 4
	jumpBytes  = 4000
)

// located is one string of a definition.
type located struct {
	path string // JSON pointer; for a member's name, to the member
	text string
}

// stringsOf returns all strings of a JSON value, including member names, in text order. Invalid JSON has none.
func stringsOf(raw json.RawMessage) []located { return stringsIn("", raw) }

// stringsIn is stringsOf for the value at a path.
func stringsIn(path string, raw json.RawMessage) []located {
	whole, err := jsontext.Whole(raw)
	if err != nil {
		return nil
	}
	return appendStrings(nil, path, whole)
}

// appendStrings appends the strings of a valid value.
func appendStrings(out []located, path string, raw []byte) []located {
	switch raw[0] {
	case '"':
		return append(out, located{path, jsontext.Text(raw)})
	case '{', '[':
		items := jsontext.NewItems(raw)
		for i := 0; items.Next(); i++ {
			at := path + "/" + strconv.Itoa(i)
			if raw[0] == '{' {
				name := string(items.Key())
				at = path + "/" + jsontext.EscapePointer(name)
				out = append(out, located{at, name})
			}
			out = appendStrings(out, at, items.Value)
		}
	}
	return out
}

// longName is the number of characters up to which a string without white space is a name, not a text.
const longName = 48

// NewTexts returns the texts in After that Before lacks, each once: descriptions and titles, and any other string or
// member name with white space or of more than 48 characters. Icons do not count.
func (c *Change) NewTexts() []string {
	known := map[string]bool{}
	for _, l := range stringsOf(c.Before) {
		known[l.text] = true
	}
	var out []string
	for _, l := range stringsOf(c.After) {
		if !known[l.text] && l.isProse() && !strings.HasPrefix(l.path, "/icons/") {
			known[l.text] = true
			out = append(out, l.text)
		}
	}
	return out
}

// isProse reports whether a string is more than a name.
func (l located) isProse() bool {
	key := path.Base(l.path)
	return strings.ContainsFunc(l.text, unicode.IsSpace) || utf8.RuneCountInString(l.text) > longName ||
		l.text != key && (key == "description" || key == "title")
}

// texts examines the strings that are new in after.
func (s *scope) texts(before, after []located) {
	known, was := map[string]bool{}, map[string]string{}
	flags := map[string]bool{} // the boolean members, by pointer
	sizeBefore, sizeAfter := 0, 0
	for _, l := range before {
		known[l.text] = true
		was[l.path] += l.text + "\n"
		sizeBefore += len(l.text)
	}
	var fresh []located
	for _, l := range after {
		sizeAfter += len(l.text)
		if at, ok := strings.CutSuffix(l.path, "/type"); ok && l.text == "boolean" {
			flags[at] = true
		}
		if !known[l.text] {
			known[l.text] = true
			fresh = append(fresh, l)
			s.add(characters(l, was[l.path])...)
			s.add(blob(l, was[l.path])...)
		}
	}
	if len(fresh) > 0 {
		r := read(before, fresh)
		r.server = lower(cmp.Or(s.after, s.before).Server)
		if len(before) == 0 {
			r.tool = lower(strings.Join(wordsOf(apart(s.name)), " "))
			for _, l := range after {
				if parent, last := path.Split(l.path); strings.HasSuffix(parent, "/properties/") && last == l.text {
					r.members += lower(strings.Join(wordsOf(apart(last)), " ")) + "\n"
				}
			}
		}
		for i := range r.parts {
			r.parts[i].flag = flags[path.Dir(r.parts[i].path)]
		}
		s.add(r.encoded()...)
		s.add(r.languages(s.home())...)
		s.add(r.signs(r.hits(s.foreign))...)
	}
	if len(before) > 0 && sizeAfter > jumpFactor*sizeBefore && sizeAfter-sizeBefore > jumpBytes {
		s.add(note{rule: textSizeJump, message: fmt.Sprintf("the text had %d bytes and now has %d", sizeBefore, sizeAfter)})
	}
}

// flagged is the note of a rule about one text.
func flagged(rule *row, l located, message string) note {
	return note{rule: rule, path: l.path, message: message, after: text(l.text)}
}

// characters notes deceptive characters.
func characters(l located, old string) (notes []note) {
	for _, c := range characterRules() {
		found := beyondRunes(c.find(l.text), c.find(old))
		if len(found) == 0 {
			continue
		}
		var names []string
		for _, r := range found[:min(len(found), 5)] {
			names = append(names, fmt.Sprintf("%U", r))
		}
		message := fmt.Sprintf("%s: %s (%d in all)", c.message, strings.Join(names, ", "), len(found))
		notes = append(notes, flagged(c.rule, l, message))
	}
	if word := mixedWord(l.text); word != "" && !strings.Contains(old, word) {
		message := "a word has letters of alphabets that look alike: " + strconv.QuoteToASCII(cut(word))
		notes = append(notes, flagged(textConfusable, l, message))
	}
	return notes
}

// beyondRunes returns the runes that occur in a more often than in b.
func beyondRunes(a, b []rune) []rune {
	left := map[rune]int{}
	for _, r := range b {
		left[r]++
	}
	return slices.DeleteFunc(a, func(r rune) bool {
		left[r]--
		return left[r] >= 0
	})
}
