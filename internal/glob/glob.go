// Package glob matches names of servers and items against patterns of users. A slash is an ordinary
// character in these names.
package glob

import (
	"path"
	"slices"
	"strings"
)

// noSlash replaces slashes, at which [path.Match] would stop, by a character that no name contains.
var noSlash = strings.NewReplacer("/", "\x00")

// Match reports whether a pattern of [path.Match] matches a whole name; here * and ? also match slashes.
// A pattern that [Check] rejects matches nothing. The time is bounded by the product of the two lengths,
// since a * is not retried once the text after it was found.
func Match(pattern, name string) bool {
	ok, err := path.Match(noSlash.Replace(pattern), noSlash.Replace(name))
	return ok && err == nil
}

// Check returns [path.ErrBadPattern] if the pattern is malformed.
func Check(pattern string) error {
	_, err := path.Match(noSlash.Replace(pattern), "")
	return err
}

// Selects reports whether include selects a name and exclude does not. An empty include selects all names.
func Selects(include, exclude []string, name string) bool {
	matches := func(pattern string) bool { return Match(pattern, name) }
	return (len(include) == 0 || slices.ContainsFunc(include, matches)) && !slices.ContainsFunc(exclude, matches)
}
