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

// HandsTools reports whether the module offers tools of servers to models: it uses an
// adapter, the gateway or the view of an agent, which hosts are, or what makes tools of a
// generated package. Tests do not count.
func HandsTools(loaders []*Loader) bool {
	return slices.ContainsFunc(loaders, func(l *Loader) bool { return slices.ContainsFunc(l.loaded, l.handsTools) })
}

// handsTools reports whether files of a package, tests and generated ones apart, use what
// makes tools.
func (l *Loader) handsTools(p *packages.Package) bool {
	if p.TypesInfo == nil {
		return false
	}
	for id, o := range p.TypesInfo.Uses {
		if !l.makesTools(o) {
			continue
		}
		if file := p.Fset.PositionFor(id.Pos(), false).Filename; !strings.HasSuffix(file, "_test.go") && !l.IsGenerated(file) {
			return true
		}
	}
	return false
}

// makesTools reports whether something makes tools, or what else a model reads.
func (l *Loader) makesTools(o types.Object) bool {
	if o.Pkg() == nil {
		return false
	}
	at := o.Pkg().Path()
	switch {
	case forModels(at):
		return true
	case at == RuntimePath:
		return o.Name() == "RegisterAll"
	case o.Name() != "Tools" && o.Name() != "Register" || o.Parent() != o.Pkg().Scope():
		return false
	}
	for generated := range l.Paths {
		if at == generated || at == path.Dir(generated) {
			return true
		}
	}
	return false
}

// forModels reports whether a package of the runtime is for programs that hand tools to
// models, and for no others.
func forModels(path string) bool {
	room, _, _ := strings.Cut(strings.TrimPrefix(path, RuntimePath+"/"), "/")
	return isOfRuntime(path) && slices.Contains([]string{"agent", "gateway", "adapters"}, room)
}
