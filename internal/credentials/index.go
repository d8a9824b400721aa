package credentials

// This file masks many secrets at once, also the parts of secrets that remain where a text was cut.

import (
	"slices"
	"strings"
)

// cutMark marks a cut: see package safetext.
const cutMark = "…"

// Index is a collection of texts to mask. Unlike a [strings.Replacer], it can change. The zero value is
// empty.
type Index struct {
	uses         map[string]int            // how often a text was added
	begins, ends map[[Shortest]byte]bucket // by their first and last bytes
}

// bucket holds texts, the longest first.
type bucket []string

func compareLength(a string, n int) int { return n - len(a) }

// Add adds texts. It ignores very short ones.
func (x *Index) Add(texts ...string) {
	if x.uses == nil {
		x.uses, x.begins, x.ends = map[string]int{}, map[[Shortest]byte]bucket{}, map[[Shortest]byte]bucket{}
	}
	for _, text := range texts {
		if len(text) < Shortest {
			continue
		}
		if x.uses[text]++; x.uses[text] > 1 {
			continue
		}
		for m, key := range x.keys(text) {
			at, _ := slices.BinarySearchFunc(m[key], len(text), compareLength)
			m[key] = slices.Insert(m[key], at, text)
		}
	}
}

// Remove removes texts that were added.
func (x *Index) Remove(texts ...string) {
	for _, text := range texts {
		if x.uses[text] == 0 {
			continue
		}
		if x.uses[text]--; x.uses[text] > 0 {
			continue
		}
		delete(x.uses, text)
		for m, key := range x.keys(text) {
			if m[key] = slices.DeleteFunc(m[key], func(s string) bool { return s == text }); len(m[key]) == 0 {
				delete(m, key)
			}
		}
	}
}

// keys yields the two maps with the keys of a text.
func (x *Index) keys(text string) func(yield func(map[[Shortest]byte]bucket, [Shortest]byte) bool) {
	return func(yield func(map[[Shortest]byte]bucket, [Shortest]byte) bool) {
		_ = yield(x.begins, [Shortest]byte([]byte(text[:Shortest]))) && yield(x.ends, [Shortest]byte([]byte(text[len(text)-Shortest:])))
	}
}

// Mask replaces the texts in s by [Masked], the longest first, and the parts of texts at cuts of s.
func (x *Index) Mask(s string) string {
	if len(x.uses) == 0 {
		return s
	}
	var b strings.Builder
	last := 0
	for i := 0; i+Shortest <= len(s); i++ {
		for _, text := range x.begins[[Shortest]byte([]byte(s[i:i+Shortest]))] {
			if strings.HasPrefix(s[i:], text) {
				b.WriteString(s[last:i])
				b.WriteString(Masked)
				last = i + len(text)
				i = last - 1
				break
			}
		}
	}
	if last > 0 {
		b.WriteString(s[last:])
		s = b.String()
	}
	if !strings.Contains(s, cutMark) {
		return s
	}
	pieces := strings.Split(s, cutMark)
	for i := range pieces {
		if i > 0 {
			pieces[i] = x.maskStart(pieces[i])
		}
		if i < len(pieces)-1 {
			pieces[i] = x.maskEnd(pieces[i])
		}
	}
	return strings.Join(pieces, cutMark)
}

// maskStart replaces the end of a text at the start of a piece.
func (x *Index) maskStart(piece string) string {
	for n := len(piece); n >= Shortest; n-- {
		for _, text := range x.ends[[Shortest]byte([]byte(piece[n-Shortest:n]))] {
			if len(text) < n {
				break
			}
			if strings.HasSuffix(text, piece[:n]) {
				return Masked + piece[n:]
			}
		}
	}
	return piece
}

// maskEnd replaces the beginning of a text at the end of a piece.
func (x *Index) maskEnd(piece string) string {
	for at := 0; at+Shortest <= len(piece); at++ {
		for _, text := range x.begins[[Shortest]byte([]byte(piece[at:at+Shortest]))] {
			if len(text) < len(piece)-at {
				break
			}
			if strings.HasPrefix(text, piece[at:]) {
				return piece[:at] + Masked
			}
		}
	}
	return piece
}
