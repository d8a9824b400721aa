package observe

// This file decides when the names of an object's members are data. Each rule must remain true when more values
// are joined; the package comment lists the rules.

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

const (
	manyObjects = 16  // objects that share a member
	manyAlike   = 100 // members of one kind
)

// alike reports whether so many members are alike that the object must be a map.
func alike(fields map[string]*shape) bool {
	if len(fields) < manyObjects {
		return false
	}
	// A map or an unrestricted value counts for every common member: it may stem from an object with that member.
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

// isData reports whether a name cannot be a field name.
func isData(name string) bool {
	switch {
	case name == "", len(name) > maxName, strings.Contains(name, "/"):
		return true
	case strings.Contains(name, "@odata."): // an OData annotation: value@odata.type
		return false
	case strings.ContainsFunc(name, unicode.IsDigit) && !strings.ContainsFunc(name, unicode.IsLetter):
		return true
	}
	return date.MatchString(name) || uuid.MatchString(name) || hex.MatchString(name) || email.MatchString(name)
}
