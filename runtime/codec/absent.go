package codec

// This file finds values in arguments that were not set: unions that would be sent as null, and enums
// that would be sent as "". Servers differ in what they do with these.

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// checkSet returns an error for the first union in v that is sent as null and may not be null, or the
// first enum that is sent as "" and does not list it. V has been encoded, so its nesting is bounded. The
// caller runs checkSet only if a null or a "" was encoded: calls without one pay nothing for it.
func checkSet(v reflect.Value) error {
	switch v.Kind() {
	case reflect.String:
		if v.Len() > 0 || v.Type().PkgPath() == "" {
			return nil
		}
		if enum, ok := v.Interface().(interface{ Values() []string }); ok && !slices.Contains(enum.Values(), "") {
			return fmt.Errorf(`"", but one of %s is required`, safetext.Cut(fmt.Sprintf("%q", enum.Values()), 500))
		}
	case reflect.Pointer, reflect.Interface:
		return checkSet(v.Elem()) // the zero Value if v is nil
	case reflect.Struct:
		return checkFields(v)
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return nil
		}
		for i := range v.Len() {
			if err := checkSet(v.Index(i)); err != nil {
				return within(strconv.Itoa(i), err)
			}
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			if err := checkSet(entries.Value()); err != nil {
				return within(entries.Key().String(), err)
			}
		}
	}
	return nil
}

func checkFields(v reflect.Value) error {
	if o, ok := v.Interface().(presence); ok {
		return checkSet(reflect.ValueOf(o.Any()))
	}
	fields, err := appendFields(nil, v.Type())
	if err != nil {
		return nil // encoding/json encodes such a struct
	}
	for _, f := range fields {
		value := v.Field(f.index)
		if f.omits(value) {
			continue
		}
		if f.union && !f.null {
			if data, _ := appendValue(nil, value, 0); jsontext.IsNull(data) {
				return within(f.name, fmt.Errorf("null, but a variant of %s is required", value.Type()))
			}
		}
		if err := checkSet(value); err != nil {
			return within(f.name, err)
		}
	}
	if i := restIndex(v.Type()); i >= 0 {
		return checkSet(v.Field(i)) // its entries are members of the object itself
	}
	return nil
}
