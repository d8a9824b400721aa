package observe

// When the names of an object's members are data. Each rule has to stay true
// when more is joined in; the package comment lists them.

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

const (
	manyObjects = 16  // objects with a member in common
	manyAlike   = 100 // members of one kind
)

// alike reports whether so many members are alike that they must be entries.
func alike(fields map[string]*shape) bool {
	if len(fields) < manyObjects {
		return false
	}
	// An object that is a map, or anything, counts with every common member: it
	// may have been an object that had it.
	wild := 0
	common := map[string]int{}
	var kinds [5]int
	for _, s := range fields {
		for k, is := range [...]bool{s.boolean, s.text, s.number != noNumber, s.array != nil, s.object != nil} {
			if s.any || is {
				kinds[k]++
			}
		}
		switch {
		case s.any || s.object != nil && s.object.fields == nil:
			wild++
		case s.object != nil:
			for name := range s.object.fields {
				common[name]++
			}
		}
	}
	most := wild
	for _, n := range common {
		most = max(most, n+wild)
	}
	return most >= manyObjects || slices.Max(kinds[:]) >= manyAlike
}

var (
	date  = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}([^\pL]|T|$)`)
	uuid  = regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)
	hex   = regexp.MustCompile(`^(0x)?[0-9A-Fa-f]{16,}$`)
	email = regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[^@\s]+$`)
)

// isData reports whether nobody gives a field such a name.
func isData(name string) bool {
	switch {
	case name == "", len(name) > MaxName, strings.Contains(name, "/"):
		return true
	case strings.Contains(name, "@odata."): // an annotation of OData, value@odata.type
		return false
	case strings.ContainsFunc(name, unicode.IsDigit) && !strings.ContainsFunc(name, unicode.IsLetter):
		return true
	}
	return date.MatchString(name) || uuid.MatchString(name) || hex.MatchString(name) || email.MatchString(name)
}
