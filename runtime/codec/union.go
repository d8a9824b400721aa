package codec

// This file finds the variant of a union that a value matches.

import (
	"cmp"
	"errors"
	"reflect"
	"slices"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// Variant is one type of a union, with the means to distinguish its values from values of other variants. The
// type is not comparable, so that programs do not contain comparison code for it.
type Variant struct {
	_ [0]func()
	// As is the zero value of the variant's Go type.
	As any
	// Kind is the JSON type of its values: object, array, string, number, integer
	// or boolean. A value such as 1.0 is an integer and a number.
	Kind string
	// Tag is a member that identifies the variant, and Value its JSON constant. "" means none. A variant with
	// several constants is listed once for each. A value without the tag is not of a variant that encodes it as
	// a [Tag].
	Tag, Value string
	// Key is a required member that only this variant has. "" means none.
	Key string
}

// maxInside bounds the bytes that are read to choose a variant by the unions inside it.
const maxInside = 1 << 20

// DecodeUnion decodes data into the variant that matches and returns it. The decode functions of
// generated unions call it: see [UnionOf]. Other is the zero value of the type that holds an unmatched
// value verbatim: its UnmarshalJSON method must accept every value.
//
// DecodeUnion has no type parameter on purpose: the compiler would compile it, and all of reflect that it
// reaches, again for each union.
//
// Variants of another kind, with another value of their tag, without a tag that encoding them always
// writes, or without their key are ruled out. The order of the rest is: matching tag, matching key,
// fewest unknown members, the given order. The first variant that decodes without losing anything holds
// the value. Variants whose inner unions also match are preferred; the last resort is a variant that only
// loses what its schema rules out, such as null for an optional member. If every variant would lose a
// member, the value matches no variant and is kept whole, as null is. Data that is not JSON is an error.
func DecodeUnion(data []byte, other any, variants ...Variant) (any, error) {
	if data == nil {
		return nil, &description{variants: slices.Clone(variants)} // a copy keeps the callers' list off the heap
	}
	raw, err := jsontext.Whole(data)
	if err != nil {
		return nil, err
	}
	var room [8]candidate
	left, err := candidates(room[:0], raw, variants)
	if err != nil {
		return nil, err
	}
	for try := range 3 {
		var f *fitter // most values need none
		for i := range left {
			t := reflect.TypeOf(left[i].As)
			if t == nil {
				continue
			}
			if !left[i].keeps(raw, len(left) == 1) {
				if f == nil {
					f = &fitter{inside: try == 0 && len(left) > 1, left: min(8*len(raw)+4096, maxInside), lenient: try == 2}
				}
				if !f.fits(raw, t) {
					continue
				}
			}
			if v, err := decodeAs(left[i].As, raw); err == nil {
				return v, nil
			}
			return decodeAs(other, raw) // trying one variant after another might never end
		}
	}
	return decodeAs(other, raw)
}

// candidate is a variant that a value may match.
type candidate struct {
	Variant      // a copy: a pointer would put the generated list on the heap
	out     bool // ruled out
	tagged  bool // the tag has its value
	keyed   bool // the key is present
	unknown int  // members without a field
}

// candidates appends the variants that a value may match to left, the likeliest first.
func candidates(left []candidate, raw []byte, variants []Variant) ([]candidate, error) {
	kind := unionKind(raw)
	for i := range variants {
		if v := &variants[i]; v.Kind == kind || kind == "integer" && v.Kind == "number" {
			left = append(left, candidate{Variant: *v})
		}
	}
	if raw[0] != '{' {
		return left, nil
	}
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
	left = slices.DeleteFunc(left, func(c candidate) bool { return c.score() == 0 || c.lacksTag() })
	if len(left) > 1 {
		for i := range left {
			left[i].countUnknown(raw)
		}
		slices.SortStableFunc(left, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(b.score(), a.score()), cmp.Compare(a.unknown, b.unknown))
		})
	}
	return left, m.Err
}

// score rates the candidate; 0 rules it out.
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

// lacksTag reports whether an object does not have the tag that encoding the variant always writes.
func (c *candidate) lacksTag() bool {
	if c.Tag == "" || c.tagged || c.As == nil {
		return false
	}
	own, _ := ownParts(reflect.TypeOf(c.As))
	return own.tag([]byte(c.Tag)) != nil
}

// keeps reports whether the only remaining variant has a field for every member of an object. The
// members' values need no check then: no other variant could hold them.
func (c *candidate) keeps(raw []byte, alone bool) bool {
	t := reflect.TypeOf(c.As)
	if !alone || raw[0] != '{' || t.Kind() != reflect.Struct {
		return false
	}
	if restIndex(t) < 0 {
		c.countUnknown(raw)
	}
	return c.unknown == 0
}

// countUnknown counts the members of the object raw that c has no field for. In a map all of them are
// unknown.
func (c *candidate) countUnknown(raw []byte) {
	var room [16]field
	fields := room[:0]
	if t := reflect.TypeOf(c.As); t != nil && t.Kind() == reflect.Struct {
		fields, _ = appendFields(fields, t)
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
	if err := (decoder{}).decodeValue(raw, v, nil); err != nil {
		return nil, err
	}
	return v.Interface(), nil
}
