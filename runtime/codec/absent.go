package codec

// This file finds required unions in arguments that are nil. They would be sent as null, and servers
// differ in what they do with it.

import (
	"fmt"
	"reflect"
	"strconv"
)

// checkUnions returns an error for the first union in v that is required, nil, and may not be null. V has
// been encoded, so its nesting is bounded. The caller runs checkUnions only if a null was encoded: calls
// without one pay nothing for it.
func checkUnions(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return checkUnions(v.Elem()) // the zero Value if v is nil
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
		return nil // encoding/json encodes such a struct
	}
	for _, f := range fields {
		value := v.Field(f.index)
		if f.union && f.required && !f.null && value.IsNil() {
			return within(f.name, fmt.Errorf("nil, but a variant of %s is required", value.Type()))
		}
		if err := checkUnions(value); err != nil {
			return within(f.name, err)
		}
	}
	if i := restIndex(v.Type()); i >= 0 {
		return checkUnions(v.Field(i)) // its entries are members of the object itself
	}
	return nil
}
