package decide

// A type with several places stays one type after an edit at one of them, if one type can
// hold the values of all places. An enum then has the values of all places, and a struct the
// members of all places. A member that a place lacks is optional, unless code reads it at
// another place as always there: then the place gets a separate type. Results may have more
// than their place declares, also members that no place declares. Arguments may not: a call
// with a member or value that its place lacks is refused before it is sent (limits.go). If
// limits cannot find a place, that place gets a separate type.
//
// Only a type that was one stays one. The lock records which places belong together: the
// place that the short name was given for has the name, and each place that differs has
// the name under a "like" key. Without such keys, only equal types are one: see classes.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// bond is a set of types that differ and stay one type.
type bond struct {
	decls []*decl // the first has the name
}

// content is a decl without its names.
type content struct {
	t      ir.Type
	fields []ir.Field // of t
	values []string
}

func contentOf(d *decl) content {
	c := content{t: *d.t, values: d.values}
	for _, f := range d.t.Fields {
		c.fields = append(c.fields, *f)
	}
	return c
}

// restore undoes what widen did to a decl.
func (c content) restore(d *decl) {
	d.lacks, d.own, *d.t, d.values = nil, "", c.t, c.values
	for i, f := range d.t.Fields {
		*f = c.fields[i]
	}
}

// bonds returns the types that differ and share a name, or shared one before.
func (fd *finder) bonds() []*bond {
	byName, taken := map[string]*bond{}, map[string]bool{}
	var all []*bond
	for _, it := range fd.items {
		if len(it.given) == 0 && len(fd.kept[it.id()]) == 0 {
			continue
		}
		for _, d := range inOrder(it.decls()) {
			given := it.given[d.key(shapeKey)]
			if d.isRoot() || !it.wanted && given == "" {
				continue
			}
			if taken[given] { // two branches gave it
				given = ""
			}
			taken[given] = given != ""
			var own *bond
			for _, name := range []string{given, it.given[d.key(likeKey)], fd.kept[it.id()][d.key(shapeKey)]} {
				switch b := byName[name]; {
				case name == "" || b != nil && b == own:
				case b == nil && own == nil:
					own = &bond{}
					all = append(all, own)
					byName[name] = own
				case b == nil:
					byName[name] = own
				case own == nil:
					own = b
				default: // the type has both names
					b.decls, own.decls = append(b.decls, own.decls...), nil
					for other, of := range byName {
						if of == own {
							byName[other] = b
						}
					}
					own = b
				}
			}
			if own != nil {
				own.decls = append(own.decls, d)
			}
		}
	}
	return slices.DeleteFunc(all, func(b *bond) bool {
		fd.home(b)
		return len(b.decls) < 2 || !b.differs()
	})
}

// differs reports whether the types of a bond are not all equal.
func (b *bond) differs() bool {
	first := describe(b.decls[0].t, func(*ir.Type) {})
	return slices.ContainsFunc(b.decls, func(d *decl) bool { return describe(d.t, func(*ir.Type) {}) != first })
}

// finder finds equal types, and types that stay one type. The fields of
// types already have their names.
type finder struct {
	items   []*item
	kept    map[ItemID]map[string]string // names that items had before
	changed map[*decl]bool               // by the edit
}

// shapes returns the equal types. Types that stay one type are joined first.
func (fd *finder) shapes() []*shape {
	same := classes(fd.items)
	bonds := fd.bonds()
	if len(bonds) > 0 {
		of := map[*decl][]*decl{}
		for _, class := range same {
			for _, d := range class {
				of[d] = class
			}
		}
		for _, b := range bonds {
			b.addEqual(of, func(d *decl) bool { // a type that has a short name, or had one
				it := d.side.it
				return it.given[d.key(shapeKey)] != "" || fd.kept[it.id()][d.key(shapeKey)] != ""
			})
		}
		same = fd.bind(bonds, same)
	}
	shapes := make([]*shape, len(same))
	for i, class := range same {
		shapes[i] = &shape{occurrences: class}
	}
	return shapes
}

