package gogen

// What a package offers beside tools: prompts, resources, resource templates and
// completions. They follow the tools, in the same files.

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// The functions that are there once, if the server can do it.
const (
	readName     = "ReadURI"
	completeName = "Complete"
)

// withoutSurface is p with its tools alone.
func withoutSurface(p *ir.Package) *ir.Package {
	tools := *p
	tools.Prompts, tools.Resources, tools.Templates = nil, nil, nil
	tools.Reads, tools.Completes = false, false
	return &tools
}

// surfaceUnits cuts prompts, resources and templates into units of some items each.
func surfaceUnits(p *ir.Package) []unit {
	var units []unit
	next := func() *ir.Package {
		part := &ir.Package{Name: p.Name, Server: p.Server}
		units = append(units, unit{Package: part})
		return part
	}
	for from := 0; from < len(p.Prompts); from += unitTools {
		part := next()
		part.Prompts = p.Prompts[from:min(from+unitTools, len(p.Prompts))]
		for _, item := range part.Prompts {
			part.Types = append(part.Types, item.Args)
		}
	}
	for from := 0; from < len(p.Resources); from += unitTools {
		next().Resources = p.Resources[from:min(from+unitTools, len(p.Resources))]
	}
	for from := 0; from < len(p.Templates); from += unitTools {
		part := next()
		part.Templates = p.Templates[from:min(from+unitTools, len(p.Templates))]
		for _, item := range part.Templates {
			part.Types = append(part.Types, item.Vars)
		}
	}
	if p.Reads || p.Completes {
		part := next()
		part.Reads, part.ReadsDoc, part.Completes = p.Reads, p.ReadsDoc, p.Completes
	}
	return units
}

// addSurface adds a method and a function for each prompt, resource and template.
func addSurface(f *file, p *ir.Package) {
	for _, item := range p.Prompts {
		lead := fmt.Sprintf("%s gets the prompt %s.", item.Go, quote(item.Wire))
		addPair(f, item.Doc, lead, operation{
			name: item.Go, input: "args", typ: jen.Id(item.Args.Go),
			call: "GetPrompt", args: []jen.Code{jen.Id(refName(item.Go)), jen.Id("args")},
		})
	}
	for _, item := range p.Resources {
		lead := fmt.Sprintf("%s reads the resource %s.", item.Go, quote(item.URI))
		addPair(f, item.Doc, lead, operation{
			name: item.Go,
			call: "ReadResource", args: []jen.Code{jen.Id(refName(item.Go))},
		})
		addWatch(f, item.Go, operation{name: item.Watch, call: "WatchResource", args: []jen.Code{jen.Id(refName(item.Go))}})
	}
	for _, item := range p.Templates {
		addTemplate(f, p, item)
	}
	if p.Reads {
		addPair(f, p.ReadsDoc, readName+" reads the resource with that URI.", operation{
			name: readName, input: "uri", typ: jen.String(),
			call: "ReadResource", args: []jen.Code{jen.Qual(runtimePath, "ItemRef").Values(
				jen.Id("Server").Op(":").Lit(p.Server), jen.Id("Name").Op(":").Id("uri"))},
		})
	}
	if p.Completes {
		addPair(f, ir.Doc{}, completeName+" asks the server for values that complete an argument of a prompt or a variable of a resource template.", operation{
			name: completeName, input: "args", typ: jen.Qual(runtimePath, "CompleteArgs"),
			call: "Complete", args: []jen.Code{jen.Lit(p.Server), jen.Id("args")}, result: "Completion",
		})
	}
}

// addTemplate adds the maker of URIs and the reader.
func addTemplate(f *file, p *ir.Package, item *ir.Template) {
	f.add(docOf(item.Doc, fmt.Sprintf("%s returns a URI of the resource template %s.", item.Go, quote(item.Wire))),
		jen.Func().Id(item.Go).Params(jen.Id("vars").Id(item.Vars.Go)).String().Block(
			jen.Return(uriOf(item)),
		))
	lead := fmt.Sprintf("%s reads a resource of the resource template %s.", item.Read, quote(item.Wire))
	addPair(f, item.ReadDoc, lead, operation{
		name: item.Read, input: "vars", typ: jen.Id(item.Vars.Go),
		call: "ReadTemplate", args: []jen.Code{jen.Id(refName(item.Go)), jen.Id(item.Go).Call(jen.Id("vars"))},
	})
	addWatch(f, item.Read, operation{
		name: item.Watch, input: "vars", typ: jen.Id(item.Vars.Go),
		call: "WatchTemplate", args: []jen.Code{jen.Id(refName(item.Go)), jen.Id(item.Go).Call(jen.Id("vars"))},
	})
}

