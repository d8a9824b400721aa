package runtime

import "reflect"

// Opt is a member that may be absent, null, or a value, where all three mean
// different things to the server. Its zero value is absent. Generated structs
// use it with the tag option omitzero, which leaves an absent member out.
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

// IsZero reports whether o is absent. The tag option omitzero asks for it.
func (o Opt[T]) IsZero() bool { return o.state == optAbsent }

// IsNull reports whether o is null.
func (o Opt[T]) IsNull() bool { return o.state == optNull }

// Get returns the value of o. It reports false, with the zero T, if o is absent
// or null.
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == optValue }

// MarshalJSON returns the value's JSON, as [EncodeValue] does. Null and absent are
// both null: leaving an absent member out is up to the struct that holds it.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if o.state != optValue {
		return []byte("null"), nil
	}
	return EncodeValue(o.value)
}

// UnmarshalJSON sets o to null or to the value in data, which it decodes by the
// rules of [DecodeObject]. On an error o is unchanged.
func (o *Opt[T]) UnmarshalJSON(data []byte) error {
	raw, err := whole(data)
	if err != nil {
		return err
	}
	return o.decode(raw, nil)
}

// optional is an Opt of any type, which may hold a union.
type optional interface {
	decode(raw []byte, d decoder) error
}

func (o *Opt[T]) decode(raw []byte, d decoder) error {
	if isNull(raw) {
		*o = Null[T]()
		return nil
	}
	var v T
	if err := d.decodeValue(raw, reflect.ValueOf(&v).Elem()); err != nil {
		return err
	}
	*o = Some(v)
	return nil
}
