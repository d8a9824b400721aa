package gogen

// The functions of tools that can run as tasks: one that starts a task, and one that
// takes it up by its ID.

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// addTask adds the functions of a tool that can run as a task.
func addTask(f *file, t *ir.Tool) {
	task := jen.Op("*").Qual(codecPath, "Task").Types(resultExpr(t))
	inv, ref := jen.Id("c").Dot("inv"), jen.Id(refName(t.Go))
	start := []jen.Code{jen.Id("ctx"), inv, ref, jen.Id("args"), jen.Id("opts")}
	addPair(f, pair{
		doc: comment(fmt.Sprintf("%s starts [Client.%s] as a task that keeps running on the server. "+
			"[Client.%s] finds the task by its ID, also in another process.", t.Start, t.Go, t.Resume)),
		name: t.Start, params: toolParams(t), results: []jen.Code{task, jen.Error()},
		method: returning(jen.Qual(codecPath, "StartTool").Types(resultExpr(t)).Call(append(start, toolParts(t)...)...)),
	})
	resume := []jen.Code{inv, ref, jen.Id("id")}
	addPair(f, pair{
		doc: comment(fmt.Sprintf("%s returns the task with the given ID that [Client.%s] started. "+
			"The call sends no request.", t.Resume, t.Start)),
		name: t.Resume, params: []param{{"id", jen.String()}}, results: []jen.Code{task},
		method: returning(jen.Qual(codecPath, "ResumeTool").Types(resultExpr(t)).Call(append(resume, toolParts(t)...)...)),
		functionDoc: comment(fmt.Sprintf("%s calls [Client.%s]. "+
			"Each method of the returned task uses the invoker in the ctx that it gets.", t.Resume, t.Resume)),
	})
}
