package main

import (
	"encoding/json"

	"github.com/invopop/jsonschema"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/urfave/cli/v2"
)

func configCommand() *cli.Command {
	return &cli.Command{
		Name:  "config",
		Usage: "print the JSON Schema of mcpgen.yaml",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "schema", Usage: "print the JSON Schema, for editors"}},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			if !c.Bool("schema") {
				return usage("config: pass --schema; this version prints nothing else")
			}
			return printJSON(c.App.Writer, configSchema())
		},
	}
}

// configSchema reflects the model of mcpgen.yaml.
func configSchema() json.Marshaler {
	r := &jsonschema.Reflector{ExpandedStruct: true, RequiredFromJSONSchemaTags: true}
	s := r.Reflect(config.File{})
	s.ID = ""
	s.Title = "mcpgen.yaml"
	return s
}