// uriOf is the URI that vars make of a template: its parts, joined, each on a line of
// its own if there are several.
func uriOf(item *ir.Template) jen.Code {
	var parts []jen.Code
	for _, part := range item.Parts {
		if len(part.Vars) == 0 {
			parts = append(parts, jen.Lit(part.Text))
			continue
		}
		args := []jen.Code{jen.Lit(part.Op)}
		for _, v := range part.Vars {
			args = append(args, jen.Qual(codecPath, "URIVar").Values(uriVar(item.Vars, v)...))
		}
		parts = append(parts, jen.Qual(codecPath, "ExpandURI").Call(args...))
	}
	if len(parts) == 0 {
		return jen.Lit("")
	}
	uri := jen.Add(parts[0])
	for _, part := range parts[1:] {
		uri.Op("+")
		if len(parts) > 2 {
			uri.Line()
		}
		uri.Add(part)
	}
	return uri
}

// uriVar are the members of a variable in an expression.
func uriVar(vars *ir.Type, v ir.URIVar) []jen.Code {
	members := []jen.Code{jen.Id("Name").Op(":").Lit(v.Name)}
	for _, f := range vars.Fields {
		if f.Wire != v.Name {
			continue
		}
		value := jen.Id("vars").Dot(f.Go)
		switch f.Type.Kind {
		case ir.Slice:
			members = append(members, jen.Id("List").Op(":").Add(value))
			if v.Explode {
				members = append(members, jen.Id("Explode").Op(":").True())
			}
		case ir.Pointer:
			members = append(members, jen.Id("Text").Op(":").Add(value))
		default:
			members = append(members, jen.Id("Text").Op(":").Op("&").Add(value))
		}
	}
	if v.Prefix > 0 {
		members = append(members, jen.Id("Prefix").Op(":").Lit(v.Prefix))
	}
	return members
}

// operation is a method that is one call of the codec.
type operation struct {
	name   string
	input  string   // parameter beside context and options; may be ""
	typ    jen.Code // its type
	call   string   // function of the codec
	args   []jen.Code
	result string // type of the runtime; "" is Result
	again  bool   // it returns a sequence of results
}

// addWatch adds the operation that does again and again what the one called read does, if
// it has a name.
func addWatch(f *file, read string, o operation) {
	if o.name == "" {
		return
	}
	o.again = true
	addPair(f, ir.Doc{}, fmt.Sprintf("%s is [Client.%s] now and each time the server says that the resource changed, until ctx "+
		"or the loop ends. An error is the last pair.", o.name, read), o)
}

// addPair adds the method of an operation, and the function of its name.
func addPair(f *file, doc ir.Doc, lead string, o operation) {
	result := o.result
	if result == "" {
		result = "Result"
	}
	params := []jen.Code{jen.Id("ctx").Qual(contextPath, "Context")}
	passed := []jen.Code{jen.Id("ctx")}
	if o.input != "" {
		params = append(params, jen.Id(o.input).Add(o.typ))
		passed = append(passed, jen.Id(o.input))
	}
	params = append(params, jen.Id("opts").Op("...").Qual(runtimePath, "CallOption"))
	passed = append(passed, jen.Id("opts").Op("..."))
	results := func() []jen.Code { return []jen.Code{jen.Op("*").Qual(runtimePath, result), jen.Error()} }
	if o.again {
		results = func() []jen.Code {
			return []jen.Code{jen.Qual(iterPath, "Seq2").Types(jen.Op("*").Qual(runtimePath, result), jen.Error())}
		}
	}
	args := append([]jen.Code{jen.Id("ctx"), jen.Id("c").Dot("inv")}, append(o.args, jen.Id("opts"))...)
	f.add(docOf(doc, lead), jen.Func().Params(jen.Id("c").Op("*").Id("Client")).Id(o.name).Params(params...).Params(results()...).Block(
		jen.Return(jen.Qual(codecPath, o.call).Call(args...)),
	))
	f.add(comment(fmt.Sprintf("%s is [Client.%s] with the invoker in ctx.", o.name, o.name)),
		jen.Func().Id(o.name).Params(params...).Params(results()...).Block(
			jen.Return(jen.Id("New").Call(jen.Nil()).Dot(o.name).Call(passed...)),
		))
}
