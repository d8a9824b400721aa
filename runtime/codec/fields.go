package codec

// This file reads which members a struct type declares.
//
// The fields of a struct are read from its type at each decoding. A cache would
// be a mutable package variable, and would save little: reflect reads a field
// and its tag without allocating, which is a tenth of the time that a list of
// small objects takes (BenchmarkDecode).

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// field is one member that a struct type declares.
type field struct {
	name     string
	index    int
	required bool // always sent
	empty    bool // omitted if empty, not only if zero
	union    bool // an interface
	null     bool // nil encodes as null: a union, a slice or a map
	seen     bool
}

// appendFields appends the fields of t in their order.
func appendFields(fields []field, t reflect.Type) ([]field, error) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag := jsonTag(f.Tag)
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-":
			own, ok := f.Tag.Lookup("mcp")
			if !ok {
				continue
			}
			end := strings.LastIndexByte(own, ',')
			if end < 0 {
				return nil, fmt.Errorf("%s.%s: the tag mcp:%q needs a comma after the name", t, f.Name, own)
			}
			name, options = own[:end], own[end+1:]
		case f.Anonymous:
			return nil, fmt.Errorf("%s embeds %s: embedded fields are not supported", t, f.Type)
		case !f.IsExported():
			continue
		case name == "":
			name = f.Name
		}
		kind := f.Type.Kind()
		next := field{name: name, index: i, required: true, union: kind == reflect.Interface && f.Type.NumMethod() > 0}
		if err := next.options(options); err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t, f.Name, err)
		}
		if next.union || kind == reflect.Slice || kind == reflect.Map {
			next.null = next.null || tag != "-" && f.Tag.Get("mcp") == "null"
		} else {
			next.null = false
		}
		fields = append(fields, next)
	}
	return fields, nil
}

// jsonTag is tag.Get("json"), faster for a tag that begins with json.
func jsonTag(tag reflect.StructTag) string {
	if rest, ok := strings.CutPrefix(string(tag), `json:"`); ok {
		if end := strings.IndexByte(rest, '"'); end >= 0 && strings.IndexByte(rest[:end], '\\') < 0 {
			return rest[:end]
		}
	}
	return tag.Get("json")
}

// options reads the options of a tag.
func (f *field) options(options string) error {
	for options != "" {
		var option string
		option, options, _ = strings.Cut(options, ",")
		switch option {
		case "omitzero":
			f.required = false
		case "omitempty":
			f.required, f.empty = false, true
		case "null":
			f.null = true
		case "string":
			return errors.New(`the tag option "string" is not supported`)
		}
	}
	return nil
}

// omits reports whether the field is omitted when it holds v.
func (f *field) omits(v reflect.Value) bool {
	switch {
	case f.required:
		return false
	case f.empty:
		switch v.Kind() {
		case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
			return v.Len() == 0
		case reflect.Struct:
			return false
		}
	case v.Type().PkgPath() != "" && v.Kind() != reflect.Interface && v.Type().Implements(typeZeroer):
		return v.Interface().(interface{ IsZero() bool }).IsZero()
	}
	return v.IsZero()
}

// find returns the index of the field named key. Members mostly come in the order of the fields, so the
// search starts at next, the index after the last match.
func find(fields []field, key []byte, next int) int {
	for i := next; i < len(fields); i++ {
		if fields[i].name == string(key) {
			return i
		}
	}
	for i := range min(next, len(fields)) {
		if fields[i].name == string(key) {
			return i
		}
	}
	return -1
}

func errMissing(fields []field) error {
	var missing []string
	for _, f := range fields {
		if f.required && !f.seen {
			missing = append(missing, strconv.Quote(f.name))
		}
	}
	switch len(missing) {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("the required member %s is missing", missing[0])
	}
	return fmt.Errorf("the required members %s are missing", strings.Join(missing, ", "))
}
