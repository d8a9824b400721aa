package tree

import (
	"fmt"
	"strings"
)

// maxName bounds the names of items, in bytes; URIs may be 16 times as long.
const maxName = 256

// ItemName returns the name of a definition of the given kind, read from the given member.
func ItemName(v *Value, kind, member string) (string, *Error) {
	if v.Kind != Object {
		return "", &Error{Reason: fmt.Sprintf("the %s is %v, not an object", kind, v.Kind), Offset: int(v.Pos)}
	}
	longest := maxName
	if member != "name" {
		longest *= 16
	}
	n := v.Get(member)
	switch {
	case n == nil:
		return "", &Error{Reason: fmt.Sprintf("the %s has no %q", kind, member), Offset: int(v.Pos)}
	case n.Kind != String:
		return "", &Error{Pointer: "/" + member, Reason: fmt.Sprintf("must be a string, is %v", n.Kind), Offset: int(n.Pos)}
	case n.Text == "":
		return "", &Error{Pointer: "/" + member, Reason: "must not be empty", Offset: int(n.Pos)}
	case len(n.Text) > longest:
		return "", &Error{Pointer: "/" + member, Reason: fmt.Sprintf("is longer than %d bytes", longest), Offset: int(n.Pos)}
	case HasSurrogate(n.Text):
		return "", &Error{Pointer: "/" + member, Reason: "holds half of a surrogate pair", Offset: int(n.Pos)}
	}
	// A copy, because the name would otherwise keep the whole parsed text in memory.
	return strings.Clone(n.Text), nil
}
