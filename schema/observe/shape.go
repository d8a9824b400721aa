package observe

// This file defines what was seen at one place, and joins two shapes. Joining is commutative, associative and
// idempotent. So is the conversion of objects to maps, because no join removes what its rules require.

// shape is what was seen at one place. A nil shape means that nothing was seen.
type shape struct {
	any                 bool // any value; the other fields are then empty
	null, boolean, text bool
	number              numeric
	object              *object
	array               *array
}

// numeric is a kind of number, by the Go type that holds it exactly.
type numeric int

const (
	noNumber numeric = iota
	integer          // up to 2^53, which a float64 holds exactly
	long             // fits int64
	unsigned         // fits uint64
	number           // has a fraction or an exponent
)

// widen returns the kind that holds numbers of both kinds; false if there is none. It ignores that a place may
// have both negative numbers and numbers beyond int64: integers of that size are hashes and counters.
func widen(a, b numeric) (numeric, bool) {
	a, b = min(a, b), max(a, b)
	return b, b != number || a == number || a <= integer
}

// object is what was seen of the objects at one place.
type object struct {
	fields map[string]*shape // nil for a map
	values *shape            // the joined members of a map
}

// array is what was seen of the arrays at one place.
type array struct {
	items *shape // nil if all arrays were empty
}

// join returns the shape of everything in a and b. It may reuse parts of both.
func join(a, b *shape) *shape {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.any || b.any:
		return &shape{any: true}
	}
	both, ok := widen(a.number, b.number)
	if !ok {
		return &shape{any: true}
	}
	return &shape{
		null: a.null || b.null, boolean: a.boolean || b.boolean, text: a.text || b.text,
		number: both,
		object: joinObjects(a.object, b.object),
		array:  joinArrays(a.array, b.array),
	}
}

func joinArrays(a, b *array) *array {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return &array{join(a.items, b.items)}
}

func joinObjects(a, b *object) *object {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	out := newObject()
	for _, o := range []*object{a, b} {
		if o.fields == nil {
			out.generalize()
			out.values = join(out.values, o.values)
		}
		for name, s := range o.fields {
			out.add(name, s)
		}
	}
	out.detectMap()
	return out
}

func newObject() *object { return &object{fields: map[string]*shape{}} }

// add joins a member. Call detectMap after the last member.
func (o *object) add(name string, s *shape) {
	if o.fields == nil {
		o.values = join(o.values, s)
		return
	}
	o.fields[name] = join(o.fields[name], s)
	if isData(name) || len(o.fields) > maxProperties {
		o.generalize()
	}
}

// detectMap converts an object to a map if its member names look like data.
func (o *object) detectMap() {
	if o.fields != nil && alike(o.fields) {
		o.generalize()
	}
}

// generalize converts an object to a map.
func (o *object) generalize() {
	for _, s := range o.fields {
		o.values = join(o.values, s)
	}
	o.fields = nil
}

// members counts the named members in a shape.
func (s *shape) members() int {
	if s == nil {
		return 0
	}
	n := 0
	if s.array != nil {
		n += s.array.items.members()
	}
	if s.object != nil {
		n += s.object.values.members() + len(s.object.fields)
		for _, f := range s.object.fields {
			n += f.members()
		}
	}
	return n
}
