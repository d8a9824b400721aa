package decide

// Releasing schemas: a package with thousands of tools must not hold all of them in
// memory at once. Assigning names needs only the positions of types, so docs are written
// as soon as the types of a tool exist, and its schemas are released.

import (
	"fmt"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// documentAndRelease writes what the docs of the tool's types say beside their
// names, and releases its schemas. Those that an example is made of stay until the
// names are known.
func (t *tool) documentAndRelease() {
	of := byType(t.decls())
	for d := range t.decls() {
		d.document()
	}
	for d := range t.decls() {
		for _, m := range d.members { // what the field says, its type does not say again
			named := of[m.f.Type.Base().Decl]
			if named != nil && !named.position().definition && named.t.Doc.Server == m.f.Doc.Server {
				named.t.Doc.Server = ""
			}
		}
	}
	if exampleOf(t.args) == nil {
		t.args.release()
	}
	if t.resulted != nil {
		t.resulted.release()
	}
}

// short is doc, or nothing once the docs of the side are too long: thousands of fields
// can share one description.
func (b *side) short(doc ir.Doc) ir.Doc {
	b.budget.words += len(doc.Server)
	for _, note := range doc.Notes {
		b.budget.words += len(note)
	}
	if b.budget.words <= b.budget.share*maxWords {
		return doc
	}
	size := b.budget.share * maxWords >> 20
	b.warn("", fmt.Sprintf("the comments of the package exceed %d MiB: some comments are left out", size))
	return ir.Doc{}
}

func (t *tool) release() {
	for _, b := range t.sides {
		b.release()
	}
}

// release releases the schemas of a side. Afterwards only names can be assigned.
func (b *side) release() {
	for _, d := range b.decls {
		d.position()
		d.v = nil
		for _, m := range d.members {
			m.schema = nil
		}
	}
	b.maker = nil
}

func (b *side) released() bool { return b.maker == nil }
