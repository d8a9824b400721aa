package code

// Whether a module hands tools to models: then what a server says of a tool is read by
// them, and not by programmers alone.

import (
	"go/types"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// HandsTools reports whether the module offers tools of servers to models: it imports an
// adapter, the gateway or the view of an agent, or it uses what makes tools of a generated
// package, or of a host. Tests do not count. Where not all could be looked at, it does.
func HandsTools(loaders []*Loader) bool {
	return slices.ContainsFunc(loaders, func(l *Loader) bool {
		return l.imports || len(l.problems) > 0 || slices.ContainsFunc(l.loaded, l.handsTools)
	})
}

// forModels reports whether a package of the runtime is for programs that hand tools to
// models, and for no others.
func forModels(path string) bool {
	return slices.ContainsFunc([]string{"agent", "gateway", "adapters"}, func(room string) bool {
		return path == RuntimePath+"/"+room || strings.HasPrefix(path, RuntimePath+"/"+room+"/")
	})
}

// importsForModels reports whether a package of the module, which is not a test, imports
// one that is for models.
func importsForModels(p *packages.Package) bool {
	if p.Module == nil || !p.Module.Main || isOfRuntime(p.PkgPath) || strings.HasSuffix(p.PkgPath, "_test") || strings.Contains(p.ID, " [") || strings.HasSuffix(p.ID, ".test") {
		return false
	}
	for path := range p.Imports {
		if forModels(path) {
			return true
		}
	}
	return false
}

// handsTools reports whether files of a package, tests and generated ones apart, use what
// makes tools.
func (l *Loader) handsTools(p *packages.Package) bool {
	if p.TypesInfo == nil {
		return false
	}
	for id, o := range p.TypesInfo.Uses {
		f, ok := o.(*types.Func)
		if !ok || f.Pkg() == nil || !l.makesTools(f) {
			continue
		}
		if file := p.Fset.PositionFor(id.Pos(), false).Filename; !strings.HasSuffix(file, "_test.go") && !l.IsGenerated(file) {
			return true
		}
	}
	return false
}

// makesTools reports whether a function or method makes tools, or what else a model reads:
// those of the view of an agent, which hosts are, of generated packages, and of the package
// over all of them.
func (l *Loader) makesTools(f *types.Func) bool {
	switch at := f.Pkg().Path(); {
	case forModels(at):
		return true
	case at == RuntimePath:
		return f.Name() == "RegisterAll"
	case f.Name() != "Tools" && f.Name() != "Register" || f.Signature().Recv() != nil:
		return false
	case l.Paths[at]:
		return true
	default:
		for generated := range l.Paths {
			if path.Dir(generated) == at {
				return true
			}
		}
		return false
	}
}
