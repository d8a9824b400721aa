package code

// Whether a field is set on every path to where a struct is sent.

import (
	"go/ast"
	"go/token"
	"slices"
)

// Perhaps reports whether a struct may be sent without a field that is set on the way: all settings depend on
// conditions of the function that makes the struct. What other functions set counts as set.
func (g *Graph) Perhaps(o *Origin, settings []setting) bool {
	var body *ast.BlockStmt
	switch in := o.in.(type) {
	case *ast.FuncDecl:
		body = in.Body
	case *ast.FuncLit:
		body = in.Body
	}
	if body == nil || slices.ContainsFunc(settings, func(s setting) bool { return s.in != o.in }) {
		return false
	}
	ends := []token.Pos{} // of the calls in the function, or else of the function
	for _, s := range g.Sent(o) {
		if s.in == o.in {
			ends = append(ends, s.end)
		}
	}
	if len(ends) == 0 {
		return !setBefore(body, o.Pos(), body.End(), settings)
	}
	return slices.ContainsFunc(ends, func(end token.Pos) bool { return !setBefore(body, end-1, end, settings) })
}

// setBefore reports whether one of the lists of statements around a place sets a field on every path, before end.
func setBefore(body *ast.BlockStmt, place, end token.Pos, settings []setting) bool {
	sets := setter(func(n ast.Node) bool {
		return slices.ContainsFunc(settings, func(s setting) bool { return n.Pos() <= s.at && s.at < n.End() })
	})
	surely := false
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || place < n.Pos() || n.End() <= place {
			return false
		}
		surely = surely || sets.every(slices.DeleteFunc(statements(n), func(s ast.Stmt) bool { return s.Pos() >= end }))
		return true
	})
	return surely
}

// statements are those directly in a block or in a clause.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return slices.Clone(n.List)
	case *ast.CaseClause:
		return slices.Clone(n.Body)
	case *ast.CommClause:
		return slices.Clone(n.Body)
	}
	return nil
}

// setter reports whether a node sets a field.
type setter func(ast.Node) bool

// every reports whether every path through statements sets the field.
func (sets setter) every(list []ast.Stmt) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.BlockStmt:
			return sets.every(s.List)
		case *ast.LabeledStmt:
			return sets.every([]ast.Stmt{s.Stmt})
		case *ast.IfStmt:
			return s.Init != nil && sets(s.Init) || s.Else != nil && sets.orEnds(s.Body.List) && sets.orEnds([]ast.Stmt{s.Else})
		case *ast.SwitchStmt:
			return s.Init != nil && sets(s.Init) || sets.clauses(s.Body)
		case *ast.TypeSwitchStmt:
			return sets.clauses(s.Body)
		case *ast.SelectStmt:
			return sets.clauses(s.Body)
		case *ast.ForStmt:
			return s.Init != nil && sets(s.Init) || s.Cond == nil && sets.every(s.Body.List)
		case *ast.RangeStmt:
			return false
		}
		return sets(s)
	})
}

// clauses reports whether every clause sets the field, and one of them is taken.
func (sets setter) clauses(body *ast.BlockStmt) bool {
	taken := false
	for _, s := range body.List {
		clause, ok := s.(*ast.CaseClause)
		taken = taken || !ok || clause.List == nil // a select takes one, too
		if !sets.orEnds(statements(s)) {
			return false
		}
	}
	return taken
}

// orEnds reports whether every path through a branch sets the field, or goes on elsewhere.
func (sets setter) orEnds(list []ast.Stmt) bool {
	if sets.every(list) {
		return true
	}
	if len(list) == 0 {
		return false
	}
	switch last := list[len(list)-1].(type) {
	case *ast.BlockStmt:
		return sets.orEnds(last.List)
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := last.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	}
	return false
}
