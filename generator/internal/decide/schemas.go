package decide

// Types of schemas that belong to no tool. Programs read and write their values, so the types
// are made as for results: no part of a value is lost.
//
// The schema of each file has a type, and so has each definition in it. A type is named after
// the file or the definition, or after both if several files have a definition of that name.
// Nested types are named after their places and are not shared, so a name depends on other
// schemas only if two names clash.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// maxShare bounds how many tools' bounds a set of schemas has.
const maxShare = 40

// listed is a schema that has a type under its own name.
type listed struct {
	s     *jsonschema.Schema
	whole bool   // it is that of a file
	name  string // after the file, or the definition
	file  string // what the file adds to the name where others have it, too
}

// Schemas decides about a package of types alone. Doc is a document of the parts, whose
// names are slash paths of files, which warnings have as their servers. A part with Schemas
// that are not nil is no schema itself.
func Schemas(ctx context.Context, pkg string, doc *jsonschema.Document, parts []jsonschema.Part) (
	*ir.Package, []Warning, error,
) {
	w := newWarner("", "")
	t := &tool{item: item{wire: "schemas", wanted: true}}
	t.functions = []*function{{}}
	b := newSide(ctx, &source{w: w, it: &t.item, results: true, alone: true}, doc)
	for _, p := range doc.Problems {
		b.warn(p.Pointer, p.Reason)
	}
	list, err := b.namedSchemas(parts)
	if err != nil {
		return nil, nil, err
	}
	b.budget.share = min(max(len(list), 1), maxShare)
	t.sides = []*side{b}
	b.declareListed(list)
	a := newAssigner("", []*item{&t.item}, nil, nil)
	a.scope = newScope(universe())
	_ = nameFields("", a.items, nil) // nothing is locked
	own := func(d *decl) bool { return b.called.titles[d.pointer] != "" }
	a.free(typeIdentifiers(&t.item, own))
	a.free(typeIdentifiers(&t.item, func(d *decl) bool { return !own(d) }))
	a.free(typeMembers(&t.item))
	(&decided{tools: []*tool{t}}).roomForNumbers()
	p := &ir.Package{Name: pkg, Doc: ir.Doc{Lead: schemasDoc(pkg, parts)}}
	mentioned := mentionsOf([]*tool{t})
	for _, d := range b.decls {
		d.document()
		d.t.Doc.Lead = d.t.Go + " " + d.lead("", mentioned[d.t])
		if d.t.Kind == ir.Union && own(d) {
			d.t.Reader = a.scope.unique("Unmarshal"+d.t.Go, "a function", nil)
		}
		p.Types = append(p.Types, d.t)
	}
	slices.SortFunc(p.Types, func(x, y *ir.Type) int { return cmp.Compare(x.Go, y.Go) })
	return p, inFiles(w.sorted()), ctx.Err()
}

// inFiles returns the warnings with the places that they are about.
func inFiles(warnings []Warning) []Warning {
	for i, w := range warnings {
		w.Tool = ""
		if w.Server, w.Pointer = jsonschema.PartOf(w.Pointer); strings.Contains(w.Reason, "refers to another document") {
			w.Step = "pass the file that it is in, too"
		}
		warnings[i] = w
	}
	return warnings
}

// schemasDoc is the first sentence of the package.
func schemasDoc(pkg string, parts []jsonschema.Part) string {
	var files []string
	for _, part := range parts {
		files = append(files, clean(part.Name))
	}
	return fmt.Sprintf("Package %s has the types of the schemas in %s.", pkg, firstOf(files))
}

