package decide

// A declared type: where it is, what it was, and where the lock keeps its names.

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// decl is a declared type before it has its name.
type decl struct {
	t          *ir.Type
	side       *side              // set when all types of the side are made
	v          *jsonschema.Schema // nil once the side was released
	pointer    string             // of v
	notes      []string
	members    []*member
	values     []string // Enum: the wire values of t.Consts, as JSON
	where      *position
	from       string // the schema's own place, where v has the place of its name
	definition string // the name of the definition that lists the types, where v is at a place that refers to it

	// Set if it stays one type with others that differ: see bond.
	lacks []string // members and values that t has only for other places
	own   string   // its description without those
	like  string   // the name for likeKey

	unnamed bool // it has its name by place alone, by the lock: see placedKey

	// Set when equal types are declared once.
	synonyms  []ir.Synonym // its names after its place, where it is declared under others
	elsewhere bool         // t is declared at another place
	places    []*decl      // where t is, if it is declared here for several places
}

// The lock keeps its entries about a type at keywords of the type's schema. JSON Schema has only
// the first of these keywords. The schema's own place is that of a field.
const (
	typeKey   = "/type"   // its name by place, whether or not the schema has the keyword
	shapeKey  = "/shape"  // the short name that it was given
	likeKey   = "/like"   // the short name of a shape that it belongs to but differs from
	placedKey = "/placed" // that it has no short name
	// originKey has the former name by place that a short name is made of, if the place that
	// has it now lacks the words.
	originKey = "/origin"
	// ownKey is not in the lock: [assigner.all] notes there what a type was, apart from the
	// types that it names.
	ownKey = "/own"
)

// NamesShape reports whether a place in the lock has the short name of a type, and not that of a field.
func NamesShape(place string) bool {
	return strings.HasSuffix(place, shapeKey) && !strings.HasSuffix(place, "/properties"+shapeKey)
}

// key is the place of one of these.
func (d *decl) key(keyword string) string { return d.side.at + d.pointer + keyword }

// inOrder returns types in byte order of their places.
func inOrder(decls iter.Seq[*decl]) []*decl {
	return slices.SortedStableFunc(decls, func(x, y *decl) int { return cmp.Compare(x.key(typeKey), y.key(typeKey)) })
}

// byType finds types by what is generated for them.
func byType(decls iter.Seq[*decl]) map[*ir.Type]*decl {
	of := map[*ir.Type]*decl{}
	for d := range decls {
		of[d.t] = d
	}
	return of
}

// isRoot reports whether d is described by the side's schema itself.
func (d *decl) isRoot() bool { return d.side.rootType() == d.t }

// position is the position of the type. It needs all types of the side the first time,
// and no schema after that.
func (d *decl) position() position {
	if d.where == nil {
		p := d.side.called.locate(d.pointer)
		p.name, p.word = d.side.it.caps.spell(p.name), d.side.it.caps.spell(p.word)
		for i, part := range p.parts {
			p.parts[i] = d.side.it.caps.spell(part)
		}
		d.where = &p
	}
	return *d.where
}

// lastPart returns the last part of the path of a type, "" if the path is empty.
func (d *decl) lastPart() string {
	if parts := d.position().parts; len(parts) > 0 {
		return parts[len(parts)-1]
	}
	return ""
}

// property is the Go name of the property that has the type, "" if it is not that of one.
func (d *decl) property() string {
	above, name := path.Split(d.pointer)
	if !strings.HasSuffix(above, "/properties/") {
		return ""
	}
	return part(jsontext.UnescapePointer(name))
}

// who describes the position of a type in messages.
func (d *decl) who() string {
	words := d.position().words
	if words == "" {
		return "a type of " + d.side.it.who()
	}
	return quote(words) + " in " + d.side.it.who()
}

// describeOwn describes a type by what its own place says.
func (d *decl) describeOwn() string {
	if d.own != "" {
		return d.own
	}
	return describe(d.t, func(*ir.Type) {})
}

// widens says why values of a field that no member has are wider than the schema.
func (d *decl) widens(field string, notes []string) {
	for _, note := range notes {
		d.notes = append(d.notes, "In "+field+": "+note)
	}
}

// identifiers returns the constants and types whose names begin with the type's name. T is the
// type, or the equal type that replaces it. The lock keeps the type's name at key.
func (d *decl) identifiers(key string, t *ir.Type) []identifier {
	var out []identifier
	texts := map[string]string{} // by key
	names, addresses, caps := constantNames(d.values), addressNames(d.values), d.side.it.caps
	of := cmp.Or(t.Go, d.asks())
	for i, value := range d.values {
		key := key + "/" + jsontext.EscapePointer(value)
		texts[key] = constantText(value)
		id := identifier{
			of: d.side.it, key: key, who: "a constant of " + d.side.it.who(), base: join(of, caps.spell(names[i])),
			plain: join(of, caps.spell(part(constantText(value)))), into: &t.Consts[i].Go, types: true,
		}
		if addresses[i] != "" {
			id.short = join(of, caps.spell(addresses[i]))
		}
		out = append(out, id)
	}
	slices.SortStableFunc(out, func(x, y identifier) int { return cmp.Compare(texts[x.key], texts[y.key]) })
	if d.t.Kind == ir.Union {
		out = append(out, identifier{
			of: d.side.it, key: key + "/other", who: "a type of " + d.side.it.who(),
			base: join(of, "Other"), into: &t.Other, types: true,
		})
	}
	return out
}

// asks is the name after its place that a type asks for. It begins with the name of the
// item's function, or while that has none, with the one that it asks for.
func (d *decl) asks() string {
	f := d.side.it.functions[0]
	name := join(cmp.Or(f.goName, f.base), d.side.word)
	if d.isRoot() {
		return name
	}
	return capital(join(name, d.position().name))
}
