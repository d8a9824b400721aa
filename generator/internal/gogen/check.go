package gogen

// The last look at every file: it is parsed, compared with its plan, and
// type-checked with the rest of its package.

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"iter"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// defect ends every error of this file: the user cannot fix it.
const defect = ": nothing was written; this is a defect of mcpgen, please report it with the lines below"

// tree is one parsed file.
type tree struct {
	file File
	fset *token.FileSet // of the whole package
	ast  *ast.File
	plan *plan
}

// parse parses a file and compares it with its plan.
func parse(fset *token.FileSet, f File, plan *plan) (*tree, error) {
	t := &tree{file: f, fset: fset, plan: plan}
	var err error
	const mode = parser.ParseComments | parser.SkipObjectResolution
	if t.ast, err = parser.ParseFile(t.fset, f.Name, f.Data, mode); err != nil {
		return nil, t.fail(errorLine(err), "%v", err)
	}
	for _, check := range []func() error{t.checkBytes, t.checkDecls, t.checkImports, t.checkComments, t.checkBodies} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// fail makes an error with the numbered lines around the place.
func (t *tree) fail(line int, format string, args ...any) error {
	owner := ""
	if o := t.owner(line); o != "" {
		owner = o + ": "
	}
	reason := fmt.Sprintf(format, args...)
	return fmt.Errorf("%s%s:%d: %s%s\n%s", owner, t.file.Name, line, reason, defect, listing(t.file.Data, line))
}

// owner is whom the declaration at a line is for.
func (t *tree) owner(line int) string {
	if t.ast == nil {
		return ""
	}
	for _, d := range t.ast.Decls {
		if t.line(d.Pos()) <= line && line <= t.line(d.End()) {
			for found := range declared(d) {
				for _, want := range t.plan.decls {
					if want.name == found.name {
						return want.owner.String()
					}
				}
			}
		}
	}
	return ""
}

func (t *tree) line(pos token.Pos) int { return t.fset.Position(pos).Line }

// checkBytes requires the header, and refuses invisible characters.
func (t *tree) checkBytes() error {
	if !bytes.HasPrefix(t.file.Data, []byte(Header+"\n")) {
		return t.fail(1, "the header is not there")
	}
	at := bytes.IndexFunc(t.file.Data, func(r rune) bool { return r != '\n' && r != '\t' && !safetext.Visible(r) })
	if at >= 0 {
		return t.fail(1+bytes.Count(t.file.Data[:at], []byte("\n")), "an invisible character")
	}
	return nil
}

func (t *tree) checkDecls() error {
	if t.ast.Name.Name != t.plan.pkg {
		return t.fail(t.line(t.ast.Name.Pos()), "package %s, planned was %s", t.ast.Name.Name, t.plan.pkg)
	}
	next := 0
	for _, d := range t.ast.Decls {
		for got := range declared(d) {
			if next == len(t.plan.decls) {
				return t.fail(t.line(d.Pos()), "%v was not planned", got)
			}
			want := t.plan.decls[next]
			if got.kind != want.kind || got.recv != want.recv || got.name != want.name ||
				!slices.Equal(got.members, want.members) {
				return t.fail(t.line(d.Pos()), "%v %v, planned was %v %v", got, got.members, want, want.members)
			}
			next++
		}
	}
	if next < len(t.plan.decls) {
		return t.fail(len(bytes.Split(t.file.Data, []byte("\n"))), "%v is missing", t.plan.decls[next])
	}
	return nil
}

// declared yields what a declaration declares, as a plan has it. It yields nothing for
// imports.
func declared(d ast.Decl) iter.Seq[declaration] {
	return func(yield func(declaration) bool) {
		switch d := d.(type) {
		case *ast.FuncDecl:
			p := declaration{kind: "func", name: d.Name.Name}
			if d.Recv != nil {
				p.recv = types.ExprString(d.Recv.List[0].Type)
			}
			yield(p)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if !yield(declaration{kind: "type", name: spec.Name.Name, members: declaredMembers(spec)}) {
						return
					}
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						if !yield(declaration{kind: d.Tok.String(), name: name.Name}) {
							return
						}
					}
				}
			}
		default:
			yield(declaration{kind: "unknown"})
		}
	}
}

func declaredMembers(spec *ast.TypeSpec) []string {
	if spec.Assign.IsValid() {
		return alias
	}
	switch typ := spec.Type.(type) {
	case *ast.Ident:
		return []string{typ.Name}
	case *ast.InterfaceType:
		out := []string{"interface"}
		for _, m := range typ.Methods.List {
			for _, name := range m.Names {
				out = append(out, name.Name)
			}
		}
		return out
	case *ast.StructType:
		out := []string{"struct"}
		for _, f := range typ.Fields.List {
			var tag reflect.StructTag
			if f.Tag != nil {
				text, _ := strconv.Unquote(f.Tag.Value)
				tag = reflect.StructTag(text)
			}
			if len(f.Names) == 0 {
				out = append(out, "embedded "+types.ExprString(f.Type))
			}
			for _, name := range f.Names {
				out = append(out, memberOf(name.Name, tags{tag.Get("json"), tag.Get("mcp")}))
			}
		}
		return out
	}
	return []string{""}
}

