package codec

// This file collects the members that a struct has no field for.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// sink takes the members that a struct has no field for. The zero sink drops them.
type sink struct {
	decoder decoder                     // decodes the values
	tags    parts                       // their tags are not unknown members
	raw     *map[string]json.RawMessage // the common type, without reflection
	typed   reflect.Value               // a map of any other type; invalid if raw is set
}

func newSink(extra any, d decoder) (sink, error) {
	s := sink{decoder: d, tags: d.parts}
	if extra == nil {
		return s, nil
	}
	if raw, ok := extra.(*map[string]json.RawMessage); ok && raw != nil {
		*raw, s.raw = nil, raw
		return s, nil
	}
	v := reflect.ValueOf(extra)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Map || v.Elem().Type().Key().Kind() != reflect.String {
		return sink{}, fmt.Errorf("DecodeObject: extra is %T, want a pointer to a map with string keys", extra)
	}
	v.Elem().SetZero()
	s.typed = v.Elem()
	return s, nil
}

// texts empties and returns the map for texts of members of the struct v; nil if there is none.
func (s sink) texts(v reflect.Value) *map[string]json.RawMessage {
	if own := room(v); own.IsValid() {
		own.SetZero()
		return (*map[string]json.RawMessage)(own.Addr().Interface().(*ExactNumbers))
	}
	return s.raw
}

// keep stores the text of a member.
func keep(texts *map[string]json.RawMessage, key, raw []byte) {
	if *texts == nil {
		*texts = map[string]json.RawMessage{}
	}
	(*texts)[string(key)] = bytes.Clone(raw)
}

func (s sink) add(key, raw []byte, rounded *bool) error {
	if tag := s.tags.tag(key); tag != nil {
		return tag.check(raw)
	}
	switch {
	case s.raw != nil:
		s.decoder.notes.add("the type has no field for this member; it is in Extra")
		keep(s.raw, key, raw)
	case s.typed.IsValid():
		t := s.typed.Type()
		value := reflect.New(t.Elem()).Elem()
		if err := s.decoder.decodeValue(raw, value, rounded); err != nil {
			return err
		}
		if s.typed.IsNil() {
			s.typed.Set(reflect.MakeMap(t))
		}
		s.typed.SetMapIndex(reflect.ValueOf(string(key)).Convert(t.Key()), value)
	case s.decoder.notes != nil:
		s.decoder.notes.lost = true
		s.decoder.notes.add("the type has no field for this member, so it is dropped")
	}
	return nil
}
