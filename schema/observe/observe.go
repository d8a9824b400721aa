// Package observe makes a JSON Schema from example values: the shape of what a
// tool returned, for tools that declare no result schema.
//
// A shape holds kinds and names of members, never a value: no enum, const,
// default, example or bound. No member is required and objects are open, so that
// a value which lacks something, or has more, still fits. Shapes grow and never
// shrink. In which order values are merged, and how often, makes no difference.
//
// A shape is a schema of draft 2020-12 in canonical form that uses type,
// properties, additionalProperties, items, anyOf and format. The empty schema is
// the shape of anything; also of numbers that no single Go type holds exactly.
//
// # Maps
//
// The members of an object are listed by name until it shows that the names are
// data. From then on the object is a map: one shape for all members, no name
// kept. It shows when
//
//   - a name is not one that somebody gave to a field: it is empty, longer than
//     [MaxName], has a slash, is a number, date, version, address or the like
//     (digits without a letter, or a date in front), a UUID, 16 or more
//     hexadecimal digits, or an e-mail address;
//   - 16 members are objects with a member in common;
//   - 100 members are of one kind;
//   - there are more than [MaxProperties].
//
// A rule that has come true stays true whatever is merged, which is what makes
// the order of values irrelevant.
package observe

import (
	"encoding/json"
	"fmt"

	"github.com/mcpgen/mcpgen/schema"
)

// The bounds of a shape. What lies deeper than MaxDepth is anything, and an
// object with more than MaxProperties members is a map; a shape of more than
// MaxMembers members is an error.
const (
	MaxDepth      = 32     // objects and arrays in each other
	MaxProperties = 256    // members of one object
	MaxMembers    = 10_000 // members of all objects of a shape
	MaxName       = 64     // bytes of a member's name
)

// Merge returns the shape of everything that fitted before and of value. An empty
// shape, nil too, is that of nothing yet.
//
// The error is a [*schema.Error] if shape is not one that this package writes; it
// is another one if value is not one JSON value, or if the shape gets larger than
// [MaxMembers].
func Merge(before, value json.RawMessage) (json.RawMessage, error) {
	s, err := parse(before)
	if err != nil {
		return nil, err
	}
	v, err := read(value)
	if err != nil {
		return nil, err
	}
	return finish(join(s, v))
}

// finish writes a shape as a schema; nil if nothing was observed.
func finish(s *shape) (json.RawMessage, error) {
	if s == nil {
		return nil, nil
	}
	if n := s.members(); n > MaxMembers {
		return nil, fmt.Errorf("the shape has %d members, more than the %d that can be observed", n, MaxMembers)
	}
	text, err := json.Marshal(s.schema())
	if err != nil {
		return nil, err
	}
	return schema.Canonical(text)
}
