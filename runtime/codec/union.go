package codec

// This file finds the variant of a union that a value is of.

import (
	"cmp"
	"errors"
	"reflect"
	"slices"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// Variant is one type of a union and what tells its values from the others'.
// Variants cannot be compared, which spares programs the code for it.
type Variant struct {
	_ [0]func()
	// As is the zero value of the Go type.
	As any
	// Kind is the JSON type of its values: object, array, string, number, integer
	// or boolean. A value such as 1.0 is an integer and a number.
	Kind string
	// Tag is a member whose value tells, and Value the JSON constant that tells of
	// this variant. "" is none. A variant of several constants stands there for
	// each of them.
	Tag, Value string
	// Key is a required member that only this variant has. "" is none.
	Key string
}

// DecodeUnion decodes data into the variant that it is a value of, and returns
// that. It is what the decode functions of generated unions are: see [UnionOf].
// Other is the zero value of the type that keeps a value of no variant as it
// stands: its UnmarshalJSON method must take every value.
//
// It has no type parameter on purpose: the compiler would translate it, and all of
// reflect that it reaches, for each union anew.
//
// Variants of another kind are out of the question, and those with another value
// of their tag. The value of a tag decides, else the presence of a key. What is
// left is tried in the order given, those first that know most of an object's
// members. A variant holds the value if it decodes and loses nothing; an object of
// the only variant that is left may lose members. Null is nil.
//
// A value that names its variant, but does not decode into it, matches no variant:
// it is kept whole. The error is for what is not JSON.
func DecodeUnion(data []byte, other any, variants ...Variant) (any, error) {
	raw, err := jsontext.Whole(data)
	if err != nil || jsontext.IsNull(raw) {
		return nil, err
	}
	var room [8]candidate
	left := appendCandidates(room[:0], raw, variants)
	if raw[0] == '{' {
		if left, err = matchObjects(raw, left); err != nil {
			return nil, err
		}
	}
	for i := range left {
		c := &left[i]
		alone := len(left) == 1 && c.Tag == "" && raw[0] == '{'
		if t := reflect.TypeOf(c.As); t == nil || !c.sure && !alone && !fits(raw, t) {
			continue
		}
		if v, err := decodeAs(c.As, raw); err == nil {
			return v, nil
		}
		break // to decode one after the other might never end
	}
	return decodeAs(other, raw)
}

// candidate is a variant that a value may be of.
type candidate struct {
	Variant      // a copy: a pointer would put the generated list on the heap
	out     bool // it cannot be
	tagged  bool // the tag has the value
	keyed   bool // the key is there
	sure    bool // the tag or the key decided
	unknown int  // members that it has no field for
}

// appendCandidates appends the variants that are of the value's kind.
func appendCandidates(left []candidate, raw []byte, variants []Variant) []candidate {
	kind := unionKind(raw)
	for i := range variants {
		if v := &variants[i]; v.Kind == kind || kind == "integer" && v.Kind == "number" {
			left = append(left, candidate{Variant: *v})
		}
	}
	return left
}

// matchObjects leaves those candidates that the object's members do not rule out.
func matchObjects(raw []byte, left []candidate) ([]candidate, error) {
	m := jsontext.NewItems(raw)
	for m.Next() {
		key := m.Key()
		for i := range left {
			c := &left[i]
			if c.Tag != "" && c.Tag == string(key) {
				c.tagged = isConstant(m.Value, c.Value)
				c.out = !c.tagged
			}
			c.keyed = c.keyed || c.Key != "" && c.Key == string(key)
		}
	}
	if m.Err != nil {
		return nil, m.Err
	}
	if left = best(left); len(left) > 1 {
		for i := range left {
			left[i].countUnknown(raw)
		}
		slices.SortStableFunc(left, func(a, b candidate) int { return cmp.Compare(a.unknown, b.unknown) })
	}
	return left, nil
}

// best leaves the candidates that the tag speaks for; of these, or where it is
// silent, those that the key speaks for; else all that may be. Who is left alone
// so is sure.
func best(left []candidate) []candidate {
	highest := 0
	for i := range left {
		highest = max(highest, left[i].score())
	}
	n := 0
	for _, c := range left {
		if highest > 0 && c.score() == highest {
			left[n] = c
			n++
		}
	}
	if n == 1 {
		left[0].sure = highest > 1
	}
	return left[:n]
}

func (c *candidate) score() int {
	switch {
	case c.out:
		return 0
	case c.tagged && c.keyed:
		return 4
	case c.tagged:
		return 3
	case c.keyed:
		return 2
	case c.Key != "":
		return 0
	}
	return 1
}

// countUnknown counts the members of the object raw that c has no field for. A map
// has none for any.
func (c *candidate) countUnknown(raw []byte) {
	var fields []field
	if t := reflect.TypeOf(c.As); t != nil && t.Kind() == reflect.Struct {
		fields, _ = appendFields(nil, t)
	}
	m := jsontext.NewItems(raw)
	for m.Next() {
		if key := m.Key(); string(key) != c.Tag && find(fields, key, 0) < 0 {
			c.unknown++
		}
	}
}

// unionKind names the JSON type of a valid value that is not null.
func unionKind(raw []byte) string {
	kind := jsontext.TypeOf(raw)
	if kind != "number" {
		return kind
	}
	if _, err := jsontext.Integer(raw); err != jsontext.ErrNotInteger {
		return "integer"
	}
	return kind
}

// decodeAs decodes raw into a new value of the type of zero.
func decodeAs(zero any, raw []byte) (any, error) {
	if zero == nil {
		return nil, errors.New("DecodeUnion: nil is not a variant")
	}
	v := reflect.New(reflect.TypeOf(zero)).Elem()
	if err := decoder(nil).decodeValue(raw, v); err != nil {
		return nil, err
	}
	return v.Interface(), nil
}
