package codec

// This file reads and writes arrays whose elements have different types. In Go they are the fields of a
// struct.

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// DecodeTuple decodes the JSON array in data into the fields of the struct that x points to, in order,
// and the remaining elements into the slice that rest points to. The UnmarshalJSON methods of generated
// tuples call it. Values are decoded as by [DecodeObject], and the UnmarshalJSON method of x is not
// called.
//
// Fields with the tag option omitzero may be missing at the end of the array. Too few or too many
// elements are an error; with a nil rest, elements beyond the fields are too many. If the last field of
// the struct is an [ExactNumbers], it gets the texts of rounded elements.
func DecodeTuple(data []byte, x, rest any, parts ...Part) error {
	v := reflect.ValueOf(x)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("DecodeTuple: x is %T, want a pointer to a struct", x)
	}
	tail := reflect.ValueOf(rest)
	if rest != nil && (tail.Kind() != reflect.Pointer || tail.IsNil() || tail.Elem().Kind() != reflect.Slice) {
		return fmt.Errorf("DecodeTuple: rest is %T, want a pointer to a slice", rest)
	}
	if data == nil {
		return &description{parts: slices.Clone(parts)}
	}
	raw, err := jsontext.Whole(data)
	if err != nil {
		return err
	}
	if raw[0] != '[' {
		return fmt.Errorf("want an array, got %s", jsontext.KindOf(raw))
	}
	fields, err := appendFields(nil, v.Elem().Type())
	if err != nil {
		return err
	}
	if rest != nil {
		tail.Elem().SetZero()
		tail = tail.Elem()
	}
	return decoder{parts: parts}.decodeTuple(raw, v.Elem(), fields, tail)
}

func (d decoder) decodeTuple(raw []byte, v reflect.Value, fields []field, tail reflect.Value) error {
	var rounded *bool
	inexact := false
	texts := sink{}.texts(v)
	if texts != nil {
		rounded = &inexact
	}
	n := 0
	e := jsontext.NewItems(raw)
	for ; e.Next(); n++ {
		var err error
		mark := d.notes.mark()
		switch {
		case n < len(fields):
			err = d.decodeMember(e.Value, v.Field(fields[n].index), &fields[n], rounded)
		case tail.IsValid():
			value := reflect.New(tail.Type().Elem()).Elem()
			err = d.decodeValue(e.Value, value, rounded)
			tail.Set(reflect.Append(tail, value))
		}
		if err != nil {
			return within(strconv.Itoa(n), err)
		}
		if d.notes != nil {
			d.notes.under(strconv.Itoa(n), mark)
		}
		if inexact {
			keep(texts, strconv.AppendInt(nil, int64(n), 10), e.Value)
			inexact = false
		}
	}
	switch {
	case e.Err != nil:
		return e.Err
	case n < len(fields) && fields[n].required:
		return fmt.Errorf("want an array of at least %d elements, got %d", countRequired(fields), n)
	case n > len(fields) && !tail.IsValid():
		return fmt.Errorf("want an array of at most %d elements, got %d", len(fields), n)
	}
	return nil
}

// isTuple reports whether the fields of a struct are the elements of an array.
func isTuple(fields []field) bool { return len(fields) > 0 && fields[0].name == "0" }

func countRequired(fields []field) int {
	n := 0
	for n < len(fields) && fields[n].required {
		n++
	}
	return n
}

// EncodeTuple encodes the fields of a struct, followed by the elements of the slice rest, as one array.
// It is the counterpart of [DecodeTuple].
//
// Fields with the tag option omitzero are omitted if they are zero. An omitted field before an element
// that is present is an error: an array has no gaps. X is the struct or a pointer to it; its own
// MarshalJSON method is not called. Rest is nil if the array has no elements beyond the fields.
func EncodeTuple(x, rest any) ([]byte, error) {
	v := reflect.Indirect(reflect.ValueOf(x))
	if v.Kind() != reflect.Struct {
		return nil, fmt.Errorf("EncodeTuple: x is %T, want a struct", x)
	}
	tail := reflect.ValueOf(rest)
	if rest != nil && tail.Kind() != reflect.Slice {
		return nil, fmt.Errorf("EncodeTuple: rest is %T, want a slice", rest)
	}
	fields, err := appendFields(nil, v.Type())
	if err != nil {
		return nil, err
	}
	n := len(fields)
	if rest == nil || tail.Len() == 0 {
		for n > 0 && fields[n-1].omits(v.Field(fields[n-1].index)) {
			n--
		}
	}
	var values []reflect.Value
	for i, f := range fields[:n] {
		value := v.Field(f.index)
		if f.omits(value) {
			return nil, fmt.Errorf("element %d (%s) must be set, because a later element is set", i, v.Type().Field(f.index).Name)
		}
		if f.null && value.IsNil() {
			value = reflect.Value{} // encodes as null
		}
		values = append(values, value)
	}
	if rest != nil {
		for i := range tail.Len() {
			values = append(values, tail.Index(i))
		}
	}
	exact := exactTexts(v, nil, func(name string) reflect.Value {
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(values) {
			return values[i]
		}
		return reflect.Value{}
	})
	b := []byte{'['}
	for i, value := range values {
		if i > 0 {
			b = append(b, ',')
		}
		if text := exact[strconv.Itoa(i)]; text != nil {
			b = append(b, text...)
			continue
		}
		if b, err = appendValue(b, value, 2); err != nil {
			return nil, within(strconv.Itoa(i), err)
		}
	}
	return append(b, ']'), nil
}
