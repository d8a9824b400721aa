package gogen

// The fake of a server: a package below the generated one, for tests. It is thin
// adapters from typed handlers to runtime/mcptest.

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/parallel"
)

const mcptestPath = "github.com/mcpgen/mcpgen/runtime/mcptest"

// fakeName is the name of the package and of its folder. It does not end in
// _test, which would make it an external test of something.
func fakeName(pkg string) string { return strings.TrimRight(pkg, "_") + "test" }

// fakeFileName is the package's own name, unless the go command would take its
// end for a platform or a test.
func fakeFileName(pkg string) string {
	if strings.Contains(pkg, "_") {
		return "fake.go"
	}
	return fakeName(pkg) + ".go"
}

// Fake renders the fake of the package p, which is imported as importPath. The
// file's name has the folder below the one of p.
func Fake(ctx context.Context, p *ir.Package, importPath string) (File, error) {
	if err := checkNames(p); err != nil {
		return File{}, err
	}
	units := slices.DeleteFunc(append(split(withoutSurface(p)), surfaceUnits(p)...), func(u unit) bool {
		return !u.first && len(u.Tools)+len(u.Prompts)+len(u.Resources)+len(u.Templates) == 0
	})
	parts := make([]part, len(units))
	err := parallel.Each(ctx, len(units), func(i int) (err error) {
		parts[i], err = fake{units[i], importPath, importName(p.Name)}.part()
		return err
	})
	if err != nil {
		return File{}, fmt.Errorf("server %q: %w", p.Server, err)
	}
	return join(fakeName(p.Name)+"/"+fakeFileName(p.Name), parts), nil
}

// fake is a unit's part of the fake.
type fake struct {
	unit
	path string // of the generated package
	name string // by which it is imported
}

// importName is the generated package's own name, unless something else in the
// file, or in the example of its comment, has it.
func importName(pkg string) string {
	taken := []string{
		"context", "json", "runtime", "codec", "format", "mcptest", "f", "h", "t", "init",
		"fake", "ctx", "args", "fmt", "result", "err",
	}
	if slices.Contains(taken, pkg) || jen.IsReservedWord(pkg) || types.Universe.Lookup(pkg) != nil {
		return pkg + "server"
	}
	return pkg
}

func (f fake) part() (part, error) {
	imports := stubs()
	if err := imports.add(f.path, f.stub()); err != nil {
		return part{}, err
	}
	var others []string
	if !f.first {
		others = []string{fmt.Sprintf(fakeStub, fakeName(f.Name))}
	}
	return checked(f.file(), imports, others...)
}

func (f fake) file() *file {
	var doc []string
	if f.first {
		doc = f.doc()
	}
	out := newFile(fakeFileName(f.Name), fakeName(f.Name), f.Server, texts(doc...)...)
	out.mayImport(mcptestPath, "mcptest")
	out.mayImport(f.path, f.name)
	if f.first {
		out.add(comment(fmt.Sprintf("Fake is a fake of the server %s. The On methods set the handlers of calls; "+
			"[mcptest.Fake] describes the other methods.", quote(f.Server))),
			jen.Type().Id("Fake").Struct(jen.Op("*").Qual(mcptestPath, "Fake")),
			declaration{kind: "type", name: "Fake", members: []string{"struct", "embedded *mcptest.Fake"}})
		out.function(comment("New returns a fake without handlers. The fake fails t if a call or an answer is wrong."),
			"", "New", []jen.Code{jen.Id("t").Qual(mcptestPath, "TB")}, []jen.Code{jen.Op("*").Id("Fake")},
			returning(jen.Op("&").Id("Fake").Values(
				jen.Qual(mcptestPath, "New").Call(jen.Id("t"), jen.Qual(f.path, "Manifest").Call()))))
	}
	for _, t := range f.Tools {
		out.owner = toolOwner(t)
		addHandler(out, handler{
			name: t.Go, wire: t.Wire, typed: "OnTool", answers: "calls of the tool",
			input: jen.Qual(f.path, t.Args.Go), result: resultExprFrom(f.path, t), more: orNull(t),
		})
	}
	result := jen.Op("*").Qual(runtimePath, "Result")
	for _, item := range f.Prompts {
		out.owner = promptOwner(item)
		addHandler(out, handler{
			name: item.Go, wire: item.Wire, typed: "OnPrompt", answers: "requests of the prompt",
			input: jen.Qual(f.path, item.Args.Go), result: result,
		})
	}
	for _, item := range ownResources(f.Package) {
		out.owner = resourceOwner(item)
		addHandler(out, handler{
			name: item.Go, wire: item.URI, typed: "OnResource", answers: "reads of the resource", result: result,
		})
	}
	for _, item := range f.Templates {
		out.owner = templateOwner(item)
		addHandler(out, handler{
			name: item.Read, wire: item.Wire, typed: "OnTemplate", answers: "reads of URIs of the template",
			input: jen.String(), result: result,
		})
	}
	return out
}

