// Package decide turns what a server said (schema) into what will be generated
// (ir). Every Go name, type and doc comment is decided here and nowhere else.
//
// Everything a server says is taken for hostile. Identifiers come from scopes
// only, every loop has a bound, and a definition that makes no sense costs
// itself, never its neighbours. The rule for types is "looser, never stricter":
// what is not understood widens the type, and both the doc comment and a
// [Warning] say so.
package decide

import (
	"context"
	"errors"
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
)

// Input is one server and what the user wants of it. It is only read.
type Input struct {
	Server string // configured name
	// Package is the Go package name. Empty is PackageName(Server).
	Package  string
	Snapshot *schema.Snapshot
	// Names gives each tool's qualified name, by wire name. A tool that is not
	// in it is known by its wire name.
	Names map[string]string
	// Launch is the hash of how the server was started or reached when it was
	// locked; "" if that is not known.
	Launch string
	// Locked says which tools were accepted before and how, by wire name. Nil
	// is a server that was never locked.
	Locked map[string]Locked
	// Others is what Locked is, for prompts, resources and templates.
	Others map[schema.Kind]map[string]Locked
	// Include and Exclude are globs over wire names: * is any run of
	// characters, the slash too, ? one character, [a-z] one of a class, and a
	// backslash takes away the meaning of what follows. No Include is all
	// tools. Exclude wins.
	Include, Exclude []string
	// Rename gives a tool, by wire name, the Go name that it shall have.
	Rename map[string]string
	// Results type the results of tools that declare no schema, by wire name.
	// Those of other tools are not looked at. ResultsBefore are those that the
	// snapshot before was used with; only [AssignNames] reads them.
	Results, ResultsBefore map[string]Result
	// Strict makes every warning an error.
	Strict bool
}

// Locked is what the lock says of one item.
type Locked struct {
	// Pin is the contract hash. Empty is computed from the definition.
	Pin string
	// Names are the Go names that had to be numbered, as [AssignNames] gave
	// them out.
	Names map[string]string
	// Was are the names that a tool had before: wire names, and the Go names of
	// their functions.
	Was map[string]string
}

// Warning is something that was left out or typed more loosely than its schema.
type Warning struct {
	Server  string
	Kind    schema.Kind // of an item that is no tool; else empty
	Tool    string      // wire name of the item; empty for the server itself
	Pointer string      // JSON pointer into its definition; "" is the whole
	Reason  string
}

// Package decides everything about one generated package. Tools come out in byte
// order of their wire names, whatever order they were listed in.
//
// A tool that cannot be generated is left out, a schema that is not understood
// is typed more loosely; each is a warning, or with in.Strict part of the error,
// which names all of them. The other errors are the user's to mend: a package
// name, glob, rename or locked name that cannot be used.
func Package(ctx context.Context, in Input) (*ir.Package, []Warning, error) {
	w := newWarner(in.Server)
	all, err := decideAll(ctx, in, w, (*tool).settle)
	if err != nil {
		return nil, nil, err
	}
	if in.Strict {
		if err := strict(w.sorted()); err != nil {
			return nil, nil, err
		}
	}
	p := assemble(in, all.name, all.tools)
	p.Foreign = all.foreign
	assembleSurface(p, in, all.others)
	return p, w.sorted(), nil
}

// decided is what is in a package.
type decided struct {
	name    string
	tools   []*tool
	others  []*tool // what else the server offers
	foreign ir.Foreign
}

// decideAll makes the types of everything that is wanted and gives every name. It
// calls each when the types of a tool are there, and have no names yet.
func decideAll(ctx context.Context, in Input, w *warner, each func(*tool)) (*decided, error) {
	all := &decided{name: in.Package}
	if all.name == "" {
		all.name = PackageName(in.Server)
	}
	if err := errors.Join(checkPackage(in.Server, all.name), checkConfig(in, w)); err != nil {
		return nil, err
	}
	all.tools = collect(in, w)
	for _, t := range all.tools {
		if t.wanted {
			t.buildTypes(ctx, w)
			each(t)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
	}
	all.others = surface(in, w)
	a := newAssigner(in.Server, slices.Concat(all.tools, all.others), nil)
	if err := a.run(); err != nil {
		return nil, err
	}
	var err error
	all.foreign, err = a.formerNames()
	return all, err
}

// assemble puts the package together, now that everything has its name.
func assemble(in Input, name string, tools []*tool) *ir.Package {
	p := &ir.Package{
		Name: name, Server: in.Server, Launch: in.Launch, Title: serverTitle(in.Snapshot.Identity),
		Doc: packageDoc(name, in.Server, in.Snapshot),
	}
	for _, t := range tools {
		if !t.wanted {
			continue
		}
		qualified, ok := in.Names[t.wire]
		if !ok {
			qualified = t.wire
		}
		p.Tools = append(p.Tools, t.decided(qualified))
		p.Tools[len(p.Tools)-1].Former = t.former
		for _, d := range t.decls() {
			d.t.Doc.Lead = d.t.Go + " " + d.lead(t.wire)
			p.Types = append(p.Types, d.t)
		}
	}
	return p
}

// AssignNames returns the Go names that the lock has to remember, by kind, item
// and place in its definition: "" is the function, the pointer of a property its
// field, the keyword "type" of a schema its type, and below that, by JSON value,
// the constants of an enum; "/uriTemplate" is the reader of a template. Only
// names that met others are in it. In.Locked and in.Others are the lock as it was:
// what has a name there keeps it, and what is new is numbered behind it. Include,
// Exclude, Rename and Package play no part, since they may change without the
// lock.
//
// Before is the snapshot that in.Locked was made from. With it also the fields,
// types and constants that never had to be written down keep their names; nil
// is fine for a server that was never locked.
func AssignNames(ctx context.Context, in Input, before *schema.Snapshot) (map[schema.Kind]map[string]map[string]string, error) {
	in.Include, in.Exclude, in.Rename = nil, nil, nil
	var kept map[itemID]map[string]string
	if before != nil {
		was := in
		was.Snapshot, was.Results = before, in.ResultsBefore
		a, err := assignAll(ctx, was, nil)
		if err != nil {
			return nil, err
		}
		kept = a.all()
	}
	a, err := assignAll(ctx, in, kept)
	if err != nil {
		return nil, err
	}
	return a.locked(), nil
}

// assignAll names every item of a snapshot.
func assignAll(ctx context.Context, in Input, kept map[itemID]map[string]string) (*assigner, error) {
	w := newWarner(in.Server)
	tools := collect(in, w)
	for _, t := range tools {
		t.buildTypes(ctx, w)
		t.release()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	a := newAssigner(in.Server, slices.Concat(tools, surface(in, w)), kept)
	return a, a.run()
}
