package gogen

// The functions of tools that can run as tasks: one that starts a task, and one that
// takes it up by its ID.

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// addTask adds two methods, and the functions of their names.
func addTask(f *file, t *ir.Tool) {
	client := func() *jen.Statement { return jen.Func().Params(jen.Id("c").Op("*").Id("Client")) }
	task := func() *jen.Statement { return jen.Op("*").Qual(runtimePath, "Task").Types(resultExpr(t)) }
	inv, ref := jen.Id("c").Dot("inv"), jen.Id(refName(t.Go))
	parts := toolParts(t)

	start := append([]jen.Code{jen.Id("ctx"), inv, ref, jen.Id("args"), jen.Id("opts")}, parts...)
	f.add(comment(fmt.Sprintf("%s starts [Client.%s] as a task, which runs on at the server. [Client.%s] takes it up by its ID, in another process too.", t.Start, t.Go, t.Resume)),
		client().Id(t.Start).Params(signature(t)...).Params(task(), jen.Error()).Block(
			jen.Return(jen.Qual(codecPath, "StartTool").Types(resultExpr(t)).Call(start...))))
	f.add(comment(fmt.Sprintf("%s is [Client.%s] with the invoker in ctx.", t.Start, t.Start)),
		jen.Func().Id(t.Start).Params(signature(t)...).Params(task(), jen.Error()).Block(
			jen.Return(jen.Id("New").Call(jen.Nil()).Dot(t.Start).Call(passed()...))))

	resume := append([]jen.Code{inv, ref, jen.Id("id")}, parts...)
	id := jen.Id("id").String()
	f.add(comment(fmt.Sprintf("%s returns the task that [Client.%s] started with that ID. It sends nothing.", t.Resume, t.Start)),
		client().Id(t.Resume).Params(id).Add(task()).Block(
			jen.Return(jen.Qual(codecPath, "ResumeTool").Types(resultExpr(t)).Call(resume...))))
	f.add(comment(fmt.Sprintf("%s is [Client.%s] with the invoker in the context of each of its methods.", t.Resume, t.Resume)),
		jen.Func().Id(t.Resume).Params(id).Add(task()).Block(
			jen.Return(jen.Id("New").Call(jen.Nil()).Dot(t.Resume).Call(jen.Id("id")))))
}

// task plans them.
func (plan *filePlan) task(t *ir.Tool, owner string) {
	if t.Start == "" {
		return
	}
	for _, name := range []string{t.Start, t.Resume} {
		plan.decls = append(plan.decls,
			planned{kind: "func", recv: "*Client", name: name, owner: owner},
			planned{kind: "func", name: name, owner: owner})
		plan.calls["New()."+name] = true
	}
}