// handler is a method that sets a typed handler.
type handler struct {
	name    string // Go name of what it answers
	wire    string
	answers string   // what, in words
	typed   string   // function of mcptest
	input   jen.Code // parameter after the context; may be nil
	result  jen.Code
	more    []jen.Code // further arguments of typed
}

func addHandler(f *file, h handler) {
	params := []jen.Code{jen.Qual(contextPath, "Context")}
	if h.input != nil {
		params = append(params, h.input)
	}
	name := "On" + h.name
	args := []jen.Code{jen.Id("f").Dot("Fake"), jen.Op(gotext.Quote(h.wire)), jen.Id("h")}
	f.function(comment(fmt.Sprintf("%s sets the handler for %s %s.", name, h.answers, quote(h.wire))), "f *Fake", name,
		[]jen.Code{jen.Id("h").Func().Params(params...).Params(h.result, jen.Error())}, nil,
		jen.Block(jen.Qual(mcptestPath, h.typed).Call(append(args, h.more...)...)))
}

// doc is the package comment, with a test that uses the fake.
func (f fake) doc() []string {
	name := fakeName(f.Name)
	const lead = "Package %s is a fake of the MCP server %s, for tests that start no process and use no network."
	doc := []string{fmt.Sprintf(lead, name, quote(f.Server))}
	if len(f.Tools) == 0 {
		return doc
	}
	t := f.Tools[0]
	for _, fits := range []func(*ir.Tool) bool{
		func(t *ir.Tool) bool { return t.Result == nil }, func(t *ir.Tool) bool { return zeroFits(t.Result) },
	} {
		if i := slices.IndexFunc(f.Tools, fits); i >= 0 {
			t = f.Tools[i]
		}
	}
	result, body := f.text(t.Result), fmt.Sprintf("var out %s\n\treturn out, nil", f.text(t.Result))
	switch {
	case t.Result == nil:
		result, body = "*runtime.Result", `return mcptest.Text("done"), nil`
	case gotext.IsPointer(t.Result):
		result, body = "*"+result, fmt.Sprintf("return &%s{}, nil", result)
	}
	if t.Result != nil && !zeroFits(t.Result) {
		body = "// Fill in what the schema requires.\n\t" + body
	}
	const on = "fake.On%s(func(ctx context.Context, args %s.%s) (%s, error) {"
	handler := fmt.Sprintf(on, t.Go, f.name, t.Args.Go, result)
	return append(doc,
		"Set a handler for each tool that the test calls, and pass the fake in the context:",
		fmt.Sprintf("```\nfake := %s.New(t)\n%s\n\t%s\n})\nctx := runtime.NewContext(t.Context(), fake)\n```",
			name, strings.Join(breakLine(handler, 2), "\n\t"), body),
		"The test fails if a call has no handler, or if arguments or answers do not match the schemas of the server.")
}

// zeroFits reports whether the zero value of a type has all that the type requires.
func zeroFits(r *ir.Ref) bool {
	switch {
	case r == nil:
		return false
	case slices.Contains([]ir.RefKind{ir.Basic, ir.Slice, ir.Map, ir.Pointer}, r.Kind): // nil is [], {} or null
		return true
	case r.Kind == ir.Named:
		needs := func(f *ir.Field) bool { return f.Presence == ir.Required && !zeroFits(f.Type) }
		return r.Decl.Kind == ir.Struct && !slices.ContainsFunc(r.Decl.Fields, needs)
	}
	return false
}

// text is a type as Go code writes it outside of its package.
func (f fake) text(r *ir.Ref) string {
	if r == nil {
		return ""
	}
	return gotext.TypeFrom(f.name+".", r)
}

// fakeStub is what a unit names of the first one.
const fakeStub = `package %s

import "github.com/mcpgen/mcpgen/runtime/mcptest"

type Fake struct{ *mcptest.Fake }
`

// stub is the generated package as the fake sees it: the types that its tools
// name.
func (f fake) stub() string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport \"github.com/mcpgen/mcpgen/runtime/codec\"\n\n"+
		"func Manifest() *codec.Manifest\n", f.Name)
	declared := map[string]bool{}
	declare := func(name string) {
		if !declared[name] {
			declared[name] = true
			fmt.Fprintf(&b, "type %s struct{}\n", name)
		}
	}
	for _, item := range f.Prompts {
		declare(item.Args.Go)
	}
	for _, t := range f.Tools {
		declare(t.Args.Go)
		for r := t.Result; r != nil; r = r.Elem {
			if r.Kind == ir.Named {
				declare(r.Decl.Go)
			}
		}
	}
	return b.String()
}
