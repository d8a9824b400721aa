// This file takes a whole object or array apart by its brackets, so that one
// definition without end costs that definition alone.

package jsontext

import "encoding/json"

// Members returns the members of the object that is all of b, as they were sent.
// The values are not looked into: whether they are JSON is for their decoders to
// find out. Of a name that is there twice the last one counts, as for
// encoding/json. It is false if b is no object.
func Members(b []byte) (map[string]json.RawMessage, bool) {
	members, _, ok := membersOf(b)
	return members, ok
}

// Exact does the same, and is false if a name is there twice: two readers would
// take two values.
func Exact(b []byte) (map[string]json.RawMessage, bool) {
	members, twice, ok := membersOf(b)
	return members, ok && !twice
}

func membersOf(b []byte) (members map[string]json.RawMessage, twice, ok bool) {
	members = map[string]json.RawMessage{}
	readable := true
	ok = Walk(b, func(name []byte, from, to int) {
		var key string
		if json.Unmarshal(name, &key) != nil {
			readable = false
			return
		}
		_, known := members[key]
		twice = twice || known
		members[key] = b[from:to]
	})
	return members, twice, ok && readable
}

// Elements returns the elements of the array that is all of b, as they were sent
// and without a look into them. It is false if b is no array.
func Elements(b []byte) ([]json.RawMessage, bool) {
	all := []json.RawMessage{}
	ok := walk(b, '[', func(_ []byte, from, to int) { all = append(all, b[from:to]) })
	return all, ok
}
