package codec

// This file decodes results that break their schema, as far as they fit. It is asked
// where the strict decoder has failed, so what fits pays nothing for it.

import (
	"errors"
	"reflect"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
)

// decodeLenient decodes data into what out points to, as far as it fits, and returns
// the first places that do not. What does not fit is zero: a member of an object, an
// element of a list, which keeps its place; a value of a map is left out. An Extra of
// texts has the text of a member that does not fit, under its name. Ok is false if
// nothing fits.
func (d decoder) decodeLenient(data []byte, out reflect.Value) (misfits []runtime.Unread, ok bool) {
	raw, err := jsontext.Whole(data)
	if err != nil || jsontext.IsNull(raw) {
		return nil, false
	}
	out.SetZero()
	var l lenient
	ok = l.value(d, raw, out, nil, nil)
	return l.misfits, ok
}

// lenient decodes what fits, and collects what does not.
type lenient struct{ misfits []runtime.Unread }

func (l *lenient) add(at *step, err error) {
	if len(l.misfits) == maxUnread {
		return
	}
	inner := jsontext.PointerOf(err)
	if inner != "" {
		err = errors.Unwrap(err)
	}
	l.misfits = append(l.misfits, runtime.Unread{Pointer: at.pointer() + inner, Reason: err.Error(), Misfit: true})
}

// value decodes raw into v, which is zero, and reports whether any of it fits. If not
// that is noted, and v is zero. Rounded is as in decodeMembers.
func (l *lenient) value(d decoder, raw []byte, v reflect.Value, at *step, rounded *bool) bool {
	t := v.Type()
	own, known := ownParts(t)
	if known {
		d = own
	}
	if known || !decodesItself(t) {
		switch kind := v.Kind(); {
		case kind == reflect.Struct && raw[0] == '{':
			l.object(d, raw, v, known, at, rounded)
			return true
		case kind == reflect.Slice && raw[0] == '[' && t.Elem().Kind() != reflect.Uint8:
			l.list(d, raw, v, at, rounded)
			return true
		case kind == reflect.Map && raw[0] == '{' && t.Key().Kind() == reflect.String && !decodesItself(t.Key()):
			l.entries(d, raw, v, at, rounded)
			return true
		case kind == reflect.Pointer && !jsontext.IsNull(raw):
			to := reflect.New(t.Elem())
			ok := l.value(d, raw, to.Elem(), at, rounded)
			if ok {
				v.Set(to)
			}
			return ok
		}
	}
	return l.whole(d.decodeValue(raw, v, rounded), v, at)
}

// whole reports whether a value was decoded, which fits as a whole or not at all.
func (l *lenient) whole(err error, v reflect.Value, at *step) bool {
	if err == nil {
		return true
	}
	v.SetZero()
	l.add(at, err)
	return false
}

// decodesItself reports whether a method of a type decodes its values.
func decodesItself(t reflect.Type) bool {
	if t.PkgPath() == "" || t.Kind() == reflect.Interface {
		return false
	}
	p := reflect.PointerTo(t)
	return p.Implements(typeUnmarshaler) || p.Implements(typeTextUnmarshaler)
}

// object decodes the members that fit. Known says that d is what the type's own method
// decodes with, which fills the field for what has no field, too.
func (l *lenient) object(d decoder, raw []byte, v reflect.Value, known bool, at *step, rounded *bool) {
	fields, err := appendFields(nil, v.Type())
	if err != nil {
		l.add(at, err)
		return
	}
	extra := sink{decoder: d}
	if rest := restField(v); known {
		extra.tags = d
		if rest.IsValid() && rest.Kind() == reflect.Map {
			extra, _ = newSink(rest.Addr().Interface(), d) // it is a map that DecodeObject takes
		}
	}
	inexact := false
	if extra.raw != nil {
		rounded = &inexact
	}
	m := jsontext.NewItems(raw)
	for m.Next() {
		key := m.Key()
		below := &step{string(key), at}
		i := find(fields, key, 0)
		if i < 0 {
			if err := extra.add(key, m.Value); err != nil {
				l.add(below, err)
			}
			continue
		}
		if fields[i].seen && extra.raw != nil {
			delete(*extra.raw, string(key)) // the text of the first of two
		}
		fits := l.member(d, m.Value, v.Field(fields[i].index), &fields[i], below, rounded)
		if extra.raw != nil && (!fits || inexact) {
			extra.keep(key, m.Value)
		}
		inexact = false
	}
	if err := errMissing(fields); err != nil {
		l.add(at, err)
	}
}

// member decodes one member into its field v.
func (l *lenient) member(d decoder, raw []byte, v reflect.Value, f *field, at *step, rounded *bool) bool {
	if jsontext.IsNull(raw) {
		return l.whole(d.decodeMember(raw, v, f, rounded), v, at)
	}
	v.SetZero()
	f.seen = true
	return l.value(d, raw, v, at, rounded)
}

func (l *lenient) list(d decoder, raw []byte, v reflect.Value, at *step, rounded *bool) {
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	n := 0
	for e := jsontext.NewItems(raw); e.Next(); n++ {
		v.Grow(1)
		v.SetLen(n + 1)
		l.value(d, e.Value, v.Index(n), &step{strconv.Itoa(n), at}, rounded)
	}
}

func (l *lenient) entries(d decoder, raw []byte, v reflect.Value, at *step, rounded *bool) {
	t := v.Type()
	v.Set(reflect.MakeMap(t))
	for m := jsontext.NewItems(raw); m.Next(); {
		key := string(m.Key())
		value := reflect.New(t.Elem()).Elem()
		if l.value(d, m.Value, value, &step{key, at}, rounded) {
			v.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), value)
		}
	}
}
