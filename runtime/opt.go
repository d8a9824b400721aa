package runtime

import (
	"encoding/json"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// Opt is a member that may be absent, null, or a value, if the server distinguishes
// all three. Its zero value is absent. Generated structs use it with the tag option
// omitzero, which omits an absent member.
type Opt[T any] struct {
	value T
	state optState
}

type optState uint8

const (
	optAbsent optState = iota
	optNull
	optValue
)

// Some returns an Opt that holds v.
func Some[T any](v T) Opt[T] { return Opt[T]{value: v, state: optValue} }

// Null returns an Opt that is sent as null.
func Null[T any]() Opt[T] { return Opt[T]{state: optNull} }

// IsZero reports whether o is absent. The tag option omitzero calls it.
func (o Opt[T]) IsZero() bool { return o.state == optAbsent }

// IsNull reports whether o is null.
func (o Opt[T]) IsNull() bool { return o.state == optNull }

// Get returns the value of o. It reports false, with the zero T, if o is absent
// or null.
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == optValue }

// Any returns the value of o, or nil if o is absent or null. It is for encoders,
// which do not know T.
func (o Opt[T]) Any() any {
	if o.state != optValue {
		return nil
	}
	return o.value
}

// Fill sets o to null, or else to a value: decode gets a *T and decodes the value
// into it. It is for decoders, which do not know T. On an error o is unchanged.
//
// The methods of Opt are compiled for each T in each package that uses one. So they
// use no type whose methods refer to reflect, which alone would add some sixty
// functions.
func (o *Opt[T]) Fill(null bool, decode func(v any) error) error {
	if null {
		*o = Null[T]()
		return nil
	}
	next := Opt[T]{state: optValue}
	if err := decode(&next.value); err != nil {
		return err
	}
	*o = next
	return nil
}

// MarshalJSON returns the value's JSON by the rules of [json.Marshal]; arguments of a
// call are encoded without it. Null and absent are both null: the enclosing struct
// must omit an absent member.
func (o Opt[T]) MarshalJSON() ([]byte, error) { return json.Marshal(o.Any()) }

// UnmarshalJSON sets o to null or to the value in data, by the rules of
// [json.Unmarshal], except that 1.0 and 1e3 are accepted as integers; results of a
// call are decoded without it. On an error o is unchanged.
func (o *Opt[T]) UnmarshalJSON(data []byte) error { return fill(data, o) }

func fill(data []byte, o interface {
	Fill(bool, func(any) error) error
}) error {
	raw, err := jsontext.Whole(data)
	if err != nil {
		return err
	}
	return o.Fill(jsontext.IsNull(raw), func(v any) error { return jsontext.Unmarshal(raw, v) })
}
