package vet

// Calls: errors that are ignored, and names that are deprecated.

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/mcpgen/mcpgen/generator/internal/code"
)

const errorDoc = `errors of calls that are ignored

That a tool itself refused a call is a *runtime.ToolError, and nothing else says so. The
check reports calls whose result is used and whose error goes to the blank identifier,
and calls that are statements of their own. Assigning all results to blank identifiers
says that the outcome does not matter, as does a deferred call.`

const deprecatedDoc = `names of generated packages that are deprecated

A tool that got another name keeps the old one as deprecated, so that code compiles; the
fix replaces it. Servers mark parts of their schemas as deprecated, too.`

func ignoredErrors(c *checker) {
	report := func(call *ast.CallExpr) {
		if name := c.sends(call); name != "" {
			c.pass.Report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Message: fmt.Sprintf(
				"the error of %s is ignored, and with it a refusal of the tool (*runtime.ToolError): handle it, or assign all results to _", name)})
		}
	}
	c.Inspect(func(n ast.Node, _ []ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			if call, ok := ast.Unparen(n.X).(*ast.CallExpr); ok {
				report(call)
			}
		case *ast.GoStmt:
			report(n.Call)
		case *ast.AssignStmt:
			if call := dropsError(n.Lhs, n.Rhs); call != nil {
				report(call)
			}
		case *ast.ValueSpec:
			var names []ast.Expr
			for _, id := range n.Names {
				names = append(names, id)
			}
			if call := dropsError(names, n.Values); call != nil {
				report(call)
			}
		}
		return true
	})
}

// dropsError returns the call whose last result is dropped while another is used.
func dropsError(left, right []ast.Expr) *ast.CallExpr {
	if len(left) < 2 || len(right) != 1 || !isBlank(left[len(left)-1]) || isBlank(left[0]) {
		return nil
	}
	call, _ := ast.Unparen(right[0]).(*ast.CallExpr)
	return call
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// sends is the name of the function that a call sends with; "" if it does not send,
// or returns no error.
func (c *checker) sends(call *ast.CallExpr) string {
	f, sig := c.Callee(call)
	if sig == nil || !c.IsCall(f, sig) || sig.Results().Len() == 0 || !code.IsError(sig.Results().At(sig.Results().Len()-1).Type()) {
		return ""
	}
	return types.ExprString(call.Fun)
}

func deprecations(c *checker) {
	c.Inspect(func(n ast.Node, _ []ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if m := c.known.marks[declared(c.Info.Uses[id])]; m != nil && m.Deprecated != "" {
				c.pass.Report(deprecation(id, m))
			}
		}
		return true
	})
}

func deprecation(id *ast.Ident, m *itemMark) analysis.Diagnostic {
	d := analysis.Diagnostic{Pos: id.Pos(), End: id.End(), Message: id.Name + " is deprecated: " + m.Deprecated}
	if m.Now != "" {
		d.Message = fmt.Sprintf("%s is deprecated: use %s", id.Name, m.Now)
		d.SuggestedFixes = replaced(id, m.Now, m.Now)
	}
	return d
}

// declared is the object as it was declared.
func declared(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Origin()
	case *types.Var:
		return obj.Origin()
	}
	return obj
}

// replaced is the fix that uses a name in place of what is there.
func replaced(at ast.Node, name, text string) []analysis.SuggestedFix {
	return []analysis.SuggestedFix{{
		Message: "Use " + name, TextEdits: []analysis.TextEdit{{Pos: at.Pos(), End: at.End(), NewText: []byte(text)}},
	}}
}
