package codec

// This file finds what no field of a decoded result shows. It is only asked by who
// wants to know: decoding itself pays nothing for it.

import (
	"reflect"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
)

// maxUnread bounds what is reported of one result.
const maxUnread = 100

// reportUnread reports the places of data that the fields of v do not show to whoever
// watches the result, behind those that are known. V was decoded from data.
func reportUnread(res *runtime.Result, data []byte, v reflect.Value, known []runtime.Unread) {
	if res.OnUnread == nil {
		return
	}
	raw, err := jsontext.Whole(data)
	if err != nil {
		return
	}
	r := reader{known}
	r.read(raw, v, nil, false)
	if len(r.unread) > 0 {
		res.OnUnread(r.unread)
	}
}

// reader walks a value and what it was decoded into.
type reader struct {
	unread []runtime.Unread
}

// step is the way to a place, from there to the root.
type step struct {
	token string
	up    *step
}

func (s *step) pointer() string {
	if s == nil {
		return ""
	}
	return s.up.pointer() + "/" + jsontext.EscapePointer(s.token)
}

func (r *reader) add(at *step, reason string) {
	if len(r.unread) < maxUnread {
		r.unread = append(r.unread, runtime.Unread{Pointer: at.pointer(), Reason: reason})
	}
}

// read compares one value. Kept says that an Extra further out has its text if a
// number was rounded.
func (r *reader) read(raw []byte, v reflect.Value, at *step, kept bool) {
	if !v.IsValid() || len(r.unread) == maxUnread {
		return
	}
	if o, ok := v.Interface().(presence); ok {
		r.read(raw, reflect.ValueOf(o.Any()), at, kept)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		r.read(raw, v.Elem(), at, kept)
	case reflect.Struct:
		r.readStruct(raw, v, at, kept)
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 || raw[0] != '[' {
			return
		}
		items := jsontext.NewItems(raw)
		for i := 0; items.Next() && i < v.Len(); i++ {
			r.read(items.Value, v.Index(i), &step{strconv.Itoa(i), at}, kept)
		}
	case reflect.Map:
		r.readMap(raw, v, at, kept)
	case reflect.Float32, reflect.Float64:
		switch {
		case isExact(v, raw), raw[0] != '-' && !isDigit(raw[0]):
		case kept:
			r.add(at, "its Go type "+v.Type().String()+" rounds it; Extra has the exact text")
		default:
			r.add(at, "its Go type "+v.Type().String()+" rounds it")
		}
	}
}

func (r *reader) readMap(raw []byte, v reflect.Value, at *step, kept bool) {
	if raw[0] != '{' || v.Type().Key().Kind() != reflect.String {
		return
	}
	items := jsontext.NewItems(raw)
	for items.Next() {
		key := string(items.Key())
		r.read(items.Value, v.MapIndex(reflect.ValueOf(key).Convert(v.Type().Key())), &step{key, at}, kept)
	}
}

func (r *reader) readStruct(raw []byte, v reflect.Value, at *step, kept bool) {
	t := v.Type()
	if t.NumField() == 1 && t.Field(0).Anonymous && t.Field(0).Type == typeRaw {
		r.add(at, "it is of no variant of its union; "+t.Name()+" has it")
		return
	}
	fields, err := appendFields(nil, t)
	if err != nil {
		return
	}
	switch raw[0] {
	case '{':
		r.readObject(raw, v, fields, at, kept)
	case '[':
		rest := restField(v)
		items := jsontext.NewItems(raw)
		for i := 0; items.Next(); i++ {
			below := &step{strconv.Itoa(i), at}
			switch {
			case i < len(fields):
				r.read(items.Value, v.Field(fields[i].index), below, kept)
			case rest.IsValid() && i-len(fields) < rest.Len():
				r.read(items.Value, rest.Index(i-len(fields)), below, kept)
			}
		}
	}
}

func (r *reader) readObject(raw []byte, v reflect.Value, fields []field, at *step, kept bool) {
	own, closed := ownParts(v.Type())
	rest := restField(v)
	texts := rest.IsValid() && rest.Type().Elem() == typeRaw
	items := jsontext.NewItems(raw)
	for items.Next() {
		key := items.Key()
		below := &step{string(key), at}
		i := find(fields, key, 0)
		switch {
		case i >= 0:
			r.read(items.Value, v.Field(fields[i].index), below, texts || kept && !closed)
		case own.tag(key) != nil:
		case texts:
			r.add(below, "the type has no field for it; Extra has it")
		case rest.IsValid():
			r.read(items.Value, rest.MapIndex(reflect.ValueOf(string(key)).Convert(rest.Type().Key())), below, false)
		default:
			r.add(below, "the type has no field for it, and it is dropped")
		}
	}
}

// restField is the field for what no other field of the struct v shows; invalid if
// it has none.
func restField(v reflect.Value) reflect.Value {
	if i := restIndex(v.Type()); i >= 0 {
		return v.Field(i)
	}
	return reflect.Value{}
}
