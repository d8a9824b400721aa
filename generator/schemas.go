package generator

// Packages of types alone: JSON Schemas and OpenAPI documents that belong to no server.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/generator/internal/gogen"
	"github.com/mcpgen/mcpgen/internal/gopkg"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// SchemaFile is a JSON Schema, or an OpenAPI document with components/schemas.
type SchemaFile struct {
	Name string // slash path: the types are named after it, and errors begin with it
	URI  string // absolute: what references in it are relative to, and what leads to it
	Data []byte // JSON
}

// Schemas makes types.go of a package: a type for each schema, and for each definition in
// one. References lead from one file to another, and nowhere else. Paths of Files are below
// the package's folder. What is typed more loosely than its schema says is a warning, whose
// Server is a file, unless strictly: then it is an error.
func Schemas(ctx context.Context, pkg string, files []SchemaFile, strictly bool) (*Output, error) {
	if reason := gopkg.Reason(pkg); reason != "" {
		return nil, hint.With(fmt.Errorf("package %q: %s", pkg, reason), "choose another name")
	}
	files = slices.SortedStableFunc(slices.Values(files), func(a, b SchemaFile) int { return strings.Compare(a.Name, b.Name) })
	parts := make([]jsonschema.Part, len(files))
	var errs []error
	for i, f := range files {
		var err error
		parts[i], err = f.part()
		errs = append(errs, err)
		if i > 0 && f.Name == files[i-1].Name {
			errs = append(errs, fmt.Errorf("%s: passed twice", f.Name))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	doc, err := jsonschema.ParseParts(parts)
	if err != nil {
		return nil, inPart(err)
	}
	decided, warnings, err := decide.Schemas(ctx, pkg, doc, parts)
	if strictly && err == nil {
		err = decide.Strict(warnings)
	}
	if err != nil {
		return nil, err
	}
	types, err := gogen.Types(decided)
	if err != nil {
		return nil, err
	}
	return &Output{Files: []File{{Path: types.Name, Data: types.Data}}, Warnings: warnings}, nil
}

// part is the file as a part of a document. Each schema that an OpenAPI document, or an
// older Swagger one, defines is one of Schemas, which is nil for a JSON Schema.
func (f SchemaFile) part() (jsonschema.Part, error) {
	part := jsonschema.Part{Name: f.Name, URI: f.URI, Text: bytes.TrimPrefix(f.Data, []byte("\ufeff"))}
	if _, err := schema.Canonical(part.Text); err != nil { // it reads all of it
		if at, ok := errors.AsType[*schema.Error](err); ok && at.Pointer == "" {
			before := part.Text[:min(max(at.Offset, 0), len(part.Text))]
			at.Line, at.Column = 1+bytes.Count(before, []byte("\n")), len(before)-bytes.LastIndexByte(before, '\n')
			return part, fmt.Errorf("%s:%w", f.Name, err)
		}
		return part, fmt.Errorf("%s: %w", f.Name, err)
	}
	var api struct {
		OpenAPI, Swagger string
		Components       struct{ Schemas map[string]json.RawMessage }
	}
	if json.Unmarshal(part.Text, &api) != nil || api.OpenAPI+api.Swagger == "" {
		return part, nil
	}
	part.Schemas = []string{}
	for name := range api.Components.Schemas {
		part.Schemas = append(part.Schemas, "/components/schemas/"+jsontext.EscapePointer(name))
	}
	slices.Sort(part.Schemas)
	return part, nil
}

// inPart is an error about all parts as one about the file that it is in.
func inPart(err error) error {
	at, ok := errors.AsType[*schema.Error](err)
	if !ok || at.Pointer == "" {
		return err
	}
	name, within := jsonschema.PartOf(at.Pointer)
	return fmt.Errorf("%s: %w", name, &schema.Error{Pointer: within, Reason: at.Reason})
}