// addEqual adds to the bond the types that equal one of its types, unless one of them has a
// short name.
func (b *bond) addEqual(of map[*decl][]*decl, named func(*decl) bool) {
	known := map[*decl]bool{}
	for _, d := range b.decls {
		known[d] = true
	}
	for _, d := range b.decls {
		if slices.ContainsFunc(of[d], func(more *decl) bool { return !known[more] && named(more) }) {
			continue
		}
		for _, more := range of[d] {
			if !known[more] {
				known[more], b.decls = true, append(b.decls, more)
			}
		}
	}
}

// bind widens types until those of each bond are equal, and returns the classes. A type that
// cannot become equal leaves its bond.
func (fd *finder) bind(bonds []*bond, same [][]*decl) [][]*decl {
	unclear := unclearTypes(fd.items)
	for len(bonds) > 0 {
		was := map[*decl]content{}
		for _, b := range bonds {
			b.widen(was, unclear, fd.wasRequired)
		}
		same = classes(fd.items)
		class := map[*decl]int{}
		for i, decls := range same {
			for _, d := range decls {
				class[d] = i
			}
		}
		whole := true
		for _, b := range bonds {
			stay := slices.DeleteFunc(slices.Clone(b.decls), func(d *decl) bool { return class[d] != class[b.decls[0]] })
			whole, b.decls = whole && len(stay) == len(b.decls), stay
		}
		if whole {
			break
		}
		for d, c := range was {
			c.restore(d)
		}
		bonds = slices.DeleteFunc(bonds, func(b *bond) bool { return len(b.decls) < 2 })
		same = nil
	}
	if same == nil {
		same = classes(fd.items)
	}
	return same
}

// widen makes the types of a bond equal, apart from the types that they name, and notes in
// was what they were. Types that cannot become equal stay unchanged.
func (b *bond) widen(was map[*decl]content, unclear map[*decl]bool, required func(*decl, *ir.Field) bool) {
	var all union
	decls := slices.DeleteFunc(slices.Clone(b.decls), func(d *decl) bool { _, done := was[d]; return done })
	for again := true; again && len(decls) > 1; {
		all, again = union{required: required, read: map[string]bool{}}, false
		decls = slices.DeleteFunc(decls, func(d *decl) bool { return !all.add(d) })
		for i, d := range decls {
			if unclear[d] && len(lacking(d.t, &all.t)) > 0 {
				decls, again = slices.Delete(decls, i, i+1), true
				break
			}
		}
	}
	for _, d := range decls {
		was[d] = contentOf(d)
		d.own = describe(d.t, func(*ir.Type) {})
		d.lacks = lacking(d.t, &all.t)
		if !d.side.it.wanted { // it is not generated
			d.t.Fields, d.t.Consts, d.values = nil, nil, nil
		}
		d.t.Fields, d.t.Consts, d.t.Variants = slices.Clone(d.t.Fields), slices.Clone(d.t.Consts), slices.Clone(d.t.Variants)
		for _, f := range all.t.Fields {
			if own := fieldOf(d.t, f.Wire); own != nil {
				own.Type, own.Presence = f.Type, f.Presence
				continue
			}
			more := *f
			d.t.Fields = append(d.t.Fields, &more)
		}
		d.t.Extra = all.t.Extra
		d.values = slices.Clone(d.values)
		for i, c := range all.t.Consts {
			if !hasConst(d.t, c.Value) {
				d.t.Consts, d.values = append(d.t.Consts, ir.Const{Value: c.Value}), append(d.values, all.values[i])
			}
		}
		for i := range d.t.Variants {
			d.t.Variants[i].Match.Rank = all.t.Variants[i].Match.Rank
		}
	}
}

func hasConst(t *ir.Type, value string) bool {
	return slices.ContainsFunc(t.Consts, func(c ir.Const) bool { return c.Value == value })
}

