package gogen

// manifest.go of a generated package: what it was generated against.

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

const (
	manifestName = "manifest.go"
	snapshotName = "snapshot.json"
)

func manifestFile(p *ir.Package) *file {
	f := newFile(manifestName, p.Name, p.Server)
	f.addHandshake()
	f.jen.Anon(embedPath)
	f.plan.imports = append(f.plan.imports, `_ "embed"`)
	f.directive(embedSnapshot)
	f.jen.Var().Id("snapshot").String()
	f.expect(declaration{kind: "var", name: "snapshot"})
	refs := refsOf(p)
	if len(refs) > 0 {
		var specs []jen.Code
		var planned []declaration
		for _, r := range refs {
			specs = append(specs, r.code(p.Server))
			planned = append(planned, declaration{kind: "var", name: r.name, owner: r.owner})
		}
		f.add(comment("The tools and other items that this package calls, as they were when it was generated."), jen.Var().Defs(specs...), planned...)
	}

	args := []jen.Code{jen.Lit(p.Server), jen.Id("snapshot")}
	for _, r := range refs {
		args = append(args, jen.Line().Id(r.name))
	}
	if len(refs) > 0 {
		args = append(args, jen.Line())
	}
	manifest := jen.Qual(codecPath, "NewManifest").Call(args...)
	if p.Launch != "" {
		manifest = manifest.Dot("LaunchedAs").Call(jen.Lit(p.Launch))
	}
	f.function(comment(fmt.Sprintf("Manifest returns what the server %s offered when this package was generated.", quote(p.Server))),
		"", "Manifest", nil, []jen.Code{jen.Op("*").Qual(codecPath, "Manifest")}, returning(manifest))
	f.function(comment("Tools returns the tools of this package for a registry, by their qualified names. They call through inv; "+
		"with nil they take the invoker of each call's context."),
		"", "Tools", []jen.Code{jen.Id("inv").Qual(runtimePath, "Invoker")}, []jen.Code{jen.Index().Qual(runtimePath, "Tool")},
		returning(jen.Id("Manifest").Call().Dot("Tools").Call(jen.Id("inv"))))
	return f
}

// addHandshake makes the compiler reject a runtime that is too old.
func (f *file) addHandshake() {
	f.add(comment("This type ensures that this package and its runtime are compatible. If it is undefined, the "+
		"github.com/mcpgen/mcpgen in go.mod is older than the mcpgen that wrote this file. Run:",
		"    go get github.com/mcpgen/mcpgen@latest"),
		jen.Type().Id("_").Qual(codecPath, "GeneratedV4"), declaration{kind: "type", name: "_", members: []string{""}})
}

// itemRef is the variable that refers to an item. Nothing runs to make it, and the
// linker drops it with the last function that names it.
type itemRef struct {
	name      string
	kind      string // "" is a tool
	wire      string // name on the wire
	qualified string // of a tool, unless it is that of the default naming scheme
	pin       string
	place     int // 0 is unknown
	owner     owner
}

// refName is the variable for an item, by the Go name of its function.
func refName(function string) string { return "ref" + function }

// refsOf are the references of a package, or of a part of one.
func refsOf(p *ir.Package) []itemRef {
	var refs []itemRef
	for _, t := range p.Tools {
		qualified := t.Qualified
		if qualified == p.Server+"__"+t.Wire {
			qualified = ""
		}
		refs = append(refs, itemRef{refName(t.Go), "", t.Wire, qualified, t.Pin, t.Place, toolOwner(t)})
	}
	for _, item := range p.Prompts {
		refs = append(refs, itemRef{refName(item.Go), "prompt", item.Wire, "", item.Pin, item.Place, promptOwner(item)})
	}
	for _, item := range p.Resources {
		refs = append(refs, itemRef{refName(item.Go), "resource", item.URI, "", item.Pin, item.Place, resourceOwner(item)})
	}
	for _, item := range p.Templates {
		refs = append(refs, itemRef{refName(item.Go), "template", item.Wire, "", item.Pin, item.Place, templateOwner(item)})
	}
	return refs
}

func (r itemRef) code(server string) jen.Code {
	members := []jen.Code{jen.Id("Server").Op(":").Lit(server)}
	if r.kind != "" {
		members = append(members, jen.Id("Kind").Op(":").Lit(r.kind))
	}
	members = append(members, jen.Id("Name").Op(":").Op(gotext.Quote(r.wire)))
	if r.qualified != "" {
		members = append(members, jen.Id("Qualified").Op(":").Op(gotext.Quote(r.qualified)))
	}
	if r.place > 0 {
		members = append(members, jen.Id("Place").Op(":").Lit(r.place))
	}
	members = append(members, jen.Id("Pin").Op(":").Lit(r.pin))
	return jen.Id(r.name).Op("=").Qual(codecPath, "ItemRef").Values(members...)
}
