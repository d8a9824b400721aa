package codec

// This file records which parts of a result its Go type does not hold, and decodes leniently results that
// break their schema. In both cases the decoder bypasses the methods of generated types and takes notes.
// Other decoding pays nothing for it.

import (
	"reflect"
	"slices"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
)

// maxUnread bounds the places that are reported for one result.
const maxUnread = 100

// notes are what a decoder has found. Pointers are completed on the way up. A decoder with nil notes
// takes none.
type notes struct {
	// lenient sets what does not fit to its zero value: a member of an object, or an element of a list. An
	// entry of a map is omitted. The text of a member that does not fit is kept if the struct has room for
	// texts.
	lenient bool

	unread  []runtime.Unread
	misfits int // of unread

	fit  *fitter // only checks whether the value fits its type; nil otherwise
	lost bool    // for fit: the value would change when encoded again
}

// lose notes that the type drops a part of the value which its schema rules out.
func (n *notes) lose() { n.lost = n.lost || !n.fit.lenient }

// mark returns the number of notes so far, for under.
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

// misfit notes an error of the value at hand. It reports whether decoding may go on.
func (n *notes) misfit(err error) bool {
	if n == nil || !n.lenient {
		return false
	}
	if n.misfits == maxUnread {
		return true
	}
	pointer, err := apart(err)
	n.misfits++
	n.unread = append(n.unread, runtime.Unread{Pointer: pointer, Reason: err.Error(), Misfit: true})
	return true
}

// under prepends a token to the pointers of the notes since mark.
func (n *notes) under(token string, mark int) {
	for i := mark; i < len(n.unread); i++ {
		n.unread[i].Pointer = "/" + jsontext.EscapePointer(token) + n.unread[i].Pointer
	}
}

// first returns the notes to report: misfits first.
func (n *notes) first() []runtime.Unread {
	if n == nil {
		return nil
	}
	misfits := slices.DeleteFunc(slices.Clone(n.unread), func(u runtime.Unread) bool { return !u.Misfit })
	others := slices.DeleteFunc(n.unread, func(u runtime.Unread) bool { return u.Misfit })
	all := append(misfits, others...)
	return all[:min(len(all), maxUnread)]
}

// below finishes decoding the value under a token, and returns its error with the token. Left means that
// the value does not fit and remains zero.
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

// decodeOwn does what the UnmarshalJSON method of a generated type does, but with notes: ok is false if
// the type has no generated method.
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
		return false, nil // the method itself returns the error
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

// noteVariant notes what is not shown by the union variant that raw was decoded into.
func (d decoder) noteVariant(raw []byte, t reflect.Type) {
	if t.Kind() == reflect.Struct && t.NumField() == 1 && t.Field(0).Anonymous && t.Field(0).Type == typeRaw {
		d.notes.add("the value matches no variant of its union; it is kept as " + t.Name())
		return
	}
	d.parts = nil
	_ = d.decodeValue(raw, reflect.New(t).Elem(), nil) // it was decoded before
}
