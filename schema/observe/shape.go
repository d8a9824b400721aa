package observe

// What has been seen at one place, and how two of that become one. A join is
// commutative, associative and idempotent; so is what makes maps of objects,
// because no join takes away what its rules ask for.

// shape is what was seen at one place. A nil shape is nothing.
type shape struct {
	any                 bool // everything; the rest is then empty
	null, boolean, text bool
	number              numeric
	object              *object
	array               *array
}

// numeric is a kind of number, by what holds it exactly.
type numeric int

const (
	noNumber numeric = iota
	integer          // up to 2^53, which a float64 holds too
	long             // fits int64
	unsigned         // fits uint64
	number           // has a fraction or an exponent
)

// widen returns what holds numbers of both kinds; false if nothing does. (That
// one place has both numbers below zero and beyond int64 is left out of account:
// hashes and counters are the integers of that size.)
func widen(a, b numeric) (numeric, bool) {
	a, b = min(a, b), max(a, b)
	return b, b != number || a == number || a <= integer
}

// object is what was seen of objects at one place.
type object struct {
	fields map[string]*shape // nil: a map
	values *shape            // of a map: all its members
}

// array is what was seen of arrays at one place.
type array struct {
	items *shape // nil: they were empty
}

// join returns what a and b are together. It may use parts of both.
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

// add joins a member in. Call detectMap when all are there.
func (o *object) add(name string, s *shape) {
	if o.fields == nil {
		o.values = join(o.values, s)
		return
	}
	o.fields[name] = join(o.fields[name], s)
	if isData(name) || len(o.fields) > MaxProperties {
		o.generalize()
	}
}

// detectMap makes a map of an object whose members look like data.
func (o *object) detectMap() {
	if o.fields != nil && alike(o.fields) {
		o.generalize()
	}
}

// generalize makes a map of an object.
func (o *object) generalize() {
	for _, s := range o.fields {
		o.values = join(o.values, s)
	}
	o.fields = nil
}

// members counts the named members below a shape.
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