// namedSchemas finds the schemas that have a type, and gives them their names.
func (b *side) namedSchemas(parts []jsonschema.Part) ([]listed, error) {
	var list []listed
	var errs []error
	for i, part := range parts {
		before := len(list)
		root := b.doc.Root.Defs[i].Schema
		stem, _, _ := strings.Cut(path.Base(part.Name), ".")
		b.called.titles[root.Pointer] = cmp.Or(stem, "schema")
		folder := strings.ReplaceAll(path.Dir(part.Name), "/", " ")
		own := listed{s: root, whole: true, name: fileName(stem, root), file: folder}
		if part.Schemas == nil && describesValues(root) {
			list = append(list, own)
		}
		for _, d := range root.Defs {
			list = append(list, listed{s: d.Schema, name: d.Name, file: own.name})
		}
		for _, pointer := range part.Schemas {
			if s := b.doc.Lookup(root.Pointer + pointer); s != nil {
				list = append(list, listed{s: s, name: jsontext.UnescapePointer(path.Base(pointer)), file: own.name})
			}
		}
		if len(list) == before {
			errs = append(errs, hint.New(clean(part.Name)+": the file has no schema for a value",
				"pass a JSON Schema, or an OpenAPI document with components/schemas"))
		}
	}
	holders := map[string]int{}
	list = b.withoutSynonyms(list)
	for _, l := range list {
		holders[exported(l.name)]++
	}
	for _, l := range list {
		if holders[exported(l.name)] > 1 && !(l.whole && l.file == ".") {
			l.name = l.file + " " + l.name
		}
		b.called.titles[l.s.Pointer] = l.name
	}
	return list, errors.Join(errs...)
}

// fileName is what the schema of a file is called: after the file, unless that is called
// what any could be.
func fileName(stem string, root *jsonschema.Schema) string {
	switch strings.ToLower(stem) {
	case "", "schema", "index", "root":
		if len(root.Title) <= maxTitle {
			return cmp.Or(root.Title, stem, "schema")
		}
	}
	return cmp.Or(stem, "schema")
}

// describesValues reports whether the schema of a file says more than what it is called and defines.
func describesValues(s *jsonschema.Schema) bool {
	for keyword := range s.Keywords {
		switch keyword {
		case "$schema", "$id", "$anchor", "$defs", "definitions", "title", "description", "default",
			"examples", "example", "deprecated", "readOnly", "writeOnly":
			continue
		}
		if jsonschema.Known(keyword) {
			return true
		}
	}
	return false
}

// withoutSynonyms drops what only refers to another one of the list of the same name, as
// a file does that refers to its own main definition.
func (b *side) withoutSynonyms(list []listed) []listed {
	names := map[*jsonschema.Schema]string{}
	for _, l := range list {
		names[l.s] = exported(l.name)
	}
	return slices.DeleteFunc(list, func(l listed) bool {
		if l.s.Ref == "" || !b.onlyRefers(l.s) {
			return false
		}
		target, err := b.doc.Resolve(l.s)
		return err == nil && target != l.s && names[target] == exported(l.name)
	})
}

// declareListed makes the types of the schemas in the list.
func (b *side) declareListed(list []listed) {
	all := &ir.Type{Kind: ir.Struct}
	b.root = &ir.Ref{Kind: ir.Named, Decl: all}
	var lists []*ir.Type
	for _, l := range list {
		e := b.expr(l.s)
		if e.ref.Kind != ir.Named || e.ref.Decl.Path != b.path(l.s) {
			d := b.declare(ir.Alias, l.s)
			d.notes = append(slices.Clip(e.notes), facts(l.s)...)
			if d.t.Of = exactRoot(e.ref); !l.whole && e.ref.Elem == nil {
				d.t.Of = e.ref
			}
			switch null := b.lacksNull(e.ref, l.s); {
			case null && d.t.Of.Elem == nil:
				d.t.Of = pointer(d.t.Of)
				d.notes = append(d.notes, "Nil is null.")
			case null && d.t.Of.Kind == ir.Array:
				b.warnNull(l.s)
			case d.t.Of.Kind == ir.Basic:
				d.t.Kind, d.t.Open, d.t.Base, d.t.Of = ir.Enum, true, d.t.Of.Name, nil
			}
			lists = append(lists, d.t)
			e.ref = named(d)
		} else if b.lacksNull(e.ref, l.s) {
			b.warnNull(l.s)
		}
		all.Fields = append(all.Fields, &ir.Field{Type: e.ref})
	}
	b.finish()
	for _, t := range lists {
		t.Decodes = true
	}
}

// lacksNull reports whether a schema allows null and its type has no value for it.
func (b *side) lacksNull(ref *ir.Ref, s *jsonschema.Schema) bool {
	return !holdsNull(ref) && b.typed(s) && b.admitsNull(s)
}

// warnNull warns about a type that has no value for null. Where a member or an item has this type, a pointer has one.
func (b *side) warnNull(s *jsonschema.Schema) {
	b.w.add(b.it.wire, b.at+s.Pointer, "null is valid, but the type has no value for null",
		"decode null into a pointer to the type")
}
