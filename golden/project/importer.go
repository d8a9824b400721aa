package project

import (
	"go/importer"
	"go/token"
	"go/types"
	"sync"
)

// Importer imports packages from their source, each once. The standard importer runs the go command for
// every import of a package in a module. It may be used by several goroutines.
var Importer types.Importer = &onceImporter{
	source: importer.ForCompiler(token.NewFileSet(), "source", nil), done: map[string]*types.Package{},
}

type onceImporter struct {
	mu     sync.Mutex
	source types.Importer
	done   map[string]*types.Package
}

// Import implements [types.Importer].
func (o *onceImporter) Import(path string) (*types.Package, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if p := o.done[path]; p != nil {
		return p, nil
	}
	p, err := o.source.Import(path)
	if err == nil {
		o.done[path] = p
	}
	return p, err
}
