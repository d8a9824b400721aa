// Package schemas is the command schema: it makes a package of JSON Schemas and OpenAPI documents. It needs no project
// and no server.
package schemas

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/conflict"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/regular"
	"github.com/mcpgen/mcpgen/internal/tree"
	"github.com/mcpgen/mcpgen/runtime/config"
)

// maxSchemaFile bounds each file of schemas.
const maxSchemaFile = 64 << 20

// Options are the flags of schema.
type Options struct {
	Files   []string
	Package string // name
	Output  string // folder of the package; it is made if it is not there
	Strict  bool   // warnings are errors
	Check   bool   // write nothing
}

// Report says what was made.
type Report struct {
	Warnings []generator.Warning
	Files    *generator.Report // nil under Check
	Stale    []generator.Stale // under Check
}

// Write writes the types of the schemas in files, and nothing else.
func Write(ctx context.Context, o Options) (*Report, error) {
	files, err := schemaFiles(o.Files)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(filepath.Join(o.Output, "snapshot.json")); err == nil {
		err := fmt.Errorf("%s: this folder is the package of a server", o.Output)
		return nil, hint.With(err, "choose another folder with --output")
	}
	if err := refuseGenerated(o.Output); err != nil {
		return nil, err
	}
	out, err := generator.Schemas(ctx, o.Package, files, o.Strict)
	if err != nil {
		return nil, exit.Unless(ctx, err)
	}
	r, root := &Report{Warnings: out.Warnings}, "."
	if filepath.IsLocal(o.Output) {
		for i := range out.Files {
			out.Files[i].Path = filepath.ToSlash(filepath.Join(o.Output, out.Files[i].Path))
		}
	} else if root = o.Output; !o.Check {
		if err := os.MkdirAll(root, 0o777); err != nil {
			return nil, err
		}
	}
	if !o.Check {
		r.Files, err = generator.Write(ctx, root, out.Files, generator.WriteOptions{})
		return r, exit.Unless(ctx, err)
	}
	r.Stale, err = generator.Compare(root, out.Files, generator.WriteOptions{})
	if errors.Is(err, fs.ErrNotExist) {
		r.Stale, err = []generator.Stale{{Path: out.Files[0].Path, State: generator.Missing}}, nil
	}
	return r, err
}

// refuseGenerated returns an error if generate writes into a folder. A configuration that is missing or invalid
// has no such folder.
func refuseGenerated(folder string) error {
	out, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	file, err := config.Find(out)
	if err != nil {
		return nil
	}
	project, err := config.Load(file)
	if e, ok := errors.AsType[*config.PartialError](err); ok {
		project = e.Project
	}
	if project == nil || !below(filepath.Join(project.Dir, filepath.FromSlash(project.Output)), out) {
		return nil
	}
	return hint.With(fmt.Errorf("--output %s: generate writes into this folder", folder), "choose another folder")
}

// schemaFiles reads the files. They are called by their paths below the folder that all of
// them are in, so that the types are the same wherever that is.
func schemaFiles(paths []string) ([]generator.SchemaFile, error) {
	files, whole := make([]generator.SchemaFile, len(paths)), make([]string, len(paths))
	var errs []error
	folder := ""
	for i, path := range paths {
		var err error
		if whole[i], err = filepath.Abs(path); err == nil {
			files[i].Data, err = schemaFile(path)
		}
		errs = append(errs, err)
		if i == 0 {
			folder = filepath.Dir(whole[i])
		}
		for !below(folder, whole[i]) && folder != filepath.Dir(folder) {
			folder = filepath.Dir(folder)
		}
	}
	for i, path := range whole {
		name, err := filepath.Rel(folder, path)
		errs = append(errs, err)
		files[i].Name = filepath.ToSlash(name)
		files[i].URI = (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")}).String()
	}
	return files, errors.Join(errs...)
}

func below(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// schemaFile reads one file as JSON.
func schemaFile(path string) ([]byte, error) {
	data, err := regular.ReadFile(path, maxSchemaFile)
	if err != nil {
		return nil, err
	}
	if line := conflict.Line(data); line > 0 {
		err := fmt.Errorf("%s:%d: git conflict markers", path, line)
		return nil, hint.With(err, "choose the lines to keep, and remove the markers")
	}
	if slices.Contains([]string{".yaml", ".yml"}, strings.ToLower(filepath.Ext(path))) {
		return tree.YAMLAsJSON(path, 0, data)
	}
	return data, nil
}
