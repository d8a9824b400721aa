package gogen

// manifest.go of a generated package: what it was generated against.

import (
	"encoding/json"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/limits"
)

const (
	manifestName = "manifest.go"
	snapshotName = "snapshot.json"
)

func manifestFile(p *ir.Package) *file {
	f := newFile(manifestName, p.Name, p.Server)
	addHandshake(f)
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
		f.add(comment("The tools and other items that this package calls, as the server defined them at generation."),
			jen.Var().Defs(specs...), planned...)
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
	f.function(comment("Manifest returns the tools and other items of this package, "+
		"as the server described them when the package was generated."),
		"", "Manifest", nil, []jen.Code{jen.Op("*").Qual(codecPath, "Manifest")}, returning(manifest))
	f.function(comment("Tools returns the tools for a registry, with qualified names. The tools call through inv. "+
		"If inv is nil, each call uses the invoker in its context."),
		"", "Tools", []jen.Code{jen.Id("inv").Qual(runtimePath, "Invoker")},
		[]jen.Code{jen.Index().Qual(runtimePath, "Tool")},
		returning(jen.Id("Manifest").Call().Dot("Tools").Call(jen.Id("inv"))))
	return f
}

// addHandshake makes the compiler reject a runtime that is too old.
func addHandshake(f *file) {
	f.add(comment("This type ensures that this package and its runtime are compatible. If the type is undefined, "+
		"the mcpgen that wrote this file is newer than the one that go.mod requires. Run:",
		"```\ngo get github.com/mcpgen/mcpgen@latest\n```"),
		jen.Type().Id("_").Qual(codecPath, "GeneratedV1"), declaration{kind: "type", name: "_", members: []string{""}})
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
	limits    string // as the codec reads them
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
		refs = append(refs, itemRef{refName(t.Go), "", t.Wire, qualified, t.Pin, t.Place, toolOwner(t), limitsText(t.Limits)})
	}
	for _, item := range p.Prompts {
		refs = append(refs, itemRef{refName(item.Go), "prompt", item.Wire, "", item.Pin, item.Place, promptOwner(item), ""})
	}
	for _, item := range ownResources(p) {
		refs = append(refs, itemRef{
			refName(item.Go), "resource", item.URI, "", item.Pin, item.Place, resourceOwner(item), "",
		})
	}
	for _, item := range p.Templates {
		refs = append(refs, itemRef{
			refName(item.Go), "template", item.Wire, "", item.Pin, item.Place, templateOwner(item), "",
		})
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
	if r.limits != "" {
		members = append(members, jen.Id("Limits").Op(":").Qual(codecPath, "Limits").Call(jen.Op(rawLit(r.limits))))
	}
	members = append(members, jen.Id("Pin").Op(":").Lit(r.pin))
	return jen.Id(r.name).Op("=").Qual(codecPath, "ItemRef").Values(members...)
}

// limitsText writes the limits of a tool's arguments as the codec reads them; "" if there
// are none.
func limitsText(of []ir.Limit) string {
	steps := func(list []ir.Step, tagged bool) map[string]int {
		out := map[string]int{}
		for _, s := range list {
			if tagged {
				s.Name = string(jsontext.Plain([]byte(s.Name)))
			}
			out[s.Name] = s.To
		}
		return out
	}
	var out []limits.Place
	for _, l := range of {
		p := limits.Place{
			Lacks: l.Lacks, Each: l.Each, In: steps(l.Members, l.Tag != ""), Tag: l.Tag,
			Kinds: steps(l.Kinds, false), OneOf: l.OneOf, Has: l.Has,
		}
		for _, value := range l.Not {
			p.Not = append(p.Not, jsontext.Text([]byte(value)))
		}
		out = append(out, p)
	}
	text, err := json.Marshal(out)
	if out == nil || err != nil {
		return ""
	}
	return string(text)
}
