package gogen

// The main file of a generated package: the client, and a method and a function
// for each tool.

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// Names are the files of a package in its own folder: its calls, types, other names and
// manifest.
func Names(pkg string) []string {
	return []string{clientName(pkg), typesName, namesName, manifestName}
}

// clientName is the name of the main file: the package's own, unless the go
// command would take its end for a platform or a test, or another file has it.
func clientName(pkg string) string {
	name := pkg + ".go"
	if strings.Contains(pkg, "_") || name == typesName || name == namesName || name == manifestName {
		return "client.go"
	}
	return name
}

func clientFile(u unit) *file {
	var doc []string
	if u.first {
		doc = packageDoc(u.Package)
	}
	f := newFile(clientName(u.Name), u.Name, u.Server, doc...)
	if u.first {
		addClient(f, u.Package)
	}
	addTools(f, u.Package)
	addSurface(f, u.Package)
	return f
}

// addClient adds what a package has once.
func addClient(f *file, p *ir.Package) {
	f.add(comment("This constant ensures that this package and its runtime are compatible. If it is undefined, the "+
		"github.com/mcpgen/mcpgen in go.mod is older than the mcpgen that wrote this file. Run:",
		"    go get github.com/mcpgen/mcpgen@latest"),
		jen.Const().Id("_").Op("=").Qual(codecPath, "GeneratedV3"))
	f.add(comment(fmt.Sprintf("Client calls the server %s. It is safe for concurrent use.", quote(p.Server))),
		jen.Type().Id("Client").Struct(jen.Id("inv").Qual(runtimePath, "Invoker")))
	f.add(comment("New returns a Client that calls through inv. With nil it takes the invoker of each call's context, "+
		"else the one of [runtime.SetDefault]."),
		jen.Func().Id("New").Params(jen.Id("inv").Qual(runtimePath, "Invoker")).Op("*").Id("Client").Block(
			jen.Return(jen.Op("&").Id("Client").Values(jen.Dict{jen.Id("inv"): jen.Id("inv")})),
		))
	addForeign(f, p.Foreign)
}

func addTools(f *file, p *ir.Package) {
	for _, t := range p.Tools {
		f.add(toolDoc(p, t), toolMethod(t))
		f.add(comment(fmt.Sprintf("%s is [Client.%s] with the invoker in ctx.", t.Go, t.Go)), toolFunc(t))
		if t.Start != "" {
			addTask(f, t)
		}
		addOldNames(f, p, t)
	}
}

// toolDoc is the comment of a tool's method, with an example at its end.
func toolDoc(p *ir.Package, t *ir.Tool) string {
	texts := docTexts(t.Doc, fmt.Sprintf("%s calls the tool %s.", t.Go, quote(t.Wire)))
	return commentOf(append(texts, text{words: exampleOf(p.Name, t)})...)
}

// packageDoc is the builder's package comment with the two ways of calling in
// its middle.
func packageDoc(p *ir.Package) []string {
	lead := p.Doc.Lead
	if lead == "" {
		lead = fmt.Sprintf("Package %s calls the MCP server %s.", p.Name, quote(p.Server))
	}
	doc := []string{lead}
	if len(p.Tools) > 0 {
		first := p.Tools[0]
		doc = append(doc,
			"Each call is a method of [Client] and a function of the same name. Methods call through the invoker that [New] was given, "+
				"functions through the one in their context:",
			fmt.Sprintf("    ctx = runtime.NewContext(ctx, host)\n    result, err := %s.%s(ctx, %s)", p.Name, first.Go, sketch(p.Name, first)),
			"An error that the tool itself reports is a [*runtime.ToolError], every other failure a [*runtime.CallError].")
	}
	return append(append(doc, p.Doc.Server), p.Doc.Notes...)
}

// sketch are the arguments of a call as the package comment shows them: with what is
// required, or as a variable if that is more than a line has room for.
func sketch(pkg string, t *ir.Tool) string {
	var fields []string
	for _, f := range t.Args.Fields {
		if f.Presence == ir.Required {
			name := strings.ToLower(f.Go)
			if token.IsKeyword(name) || len(fields) == 2 {
				return "args"
			}
			fields = append(fields, f.Go+": "+name)
		}
	}
	return pkg + "." + t.Args.Go + "{" + strings.Join(fields, ", ") + "}"
}

func signature(t *ir.Tool) []jen.Code {
	return []jen.Code{
		jen.Id("ctx").Qual(contextPath, "Context"),
		jen.Id("args").Id(t.Args.Go),
		jen.Id("opts").Op("...").Qual(runtimePath, "CallOption"),
	}
}

// callOf is the call of the runtime that carries out a tool's call. Everything that
// all tools share is there.
func callOf(t *ir.Tool, inv jen.Code, out ...jen.Code) *jen.Statement {
	args := []jen.Code{jen.Id("ctx"), inv, jen.Id(refName(t.Go)), jen.Id("args")}
	args = append(append(args, out...), jen.Id("opts"))
	if t.Result == nil {
		return jen.Qual(codecPath, "CallToolResult").Call(args...)
	}
	return jen.Qual(codecPath, "CallTool").Call(append(args, toolParts(t)...)...)
}

// toolParts are what the codec has to know of a tool's result beside its type.
func toolParts(t *ir.Tool) []jen.Code {
	if t.Result == nil {
		return nil
	}
	parts := unionParts(unionsIn(nil, t.Result))
	if t.Result.Kind == ir.Pointer {
		parts = append(parts, jen.Qual(codecPath, "OrNull").Call())
	}
	return parts
}

func toolMethod(t *ir.Tool) jen.Code {
	inv := jen.Id("c").Dot("inv")
	body := []jen.Code{jen.Return(callOf(t, inv))}
	if t.Result != nil {
		body = []jen.Code{
			jen.Var().Id("out").Add(resultExpr(t)),
			jen.Id("err").Op(":=").Add(callOf(t, inv, jen.Op("&").Id("out"))),
			jen.Return(jen.Id("out"), jen.Id("err")),
		}
	}
	return jen.Func().Params(jen.Id("c").Op("*").Id("Client")).Id(t.Go).Params(signature(t)...).
		Params(resultExpr(t), jen.Error()).Block(body...)
}

// toolFunc calls the method only where that has something to add: the compiler
// takes its time for each call that hands on large arguments.
func toolFunc(t *ir.Tool) jen.Code {
	call := jen.Id("New").Call(jen.Nil()).Dot(t.Go).Call(jen.Id("ctx"), jen.Id("args"), jen.Id("opts").Op("..."))
	if t.Result == nil {
		call = callOf(t, jen.Nil())
	}
	return jen.Func().Id(t.Go).Params(signature(t)...).Params(resultExpr(t), jen.Error()).Block(jen.Return(call))
}
