package main

// Is everything that the schemas type typed in Go? The types are read from what
// the compiler exports, and walked side by side with the schemas.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// importer returns an importer of the module's packages.
func (m *module) importer(ctx context.Context) (types.Importer, error) {
	list, err := m.run(ctx, nil, "go", "list", "-export", "-deps", "-json=ImportPath,Export", "./...")
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(list.Stdout)); ; {
		var p struct{ ImportPath, Export string }
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		files[p.ImportPath] = p.Export
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	}), nil
}

// judgeTypes tells for how many schemas and properties the Go types say all that
// the schema says.
func (m *module) judgeTypes(ctx context.Context, subjects []*subject, r *report) error {
	r.heading("Typed (no any, raw JSON, untyped map or merged union where the schema has a type)")
	r.list("untyped")
	imports, err := m.importer(ctx)
	if err != nil {
		return err
	}
	for _, set := range []string{setReal, setHard} {
		bar := 0
		if set == setReal {
			bar = 995
		}
		var schemas, sites count
		for _, s := range subjects {
			if s.set != set {
				continue
			}
			for _, t := range s.schemas {
				j := t.judge(imports)
				schemas.add(len(j.exceptions) == 0)
				sites.all, sites.good = sites.all+j.sites, sites.good+j.sites-len(j.exceptions)
				for _, e := range j.exceptions {
					r.fail("untyped", "%s %s", t, e)
				}
			}
		}
		r.share(set+": schemas", schemas.good, schemas.all, bar)
		r.share(set+": sites", sites.good, sites.all, 0)
	}
	return nil
}

// judge walks one schema.
func (t *toolSchema) judge(imports types.Importer) *judge {
	j := newJudge()
	j.sites = 1
	goType, err := t.goType(imports)
	if err == nil {
		j.doc, err = jsonschema.Parse(t.raw)
	}
	if err != nil {
		j.except("", "%v", err)
		return j
	}
	j.doc = j.doc.Bound()
	j.visit(j.doc.Root, goType, false)
	return j
}

// goType is the type of the arguments or the result of the method that calls
// the tool.
func (t *toolSchema) goType(imports types.Importer) (types.Type, error) {
	if !t.subject.compiles {
		return nil, errors.New("its package does not compile")
	}
	pkg, err := imports.Import(t.subject.packagePath())
	if err != nil {
		return nil, err
	}
	f, ok := pkg.Scope().Lookup(t.subject.tools[t.tool].Func).(*types.Func)
	if !ok {
		return nil, errors.New("there is no function for it")
	}
	if t.side == output {
		return f.Signature().Results().At(0).Type(), nil
	}
	return f.Signature().Params().At(1).Type(), nil
}
