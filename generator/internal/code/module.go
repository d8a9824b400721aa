package code

// All packages of a module at once.

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"strings"
)

// Unit is everything that one loader loaded, read as a whole.
type Unit struct {
	*Graph
	Fset *token.FileSet
	// Package is the package of each file.
	Package map[*ast.File]*types.Package
}

// Read follows the values of what the loaders loaded. A file that several of them have
// is read once; a package and its tests share files, too.
func Read(loaders []*Loader) []*Unit {
	var out []*Unit
	seen := map[string]bool{}
	for _, l := range loaders {
		if len(l.loaded) > 0 {
			out = append(out, l.read(seen))
		}
	}
	return out
}

func (l *Loader) read(seen map[string]bool) *Unit {
	info := newInfo()
	u := &Unit{Fset: l.checker.fset, Package: map[*ast.File]*types.Package{}}
	r := &Reader{Info: info, Generated: func(pkg *types.Package) bool { return l.Paths[pkg.Path()] }}
	read, times := map[string]bool{}, map[string]int{} // packages by path
	for _, p := range l.loaded {
		if p.TypesInfo == nil || strings.HasSuffix(p.ID, ".test") {
			continue
		}
		maps.Copy(info.Types, p.TypesInfo.Types)
		maps.Copy(info.Defs, p.TypesInfo.Defs)
		maps.Copy(info.Uses, p.TypesInfo.Uses)
		maps.Copy(info.Implicits, p.TypesInfo.Implicits)
		maps.Copy(info.Selections, p.TypesInfo.Selections)
		maps.Copy(info.Instances, p.TypesInfo.Instances)
		read[p.PkgPath] = !l.Paths[p.PkgPath]
		times[p.PkgPath]++
		for _, f := range p.Syntax {
			if name := p.Fset.PositionFor(f.Package, false).Filename; !seen[name] && !l.IsGenerated(name) {
				seen[name] = true
				r.Files = append(r.Files, f)
				u.Package[f] = p.Types
			}
		}
	}
	first := map[token.Position]*types.Var{}
	same := func(v *types.Var) *types.Var {
		v = v.Origin()
		if v.Pkg() == nil || times[v.Pkg().Path()] < 2 {
			return v
		}
		at := u.Fset.Position(v.Pos())
		if first[at] == nil {
			first[at] = v
		}
		return first[at]
	}
	u.Graph = newGraph(r, nil, func(pkg *types.Package) bool { return pkg != nil && read[pkg.Path()] }, same)
	return u
}
