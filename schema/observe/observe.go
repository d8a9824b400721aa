// Package observe derives a JSON Schema from example values: the shape of a tool's results, for tools that
// declare no result schema.
//
// A shape contains kinds and member names, never values: no enum, const, default, example or bound. No member
// is required and objects are open, so a value with fewer or more members still fits. Shapes only grow. The
// order and the number of merges of a value do not matter.
//
// A shape is a schema of draft 2020-12 in canonical form that uses type, properties, additionalProperties,
// items, anyOf and format. The empty schema is the shape of any value, and of numbers that no single Go type
// holds exactly.
//
// # Maps
//
// The members of an object are listed by name until the names prove to be data. The object then becomes a map:
// one shape for all members, without names. Names are data if
//
//   - a name cannot be a field name: it is empty, longer than 64 bytes, contains a
//     slash, is a number, date, version, address or similar (digits without a letter,
//     or a leading date), a UUID, 16 or more hexadecimal digits, or an e-mail address;
//   - 16 members are objects that share a member;
//   - 100 members are of one kind;
//   - there are more than 256.
//
// A rule that has become true remains true after every merge, so the order of values does not matter.
package observe

import (
	"encoding/json"
	"fmt"

	"github.com/mcpgen/mcpgen/schema"
)

// The limits of a shape. Values deeper than maxDepth have the empty schema, an object with more than
// maxProperties members becomes a map, and a shape with more than maxMembers members is an error.
const (
	maxDepth      = 32     // nested objects and arrays
	maxProperties = 256    // members of one object
	maxMembers    = 10_000 // members of all objects of a shape
	maxName       = 64     // bytes of a member's name
)

// Merge returns the shape of the values of before and of value. An empty or nil before is the shape of no
// values.
//
// The error is a [*schema.Error] if before is not a shape of this package, and another error if value is not
// one JSON value or the shape exceeds 10,000 members.
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

// finish returns a shape as a schema, or nil if nothing was observed.
func finish(s *shape) (json.RawMessage, error) {
	if s == nil {
		return nil, nil
	}
	if n := s.members(); n > maxMembers {
		return nil, fmt.Errorf("the shape has %d members, more than the %d that can be observed", n, maxMembers)
	}
	text, err := json.Marshal(s.schema())
	if err != nil {
		return nil, err
	}
	return schema.Canonical(text)
}