// lacking returns the members and values of all that t lacks: members by their wire names,
// constants by their Go spelling.
func lacking(t, all *ir.Type) []string {
	var out []string
	for _, f := range all.Fields {
		if !slices.ContainsFunc(t.Fields, func(own *ir.Field) bool { return own.Wire == f.Wire }) {
			out = append(out, f.Wire)
		}
	}
	for _, c := range all.Consts {
		if !hasConst(t, c.Value) {
			out = append(out, c.Value)
		}
	}
	return out
}

// union is a type that holds the values of several.
type union struct {
	t      ir.Type
	values []string
	sent   bool // some are of arguments

	required func(*decl, *ir.Field) bool // see [finder.wasRequired]
	read     map[string]bool             // wire names of the members for which it is true
}

// add adds the members and values that only d has, if one type can hold both. Types that they
// name count as equal.
func (u *union) add(d *decl) bool {
	if !d.side.it.wanted { // it gives nothing
		return true
	}
	t := d.t
	if u.t.Path == "" {
		u.t, u.values, u.sent = *t, slices.Clone(d.values), !d.side.results
		u.t.Fields, u.t.Consts = slices.Clone(t.Fields), slices.Clone(t.Consts)
		u.noteRead(d)
		return true
	}
	core := func(t ir.Type) string { // the part that cannot be widened
		t.Consts, t.Variants = nil, slices.Clone(t.Variants)
		if t.Kind == ir.Struct {
			t.Fields = nil
		}
		if u.t.Extra == nil && !u.sent || d.t.Extra == nil && d.side.results {
			t.Extra = nil
		}
		for i := range t.Variants {
			t.Variants[i].Match.Rank = 0
		}
		return describe(&t, func(*ir.Type) {})
	}
	if core(u.t) != core(*t) || t.Kind == ir.Enum && (t.Open || t.Partial || t.Base != "string") &&
		len(lacking(t, &u.t))+len(lacking(&u.t, t)) > 0 {
		return false
	}
	var fields []*ir.Field
	if t.Kind == ir.Struct {
		if fields = u.fields(d); fields == nil {
			return false
		}
		u.t.Fields = fields
		u.noteRead(d)
	}
	u.sent = u.sent || !d.side.results
	u.t.Extra = cmp.Or(u.t.Extra, t.Extra)
	for i, c := range t.Consts {
		if !hasConst(&u.t, c.Value) {
			u.t.Consts, u.values = append(u.t.Consts, c), append(u.values, d.values[i])
		}
	}
	return len(u.t.Consts) <= maxConsts
}

// fields returns the fields of u and of d together; nil if one struct cannot hold both.
func (u *union) fields(d *decl) []*ir.Field {
	out := make([]*ir.Field, 0, len(u.t.Fields))
	taken := map[string]bool{}
	received := !u.sent && d.side.results
	for _, f := range u.t.Fields {
		taken[f.Go] = true
		own := fieldOf(d.t, f.Wire)
		switch {
		case own == nil:
			f = sometimes(f, received && !u.read[f.Wire])
		case own.Presence != f.Presence && received && !u.read[f.Wire] && !u.required(d, own):
			own, f = sometimes(own, true), sometimes(f, true)
		case holdsMap(own.Type, f.Type):
			f = withType(f, own.Type)
		case holdsMap(f.Type, own.Type):
			own = withType(own, f.Type)
		}
		said := func(f *ir.Field) string { return describe(&ir.Type{Fields: []*ir.Field{f}}, func(*ir.Type) {}) }
		if f == nil || own != nil && said(own) != said(f) {
			return nil
		}
		out = append(out, f)
	}
	for _, f := range d.t.Fields {
		if fieldOf(&u.t, f.Wire) != nil {
			continue
		}
		if f = sometimes(f, received && !u.required(d, f)); f == nil || taken[f.Go] {
			return nil
		}
		out = append(out, f)
	}
	return out
}

