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
	return decodeOpt(data, o)
}

// optional is an Opt of any type, which may hold a union.
type optional interface {
	// set makes o null, or a value, which it decodes with f into what f's argument
	// points to.
	set(null bool, f func(v any) error) error
}

// set is all of decoding that depends on T. The methods of Opt are translated for
// each T in each package that has one. So they name no type whose methods name one
// of reflect: that alone costs some sixty functions more.
func (o *Opt[T]) set(null bool, f func(v any) error) error {
	if null {
		*o = Null[T]()
		return nil
	}
	next := Opt[T]{state: optValue}
	if err := f(&next.value); err != nil {
		return err
	}
	*o = next
	return nil
}

func decodeOpt(data []byte, o optional) error {
	raw, err := whole(data)
	if err != nil {
		return err
	}
	return decoder(nil).decodeOpt(raw, o)
}

func (d decoder) decodeOpt(raw []byte, o optional) error {
	return o.set(isNull(raw), func(v any) error { return d.decodeValue(raw, reflect.ValueOf(v).Elem()) })
}
