package build

// A package with thousands of tools must not hold the schemas of all of them at
// once. What is needed of a schema when names are given is little: where its types
// stand. So the words are taken from it as soon as its types are made, and it is
// let go.

// settle writes what the docs of the tool's types say beside their names, and lets
// its schemas go. Those that an example is made of stay until the names are known.
func (t *tool) settle() {
	for _, d := range t.decls() {
		d.t.Doc = typeWords(d)
		for _, m := range d.members {
			m.f.Doc = fieldDoc(d.side, m)
		}
	}
	if t.args.exampleOf() == nil {
		t.args.release()
	}
	if t.resulted != nil {
		t.resulted.release()
	}
}

// release lets all schemas of the tool go.
func (t *tool) release() {
	for _, b := range t.sides() {
		b.release()
	}
}

// release lets the schemas of a side go. Nothing but names can be asked of it then.
func (b *side) release() {
	for _, d := range b.decls {
		d.place()
		d.v = nil
		for _, m := range d.members {
			m.schema = nil
		}
	}
	b.doc, b.queue, b.exprs, b.views, b.nulls = nil, nil, nil, nil, nil
	b.declaredIf, b.hints, b.variants = nil, nil, nil
}

// released says that the schemas are gone.
func (b *side) released() bool { return b.doc == nil }

// keepSchemas lets nothing go, for who wants to know what schemas say.
func keepSchemas(*tool) {}
