package codec

// This file finds a union in arguments that nobody set. It would be sent as null,
// and servers say all kinds of things to that.

import (
	"fmt"
	"reflect"
	"strconv"
)

// checkUnions reports the first union in v that is required, nil, and may not be
// null. V has been encoded, so it is not nested too deep. It is only asked where a
// null was encoded: calls with all their values pay nothing for it.
func checkUnions(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return checkUnions(v.Elem()) // of nil: no value at all
	case reflect.Struct:
		return checkFields(v)
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return nil
		}
		for i := range v.Len() {
			if err := checkUnions(v.Index(i)); err != nil {
				return within(strconv.Itoa(i), err)
			}
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			if err := checkUnions(entries.Value()); err != nil {
				return within(entries.Key().String(), err)
			}
		}
	}
	return nil
}

func checkFields(v reflect.Value) error {
	if o, ok := v.Interface().(presence); ok {
		return checkUnions(reflect.ValueOf(o.Any()))
	}
	fields, err := appendFields(nil, v.Type())
	if err != nil {
		return nil // encoding/json knows what it is
	}
	for _, f := range fields {
		value := v.Field(f.index)
		if f.union && f.required && !f.null && value.IsNil() {
			return within(f.name, fmt.Errorf("nil, where one of the variants of %s is required", value.Type()))
		}
		if err := checkUnions(value); err != nil {
			return within(f.name, err)
		}
	}
	if i := restIndex(v.Type()); i >= 0 {
		return checkUnions(v.Field(i)) // its members are those of the object
	}
	return nil
}
