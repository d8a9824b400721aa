package code

// What does not compile any more with other sources of the generated packages.

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

// Failure is a line that compiles now and does not compile once the drift is accepted.
type Failure struct {
	File         string // relative to the root, with slashes
	Line, Column int
	Decl         int    // the line that the declaration around it begins on
	Message      string // what the compiler says, in one printable line
}

// Same reports whether two failures have the same position.
func (f Failure) Same(o Failure) bool {
	return o.File == f.File && o.Line == f.Line && o.Column == f.Column
}

// Failures type-checks what was loaded against other sources of the generated packages,
// by import path. They are sorted by position. The error says why that could not be done.
func (l *Loader) Failures(ctx context.Context, files map[string][]Source) ([]Failure, error) {
	if len(l.loaded) == 0 {
		return nil, nil
	}
	after := l.checker.again(ctx, l.loaded, files, l.IsGenerated, l.depends)
	if err := after.run(ctx); err != nil {
		return nil, err
	}
	for _, p := range after.order {
		for _, e := range after.done[p.ID].errors {
			if name, _, _ := Position(e.Pos); slices.ContainsFunc(files[p.PkgPath], func(s Source) bool { return s.Name == name }) {
				return nil, fmt.Errorf("the generated package %s could not be checked: %s: %s", p.PkgPath, e.Pos, e.Msg)
			}
		}
	}
	return l.failures(func(p *packages.Package) []packages.Error { return after.done[p.ID].errors }, func(p *packages.Package) []packages.Error {
		return l.checker.done[p.ID].errors
	}), nil
}

// Broken are the lines of what was loaded that do not compile as it is, sorted by position.
func (l *Loader) Broken() []Failure {
	return l.failures(func(p *packages.Package) []packages.Error { return p.Errors }, func(*packages.Package) []packages.Error { return nil })
}

// failures are the errors of packages that depend on generated ones, at lines that do not
// have one of the errors before.
func (l *Loader) failures(errors, before func(p *packages.Package) []packages.Error) []Failure {
	var out []Failure
	for _, p := range l.loaded {
		if !l.depends(p) {
			continue // it compiles as it does
		}
		type place struct {
			name string
			line int
		}
		known := map[place]bool{}
		for _, e := range before(p) {
			name, line, _ := Position(e.Pos)
			known[place{name, line}] = true
		}
		for _, e := range errors(p) {
			f := Failure{Message: safetext.Line(qualified().ReplaceAllString(e.Msg, "$1."))}
			name, line, column := Position(e.Pos)
			if known[place{name, line}] || line == 0 || l.IsGenerated(name) {
				continue
			}
			f.File, f.Line, f.Column, f.Decl = l.Relative(name), line, column, declarationAt(p, name, line)
			if !slices.ContainsFunc(out, f.Same) {
				out = append(out, f)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Failure) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return out
}

// qualified matches the path of a package in an error, where go/types writes it out
// because another package has the same name.
var qualified = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"(?:[^"\s]*/)?([^"/\s]+)"\.`) })

// declarationAt is the line that the declaration around a line begins on.
func declarationAt(p *packages.Package, name string, line int) int {
	for _, f := range p.Syntax {
		if p.Fset.Position(f.Package).Filename != name {
			continue
		}
		for _, d := range f.Decls {
			if from, to := p.Fset.Position(d.Pos()).Line, p.Fset.Position(d.End()).Line; from <= line && line <= to {
				return from
			}
		}
	}
	return 0
}