// checkImports accepts only the imports of generated code. The type check refuses unused
// ones.
func (t *tree) checkImports() error {
	for _, line := range importLines(t.ast) {
		if !slices.Contains(t.plan.imports, line) {
			return t.fail(t.line(t.ast.Name.Pos()), "imports %s, planned were at most %s", line, t.plan.imports)
		}
	}
	return nil
}

// checkComments accepts only the planned directives, each once.
func (t *tree) checkComments() error {
	want := slices.Clone(t.plan.directives)
	for _, group := range t.ast.Comments {
		for _, c := range group.List {
			if i := slices.Index(want, directive(c.Text)); i >= 0 {
				want = slices.Delete(want, i, i+1)
				continue
			}
			text, isLine := strings.CutPrefix(c.Text, "//")
			if !isLine || (text != "" && text[0] != ' ' && text[0] != '\t') || constraint.IsPlusBuild(c.Text) {
				return t.fail(t.line(c.Pos()), "a comment that tools may obey")
			}
		}
	}
	if len(want) > 0 {
		return t.fail(1, "%s is missing", want[0])
	}
	return nil
}

// checkBodies accepts only the statements and calls that generated functions have.
func (t *tree) checkBodies() error {
	var err error
	for _, d := range t.ast.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SelectStmt, *ast.SendStmt,
				*ast.BranchStmt, *ast.LabeledStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt:
				err = errors.Join(err, t.fail(t.line(n.Pos()), "a statement that was not planned"))
			case *ast.CallExpr:
				if !t.callable(n.Fun) {
					err = errors.Join(err, t.fail(t.line(n.Pos()), "a call of %s that was not planned", types.ExprString(n.Fun)))
				}
			}
			return err == nil
		})
	}
	return err
}

// callable reports whether generated functions may call something: what generated
// packages and the runtime declare, and conversions to pointers. Of what is predeclared
// they call nothing, and of the standard library slices.Concat and strconv.Itoa alone.
// Values as users write them also have conversions.
func (t *tree) callable(fun ast.Expr) bool {
	switch fun := fun.(type) {
	case *ast.Ident:
		_, converts := types.Universe.Lookup(fun.Name).(*types.TypeName)
		if t.plan.values && (converts || fun.Name == "new") {
			return true
		}
		allowed := []string{contextPath, iterPath, jsonPath, slicesPath, strconvPath}
		return types.Universe.Lookup(fun.Name) == nil && !slices.ContainsFunc(t.ast.Imports, func(spec *ast.ImportSpec) bool {
			from, _ := strconv.Unquote(spec.Path.Value)
			return path.Base(from) == fun.Name && slices.Contains(allowed, from)
		})
	case *ast.ParenExpr:
		_, pointer := fun.X.(*ast.StarExpr)
		return pointer
	case *ast.IndexExpr:
		return t.callable(fun.X)
	case *ast.CallExpr:
		return t.callable(fun.Fun)
	case *ast.SelectorExpr:
		name := types.ExprString(fun)
		return t.callable(fun.X) || name == "slices.Concat" || name == "strconv.Itoa" ||
			t.plan.values && slices.Contains([]string{"context.Background", "json.RawMessage", "json.Number"}, name)
	}
	return false
}

// typeCheck checks the files as one package, on the trees that were compared
// with the plan.
func typeCheck(fset *token.FileSet, trees []*tree, imports types.Importer) (*types.Package, error) {
	var errs []error
	var files []*ast.File
	byName := map[string]*tree{}
	for _, t := range trees {
		files = append(files, t.ast)
		byName[t.file.Name] = t
	}
	config := types.Config{Importer: imports, GoVersion: "go1.26", Error: func(err error) {
		if te, ok := errors.AsType[types.Error](err); ok && len(errs) < 5 {
			pos := fset.Position(te.Pos)
			errs = append(errs, byName[pos.Filename].fail(pos.Line, "%s", te.Msg))
		}
	}}
	made, err := config.Check(trees[0].plan.pkg, fset, files, nil)
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return made, err
}

func errorLine(err error) int {
	if list, ok := errors.AsType[scanner.ErrorList](err); ok && len(list) > 0 {
		return list[0].Pos.Line
	}
	return 1
}

// listing numbers the lines around one and marks it.
func listing(data []byte, line int) string {
	const around = 6
	var b strings.Builder
	for i, text := range bytes.Split(data, []byte("\n")) {
		n := i + 1
		if n < line-around || n > line+around {
			continue
		}
		mark := ' '
		if n == line {
			mark = '>'
		}
		fmt.Fprintf(&b, "%c %5d  %s\n", mark, n, safetext.Strip(safetext.Clip(string(text), 200)))
	}
	return strings.TrimSuffix(b.String(), "\n")
}
