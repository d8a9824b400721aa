package gogen

// The main file of a generated package: the client, and a method and a function
// for each tool.

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// Names are the files of a package in its own folder: its calls, types, other names,
// manifest and examples.
func Names(pkg string) []string {
	return []string{clientName(pkg), typesName, namesName, manifestName, exampleName}
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
	var doc []text
	if u.first {
		doc = packageDoc(u.Package)
	}
	f := newFile(clientName(u.Name), u.Name, u.Server, doc...)
	if u.first {
		addClient(f, u.Package)
	}
	for _, t := range u.Tools {
		f.owner = toolOwner(t)
		addPair(f, u.toolPair(t))
		if t.Start != "" {
			addTask(f, t)
		}
		addOldNames(f, u.Package, t)
	}
	addSurface(f, u.Package)
	return f
}

// addClient adds what a package has once.
func addClient(f *file, p *ir.Package) {
	f.add(comment(fmt.Sprintf("Client calls the server %s. It is safe for concurrent use.", quote(p.Server))),
		jen.Type().Id("Client").Struct(jen.Id("inv").Qual(runtimePath, "Invoker")),
		declaration{kind: "type", name: "Client", members: []string{"struct", "inv"}})
	f.function(comment("New returns a Client that calls through inv. "+
		"If inv is nil, calls use the invoker in their context, or the default set by [runtime.SetDefault]."),
		"", "New", []jen.Code{jen.Id("inv").Qual(runtimePath, "Invoker")}, []jen.Code{jen.Op("*").Id("Client")},
		returning(jen.Op("&").Id("Client").Values(jen.Dict{jen.Id("inv"): jen.Id("inv")})))
	addForeign(f, p.Foreign)
}

// toolDoc is the comment of a tool's method.
func (u unit) toolDoc(t *ir.Tool) string {
	lead := fmt.Sprintf("%s calls the tool %s.", t.Go, quote(t.Wire))
	return commentOf(docTexts(t.Doc, u.limit(t.Wire, maxTool), lead)...)
}

// packageDoc is the builder's package comment with the two ways of calling in
// its middle.
func packageDoc(p *ir.Package) []text {
	lead := p.Doc.Lead
	if lead == "" {
		lead = fmt.Sprintf("Package %s calls the MCP server %s.", p.Name, quote(p.Server))
	}
	first, rest := opened(lead, blocksOf(p.Doc.Server))
	doc := []text{{words: first}}
	if len(p.Tools) > 0 {
		first := simplest(p)
		doc = append(doc,
			text{words: "Each call is a method of [Client] and a function of the same name. " +
				"A method calls through the invoker passed to [New]. A function calls through the invoker in its context:"},
			text{words: fmt.Sprintf("```\nctx = runtime.NewContext(ctx, host)\nresult, err := %s.%s(ctx, %s)\n```",
				p.Name, first.Go, sketch(p.Name, first))},
			text{words: "An error that the tool itself reports is a [*runtime.ToolError]. Every other error is a " +
				"[*runtime.CallError]." + untypedResults(p) + optionalArgs(p)})
	}
	doc = append(doc, text{blocks: rest})
	for _, note := range p.Doc.Notes {
		doc = append(doc, text{words: note})
	}
	return doc
}

// simplest returns a tool whose call fits a line with all its arguments: one that only reads and
// has required arguments if there is one, else the first. If no call fits, it is the shortest.
func simplest(p *ir.Package) *ir.Tool {
	length := func(t *ir.Tool) int { return len("\tresult, err := .(ctx, )" + p.Name + t.Go + sketch(p.Name, t)) }
	fits := slices.DeleteFunc(slices.Clone(p.Tools), func(t *ir.Tool) bool {
		return length(t) > commentWidth || sketch(p.Name, t) == "args"
	})
	reads := func(t *ir.Tool) bool { return t.Hints.ReadOnly != nil && *t.Hints.ReadOnly }
	asks := func(t *ir.Tool) bool {
		return slices.ContainsFunc(t.Args.Fields, func(f *ir.Field) bool { return f.Presence == ir.Required })
	}
	for _, is := range []func(*ir.Tool) bool{func(t *ir.Tool) bool { return reads(t) && asks(t) }, reads} {
		if i := slices.IndexFunc(fits, is); i >= 0 {
			return fits[i]
		}
	}
	if len(fits) > 0 {
		return fits[0]
	}
	return slices.MinFunc(p.Tools, func(x, y *ir.Tool) int { return cmp.Compare(length(x), length(y)) })
}

