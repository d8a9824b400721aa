package gogen

// The names that tools had before: functions, methods, types and constants that
// stand for the ones of today, so that code compiles. Calls are rewritten by go fix.
// Types and constants are not: they stand within calls, and of fixes that overlap
// go fix applies none at all.

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// addOldNames adds what a tool was called before.
func addOldNames(f *file, p *ir.Package, t *ir.Tool) {
	for _, was := range t.OldNames {
		lead := fmt.Sprintf("%s calls the tool %s, which was called %s.", was.Go, quote(t.Wire), quote(was.Wire))
		result := resultExpr(t)
		if t.Result == nil {
			result = jen.Op("*").Id(p.Foreign.Result)
		}
		params := []jen.Code{
			jen.Id("ctx").Id(p.Foreign.Context), jen.Id("args").Id(t.Args.Go), jen.Id("opts").Op("...").Id(p.Foreign.Option),
		}
		f.inlined(deprecation(lead, "use [Client."+t.Go+"], as go fix does."), jen.Func().Params(jen.Id("c").Op("*").Id("Client")).Id(was.Go).Params(params...).
			Params(result, jen.Error()).Block(jen.Return(jen.Id("c").Dot(t.Go).Call(passed()...))))
		f.inlined(deprecation(lead, "use ["+t.Go+"], as go fix does."), jen.Func().Id(was.Go).Params(params...).
			Params(result, jen.Error()).Block(jen.Return(jen.Id(t.Go).Call(passed()...))))
		for _, n := range was.Names {
			kind := jen.Type()
			if n.Value != "" {
				kind = jen.Const()
			}
			f.add(deprecation(fmt.Sprintf("%s is the old name of [%s].", n.Go, n.Of), "use ["+n.Of+"]."), kind.Id(n.Go).Op("=").Id(n.Of))
		}
	}
}

// foreignNames are the names of types of other packages, if there are any.
func foreignNames(n ir.Foreign) []string {
	if n == (ir.Foreign{}) {
		return nil
	}
	return []string{n.Context, n.Option, n.Result}
}

// addForeign adds the names of types of other packages. A file that go fix rewrites
// may not import them, and go fix adds what the signature of an inlined function
// names.
func addForeign(f *file, n ir.Foreign) {
	if n == (ir.Foreign{}) {
		return
	}
	for _, alias := range []struct{ name, path, of string }{
		{n.Context, contextPath, "Context"}, {n.Option, runtimePath, "CallOption"}, {n.Result, runtimePath, "Result"},
	} {
		doc := alias.name + " is an alias for functions under old names: go fix copies their signatures without adding an import."
		f.add(comment(doc), jen.Type().Id(alias.name).Op("=").Qual(alias.path, alias.of))
	}
}

// foreign plans them.
func (plan *filePlan) foreign(n ir.Foreign) {
	for _, name := range foreignNames(n) {
		plan.decls = append(plan.decls, planned{kind: "type", name: name, members: []string{"="}})
	}
}

// foreignStub is what a unit names of the first one's.
func foreignStub(n ir.Foreign) string {
	if n == (ir.Foreign{}) {
		return ""
	}
	return fmt.Sprintf("\nimport \"context\"\n\ntype (\n\t%s = context.Context\n\t%s = runtime.CallOption\n\t%s = runtime.Result\n)\n",
		n.Context, n.Option, n.Result)
}

// passed hands the arguments of a call on.
func passed() []jen.Code {
	return []jen.Code{jen.Id("ctx"), jen.Id("args"), jen.Id("opts").Op("...")}
}

func deprecation(lead, advice string) string {
	return commentOf(text{words: lead}, text{words: deprecated + " " + advice, ours: true})
}

// inlined adds a declaration that go fix replaces by what it stands for.
func (f *file) inlined(doc string, code jen.Code) {
	f.add(doc+"\n//\n"+string(fixInline), code)
}

// oldNames plans what a tool was called before.
func (plan *filePlan) oldNames(t *ir.Tool, owner string) {
	add := func(d planned) {
		d.owner = owner
		plan.decls = append(plan.decls, d)
		if d.kind == "func" {
			plan.directives = append(plan.directives, fixInline)
		}
	}
	for _, was := range t.OldNames {
		add(planned{kind: "func", recv: "*Client", name: was.Go})
		add(planned{kind: "func", name: was.Go})
		plan.calls["c."+t.Go], plan.calls[t.Go] = true, true
		for _, n := range was.Names {
			if n.Value != "" {
				add(planned{kind: "const", name: n.Go})
			} else {
				add(planned{kind: "type", name: n.Go, members: []string{"="}})
			}
		}
	}
}
