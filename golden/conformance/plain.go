package main

// Plain structs: what somebody writes by hand who wants no more than the fields.
// They are the generated types without their methods, without the members that
// no field shows, and with pointers in place of optionals.

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// plain returns the subject's types as one file.
func (s *subject) plain() ([]byte, error) {
	var decls []ast.Decl
	files, fset := s.goFiles(), token.NewFileSet()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := parser.ParseFile(fset, name, files[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if keepPlain(d) {
				decls = append(decls, d)
			}
		}
	}
	var body bytes.Buffer
	for _, d := range decls {
		ast.Inspect(d, makePlain)
		if err := format.Node(&body, fset, d); err != nil {
			return nil, err
		}
		body.WriteString("\n\n")
	}
	head := "package " + s.packageName() + "\n\n"
	if bytes.Contains(body.Bytes(), []byte("json.RawMessage")) {
		head += "import \"encoding/json\"\n\n"
	}
	return format.Source(append([]byte(head), body.Bytes()...))
}

// keepPlain keeps types, constants of enums, and the methods that seal unions.
func keepPlain(d ast.Decl) bool {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Recv != nil && !d.Name.IsExported() && d.Body != nil && len(d.Body.List) == 0
	case *ast.GenDecl:
		if d.Tok == token.CONST {
			return d.Specs[0].(*ast.ValueSpec).Type != nil
		}
		return d.Tok == token.TYPE && d.Specs[0].(*ast.TypeSpec).Name.Name != "Client"
	}
	return false
}

// makePlain changes types in place.
func makePlain(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.StructType:
		n.Fields.List = slices.DeleteFunc(n.Fields.List, func(f *ast.Field) bool {
			return len(f.Names) == 1 && f.Names[0].Name == "Extra" && f.Tag != nil && strings.Contains(f.Tag.Value, `json:"-"`)
		})
	case *ast.Field:
		n.Type = plainType(n.Type)
	case *ast.TypeSpec:
		n.Type = plainType(n.Type)
	case *ast.ArrayType:
		n.Elt = plainType(n.Elt)
	case *ast.MapType:
		n.Value = plainType(n.Value)
	case *ast.StarExpr:
		n.X = plainType(n.X)
	}
	return true
}

func plainType(t ast.Expr) ast.Expr {
	switch e := t.(type) {
	case *ast.IndexExpr:
		if ofMcpgen(e.X) {
			return &ast.StarExpr{X: plainType(e.Index)}
		}
	case *ast.SelectorExpr:
		if isNamed(e.X, "format") { // a string to whoever writes by hand
			return ast.NewIdent("string")
		}
		if ofMcpgen(e) {
			return ast.NewIdent("any")
		}
	}
	return t
}

// ofMcpgen reports whether t names something of one of the packages that
// generated code imports.
func ofMcpgen(t ast.Expr) bool {
	s, ok := t.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	return isNamed(s.X, "runtime") || isNamed(s.X, "codec")
}

// isNamed reports whether x is a name.
func isNamed(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}

// handClient is a client over the plain types: a method for each tool, which
// leaves the work to one function.
func (s *subject) handClient() ([]byte, error) {
	var b bytes.Buffer
	for _, wire := range slices.Sorted(maps.Keys(s.tools)) {
		t := s.tools[wire]
		result, pointer := strings.CutPrefix(plainResult(t.Result), "*")
		if pointer {
			fmt.Fprintf(&b, handPointer, t.Func, t.Args, result, wire)
		} else {
			fmt.Fprintf(&b, handValue, t.Func, t.Args, result, wire)
		}
	}
	imports := "\"context\"\n"
	if bytes.Contains(b.Bytes(), []byte("json.RawMessage")) {
		imports += "\"encoding/json\"\n"
	}
	return format.Source(fmt.Appendf(nil, handHead+"%s", s.packageName(), imports, b.Bytes()))
}

const handHead = `package %s

import (
%s)

// Client calls tools.
type Client struct {
	call func(ctx context.Context, tool string, args, out any) error
}
`

const handPointer = `
func (c *Client) %[1]s(ctx context.Context, args %[2]s) (*%[3]s, error) {
	out := new(%[3]s)
	if err := c.call(ctx, %[4]q, args, out); err != nil {
		return nil, err
	}
	return out, nil
}
`

const handValue = `
func (c *Client) %[1]s(ctx context.Context, args %[2]s) (out %[3]s, err error) {
	err = c.call(ctx, %[4]q, args, &out)
	return out, err
}
`

// plainResult is the type of a result to who writes by hand: a tool without a result
// type has its text.
func plainResult(result string) string {
	return formatType().ReplaceAllString(strings.ReplaceAll(result, "*runtime.Result", "string"), "string")
}

var formatType = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`format\.\w+`) })

// plainPath is the import path of the subject's plain types.
func (s *subject) plainPath() string {
	return moduleName + "/plain/" + s.packageName()
}

// roundFile makes a package new to the compiler's cache.
func roundFile(pkg string, round int) []byte {
	return fmt.Appendf(nil, "package %s\n\nconst _ = %d\n", pkg, round)
}
