package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// function is a function of the project that mutants change.
type function struct {
	decl   *ast.FuncDecl
	bodies map[string][]byte // its text with the change of a mutant
	order  []string
}

// source is a file whose functions get their mutants.
type source struct {
	data      []byte
	fset      *token.FileSet
	tree      *ast.File
	functions []*function
}

func (s *source) at(p token.Pos) int { return s.fset.Position(p).Offset }

// text is a part of the file.
func (s *source) text(from, to token.Pos) string { return string(s.data[s.at(from):s.at(to)]) }

// Switches puts mutants into the copy side by side: a function that one of them changes
// stands there as it is and once more per mutant, and the name in the file named by on says
// which of them runs. So one build of a test serves all mutants. It returns those that
// change something else than the inside of functions: they are applied one by one.
func Switches(dir, on string, all []Mutant) ([]Mutant, error) {
	files := map[string]*source{}
	var alone []Mutant
	for _, m := range all {
		fits := true
		for _, e := range m.Edits {
			s, err := readSource(files, dir, e.File)
			if err != nil {
				return nil, err
			}
			fits = fits && s.of(e) != nil
		}
		if !fits {
			alone = append(alone, m)
			continue
		}
		for _, e := range m.Edits {
			s := files[e.File]
			s.add(m.Name, s.of(e), e)
		}
	}
	done := map[string]bool{}
	for name, s := range files {
		if len(s.functions) == 0 {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), s.print(), 0o666); err != nil {
			return nil, err
		}
		if room := filepath.Dir(name); !done[room] {
			done[room] = true
			text := fmt.Sprintf("package %s\n\nimport \"os\"\n\nvar mutantOn = func() string { b, _ := os.ReadFile(%q); return string(b) }()\n", s.tree.Name.Name, on)
			if err := os.WriteFile(filepath.Join(dir, room, "mutant_on.go"), []byte(text), 0o666); err != nil {
				return nil, err
			}
		}
	}
	return alone, nil
}

func readSource(files map[string]*source, dir, name string) (*source, error) {
	if s := files[name]; s != nil {
		return s, nil
	}
	s := &source{fset: token.NewFileSet()}
	files[name] = s
	var err error
	if s.data, err = os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.HasSuffix(name, ".go") {
		return s, err
	}
	s.tree, err = parser.ParseFile(s.fset, name, s.data, parser.SkipObjectResolution)
	return s, err
}

// of returns the function in whose body an edit lies, or nil.
func (s *source) of(e Edit) *ast.FuncDecl {
	if s.tree == nil {
		return nil
	}
	at := bytes.Index(s.data, e.Before)
	for _, d := range s.tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && f.Body != nil && s.at(f.Body.Pos()) < at && at+len(e.Before) < s.at(f.Body.End()) {
			if f.Recv == nil && (f.Name.Name == "init" || f.Name.Name == "main") {
				return nil
			}
			return f
		}
	}
	return nil
}

func (s *source) add(mutant string, decl *ast.FuncDecl, e Edit) {
	i := slices.IndexFunc(s.functions, func(f *function) bool { return f.decl == decl })
	if i < 0 {
		i = len(s.functions)
		s.functions = append(s.functions, &function{decl: decl, bodies: map[string][]byte{}})
	}
	f := s.functions[i]
	if f.bodies[mutant] == nil {
		f.bodies[mutant] = []byte(s.text(decl.Name.End(), decl.End()))
		f.order = append(f.order, mutant)
	}
	f.bodies[mutant] = bytes.Replace(f.bodies[mutant], e.Before, e.After, 1)
}

// print writes the file with its mutants.
func (s *source) print() []byte {
	out := bytes.Clone(s.data)
	slices.SortFunc(s.functions, func(a, b *function) int { return s.at(b.decl.Pos()) - s.at(a.decl.Pos()) })
	for _, f := range s.functions { // from the last one on, so that what is before stays in its place
		at := s.at(f.decl.Name.Pos())
		out = slices.Insert(out, at, []byte("original_")...)
	}
	for _, f := range s.functions {
		out = append(out, s.wrapper(f)...)
	}
	return out
}

// wrapper is the function that calls the mutant which is on, and the mutants.
func (s *source) wrapper(f *function) string {
	d, name := f.decl, f.decl.Name.Name
	recv, call := "", ""
	if d.Recv != nil {
		params, args := s.params(d.Recv, "mutantRecv")
		recv, call = params+" ", args+"."
	}
	typeParams, typeArgs := "", ""
	if d.Type.TypeParams != nil {
		var names []string
		for _, field := range d.Type.TypeParams.List {
			for _, n := range field.Names {
				names = append(names, n.Name)
			}
		}
		typeParams, typeArgs = s.text(d.Type.TypeParams.Pos(), d.Type.TypeParams.End()), "["+strings.Join(names, ", ")+"]"
	}
	params, args := s.params(d.Type.Params, "mutantArg")
	results, do, end := "", "", "\n\t\treturn"
	if d.Type.Results != nil {
		results, do, end = s.text(d.Type.Results.Pos(), d.Type.Results.End())+" ", "return ", ""
	}
	var b strings.Builder
	own := ""
	if d.Recv != nil {
		own = s.text(d.Recv.Pos(), d.Recv.End()) + " "
	}
	fmt.Fprintf(&b, "\n\nfunc %s%s%s%s %s{\n\tswitch mutantOn {\n", recv, name, typeParams, params, results)
	for _, m := range f.order {
		fmt.Fprintf(&b, "\tcase %q:\n\t\t%s%s%s%s(%s)%s\n", m, do, call, variant(m, name), typeArgs, args, end)
	}
	fmt.Fprintf(&b, "\t}\n\t%s%soriginal_%s%s(%s)\n}\n", do, call, name, typeArgs, args)
	for _, m := range f.order {
		fmt.Fprintf(&b, "\nfunc %s%s%s\n", own, variant(m, name), f.bodies[m])
	}
	return b.String()
}

// variant is the name of a function of a mutant.
func variant(mutant, function string) string {
	return "mutant_" + strings.NewReplacer("/", "_", "-", "_").Replace(mutant) + "_" + function
}

// params writes a list of parameters in which each has a name, and the arguments that pass
// them on.
func (s *source) params(list *ast.FieldList, prefix string) (declared, passed string) {
	var params, args []string
	for _, field := range list.List {
		of := s.text(field.Type.Pos(), field.Type.End())
		dots := ""
		if strings.HasPrefix(of, "...") {
			dots = "..."
		}
		for range max(1, len(field.Names)) {
			name := fmt.Sprint(prefix, len(params))
			params = append(params, name+" "+of)
			args = append(args, name+dots)
		}
	}
	return "(" + strings.Join(params, ", ") + ")", strings.Join(args, ", ")
}
