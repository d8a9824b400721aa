// Package glob matches names of servers and items, in which a slash is a character like
// any other, against patterns of users.
package glob

import (
	"path"
	"strings"
)

// noSlash puts a character in the place of slashes that [path.Match] does not stop at,
// and that no name has.
var noSlash = strings.NewReplacer("/", "\x00")

// Match reports whether a pattern of [path.Match] takes a whole name, where * and ? take
// slashes, too. A pattern that [Check] does not allow takes none. The time is bounded by
// the product of the two lengths, since no * is tried again once the text behind it was
// found.
func Match(pattern, name string) bool {
	ok, err := path.Match(noSlash.Replace(pattern), noSlash.Replace(name))
	return ok && err == nil
}

// Check returns [path.ErrBadPattern] for what is not a pattern.
func Check(pattern string) error {
	_, err := path.Match(noSlash.Replace(pattern), "")
	return err
}
