package gogen

// The names that tools had before: functions and methods that call those of today, so that
// code compiles, and go fix rewrites it. Those of their types are in names.go.

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
		params := []param{
			{"ctx", jen.Id(p.Foreign.Context)}, {"args", jen.Id(t.Args.Go)}, {"opts", jen.Op("...").Id(p.Foreign.Option)},
		}
		addPair(f, pair{
			doc:  f.inlined(deprecation(lead, "use [Client."+t.Go+"], as go fix does.")),
			name: was.Go, params: params, results: []jen.Code{result, jen.Error()},
			method:      returning(jen.Id("c").Dot(t.Go).Call(arguments(params)...)),
			functionDoc: f.inlined(deprecation(lead, "use ["+t.Go+"], as go fix does.")),
			function:    jen.Id(t.Go).Call(arguments(params)...),
		})
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
	for _, own := range []struct{ name, path, of string }{
		{n.Context, contextPath, "Context"}, {n.Option, runtimePath, "CallOption"}, {n.Result, runtimePath, "Result"},
	} {
		doc := own.name + " is an alias for functions under old names: " +
			"go fix copies their signatures without adding an import."
		f.add(comment(doc), jen.Type().Id(own.name).Op("=").Qual(own.path, own.of),
			declaration{kind: "type", name: own.name, members: alias})
	}
}

// foreignStub declares these names for the other units.
func foreignStub(n ir.Foreign) string {
	if n == (ir.Foreign{}) {
		return ""
	}
	return fmt.Sprintf("\nimport \"context\"\n\n"+
		"type (\n\t%s = context.Context\n\t%s = runtime.CallOption\n\t%s = runtime.Result\n)\n",
		n.Context, n.Option, n.Result)
}

func deprecation(lead, advice string) string {
	return commentOf(text{words: lead}, text{words: deprecated + " " + advice, ours: true})
}
