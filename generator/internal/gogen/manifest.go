package gogen

// manifest.go of a generated package: what it was generated against.

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

const (
	manifestName = "manifest.go"
	snapshotName = "snapshot.json"
)

func manifestFile(p *ir.Package) *file {
	f := newFile(manifestName, p.Name, p.Server)
	f.jen.Anon(embedPath)
	f.directive(embedSnapshot)
	f.jen.Var().Id("snapshot").String()

	args := []jen.Code{jen.Lit(p.Server), jen.Id("snapshot")}
	for _, t := range p.Tools {
		args = append(args, jen.Line().Qual(runtimePath, "Pinned").Values(
			jen.Id("Tool").Op(":").Lit(t.Wire), jen.Id("Name").Op(":").Lit(t.Qualified), jen.Id("Pin").Op(":").Id(pinName(t))))
	}
	if len(p.Tools) > 0 {
		args = append(args, jen.Line())
	}
	manifest := jen.Qual(runtimePath, "NewManifest").Call(args...)
	if p.Launch != "" {
		manifest = manifest.Dot("LaunchedAs").Call(jen.Lit(p.Launch))
	}
	f.add(comment(fmt.Sprintf("Manifest tells what the server %s offered when this package was generated.", quote(p.Server))),
		jen.Func().Id("Manifest").Params().Op("*").Qual(runtimePath, "Manifest").Block(jen.Return(manifest)))
	f.add(comment("Tools returns the tools of this package for a registry, by their qualified names. They call through inv; "+
		"with nil they take the invoker of each call's context."),
		jen.Func().Id("Tools").Params(jen.Id("inv").Qual(runtimePath, "Invoker")).Index().Qual(runtimePath, "Tool").Block(
			jen.Return(jen.Id("Manifest").Call().Dot("Tools").Call(jen.Id("inv"))),
		))
	return f
}
