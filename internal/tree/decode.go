// The strict decoder, which decodes a tree into Go values by their json tags.

package tree

import (
	"encoding"
	"reflect"
	"strings"
)

// Custom reads a value of a type that needs special decoding. It reports problems through d and returns a
// value of that type.
type Custom func(d *Decoder, n *Node, at Path) any

// Decoder fills Go values from a tree and reports every problem on the way.
//
// Structs take maps, by their json tags. A field without omitempty is required, a field with
// jsonschema:"-" is ignored, and a key without a field is a problem. Pointers, slices, maps with string
// keys, strings, booleans and integers take values of their own kind without conversion: a number is not
// a string. Types that implement [encoding.TextUnmarshaler] take strings. A null is always a problem.
type Decoder struct {
	*Report
	Custom map[reflect.Type]Custom
}

// Decode fills what out points to from the value at a path. A part that does not fit keeps its zero
// value.
func (d *Decoder) Decode(n *Node, at Path, out any) { d.value(n, at, reflect.ValueOf(out).Elem()) }

// Want reports whether n is of the kind, and reports a problem if it is not.
func (d *Decoder) Want(kind Kind, n *Node, at Path) bool {
	if n.Kind == kind {
		return true
	}
	d.mismatch(n, at, kind.String())
	return false
}

// Map reports whether n is a map without duplicate keys, and reports a problem if it is not.
func (d *Decoder) Map(n *Node, at Path) bool {
	if !d.Want(Map, n, at) {
		return false
	}
	d.Doubles(n, at)
	return true
}

// mismatch reports the expected and the found kind. It does not repeat the value, which may be a secret.
func (d *Decoder) mismatch(n *Node, at Path, want string) {
	hint := ""
	switch {
	case n.Kind == Null:
		hint = "give it a value, or remove the key"
	case want == String.String() && (n.Kind == Bool || n.Kind == Int || n.Kind == Float):
		hint = "put it in quotes"
	case want == List.String() && n.Kind == String:
		hint = "put it in brackets: […]"
	}
	d.Fail(n.Pos, at, "want "+want+", found "+n.Kind.String(), hint)
}

func (d *Decoder) value(n *Node, at Path, out reflect.Value) {
	if custom, ok := d.Custom[out.Type()]; ok {
		out.Set(reflect.ValueOf(custom(d, n, at)))
		return
	}
	if text, ok := out.Addr().Interface().(encoding.TextUnmarshaler); ok {
		d.text(n, at, text)
		return
	}
	switch out.Kind() {
	case reflect.Pointer:
		out.Set(reflect.New(out.Type().Elem()))
		d.value(n, at, out.Elem())
	case reflect.Struct:
		d.structure(n, at, out)
	case reflect.Map:
		d.mapping(n, at, out)
	case reflect.Slice:
		d.list(n, at, out)
	default:
		d.scalar(n, at, out)
	}
}

func (d *Decoder) scalar(n *Node, at Path, out reflect.Value) {
	switch out.Kind() {
	case reflect.String:
		if d.Want(String, n, at) {
			out.SetString(n.Text)
		}
	case reflect.Bool:
		if n.Kind != Bool {
			d.mismatch(n, at, "true or false")
			return
		}
		out.SetBool(n.Bool())
	case reflect.Int, reflect.Int64:
		if !d.Want(Int, n, at) {
			return
		}
		if i, ok := n.Int(); ok && !out.OverflowInt(i) {
			out.SetInt(i)
			return
		}
		d.Fail(n.Pos, at, "the integer is too large")
	default:
		d.Fail(n.Pos, at, "no value can be given here")
	}
}

func (d *Decoder) text(n *Node, at Path, out encoding.TextUnmarshaler) {
	if !d.Want(String, n, at) {
		return
	}
	if err := out.UnmarshalText([]byte(n.Text)); err != nil {
		d.FailErr(n.Pos, at, err)
	}
}

func (d *Decoder) list(n *Node, at Path, out reflect.Value) {
	if !d.Want(List, n, at) {
		return
	}
	out.Set(reflect.MakeSlice(out.Type(), len(n.List), len(n.List)))
	for i, item := range n.List {
		d.value(item, at.Index(i), out.Index(i))
	}
}

func (d *Decoder) mapping(n *Node, at Path, out reflect.Value) {
	if !d.Map(n, at) {
		return
	}
	out.Set(reflect.MakeMapWithSize(out.Type(), len(n.Members)))
	for _, m := range n.Members {
		value := reflect.New(out.Type().Elem()).Elem()
		d.value(m.Value, at.Key(m.Name), value)
		out.SetMapIndex(reflect.ValueOf(m.Name), value)
	}
}

func (d *Decoder) structure(n *Node, at Path, out reflect.Value) {
	if !d.Map(n, at) {
		return
	}
	fields := fieldsOf(out.Type())
	for _, m := range n.Members {
		f, known := fields.byName[m.Name]
		if !known {
			d.Fail(m.Pos, at.Key(m.Name), "unknown key", Suggest(m.Name, fields.names))
			continue
		}
		d.value(m.Value, at.Key(m.Name), out.FieldByIndex(f))
	}
	for _, name := range fields.required {
		if _, ok := n.Get(name); !ok {
			d.Fail(n.Pos, at.Key(name), "the key is missing")
		}
	}
}

// fields are the keys of a struct, including keys of embedded structs.
type fields struct {
	byName   map[string][]int
	names    []string
	required []string
}

func fieldsOf(t reflect.Type) fields {
	f := fields{byName: map[string][]int{}}
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" || field.Tag.Get("jsonschema") == "-" {
			continue
		}
		f.byName[name] = field.Index
		f.names = append(f.names, name)
		if options == "" {
			f.required = append(f.required, name)
		}
	}
	return f
}
