package decide

// Names of several places in one: the words that they share.

import (
	"cmp"
	"slices"
	"strings"
)

// common returns the words that different names of members share: Tier for maxTier and
// minTier, SaveDataExecution for saveDataErrorExecution and saveDataSuccessExecution; "" if
// their ends differ. A vague word gets the subject of its tool in front.
func (s *shape) common() string {
	if !s.variouslyNamed() {
		return ""
	}
	var parts []string
	for _, d := range s.occurrences {
		parts = append(parts, d.lastPart())
	}
	name := cmp.Or(sharedWords(parts), oneOfOwner(s.owner()))
	switch {
	case name == "" || generic(name):
		return ""
	case vague(name) && s.tools() == 1:
		it := s.occurrences[0].side.it
		name = withoutPackage(it.pkg, overlap(subject(it.goName()), name))
	}
	return shorten(capital(name))
}

// owner returns the name of the member, or the singular of the list, that all places are in; ""
// if there are several.
func (s *shape) owner() string {
	owner := ""
	for _, d := range s.occurrences {
		p := d.position()
		if len(p.parts) < 2 || p.mixed || owner != "" && owner != p.parts[len(p.parts)-2] {
			return ""
		}
		owner = p.parts[len(p.parts)-2]
	}
	return owner
}

// oneOfOwner returns the singular of the name of an owner, of notifications a Notification; "" if
// it has none or is a vague word.
func oneOfOwner(owner string) string {
	if one := singular(owner); one != owner && !vague(owner) && !generic(one) {
		return one
	}
	return ""
}

// sharedWords returns the words that all names begin and end with, "" if their ends differ.
func sharedWords(names []string) string {
	first := splitCase([]rune(names[0]))
	front, back := len(first), len(first)
	for _, name := range names[1:] {
		if other := splitCase([]rune(name)); !slices.Equal(first, other) {
			begin, end := alike(first, other)
			back = min(back, end)
			front = min(front, begin, len(first)-back, len(other)-back)
		}
	}
	if back == 0 {
		return ""
	}
	return strings.Join(append(slices.Clone(first[:front]), first[len(first)-back:]...), "")
}

// frontWords returns the words that all names begin with.
func frontWords(names []string) string {
	words := splitCase([]rune(names[0]))
	for _, name := range names[1:] {
		n, _ := alike(words, splitCase([]rune(name)))
		words = words[:n]
	}
	return strings.Join(words, "")
}

// backWords returns the words that all names end with.
func backWords(names []string) string {
	words := splitCase([]rune(names[0]))
	for _, name := range names[1:] {
		_, n := alike(words, splitCase([]rune(name)))
		words = words[len(words)-n:]
	}
	return strings.Join(words, "")
}

// alike counts the words at the beginning of both lists, and at the end of both.
func alike(x, y []string) (front, back int) {
	most := min(len(x), len(y))
	for front < most && x[front] == y[front] {
		front++
	}
	for back < most && x[len(x)-1-back] == y[len(y)-1-back] {
		back++
	}
	return front, back
}
