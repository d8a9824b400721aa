package gogen

// What a package offers beside tools: prompts, resources, resource templates and
// completions. They follow the tools, in the same files.

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
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
	for prompts := range slices.Chunk(p.Prompts, unitTools) {
		part := next()
		part.Prompts = prompts
		for _, item := range prompts {
			part.Types = append(part.Types, item.Args)
		}
	}
	for resources := range slices.Chunk(p.Resources, unitTools) {
		next().Resources = resources
	}
	for templates := range slices.Chunk(p.Templates, unitTools) {
		part := next()
		part.Templates = templates
		for _, item := range templates {
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
		f.owner = promptOwner(item)
		addPair(f, operation{
			name: item.Go, doc: docOf(item.Doc, limit{}, fmt.Sprintf("%s gets the prompt %s.", item.Go, quote(item.Wire))),
			input: []param{{"args", jen.Id(item.Args.Go)}},
			call:  "GetPrompt", args: []jen.Code{jen.Id(refName(item.Go)), jen.Id("args")},
		}.pair())
	}
	for _, item := range p.Resources {
		f.owner = resourceOwner(item)
		read := operation{
			name: item.Go, doc: docOf(item.Doc, limit{}, fmt.Sprintf("%s reads the resource %s.", item.Go, quote(item.URI))),
			call: "ReadResource", args: []jen.Code{jen.Id(refName(item.Go))},
		}
		if item.Numbered {
			uri := jen.Op(gotext.Quote(item.Before)).Op("+").Qual(strconvPath, "Itoa").Call(jen.Id("number"))
			if item.After != "" {
				uri.Op("+").Op(gotext.Quote(item.After))
			}
			read.input = []param{{"number", jen.Int()}}
			read.args = []jen.Code{jen.Qual(codecPath, "ItemRef").Values(
				jen.Id("Server").Op(":").Lit(p.Server), jen.Id("Name").Op(":").Add(uri))}
		}
		addPair(f, read.pair())
		addWatch(f, item.Watch, "WatchResource", read)
	}
	for _, item := range p.Templates {
		f.owner = templateOwner(item)
		addTemplate(f, item)
	}
	if p.Reads {
		f.owner = owner{what: "resources"}
		addPair(f, operation{
			name: readName, doc: docOf(p.ReadsDoc, limit{}, readName+" reads the resource with that URI."),
			input: []param{{"uri", jen.String()}},
			call:  "ReadResource", args: []jen.Code{jen.Qual(codecPath, "ItemRef").Values(
				jen.Id("Server").Op(":").Lit(p.Server), jen.Id("Name").Op(":").Id("uri"))},
		}.pair())
	}
	if p.Completes {
		f.owner = owner{what: "completions"}
		addPair(f, operation{
			name: completeName, doc: comment(completeName + " asks the server for values that complete an argument " +
				"of a prompt or a variable of a resource template."),
			input: []param{{"args", jen.Qual(codecPath, "CompleteArgs")}},
			call:  "Complete", args: []jen.Code{jen.Lit(p.Server), jen.Id("args")}, result: "Completion",
		}.pair())
	}
}

// ownResources are the resources that have a function each.
func ownResources(p *ir.Package) []*ir.Resource {
	return slices.DeleteFunc(slices.Clone(p.Resources), func(r *ir.Resource) bool { return r.Numbered })
}

// addTemplate adds the maker of URIs and the reader.
func addTemplate(f *file, item *ir.Template) {
	vars := param{"vars", jen.Id(item.Vars.Go)}
	makes := fmt.Sprintf("%s returns a URI of the resource template %s.", item.Go, quote(item.Wire))
	reads := fmt.Sprintf("%s reads a resource of the resource template %s.", item.Read, quote(item.Wire))
	f.function(docOf(item.Doc, limit{}, makes), "", item.Go,
		[]jen.Code{jen.Id(vars.name).Add(vars.typ)}, []jen.Code{jen.String()}, returning(uriOf(item)))
	read := operation{
		name: item.Read, doc: docOf(item.ReadDoc, limit{}, reads),
		input: []param{vars},
		call:  "ReadTemplate", args: []jen.Code{jen.Id(refName(item.Go)), jen.Id(item.Go).Call(jen.Id(vars.name))},
	}
	addPair(f, read.pair())
	addWatch(f, item.Watch, "WatchTemplate", read)
}

// uriOf is the URI that vars make of a template: its parts, joined, each on a line of
// its own if there are several.
func uriOf(item *ir.Template) jen.Code {
	var parts []jen.Code
	for _, part := range item.Parts {
		if len(part.Vars) == 0 {
			parts = append(parts, jen.Op(gotext.Quote(part.Text)))
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
	members := []jen.Code{jen.Id("Name").Op(":").Op(gotext.Quote(v.Name))}
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

// operation is one call of the codec.
type operation struct {
	name, doc string  // of the method
	input     []param // without context and options
	call      string  // function of the codec
	args      []jen.Code
	result    string // type of the codec; "" is the runtime's Result
	again     bool   // it returns a sequence of results
}

func (o operation) pair() pair {
	result := jen.Op("*").Qual(runtimePath, "Result")
	if o.result != "" {
		result = jen.Op("*").Qual(codecPath, o.result)
	}
	results := []jen.Code{result, jen.Error()}
	if o.again {
		// Gofmt drops the parentheses. They count where a long line is broken.
		results = []jen.Code{jen.Parens(jen.Qual(iterPath, "Seq2").Types(result, jen.Error()))}
	}
	args := slices.Concat([]jen.Code{jen.Id("ctx"), jen.Id("c").Dot("inv")}, o.args, []jen.Code{jen.Id("opts")})
	return pair{
		name: o.name, doc: o.doc, params: slices.Concat([]param{ctxParam()}, o.input, []param{optsParam()}), results: results,
		method: returning(jen.Qual(codecPath, o.call).Call(args...)),
	}
}

// addWatch adds the operation that does again and again what read does, if it has a name.
func addWatch(f *file, name, call string, read operation) {
	if name == "" {
		return
	}
	watch := read
	watch.name, watch.call, watch.again = name, call, true
	watch.doc = comment(fmt.Sprintf("%s calls [Client.%s] now and each time the server reports "+
		"that the resource changed, until ctx or the loop ends. The loop ends after an error.", name, read.name))
	addPair(f, watch.pair())
}