// noteRead notes the members of d that code reads as always there.
func (u *union) noteRead(d *decl) {
	for _, f := range d.t.Fields {
		if u.required(d, f) {
			u.read[f.Wire] = true
		}
	}
}

// wasRequired reports whether a member of a result is and was required, so that code reads it
// without a check.
func (fd *finder) wasRequired(d *decl, f *ir.Field) bool {
	i := slices.IndexFunc(d.members, func(m *member) bool { return m.f == f })
	return i >= 0 && f.Presence == ir.Required && fd.kept[d.side.it.id()][d.members[i].requiredKey()] != ""
}

// requiredKey is where [assigner.all] notes that a member is required: at a keyword that no
// schema of a member has. It is not in the lock.
func (m *member) requiredKey() string { return m.key + "/required" }

// sometimes returns a member as one that some places lack; nil if it cannot be that. One that
// is required can in results alone.
func sometimes(f *ir.Field, received bool) *ir.Field {
	if f.Presence == ir.Required {
		if !received || f.Null || f.Type.Kind == ir.Pointer {
			return nil
		}
		more := *f
		if more.Presence = ir.OmitZero; !holdsNil(f.Type) && f.Type.Kind != ir.Number {
			more.Type = pointer(f.Type)
		}
		f = &more
	}
	if byValue(f.Type) != nil { // a struct that gets such a field might contain itself
		return nil
	}
	return f
}

// holdsMap reports whether a pointer to a struct holds each value of a map: the struct takes
// any member, and each declared one is optional.
func holdsMap(r, of *ir.Ref) bool {
	if r.Kind != ir.Pointer || r.Elem.Kind != ir.Named || r.Elem.Decl.Extra == nil || of.Kind != ir.Map {
		return false
	}
	required := slices.ContainsFunc(r.Elem.Decl.Fields, func(f *ir.Field) bool { return f.Presence == ir.Required })
	names := false
	text := func(value *ir.Ref) string { return describe(&ir.Type{Of: value}, func(*ir.Type) { names = true }) }
	return !required && text(r.Elem.Decl.Extra) == text(of.Elem) && !names
}

func withType(f *ir.Field, t *ir.Ref) *ir.Field {
	more := *f
	more.Type = t
	return &more
}

// fieldOf returns the member of a struct with a wire name; nil if it has none.
func fieldOf(t *ir.Type, wire string) *ir.Field {
	for _, f := range t.Fields {
		if f.Wire == wire {
			return f
		}
	}
	return nil
}

// maxListed bounds the places that a comment lists.
const maxListed = 4

// where notes in the docs of t the places of a member or constant that is not at all places.
func where(t *ir.Type, places []*decl) {
	note := func(key string) string {
		lacks := func(d *decl) bool { return slices.Contains(d.lacks, key) }
		if !slices.ContainsFunc(places, lacks) {
			return ""
		}
		var in, out []string
		for _, d := range places {
			list := &in
			if lacks(d) {
				list = &out
			}
			if who := d.side.it.who(); !slices.Contains(*list, who) {
				*list = append(*list, who)
			}
		}
		if slices.ContainsFunc(in, func(who string) bool { return slices.Contains(out, who) }) { // a tool has both
			in, out = nil, nil
			for _, d := range places {
				if lacks(d) {
					out = append(out, d.who())
				} else {
					in = append(in, d.who())
				}
			}
		}
		word, list := "Only", in
		if len(out) < len(in) {
			word, list = "Not", out
		}
		if more := len(list) - maxListed; more > 0 {
			list = append(list[:maxListed:maxListed], fmt.Sprintf("%d other places", more))
		}
		return word + " in " + strings.Join(list, ", ") + "."
	}
	for _, f := range t.Fields {
		if says := note(f.Wire); says != "" {
			f.Doc.Notes = append(slices.Clip(f.Doc.Notes), says)
		}
	}
	for i, c := range t.Consts {
		t.Consts[i].Note = note(c.Value)
	}
}
