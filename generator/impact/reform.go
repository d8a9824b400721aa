package impact

// Fields that hold what they held in another form: a value that may be left out now is
// new("p"), one that has to be there is "p", one that may be null is runtime.Some("p"), and one
// that may have other types, too, is srv.NameString("p").

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/code"
	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// form is how a field holds a value.
type form string

// The forms, by what the text of a type begins with. An optional value may be null, too.
const (
	direct   form = ""
	pointer  form = "*"
	optional form = "runtime.Opt["
)

// formOf splits the text of a type into its form and its element.
func formOf(text string) (form, string) {
	for _, f := range []form{pointer, optional} {
		if elem, ok := strings.CutPrefix(text, string(f)); ok {
			return f, strings.TrimSuffix(elem, strings.Repeat("]", strings.Count(string(f), "[")))
		}
	}
	return direct, text
}

// reform is a field of another form.
type reform struct {
	from, to form
	elem     string // the text of the type of what it holds
	declared bool   // that is a name of the generated package
	variant  string // the type of a union that holds what it held; "" if it is no union
	sent     bool   // its zero value was sent, too
}

// reformOf compares the types of one field. Agreed maps earlier names of types to present ones. Names are
// the symbols of the present package.
func reformOf(was, now decide.Symbol, names map[string]decide.Symbol, agreed map[string]string) (reform, bool) {
	if was.Role != decide.RoleField || now.Role != decide.RoleField {
		return reform{}, false
	}
	from, before := formOf(was.Type)
	to, after := formOf(now.Type)
	before = gotext.Rename(before, func(name string) string { return cmp.Or(agreed[name], name) })
	how := reform{from: from, to: to, elem: after, declared: names[after].Role == decide.RoleType}
	for _, variant := range names[after].Variants {
		if names[variant].Type == before {
			list := strings.HasPrefix(before, "[]") || strings.HasPrefix(before, "map[")
			how.variant, how.sent = variant, from != direct || was.Required && !list
			return how, to == direct
		}
	}
	return how, from != to && before == after
}

// step returns the next step for a field of arguments with another form; "" if the rule of the change has
// the step.
func (t *table) step(was decide.Symbol, m mode) string {
	now, _ := t.becomes(was)
	was.Type = t.resolve(was.Type)
	how, ok := reformOf(was, now, t.now.names, nil)
	if !ok || was.Result || how.to == direct && how.variant == "" || m != reads && m != writes {
		return ""
	}
	member := safetext.Quote(safetext.Line(jsontext.LastName(was.Pointers[0])), maxMember)
	variant := path.Base(t.pathAfter) + "." + how.variant
	switch {
	case m == writes && how.variant != "":
		return "pass " + member + " as " + variant + "(value)"
	case m == writes && how.to == optional:
		return "pass " + member + " as runtime.Some(value)"
	case m == writes:
		return "pass " + member + " as new(value)"
	case how.variant != "":
		return "where " + member + " is read, find its type with a type switch, such as case " + variant
	case how.to == optional:
		return "where " + member + " is read, call Get: it returns the value, and whether there is one"
	}
	return "where " + member + " is read, check for nil, then use *x"
}

// maxMember bounds the name of a member in a step, in bytes.
const maxMember = 60

// reform writes the value that a field gets in the form that it has now.
func (r *rewriter) reform(f *ast.File, field *types.Var, value ast.Expr) {
	how, ok := r.known.forms[r.Field(field)]
	inner := r.held(value, how.from)
	t := r.Info.TypeOf(value)
	if !ok || inner == nil || r.Info.Types[inner].IsNil() ||
		t == nil || !types.AssignableTo(t, field.Type()) {
		return // one that does not compile may be written as it has to be
	}
	if how.variant != "" {
		// A union with a zero value in it is sent, where a zero value may have been left out.
		if name := code.Qualified(f, field.Pkg(), how.variant); name != "" && (how.sent || r.isSet(inner)) {
			r.between(value.Pos(), inner.Pos(), name+"(")
			r.between(inner.End(), value.End(), ")")
		}
		return
	}
	before, after := "", ""
	if elem := how.elem; how.to != direct && r.Untyped(inner) && elem != r.defaultType(inner) {
		if how.declared {
			elem = code.Qualified(f, field.Pkg(), elem)
		}
		if name, ok := strings.CutPrefix(elem, "format."); ok {
			if elem = r.importedName(f, code.RuntimePath+"/format", name); elem == "" {
				return
			}
		}
		before, after = elem+"(", ")"
	}
	switch {
	case how.to == pointer:
		before, after = "new("+before, after+")"
	case how.to == optional:
		some := r.importedName(f, code.RuntimePath, "Some")
		if some == "" {
			return
		}
		before, after = some+"("+before, after+")"
	}
	r.between(value.Pos(), inner.Pos(), before)
	r.between(inner.End(), value.End(), after)
}

// isSet reports whether an expression is known not to be a zero value.
func (r *rewriter) isSet(e ast.Expr) bool {
	if v := r.Info.Types[e].Value; v != nil {
		return !slices.Contains([]string{`""`, "0", "false", ""}, jsonOf(v))
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	return ok && len(lit.Elts) > 0
}

// held returns the value in an expression of a form; nil if no value is visible.
func (r *rewriter) held(e ast.Expr, how form) ast.Expr {
	e = ast.Unparen(e)
	if how == direct {
		return e
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || r.Info.Types[call.Args[0]].IsType() ||
		r.Info.Types[call.Fun].IsType() || !r.Wraps(call.Fun) {
		return nil
	}
	return call.Args[0]
}

// defaultType is the type that an untyped constant has where none is wanted; "" if it is
// not looked into.
func (r *rewriter) defaultType(e ast.Expr) string {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		return types.Default(r.Info.Uses[id].Type()).String()
	}
	if lit, ok := ast.Unparen(e).(*ast.BasicLit); ok {
		return map[token.Token]string{token.STRING: "string", token.INT: "int", token.FLOAT: "float64"}[lit.Kind]
	}
	return ""
}

// importedName is a name of a package as a file writes it; "" if it does not import it.
func (r *rewriter) importedName(f *ast.File, path, name string) string {
	for _, imported := range r.pkg.Imports() {
		if imported.Path() == path {
			return code.Qualified(f, imported, name)
		}
	}
	return ""
}

// lastOf is the identifier of a name, without its package.
func lastOf(e ast.Expr) *ast.Ident {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		return sel.Sel
	}
	id, _ := e.(*ast.Ident)
	return id
}
