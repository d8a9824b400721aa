package codec

// This file is about who wants to know what of a result its Go type does not show, or
// takes one that breaks its schema as far as it fits. Then the decoder sees through the
// methods of generated types, and takes notes. Others pay nothing for it.

import (
	"errors"
	"reflect"
	"slices"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
)

// maxUnread bounds what is reported of one result.
const maxUnread = 100

// notes are what a decoder has found. Pointers are completed on the way up. Nil is a
// decoder that takes none.
type notes struct {
	// lenient makes zero what does not fit: a member of an object, an element of a list,
	// which keeps its place; a value of a map is left out. Where there is room for texts, it
	// has the one of a member that does not fit.
	lenient bool

	unread  []runtime.Unread
	misfits int // of unread

	fit  *fitter // who asks whether the value is of the type, and nothing else
	lost bool    // for it: the value would not be the same when it is encoded again
}

// lose notes a part of the value that its type does not hold, though its schema rules
// that out.
func (n *notes) lose() { n.lost = n.lost || !n.fit.lenient }

// mark returns the place behind the notes that there are.
func (n *notes) mark() int {
	if n == nil {
		return 0
	}
	return len(n.unread)
}

// add notes a part of the value at hand that its type does not show.
func (n *notes) add(reason string) {
	if n != nil && n.fit == nil && len(n.unread)-n.misfits < maxUnread {
		n.unread = append(n.unread, runtime.Unread{Reason: reason})
	}
}

// misfit notes an error of the value at hand, and reports whether it may be left at
// that.
func (n *notes) misfit(err error) bool {
	if n == nil || !n.lenient {
		return false
	}
	if n.misfits == maxUnread {
		return true
	}
	pointer := pointerOf(err)
	if pointer != "" {
		err = errors.Unwrap(err)
	}
	n.misfits++
	n.unread = append(n.unread, runtime.Unread{Pointer: pointer, Reason: err.Error(), Misfit: true})
	return true
}

// under puts a token before the pointers of the notes since mark.
func (n *notes) under(token string, mark int) {
	for i := mark; i < len(n.unread); i++ {
		n.unread[i].Pointer = "/" + jsontext.EscapePointer(token) + n.unread[i].Pointer
	}
}

// first returns the notes that are reported: what does not fit before the rest.
func (n *notes) first() []runtime.Unread {
	if n == nil {
		return nil
	}
	misfits := slices.DeleteFunc(slices.Clone(n.unread), func(u runtime.Unread) bool { return !u.Misfit })
	others := slices.DeleteFunc(n.unread, func(u runtime.Unread) bool { return u.Misfit })
	all := append(misfits, others...)
	return all[:min(len(all), maxUnread)]
}

// below ends the decoding of what is below a token, with its error. Left says that the
// value does not fit and is left zero; else the error is that of the whole.
func (d decoder) below(token string, mark int, err error) (left bool, _ error) {
	if err == nil && d.notes == nil {
		return false, nil
	}
	if err != nil && !d.notes.misfit(err) {
		return false, within(token, err)
	}
	d.notes.under(token, mark)
	return err != nil, nil
}

// decodeOwn is what the method of a generated type does, seen from inside: ok is false
// if it is not one of those.
func (d decoder) decodeOwn(raw []byte, v reflect.Value) (ok bool, _ error) {
	own, ok := ownParts(v.Type())
	if !ok {
		return false, nil
	}
	d.parts = own
	if v.Kind() != reflect.Struct {
		return true, d.decodeKind(raw, v, nil)
	}
	fields, err := appendFields(nil, v.Type())
	if err != nil || raw[0] != '{' && raw[0] != '[' || isTuple(fields) != (raw[0] == '[') {
		return false, nil // the method says what is wrong
	}
	var rest reflect.Value
	if i := restIndex(v.Type()); i >= 0 {
		rest = v.Field(i)
	}
	if raw[0] == '[' {
		return true, d.decodeTuple(raw, v, fields, rest)
	}
	var extra any
	if rest.IsValid() {
		extra = rest.Addr().Interface()
	}
	sink, err := newSink(extra, d)
	if err != nil {
		return true, err
	}
	m := jsontext.NewItems(raw)
	return true, d.decodeMembers(&m, v, sink, nil)
}

// noteVariant notes what the variant of a union that raw was decoded into does not show.
func (d decoder) noteVariant(raw []byte, t reflect.Type) {
	if t.Kind() == reflect.Struct && t.NumField() == 1 && t.Field(0).Anonymous && t.Field(0).Type == typeRaw {
		d.notes.add("it is of no variant of its union; " + t.Name() + " has it")
		return
	}
	d.parts = nil
	_ = d.decodeValue(raw, reflect.New(t).Elem(), nil) // it was decoded before
}
