package runtime

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// EncodeObject encodes the struct plain and, after its members, those of the
// map extra, sorted by name. It is what the MarshalJSON methods of generated
// types call, and the counterpart of [DecodeObject].
//
// Plain is a struct without a MarshalJSON method, extra a map with string keys;
// nil or empty adds nothing. A member of extra that has the name of a field is
// an error, whether the field is set or not: one of the two would be lost.
func EncodeObject(plain, extra any) ([]byte, error) {
	object, err := json.Marshal(plain)
	if err != nil {
		return nil, err
	}
	if extra == nil {
		return object, nil
	}
	more := reflect.ValueOf(extra)
	if more.Kind() != reflect.Map || more.Type().Key().Kind() != reflect.String {
		return nil, fmt.Errorf("EncodeObject: extra is %T, want a map with string keys", extra)
	}
	if more.Len() == 0 {
		return object, nil
	}
	if err := checkExtra(reflect.TypeOf(plain), more); err != nil {
		return nil, err
	}
	rest, err := json.Marshal(extra)
	if err != nil {
		return nil, err
	}
	if len(object) > len("{}") {
		object[len(object)-1] = ','
		return append(object, rest[1:]...), nil
	}
	return rest, nil
}

// checkExtra reports the members of extra that t has fields for.
func checkExtra(t reflect.Type, extra reflect.Value) error {
	if t == nil || t.Kind() != reflect.Struct {
		return fmt.Errorf("EncodeObject: plain is %v, want a struct", t)
	}
	fields, err := appendFields(nil, t)
	if err != nil {
		return err
	}
	var both []string
	for _, f := range fields {
		if extra.MapIndex(reflect.ValueOf(f.name).Convert(extra.Type().Key())).IsValid() {
			both = append(both, strconv.Quote(f.name))
		}
	}
	if len(both) == 0 {
		return nil
	}
	slices.Sort(both)
	return fmt.Errorf("extra members %s have fields of their own: set those", strings.Join(both, ", "))
}
