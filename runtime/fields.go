package runtime

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
	required bool
	seen     bool
}

// appendFields appends the fields of t in their order.
func appendFields(fields []field, t reflect.Type) ([]field, error) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag := jsonTag(f.Tag)
		if tag == "-" {
			continue
		}
		if f.Anonymous {
			return nil, fmt.Errorf("%s embeds %s: embedded fields are not supported", t, f.Type)
		}
		if !f.IsExported() {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if name == "" {
			name = f.Name
		}
		required, err := isRequired(options)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t, f.Name, err)
		}
		fields = append(fields, field{name: name, index: i, required: required})
	}
	return fields, nil
}

// jsonTag is tag.Get("json") with a short cut for a tag that begins with it.
func jsonTag(tag reflect.StructTag) string {
	if rest, ok := strings.CutPrefix(string(tag), `json:"`); ok {
		if end := strings.IndexByte(rest, '"'); end >= 0 && strings.IndexByte(rest[:end], '\\') < 0 {
			return rest[:end]
		}
	}
	return tag.Get("json")
}

// isRequired reads the options of a json tag.
func isRequired(options string) (required bool, err error) {
	required = true
	for options != "" {
		var option string
		option, options, _ = strings.Cut(options, ",")
		switch option {
		case "omitzero", "omitempty":
			required = false
		case "string":
			return false, errors.New(`the tag option "string" is not supported`)
		}
	}
	return required, nil
}

// find returns the field named key. Members mostly come in the order of the
// fields, so the search begins at next, the one after the last hit.
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
