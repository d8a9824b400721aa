package main

import (
	"cmp"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/exit"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/schemas"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

func schemaCommand() *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "write Go types of JSON Schemas and OpenAPI documents",
		ArgsUsage: "FILE…",
		Description: `Writes types.go, a package that contains only types: one type for each JSON Schema and
each definition in it, and one for each schema in components/schemas of an OpenAPI
document. encoding/json decodes and encodes every valid value with these types without a
change, except null as the whole value of a struct, an enum or an array of fixed length:
decode this null into a pointer to the type, such as *Order. mcpgen warns where such a
null is valid. The command needs no mcpgen.yaml, no lock and no server.

Files named .yaml or .yml are YAML, and all others are JSON. A reference may lead to
another of the passed files. mcpgen reads no other file and fetches nothing: any other
reference becomes a json.RawMessage, with a warning.

  mcpgen schema --package order schemas/*.json
  mcpgen schema --package petstore --output internal/petstore openapi.yaml`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "package", Usage: "the package is called `NAME`; required"},
			&cli.StringFlag{Name: "output", DefaultText: "NAME",
				Usage: "write types.go into `DIR`, which is created if it does not exist"},
			&cli.BoolFlag{Name: "check", Usage: "write nothing: exit 1 if types.go is not up to date"},
			&cli.BoolFlag{Name: "strict", Usage: "treat warnings as errors: a Go type that is looser than its schema"},
		},
		Action: schemaTypes,
	}
}

func schemaTypes(c *cli.Context) error {
	s := newSession(c)
	o := schemas.Options{
		Files: c.Args().Slice(), Package: c.String("package"), Output: cmp.Or(c.String("output"), c.String("package")),
		Check: c.Bool("check"), Strict: c.Bool("strict"),
	}
	if len(o.Files) == 0 || o.Package == "" {
		return hint.With(usage("schema: want --package NAME and at least one FILE"), "run mcpgen help schema")
	}
	r, err := schemas.Write(s.ctx, o)
	if err != nil {
		return err
	}
	for _, w := range r.Warnings {
		s.con.Warn("%v", w.Err())
	}
	if !o.Check {
		s.con.Note("%s", filesLine(r.Files))
		return nil
	}
	for _, f := range r.Stale {
		s.con.Printf("%s: %s\n", f.Path, f.State)
	}
	if len(r.Stale) > 0 {
		step := fmt.Sprintf("run mcpgen schema --package %s without --check", hint.Word(o.Package))
		s.con.Error("%v", hint.New("not up to date: "+safetext.Count(len(r.Stale), "generated file"), step))
		return finding(exit.Finding)
	}
	s.con.Note("the generated files are up to date")
	return nil
}
