package drift

// This file finds text that is new in a definition, wherever it stands, and lets
// the rules of text_rules.go look at it. Descriptions are not the only text that
// a model reads: names, constants, examples and defaults are too.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// How much text has to come for a jump.
const (
	jumpFactor = 4
	jumpBytes  = 4000
)

// located is one string of a definition.
type located struct {
	path string // JSON pointer; of a member's name, to the member
	text string
}

// stringsOf returns all strings of a JSON value, members' names included, in the
// order of the text. What is not JSON has none.
func stringsOf(raw json.RawMessage) []located {
	if raw == nil {
		return nil
	}
	r := &stringReader{d: json.NewDecoder(bytes.NewReader(raw))}
	r.d.UseNumber()
	r.value("", 0)
	return r.out
}

// maxStringDepth bounds the nesting that is looked into; deeper definitions are
// refused before.
const maxStringDepth = 600

type stringReader struct {
	d   *json.Decoder
	out []located
}

// value reads one value; false at the end of what can be read.
func (r *stringReader) value(path string, depth int) bool {
	token, err := r.d.Token()
	if err != nil || depth > maxStringDepth {
		return false
	}
	switch t := token.(type) {
	case string:
		r.out = append(r.out, located{path, t})
	case json.Delim:
		for i := 0; r.d.More(); i++ {
			part := strconv.Itoa(i)
			if t == '{' {
				token, err := r.d.Token()
				name, ok := token.(string)
				if err != nil || !ok {
					return false
				}
				part = jsontext.EscapePointer(name)
				r.out = append(r.out, located{path + "/" + part, name})
			}
			if !r.value(path+"/"+part, depth+1) {
				return false
			}
		}
		_, err := r.d.Token()
		return err == nil
	}
	return true
}

// texts looks at what is new from before to after.
func (s *scope) texts(before, after []located) {
	known, was := map[string]bool{}, map[string]string{}
	flags := map[string]bool{}
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
			s.characters(l, was[l.path])
			s.blob(l, was[l.path])
		}
	}
	if len(fresh) > 0 {
		s.signs(before, fresh, flags)
	}
	if len(before) > 0 && sizeAfter > jumpFactor*sizeBefore && sizeAfter-sizeBefore > jumpBytes {
		s.add(note{rule: textSizeJump, message: fmt.Sprintf("there were %d bytes of text and are %d", sizeBefore, sizeAfter)})
	}
}

func (s *scope) flag(rule *row, l located, message string) {
	s.add(note{rule: rule, path: l.path, message: message, after: text(l.text)})
}

// characters looks for characters that are not what they seem.
func (s *scope) characters(l located, old string) {
	for _, c := range characterRules() {
		found := beyondRunes(c.find(l.text), c.find(old))
		if len(found) == 0 {
			continue
		}
		var names []string
		for _, r := range found[:min(len(found), 5)] {
			names = append(names, fmt.Sprintf("%U", r))
		}
		s.flag(c.rule, l, fmt.Sprintf("%s: %s (%d in all)", c.message, strings.Join(names, ", "), len(found)))
	}
	if word := mixedWord(l.text); word != "" && !strings.Contains(old, word) {
		s.flag(textConfusable, l, "a word has letters of alphabets that look alike: "+strconv.QuoteToASCII(cut(word)))
	}
}

// beyondRunes returns the runes of a that b does not have as often.
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