// optionalArgs says how optional members of arguments are set, if there are such.
func optionalArgs(p *ir.Package) string {
	var pointer bool
	var opt *ir.Ref
	for t := range sentTypes(p) {
		for _, f := range t.Fields {
			pointer = pointer || f.Type.Kind == ir.Pointer && f.Type.Elem.Kind == ir.Basic
			if f.Type.Kind == ir.Opt && (opt == nil || opt.Elem.Kind == ir.Basic) { // others are harder to write
				opt = f.Type
			}
		}
	}
	said := ""
	if pointer {
		said += ` An optional argument is a pointer if its zero value can be sent: new(5), new("x").`
	}
	if opt != nil {
		of := gotext.TypeFrom(p.Name+".", opt.Elem)
		value := "Some[" + of + "](value)"
		if of == "string" {
			value = `Some("x")`
		}
		said += fmt.Sprintf(" Arguments that may also be null have the type [runtime.Opt]: runtime.%s, runtime.Null[%s]().",
			value, of)
	}
	return said
}

// untypedResults says how a result without a type is read, if there are such.
func untypedResults(p *ir.Package) string {
	if !slices.ContainsFunc(p.Tools, func(t *ir.Tool) bool { return t.Result == nil }) {
		return ""
	}
	return " A tool without a result schema returns a [*runtime.Result]: use its Text or Decode method."
}

// sketch are the arguments of a call as the package comment shows them: with what is
// required, or as a variable if that is more than a line has room for.
func sketch(pkg string, t *ir.Tool) string {
	var fields []string
	for _, f := range t.Args.Fields {
		if f.Presence == ir.Required {
			name := variable(f.Go)
			if token.IsKeyword(name) || len(fields) == 2 {
				return "args"
			}
			fields = append(fields, f.Go+": "+name)
		}
	}
	return pkg + "." + t.Args.Go + "{" + strings.Join(fields, ", ") + "}"
}

// variable is the name of a variable for what a field is called: libraryID for LibraryID,
// htmlBody for HTMLBody.
func variable(field string) string {
	runes := []rune(field)
	n := 0 // of the first word
	for n < len(runes) && !unicode.IsLower(runes[n]) {
		n++
	}
	if n > 1 && n < len(runes) && string(runes[n:]) != "s" { // of a plural such as IDs
		n--
	}
	return strings.ToLower(string(runes[:n])) + string(runes[n:])
}

func toolParams(t *ir.Tool) []param {
	return []param{ctxParam(), {"args", jen.Id(t.Args.Go)}, optsParam()}
}

// toolPair calls a tool. Everything that all tools share is in the runtime. The function
// calls the method only where that has something to add: the compiler takes its time
// for each call that hands on large arguments.
func (u unit) toolPair(t *ir.Tool) pair {
	o := pair{doc: u.toolDoc(t), name: t.Go, params: toolParams(t), results: []jen.Code{resultExpr(t), jen.Error()}}
	call := func(function string, inv jen.Code, more ...jen.Code) *jen.Statement {
		args := []jen.Code{jen.Id("ctx"), inv, jen.Id(refName(t.Go)), jen.Id("args")}
		return jen.Qual(codecPath, function).Call(append(args, more...)...)
	}
	inv := jen.Id("c").Dot("inv")
	if t.Result == nil {
		o.method = returning(call("CallToolResult", inv, jen.Id("opts")))
		o.function = call("CallToolResult", jen.Nil(), jen.Id("opts"))
		return o
	}
	more := append([]jen.Code{jen.Op("&").Id("out"), jen.Id("opts")}, toolParts(t)...)
	o.method = jen.Block(
		jen.Var().Id("out").Add(resultExpr(t)),
		jen.Id("err").Op(":=").Add(call("CallTool", inv, more...)),
		jen.Return(jen.Id("out"), jen.Id("err")),
	)
	return o
}

// toolParts describe a tool's result to the codec, without its type.
func toolParts(t *ir.Tool) []jen.Code {
	if t.Result == nil {
		return nil
	}
	return append(unionParts(unionsIn(nil, t.Result)), orNull(t)...)
}

// orNull says that the result of a tool may be null, if it may.
func orNull(t *ir.Tool) []jen.Code {
	if t.Result == nil || t.Result.Kind != ir.Pointer {
		return nil
	}
	return []jen.Code{jen.Qual(codecPath, "OrNull").Call()}
}
